//! The slow twin of every reading: visits ordered trees one by one, decides and multiplies.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use prodmax_enumerate::{Model, Mover};
use prodmax_mass::CurveTable;
use prodmax_readings::dimension::{
    Form, MinNode, SameIncrement, Sharing, Statistic, Ties, Weights, ZeroReading,
};
use prodmax_readings::{Reading, Sums};
use proptest::prelude::*;

/// One ordered tree: the increment of the move to each node in heap order (the root is 1).
struct NaiveTree<'a> {
    model: &'a Model,
    increments: Vec<i32>,
}

impl NaiveTree<'_> {
    fn level(node: usize) -> usize {
        node.ilog2() as usize
    }

    fn is_leaf(&self, node: usize) -> bool {
        Self::level(node) == self.model.depth()
    }

    fn position(&self, node: usize) -> i32 {
        if node == 1 {
            return self.model.line().position(self.model.root());
        }
        let parent = self.position(node / 2);
        match Mover::at(Self::level(node) - 1) {
            Mover::Max => parent + self.increments[node],
            Mover::Min => parent - self.increments[node],
        }
    }

    fn raw(&self, leaf: usize) -> i32 {
        self.model.value_at(self.position(leaf)).get()
    }

    /// The increments below a node in a fixed order, without sorting siblings.
    fn ordered(&self, node: usize) -> Vec<i32> {
        let mut key = vec![self.increments[node]];
        if !self.is_leaf(node) {
            key.extend(self.ordered(2 * node));
            key.extend(self.ordered(2 * node + 1));
        }
        key
    }

    /// Whether all siblings are in ascending order.
    fn is_canonical(&self, node: usize) -> bool {
        self.is_leaf(node)
            || self.ordered(2 * node) <= self.ordered(2 * node + 1)
                && self.is_canonical(2 * node)
                && self.is_canonical(2 * node + 1)
    }

    /// The leaves below a node, siblings sorted.
    fn structure(&self, node: usize) -> Vec<i32> {
        if self.is_leaf(node) {
            return vec![self.raw(node)];
        }
        let mut children = [self.structure(2 * node), self.structure(2 * node + 1)];
        children.sort();
        children.concat()
    }

    fn leaves(&self) -> std::ops::Range<usize> {
        1 << self.model.depth()..2 << self.model.depth()
    }
}

fn trees(model: &Model, mut visit: impl FnMut(&NaiveTree<'_>)) {
    let nodes = 2usize << model.depth();
    let mut tree = NaiveTree { model, increments: vec![0; nodes] };
    loop {
        visit(&tree);
        let next = (2..nodes).rev().find(|&n| tree.increments[n] < model.increment(NaiveTree::level(n)));
        let Some(node) = next else { return };
        tree.increments[node] += 1;
        tree.increments[node + 1..].iter_mut().for_each(|increment| *increment = 0);
    }
}

struct Twin<'a> {
    reading: &'a Reading,
    truth: CurveTable,
    estimate: CurveTable,
}

