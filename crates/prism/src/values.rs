//! The values of the curves at the leaves: the one thing that the language cannot compute.

use std::fmt::Write;

use prodmax_enumerate::{HeuristicValue, Model};
use prodmax_mass::Curve;
use prodmax_number::fraction::decimal;

use crate::rules::Written;
use crate::ties::Tie;
use crate::{leaf, leaves};

/// Binary places of the enclosure from which a decimal is taken: more than its digits need.
const BITS: u32 = 128;

/// Decimal places of an irrational value: a checker that computes with fractions then agrees to some 10^-25.
const PLACES: u32 = 30;

/// Constants for both curves and for ties, and a formula for the value of each curve at each leaf.
pub(crate) fn constants(
    model: &Model,
    truth: &Curve,
    estimate: &Curve,
    rules: &[Written; 2],
    ties: &[Option<Tie>; 2],
) -> String {
    let mut text = format!("const int root = {};\n\n", model.root().get());
    table(&mut text, model, "truth", "the probability that a leaf with this value is won", truth);
    let who = if rules.iter().all(Written::is_of_the_paper) { "Product's" } else { "the rules'" };
    table(&mut text, model, "estimate", &format!("{who} estimate of it"), estimate);
    let means = || rules.iter().filter_map(|rule| Some((rule, rule.exponent()?)));
    for (rule, exponent) in means() {
        powers(&mut text, model, rule, exponent);
    }
    for Tie { name, value, why } in ties.iter().flatten() {
        let _ = writeln!(text, "// {why}\nconst double {name} = {value};\n");
    }
    let mut curves =
        vec![("truth".to_owned(), "Truth".to_owned()), ("estimate".to_owned(), "Estimate".to_owned())];
    curves.extend(
        means().map(|(rule, exponent)| (rule.identifier(), format!("Estimate to the power of {exponent}"))),
    );
    for (name, what) in &curves {
        let _ = writeln!(text, "// {what} at each leaf.");
        for branch in 0..model.branching() {
            for index in 0..leaves(model) {
                look_up(&mut text, model, name, &leaf(branch, index));
            }
        }
        text.push('\n');
    }
    text
}

/// The values that leaves can have, ascending.
pub(crate) fn leaf_values(model: &Model) -> impl Iterator<Item = HeuristicValue> {
    let [low, high] = model.position_range(model.depth());
    (low..=high).map(|position| model.value_at(position))
}

/// The name of a constant, which cannot contain a minus sign.
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

/// The powers of the estimate that generalised means back up.
fn powers(text: &mut String, model: &Model, rule: &Written, exponent: u32) {
    let _ = writeln!(text, "// What {} backs up: the estimate to the power of {exponent}.", rule.name());
    for h in leaf_values(model) {
        let factors = vec![constant("estimate", h); exponent as usize].join(" * ");
        let _ = writeln!(text, "const double {} = {factors};", constant(&rule.identifier(), h));
    }
    text.push('\n');
}

/// The value of a curve: a fraction if it is rational, otherwise a decimal.
fn number(curve: &Curve, h: HeuristicValue, h_max: i32) -> String {
    match curve.exact(h.get(), h_max) {
        Some(exact) => exact.to_string(),
        None => decimal(&curve.enclose(h.get(), h_max, BITS).middle(), PLACES),
    }
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
