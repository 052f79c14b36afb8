//! The increment model: a root value and the greatest increment of each level.

use num_bigint::BigUint;
use prodmax_rules::Mover;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use prodmax_rules::{HeuristicValue, Line, LineError, ZeroMode};

/// Why a model is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// There are no levels.
    #[error("the list of increments is empty; give the greatest increment of each level, e.g. 8,8")]
    NoLevels,
    /// More levels than the counting supports.
    #[error("{0} levels are too many; a model has at most {max}", max = Model::MAX_DEPTH)]
    TooDeep(usize),
    /// An increment below 0 or longer than the line.
    #[error("the greatest increment at level {level} is {increment}; it must lie between 0 and {max}")]
    Increment {
        /// The level the increment leads to.
        level: usize,
        /// The given increment.
        increment: i64,
        /// The length of the line.
        max: i64,
    },
    /// The root (or h_max) is invalid.
    #[error("bad root or line: {0}")]
    Root(#[from] LineError),
    /// A node could lie beyond h_max.
    #[error(
        "at level {level} a node could have the value {value:+}, beyond h_max = {h_max}; \
         use a root nearer to 0, smaller increments or a larger h_max"
    )]
    LeavesLine {
        /// The first level that leaves the line.
        level: usize,
        /// The most extreme value there.
        value: i64,
        /// The end of the line.
        h_max: i32,
    },
    /// No moves, or more than the counting supports.
    #[error("the branching factor is {0}; it must lie between 1 and {max}", max = Model::MAX_BRANCHING)]
    Branching(i64),
    /// More leaves than the counting supports.
    #[error(
        "a tree of depth {depth} with {branching} moves everywhere has {leaves} leaves; \
         a model has at most {max}, so use fewer levels or fewer moves",
        max = Model::MAX_LEAVES
    )]
    TooManyLeaves {
        /// The number of levels.
        depth: usize,
        /// The number of moves.
        branching: usize,
        /// The number of leaves.
        leaves: u128,
    },
}

/// A synthetic game tree model (KHS section III) of uniform depth, with the same number of moves everywhere (two, as
/// in the paper, unless [`Model::with_branching`] says otherwise) and MAX to move at the root. Every value that a
/// node can have lies on the line: construction refuses anything else.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "RawModel", into = "RawModel")]
pub struct Model {
    line: Line,
    root: HeuristicValue,
    increments: Vec<i32>,
    branching: usize,
}

/// A model as written in a file, before it is checked.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename = "Model", deny_unknown_fields)]
struct RawModel {
    root: i64,
    increments: Vec<i64>,
    #[serde(default)]
    zero: ZeroMode,
    #[serde(default = "default_h_max")]
    h_max: i64,
    #[serde(default = "default_branching", skip_serializing_if = "is_default_branching")]
    branching: i64,
}

fn default_h_max() -> i64 {
    Line::DEFAULT_H_MAX
}

fn default_branching() -> i64 {
    Model::DEFAULT_BRANCHING
}

fn is_default_branching(branching: &i64) -> bool {
    *branching == Model::DEFAULT_BRANCHING
}

impl TryFrom<RawModel> for Model {
    type Error = ModelError;
    fn try_from(raw: RawModel) -> Result<Self, ModelError> {
        Self::new(raw.root, &raw.increments, raw.zero, raw.h_max)?.with_branching(raw.branching)
    }
}

impl From<Model> for RawModel {
    fn from(model: Model) -> Self {
        Self {
            root: model.root.get().into(),
            increments: model.increments.iter().map(|&a| a.into()).collect(),
            zero: model.line.zero(),
            h_max: model.line.h_max().into(),
            branching: model.branching as i64,
        }
    }
}

impl Model {
    /// The greatest depth. Enumeration is feasible to depth 5 or so; the limit keeps the tree count printable.
    pub const MAX_DEPTH: usize = 16;

    /// The number of moves in KHS's trees.
    pub const DEFAULT_BRANCHING: i64 = 2;

    /// The greatest number of moves of a node: more than in any chess position.
    pub const MAX_BRANCHING: i64 = 256;

    /// The greatest number of leaves of a tree, that of a binary tree of the greatest depth; it keeps the tree count
    /// printable.
    pub const MAX_LEAVES: usize = 1 << Self::MAX_DEPTH;