impl Twin<'_> {
    /// The value that a leaf has under the reading.
    fn value(&self, tree: &NaiveTree<'_>, leaf: usize) -> i32 {
        match (tree.raw(leaf), self.reading.zero) {
            (0, ZeroReading::Plus) => 1,
            (0, ZeroReading::Minus) => -1,
            (value, _) => value,
        }
    }

    fn at(&self, curve: &CurveTable, tree: &NaiveTree<'_>, h: i32) -> f64 {
        curve.double(tree.model.line().value(h.into()).unwrap())
    }

    fn minimax(&self, tree: &NaiveTree<'_>, node: usize) -> i32 {
        if tree.is_leaf(node) {
            return self.value(tree, node);
        }
        let (a, b) = (self.minimax(tree, 2 * node), self.minimax(tree, 2 * node + 1));
        if NaiveTree::level(node).is_multiple_of(2) { a.max(b) } else { a.min(b) }
    }

    fn product(&self, tree: &NaiveTree<'_>, node: usize) -> f64 {
        if tree.is_leaf(node) {
            return self.at(&self.estimate, tree, self.value(tree, node));
        }
        let (a, b) = (self.product(tree, 2 * node), self.product(tree, 2 * node + 1));
        if NaiveTree::level(node).is_multiple_of(2) { a + b - a * b } else { a * b }
    }

    fn won(&self, tree: &NaiveTree<'_>, node: usize) -> f64 {
        if tree.is_leaf(node) {
            return self.at(&self.truth, tree, self.value(tree, node));
        }
        let max = NaiveTree::level(node).is_multiple_of(2);
        let (a, b) = (self.won(tree, 2 * node), self.won(tree, 2 * node + 1));
        if !tree.is_leaf(2 * node) {
            return if max { a + b - a * b } else { a * b };
        }
        let (x, y) = (self.value(tree, 2 * node), self.value(tree, 2 * node + 1));
        if self.reading.sharing == Sharing::Node && x == y {
            return a;
        }
        let ((x, a), (y, b)) = if x <= y { ((x, a), (y, b)) } else { ((y, b), (x, a)) };
        if max {
            // y is the better leaf.
            self.form(b, y >= 0, a, x >= 0)
        } else if self.reading.min_node == MinNode::Mirrored {
            1.0 - self.form(1.0 - a, x < 0, 1.0 - b, y < 0)
        } else {
            a * b
        }
    }

    /// The forms by the formulas of their sign classes, from win probability and sign of the better and worse leaf.
    fn form(&self, better: f64, good: bool, worse: f64, also_good: bool) -> f64 {
        let (form, all_wrong) = match (good, also_good) {
            (true, true) => (self.reading.positive, 1.0 - (1.0 - better) * (1.0 - worse)),
            (true, false) => (self.reading.mixed, 1.0 - (1.0 - better) * worse),
            _ => (self.reading.negative, better * worse),
        };
        match form {
            Form::Independent => better + worse - better * worse,
            Form::AllWrong => all_wrong,
            Form::BestLeaf => better,
            Form::WorstLeaf => worse,
            Form::Mean => 0.5 * better + 0.5 * worse,
        }
    }

    /// Whether a node is won if these leaf values are won or lost.
    fn is_won(&self, tree: &NaiveTree<'_>, node: usize, won: &BTreeMap<i32, bool>) -> bool {
        if tree.is_leaf(node) {
            return won[&self.value(tree, node)];
        }
        let (a, b) = (self.is_won(tree, 2 * node, won), self.is_won(tree, 2 * node + 1, won));
        if NaiveTree::level(node).is_multiple_of(2) { a || b } else { a && b }
    }

    /// The probability, over all truths of the values of some leaves, that `judge` holds.
    fn expect(
        &self,
        tree: &NaiveTree<'_>,
        leaves: &[usize],
        judge: impl Fn(&BTreeMap<i32, bool>) -> bool,
    ) -> f64 {
        let values: BTreeSet<i32> = leaves.iter().map(|&leaf| self.value(tree, leaf)).collect();
        let mut sum = 0.0;
        for bits in 0..1u32 << values.len() {
            let truth: BTreeMap<i32, bool> =
                values.iter().enumerate().map(|(i, &value)| (value, bits & (1 << i) != 0)).collect();
            let factor = |(&value, &won): (&i32, &bool)| {
                let win = self.at(&self.truth, tree, value);
                if won { win } else { 1.0 - win }
            };
            if judge(&truth) {
                sum += truth.iter().map(factor).product::<f64>();
            }
        }
        sum
    }

    /// Pr(M lost and P won), Pr(M won and P lost).
    fn errors(&self, tree: &NaiveTree<'_>, m: usize, p: usize) -> (f64, f64) {
        let below = |branch: usize| -> Vec<usize> {
            tree.leaves().filter(|leaf| leaf >> (tree.model.depth() - 1) == branch).collect()
        };
        match self.reading.sharing {
            Sharing::Tree => {
                let both: Vec<usize> = tree.leaves().collect();
                let judged = |m_won: bool| {
                    self.expect(tree, &both, |truth| {
                        self.is_won(tree, m, truth) == m_won && self.is_won(tree, p, truth) != m_won
                    })
                };
                (judged(false), judged(true))
            }
            Sharing::Branch => {
                let won = |b| self.expect(tree, &below(b), |truth| self.is_won(tree, b, truth));
                let (m, p) = (won(m), won(p));
                ((1.0 - m) * p, m * (1.0 - p))
            }
            Sharing::Leaf | Sharing::Node => {
                let (m, p) = (self.won(tree, m), self.won(tree, p));
                ((1.0 - m) * p, m * (1.0 - p))
            }
        }
    }
}

