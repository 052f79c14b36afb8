//! The curves at the values of the leaves: the one thing that the language cannot compute.

use std::fmt::Write;

use num_bigint::BigInt;
use num_traits::Zero as _;
use prodmax_enumerate::{HeuristicValue, Model};
use prodmax_mass::Curve;
use prodmax_number::Fraction;
use prodmax_number::fraction::decimal;

use crate::{BRANCHES, leaf, leaves};

/// Binary places of the enclosure from which a decimal is taken: more than its digits need.
const BITS: u32 = 128;

/// Decimal places of an irrational value: a checker that computes with fractions still agrees to some 10^-25.
const PLACES: u32 = 30;

/// Constants for both curves, what a tie is, and a formula for the value of each curve at each leaf.
pub(crate) fn constants(model: &Model, truth: &Curve, estimate: &Curve) -> String {
    let mut text = format!("const int root = {};\n\n", model.root().get());
    table(&mut text, model, "truth", "the probability that a leaf with this value is won", truth);
    table(&mut text, model, "estimate", "what Product takes for it", estimate);
    let (tie, why) = tie(model, estimate);
    let _ = writeln!(text, "// {why}\nconst double tie = {tie};\n");
    for (name, what) in [("truth", "Truth"), ("estimate", "Estimate")] {
        let _ = writeln!(text, "// {what} at each leaf.");
        for (branch, _) in BRANCHES.iter().enumerate() {
            for index in 0..leaves(model) {
                look_up(&mut text, model, name, &leaf(branch, index));
            }
        }
        text.push('\n');
    }
    text
}

/// The values that leaves can have, ascending.
fn leaf_values(model: &Model) -> impl Iterator<Item = HeuristicValue> {
    let [low, high] = model.position_range(model.depth());
    (low..=high).map(|position| model.value_at(position))
}

/// The name of a constant: a minus sign cannot be part of it.
fn constant(name: &str, h: HeuristicValue) -> String {
    match h.get() {
        0 => format!("{name}_0"),
        h if h > 0 => format!("{name}_plus_{h}"),
        h => format!("{name}_minus_{}", -h),
    }
}

fn table(text: &mut String, model: &Model, name: &str, what: &str, curve: &Curve) {
    let _ = writeln!(text, "// {curve}: {what}.");
    for h in leaf_values(model) {
        let value = number(curve, h, model.line().h_max());
        let _ = writeln!(text, "const double {} = {value};", constant(name, h));
    }
    text.push('\n');
}

/// The value of a curve: a fraction if it is one, else a decimal.
fn number(curve: &Curve, h: HeuristicValue, h_max: i32) -> String {
    match curve.exact(h.get(), h_max) {
        Some(exact) => exact.to_string(),
        None => decimal(&curve.enclose(h.get(), h_max, BITS).middle(), PLACES),
    }
}

/// The difference up to which two product values count as equal, and why.
///
/// A checker that computes in doubles must not take a rounding error for a preference. With a rational curve the
/// threshold is exact: product values are multiples of 1/D^n for the common denominator D and n leaves.
fn tie(model: &Model, estimate: &Curve) -> (String, String) {
    let values: Option<Vec<Fraction>> =
        leaf_values(model).map(|h| estimate.exact(h.get(), model.line().h_max())).collect();
    let Some(values) = values else {
        let why = "Product values that are nearer to each other count as equal: doubles are not exact.";
        return ("0.000000000001".to_owned(), why.to_owned());
    };
    let common = values.iter().fold(BigInt::from(1), |lcm, value| num_lcm(&lcm, value.denom()));
    let unit = common.pow(u32::try_from(leaves(model)).unwrap_or(u32::MAX));
    let why = format!("Different product values differ by at least 1/{unit}; less is a rounding error.");
    (format!("1/{}", unit * 2), why)
}

fn num_lcm(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut x, mut y) = (a.clone(), b.clone());
    while !y.is_zero() {
        (x, y) = (y.clone(), x % y);
    }
    a / x * b
}

/// A formula that picks the constant for the value of a leaf.
fn look_up(text: &mut String, model: &Model, name: &str, leaf: &str) {
    let values: Vec<HeuristicValue> = leaf_values(model).collect();
    let _ = write!(text, "formula {name}_{leaf} = (");
    if let Some((last, others)) = values.split_last() {
        for &h in others {
            let _ = write!(text, "{leaf}={} ? {} : ", h.get(), constant(name, h));
        }
        let _ = writeln!(text, "{});", constant(name, *last));
    }
}
