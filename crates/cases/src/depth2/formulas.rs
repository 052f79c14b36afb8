//! Formulas (5) to (7): the error masses per interval under a uniform error p, their common factor g(p), and
//! the threshold that follows.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use prodmax_number::{Fraction, Polynomial};

use super::Balance;
use super::case::cases;
use super::interval::Interval;
use crate::balance::Masses;

/// The balance and the error masses of each interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formulas {
    balances: [Balance; 5],
    masses: [Masses; 5],
}

impl Formulas {
    /// Sums up the 80 cases.
    ///
    /// ```
    /// use prodmax_cases::depth2::Formulas;
    /// let formulas = Formulas::derive();
    /// let common = formulas.common_factor();
    /// assert_eq!(common.factor.to_string(), "1 - 2p");
    /// assert_eq!(common.cofactors.map(|c| c.to_string()), ["1 - p", "p"]);
    /// ```
    pub fn derive() -> Self {
        let mut balances = [Balance::default(); 5];
        for case in cases() {
            balances[case.interval as usize].record(case.decision(), case.errors.len());
        }
        Self { balances, masses: balances.map(|balance| balance.masses()) }
    }

    /// How many cases of the interval favour each side, by number of errors.
    pub fn balance(&self, interval: Interval) -> &Balance {
        &self.balances[interval as usize]
    }

    /// The error masses of one tree whose draw value lies in the interval.
    pub fn masses(&self, interval: Interval) -> &Masses {
        &self.masses[interval as usize]
    }

    /// All cases of Table I together.
    pub fn total_balance(&self) -> Balance {
        let mut total = Balance::default();
        for balance in &self.balances {
            total += balance;
        }
        total
    }

    /// Formula (5): the advantage of Minimax in I4 (positive values favour Minimax).
    pub fn formula5(&self) -> Polynomial {
        self.masses(Interval::I4).difference()
    }

    /// Formula (6): the advantage of Product in I2 (positive values favour Product, "vice versa").
    pub fn formula6(&self) -> Polynomial {
        -&self.masses(Interval::I2).difference()
    }

    /// g(p) with (5) = (1-p) g(p) and (6) = p g(p); the cofactors come in this order.
    ///
    /// The paper's g(p) = (1-p)^3 + (1-p)^2 p - (1-p) p^2 - p^3 simplifies to (1-p)^2 - p^2 = 1 - 2p.
    pub fn common_factor(&self) -> CommonFactor<2> {
        CommonFactor::of([self.formula5(), self.formula6()])
    }

    /// Condition (7) for these numbers of critical trees with the draw value in I2 and in I4.
    pub fn condition7(&self, n2: BigInt, n4: BigInt) -> Condition7 {
        let [cofactor5, cofactor6] = self.common_factor().cofactors;
        Condition7 { difference: &cofactor5.scaled(&n4) - &cofactor6.scaled(&n2), n2, n4 }
    }

    /// The error masses of trees of which `counts` fall in I1 to I5.
    pub fn weighted(&self, counts: &[BigInt; 5]) -> Masses {
        let mut sum = Masses::default();
        for (masses, count) in self.masses.iter().zip(counts) {
            sum.add_scaled(masses, count);
        }
        sum
    }
}

/// A common factor of polynomials and the cofactor of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommonFactor<const N: usize> {
    /// The greatest common divisor, its lowest coefficient positive (for g(p): positive at p = 0).
    pub factor: Polynomial,
    /// Each polynomial divided by the factor.
    pub cofactors: [Polynomial; N],
}

impl<const N: usize> CommonFactor<N> {
    /// Factors the polynomials, by exact division over the integers.
    pub fn of(polynomials: [Polynomial; N]) -> Self {
        let gcd = polynomials.iter().fold(Polynomial::default(), |gcd, polynomial| gcd.gcd(polynomial));
        let lowest = gcd.coefficients().iter().find(|coefficient| !coefficient.is_zero());
        let factor = if lowest.is_some_and(Signed::is_negative) { -&gcd } else { gcd };
        let quotients = polynomials.each_ref().map(|polynomial| polynomial.divide_exact(&factor));
        if quotients.iter().any(Option::is_none) {
            // This happens only if every polynomial is zero: then 1 is as good a factor as any.
            return Self { factor: Polynomial::constant(1), cofactors: polynomials };
        }
        Self { factor, cofactors: quotients.map(Option::unwrap_or_default) }
    }
}

/// Condition (7): (1-p) N(I4) > p N(I2).
///
/// The total advantage of Minimax is g(p) times the difference of the two sides. For p < 1/2, where
/// g(p) = 1 - 2p is positive, Minimax is therefore superior iff (7) holds; at p = 1/2 both rules are equally
/// good, and beyond, where an evaluation is more often wrong than right, the inequality is reversed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition7 {
    /// N(I2).
    pub n2: BigInt,
    /// N(I4).
    pub n4: BigInt,
    /// The left side minus the right side, as a polynomial in p.
    pub difference: Polynomial,
}

impl Condition7 {
    /// Whether (1-p) N(I4) > p N(I2).
    pub fn holds(&self, p: &Fraction) -> bool {
        self.difference.sign_at(p) > 0
    }