fn naive(reading: &Reading, model: &Model) -> Sums {
    let model = &reading.model(model).unwrap();
    let table =
        |curve: &prodmax_readings::dimension::ScaledCurve| CurveTable::new(curve.curve.clone(), curve.h_max);
    let twin = Twin { reading, truth: table(&reading.truth), estimate: table(&reading.estimate) };
    let mut least: BTreeMap<Vec<i32>, i32> = BTreeMap::new();
    trees(model, |tree| {
        let first = least.entry(tree.structure(2)).or_insert(tree.increments[2]);
        *first = tree.increments[2].min(*first);
    });
    let mut seen = BTreeSet::new();
    let mut sums = Sums { majority: Some(0.0), ..Sums::default() };
    trees(model, |tree| {
        if reading.zero == ZeroReading::Drop && tree.leaves().any(|leaf| tree.raw(leaf) == 0) {
            return;
        }
        let structures = [2, 3].map(|branch| tree.structure(branch));
        let mut first = [2, 3].map(|branch| tree.increments[branch]);
        if reading.weights == Weights::Classes {
            first = [0, 1].map(|i| least[&structures[i]]);
        }
        let counts = match reading.weights {
            Weights::Ordered => true,
            Weights::Kinds => tree.is_canonical(1),
            Weights::Merged | Weights::Classes => {
                let mut key = [(first[0], structures[0].clone()), (first[1], structures[1].clone())];
                key.sort();
                seen.insert(key)
            }
        };
        if !counts {
            return;
        }
        let same = match reading.same_increment {
            SameIncrement::Once => 1.0,
            SameIncrement::Twice => 2.0,
            SameIncrement::Half => 0.5,
            SameIncrement::Excluded => 0.0,
        };
        let weight = if first[0] == first[1] { same } else { 1.0 };
        sums.trees += weight;
        let products = [2, 3].map(|branch| twin.product(tree, branch));
        if (products[0] - products[1]).abs() < 1e-12 {
            return;
        }
        let p = usize::from(products[1] > products[0]);
        let m = 1 - p;
        let minimax = [2, 3].map(|branch| twin.minimax(tree, branch));
        let weight = weight
            * match (minimax[m].cmp(&minimax[p]), reading.ties) {
                (Ordering::Greater, _) | (Ordering::Equal, Ties::Counted) => 1.0,
                (Ordering::Less, _) | (Ordering::Equal, Ties::Strict) => 0.0,
                (Ordering::Equal, Ties::Half) => 0.5,
                (Ordering::Equal, _) if first[m] == first[p] => 0.5,
                (Ordering::Equal, Ties::First) => f64::from(u8::from(first[m] < first[p])),
                (Ordering::Equal, Ties::Later) => f64::from(u8::from(first[m] > first[p])),
            };
        if weight == 0.0 {
            return;
        }
        let (minimax_error, product_error) = twin.errors(tree, 2 + m, 2 + p);
        sums.critical += weight;
        sums.minimax_error += weight * minimax_error;
        sums.product_error += weight * product_error;
        let lead = product_error - minimax_error;
        if lead.abs() > 1e-12 {
            *sums.majority.as_mut().unwrap() += weight * lead.signum();
        }
    });
    sums
}

