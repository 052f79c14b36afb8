//! The slow twins: search every node by itself, play every game move by move, look at every decision.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::cmp::Ordering;

use prodmax_enumerate::{HeuristicValue, Mover};
use prodmax_mass::{Contestant, CurveTable};
use prodmax_rules::numbers::Doubles;
use prodmax_simulate::tree::{Tree, child_elements};
use prodmax_simulate::{
    Assignment, DepthCounts, Experiment, Overflow, Pairs, SimulationSpec, TreeCounts, Workspace,
};

fn spec(tree_depth: usize, truth: &str, assignment: Assignment) -> SimulationSpec {
    SimulationSpec {
        id: "twin".into(),
        title: String::new(),
        source: String::new(),
        tree_depth,
        root: -6,
        increment: 8,
        h_max: 42,
        zero: Default::default(),
        overflow: Overflow::Clamp,
        truth: truth.parse().unwrap(),
        assignment,
        estimate: "arctan:1".parse().unwrap(),
        depths: (1..=tree_depth).collect(),
        trees: 1,
        first_tree: 0,
        seed: 3,
    }
}

fn level_of(element: usize) -> usize {
    element.ilog2() as usize
}

/// A tree that is searched and played one node at a time.
struct Slow<'a> {
    tree: &'a Tree,
    values: &'a [HeuristicValue],
}

impl Slow<'_> {
    /// The static values `depth` levels below a node.
    fn leaves(&self, element: usize, depth: usize, leaves: &mut Vec<HeuristicValue>) {
        if depth == 0 {
            leaves.push(self.values[usize::from(self.tree.places[element])]);
        } else {
            child_elements(element).into_iter().for_each(|child| self.leaves(child, depth - 1, leaves));
        }
    }

    /// The value of a search to a depth below a node.
    fn search(&self, rule: &Contestant<'_>, element: usize, depth: usize) -> f64 {
        let mut leaves = Vec::new();
        self.leaves(element, depth, &mut leaves);
        let level = level_of(element);
        rule.prepare(Doubles, level + depth).subtree(&leaves, level)
    }

    /// The child that a search to depth d chooses.
    fn choose(&self, rule: &Contestant<'_>, element: usize, d: usize) -> usize {
        let [first, second] = child_elements(element);
        let order = self.search(rule, second, d - 1).total_cmp(&self.search(rule, first, d - 1));
        let better = match Mover::at(level_of(element)) {
            Mover::Max => Ordering::Greater,
            Mover::Min => Ordering::Less,
        };
        if order == better { second } else { first }
    }

    fn won(&self, element: usize) -> bool {
        self.tree.truth[element] == 1
    }

    /// Whether MAX wins the game from a node: players[0] moves first.
    fn game(&self, players: [&dyn Fn(usize) -> usize; 2], start: usize, d: usize) -> bool {
        let (mut element, mut ply) = (start, 0);
        while level_of(element) + d <= self.tree.depth() {
            element = players[ply % 2](element);
            ply += 1;
        }
        self.won(element)
    }

    fn pairs(&self, minimax: &dyn Fn(usize) -> usize, product: &dyn Fn(usize) -> usize, d: usize) -> Pairs {
        let mut pairs = Pairs::default();
        for start in 1..2 << (self.tree.depth() - d) {
            let max_moves = Mover::at(level_of(start)) == Mover::Max;
            // Whether the player who begins wins, in each of the two games.
            let [minimax_begins, product_begins] = [[minimax, product], [product, minimax]]
                .map(|players| self.game(players, start, d) == max_moves);
            match (minimax_begins, !product_begins) {
                (true, true) => pairs.minimax_wins += 1,
                (false, false) => pairs.product_wins += 1,
                _ => {}
            }
        }
        pairs
    }

    fn errors(&self, player: &dyn Fn(usize) -> usize, d: usize) -> u64 {
        let wrong = |element: usize| {
            let good = Mover::at(level_of(element)) == Mover::Max;
            let chosen = player(element);
            let other = child_elements(element).into_iter().find(|&child| child != chosen).unwrap();
            self.won(chosen) != good && self.won(other) == good
        };
        (1..2usize << (self.tree.depth() - d)).filter(|&element| wrong(element)).count() as u64
    }

    fn counts(&self, truth: &CurveTable, estimate: &CurveTable, d: usize) -> DepthCounts {
        let contestant = |rule: &str, curve| Contestant::through(rule.parse().unwrap(), curve);
        let [minimax, estimated, actual] =
            [contestant("minimax", estimate), contestant("product", estimate), contestant("product", truth)];
        let minimax = |element| self.choose(&minimax, element, d);
        let estimated = |element| self.choose(&estimated, element, d);
        let actual = |element| self.choose(&actual, element, d);
        let nodes = 1..2usize << (self.tree.depth() - d);
        let differ = |&element: &usize| {
            let [first, second] = child_elements(element);
            self.won(first) != self.won(second)
        };
        DepthCounts {
            d,
            pairs: nodes.len() as u64,
            decisive: nodes.filter(differ).count() as u64,
            minimax_errors: self.errors(&minimax, d),
            estimated_errors: self.errors(&estimated, d),
            actual_errors: self.errors(&actual, d),
            estimated: self.pairs(&minimax, &estimated, d),
            actual: self.pairs(&minimax, &actual, d),
        }
    }
}

