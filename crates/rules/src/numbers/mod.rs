//! The kinds of numbers that rules compute with.

mod bounded;
mod doubles;
mod enclosures;
mod fractions;
mod singles;

use std::cmp::Ordering;
use std::fmt::Debug;

pub use bounded::{Bounded, BoundedDouble};
pub use doubles::Doubles;
pub use enclosures::Enclosures;
pub use fractions::Fractions;
use prodmax_number::Fraction;
pub use singles::Singles;

/// A kind of number. Its values are small handles (a precision, a reference), so they are passed by copy.
///
/// Kinds that know a number only up to an error (enclosures) answer [`Numbers::compare`] with `None` where the error
/// is too large. [`Numbers::either`] then covers both possible values, so that the result of a rule always contains
/// its exact value.
pub trait Numbers: Copy + Sync {
    /// A number.
    type Number: Clone + Debug + Send + Sync;

    /// An exact constant.
    fn constant(self, value: &Fraction) -> Self::Number;
    /// a + b.
    fn add(self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// a - b.
    fn sub(self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// a b.
    fn mul(self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// 1 / (1/a + 1/b) = a b / (a + b) of two non-negative numbers; 0 if one of them is 0.
    fn parallel(self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// The greater of the two.
    fn greatest(self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// The lesser of the two.
    fn least(self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// The order; `None` where the numbers are not known well enough.
    fn compare(self, a: &Self::Number, b: &Self::Number) -> Option<Ordering>;
    /// A number that covers both, for use where a comparison could not tell which of them is right.
    fn either(self, a: Self::Number, b: Self::Number) -> Self::Number;

    /// Sorts a few numbers, the greatest first.
    ///
    /// Swapping by greatest and least needs no decided comparison: with enclosures it yields those of the greatest
    /// number, the second greatest, etc.
    fn sort_descending(self, values: &mut [Self::Number]) {
        for end in 1..values.len() {
            for place in (1..=end).rev() {
                let (greater, lesser) = (
                    self.greatest(&values[place - 1], &values[place]),
                    self.least(&values[place - 1], &values[place]),
                );
                (values[place - 1], values[place]) = (greater, lesser);
            }
        }
    }

    /// 1 - a.
    fn complement(self, a: &Self::Number) -> Self::Number {
        self.sub(&self.integer(1), a)
    }

    /// An integer.
    fn integer(self, value: u32) -> Self::Number {
        self.constant(&Fraction::from_integer(value.into()))
    }

    /// 1 / value, for a nonzero integer.
    fn reciprocal(self, value: u32) -> Self::Number {
        self.constant(&Fraction::new(1.into(), value.into()))
    }

    /// Whether the number is certain to be 0.
    fn is_zero(self, a: &Self::Number) -> bool {
        self.compare(a, &self.integer(0)) == Some(Ordering::Equal)
    }

    /// a^exponent, for an exponent of at least 1.
    fn power(self, a: &Self::Number, exponent: u32) -> Self::Number {
        let mut power = a.clone();
        let bits = u32::BITS - exponent.leading_zeros();
        for bit in (0..bits.saturating_sub(1)).rev() {
            power = self.mul(&power, &power);
            if exponent >> bit & 1 == 1 {
                power = self.mul(&power, a);
            }
        }
        power
    }
}

/// Numbers that can always be compared.
pub trait Ordered: Numbers {
    /// The order.
    fn order(self, a: &Self::Number, b: &Self::Number) -> Ordering;
}
