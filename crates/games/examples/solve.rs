//! Solves the empty Connect-Four board of a given size: `solve 5 5`. 7 x 6 takes a long time and a gigabyte of
//! memory.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use prodmax_games::connect4::solver::Solver;
use prodmax_games::connect4::{Connect4, Evaluator};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<usize> =
        std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let [columns, rows] = arguments[..] else { return Err("give the numbers of columns and rows".into()) };
    let start = Connect4::start(columns, rows, Evaluator::Lines)?;
    let mut solver = Solver::new(if columns * rows > 30 { 26 } else { 20 });
    let value = solver.solve(&start);
    println!("{columns} x {rows}: {value:?} for the first player, {} positions looked at", solver.nodes());
    Ok(())
}
