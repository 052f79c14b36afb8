//! Enclosures: every figure comes as an interval that contains it.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use prodmax_enumerate::HeuristicValue;
use prodmax_number::Enclosure;
use prodmax_number::possible::{Impossible, Kind};
use prodmax_rules::CurveTable;

use super::{Arithmetic, Compare, Field, Ring, Weighted};

/// Enclosures with a fixed number of binary places; leaves by a curve.
#[derive(Clone, Copy, Debug)]
pub struct Certified<'a> {
    /// The curve of the leaves.
    pub curve: &'a CurveTable,
    /// Binary places.
    pub bits: u32,
}

impl Ring for Certified<'_> {
    type Number = Enclosure;
    type Sum = Enclosure;

    fn mul(&self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        a.mul(b)
    }
    fn zero(&self) -> Enclosure {
        Enclosure::integer(0, self.bits)
    }
    fn add(&self, sum: &mut Enclosure, number: &Enclosure) {
        sum.accumulate(number);
    }
    fn merge(&self, sum: &mut Enclosure, other: &Enclosure) {
        sum.accumulate(other);
    }
    fn total(&self, sum: &Enclosure) -> Enclosure {
        sum.clone()
    }
}

impl Weighted for Certified<'_> {
    type Factor = BigInt;

    fn times(&self, factor: &BigInt, number: &Enclosure) -> Enclosure {
        number.scale(factor)
    }
}

impl Arithmetic for Certified<'_> {
    fn leaf(&self, h: HeuristicValue) -> Enclosure {
        self.curve.enclose(h, self.bits)
    }
    fn complement(&self, a: &Enclosure) -> Enclosure {
        a.complement()
    }
    fn scale(&self, multiplicity: u128, a: &Enclosure) -> Enclosure {
        a.scale(&multiplicity.into())
    }
}

impl Compare for Certified<'_> {
    fn compare(&self, a: &Enclosure, b: &Enclosure) -> Option<Ordering> {
        match (a.is_below(b), b.is_below(a)) {
            (true, _) => Some(Ordering::Less),
            (_, true) => Some(Ordering::Greater),
            // Two equal points are equal; overlapping intervals do not decide.
            _ => (a == b && a.is_point()).then_some(Ordering::Equal),
        }
    }
}

impl Field for Certified<'_> {
    fn sub(&self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        a.sub(b)
    }
    fn div(&self, a: &Enclosure, b: &Enclosure) -> Option<Enclosure> {
        a.div(b)
    }
    fn integer(&self, value: u128) -> Enclosure {
        Enclosure::integer(value, self.bits)
    }
    fn whole(&self, value: &BigUint) -> Enclosure {
        Enclosure::integer(BigInt::from(value.clone()), self.bits)
    }
    fn possible(&self, kind: Kind, figure: Enclosure) -> Result<Enclosure, Impossible> {
        kind.check_enclosure(&figure)
    }
    fn at_most(&self, limit: &Enclosure, figure: Enclosure) -> Result<Enclosure, Impossible> {
        self.possible(Kind::Size, limit.sub(&figure)).map(|_| figure)
    }
}
