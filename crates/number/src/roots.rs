//! The real roots of an integer polynomial, isolated exactly by Sturm's theorem and bisection.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::Fraction;
use crate::polynomial::Polynomial;

/// One real root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Lower end of an interval that contains this root and no other.
    pub low: Fraction,
    /// Upper end of that interval; equal to `low` for a rational root.
    pub high: Fraction,
}

impl Root {
    /// The root itself, if it is rational (this is decided exactly, not guessed).
    pub fn exact(&self) -> Option<&Fraction> {
        (self.low == self.high).then_some(&self.low)
    }

    /// The middle of the interval.
    pub fn middle(&self) -> Fraction {
        (&self.low + &self.high) / BigInt::from(2)
    }
}

/// All roots strictly between `low` and `high`, ascending, each once whatever its multiplicity; irrational ones in
/// intervals no wider than 2^-bits. The zero polynomial has no isolated roots: the list is empty.
///
/// ```
/// use prodmax_number::{Polynomial, fraction::parse, roots::roots_between};
/// let roots = roots_between(&Polynomial::new([1, -35]), &parse("0").unwrap(), &parse("1/2").unwrap(), 64);
/// assert_eq!(roots[0].exact(), parse("1/35").ok().as_ref());
/// ```
pub fn roots_between(polynomial: &Polynomial, low: &Fraction, high: &Fraction, bits: u32) -> Vec<Root> {
    let square_free = square_free(polynomial);
    let chain = sturm_chain(&square_free);
    // The denominator of a rational root divides the leading coefficient, and two fractions with denominators up to L
    // are at least 1/L² apart: an interval narrower than that contains at most one of them.
    let lead = square_free.coefficients().last().map_or_else(BigInt::zero, Signed::abs);
    let width = Fraction::new(BigInt::one(), (&lead * &lead * 2u32).max(BigInt::one() << bits));
    let mut found = Vec::new();
    let mut pending = vec![(low.clone(), high.clone())];
    while let Some((low, high)) = pending.pop() {
        // Roots in the half-open interval (low, high], minus one at its upper end, which does not count.
        let at_high = usize::from(square_free.sign_at(&high) == 0);
        let count =
            sign_changes(&chain, &low).saturating_sub(sign_changes(&chain, &high)).saturating_sub(at_high);
        if count == 0 {
            continue;
        }
        if count == 1 && at_high == 0 && square_free.sign_at(&low) != 0 {
            found.push(refine(&square_free, low, high, &width));
            continue;
        }
        let middle = (&low + &high) / BigInt::from(2);
        if square_free.sign_at(&middle) == 0 {
            found.push(Root { low: middle.clone(), high: middle.clone() });
        }
        pending.push((middle.clone(), high));
        pending.push((low, middle));
    }
    found.sort_by(|a, b| a.low.cmp(&b.low));
    found
}

/// Bisects an interval with one simple root inside and none at its ends: the signs of the ends differ.
fn refine(polynomial: &Polynomial, mut low: Fraction, mut high: Fraction, width: &Fraction) -> Root {
    let sign = polynomial.sign_at(&low);
    while &high - &low > *width {
        let middle = (&low + &high) / BigInt::from(2);
        match polynomial.sign_at(&middle) {
            0 => return Root { low: middle.clone(), high: middle },
            at_middle if at_middle == sign => low = middle,
            _ => high = middle,
        }
    }
    let simplest = simplest_between(&low, &high);
    let inside = low < simplest && simplest < high;
    if inside && polynomial.sign_at(&simplest) == 0 {
        Root { low: simplest.clone(), high: simplest }
    } else {
        Root { low, high }
    }
}

fn square_free(polynomial: &Polynomial) -> Polynomial {
    let repeated = polynomial.gcd(&polynomial.derivative());
    polynomial.primitive().divide_exact(&repeated).unwrap_or_else(|| polynomial.clone())
}

fn sturm_chain(polynomial: &Polynomial) -> Vec<Polynomial> {
    let mut chain = vec![polynomial.clone(), polynomial.derivative()];
    while let [.., a, b] = chain.as_slice() {
        if b.is_zero() {
            chain.pop();
            break;
        }
        let next = -&a.pseudo_remainder(b).primitive();
        chain.push(next);
    }
    chain
}

fn sign_changes(chain: &[Polynomial], at: &Fraction) -> usize {
    let signs: Vec<i8> = chain.iter().map(|p| p.sign_at(at)).filter(|&sign| sign != 0).collect();
    signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// The fraction with the least denominator in the closed interval [low, high] (0 <= low), by continued fractions.
fn simplest_between(low: &Fraction, high: &Fraction) -> Fraction {
    let floor = low.numer().div_floor(low.denom());
    let whole = Fraction::from_integer(floor.clone());
    if whole == *low {
        return whole;
    }
    if whole.clone() + BigInt::one() <= *high {
        return whole + BigInt::one();
    }
    let rest = simplest_between(&(high - &whole).recip(), &(low - &whole).recip());
    whole + rest.recip()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fraction::parse;

    fn between(polynomial: &Polynomial, low: &str, high: &str) -> Vec<Root> {
        roots_between(polynomial, &parse(low).unwrap(), &parse(high).unwrap(), 80)
    }

    #[test]
    fn an_irrational_root_is_isolated() {
        let roots = between(&Polynomial::new([-1, 0, 8]), "0", "1/2"); // p = 1/√8
        assert_eq!(roots.len(), 1);
        assert!(roots[0].exact().is_none());
        let (low, high) = (&roots[0].low, &roots[0].high);
        let eighth = parse("1/8").unwrap();
        assert!(low * low < eighth && eighth < high * high);
    }

    #[test]
    fn the_ends_do_not_count() {
        let ends = Polynomial::new([0, 1, -2]); // p (1 - 2p)
        assert_eq!(between(&ends, "0", "1/2"), []);
        assert_eq!(between(&Polynomial::default(), "0", "1/2"), []);
        assert_eq!(between(&Polynomial::constant(3), "0", "1/2"), []);
    }

    proptest! {
        #[test]
        fn every_rational_root_is_found_once(roots in prop::collection::btree_set((1i64..40, 41i64..90), 0..5)) {
            let expected: std::collections::BTreeSet<Fraction> =
                roots.iter().map(|&(n, d)| Fraction::new(n.into(), d.into())).collect();
            // Each root doubled, and a factor without real roots.
            let product = roots.iter().fold(Polynomial::new([1, 0, 1]), |product, &(n, d)| {
                let factor = Polynomial::new([-n, d]);
                &(&product * &factor) * &factor
            });
            let found = between(&product, "0", "1");
            let exact: Vec<_> = found.iter().filter_map(|root| root.exact().cloned()).collect();
            prop_assert_eq!(exact.len(), found.len());
            prop_assert_eq!(exact, expected.into_iter().collect::<Vec<_>>());
        }
    }
}
