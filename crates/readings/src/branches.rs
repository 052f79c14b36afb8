//! The branches of the root: the depth-1 classes and their number of trees per first increment.

use prodmax_enumerate::{ClassTable, DepthOne, EnumerateError, Model, Mover, Nodes};

use crate::dimension::{Weights, ZeroReading};

/// For each depth-1 class and each first increment, how many branches there are.
#[derive(Clone, Debug, PartialEq)]
pub struct Branches {
    increments: usize,
    /// Class by class.
    weights: Vec<f64>,
}

impl Branches {
    /// Counts bottom-up like `ClassTable`, but as the reading does and separately for each first increment.
    pub fn of(
        table: &ClassTable,
        classes: &DepthOne,
        zero: ZeroReading,
        weights: Weights,
    ) -> Result<Self, EnumerateError> {
        let model = table.model();
        let mut ways: Vec<Vec<u128>> = Vec::new();
        for (level, nodes) in table.bottom_up() {
            ways = level_ways(model, level, nodes.nodes(), &ways, zero, weights)?;
        }
        if model.depth() > 1 {
            ways = level_ways(model, 1, classes.nodes(), &ways, zero, weights)?;
        }
        if weights == Weights::Classes {
            ways.iter_mut().for_each(|class| keep_first(class));
        }
        Ok(Self { increments: model.values(1), weights: ways.concat().iter().map(|&w| w as f64).collect() })
    }

    /// The number of first increments.
    pub fn increments(&self) -> usize {
        self.increments
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.weights.len() / self.increments
    }

    /// Whether there is no class.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The branches of a class, per first increment.
    pub fn class(&self, class: usize) -> &[f64] {
        &self.weights[class * self.increments..][..self.increments]
    }

    /// All branches, per first increment.
    pub fn totals(&self) -> Vec<f64> {
        let of = |i: usize| self.weights.iter().skip(i).step_by(self.increments).sum();
        (0..self.increments).map(of).collect()
    }
}

fn keep_first(ways: &mut [u128]) {
    let later = ways.iter_mut().skip_while(|w| **w == 0).skip(1);
    later.for_each(|w| *w = 0);
}

/// For each class of a level, the number of subtrees per value of their top node (least value first).
fn level_ways(
    model: &Model,
    level: usize,
    nodes: &Nodes,
    below: &[Vec<u128>],
    zero: ZeroReading,
    weights: Weights,
) -> Result<Vec<Vec<u128>>, EnumerateError> {
    let [low, high] = model.position_range(level);
    let pairs = match nodes {
        // The classes of the leaf level are its positions in order.
        Nodes::Leaves(_) => {
            let way = |own: i32, p: i32| u128::from(p == own && zero.counts(model.value_at(p)));
            return Ok((low..=high).map(|own| (low..=high).map(|p| way(own, p)).collect()).collect());
        }
        // Readings are of binary trees.
        Nodes::Inner(children) => children.flat().as_chunks::<2>().0,
    };
    let overflow = EnumerateError::Multiplicity { level };
    let [below_low, below_high] = model.position_range(level + 1);
    let increment = model.increment(level + 1);
    let reach = |class: &Vec<u128>| -> Option<Vec<u128>> {
        let from = |p: i32| {
            let [first, last] = Mover::at(level).reached(p, increment);
            let [first, last] =
                [first.max(below_low), last.min(below_high)].map(|q| (q - below_low) as usize);
            weights.moves(class[first..=last].iter().copied())
        };
        (low..=high).map(from).collect()
    };
    let reach = below.iter().map(reach).collect::<Option<Vec<_>>>().ok_or(overflow.clone())?;
    let pair = |&[b, c]: &[u32; 2]| -> Option<Vec<u128>> {
        let ways = reach[b as usize].iter().zip(&reach[c as usize]);
        ways.map(|(&x, &y)| weights.pair(x, y, b == c)).collect()
    };
    pairs.iter().map(pair).collect::<Option<_>>().ok_or(overflow)
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::ZeroMode;

    use super::*;

    #[test]
    fn ordered_branches_add_up_to_the_multiplicities() {
        for (root, increments) in [(-2, &[2, 2, 4][..]), (1, &[8, 8]), (3, &[5]), (-1, &[1, 2, 1, 1])] {
            let increments: Vec<i64> = increments.to_vec();
            let model = Model::new(root, &increments, ZeroMode::Skip, 42).unwrap();
            let table = ClassTable::build(&model).unwrap();
            let classes = table.depth_one().unwrap();
            let branches = Branches::of(&table, &classes, ZeroReading::Skip, Weights::Ordered).unwrap();
            assert_eq!(branches.len(), classes.len());
            for (class, &mu) in classes.multiplicities().iter().enumerate() {
                assert_eq!(branches.class(class).iter().sum::<f64>(), mu as f64);
            }
        }
    }

    #[test]
    fn a_merged_class_is_kept_at_its_least_first_increment() {
        let model = Model::new(1, &[2, 2], ZeroMode::Skip, 42).unwrap();
        let table = ClassTable::build(&model).unwrap();
        let classes = table.depth_one().unwrap();
        let of = |weights| Branches::of(&table, &classes, ZeroReading::Skip, weights).unwrap();
        let (merged, one) = (of(Weights::Merged), of(Weights::Classes));
        for class in 0..classes.len() {
            let first = merged.class(class).iter().position(|&w| w > 0.0).unwrap();
            let expected: Vec<f64> = (0..3).map(|i| f64::from(u8::from(i == first))).collect();
            assert_eq!(one.class(class), expected);
        }
    }
}