    /// The error probability p* = N(I4) / (N(I2) + N(I4)) at which both sides of (7) are equal: below it
    /// Minimax is superior. `None` if there is no critical tree in I2 or I4.
    pub fn threshold(&self) -> Option<Fraction> {
        match self.difference.coefficients() {
            [constant, slope] => Some(Fraction::new(-constant, slope.clone())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use prodmax_number::fraction::parse;

    use super::*;

    /// (1-p)^a p^b
    fn term(a: u32, b: u32) -> Polynomial {
        &Polynomial::one_minus_p().pow(a) * &Polynomial::p().pow(b)
    }

    fn printed(plus: [Polynomial; 2], minus: [Polynomial; 2]) -> Polynomial {
        &(&plus[0] + &plus[1]) - &(&minus[0] + &minus[1])
    }

    fn g() -> Polynomial {
        printed([term(3, 0), term(2, 1)], [term(1, 2), term(0, 3)])
    }

    #[test]
    fn formulas_5_and_6_are_the_printed_ones() {
        let formulas = Formulas::derive();
        assert_eq!(formulas.formula5(), printed([term(4, 0), term(3, 1)], [term(2, 2), term(1, 3)]));
        assert_eq!(formulas.formula6(), printed([term(3, 1), term(2, 2)], [term(1, 3), term(0, 4)]));
    }

    #[test]
    fn the_common_factor_is_the_printed_g() {
        let common = Formulas::derive().common_factor();
        assert_eq!(common.factor, g());
        assert_eq!(common.cofactors, [Polynomial::one_minus_p(), Polynomial::p()]);
        assert_eq!(g(), Polynomial::new([1, -2]));
    }

    #[test]
    fn the_other_intervals_are_balanced_for_every_p() {
        let formulas = Formulas::derive();
        for interval in [Interval::I1, Interval::I3, Interval::I5] {
            assert!(formulas.masses(interval).difference().is_zero(), "{interval}");
            assert!(!formulas.masses(interval).minimax_errs.is_zero(), "{interval}");
        }
    }

    #[test]
    fn masses_are_the_products_of_the_two_nodes() {
        // Slow twin: Pr(M lost) Pr(P won) and Pr(M won) Pr(P lost) from the win probabilities of the leaves.
        let formulas = Formulas::derive();
        for interval in Interval::ALL {
            let win = |leaf| {
                let above = interval.evaluated_won().contains(leaf);
                if above { Polynomial::one_minus_p() } else { Polynomial::p() }
            };
            use crate::depth2::Position::{M1, M2, P1, P2};
            let (m, p) = (&win(M1) * &win(M2), &win(P1) * &win(P2));
            let not = |node: &Polynomial| &Polynomial::constant(1) - node;
            assert_eq!(formulas.masses(interval).minimax_errs, &not(&m) * &p, "{interval}");
            assert_eq!(formulas.masses(interval).product_errs, &m * &not(&p), "{interval}");
        }
    }

    #[test]
    fn condition_7_is_the_sign_of_the_whole_for_small_errors() {
        let formulas = Formulas::derive();
        let counts: [BigInt; 5] = [11, 39, 5, 2, 7].map(Into::into);
        let whole = formulas.weighted(&counts).difference();
        let condition = formulas.condition7(counts[1].clone(), counts[3].clone());
        assert_eq!(whole, &g() * &condition.difference);
        assert_eq!(condition.threshold(), Some(parse("2/41").unwrap()));
        for text in ["0", "1/100", "2/41", "1/20", "49/100"] {
            let p = parse(text).unwrap();
            assert_eq!(condition.holds(&p), whole.sign_at(&p) > 0, "{text}");
            let n = |k: usize| Fraction::from_integer(counts[k].clone());
            assert_eq!(condition.holds(&p), (Fraction::from_integer(1.into()) - &p) * n(3) > &p * n(1));
        }
        // Beyond 1/2 the sign of g is reversed.
        let p = parse("3/4").unwrap();
        assert!(!condition.holds(&p) && whole.sign_at(&p) > 0);
    }

    #[test]
    fn thresholds_at_the_edges() {
        let formulas = Formulas::derive();
        let threshold = |n2: i64, n4: i64| formulas.condition7(n2.into(), n4.into()).threshold();
        assert_eq!(threshold(34, 1), Some(parse("1/35").unwrap()));
        assert_eq!(threshold(1, 0), Some(parse("0").unwrap()));
        assert_eq!(threshold(0, 1), Some(parse("1").unwrap()));
        assert_eq!(threshold(0, 0), None);
    }

    #[test]
    fn zero_polynomials_have_a_common_factor_too() {
        let common = CommonFactor::of([Polynomial::default(), Polynomial::default()]);
        assert_eq!(common.factor, Polynomial::constant(1));
        let common = CommonFactor::of([Polynomial::default(), Polynomial::new([0, -2])]);
        assert_eq!(common.factor, Polynomial::p());
        assert_eq!(common.cofactors, [Polynomial::default(), Polynomial::constant(-2)]);
    }

    #[test]
    fn the_total_is_fifteen_to_fifteen() {
        let total = Formulas::derive().total_balance();
        assert_eq!(total.favouring(crate::Side::Minimax), &[1, 4, 5, 4, 1]);
        assert_eq!(total.favouring(crate::Side::Product), &[0, 4, 7, 4, 0]);
        assert_eq!(total.critical(), 30);
    }
}