    /// The binary model with this root and these greatest increments; its depth is the number of increments.
    ///
    /// ```
    /// use prodmax_enumerate::{Model, ZeroMode};
    /// let model = Model::new(-1, &[8, 8, 8], ZeroMode::Skip, 42)?;
    /// assert_eq!(model.trees().to_string(), "22876792454961");
    /// # Ok::<(), prodmax_enumerate::ModelError>(())
    /// ```
    pub fn new(root: i64, increments: &[i64], zero: ZeroMode, h_max: i64) -> Result<Self, ModelError> {
        if increments.is_empty() {
            return Err(ModelError::NoLevels);
        }
        if increments.len() > Self::MAX_DEPTH {
            return Err(ModelError::TooDeep(increments.len()));
        }
        let line = Line::new(h_max, zero)?;
        let root = line.value(root)?;
        let max = 2 * h_max;
        let mut checked = Vec::with_capacity(increments.len());
        for (index, &increment) in increments.iter().enumerate() {
            match i32::try_from(increment) {
                Ok(small) if (0..=max).contains(&increment) => checked.push(small),
                _ => return Err(ModelError::Increment { level: index + 1, increment, max }),
            }
        }
        let model = Self { line, root, increments: checked, branching: 2 };
        for level in 1..=model.depth() {
            for position in model.position_range(level) {
                if line.at(position).is_none() {
                    let value = line.number_at(position.into());
                    return Err(ModelError::LeavesLine { level, value, h_max: line.h_max() });
                }
            }
        }
        Ok(model)
    }

    /// The same model with `branching` moves at every node instead of two.
    ///
    /// ```
    /// use prodmax_enumerate::{Model, ZeroMode};
    /// let model = Model::new(1, &[2, 2], ZeroMode::Skip, 42)?.with_branching(3)?;
    /// assert_eq!(model.trees().to_string(), "531441");
    /// # Ok::<(), prodmax_enumerate::ModelError>(())
    /// ```
    pub fn with_branching(self, branching: i64) -> Result<Self, ModelError> {
        if !(1..=Self::MAX_BRANCHING).contains(&branching) {
            return Err(ModelError::Branching(branching));
        }
        let branching = branching.unsigned_abs() as usize;
        // At most 256^16 = 2^128: only that does not fit, and it is refused anyway.
        let leaves = (branching as u128).checked_pow(self.depth() as u32).unwrap_or(u128::MAX);
        if leaves > Self::MAX_LEAVES as u128 {
            return Err(ModelError::TooManyLeaves { depth: self.depth(), branching, leaves });
        }
        Ok(Self { branching, ..self })
    }

    /// The number of moves of every node.
    pub fn branching(&self) -> usize {
        self.branching
    }

    /// Whether every node has two moves, as in the papers.
    pub fn is_binary(&self) -> bool {
        self.branching == 2
    }

    /// The number of leaves of a subtree whose root lies at `level`.
    pub fn leaves_below(&self, level: usize) -> usize {
        self.branching.pow((self.depth() - level) as u32)
    }

    /// The line of heuristic values.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// The value of the root.
    pub fn root(&self) -> HeuristicValue {
        self.root
    }

    /// The number of moves from the root to a leaf.
    pub fn depth(&self) -> usize {
        self.increments.len()
    }

    /// The greatest increment a_l of each level l = 1..=depth.
    pub fn increments(&self) -> &[i32] {
        &self.increments
    }

    /// The greatest increment of the move that leads to `level` (1..=depth).
    pub fn increment(&self, level: usize) -> i32 {
        self.increments[level - 1]
    }

    /// The positions of the least and the greatest value that a node of `level` can have.
    pub fn position_range(&self, level: usize) -> [i32; 2] {
        let root = self.line.position(self.root);
        let mut range = [root, root];
        for (index, increment) in self.increments[..level].iter().enumerate() {
            let mover = Mover::at(index);
            range = [mover.reached(range[0], *increment)[0], mover.reached(range[1], *increment)[1]];
        }
        range
    }

    /// The number of different values that a node of `level` can have.
    pub fn values(&self, level: usize) -> usize {
        let [low, high] = self.position_range(level);
        high.abs_diff(low) as usize + 1
    }

    /// The heuristic value at a position that nodes of this model can have.
    ///
    /// # Panics
    /// For a position outside every [`Model::position_range`]; construction ensures that those inside are on the
    /// line.
    pub fn value_at(&self, position: i32) -> HeuristicValue {
        #[expect(clippy::expect_used, reason = "construction checked the whole range of every level")]
        self.line.at(position).expect("a position inside the range of some level")
    }

    /// The number of ordered trees: each of the b + b² + … + b^depth edges has any of its increments.
    pub fn trees(&self) -> BigUint {
        self.trees_to(self.depth())
    }

