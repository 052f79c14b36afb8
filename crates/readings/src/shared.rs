//! One truth per distinct leaf value: tries all assignments of won and lost to the values.

use prodmax_enumerate::{HeuristicValue, Mover};

/// The probability that a branch (a subtree of level 1) is won.
pub fn branch(leaves: &[HeuristicValue], win: &impl Fn(HeuristicValue) -> f64) -> f64 {
    let values = distinct(leaves);
    let indices = indices(leaves, &values);
    let mut won = 0.0;
    each_truth(&values, win, |truth, probability| {
        if is_won(&indices, truth, 1) {
            won += probability;
        }
    });
    won
}

/// Pr(M lost and P won) and Pr(M won and P lost) if both branches share the truths of their values.
pub fn errors(
    m: &[HeuristicValue],
    p: &[HeuristicValue],
    win: &impl Fn(HeuristicValue) -> f64,
) -> (f64, f64) {
    let values = distinct(&[m, p].concat());
    let (m, p) = (indices(m, &values), indices(p, &values));
    let (mut minimax, mut product) = (0.0, 0.0);
    each_truth(&values, win, |truth, probability| match (is_won(&m, truth, 1), is_won(&p, truth, 1)) {
        (false, true) => minimax += probability,
        (true, false) => product += probability,
        _ => {}
    });
    (minimax, product)
}

fn distinct(leaves: &[HeuristicValue]) -> Vec<HeuristicValue> {
    let mut values = leaves.to_vec();
    values.sort_unstable();
    values.dedup();
    values
}

fn indices(leaves: &[HeuristicValue], values: &[HeuristicValue]) -> Vec<usize> {
    leaves.iter().map(|leaf| values.partition_point(|value| value < leaf)).collect()
}

/// Every set of won values (bit i for value i) with its probability.
fn each_truth(
    values: &[HeuristicValue],
    win: &impl Fn(HeuristicValue) -> f64,
    mut visit: impl FnMut(u32, f64),
) {
    let wins: Vec<f64> = values.iter().map(|&value| win(value)).collect();
    for truth in 0..1u32 << values.len() {
        let factor = |(i, win): (usize, &f64)| if truth >> i & 1 == 1 { *win } else { 1.0 - win };
        visit(truth, wins.iter().enumerate().map(factor).product());
    }
}

fn is_won(leaves: &[usize], truth: u32, level: usize) -> bool {
    if let [leaf] = leaves {
        return truth >> leaf & 1 == 1;
    }
    let (left, right) = leaves.split_at(leaves.len() / 2);
    let mut children = [left, right].into_iter().map(|side| is_won(side, truth, level + 1));
    match Mover::at(level) {
        Mover::Max => children.any(|won| won),
        Mover::Min => children.all(|won| won),
    }
}
