//! The slow twins: search every node separately, play every game move by move, look at every decision.

use std::cmp::Ordering;

use prodmax_enumerate::{HeuristicValue, Mover, Place};
use prodmax_mass::PreparedContestant;
use prodmax_mass::{Contestant, CurveTable, Curves};
use prodmax_rules::numbers::Doubles;
use prodmax_rules::{Leaves, Rule, RulePair};
use prodmax_simulate::tree::{StoredTree, child_elements};
use prodmax_simulate::{
    Assignment, DepthCounts, Overflow, Pairs, Probabilities, Simulation, SimulationSpec, TreeCounts,
    Workspace,
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
        rules: RulePair::default(),
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
    tree: &'a StoredTree,
    values: &'a [HeuristicValue],
}

impl Slow<'_> {
    /// The value of a node, backed up from `depth` levels below it.
    fn search(&self, rule: &PreparedContestant<'_, Doubles>, element: usize, depth: usize) -> f64 {
        if depth == 0 {
            return rule.leaf(self.values[usize::from(self.tree.places[element])]);
        }
        let [a, b] = child_elements(element).map(|child| self.search(rule, child, depth - 1));
        rule.node(Place { mover: Mover::at(level_of(element)), height: depth }, &[&a, &b])
    }

    /// The child that a search to depth d chooses.
    fn choose(&self, rule: &Contestant<'_>, element: usize, d: usize) -> usize {
        let [first, second] = child_elements(element);
        let rule = &rule.prepare(Doubles, d);
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

    fn pairs(&self, first: &dyn Fn(usize) -> usize, second: &dyn Fn(usize) -> usize, d: usize) -> Pairs {
        let mut pairs = Pairs::default();
        for start in 1..2 << (self.tree.depth() - d) {
            let max_moves = Mover::at(level_of(start)) == Mover::Max;
            // Whether the player who begins wins, in each of the two games.
            let [first_begins, second_begins] =
                [[first, second], [second, first]].map(|players| self.game(players, start, d) == max_moves);
            match (first_begins, !second_begins) {
                (true, true) => pairs.first_wins += 1,
                (false, false) => pairs.second_wins += 1,
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

    fn counts(&self, rules: [&Rule; 2], curves: &Curves, d: usize) -> DepthCounts {
        // With actual probabilities the truth takes the place of the estimate.
        let contestants = |estimate| {
            rules.map(|rule| {
                let curve = if rule.leaves() == Leaves::Truth { &curves.truth } else { estimate };
                Contestant::through(rule.clone(), curve)
            })
        };
        let contest = |estimate| {
            let contestants = contestants(estimate);
            let [first, second] = contestants.each_ref().map(|rule| |element| self.choose(rule, element, d));
            ([self.errors(&first, d), self.errors(&second, d)], self.pairs(&first, &second, d))
        };
        let (estimated_errors, estimated) = contest(&curves.estimate);
        let (actual_errors, actual) = contest(&curves.truth);
        let nodes = 1..2usize << (self.tree.depth() - d);
        let differ = |&element: &usize| {
            let [first, second] = child_elements(element);
            self.won(first) != self.won(second)
        };
        DepthCounts {
            d,
            pairs: nodes.len() as u64,
            decisive: nodes.filter(differ).count() as u64,
            estimated_errors,
            actual_errors,
            estimated,
            actual,
        }
    }
}

/// Compares all counts of the first trees with those of the twin; returns the number of critical pairs.
fn compare(spec: &SimulationSpec, trees: u64) -> u64 {
    let experiment = Simulation::new(spec).unwrap();
    let curves = Curves::new(spec.truth.clone(), spec.estimate.clone(), 42);
    let mut workspace = experiment.workspace();
    let mut critical = 0;
    for number in 0..trees {
        let fast = experiment.tree(number, &mut workspace);
        let slow = Slow { tree: workspace.tree(), values: experiment.scale().values() };
        let depths = spec
            .depths
            .iter()
            .map(|&d| slow.counts(spec.rules.named().each_ref().map(|named| &named.rule), &curves, d))
            .collect();
        let name = (&spec.rules, &spec.truth, spec.assignment);
        assert_eq!(fast, TreeCounts { tree: number, depths }, "{name:?}");
        critical += fast.depths.iter().map(|d| d.estimated.critical() + d.actual.critical()).sum::<u64>();
    }
    critical
}

#[test]
fn all_counts_are_those_of_games_played_move_by_move() {
    let mut critical = 0;
    for truth in ["arctan:16", "pearl:16", "uniform:1/5"] {
        for assignment in Assignment::ALL {
            critical += compare(&spec(9, truth, assignment), 3);
        }
    }
    assert!(critical > 100, "only {critical} critical pairs: the twin was not tested");
}

fn rules(first: &str, second: &str) -> RulePair {
    vec![first.to_owned(), second.to_owned()].try_into().unwrap()
}

#[test]
fn any_two_rules_play_like_their_twins() {
    // Every rule, with others that see heuristic values, the estimate or the truth.
    let pairs = [
        ("product", "minimax"),
        ("average:1/2", "minimax"),
        ("minimax", "mean:4"),
        ("mean:1", "product"),
        ("baum:4/5:7/10", "minimax"),
        ("hints:9/10", "minimax"),
        ("hints:1/2", "hints:19/20"),
        ("product", "hints:0.8"),
        ("ideal", "minimax"),
        ("mean:2", "ideal"),
    ];
    for (first, second) in pairs {
        let spec = spec(8, "arctan:4", Assignment::TopDown);
        // All depths, and then only some, so that a search has to pass through the depths in between.
        let all = SimulationSpec { rules: rules(first, second), ..spec };
        let some = SimulationSpec { depths: vec![2, 5, 6], ..all.clone() };
        let critical = compare(&all, 8);
        assert!(critical > 20, "only {critical} critical pairs of {first} and {second}");
        compare(&some, 2);
    }
}

#[test]
fn the_ideal_rule_is_product_with_actual_probabilities() {
    let spec =
        SimulationSpec { rules: rules("product", "ideal"), ..spec(10, "pearl:16", Assignment::BottomUp) };
    let experiment = Simulation::new(&spec).unwrap();
    let counts = experiment.tree(0, &mut experiment.workspace());
    assert!(counts.depths.iter().all(|at| at.actual.critical() == 0));
    assert!(counts.depths.iter().any(|at| at.estimated.critical() > 0));
    assert!(counts.depths.iter().all(|at| at.actual_errors[0] == at.estimated_errors[1]));
}

/// Hints that get worse towards the leaves, by the definition: with P_W = P_L = 1 - E^(d-l)/2, the sum over all
/// answers of the hints; for each answer the mover takes the child that is then most likely to be won.
fn hinted(slow: &Slow<'_>, curve: &CurveTable, decay: f64, element: usize, depth: usize, d: usize) -> f64 {
    if depth == 0 {
        return curve.double(slow.values[usize::from(slow.tree.places[element])]);
    }
    let children = child_elements(element).map(|child| hinted(slow, curve, decay, child, depth - 1, d));
    let is_max = Mover::at(level_of(element)) == Mover::Max;
    let won = children.map(|x| if is_max { x } else { 1.0 - x });
    let l = depth - 1;
    let reliability = 1.0 - decay.powi((d - l) as i32) / 2.0;
    let mut value = 0.0;
    for answers in [[true, true], [true, false], [false, true], [false, false]] {
        // Pr(won and this answer) and Pr(lost and this answer) of each child.
        let joint = [0, 1].map(|i| {
            let (if_won, if_lost) =
                if answers[i] { (reliability, 1.0 - reliability) } else { (1.0 - reliability, reliability) };
            (won[i] * if_won, (1.0 - won[i]) * if_lost)
        });
        let [first, second] = joint.map(|(won, lost)| won + lost);
        value += (joint[0].0 * second).max(joint[1].0 * first);
    }
    if is_max { value } else { 1.0 - value }
}

#[test]
fn hints_depend_on_the_depth_of_the_whole_search() {
    for (text, decay) in [("hints:9/10", 0.9), ("hints:1/2", 0.5)] {
        for d in 1..=7 {
            let spec =
                SimulationSpec { rules: rules("minimax", text), ..spec(d, "arctan:16", Assignment::TopDown) };
            let experiment = Simulation::new(&spec).unwrap();
            let curve = CurveTable::new(spec.estimate.clone(), 42);
            let mut workspace = experiment.workspace();
            for number in 0..5 {
                // After searches to all depths, and after the deepest alone.
                experiment.tree(number, &mut workspace);
                let [_, search] = experiment.searches(&workspace, Probabilities::Estimated);
                let all: Vec<f64> = search.values()[2..4].to_vec();
                experiment.search_root(number, &mut workspace);
                let [_, search] = experiment.searches(&workspace, Probabilities::Estimated);
                assert_eq!(search.values()[2..4], all);
                let slow = Slow { tree: workspace.tree(), values: experiment.scale().values() };
                for (child, fast) in [2, 3].into_iter().zip(all) {
                    let expected = hinted(&slow, &curve, decay, child, d - 1, d);
                    assert!((fast - expected).abs() < 1e-13, "{text}, d = {d}: {fast}, {expected}");
                }
            }
        }
    }
}

#[test]
fn true_values_obey_the_game_rule_everywhere() {
    for assignment in Assignment::ALL {
        let experiment = Simulation::new(&spec(12, "pearl:16", assignment)).unwrap();
        let mut workspace = experiment.workspace();
        for number in 0..4 {
            experiment.tree(number, &mut workspace);
            let tree = workspace.tree();
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
    let experiment = Simulation::new(&spec).unwrap();
    let curve = CurveTable::new(spec.truth.clone(), 42);
    let product = Contestant::through("product".parse().unwrap(), &curve);
    let mut workspace: Workspace = experiment.workspace();
    let (mut decisions, mut different) = (0u32, 0u32);
    for number in 0..20 {
        experiment.tree(number, &mut workspace);
        let slow = Slow { tree: workspace.tree(), values: experiment.scale().values() };
        for element in 1..2 << (12 - 8) {
            let [first, second] = child_elements(element);
            let [(p, q), (r, s)] = [first, second].map(|child| precise(&slow, &curve, child, 7));
            // Compare the smaller numbers, which have all their digits. Products of the same leaves in another order
            // are equal up to rounding.
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
