//! Searches against a naive twin, and the known values of one position.

use prodmax_games::connect4::{Connect4, Evaluator};
use prodmax_games::kalah::Kalah;
use prodmax_games::player::{Player, Resource, TieBreak};
use prodmax_games::search::{
    Choice, FullWidth, MoveValue, Ply, SearchError, SearchRule, Stop, alpha_beta, best,
};
use prodmax_games::{Position, Side};
use prodmax_rules::numbers::{Fractions, Numbers};
use prodmax_rules::{Backup, Mover, Place, Prepared, Rule, SearchBackup, SearchVisitor};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

const RULES: [&str; 6] = ["minimax", "product", "average:1/2", "mean:4", "baum:4/5:7/10", "hints:9/10"];

fn after(mut position: Kalah, holes: &[u8]) -> Kalah {
    for hole in holes {
        assert!(position.moves().any(|legal| legal == hole - 1));
        position = position.play(hole - 1);
    }
    position
}

/// The recursion by its definition, with a list of children per node.
fn naive<R: SearchBackup>(rule: &R, position: &Kalah, height: usize, ply: Ply, max: Side) -> f64 {
    match position.outcome() {
        Some(outcome) => rule.leaf(outcome.worth(max)),
        None if height == 0 => rule.leaf(position.evaluation(max)),
        None => {
            let value = |child: Kalah| {
                let same_ply = ply == Ply::Turn && child.side() == position.side();
                naive(rule, &child, if same_ply { height } else { height - 1 }, ply, max)
            };
            let children: Vec<f64> = match ply {
                Ply::Move | Ply::Turn => {
                    position.moves().map(|chosen| value(position.play(chosen))).collect()
                }
                Ply::Whole => complete_turns(position).into_iter().map(|(_, child)| value(child)).collect(),
            };
            let mover = if position.side() == max { Mover::Max } else { Mover::Min };
            rule.node(Place { mover, height }, &children)
        }
    }
}

/// All complete turns: the moves, and the position after the last of them.
pub(crate) fn complete_turns(position: &Kalah) -> Vec<(Vec<u8>, Kalah)> {
    let mut turns = Vec::new();
    for chosen in position.moves() {
        let child = position.play(chosen);
        if child.outcome().is_some() || child.side() != position.side() {
            turns.push((vec![chosen], child));
            continue;
        }
        for (rest, end) in complete_turns(&child) {
            turns.push(([vec![chosen], rest].concat(), end));
        }
    }
    turns
}

fn naive_values(rule: &Rule, position: &Kalah, depth: usize, ply: Ply) -> Vec<MoveValue> {
    SearchRule::new(rule, depth).visit(Naive { position, depth, ply })
}

/// The values of all moves by the recursion.
pub(crate) struct Naive<'a> {
    pub(crate) position: &'a Kalah,
    pub(crate) depth: usize,
    pub(crate) ply: Ply,
}

impl SearchVisitor for Naive<'_> {
    type Output = Vec<MoveValue>;

    fn visit<R: SearchBackup>(self, rule: &R) -> Vec<MoveValue> {
        let Self { position, depth, ply } = self;
        if ply == Ply::Whole {
            let best_turn = |chosen| {
                let begun = complete_turns(position).into_iter().filter(|(moves, _)| moves[0] == chosen);
                let values = begun.map(|(_, end)| naive(rule, &end, depth - 1, ply, position.side()));
                MoveValue { chosen, value: values.fold(f64::NEG_INFINITY, f64::max) }
            };
            return position.moves().map(best_turn).collect();
        }
        let value = |chosen| {
            let child = position.play(chosen);
            let same_ply = ply == Ply::Turn && child.side() == position.side();
            let height = if same_ply { depth } else { depth - 1 };
            MoveValue { chosen, value: naive(rule, &child, height, ply, position.side()) }
        };
        position.moves().map(value).collect()
    }
}

