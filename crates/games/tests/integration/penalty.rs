//! The penalty search against a twin that recomputes every penalty, and bounds on calls.

use prodmax_games::Position;
use prodmax_games::connect4::{Connect4, Evaluator};
use prodmax_games::kalah::Kalah;
use prodmax_games::penalty::{Penalty, PenaltySearch, Scheme, edge_weight, mean};
use prodmax_games::player::{Player, Resource, TieBreak};
use prodmax_games::search::deepening::deepen;
use prodmax_games::search::{Ply, Stop, alpha_beta};
use prodmax_rules::Mover;
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

/// Computes the values of all nodes from the tips up, then the penalty of every tip along its path.
fn naive_penalties<P: Position>(search: &PenaltySearch<P>, penalty: Penalty) -> Vec<(f64, u32)> {
    let nodes = search.nodes();
    let max = nodes[0].position.side();
    let mover = |number: usize| if nodes[number].position.side() == max { Mover::Max } else { Mover::Min };
    let children = |number: usize| -> Vec<usize> {
        (1..nodes.len()).filter(|&child| nodes[child].parent as usize == number).collect()
    };
    let mut values = vec![0.0; nodes.len()];
    let mut means = vec![0.0; nodes.len()];
    for number in (0..nodes.len()).rev() {
        let below: Vec<f64> = children(number).into_iter().map(|child| values[child]).collect();
        if below.is_empty() {
            values[number] = 1.0 + 1022.0 * nodes[number].position.static_value(max);
            continue;
        }
        means[number] = mean(mover(number), penalty.p, below.iter().copied());
        values[number] = match (penalty.scheme, mover(number)) {
            (Scheme::Means, _) => means[number],
            (Scheme::Reverse, Mover::Max) => below.iter().copied().fold(f64::MIN, f64::max),
            (Scheme::Reverse, Mover::Min) => below.iter().copied().fold(f64::MAX, f64::min),
        };
        assert_eq!(values[number], nodes[number].value);
    }
    let is_tip = |&number: &usize| nodes[number].children == 0 && nodes[number].position.outcome().is_none();
    let penalty_of = |number: usize| {
        let (mut sum, mut at) = (0.0, number);
        while at != 0 {
            let parent = nodes[at].parent as usize;
            let siblings = children(parent).len();
            sum += edge_weight(mover(parent), penalty.p, siblings, means[parent], values[at]);
            at = parent;
        }
        (sum, number as u32)
    };
    (0..nodes.len()).filter(is_tip).map(penalty_of).collect()
}

fn follow<P: Position>(root: P, penalty: Penalty, expansions: usize) {
    let mut search = PenaltySearch::new(penalty, &root, 100_000);
    for _ in 0..expansions {
        let mut tips = naive_penalties(&search, penalty);
        tips.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        assert_eq!(
            search.next_tip(),
            tips.first().map(|tip| tip.1),
            "{penalty} {:?}",
            &tips[..tips.len().min(4)]
        );
        if !search.expand_next() {
            break;
        }
    }
}

#[test]
fn the_oldest_tip_of_least_penalty_is_expanded() {
    for scheme in [Scheme::Means, Scheme::Reverse] {
        for p in [1.0, 2.0, 10.0, 50.0] {
            let penalty = Penalty::new(p, scheme).unwrap();
            for evaluator in Evaluator::ALL {
                follow(Connect4::start(7, 6, evaluator).unwrap(), penalty, 40);
                follow(Connect4::start(4, 3, evaluator).unwrap().play(1), penalty, 80);
            }
            follow(Kalah::start(6, 4).unwrap(), penalty, 40);
        }
    }
}

#[test]
fn large_exponents_follow_the_principal_variation() {
    // With a large p the expanded tip is the end of a line of best moves: every value on it is the minimax value.
    let penalty = Penalty::new(1000.0, Scheme::Reverse).unwrap();
    let mut search = PenaltySearch::new(penalty, &Connect4::start(7, 6, Evaluator::Lines).unwrap(), 2000);
    while let Some(tip) = search.next_tip() {
        let (nodes, mut at) = (search.nodes(), tip);
        while at != 0 {
            assert_eq!(nodes[at as usize].value, nodes[0].value);
            at = nodes[at as usize].parent;
        }
        if !search.expand_next() {
            break;
        }
    }
    assert!(search.calls() <= 2000 && search.calls() > 1990);
    let means = Penalty::new(1000.0, Scheme::Means).unwrap();
    let mut means = PenaltySearch::new(means, &Connect4::start(7, 6, Evaluator::Lines).unwrap(), 2000);
    means.run();
    // Each level changes a value by at most the factor n^(1/p).
    let minimax = naive_minimax(&means, 0);
    assert!((means.nodes()[0].value / minimax).ln().abs() < 40.0 * 7f64.ln() / 1000.0);
}

