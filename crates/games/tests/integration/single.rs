//! Single precision: the search that leaves settled products against full width, and full width against the definition in
//! the machine's own single precision.

use prodmax_games::kalah::{Evaluator, Kalah};
use prodmax_games::player::{Player, Resource, TieBreak};
use prodmax_games::position::Outcome;
use prodmax_games::search::{Choice, FullWidth, MoveValue, Ply, SearchError, SearchRule, Stop};
use prodmax_games::{Position, Side};
use prodmax_rules::Rule;
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::search::{Naive, complete_turns};

fn product() -> Rule {
    "product".parse().unwrap()
}

/// Baum's E from the numbers of stones.
fn evaluation(position: &Kalah, max: Side, evaluator: Evaluator) -> f32 {
    let min = max.opponent();
    let in_play: u32 = Side::BOTH.iter().flat_map(|side| position.stones(*side)).map(u32::from).sum();
    let [mine, yours] = [max, min].map(|side| f64::from(position.store(side)));
    let in_play = f64::from(in_play);
    let s = match evaluator {
        Evaluator::Clamped => ((mine - yours) / in_play).clamp(-1.0, 1.0),
        Evaluator::Unclamped => (mine - yours) / in_play,
        Evaluator::Stores => (mine - yours) / (mine + yours + in_play),
    };
    ((1.0 + s) / 2.0) as f32
}

/// Product propagation by its definition: all factors, in the order of the moves, each product rounded.
fn naive(position: &Kalah, height: usize, ply: Ply, max: Side, evaluator: Evaluator) -> f32 {
    match position.outcome() {
        Some(Outcome::Draw) => return 0.5,
        Some(outcome) => return if outcome.winner() == Some(max) { 1.0 } else { 0.0 },
        None if height == 0 => return evaluation(position, max, evaluator),
        None => {}
    }
    let children: Vec<Kalah> = match ply {
        Ply::Whole => complete_turns(position).into_iter().map(|(_, child)| child).collect(),
        Ply::Move | Ply::Turn => position.moves().map(|chosen| position.play(chosen)).collect(),
    };
    let mut product = 1.0f32;
    for child in children {
        let same_ply = ply == Ply::Turn && child.side() == position.side();
        let value = naive(&child, if same_ply { height } else { height - 1 }, ply, max, evaluator);
        let factor = if position.side() == max { 1.0 - value } else { value };
        // Nothing times an infinite score is nothing.
        product = if product == 0.0 || factor == 0.0 { 0.0 } else { product * factor };
    }
    if position.side() == max { 1.0 - product } else { product }
}

fn naive_values(position: &Kalah, depth: usize, ply: Ply, evaluator: Evaluator) -> Vec<MoveValue> {
    let side = position.side();
    let value = |chosen| {
        let ends: Vec<Kalah> = match ply {
            Ply::Whole => {
                let turns = complete_turns(position).into_iter();
                turns.filter(|(moves, _)| moves[0] == chosen).map(|(_, end)| end).collect()
            }
            Ply::Move | Ply::Turn => vec![position.play(chosen)],
        };
        let values = ends.iter().map(|end| {
            let same_ply = ply == Ply::Turn && end.side() == side;
            naive(end, if same_ply { depth } else { depth - 1 }, ply, side, evaluator)
        });
        MoveValue { chosen, value: values.fold(f32::NEG_INFINITY, f32::max).into() }
    };
    position.moves().map(value).collect()
}

/// Compares the search that leaves settled products with the values of a full-width search.
fn assert_choice(position: &Kalah, depth: usize, ply: Ply, values: &[MoveValue]) -> u64 {
    let greatest = values.iter().map(|each| each.value).fold(f64::NEG_INFINITY, f64::max);
    let best: Vec<u8> = values.iter().filter(|each| each.value == greatest).map(|each| each.chosen).collect();
    let mut choice = Choice::in_single(&product(), depth, ply).unwrap().unwrap();
    let found = choice.best_moves_until(position, Stop::default()).unwrap();
    assert_eq!(found, (best, greatest), "depth {depth} {ply:?}\n{position}");
    choice.leaves()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn products_in_single_precision_agree_with_the_naive_twin(
        holes in 1usize..=6, stones in 1usize..=6, choices in proptest::collection::vec(0usize..420, 0..60),
        depth in 1usize..=4,
    ) {
        for evaluator in Evaluator::ALL {
            let mut position = Kalah::start_with(holes, stones, evaluator).unwrap();
            for choice in &choices {
                let moves: Vec<u8> = position.moves().collect();
                let next = position.play(moves[choice % moves.len()]);
                if next.outcome().is_some() {
                    break;
                }
                position = next;
            }
            for ply in Ply::ALL {
                let expected = naive_values(&position, depth, ply, evaluator);
                let mut full_width = FullWidth::in_single(&product(), depth, ply).unwrap();
                prop_assert_eq!(&full_width.move_values(&position).unwrap(), &expected);
                prop_assert!(assert_choice(&position, depth, ply, &expected) <= full_width.leaves());
            }
        }
    }
}

