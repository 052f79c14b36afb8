//! Polynomials written as the papers print them: as a sum over the numbers of errors.

use std::fmt;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use prodmax_number::Polynomial;

/// A polynomial of degree at most n as the sum of c_k (1-p)^(n-k) p^k over k errors among n leaves. The
/// coefficients are unique: (1-p) + p = 1 raises every term to degree n.
///
/// ```
/// use prodmax_cases::depth2::{Formulas, PatternForm};
/// let g = Formulas::derive().common_factor().factor;
/// let printed = PatternForm::of(&g, 3).unwrap();
/// assert_eq!(printed.to_string(), "(1-p)^3 + (1-p)^2 p - (1-p) p^2 - p^3");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternForm {
    coefficients: Vec<BigInt>,
}

impl PatternForm {
    /// The form over patterns of `leaves` leaves; `None` if the degree is higher.
    pub fn of(polynomial: &Polynomial, leaves: usize) -> Option<Self> {
        if polynomial.degree().is_some_and(|degree| degree > leaves) {
            return None;
        }
        let mut coefficients = vec![BigInt::zero(); leaves + 1];
        for (power, coefficient) in polynomial.coefficients().iter().enumerate() {
            // p^j = p^j ((1-p) + p)^(n-j), by the binomial theorem.
            let mut binomial = BigInt::one();
            for (k, sum) in coefficients[power..].iter_mut().enumerate() {
                *sum += coefficient * &binomial;
                binomial = binomial * (leaves - power - k) / (k + 1);
            }
        }
        Some(Self { coefficients })
    }

    /// The coefficients; entry k belongs to the patterns with k errors.
    pub fn coefficients(&self) -> &[BigInt] {
        &self.coefficients
    }

    /// As LaTeX math, without the dollars.
    pub fn latex(&self) -> String {
        self.write(|base, power| format!("{base}^{{{power}}}"))
    }

    fn write(&self, raise: fn(&str, usize) -> String) -> String {
        let leaves = self.coefficients.len().saturating_sub(1);
        let mut text = String::new();
        for (errors, coefficient) in self.coefficients.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            text += match (text.is_empty(), coefficient.is_negative()) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let mut factors = Vec::new();
            if !coefficient.abs().is_one() || leaves == 0 {
                factors.push(coefficient.abs().to_string());
            }
            for (base, power) in [("(1-p)", leaves - errors), ("p", errors)] {
                match power {
                    0 => {}
                    1 => factors.push(base.to_owned()),
                    _ => factors.push(raise(base, power)),
                }
            }
            text += &factors.join(" ");
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }
}

impl fmt::Display for PatternForm {
    /// `(1-p)^3 p + (1-p)^2 p^2`, fewest errors first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.write(|base, power| format!("{base}^{power}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::depth2::{Formulas, Interval};

    #[test]
    fn formulas_5_and_6_print_as_in_the_paper() {
        let formulas = Formulas::derive();
        let print = |polynomial: &Polynomial| PatternForm::of(polynomial, 4).unwrap().to_string();
        assert_eq!(print(&formulas.formula5()), "(1-p)^4 + (1-p)^3 p - (1-p)^2 p^2 - (1-p) p^3");
        assert_eq!(print(&formulas.formula6()), "(1-p)^3 p + (1-p)^2 p^2 - (1-p) p^3 - p^4");
    }

    #[test]
    fn the_coefficients_of_a_mass_are_the_numbers_of_cases() {
        let formulas = Formulas::derive();
        for interval in Interval::ALL {
            let form = PatternForm::of(&formulas.masses(interval).product_errs, 4).unwrap();
            let counts = formulas.balance(interval).favouring(crate::Side::Minimax).map(BigInt::from);
            assert_eq!(form.coefficients(), counts, "{interval}");
        }
    }

    #[test]
    fn the_edges_of_the_form() {
        let form =
            |polynomial: &Polynomial, leaves| PatternForm::of(polynomial, leaves).map(|f| f.to_string());
        assert_eq!(form(&Polynomial::default(), 2).as_deref(), Some("0"));
        assert_eq!(form(&Polynomial::constant(-1), 0).as_deref(), Some("-1"));
        assert_eq!(form(&Polynomial::constant(1), 2).as_deref(), Some("(1-p)^2 + 2 (1-p) p + p^2"));
        assert_eq!(form(&Polynomial::new([0, 0, 1]), 1), None);
        let pattern = Polynomial::pattern(3, 8);
        assert_eq!(PatternForm::of(&pattern, 8).unwrap().latex(), "(1-p)^{5} p^{3}");
    }
}
