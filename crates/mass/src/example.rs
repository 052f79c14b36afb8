//! Single trees: written down, read, valued by any rules; and examples like KHS's Fig. 1 and 2, found by search.

use std::cmp::Ordering;
use std::num::IntErrorKind;

use prodmax_enumerate::{HeuristicValue, Line, LineError, Mover};
use prodmax_rules::numbers::Doubles;
use prodmax_rules::product::Product;
use thiserror::Error;

use crate::arithmetic::{Arithmetic, Float};
use crate::contestant::{Contestant, Player};
use crate::curve::CurveTable;
use crate::ranking::compare_subtrees;

/// The deepest tree that can be written down.
const MAX_DEPTH: u32 = 6;

/// A complete binary tree by its leaves from left to right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    leaves: Vec<HeuristicValue>,
}

/// Why a text is not a tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TreeError {
    /// Not of the form `((1 2) (3 4))`.
    #[error(
        "at character {at}: expected {expected}; write a tree like ((8 -3) (1 2)), leaves from left to right"
    )]
    Syntax {
        /// 1-based.
        at: usize,
        /// What should be there.
        expected: &'static str,
    },
    /// Leaves at different depths.
    #[error("the leaves lie at different depths; every leaf must be equally deep")]
    Ragged,
    /// No move at all, or too many levels.
    #[error("the tree has depth {0}; it must have at least 1 and at most {MAX_DEPTH}")]
    Depth(u32),
    /// Two values that nothing can tell apart.
    #[error("the {0} values of the root's moves are too close to be compared; use a smaller tree")]
    Unresolved(String),
    /// A leaf that no line has.
    #[error("leaf {number}: the value {text} lies beyond any h_max")]
    TooLarge {
        /// Which leaf, from 1.
        number: usize,
        /// As it is written.
        text: String,
    },
    /// A leaf off the line.
    #[error("leaf {number}: {source}")]
    Leaf {
        /// Which leaf, from 1.
        number: usize,
        /// Why its value is impossible.
        source: LineError,
    },
}

/// One node of a tree as the rules see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Level, 0 for the root.
    pub level: usize,
    /// Position among the nodes of its level, from the left.
    pub index: usize,
    /// Who moves there; `None` at a leaf.
    pub mover: Option<Mover>,
    /// Its value by each rule, as readers expect it: a probability, or a heuristic value.
    pub values: Vec<f64>,
    /// Probability that it is won for MAX.
    pub won: f64,
}

/// What the rules make of a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Valued {
    /// All nodes in preorder.
    pub nodes: Vec<Node>,
    /// The root's child (0 or 1) that each rule chooses; `None` for a tie.
    pub choices: Vec<Option<usize>>,
}

impl Valued {
    /// Whether the first two rules choose different moves.
    pub fn is_critical(&self) -> bool {
        matches!(self.choices[..], [Some(m), Some(p), ..] if m != p)
    }

    /// Pr(M lost) Pr(P won) and Pr(M won) Pr(P lost), if the tree is critical for the first two rules, which choose
    /// M and P.
    pub fn errors(&self) -> Option<(f64, f64)> {
        let won = |choice: Option<usize>| {
            let child = self.nodes.iter().find(|node| node.level == 1 && Some(node.index) == choice)?;
            Some(child.won)
        };
        if !self.is_critical() {
            return None;
        }
        let (m, p) = (won(self.choices[0])?, won(self.choices[1])?);
        Some(((1.0 - m) * p, m * (1.0 - p)))
    }
}

impl Tree {
    /// The tree with these leaves.
    pub fn new(leaves: Vec<HeuristicValue>) -> Result<Self, TreeError> {
        let depth = leaves.len().checked_ilog2().unwrap_or(0);
        if !leaves.len().is_power_of_two() {
            return Err(TreeError::Ragged);
        }
        if depth == 0 || depth > MAX_DEPTH {
            return Err(TreeError::Depth(depth));
        }
        Ok(Self { leaves })
    }

    /// Reads `((8 -3) (1 2))`: a node is a pair in parentheses, a leaf an integer; commas count as blanks.
    pub fn parse(text: &str, line: &Line) -> Result<Self, TreeError> {
        let mut parser = Parser { text: text.as_bytes(), at: 0, leaves: Vec::new(), depth: None };
        parser.node(0)?;
        parser.blanks();
        if parser.at < text.len() {
            return Err(parser.expected("the end of the tree"));
        }
        let value = |(index, &value): (usize, &i64)| {
            line.value(value).map_err(|source| TreeError::Leaf { number: index + 1, source })
        };
        Self::new(parser.leaves.iter().enumerate().map(value).collect::<Result<_, _>>()?)
    }

