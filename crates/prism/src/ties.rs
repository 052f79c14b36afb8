//! When two values of a rule count as equal.
//!
//! A checker that computes in doubles must not mistake a rounding error for a preference, nor a small difference for
//! a rounding error. So values count as different only if they differ by more than a constant, and that constant must
//! lie between the two.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;
use prodmax_enumerate::Model;
use prodmax_mass::{Contestant, Curve, Curves, Forest, is_deep};
use prodmax_number::{Enclosure, Fraction};
use prodmax_rules::numbers::Enclosures;

use crate::rules::Written;
use crate::values::leaf_values;
use crate::{PrismError, leaves};

/// Binary places for the values of subtrees: even powers x^8 of small probabilities keep more than a hundred of them.
const BITS: u32 = 256;

/// The least constant, as a negative power of ten. Values lie between 0 and 1, and a value over at most 16 leaves is
/// computed in at most 15 nodes with 7 operations or fewer. A child's error carries over to its parent without
/// growing: in absolute terms or, where values are only added, multiplied and divided, in relative terms. So the
/// difference of two values in doubles is off by less than 500 * 2^-53 < 10^-13.
const LEAST_EXPONENT: u32 = 13;

/// A constant of the model: values of a rule that differ by no more than this count as equal.
pub(crate) struct Tie {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) why: String,
}

/// The constants of both rules; none for Minimax, whose values are integers.
pub(crate) fn ties(
    model: &Model,
    truth: &Curve,
    estimate: &Curve,
    rules: &[Written; 2],
) -> Result<[Option<Tie>; 2], PrismError> {
    if rules.iter().all(Written::is_of_the_paper) {
        return Ok(rules.each_ref().map(|rule| rule.has_real_values().then(|| of_product(model, estimate))));
    }
    if is_deep(model) {
        return Err(PrismError::TooManyClasses);
    }
    let forest = Forest::of(model).map_err(|error| PrismError::Order(error.to_string()))?;
    let curves = Curves::new(truth.clone(), estimate.clone(), model.line().h_max());
    let both = rules.iter().all(Written::has_real_values);
    let [first, second] = rules.each_ref().map(|rule| {
        let name = if both { format!("tie_{}", rule.identifier()) } else { "tie".to_owned() };
        rule.has_real_values().then(|| proved(&forest, &curves, rule, model, name)).transpose()
    });
    Ok([first?, second?])
}

/// A constant that is proved to be less than every difference of different values in this model.
///
/// The ranking proves which values are equal, and enclosures how far apart the others are. Only the constant comes
/// from here: the checker still computes and compares all values by itself.
fn proved(
    forest: &Forest,
    curves: &Curves,
    rule: &Written,
    model: &Model,
    name: String,
) -> Result<Tie, PrismError> {
    let contestant = Contestant::new(rule.rule().clone(), curves);
    let ranking = forest.rank(&contestant).map_err(|error| PrismError::Order(error.to_string()))?;
    let player = contestant.prepare(Enclosures { bits: BITS }, model.depth());
    let mut least: Option<Fraction> = None;
    let mut before: Option<Enclosure> = None;
    for group in ranking.groups().iter() {
        let value = player.subtree(&forest.leaves(group[0] as usize), 1, model.branching());
        if let Some(before) = before {
            let gap = value.low() - before.high();
            least = Some(least.map_or(gap.clone(), |least| least.min(gap)));
        }
        before = Some(value);
    }
    // If all values are equal, any constant will do.
    let least = least.unwrap_or_else(Fraction::one);
    let half = &least / Fraction::from_integer(2.into());
    match (1..=LEAST_EXPONENT).find(|&places| power_of_ten(places) <= half) {
        Some(places) => Ok(Tie {
            name,
            value: format!("0.{}1", "0".repeat(places as usize - 1)),
            why: format!(
                "Different values of {} differ by at least twice this constant, as prodmax has proved; less is a \
                 rounding error.",
                rule.name()
            ),
        }),
        None => Err(PrismError::TooNear { rule: rule.rule().to_string(), gap: rough(&least) }),
    }
}

fn power_of_ten(places: u32) -> Fraction {
    Fraction::new(1.into(), BigInt::from(10).pow(places))
}

/// A gap that is too small, in words: the power of ten above it, down to 1e-60, where enclosures are still far
/// narrower.
fn rough(gap: &Fraction) -> String {
    let places = (LEAST_EXPONENT..=60).rev().find(|&places| *gap < power_of_ten(places));
    format!("less than 1e-{}", places.unwrap_or(LEAST_EXPONENT - 1))
}

/// The constant for Product against Minimax.
///
/// With a rational curve it is exact: product values are multiples of 1/D^n for the common denominator D and n
/// leaves, and the constant is half of that. With other curves it is 10^-12, which is not proved for the model at
/// hand: it lies above the rounding errors of doubles (see [`LEAST_EXPONENT`]), but a model could have different
/// product values that are closer to each other and would be mistaken for a tie. The models with such curves that
/// `make verify-storm` checks agree with `prodmax mass`, which proves every comparison, in the number of critical
/// trees.
fn of_product(model: &Model, estimate: &Curve) -> Tie {
    let name = "tie".to_owned();
    let values: Option<Vec<Fraction>> =
        leaf_values(model).map(|h| estimate.exact(h.get(), model.line().h_max())).collect();
    let Some(values) = values else {
        let why = "Product values that are nearer to each other count as equal: doubles are not exact.";
        return Tie { name, value: "0.000000000001".to_owned(), why: why.to_owned() };
    };
    let common = values.iter().fold(BigInt::from(1), |common, value| common.lcm(value.denom()));
    let unit = common.pow(u32::try_from(leaves(model)).unwrap_or(u32::MAX));
    let why = format!("Different product values differ by at least 1/{unit}; less is a rounding error.");
    Tie { name, value: format!("1/{}", unit * 2), why }
}
