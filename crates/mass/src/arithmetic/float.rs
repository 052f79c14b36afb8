//! Doubles with compensated sums: the default.

use std::cmp::Ordering;

use num_bigint::BigUint;
use prodmax_enumerate::HeuristicValue;
use prodmax_number::CompensatedSum;
use prodmax_number::possible::{Impossible, Kind, ROUNDING};
use prodmax_rules::CurveTable;

use super::{Arithmetic, Compare, Factor, Field, Ring, Weighted};

/// Doubles; leaves by a curve.
#[derive(Clone, Copy, Debug)]
pub struct Float<'a>(pub &'a CurveTable);

impl Ring for Float<'_> {
    type Number = f64;
    type Sum = CompensatedSum;

    fn mul(&self, a: &f64, b: &f64) -> f64 {
        a * b
    }
    fn zero(&self) -> CompensatedSum {
        CompensatedSum::default()
    }
    fn add(&self, sum: &mut CompensatedSum, number: &f64) {
        sum.add(*number);
    }
    fn merge(&self, sum: &mut CompensatedSum, other: &CompensatedSum) {
        sum.merge(other);
    }
    fn total(&self, sum: &CompensatedSum) -> f64 {
        sum.value()
    }
}

impl Weighted for Float<'_> {
    type Factor = f64;

    fn times(&self, factor: &f64, number: &f64) -> f64 {
        factor * number
    }
}

impl Arithmetic for Float<'_> {
    fn leaf(&self, h: HeuristicValue) -> f64 {
        self.0.double(h)
    }
    fn complement(&self, a: &f64) -> f64 {
        1.0 - a
    }
    fn scale(&self, multiplicity: u128, a: &f64) -> f64 {
        multiplicity as f64 * a
    }
}

impl Compare for Float<'_> {
    fn compare(&self, a: &f64, b: &f64) -> Option<Ordering> {
        a.partial_cmp(b)
    }
}

impl Field for Float<'_> {
    fn sub(&self, a: &f64, b: &f64) -> f64 {
        a - b
    }
    fn div(&self, a: &f64, b: &f64) -> Option<f64> {
        (*b != 0.0).then(|| a / b)
    }
    fn integer(&self, value: u128) -> f64 {
        value as f64
    }
    fn whole(&self, value: &BigUint) -> f64 {
        Factor::whole(value)
    }
    fn possible(&self, kind: Kind, figure: f64) -> Result<f64, Impossible> {
        kind.check_rounded(figure, ROUNDING)
    }
    fn at_most(&self, limit: &f64, figure: f64) -> Result<f64, Impossible> {
        Kind::Size.check(limit - figure, ROUNDING, f64::INFINITY).map(|_| figure.min(*limit))
    }
}