    /// The leaves from left to right.
    pub fn leaves(&self) -> &[HeuristicValue] {
        &self.leaves
    }

    /// Values every node by these rules. Which moves they choose is proved, not read off the doubles.
    pub fn value(&self, truth: &CurveTable, contestants: &[&Contestant<'_>]) -> Result<Valued, TreeError> {
        let depth = self.leaves.len().ilog2() as usize;
        let view = View {
            players: contestants.iter().map(|contestant| contestant.prepare(Doubles, depth)).collect(),
            truth: Contestant::through(Product.into(), truth).prepare(Doubles, depth),
        };
        let mut nodes = Vec::new();
        view.visit(&self.leaves, 0, 0, &mut nodes);
        let branches = self.leaves.split_at(self.leaves.len() / 2);
        let choice = |contestant: &&Contestant<'_>| {
            let order = compare_subtrees(contestant, branches.into(), 1)
                .ok_or_else(|| TreeError::Unresolved(contestant.rule().to_string()))?;
            Ok(match order {
                Ordering::Greater => Some(0),
                Ordering::Less => Some(1),
                Ordering::Equal => None,
            })
        };
        let choices = contestants.iter().map(choice).collect::<Result<_, TreeError>>()?;
        Ok(Valued { nodes, choices })
    }
}

/// Who looks at a tree.
struct View<'a> {
    players: Vec<Player<'a, Doubles>>,
    truth: Player<'a, Doubles>,
}

impl View<'_> {
    fn visit(&self, leaves: &[HeuristicValue], level: usize, index: usize, nodes: &mut Vec<Node>) {
        nodes.push(Node {
            level,
            index,
            mover: (leaves.len() > 1).then(|| Mover::at(level)),
            values: self.players.iter().map(|player| player.shown(player.subtree(leaves, level))).collect(),
            won: self.truth.subtree(leaves, level),
        });
        if leaves.len() > 1 {
            let (left, right) = leaves.split_at(leaves.len() / 2);
            self.visit(left, level + 1, 2 * index, nodes);
            self.visit(right, level + 1, 2 * index + 1, nodes);
        }
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    leaves: Vec<i64>,
    depth: Option<u32>,
}

impl Parser<'_> {
    fn expected(&self, expected: &'static str) -> TreeError {
        TreeError::Syntax { at: self.at + 1, expected }
    }

    fn blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b',') {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8, expected: &'static str) -> Result<(), TreeError> {
        self.blanks();
        if self.text.get(self.at) != Some(&byte) {
            return Err(self.expected(expected));
        }
        self.at += 1;
        Ok(())
    }

    fn node(&mut self, level: u32) -> Result<(), TreeError> {
        self.blanks();
        if self.text.get(self.at) != Some(&b'(') {
            return self.leaf(level);
        }
        if level == MAX_DEPTH {
            return Err(TreeError::Depth(level + 1));
        }
        self.at += 1;
        self.node(level + 1)?;
        self.node(level + 1)?;
        self.take(b')', "`)`: a node has two children")
    }

    fn leaf(&mut self, level: u32) -> Result<(), TreeError> {
        let start = self.at;
        let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+');
        while self.text.get(self.at).is_some_and(is_part) {
            self.at += 1;
        }
        let text = String::from_utf8_lossy(&self.text[start..self.at]);
        let number = match text.parse::<i64>() {
            Ok(number) => number,
            Err(error) if matches!(error.kind(), IntErrorKind::PosOverflow | IntErrorKind::NegOverflow) => {
                return Err(TreeError::TooLarge { number: self.leaves.len() + 1, text: text.into_owned() });
            }
            Err(_) => {
                self.at = start;
                return Err(self.expected("`(` or an integer"));
            }
        };
        if *self.depth.get_or_insert(level) != level {
            return Err(TreeError::Ragged);
        }
        self.leaves.push(number);
        Ok(())
    }
}

/// Which of KHS's figures an example is like. Their leaf values are not in the text, so they are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Fig. 1: one gross evaluation error (D looks lost but is won) makes Minimax leave the won B for the lost E.
    MinimaxErrs,
    /// Fig. 2: no evaluation error at all, but Product prefers E = {F, G}, with F = -1 lost and G far up, to the
    /// safely won B = {C, D}.
    ProductErrs,
}

