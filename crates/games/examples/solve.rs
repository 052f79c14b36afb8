//! Solves a Connect-Four board of a given size, empty or after some moves: `solve 5 5`, `solve 7 6 4`. 7 x 6 with one disc takes
//! a gigabyte of memory and some minutes.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::sync::atomic::AtomicBool;

use prodmax_games::connect4::solver::solve_board;
use prodmax_games::game::MoveList;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (columns, rows, moves) = match &arguments[..] {
        [columns, rows] => (columns, rows, MoveList::default()),
        [columns, rows, moves] => (columns, rows, moves.parse()?),
        _ => return Err("give the numbers of columns and rows, and moves like 4,4,1 if there are any".into()),
    };
    let solved = solve_board([columns.parse()?, rows.parse()?], &moves, &AtomicBool::new(false))?;
    if let Some((value, positions)) = solved {
        println!(
            "{columns} x {rows}: {} for the first player, {positions} positions looked at",
            value.name()
        );
    }
    Ok(())
}
