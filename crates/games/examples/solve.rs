//! Solves the empty Connect-Four board of a given size: `solve 5 5`. 7 x 6 takes a gigabyte of memory and some minutes.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use prodmax_games::connect4::solver::solve_empty;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<usize> =
        std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let [columns, rows] = arguments[..] else { return Err("give the numbers of columns and rows".into()) };
    let (value, positions) = solve_empty(columns, rows)?;
    println!("{columns} x {rows}: {} for the first player, {positions} positions looked at", value.name());
    Ok(())
}
