//! Count the trees of a model: how many there are, and into how many classes they merge.
//!
//!     cargo run --example count_trees -- 1 8,8,8
//!
//! takes the root and the greatest increment of each level.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::error::Error;

use prodmax_enumerate::{ClassTable, Model, Plan, ZeroMode};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [] => count("1", "8,8,8"),
        [root, increments] => count(root, increments),
        _ => Err("give a root and a list of increments, e.g. 1 8,8,8".into()),
    }
}

fn count(root: &str, increments: &str) -> Result<(), Box<dyn Error>> {
    let increments = increments.split(',').map(str::parse).collect::<Result<Vec<i64>, _>>()?;
    let model = Model::new(root.parse()?, &increments, ZeroMode::Skip, 42)?;

    // The plan is exact and takes no time, however large the model is.
    let plan = Plan::of(&model);
    println!("{} ordered trees, {} up to the order of siblings", plan.trees, plan.kinds);
    for level in &plan.levels {
        println!("level {}: {} values, {} classes", level.level, level.values, level.classes);
    }

    // Building the classes gives each of them its exact multiplicity.
    let classes = ClassTable::build(&model)?.depth_one()?;
    let ways = classes.total()?;
    println!("a move of the root and the subtree below it: {ways} ways, {} different", classes.len());
    assert_eq!(plan.trees, num_bigint::BigUint::from(ways).pow(2), "both moves have this many");
    Ok(())
}

#[test]
fn counts() {
    count("-1", "3,3").unwrap();
    assert!(count("0", "3,3").is_err(), "there is no value 0");
}
