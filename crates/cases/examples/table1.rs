//! Table I from scratch: the critical cases among the 80 cases of depth 2, by number of errors.
//!
//!     cargo run --example table1

#![allow(clippy::print_stdout, reason = "a program that prints")]

use prodmax_cases::depth2::{Cell, Table1, cases};

fn main() {
    let cell = |cell: &Option<Cell>| {
        let names = cell.iter().flat_map(|cell| &cell.cases).map(ToString::to_string);
        names.collect::<Vec<_>>().join(" ")
    };
    println!("{:6}  {:40}  Product is right", "errors", "Minimax is right");
    for row in Table1::derive().rows {
        println!("{:6}  {:40}  {}", row.errors, cell(&row.minimax), cell(&row.product));
    }

    // Table I lists the cases in which the choice matters.
    let critical = cases().filter(|case| case.decision().is_critical()).count();
    println!("{critical} of {} cases are critical", cases().count());
    assert_eq!((critical, cases().count()), (30, 80), "as KHS say");
}

#[test]
fn has_30_cases() {
    main();
}
