//! What the reductions save, measured in one run: `make bench`. Every answer is asserted, no time is: a slow machine
//! is not an error, a wrong number is.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that prints")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use num_bigint::BigUint;
use prodmax_enumerate::{ClassTable, Enumerator, Merged, Model, Naive, Plan, Unordered, ZeroMode};

/// The shortest of several runs: the time the work takes when nothing else disturbs it.
fn shortest<T>(runs: usize, work: impl Fn() -> T) -> (Duration, T) {
    let timed = || {
        let start = Instant::now();
        let result = black_box(work());
        (start.elapsed(), result)
    };
    let mut best = timed();
    for _ in 1..runs {
        let next = timed();
        if next.0 < best.0 {
            best = next;
        }
    }
    best
}

/// The number of trees visited and the number of ordered trees they stand for.
fn visit(mut enumerator: impl Enumerator) -> (u64, u128) {
    let (mut visited, mut trees) = (0, 0);
    while let Some(tree) = enumerator.next_tree() {
        black_box(tree.leaves);
        visited += 1;
        trees += tree.multiplicity;
    }
    (visited, trees)
}

/// The class table of depth 3 at full width: 2.3e13 ordered trees. It should take less than 10 ms.
fn class_table() {
    let model = Model::new(-1, &[8, 8, 8], ZeroMode::Skip, 42).unwrap();
    let (time, (table, top)) = shortest(20, || {
        let table = ClassTable::build(&model).unwrap();
        let top = table.depth_one().unwrap();
        (table, top)
    });
    assert_eq!([table.level(3).len(), table.level(2).len(), top.len()], [25, 189, 15_039]);
    let total = top.total().unwrap();
    assert_eq!(BigUint::from(total) * total, model.trees());
    println!("class table, root -1, increments 8,8,8 (25 / 189 / 15039 classes): {time:.1?}\n");
}

/// All three enumerators on a model small enough for the naive one.
fn reductions() {
    let model = Model::new(-1, &[2, 2, 2], ZeroMode::Skip, 42).unwrap();
    let plan = Plan::of(&model);
    println!("root -1, increments 2,2,2: {} ordered trees", model.trees());
    let (naive, trees) = shortest(2, || visit(Naive::new(&model)));
    let (unordered, kinds) = shortest(5, || visit(Unordered::new(&model).unwrap()));
    let (merged, pairs) = shortest(20, || {
        let table = ClassTable::build(&model).unwrap();
        visit(Merged::new(&table).unwrap())
    });
    assert_eq!(BigUint::from(trees.0), model.trees());
    assert_eq!(BigUint::from(kinds.0), plan.kinds);
    let classes = plan.depth_one_classes();
    assert_eq!(BigUint::from(pairs.0), classes * (classes + 1u32) / 2u32);
    for (name, time, (visited, stands_for)) in
        [("naive", naive, trees), ("unordered", unordered, kinds), ("merged", merged, pairs)]
    {
        assert_eq!(BigUint::from(stands_for), model.trees(), "{name}");
        let ratio = naive.as_secs_f64() / time.as_secs_f64();
        println!(
            "{name:>9}: {visited:>8} visited, {:>12}, {ratio:>8.1} times the naive speed",
            format!("{time:.1?}")
        );
    }
}

fn main() {
    class_table();
    reductions();
}
