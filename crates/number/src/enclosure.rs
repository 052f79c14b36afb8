//! Enclosures: intervals with fixed-point ends that are guaranteed to contain the true value. Every operation rounds
//! outwards.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::Fraction;
use crate::fraction::outwards;

/// The interval [low, high] · 2^-bits.
///
/// ```
/// use prodmax_number::Enclosure;
/// use prodmax_number::fraction::parse;
///
/// // A third is no binary fraction, so its enclosure has a width, and three thirds are 1 within it.
/// let third = Enclosure::of(&parse("1/3")?, 64);
/// assert!(third.contains(&parse("1/3")?) && !third.is_point());
/// let one = third.scale(&3.into());
/// assert!(one.contains(&parse("1")?) && !one.contains(&parse("1.0000001")?));
/// assert!(third.is_below(&one));
/// # Ok::<(), prodmax_number::fraction::FractionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosure {
    low: BigInt,
    high: BigInt,
    bits: u32,
}

fn floor_shift(value: BigInt, bits: u32) -> BigInt {
    value >> bits // num-bigint shifts like floor division
}

fn ceil_shift(value: BigInt, bits: u32) -> BigInt {
    -(-value >> bits)
}

impl Enclosure {
    /// The narrowest enclosure of a fraction; a single point if it is a multiple of 2^-bits.
    pub fn of(value: &Fraction, bits: u32) -> Self {
        let scaled = value.numer() << bits;
        Self { low: scaled.div_floor(value.denom()), high: scaled.div_ceil(value.denom()), bits }
    }

    /// The single point `value`.
    pub fn integer(value: impl Into<BigInt>, bits: u32) -> Self {
        let scaled = value.into() << bits;
        Self { low: scaled.clone(), high: scaled, bits }
    }

    /// The enclosure between two ends times 2^bits; `None` if they are in the wrong order.
    pub fn of_ends([low, high]: [BigInt; 2], bits: u32) -> Option<Self> {
        (low <= high).then_some(Self { low, high, bits })
    }

    /// The number of binary places of both ends.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The lower end times 2^bits.
    pub fn low_end(&self) -> &BigInt {
        &self.low
    }

    /// The upper end times 2^bits.
    pub fn high_end(&self) -> &BigInt {
        &self.high
    }

    /// The lower end, exactly.
    pub fn low(&self) -> Fraction {
        Fraction::new(self.low.clone(), BigInt::one() << self.bits)
    }

    /// The upper end, exactly.
    pub fn high(&self) -> Fraction {
        Fraction::new(self.high.clone(), BigInt::one() << self.bits)
    }

    /// The distance between the ends.
    pub fn width(&self) -> Fraction {
        self.high() - self.low()
    }

    /// The middle.
    pub fn middle(&self) -> Fraction {
        Fraction::new(&self.low + &self.high, BigInt::from(2) << self.bits)
    }

    /// Whether `value` lies inside.
    pub fn contains(&self, value: &Fraction) -> bool {
        self.low() <= *value && *value <= self.high()
    }

    /// Whether every number of this enclosure is less than every number of `other` (same number of bits).
    pub fn is_below(&self, other: &Self) -> bool {
        assert_eq!(self.bits, other.bits);
        self.high < other.low
    }

    /// Whether it is a single point.
    pub fn is_point(&self) -> bool {
        self.low == self.high
    }

    /// Whether 0 lies inside.
    pub fn contains_zero(&self) -> bool {
        !self.low.is_positive() && !self.high.is_negative()
    }