fn naive_minimax(search: &PenaltySearch<Connect4>, number: usize) -> f64 {
    let nodes = search.nodes();
    let node = &nodes[number];
    let first = node.first_child as usize;
    let values = (first..first + usize::from(node.children)).map(|child| naive_minimax(search, child));
    match (node.children, node.position.side() == nodes[0].position.side()) {
        (0, _) => node.value,
        (_, true) => values.fold(f64::MIN, f64::max),
        (_, false) => values.fold(f64::MAX, f64::min),
    }
}

#[test]
fn calls_never_exceed_the_bound() {
    let start = Connect4::start(7, 6, Evaluator::Lines).unwrap();
    for bound in [0, 1, 6, 7, 8, 55, 56, 57, 1000] {
        let mut search = PenaltySearch::new(Penalty::new(10.0, Scheme::Means).unwrap(), &start, bound);
        search.run();
        assert!(search.calls() <= bound);
        assert_eq!(search.nodes().len() as u64, 1 + search.calls());
        let deepened = deepen(&start, bound).unwrap();
        assert!(deepened.calls <= bound);
        assert_eq!(deepened.by_depth.iter().sum::<u64>(), deepened.calls);
        let depths = (0..search.nodes().len() as u32).map(|node| search.depth(node));
        let counts = search.by_depth();
        depths.clone().for_each(|depth| assert!(depth < counts.len()));
        for (depth, &count) in counts.iter().enumerate() {
            assert_eq!(depths.clone().filter(|&other| other == depth).count() as u64, count);
        }
    }
    // A small game is searched to its end with calls left.
    let small = Connect4::start(3, 2, Evaluator::Lines).unwrap();
    let mut search = PenaltySearch::new(Penalty::new(10.0, Scheme::Reverse).unwrap(), &small, 1_000_000);
    search.run();
    assert!(search.next_tip().is_none() && search.nodes()[0].value == 512.0);
    assert_eq!(deepen(&small, 1_000_000).map(|found| found.depth), Some(6));
}

#[test]
fn deepening_finds_the_same_as_a_search_to_its_depth() {
    for moves in [&[][..], &[3, 3], &[0, 6, 2], &[3, 2, 3, 2]] {
        let start = Connect4::start(7, 6, Evaluator::Squares).unwrap();
        let position = moves.iter().fold(start, |position, &chosen| position.play(chosen));
        for bound in [100, 1000, 5000] {
            let found = deepen(&position, bound).unwrap();
            assert!(found.depth >= 1);
            let (best, value) = alpha_beta::best_moves(&position, found.depth, Ply::Move, true).unwrap();
            assert_eq!(found.best.value, value);
            assert!(best.contains(&found.best.chosen));
        }
    }
}

fn bounded<P: Position>(start: P, choices: &[usize], bound: u64) {
    let mut position = start;
    for choice in choices {
        let moves: Vec<u8> = position.moves().collect();
        let next = position.play(moves[choice % moves.len()]);
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    assert!(deepen(&position, bound).unwrap().calls <= bound);
    for scheme in [Scheme::Means, Scheme::Reverse] {
        let mut search = PenaltySearch::new(Penalty::new(10.0, scheme).unwrap(), &position, bound);
        search.run();
        assert!(search.calls() <= bound && search.problem().is_none());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn calls_never_exceed_the_bound_from_any_position(
        choices in proptest::collection::vec(0usize..2520, 0..30), bound in 1u64..400,
    ) {
        bounded(Connect4::start(7, 6, Evaluator::Squares).unwrap(), &choices, bound);
        bounded(Kalah::start(6, 4).unwrap(), &choices, bound);
    }
}

/// Connect-Four with an evaluator that is wrong in a way of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Wrong(Connect4, i8);

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Position for Wrong {
    type Moves = prodmax_games::Moves;

    const MAX_MOVES: usize = 16;

    fn side(&self) -> prodmax_games::Side {
        self.0.side()
    }
    fn moves(&self) -> prodmax_games::Moves {
        self.0.moves()
    }
    fn play(&self, chosen: u8) -> Self {
        Self(self.0.play(chosen), self.1)
    }
    fn outcome(&self) -> Option<prodmax_games::Outcome> {
        self.0.outcome()
    }
    fn evaluation(&self, _: prodmax_games::Side) -> f64 {
        if self.1 == 0 { f64::NAN } else { f64::from(self.1) }
    }
    fn hash64(&self) -> u64 {
        self.0.hash64()
    }
}

#[test]
fn an_evaluator_that_is_not_positive_gets_a_sentence() {
    let start = Connect4::start(7, 6, Evaluator::Lines).unwrap();
    let penalty: Player = "penalty:10".parse().unwrap();
    let mut seat = penalty.seat::<Wrong>(Resource::Calls(100), Ply::Move, TieBreak::First).unwrap();
    for (kind, value) in [(-3, "-3"), (2, "2"), (0, "NaN")] {
        let message =
            seat.choose(&Wrong(start, kind), &mut ChaCha8Rng::seed_from_u64(0), Stop::default()).unwrap_err();
        assert_eq!(
            message.to_string(),
            format!(
                "the evaluator gives {value}, which is not a probability; the penalty search needs values between 0 and 1, \
                 which it makes positive"
            )
        );
    }
}