#[test]
fn the_values_of_a_known_position() {
    let position = after(Kalah::start(6, 4).unwrap(), &[4, 4, 1, 2, 2]);
    for (rule, expected) in [
        ("minimax", [(3, 0.5), (4, 0.5), (5, 0.333333333333), (6, 0.411764705882)]),
        ("product", [(3, 0.009558436045), (4, 0.083897253643), (5, 0.007193221464), (6, 0.008435124622)]),
        ("hints:9/10", [(3, 0.387931314214), (4, 0.440497026406), (5, 0.320595255013), (6, 0.333558587831)]),
    ] {
        let rule = rule.parse().unwrap();
        for mut search in
            [FullWidth::new(&rule, 5, Ply::Move).unwrap(), FullWidth::merging(&rule, 5, Ply::Move).unwrap()]
        {
            let values = search.move_values(&position).unwrap();
            let found: Vec<(u8, String)> = values
                .iter()
                .map(|each| (each.chosen + 1, format!("{:.12}", search.shown(each.value))))
                .collect();
            assert_eq!(found, expected.map(|(hole, value)| (hole, format!("{value:.12}"))), "{rule}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_rule_agrees_with_the_naive_twin(
        holes in 1usize..=6, stones in 1usize..=6, choices in proptest::collection::vec(0usize..420, 0..40),
        depth in 1usize..=4,
    ) {
        let mut position = Kalah::start(holes, stones).unwrap();
        for choice in choices {
            let moves: Vec<u8> = position.moves().collect();
            let next = position.play(moves[choice % moves.len()]);
            if next.outcome().is_some() {
                break;
            }
            position = next;
        }
        for ply in Ply::ALL {
            for rule in RULES {
                let rule: Rule = rule.parse().unwrap();
                let expected = naive_values(&rule, &position, depth, ply);
                let mut plain = FullWidth::new(&rule, depth, ply).unwrap();
                prop_assert_eq!(&plain.move_values(&position).unwrap(), &expected);
                let mut merging = FullWidth::merging(&rule, depth, ply).unwrap();
                prop_assert_eq!(&merging.move_values(&position).unwrap(), &expected);
                // Once more with a table that has been used.
                prop_assert_eq!(&merging.move_values(&position).unwrap(), &expected);
                prop_assert!(merging.leaves() <= plain.leaves() && merging.nodes() <= plain.nodes());
                let greatest = best(&expected).unwrap();
                let all: Vec<u8> =
                    expected.iter().filter(|each| each.value == greatest.value).map(|each| each.chosen).collect();
                let neglects = ["minimax", "product", "baum:4/5:7/10", "hints:9/10"].contains(&rule.to_string().as_str());
                let choice = Choice::new(&rule, depth, ply).unwrap();
                prop_assert_eq!(choice.is_some(), neglects);
                if let Some(mut choice) = choice {
                    let (chosen, value) = choice.best_moves_until(&position, Stop::default()).unwrap();
                    if rule.to_string() == "product" {
                        // Leaves are rounded in another order.
                        let close = |a: f64, b: f64| a == b || (a / b - 1.0).abs() < 1e-12;
                        prop_assert!(close(value, greatest.value), "{} {}", value, greatest.value);
                        let all_close: Vec<u8> = expected
                            .iter()
                            .filter(|each| close(each.value, greatest.value))
                            .map(|each| each.chosen)
                            .collect();
                        prop_assert!(!chosen.is_empty() && chosen.iter().all(|each| all_close.contains(each)));
                    } else {
                        prop_assert_eq!((chosen, value), (all.clone(), greatest.value), "{} {:?}", rule, ply);
                    }
                    prop_assert!(choice.leaves() <= plain.leaves());
                }
                if rule.to_string() == "minimax" {
                    prop_assert_eq!(&alpha_beta::move_values(&position, depth, ply).unwrap(), &expected);
                    prop_assert_eq!(alpha_beta::best_moves(&position, depth, ply, true), Ok((all, greatest.value)));
                    prop_assert_eq!(
                        alpha_beta::best_moves(&position, depth, ply, false),
                        Ok((vec![greatest.chosen], greatest.value))
                    );
                }
            }
        }
    }
}

/// Deep enough that children are searched in the order of a shallower search.
#[test]
fn deep_choices_are_those_of_a_full_width_search() {
    let mut saved = 0;
    for (stones, moves) in [(3, 2), (3, 5), (4, 3), (4, 8), (5, 6)] {
        let position = (0..moves).fold(Kalah::start(4, stones).unwrap(), |position: Kalah, _| {
            position.play(position.moves().last().unwrap())
        });
        for ply in Ply::ALL {
            for (rule, depth) in [("product", 5), ("product", 6), ("hints:9/10", 6), ("baum:4/5:4/5", 5)] {
                let rule = rule.parse().unwrap();
                let mut full_width = FullWidth::new(&rule, depth, ply).unwrap();
                let values = full_width.move_values(&position).unwrap();
                let greatest = best(&values).unwrap().value;
                let expected: Vec<u8> =
                    values.iter().filter(|each| each.value == greatest).map(|each| each.chosen).collect();
                let mut choice = Choice::new(&rule, depth, ply).unwrap().unwrap();
                let (chosen, value) = choice.best_moves_until(&position, Stop::default()).unwrap();
                assert_eq!(chosen, expected, "{rule} {depth} {ply:?} {position}");
                assert!(value == greatest || (value / greatest - 1.0).abs() < 1e-12, "{value} {greatest}");
                saved += full_width.leaves().saturating_sub(choice.leaves());
            }
        }
    }
    assert!(saved > 0);
}

/// A turn that was searched as a single move is played to its end as if every move of it were searched again.
#[test]
fn a_turn_goes_on_as_it_was_searched() {
    let mut within_turns = 0;
    for (rule, ties) in
        [("hints:9/10", TieBreak::First), ("product", TieBreak::First), ("product", TieBreak::Random)]
    {
        let player: Player = rule.parse().unwrap();
        let seat = || player.seat::<Kalah>(Resource::Depth(3), Ply::Whole, ties).unwrap();
        // Both sides by the same seats: positions of the other side come between the turns of one.
        let mut kept = [seat(), seat()];
        let random = || ChaCha8Rng::seed_from_u64(5);
        let (mut position, mut last) = (Kalah::start(6, 4).unwrap(), None);
        while position.outcome().is_none() {
            let side = position.side();
            let chosen = kept[side.index()].choose(&position, &mut random(), Stop::default()).unwrap();
            assert_eq!(
                chosen,
                seat().choose(&position, &mut random(), Stop::default()).unwrap(),
                "{position}"
            );
            within_turns += u32::from(last == Some(side));
            (position, last) = (position.play(chosen), Some(side));
        }
    }
    assert!(within_turns > 10);
}

/// The player that evaluates by stores chooses as the naive twin does among positions that do; elsewhere there is none.
#[test]
fn a_player_may_evaluate_by_stores() {
    let by_stores: Player = "alphabeta:stores".parse().unwrap();
    let minimax: Rule = "minimax".parse().unwrap();
    let (mut position, mut different) = (Kalah::start(6, 6).unwrap(), 0);
    for number in 0..60 {
        let chosen_by = |player: &Player| {
            let mut seat = player.seat::<Kalah>(Resource::Depth(3), Ply::Move, TieBreak::First).unwrap();
            seat.choose(&position, &mut ChaCha8Rng::seed_from_u64(5), Stop::default()).unwrap()
        };
        let twin = |position: &Kalah| best(&naive_values(&minimax, position, 3, Ply::Move)).unwrap().chosen;
        let [ours, usual] = [chosen_by(&by_stores), chosen_by(&"alphabeta".parse().unwrap())];
        assert_eq!(ours, twin(&position.evaluated("stores").unwrap()), "{position}");
        assert_eq!(usual, twin(&position), "{position}");
        different += u32::from(ours != usual);
        // Any move: good ones lead to few positions.
        position = position.play(position.moves().nth(number % position.moves().count()).unwrap());
        if position.outcome().is_some() {
            position = Kalah::start(6, 3 + number % 4).unwrap();
        }
    }
    assert!(different > 0);
    let start = Connect4::start(7, 6, Evaluator::Lines).unwrap();
    assert_eq!(
        by_stores.sees(&start).unwrap_err().to_string(),
        "alphabeta:stores evaluates by stores, which belongs to Kalah; name alphabeta"
    );
}

/// Minimaxing and product propagation do not care in how many steps a turn is backed up: the greatest of the greatest,
/// and the probability that anything at all is won.
#[test]
fn a_turn_as_a_single_move_makes_a_difference_only_to_some_rules() {
    let position = after(Kalah::start(6, 4).unwrap(), &[4, 4, 1, 2, 2]);
    let values = |rule: &str, ply| -> Vec<f64> {
        let mut search = FullWidth::new(&rule.parse().unwrap(), 4, ply).unwrap();
        let values = search.move_values(&position).unwrap();
        values.iter().map(|each| search.shown(each.value)).collect()
    };
    assert_eq!(values("minimax", Ply::Whole), values("minimax", Ply::Turn));
    // At the root, the best turn that begins with a move stands for the move, so only the others are compared.
    let plain = |ply| {
        let not_again = position.moves().zip(values("product", ply));
        let not_again = not_again.filter(|(chosen, _)| position.play(*chosen).side() != position.side());
        not_again.map(|(_, value)| format!("{value:.12}")).collect::<Vec<_>>()
    };
    assert!(!plain(Ply::Turn).is_empty());
    assert_eq!(plain(Ply::Whole), plain(Ply::Turn));
    assert_ne!(values("hints:9/10", Ply::Whole), values("hints:9/10", Ply::Turn));
}

type Fraction = <Fractions as Numbers>::Number;

/// Product propagation in fractions, with turns as single moves.
fn exact(rule: &Prepared<Fractions>, position: &Kalah, height: usize, max: Side) -> Fraction {
    let ratio = |a: u32, b: u32| Fractions.mul(&Fractions.integer(a), &Fractions.reciprocal(b));
    if let Some(outcome) = position.outcome() {
        return ratio(u32::from(outcome.half_points(max)), 2);
    }
    if height == 0 {
        let all = |side| position.stones(side).iter().map(|stones| u32::from(*stones)).sum::<u32>();
        let in_play = all(Side::First) + all(Side::Second);
        let (mine, yours) = (u32::from(position.store(max)), u32::from(position.store(max.opponent())));
        return ratio((in_play + mine).saturating_sub(yours).min(2 * in_play), 2 * in_play);
    }
    let turns = complete_turns(position);
    let children: Vec<Fraction> =
        turns.iter().map(|(_, child)| exact(rule, child, height - 1, max)).collect();
    let mover = if position.side() == max { Mover::Max } else { Mover::Min };
    rule.node(Place { mover, height }, &children)
}

/// Where probabilities are so close to 0 or 1 that doubles cannot tell, odds are still right.
#[test]
fn products_do_not_vanish_in_rounding_errors() {
    let rule: Rule = "product".parse().unwrap();
    let prepared = rule.prepare(Fractions, 6);
    let (zero, one) = (Fractions.integer(0), Fractions.integer(1));
    let mut least = one.clone();
    for moves in [4, 7, 9] {
        // The last legal move each time.
        let position = (0..moves).fold(Kalah::start(4, 4).unwrap(), |position: Kalah, _| {
            position.play(position.moves().last().unwrap())
        });
        let depth = 6;
        let mut search = FullWidth::new(&rule, depth, Ply::Whole).unwrap();
        let values = search.move_values(&position).unwrap();
        let turns = complete_turns(&position);
        for MoveValue { chosen, value: odds } in values {
            let begun = turns.iter().filter(|(moves, _)| moves[0] == chosen);
            let x = begun.map(|(_, end)| exact(&prepared, end, depth - 1, position.side())).max().unwrap();
            if x == zero || x == one {
                assert_eq!(odds, if x == zero { 0.0 } else { f64::INFINITY });
                continue;
            }
            let against = Fractions.complement(&x);
            let error = Fraction::from_float(odds).unwrap() * &against / &x - &one;
            assert!(error < Fraction::new(1.into(), 10i64.pow(12).into()), "{error}");
            assert!(-error < Fraction::new(1.into(), 10i64.pow(12).into()));
            least = least.min(x).min(against);
        }
    }
    assert!(least < Fraction::new(1.into(), 10i64.pow(17).into()), "none of these values is small: {least}");
}

#[test]
fn leaves_are_move_sequences_if_no_game_ends() {
    let start = Kalah::start(6, 6).unwrap();
    let mut search = FullWidth::new(&"product".parse().unwrap(), 5, Ply::Move).unwrap();
    search.move_values(&start).unwrap();
    assert_eq!(Some(search.leaves()), prodmax_games::perft::perft(&start, 5));
    let inner: u64 = (0..5).map(|depth| prodmax_games::perft::perft(&start, depth).unwrap()).sum();
    assert_eq!(search.nodes(), inner);
}

#[test]
fn impossible_searches_are_explained_in_a_sentence() {
    let message = |rule: &str, depth| {
        FullWidth::<Kalah>::new(&rule.parse().unwrap(), depth, Ply::Move).unwrap_err().to_string()
    };
    assert_eq!(message("minimax", 0), "a search of depth 0 is not possible; give a depth between 1 and 40");
    assert_eq!(message("minimax", 60), "a search of depth 60 is not possible; give a depth between 1 and 40");
    assert_eq!(
        message("ideal", 2),
        "ideal sees the true probabilities, which nobody knows in a real game; name another rule"
    );
    assert_eq!(
        "half".parse::<Ply>().unwrap_err().to_string(),
        "`half` is not a reading of ply; write move (every move counts), turn (extra moves belong to the same ply) or \
         whole (a whole turn is a single move)"
    );
    let over = Kalah::start(1, 1).unwrap().play(0);
    assert!(over.outcome().is_some());
    let mut search = FullWidth::new(&"minimax".parse().unwrap(), 2, Ply::Move).unwrap();
    assert_eq!(search.move_values(&over), Err(SearchError::Over));
}
