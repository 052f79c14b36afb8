//! Eq. (9): the grains that independent values require grow exponentially with the branching factor.
//!
//! LGB fit g(b) = factor · base^b + constant to their column of Table 6 by least squares. So do we, to the column as
//! printed. For a given base the best factor and constant are those of a straight line through the points (base^b, g).
//! With them the sum of squares depends on the base alone, and where its derivative is 0 a polynomial with integer
//! coefficients is 0: its roots above 1 are isolated exactly.

use std::fmt;

use num_bigint::BigInt;
use num_traits::{One, Signed};
use prodmax_number::fraction::to_f64;
use prodmax_number::roots::{Root, roots_between};
use prodmax_number::{Enclosure, Fraction, Polynomial};

use super::{TableError, published};
use crate::model::Values;

/// Binary places of the fit.
const BITS: u32 = 128;

/// An exponential with a constant, as in eq. (9): every number lies in an interval that is certain to contain it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation9 {
    /// Printed as 7.5084.
    pub factor: Enclosure,
    /// Printed as 1.3208.
    pub base: Enclosure,
    /// Printed as -0.5169.
    pub constant: Enclosure,
}

impl Equation9 {
    /// Eq. (9) as fitted to the column of independent values in Table 6.
    pub fn fitted() -> Result<Self, TableError> {
        let column = published(6)?;
        let column = column.iter().filter(|figure| figure.series == Values::Independent.name());
        let points: Option<Vec<(u32, BigInt)>> = column
            .map(|figure| Some((u32::try_from(figure.row).ok()?, figure.printed.parse().ok()?)))
            .collect();
        points.and_then(|points| Self::fit(&points)).ok_or(TableError::NoFit)
    }

    /// The least squares through these points; `None` if no base above 1 is best.
    fn fit(points: &[(u32, BigInt)]) -> Option<Self> {
        // The least number above which the polynomial certainly has no root (Cauchy's bound).
        let stationary = stationary(points);
        let lead = stationary.coefficients().last()?.abs();
        let greatest = stationary.coefficients().iter().map(Signed::abs).max()?;
        let bound = Fraction::new(greatest, lead) + Fraction::one();
        let roots = roots_between(&stationary, &Fraction::one(), &bound, BITS);
        let all: Option<Vec<(Fraction, Self)>> =
            roots.iter().map(|root| Self::with_base(points, root)).collect();
        let best = all?.into_iter().min_by(|one, other| one.0.cmp(&other.0));
        best.map(|(_, fit)| fit)
    }

    /// The best factor and constant for a base, and the sum of squares that is left.
    fn with_base(points: &[(u32, BigInt)], base: &Root) -> Option<(Fraction, Self)> {
        let base = Enclosure::of(&base.low, BITS).hull(&Enclosure::of(&base.high, BITS));
        let number = |number: &BigInt| Enclosure::integer(number.clone(), BITS);
        let powers: Vec<Enclosure> = points.iter().map(|(b, _)| power(&base, *b)).collect();
        let zero = || Enclosure::integer(0, BITS);
        let sum = |of: &dyn Fn(&Enclosure, &BigInt) -> Enclosure| {
            powers.iter().zip(points).fold(zero(), |sum, (power, (_, g))| sum.add(&of(power, g)))
        };
        let count = BigInt::from(points.len());
        let (x, y) = (sum(&|power, _| power.clone()), sum(&|_, g| number(g)));
        let variance = sum(&|power, _| power.mul(power)).scale(&count).sub(&x.mul(&x));
        let covariance = sum(&|power, g| power.scale(g)).scale(&count).sub(&x.mul(&y));
        let factor = covariance.div(&variance)?;
        let constant = y.sub(&factor.mul(&x)).div(&number(&count))?;
        let fit = Self { factor, base, constant };
        let off = points.iter().map(|(b, g)| fit.grains(*b).sub(&number(g)));
        let squares = off.fold(zero(), |sum, off| sum.add(&off.mul(&off)));
        Some((squares.middle(), fit))
    }

    /// g(b).
    pub fn grains(&self, b: u32) -> Enclosure {
        self.factor.mul(&power(&self.base, b)).add(&self.constant)
    }
}

impl fmt::Display for Equation9 {
    /// With as many digits as LGB print.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [factor, base, constant] =
            [&self.factor, &self.base, &self.constant].map(|figure| to_f64(&figure.middle()));
        let sign = if constant < 0.0 { '-' } else { '+' };
        write!(f, "{factor:.4} · {base:.4}^b {sign} {:.4}", constant.abs())
    }
}

fn power(base: &Enclosure, b: u32) -> Enclosure {
    (0..b).fold(Enclosure::integer(1, BITS), |product, _| product.mul(base))
}

