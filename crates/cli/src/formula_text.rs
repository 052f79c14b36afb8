//! Polynomials and fractions for readers and for programs.

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use prodmax_number::fraction::decimal;
use prodmax_number::{Fraction, Polynomial};
use serde_json::{Value, json};

use crate::output::{Cell, Column};

/// Decimal places of the values of exact fractions.
const DECIMALS: u32 = 9;

/// An integer for JSON: a number if it fits into 64 bits, otherwise a decimal string.
pub(crate) fn integer(value: &BigInt) -> Value {
    value.to_i64().map_or_else(|| Value::String(value.to_string()), Value::from)
}

/// The coefficients for JSON, lowest power of p first; the zero polynomial has none.
pub(crate) fn coefficients(polynomial: &Polynomial) -> Value {
    polynomial.coefficients().iter().map(integer).collect()
}

/// A polynomial for a table.
pub(crate) fn polynomial(polynomial: &Polynomial) -> Cell {
    let text = polynomial.to_string();
    let latex = format!("${}$", braced(&text));
    Cell::with_latex(text, latex)
}

/// `p^12` as `p^{12}`: without braces LaTeX raises only one character.
fn braced(text: &str) -> String {
    let mut parts = text.split('^');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let end = part.find(|character: char| !character.is_ascii_digit()).unwrap_or(part.len());
        format!("{text}^{{{}}}{}", &part[..end], &part[end..])
    })
}

/// The columns `1`, `p`, `p^2`, … of a table of coefficients.
pub(crate) fn power_columns(degree: usize) -> impl Iterator<Item = Column> {
    (0..=degree).map(|power| match power {
        0 => Column::right("1").with_latex("$1$"),
        1 => Column::right("p").with_latex("$p$"),
        _ => Column::right(format!("p^{power}")).with_latex(format!("$p^{{{power}}}$")),
    })
}

/// The coefficients up to a degree, each over the denominator, for the columns of [`power_columns`].
pub(crate) fn power_cells(polynomial: &Polynomial, denominator: &BigInt, degree: usize) -> Vec<Cell> {
    let coefficient = |power| polynomial.coefficients().get(power).cloned().unwrap_or_default();
    (0..=degree).map(|power| exact(&Fraction::new(coefficient(power), denominator.clone()))).collect()
}

/// An exact fraction for a table.
pub(crate) fn exact(value: &Fraction) -> Cell {
    Cell::with_latex(value.to_string(), format!("${value}$"))
}

/// The decimal form of a fraction for a table.
pub(crate) fn rounded(value: &Fraction) -> Cell {
    let value = value.clone();
    let cell = Cell::figure(DECIMALS as usize, move |places| decimal(&value, places as u32));
    let latex = format!("${}$", cell.text);
    cell.typeset(Some(latex))
}

/// A fraction for JSON, exactly and as a decimal.
pub(crate) fn fraction(value: &Fraction) -> Value {
    json!({"exact": value.to_string(), "decimal": decimal(value, DECIMALS)})
}

/// A number of trees for JSON: an integer, or a fraction where leaves of value 0 are split.
pub(crate) fn trees(value: &Fraction) -> Value {
    if value.is_integer() { integer(value.numer()) } else { Value::String(value.to_string()) }
}

/// A value for JSON that may be missing.
pub(crate) fn optional(value: Option<&Fraction>) -> Value {
    value.map_or(Value::Null, fraction)
}

/// (1 - p) / p: the ratio of trees in I2 to trees in I4 above which Minimax's advantage is outweighed; `None` at p =
/// 0.
pub(crate) fn odds(p: &Fraction) -> Option<Fraction> {
    (!p.is_zero()).then(|| (Fraction::from_integer(1.into()) - p) / p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_braced() {
        let twelfth = &Polynomial::p().pow(12) - &Polynomial::new([0, 3]);
        assert_eq!(polynomial(&twelfth), Cell::with_latex("-3p + p^12", "$-3p + p^{12}$"));
        assert_eq!(braced("1 - 2p^2 + p^10"), "1 - 2p^{2} + p^{10}");
    }

    #[test]
    fn coefficients_are_numbers_while_they_fit() {
        let polynomial = Polynomial::new([BigInt::from(-2), BigInt::from(0), BigInt::from(1u64 << 63)]);
        assert_eq!(coefficients(&polynomial), json!([-2, 0, "9223372036854775808"]));
        assert_eq!(coefficients(&Polynomial::default()), json!([]));
    }

    #[test]
    fn coefficients_over_a_denominator() {
        let cells = power_cells(&Polynomial::new([4, -1]), &4.into(), 2);
        assert_eq!(cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>(), ["1", "-1/4", "0"]);
        assert_eq!(power_columns(2).map(|column| column.name).collect::<Vec<_>>(), ["1", "p", "p^2"]);
    }
}