impl Figure {
    /// The example: among the trees ((C D) (F G)) with leaves of at most `reach`, the one with the grossest error
    /// D (Fig. 1), then the one with the least values.
    pub fn search(self, line: &Line, estimate: &CurveTable, reach: i64) -> Option<Tree> {
        let values: Vec<HeuristicValue> = (-reach..=reach).filter_map(|h| line.value(h).ok()).collect();
        let size = |leaves: &[HeuristicValue]| leaves.iter().map(|h| h.get().abs()).sum::<i32>();
        let mut best: Option<(i32, i32, Vec<HeuristicValue>)> = None;
        for &c in &values {
            for &d in values.iter().filter(|d| **d <= c) {
                for &f in &values {
                    for &g in values.iter().filter(|g| f <= **g) {
                        let leaves = vec![c, d, f, g];
                        let gross = match self {
                            Self::MinimaxErrs => d.get(),
                            Self::ProductErrs => 0,
                        };
                        let key = (gross, size(&leaves), leaves);
                        if best.as_ref().is_none_or(|best| key < *best) && self.fits(&key.2, estimate) {
                            best = Some(key);
                        }
                    }
                }
            }
        }
        Tree::new(best?.2).ok()
    }

    /// Whether the tree shows what the figure does. True values: only D of Fig. 1 is evaluated wrongly.
    fn fits(self, leaves: &[HeuristicValue], estimate: &CurveTable) -> bool {
        let [c, d, f, g] = [0, 1, 2, 3].map(|leaf| leaves[leaf].get());
        let signs = match self {
            // B = {C, D} is won although D looks lost; F is lost; Minimax prefers E = {F, G} because F > D.
            Self::MinimaxErrs => c > 0 && d < f && f < 0 && g > 0,
            // C and D are won, F = -1 is lost; Minimax prefers B because both are above F.
            Self::ProductErrs => c > d && d > 0 && f == -1 && g > 0,
        };
        let arithmetic = Float(estimate);
        let product = |a: usize, b: usize| arithmetic.leaf(leaves[a]) * arithmetic.leaf(leaves[b]);
        let (b, e) = (product(0, 1), product(2, 3));
        signs && if self == Self::MinimaxErrs { b > e + 1e-9 } else { e > b + 1e-9 }
    }
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::Zero;
    use proptest::prelude::*;

    use super::*;
    use crate::curve::Curve;

    fn line() -> Line {
        Line::new(42, Zero::Skip).unwrap()
    }

    /// A tree valued by Minimax and by Product.
    fn valued(tree: &Tree, truth: &CurveTable, estimate: &CurveTable) -> Valued {
        let [minimax, product] =
            ["minimax", "product"].map(|rule| Contestant::through(rule.parse().unwrap(), estimate));
        tree.value(truth, &[&minimax, &product]).unwrap()
    }

    fn curves() -> (CurveTable, CurveTable) {
        (CurveTable::new(Curve::arctan(4), 42), CurveTable::new("pearl:1".parse().unwrap(), 42))
    }

    #[test]
    fn trees_are_read() {
        let tree = Tree::parse("((8 -3), (+1 2))", &line()).unwrap();
        assert_eq!(tree.leaves().iter().map(|h| h.get()).collect::<Vec<_>>(), [8, -3, 1, 2]);
        assert_eq!(Tree::parse("(1 2)", &line()).unwrap().leaves().len(), 2);
    }

    #[test]
    fn bad_trees_get_a_sentence() {
        let message = |text: &str| Tree::parse(text, &line()).unwrap_err().to_string();
        let hint = "; write a tree like ((8 -3) (1 2)), leaves from left to right";
        assert_eq!(message(""), format!("at character 1: expected `(` or an integer{hint}"));
        assert_eq!(
            message("(1 2 3)"),
            format!("at character 6: expected `)`: a node has two children{hint}")
        );
        assert_eq!(message("(1 2) x"), format!("at character 7: expected the end of the tree{hint}"));
        assert_eq!(
            message("((1 2) 3)"),
            "the leaves lie at different depths; every leaf must be equally deep"
        );
        assert_eq!(message("7"), "the tree has depth 0; it must have at least 1 and at most 6");
        assert!(message(&"(".repeat(1000)).starts_with("the tree has depth 7"));
        assert!(message("(1 0)").starts_with("leaf 2: the value 0 does not exist"));
        for value in ["99999999999999999999", "-99999999999999999999"] {
            assert_eq!(
                message(&format!("(1 {value})")),
                format!("leaf 2: the value {value} lies beyond any h_max")
            );
        }
    }