    /// The number of ordered trees cut off below `level`.
    pub fn trees_to(&self, level: usize) -> BigUint {
        let edges = |level: usize| self.branching.pow(level as u32) as u32;
        (1..=level).map(|l| BigUint::from(self.increment(l).unsigned_abs() + 1).pow(edges(l))).product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skip(root: i64, increments: &[i64]) -> Result<Model, ModelError> {
        Model::new(root, increments, ZeroMode::Skip, 42)
    }

    #[test]
    fn two_moves_everywhere_are_binary_and_nothing_else_is() {
        let with = |branching| skip(1, &[2, 2]).unwrap().with_branching(branching).unwrap();
        assert_eq!([1, 2, 3].map(|branching| with(branching).is_binary()), [false, true, false]);
        assert!(skip(1, &[2]).unwrap().is_binary());
    }

    #[test]
    fn ranges_follow_the_movers() {
        let model = skip(1, &[8, 7, 6]).unwrap();
        let range = |level| model.position_range(level).map(|p| model.value_at(p).get());
        assert_eq!([range(0), range(1), range(2), range(3)], [[1, 1], [1, 9], [-7, 9], [-7, 15]]);
        assert_eq!(model.values(3), 22);
    }

    #[test]
    fn a_model_in_a_file_only_needs_root_and_increments() {
        let read: Model = ron::from_str("(root: -2, increments: [8, 7])").unwrap();
        assert_eq!(read, skip(-2, &[8, 7]).unwrap());
        assert_eq!(
            (read.increments(), read.line().h_max(), read.line().zero()),
            (&[8, 7][..], 42, ZeroMode::Skip)
        );
        let read: Model = ron::from_str("(root: 0, increments: [1], zero: allow, h_max: 5)").unwrap();
        assert_eq!(
            (read.increments(), read.line().h_max(), read.line().zero()),
            (&[1][..], 5, ZeroMode::Allow)
        );
    }

    #[test]
    fn counts_of_ordered_trees() {
        assert_eq!(skip(1, &[8, 8]).unwrap().trees(), BigUint::from(531_441u32));
        assert_eq!(skip(-1, &[3, 3, 3]).unwrap().trees(), BigUint::from(268_435_456u32));
        assert_eq!(skip(1, &[8, 8, 8, 8]).unwrap().trees(), BigUint::from(9u32).pow(30));
        assert_eq!(skip(1, &[0]).unwrap().trees(), BigUint::from(1u32));
    }

    #[test]
    fn nodes_can_have_any_number_of_moves() {
        let with = |depth: usize, branching: i64| skip(1, &vec![1; depth]).unwrap().with_branching(branching);
        assert_eq!(with(2, 3).unwrap().trees(), BigUint::from(4096u32), "2^(3 + 9)");
        assert_eq!(with(3, 1).unwrap().trees(), BigUint::from(8u32), "a path of three moves");
        assert_eq!(with(2, 8).unwrap().leaves_below(1), 8);
        let trees = skip(1, &[8, 8]).unwrap().with_branching(8).unwrap().trees();
        assert_eq!(trees, BigUint::from(9u32).pow(72));
        let message = |model: Result<Model, ModelError>| model.unwrap_err().to_string();
        for wrong in [0, -3, 257, i64::MAX] {
            let expected = format!("the branching factor is {wrong}; it must lie between 1 and 256");
            assert_eq!(message(with(1, wrong)), expected);
        }
        assert_eq!(
            message(with(5, 10)),
            "a tree of depth 5 with 10 moves everywhere has 100000 leaves; a model has at most 65536, so use fewer \
             levels or fewer moves"
        );
        assert!(with(16, 256).is_err() && with(2, 256).is_ok() && with(16, 2).is_ok());
    }

    #[test]
    fn the_branching_of_a_model_is_written_only_if_it_is_not_two() {
        let read: Model = ron::from_str("(root: 1, increments: [2, 2], branching: 3)").unwrap();
        assert_eq!(read, skip(1, &[2, 2]).unwrap().with_branching(3).unwrap());
        assert!(ron::to_string(&read).unwrap().contains("branching:3"));
        assert!(!ron::to_string(&skip(1, &[2, 2]).unwrap()).unwrap().contains("branching"));
        assert!(ron::from_str::<Model>("(root: 1, increments: [2], branching: 0)").is_err());
    }

    #[test]
    fn impossible_models_are_refused_with_the_level_and_the_value() {
        let message = |model: Result<Model, ModelError>| model.unwrap_err().to_string();
        assert_eq!(
            message(skip(40, &[8, 8])),
            "at level 1 a node could have the value +48, beyond h_max = 42; use a root nearer to 0, \
             smaller increments or a larger h_max"
        );
        assert_eq!(
            message(skip(-41, &[8, 8])),
            "at level 2 a node could have the value -49, beyond h_max = 42; use a root nearer to 0, \
             smaller increments or a larger h_max"
        );
        assert_eq!(
            message(skip(1, &[])),
            "the list of increments is empty; give the greatest increment of each level, e.g. 8,8"
        );
        assert_eq!(
            message(skip(0, &[1])),
            "bad root or line: the value 0 does not exist when zero is skipped; use -1 or +1, or `allow` zero"
        );
        assert_eq!(
            message(skip(1, &[1, -1])),
            "the greatest increment at level 2 is -1; it must lie between 0 and 84"
        );
        assert_eq!(
            message(skip(1, &[1, i64::MAX])),
            "the greatest increment at level 2 is 9223372036854775807; it must lie between 0 and 84"
        );
        assert_eq!(message(skip(1, &[0; 17])), "17 levels are too many; a model has at most 16");
        assert_eq!(
            message(Model::new(1, &[1], ZeroMode::Skip, 0)),
            "bad root or line: h_max is 0; it must lie between 1 and 10000"
        );
    }
}
