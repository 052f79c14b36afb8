//! Connect-Four: perft, and the solver against plain searches.

use std::sync::atomic::AtomicBool;

use prodmax_games::connect4::solver::{GameValue, Solver, plain_alpha_beta, plain_minimax, solve_board};
use prodmax_games::connect4::{Connect4, Evaluator};
use prodmax_games::perft::perft;
use prodmax_games::{Outcome, Position};
use proptest::prelude::*;

fn start(columns: usize, rows: usize) -> Connect4 {
    Connect4::start(columns, rows, Evaluator::Lines).unwrap()
}

#[test]
fn move_sequences_are_counted_as_by_openspiel() {
    // The counts of OpenSpiel 2.0.2's connect_four.
    let counts: Vec<u64> = (1..=7).map(|depth| perft(&start(7, 6), depth).unwrap()).collect();
    assert_eq!(counts, [7, 49, 343, 2401, 16807, 117649, 823536]);
}

/// A board as a list of columns, searched for lines square by square.
fn slow_outcome(columns: usize, rows: usize, stacks: &[Vec<usize>]) -> Option<Outcome> {
    let at = |c: i32, r: i32| stacks.get(usize::try_from(c).ok()?)?.get(usize::try_from(r).ok()?).copied();
    for c in 0..columns as i32 {
        for r in 0..rows as i32 {
            for (across, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let line = [0, 1, 2, 3].map(|step| at(c + across * step, r + up * step));
                if line[0].is_some() && line.iter().all(|disc| *disc == line[0]) {
                    return Some(if line[0] == Some(0) { Outcome::First } else { Outcome::Second });
                }
            }
        }
    }
    stacks.iter().all(|stack| stack.len() == rows).then_some(Outcome::Draw)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn games_agree_with_a_slow_board(
        columns in 1usize..=9, rows in 1usize..=6, choices in proptest::collection::vec(0usize..2520, 54),
    ) {
        let mut position = start(columns, rows);
        let mut stacks = vec![Vec::new(); columns];
        for choice in choices {
            let moves: Vec<u8> = position.moves().collect();
            let outcome = slow_outcome(columns, rows, &stacks);
            prop_assert_eq!(position.outcome(), outcome);
            let free = (0..columns).filter(|&c| outcome.is_none() && stacks[c].len() < rows).map(|c| c as u8);
            prop_assert_eq!(&moves, &free.collect::<Vec<_>>());
            let Some(&chosen) = moves.get(choice % moves.len().max(1)) else { break };
            stacks[usize::from(chosen)].push(position.side().index());
            position = position.play(chosen);
        }
    }

    #[test]
    fn the_solver_agrees_with_plain_minimax(
        choices in proptest::collection::vec(0usize..2520, 42), empty in 1usize..=10,
        size in proptest::sample::select(vec![(7, 6), (5, 5), (4, 4), (5, 4), (6, 5)]),
    ) {
        let mut position = start(size.0, size.1);
        for choice in choices {
            if position.empty_squares() <= empty {
                break;
            }
            let moves: Vec<u8> = position.moves().collect();
            let next = position.play(moves[choice % moves.len()]);
            if next.outcome().is_some() {
                return Ok(());
            }
            position = next;
        }
        prop_assert!(position.empty_squares() <= 10);
        let mut solver = Solver::new(10);
        let expected = plain_minimax(&position);
        prop_assert_eq!(solver.solve(&position), expected);
        prop_assert_eq!(plain_alpha_beta(&position), expected);
        let keeps = |chosen: &u8| plain_minimax(&position.play(*chosen)) as i8 == -(expected as i8);
        let best: Vec<u8> = position.moves().filter(keeps).collect();
        prop_assert_eq!(solver.best_moves(&position), (expected, best));
    }
}

#[test]
fn small_boards_are_solved_and_confirmed() {
    let mut solver = Solver::new(20);
    for (columns, rows) in [(4, 4), (5, 4)] {
        let position = start(columns, rows);
        assert_eq!(solver.solve(&position), GameValue::Drawn, "{columns} x {rows}");
        assert_eq!(plain_alpha_beta(&position), GameValue::Drawn, "{columns} x {rows}");
    }
    // The plain search of this board takes a while: it has a test of its own.
    assert_eq!(solver.solve(&start(5, 5)), GameValue::Drawn);
}

#[test]
#[ignore = "slow: a quarter of a minute"]
fn five_by_five_is_confirmed_without_a_table() {
    assert_eq!(plain_alpha_beta(&start(5, 5)), GameValue::Drawn);
}

#[test]
fn boards_are_solved_for_the_first_player_unless_stopped() {
    let never = AtomicBool::new(false);
    let value = |size, moves: &str, stop: &AtomicBool| {
        solve_board(size, &moves.parse().unwrap(), stop).unwrap().map(|(value, _)| value)
    };
    assert_eq!(value([4, 4], "", &never), Some(GameValue::Drawn));
    // Three in the bottom row with both ends open: the second player cannot close both.
    assert_eq!(value([7, 4], "4,4,3,3,2", &never), Some(GameValue::Won));
    assert_eq!(value([7, 4], "1,4,1,5,7,3", &never), Some(GameValue::Lost));
    // This one takes longer than the time between two checks of the stop flag.
    assert_eq!(value([6, 5], "", &AtomicBool::new(true)), None);
    let message = solve_board([7, 6], &"9".parse().unwrap(), &never).unwrap_err().to_string();
    assert_eq!(message, "move 1, 9, is not legal there; the legal moves are 1, 2, 3, 4, 5, 6 and 7");
    // A solver that was stopped is as good as new.
    let mut solver = Solver::new(16);
    assert_eq!(solver.solve_unless(&start(6, 6), &AtomicBool::new(true)), None);
    assert_eq!(solver.solve_unless(&start(4, 4), &never), Some(GameValue::Drawn));
}