fn small_model() -> impl Strategy<Value = Model> {
    let increments = prop_oneof![
        prop::collection::vec(0i64..=9, 1),
        prop::collection::vec(0i64..=3, 2),
        Just(vec![1, 1, 1]),
        Just(vec![1, 0, 2]),
        Just(vec![2, 0, 1]),
        Just(vec![0, 1, 1]),
        Just(vec![3, 1, 0]),
        Just(vec![1, 0, 1, 0]),
    ];
    (increments, -4i64..=4).prop_filter_map("no root 0", |(a, root)| {
        Model::new(root, &a, prodmax_enumerate::ZeroMode::Skip, 42).ok()
    })
}

fn form() -> impl Strategy<Value = Form> {
    prop::sample::select(vec![Form::Independent, Form::AllWrong, Form::BestLeaf, Form::WorstLeaf, Form::Mean])
}

prop_compose! {
    fn reading()(
        curves in (
            prop::sample::select(vec!["arctan:4", "pearl:4", "arctan:16@20", "uniform:1/20"]),
            prop::sample::select(vec!["arctan:1", "pearl:1", "arctan:4@21"]),
        ),
        zero in prop::sample::select(vec![
            ZeroReading::Skip, ZeroReading::Allow, ZeroReading::Drop, ZeroReading::Plus, ZeroReading::Minus,
        ]),
        weights in prop::sample::select(vec![
            Weights::Ordered, Weights::Kinds, Weights::Merged, Weights::Classes,
        ]),
        ties in prop::sample::select(vec![Ties::Strict, Ties::Counted, Ties::Half, Ties::First, Ties::Later]),
        same_increment in prop::sample::select(vec![
            SameIncrement::Once, SameIncrement::Twice, SameIncrement::Half, SameIncrement::Excluded,
        ]),
        forms in (form(), form(), form()),
        min_node in prop::sample::select(vec![MinNode::Product, MinNode::Mirrored]),
        sharing in prop::sample::select(vec![Sharing::Leaf, Sharing::Node, Sharing::Branch, Sharing::Tree]),
        statistic in prop::sample::select(vec![
            Statistic::Share, Statistic::PerCase, Statistic::PerTree, Statistic::PerMinimaxError,
            Statistic::PerProductError, Statistic::Majority,
        ]),
    ) -> Reading {
        let (truth, estimate) = (curves.0.parse().unwrap(), curves.1.parse().unwrap());
        let game_rule = matches!(sharing, Sharing::Branch | Sharing::Tree);
        let (positive, mixed, negative) = if game_rule { Default::default() } else { forms };
        Reading {
            truth, estimate, zero, weights, ties, same_increment, positive, mixed, negative, min_node, sharing,
            statistic,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_reading_agrees_with_its_naive_twin(model in small_model(), reading in reading()) {
        let fast = reading.measure(&model).unwrap();
        let slow = naive(&reading, &model);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + a.abs());
        prop_assert_eq!(fast.sums.critical, slow.critical);
        prop_assert_eq!(fast.sums.trees, slow.trees);
        prop_assert!(close(fast.sums.minimax_error, slow.minimax_error), "{:?} {:?}", fast.sums, slow);
        prop_assert!(close(fast.sums.product_error, slow.product_error), "{:?} {:?}", fast.sums, slow);
        if let Some(majority) = fast.sums.majority {
            prop_assert_eq!(majority, slow.majority.unwrap());
        }
        let slow = Sums { majority: fast.sums.majority, ..slow };
        match (fast.statistic, reading.statistic.of(&slow)) {
            (Some(a), Some(b)) => prop_assert!(close(a, b), "{a} {b}"),
            (a, b) => prop_assert!(a.unwrap_or(0.0).abs() < 1e-6 && b.unwrap_or(0.0).abs() < 1e-6),
        }
    }
}