/// Deep enough that many values vanish: fewer leaves, and the same choices, ties included.
#[test]
fn settled_products_save_leaves() {
    let (mut all, mut needed, mut ties) = (0, 0, 0);
    for evaluator in Evaluator::ALL {
        for (stones, moves) in [(4, 8), (6, 0), (6, 6), (6, 12), (6, 30)] {
            let middle = |position: &Kalah| position.moves().nth(position.moves().count() / 2).unwrap();
            let start = Kalah::start_with(6, stones, evaluator).unwrap();
            let position = (0..moves).fold(start, |position, _| position.play(middle(&position)));
            for (ply, depth) in [(Ply::Move, 6), (Ply::Turn, 5), (Ply::Whole, 5)] {
                let mut full_width = FullWidth::in_single(&product(), depth, ply).unwrap();
                let values = full_width.move_values(&position).unwrap();
                let leaves = assert_choice(&position, depth, ply, &values);
                assert!(leaves <= full_width.leaves());
                if evaluator == Evaluator::Clamped {
                    (needed, all) = (needed + leaves, all + full_width.leaves());
                }
                let greatest = values.iter().map(|each| each.value).fold(f64::NEG_INFINITY, f64::max);
                ties += usize::from(values.iter().filter(|each| each.value == greatest).count() > 1);
            }
        }
    }
    assert!(2 * needed < all, "{needed} of {all}");
    assert!(ties > 0, "no moves look alike");
}

/// The other rules take the ordinary search, in other numbers.
#[test]
fn any_rule_can_be_in_single_precision() {
    let position = Kalah::start(6, 4).unwrap().play(3).play(3);
    for rule in ["minimax", "average:1/2", "mean:4", "baum:4/5:7/10", "hints:9/10"] {
        let rule: Rule = rule.parse().unwrap();
        assert!(Choice::in_single(&rule, 3, Ply::Move).unwrap().is_none());
        let mut single = FullWidth::in_single(&rule, 3, Ply::Move).unwrap();
        let values = single.move_values(&position).unwrap();
        let naive = Naive { position: &position, depth: 3, ply: Ply::Move };
        assert_eq!(values, SearchRule::in_single(&rule, 3).visit(naive));
        let mut double = FullWidth::new(&rule, 3, Ply::Move).unwrap();
        let precise = double.move_values(&position).unwrap();
        assert_ne!(values, precise, "{rule}");
        for (single, double) in values.iter().zip(&precise) {
            assert!(
                (single.value - double.value).abs() < 1e-5 && single.value == f64::from(single.value as f32)
            );
        }
    }
}

/// The player by name, and the first of its moves of equal value.
#[test]
fn a_player_in_single_precision_has_ties() {
    let start = Kalah::start(6, 6).unwrap();
    let seat = |player: &str, depth: usize| {
        let player: Player = player.parse().unwrap();
        player.seat::<Kalah>(Resource::Depth(depth), Ply::Whole, TieBreak::First).unwrap()
    };
    let random = || ChaCha8Rng::seed_from_u64(0);
    let chosen = |player: &str| seat(player, 7).choose(&start, &mut random(), Stop::default()).unwrap();
    // Seven plies deep every move looks won.
    let mut choice = Choice::in_single(&product(), 7, Ply::Whole).unwrap().unwrap();
    let found = choice.best_moves_until(&start, Stop::default()).unwrap();
    assert_eq!(found, ((0..6).collect(), 1.0));
    assert_eq!((chosen("single:product"), chosen("product")), (0, 5));
}

#[test]
fn rules_that_need_probabilities_refuse_scores() {
    let start = Kalah::start_with(6, 4, Evaluator::Unclamped).unwrap();
    for rule in ["product", "mean:4", "hints:9/10"] {
        let rule = rule.parse().unwrap();
        let mut search = FullWidth::new(&rule, 2, Ply::Move).unwrap();
        assert_eq!(search.move_values(&start), Err(SearchError::Scores));
        if let Some(mut choice) = Choice::new(&rule, 2, Ply::Move).unwrap() {
            assert_eq!(choice.best_moves_until(&start, Stop::default()), Err(SearchError::Scores));
        }
    }
    assert_eq!(
        SearchError::Scores.to_string(),
        "this rule needs probabilities, but the evaluator gives scores, which can be less than 0 or greater than 1; name \
         minimax, alphabeta or single:product"
    );
    assert!(FullWidth::new(&"minimax".parse().unwrap(), 2, Ply::Move).unwrap().move_values(&start).is_ok());
}
