//! Enclosures: intervals that are guaranteed to contain the true value.

use std::cmp::Ordering;

use prodmax_number::{Enclosure, Fraction};

use super::Numbers;

/// Enclosures with a fixed number of binary places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enclosures {
    /// Binary places of both ends.
    pub bits: u32,
}

impl Numbers for Enclosures {
    type Number = Enclosure;

    fn constant(self, value: &Fraction) -> Enclosure {
        Enclosure::of(value, self.bits)
    }
    fn add(self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        a.add(b)
    }
    fn sub(self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        a.sub(b)
    }
    fn mul(self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        a.mul(b)
    }
    fn parallel(self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        a.parallel(b)
    }
    fn greatest(self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        a.max(b)
    }
    fn least(self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        a.min(b)
    }
    fn compare(self, a: &Enclosure, b: &Enclosure) -> Option<Ordering> {
        match (a.is_below(b), b.is_below(a)) {
            (true, _) => Some(Ordering::Less),
            (_, true) => Some(Ordering::Greater),
            // Two equal points are equal; overlapping intervals say nothing.
            _ => (a == b && a.is_point()).then_some(Ordering::Equal),
        }
    }
    fn either(self, a: Enclosure, b: Enclosure) -> Enclosure {
        a.hull(&b)
    }
    fn complement(self, a: &Enclosure) -> Enclosure {
        a.complement()
    }
}
