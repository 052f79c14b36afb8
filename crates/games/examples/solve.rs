//! Solves the empty Connect-Four board of a given size, the middle move first: `solve 5 5`. 7 x 6 takes a gigabyte of memory
//! and many minutes.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use prodmax_games::Position;
use prodmax_games::connect4::solver::{Solver, Value};
use prodmax_games::connect4::{Connect4, Evaluator};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<usize> =
        std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let [columns, rows] = arguments[..] else { return Err("give the numbers of columns and rows".into()) };
    let start = Connect4::start(columns, rows, Evaluator::Lines)?;
    let mut solver = Solver::new(if columns * rows > 30 { 26 } else { 20 });
    let middle = (columns / 2) as u8;
    let reply = solver.solve(&start.play(middle));
    println!(
        "{columns} x {rows}, after a first disc in column {}: {reply:?} for the second player",
        middle + 1
    );
    // A move that wins is a best one.
    let value = if reply == Value::Lost { Value::Won } else { solver.solve(&start) };
    println!("{columns} x {rows}: {value:?} for the first player, {} positions looked at", solver.nodes());
    Ok(())
}