    /// The sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        Self { low: &self.low + &other.low, high: &self.high + &other.high, bits: self.bits }
    }

    /// Adds `other` to this one.
    pub fn accumulate(&mut self, other: &Self) {
        self.low += &other.low;
        self.high += &other.high;
    }

    /// The difference.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        Self { low: &self.low - &other.high, high: &self.high - &other.low, bits: self.bits }
    }

    /// 1 - x: the probability of the complementary event.
    #[must_use]
    pub fn complement(&self) -> Self {
        let one = BigInt::one() << self.bits;
        Self { low: &one - &self.high, high: one - &self.low, bits: self.bits }
    }

    /// The product.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        let bits = self.bits;
        if !self.low.is_negative() && !other.low.is_negative() {
            let low = floor_shift(&self.low * &other.low, bits);
            return Self { low, high: ceil_shift(&self.high * &other.high, bits), bits };
        }
        let mut low = &self.low * &other.low;
        let mut high = low.clone();
        for product in [&self.low * &other.high, &self.high * &other.low, &self.high * &other.high] {
            if product < low {
                low = product;
            } else if product > high {
                high = product;
            }
        }
        Self { low: floor_shift(low, bits), high: ceil_shift(high, bits), bits }
    }

    /// The product with an exact integer.
    #[must_use]
    pub fn scale(&self, factor: &BigInt) -> Self {
        let (low, high) = (&self.low * factor, &self.high * factor);
        let (low, high) = if factor.is_negative() { (high, low) } else { (low, high) };
        Self { low, high, bits: self.bits }
    }

    /// The quotient; `None` if the divisor may be 0.
    pub fn div(&self, divisor: &Self) -> Option<Self> {
        if divisor.contains_zero() {
            return None;
        }
        if divisor.high.is_negative() {
            return self.scale(&(-1).into()).div(&divisor.scale(&(-1).into()));
        }
        // A non-negative end is least over the greatest divisor, a negative one over the least.
        let least = if self.low.is_negative() { &divisor.low } else { &divisor.high };
        let greatest = if self.high.is_negative() { &divisor.high } else { &divisor.low };
        let low = (&self.low << self.bits).div_floor(least);
        let high = (&self.high << self.bits).div_ceil(greatest);
        Some(Self { low, high, bits: self.bits })
    }

    /// The quotient by a positive integer.
    #[must_use]
    pub fn div_integer(&self, divisor: u32) -> Self {
        let divisor = BigInt::from(divisor.max(1));
        Self { low: self.low.div_floor(&divisor), high: self.high.div_ceil(&divisor), bits: self.bits }
    }

    /// Whether the upper end is at most 2^-bits.
    pub(crate) fn is_at_most_one_unit(&self) -> bool {
        self.high <= BigInt::one()
    }

    /// The square root of a number known to be non-negative.
    #[must_use]
    pub fn sqrt(&self) -> Self {
        let root = |value: &BigInt| (value.max(&BigInt::zero()) << self.bits).sqrt();
        Self { low: root(&self.low), high: root(&self.high) + 1, bits: self.bits }
    }

    /// a b / (a + b) of two numbers known to be non-negative; 0 if one of them is 0.
    #[must_use]
    pub fn parallel(&self, other: &Self) -> Self {
        // The value increases with a and with b.
        let end = |a: &BigInt, b: &BigInt, divide: fn(&BigInt, &BigInt) -> BigInt| {
            if a.is_positive() && b.is_positive() { divide(&(a * b), &(a + b)) } else { BigInt::zero() }
        };
        Self {
            low: end(&self.low, &other.low, BigInt::div_floor),
            high: end(&self.high, &other.high, BigInt::div_ceil),
            bits: self.bits,
        }
    }

    /// The narrowest enclosure that contains both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        Self {
            low: (&self.low).min(&other.low).clone(),
            high: (&self.high).max(&other.high).clone(),
            bits: self.bits,
        }
    }

    /// The greater of the two enclosed numbers.
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        Self {
            low: (&self.low).max(&other.low).clone(),
            high: (&self.high).max(&other.high).clone(),
            bits: self.bits,
        }
    }

    /// The lesser of the two enclosed numbers.
    #[must_use]
    pub fn min(&self, other: &Self) -> Self {
        Self {
            low: (&self.low).min(&other.low).clone(),
            high: (&self.high).min(&other.high).clone(),
            bits: self.bits,
        }
    }

    /// The part between two whole numbers, either of which may be missing; `None` if nothing lies there.
    pub fn between(&self, least: Option<i32>, most: Option<i32>) -> Option<Self> {
        let end = |whole: i32| BigInt::from(whole) << self.bits;
        let low = least.map_or(self.low.clone(), |least| end(least).max(self.low.clone()));
        let high = most.map_or(self.high.clone(), |most| end(most).min(self.high.clone()));
        (low <= high).then_some(Self { low, high, bits: self.bits })
    }

    /// Both ends as decimals with `significant` digits, rounded outwards and then moved out by one more unit in the
    /// last place, so that a double computation of the same figure, accurate to its last digits, lies inside too. No end
    /// moves across a bound of signs, probabilities or percentages: what is not negative is not printed as if it could be.
    pub fn decimals(&self, significant: u32) -> [String; 2] {
        let magnitude = self.high().abs().max(self.low().abs());
        // Digits before the point.
        let mut whole = 0;
        let mut bound = Fraction::one();
        while bound <= magnitude {
            bound *= BigInt::from(10);
            whole += 1;
        }
        // The last significant digit may stand before the point: beyond 10^15 doubles are further apart than 1.
        let ten = |power| Fraction::from(BigInt::from(10).pow(power));
        let places = significant.saturating_sub(whole);
        let unit = ten(whole.saturating_sub(significant)) / ten(places);
        let mut low = ((self.low() / &unit).floor() - BigInt::one()) * &unit;
        let mut high = ((self.high() / &unit).ceil() + BigInt::one()) * &unit;
        for bound in [-100, -1, 0, 1, 100].map(|whole| Fraction::from(BigInt::from(whole))) {
            if low < bound && bound <= self.low() {
                low = bound.clone();
            }
            if self.high() <= bound && bound < high {
                high = bound;
            }
        }
        outwards(&low, &high, places)
    }

    /// The enclosure halved `times` times.
    #[must_use]
    pub fn halve(&self, times: u32) -> Self {
        let (low, high) = (floor_shift(self.low.clone(), times), ceil_shift(self.high.clone(), times));
        Self { low, high, bits: self.bits }
    }

    /// The enclosure with fewer binary places, rounded outwards.
    #[must_use]
    pub fn rounded(&self, bits: u32) -> Self {
        let drop = self.bits.saturating_sub(bits);
        let (low, high) = (floor_shift(self.low.clone(), drop), ceil_shift(self.high.clone(), drop));
        Self { low, high, bits: self.bits - drop }
    }

    /// The enclosure widened by the upper end of `margin` on both sides.
    #[must_use]
    pub fn widened(&self, margin: &Self) -> Self {
        Self { low: &self.low - &margin.high, high: &self.high + &margin.high, bits: self.bits }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fraction() -> impl Strategy<Value = Fraction> {
        (-1000i64..1000, 1i64..1000).prop_map(|(n, d)| Fraction::new(n.into(), d.into()))
    }

    #[test]
    fn decimals_are_rounded_outwards() {
        let third = Enclosure::of(&Fraction::new(1.into(), 3.into()), 64);
        assert_eq!(third.decimals(4), ["0.3332", "0.3335"]);
        let large = Enclosure::of(&Fraction::new((-100_000).into(), 7.into()), 64);
        assert_eq!(large.decimals(7), ["-14285.73", "-14285.70"]);
        // The doubles next to the ends enclose the value, too, which those next to the whole numbers around it do not.
        let huge = Enclosure::of(&Fraction::from(BigInt::from(123_456_789_012_345_678_u64)), 64);
        assert_eq!(huge.decimals(14), ["123456789012330000", "123456789012360000"]);
    }

    proptest! {
        #[test]
        fn results_contain_the_exact_value(a in fraction(), b in fraction(), bits in 3u32..40) {
            let (x, y) = (Enclosure::of(&a, bits), Enclosure::of(&b, bits));
            prop_assert!(x.contains(&a) && x.width() <= Fraction::new(1.into(), BigInt::one() << bits));
            prop_assert!(x.add(&y).contains(&(&a + &b)));
            prop_assert!(x.sub(&y).contains(&(&a - &b)));
            prop_assert!(x.mul(&y).contains(&(&a * &b)));
            prop_assert!(x.complement().contains(&(Fraction::one() - &a)));
            prop_assert!(x.scale(&(-7).into()).contains(&(&a * BigInt::from(-7))));
            prop_assert!(x.halve(2).contains(&(&a / BigInt::from(4))));
            prop_assert!(x.rounded(2).contains(&a));
            prop_assert!(x.div_integer(9).contains(&(&a / BigInt::from(9))));
            if let Some(quotient) = x.div(&y) {
                prop_assert!(quotient.contains(&(&a / &b)));
            } else {
                prop_assert!(y.contains_zero());
            }
            let square = &a * &a;
            prop_assert!(Enclosure::of(&square, bits).sqrt().contains(&a.abs()));
            if x.is_below(&y) {
                prop_assert!(a < b);
            }
        }
    }
}