    #[test]
    fn the_examples_show_what_the_figures_do() {
        let (truth, estimate) = curves();
        for (figure, minimax, product) in [(Figure::MinimaxErrs, 1, 0), (Figure::ProductErrs, 0, 1)] {
            let tree = figure.search(&line(), &estimate, 9).unwrap();
            let valued = valued(&tree, &truth, &estimate);
            assert_eq!(valued.choices, [Some(minimax), Some(product)]);
            assert!(valued.is_critical());
        }
    }

    /// Pearl's curve: w(1) = 0.50758, w(2) = 0.51515, w(3) = 0.52270, w(4) = 0.53022, w(5) = 0.53772, w(-8) = 0.44009,
    /// w(-9) = 0.43281. Fig. 1 with D = -9: F = -8 and G = 1 give 0.22338, which takes C = 3 (C = 2: 0.22296); F = -7
    /// takes C = 4, as many steps in all but a greater C. Fig. 2: C = 2 and D = 1 give 0.26148, which takes G = 5
    /// (G = 4: 0.26109).
    #[test]
    fn the_examples_are_the_least_by_hand() {
        let (_, estimate) = curves();
        let leaves = |figure: Figure| {
            let tree = figure.search(&line(), &estimate, 9).unwrap();
            tree.leaves().iter().map(|h| h.get()).collect::<Vec<_>>()
        };
        assert_eq!(leaves(Figure::MinimaxErrs), [3, -9, -8, 1]);
        assert_eq!(leaves(Figure::ProductErrs), [2, 1, -1, 5]);
        assert_eq!(Figure::ProductErrs.search(&line(), &estimate, 4), None, "G = 4 is not enough");
    }

    /// Every tree whose true and estimated values are as in the figure, valued by both rules.
    #[test]
    fn the_examples_are_the_least_of_all_trees() {
        for (zero, curve) in [(Zero::Skip, "arctan:16"), (Zero::Allow, "pearl:1"), (Zero::Allow, "arctan:4")]
        {
            let line = Line::new(42, zero).unwrap();
            let estimate = CurveTable::new(curve.parse().unwrap(), 42);
            let values: Vec<HeuristicValue> = (-6..=6).filter_map(|h| line.value(h).ok()).collect();
            for (figure, choices) in [(Figure::MinimaxErrs, (1, 0)), (Figure::ProductErrs, (0, 1))] {
                let mut least: Option<(i32, i32, Vec<HeuristicValue>)> = None;
                for number in 0..values.len().pow(4) {
                    let leaves =
                        [3, 2, 1, 0].map(|place| values[number / values.len().pow(place) % values.len()]);
                    let [c, d, f, g] = leaves.map(HeuristicValue::get);
                    let is_like_the_figure = match figure {
                        Figure::MinimaxErrs => c > 0 && d < 0 && f < 0 && g > 0,
                        Figure::ProductErrs => c > d && d > 0 && f == -1 && g > 0,
                    };
                    let valued = || valued(&Tree::new(leaves.to_vec()).unwrap(), &estimate, &estimate);
                    let chosen = |valued: Valued| valued.choices[0].zip(valued.choices[1]);
                    if is_like_the_figure && chosen(valued()) == Some(choices) {
                        let gross = if figure == Figure::MinimaxErrs { d } else { 0 };
                        let key = (gross, [c, d, f, g].map(i32::abs).iter().sum(), leaves.to_vec());
                        least = Some(least.map_or(key.clone(), |least| least.min(key)));
                    }
                }
                let found = figure.search(&line, &estimate, 6).map(|tree| tree.leaves().to_vec());
                assert_eq!(found, least.map(|(.., leaves)| leaves), "{zero} {curve}");
            }
        }
    }