#[test]
fn all_counts_are_those_of_games_played_move_by_move() {
    let mut contests = 0;
    for truth in ["arctan:16", "pearl:16", "uniform:1/5"] {
        for assignment in Assignment::ALL {
            let spec = spec(9, truth, assignment);
            let experiment = Experiment::new(&spec).unwrap();
            let curves = [&spec.truth, &spec.estimate].map(|curve| CurveTable::new(curve.clone(), 42));
            let mut room = experiment.workspace();
            for number in 0..3 {
                let fast = experiment.tree(number, &mut room);
                let slow = Slow { tree: room.tree(), values: experiment.scale().values() };
                let depths = spec.depths.iter().map(|&d| slow.counts(&curves[0], &curves[1], d)).collect();
                assert_eq!(fast, TreeCounts { tree: number, depths }, "{truth} {assignment:?}");
                contests +=
                    fast.depths.iter().map(|d| d.estimated.critical() + d.actual.critical()).sum::<u64>();
            }
        }
    }
    assert!(contests > 100, "only {contests} critical pairs: the twin was not tested");
}

#[test]
fn true_values_obey_the_game_rule_everywhere() {
    for assignment in Assignment::ALL {
        let experiment = Experiment::new(&spec(12, "pearl:16", assignment)).unwrap();
        let mut room = experiment.workspace();
        for number in 0..4 {
            experiment.tree(number, &mut room);
            let tree = room.tree();
            for element in 1..1 << 12 {
                let [a, b] = child_elements(element).map(|child| tree.truth[child]);
                let expected = match Mover::at(level_of(element)) {
                    Mover::Max => a.max(b),
                    Mover::Min => a.min(b),
                };
                assert_eq!(tree.truth[element], expected, "{assignment:?}, node {element}");
            }
        }
    }
}

/// A search with p and q = 1 - p kept side by side, so that neither is ever rounded away.
fn precise(slow: &Slow<'_>, curve: &CurveTable, element: usize, depth: usize) -> (f64, f64) {
    if depth == 0 {
        let value = slow.values[usize::from(slow.tree.places[element])];
        let mirrored = slow.values[slow.values.len() - 1 - usize::from(slow.tree.places[element])];
        return (curve.double(value), curve.double(mirrored));
    }
    let [(p, q), (r, s)] = child_elements(element).map(|child| precise(slow, curve, child, depth - 1));
    match Mover::at(level_of(element)) {
        Mover::Max => (p + q * r, q * s),
        Mover::Min => (p * r, q + p * s),
    }
}

#[test]
fn doubles_choose_as_full_relative_precision_does() {
    let spec = spec(12, "pearl:16", Assignment::TopDown);
    let experiment = Experiment::new(&spec).unwrap();
    let curve = CurveTable::new(spec.truth.clone(), 42);
    let product = Contestant::through("product".parse().unwrap(), &curve);
    let mut room: Workspace = experiment.workspace();
    let (mut decisions, mut different) = (0u32, 0u32);
    for number in 0..20 {
        experiment.tree(number, &mut room);
        let slow = Slow { tree: room.tree(), values: experiment.scale().values() };
        for element in 1..2 << (12 - 8) {
            let [first, second] = child_elements(element);
            let [(p, q), (r, s)] = [first, second].map(|child| precise(&slow, &curve, child, 7));
            // Compare what is small: it has all its digits. Products of the same leaves in another order are
            // equal up to rounding.
            let (a, b) = if p < 0.5 { (p, r) } else { (s, q) };
            let second_is_greater = b > a && (b - a) > 1e-13 * b;
            let first_is_greater = a > b && (a - b) > 1e-13 * a;
            let better = match Mover::at(level_of(element)) {
                Mover::Max => second_is_greater,
                Mover::Min => first_is_greater,
            };
            let chosen = slow.choose(&product, element, 8);
            decisions += 1;
            different += u32::from(chosen != if better { second } else { first });
        }
    }
    assert!(decisions == 620 && different <= 3, "{different} of {decisions} choices differ");
}