/// The derivative of the least sum of squares by the base r, up to factors that have no root above 1. Residuals are orthogonal to
/// the constant, to x = r^b and, where the derivative is 0, to z = b r^(b-1). With the first two solved for constant and
/// factor the third reads N V Σgz - (V Σg - C Σx) Σz - N C Σxz = 0, where V = N Σx² - (Σx)², C = N Σgx - Σg Σx.
fn stationary(points: &[(u32, BigInt)]) -> Polynomial {
    let x = |b: u32| Polynomial::p().pow(b);
    let z = |b: u32| x(b).derivative();
    let sum = |of: &dyn Fn(u32, &BigInt) -> Polynomial| {
        points.iter().fold(Polynomial::default(), |sum, (b, g)| &sum + &of(*b, g))
    };
    let count = BigInt::from(points.len());
    let (sum_x, sum_z) = (sum(&|b, _| x(b)), sum(&|b, _| z(b)));
    let sum_g = sum(&|_, g| Polynomial::constant(g.clone()));
    let (sum_gx, sum_gz) = (sum(&|b, g| x(b).scaled(g)), sum(&|b, g| z(b).scaled(g)));
    let (sum_xx, sum_xz) = (sum(&|b, _| x(2 * b)), sum(&|b, _| &x(b) * &z(b)));
    let variance = &sum_xx.scaled(&count) - &(&sum_x * &sum_x);
    let covariance = &sum_gx.scaled(&count) - &(&sum_g * &sum_x);
    let without_z = &(&variance * &sum_g) - &(&covariance * &sum_x);
    let with_g = &variance.scaled(&count) * &sum_gz;
    let mut all = &(&with_g - &(&without_z * &sum_z)) - &(&covariance.scaled(&count) * &sum_xz);
    // The roots 0 and 1 are of no use, and without them the rest are isolated much faster.
    for factor in [Polynomial::p(), Polynomial::one_minus_p()] {
        while let Some(quotient) = all.divide_exact(&factor).filter(|_| !all.is_zero()) {
            all = quotient;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use prodmax_number::fraction::parse;

    use super::*;

    fn points(pairs: &[(u32, i64)]) -> Vec<(u32, BigInt)> {
        pairs.iter().map(|(b, g)| (*b, BigInt::from(*g))).collect()
    }

    fn rounded(enclosure: &Enclosure, places: usize) -> String {
        assert!(enclosure.width() < parse("0.00000000000000000001").unwrap());
        format!("{:.places$}", to_f64(&enclosure.middle()))
    }

    /// All five printed figures. With the coefficients rounded as printed g(40) would be 511,716.
    #[test]
    fn the_printed_column_gives_the_printed_coefficients() {
        let fit = Equation9::fitted().unwrap();
        let coefficients = [&fit.factor, &fit.base, &fit.constant].map(|figure| rounded(figure, 4));
        assert_eq!(coefficients, ["7.5084", "1.3208", "-0.5169"]);
        assert_eq!([30, 40].map(|b| rounded(&fit.grains(b), 0)), ["31670", "511706"]);
        assert_eq!(fit.to_string(), "7.5084 · 1.3208^b - 0.5169");
        // By mpmath, with 30 digits.
        assert_eq!(rounded(&fit.grains(40), 9), "511706.124393981");
    }

    /// Points that lie on a curve exactly.
    #[test]
    fn points_on_a_curve_give_it_back() {
        let fit = Equation9::fit(&points(&[(1, 1), (2, 7), (3, 19), (5, 91)])).unwrap();
        let coefficients = [&fit.factor, &fit.base, &fit.constant].map(|figure| rounded(figure, 9));
        assert_eq!(coefficients, ["3.000000000", "2.000000000", "-5.000000000"]);
        assert_eq!(Equation9::fit(&points(&[(1, 1), (2, 2)])), None, "any base is as good");
    }

    /// The sum of squares in double precision at neighbouring coefficients, none of which is better.
    #[test]
    fn no_neighbour_is_better() {
        let column = [13.0, 17.0, 22.0, 29.0, 39.0, 52.0, 71.0, 90.0, 121.0];
        let squares = |[factor, base, constant]: [f64; 3]| {
            let off = |(b, g): (i32, f64)| (factor * base.powi(b) + constant - g).powi(2);
            (2..).zip(column).map(off).sum::<f64>()
        };
        let fit = Equation9::fitted().unwrap();
        let best = [&fit.factor, &fit.base, &fit.constant].map(|figure| to_f64(&figure.middle()));
        let steps = [-1.0, -1e-3, 0.0, 1e-3, 1.0];
        for a in steps {
            for b in steps {
                for c in steps {
                    let other = [best[0] + a, best[1] + 0.1 * b, best[2] + c];
                    assert!(other == best || squares(other) > squares(best), "{other:?}");
                }
            }
        }
    }
}