    #[test]
    fn ties_of_product_are_proved() {
        let (truth, estimate) = curves();
        let choices = |text: &str| {
            let valued = valued(&Tree::parse(text, &line()).unwrap(), &truth, &estimate);
            (valued.choices[0], valued.choices[1], valued.is_critical(), valued.errors())
        };
        // The same branch in another order, then two branches with equal minimax values, then both prefer one.
        assert_eq!(choices("(((1 2) (3 -4)) ((-4 3) (1 2)))"), (None, None, false, None));
        assert_eq!(choices("((-1 2) (-1 3))"), (None, Some(1), false, None));
        assert_eq!(choices("((-1 2) (3 4))"), (Some(1), Some(1), false, None));
        // 64 leaves: their polynomials would never end.
        let branch = |last: i32| (1..=32).map(|h| if h == 32 { last } else { h }).collect::<Vec<_>>();
        let tree = |last: i32| {
            let values =
                [branch(32), branch(last)].concat().into_iter().map(|h| line().value(h.into()).unwrap());
            valued(&Tree::new(values.collect()).unwrap(), &truth, &estimate).choices[1]
        };
        assert_eq!([tree(32), tree(33), tree(31)], [None, Some(1), Some(0)]);
        // To a uniform estimate all of them are positive; no number of binary places says that they are equal.
        let uniform = CurveTable::new("uniform:1/20".parse().unwrap(), 42);
        let values = [branch(32), branch(33)].concat().into_iter().map(|h| line().value(h.into()).unwrap());
        let valued = valued(&Tree::new(values.collect()).unwrap(), &truth, &uniform);
        assert_eq!(valued.choices[1], None);
    }

    /// arctan(1/2) + arctan(1/3) = π/4 makes both moves equal to Product, whatever the doubles say.
    #[test]
    fn ties_by_identities_between_arctans_are_proved() {
        let (truth, _) = curves();
        let choices = |text: &str, estimate: &str| {
            let estimate = CurveTable::new(estimate.parse().unwrap(), 42);
            valued(&Tree::parse(text, &line()).unwrap(), &truth, &estimate).choices
        };
        let tied = "((-14 -6) (-21 6))";
        assert_eq!(choices(tied, "arctan:1"), [Some(0), None]);
        // The same for MAX, one level below: what is lost there is w(-14) w(-6) = w(-21) w(6).
        assert_eq!(choices("(((14 6) (30 30)) ((21 -6) (30 30)))", "arctan:1"), [Some(1), None]);
        assert_eq!(choices("((-14 -6) (-21 7))", "arctan:1"), [Some(0), Some(1)]);
        assert_eq!(choices(tied, "arctan:4"), [Some(0), Some(1)], "another curve");
        // (w(21) + w(14)) / 2 = 3/4 = (w(42) + w(0)) / 2, and w(22) > w(21).
        let line = Line::new(42, Zero::Allow).unwrap();
        let estimate = CurveTable::new("arctan:1".parse().unwrap(), 42);
        let mean = Contestant::through("mean:1".parse().unwrap(), &estimate);
        let choice =
            |text: &str| Tree::parse(text, &line).unwrap().value(&truth, &[&mean]).unwrap().choices[0];
        assert_eq!(choice("(((21 14) (5 9)) ((42 0) (5 9)))"), None);
        assert_eq!(choice("(((22 14) (5 9)) ((42 0) (5 9)))"), Some(0));
    }

    #[test]
    fn values_of_a_small_tree() {
        let estimate = CurveTable::new("uniform:1/4".parse().unwrap(), 42);
        // MAX over MIN: B = {5, -2} has minimax -2, product 3/4 * 1/4; E = {-1, -1} has -1 and 1/16.
        let valued = valued(&Tree::parse("((5 -2) (-1 -1))", &line()).unwrap(), &estimate, &estimate);
        assert_eq!(valued.nodes[0].values[0], -1.0);
        let movers: Vec<_> = valued.nodes.iter().map(|node| node.mover).collect();
        let (max, min) = (Some(Mover::Max), Some(Mover::Min));
        assert_eq!(movers, [max, min, None, None, min, None, None]);
        assert_eq!((valued.nodes[1].values[1], valued.nodes[4].values[1]), (3.0 / 16.0, 1.0 / 16.0));
        assert_eq!(valued.choices, [Some(1), Some(0)]);
        let (m, p) = (1.0 / 16.0, 3.0 / 16.0);
        assert_eq!(valued.errors(), Some(((1.0 - m) * p, m * (1.0 - p))));
    }

    proptest! {
        #[test]
        fn random_text_is_a_tree_or_an_error(text in "[-+0-9(), \\tx√]{0,80}") {
            if let Ok(tree) = Tree::parse(&text, &line()) {
                prop_assert!(tree.leaves().len().is_power_of_two());
            }
        }

        #[test]
        fn a_damaged_tree_is_a_tree_or_an_error(place in 0usize..18, byte in any::<char>()) {
            let mut text: Vec<char> = "((8 -3), (+1 -22))".chars().collect();
            text[place] = byte;
            let _ = Tree::parse(&text.iter().collect::<String>(), &line());
        }
    }
}
