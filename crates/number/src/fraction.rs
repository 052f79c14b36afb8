//! Exact fractions: reading `1/20` or `0.05`, printing as `p/q` and as a decimal, and the nearest double.

use std::str::FromStr;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};
use thiserror::Error;

use crate::Fraction;

/// The longest text read as a fraction: anything longer is a typing error and would make every later operation slow.
const MAX_CHARS: usize = 200;

/// Why a text is not a fraction.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FractionError {
    /// Neither `p/q` nor a decimal.
    #[error("`{0}` is not a number; write a fraction like 1/20 or a decimal like 0.05")]
    Syntax(String),
    /// The denominator is 0.
    #[error("`{0}` has the denominator 0")]
    ZeroDenominator(String),
    /// More characters than any sensible number has.
    #[error("a number of {0} characters is too long; at most {MAX_CHARS} are read")]
    TooLong(usize),
}

/// Reads `p/q`, an integer or a plain decimal (no exponent) exactly.
///
/// ```
/// use prodmax_number::fraction::{decimal, parse};
/// assert_eq!(parse("0.05"), parse("1/20"));
/// assert_eq!(decimal(&parse("1/35").unwrap(), 6), "0.028571");
/// ```
pub fn parse(text: &str) -> Result<Fraction, FractionError> {
    let text = text.trim();
    if text.len() > MAX_CHARS {
        return Err(FractionError::TooLong(text.len()));
    }
    let syntax = || FractionError::Syntax(text.to_owned());
    if let Some((numerator, denominator)) = text.split_once('/') {
        let numerator = integer(numerator).ok_or_else(syntax)?;
        let denominator = integer(denominator).ok_or_else(syntax)?;
        if denominator.is_zero() {
            return Err(FractionError::ZeroDenominator(text.to_owned()));
        }
        return Ok(Fraction::new(numerator, denominator));
    }
    let Some((whole, digits)) = text.split_once('.') else {
        return integer(text).map(Fraction::from_integer).ok_or_else(syntax);
    };
    let bare = whole.trim_start_matches(['-', '+']);
    let all_digits = bare.bytes().chain(digits.bytes()).all(|b| b.is_ascii_digit());
    if !all_digits || (bare.is_empty() && digits.is_empty()) || whole.len() > bare.len() + 1 {
        return Err(syntax());
    }
    let scaled = integer(&format!("{whole}{digits}")).ok_or_else(syntax)?;
    Ok(Fraction::new(scaled, BigInt::from(10).pow(digits.len() as u32)))
}

fn integer(text: &str) -> Option<BigInt> {
    BigInt::from_str(text.trim()).ok()
}

/// The decimal form of a fraction with `digits` places, rounded half away from zero.
pub fn decimal(value: &Fraction, digits: u32) -> String {
    let scaled = value * Fraction::from_integer(BigInt::from(10).pow(digits));
    let rounded = (scaled.abs() * BigInt::from(2) + BigInt::from(1)).floor().to_integer();
    let magnitude = rounded.div_floor(&BigInt::from(2));
    let sign = if value.is_negative() && !magnitude.is_zero() { "-" } else { "" };
    let text =
        format!("{magnitude:0>width$}", magnitude = magnitude.to_string(), width = digits as usize + 1);
    let (whole, places) = text.split_at(text.len() - digits as usize);
    if places.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{places}") }
}

/// The ends of an interval as decimals with `digits` places, rounded outwards: the printed interval contains the true
/// one.
///
/// ```
/// use prodmax_number::fraction::{outwards, parse};
/// let third = parse("1/3")?;
/// assert_eq!(outwards(&third, &third, 4), ["0.3333", "0.3334"]);
/// # Ok::<(), prodmax_number::fraction::FractionError>(())
/// ```
pub fn outwards(low: &Fraction, high: &Fraction, digits: u32) -> [String; 2] {
    let unit = Fraction::new(BigInt::from(1), BigInt::from(10).pow(digits));
    [(low / &unit).floor(), (high / &unit).ceil()].map(|end| decimal(&(end * &unit), digits))
}

/// The double nearest to a fraction (ties to even); 0 for magnitudes below the normal range.
pub fn to_f64(value: &Fraction) -> f64 {
    if value.is_zero() {
        return 0.0;
    }
    // Scale so that the integer quotient has 64 or 65 bits, make it odd if anything was cut off, and let its
    // conversion to a double do the rounding: with more than 54 bits a sticky bit breaks every tie correctly.
    let shift = 64 - (value.numer().bits() as i64 - value.denom().bits() as i64);
    let (numer, denom) = (value.numer().abs(), value.denom().clone());
    let (numer, denom) =
        if shift >= 0 { (numer << shift as u64, denom) } else { (numer, denom << (-shift) as u64) };
    let (quotient, rest) = numer.div_rem(&denom);
    let sticky = u128::from(!rest.is_zero());
    let magnitude = (u128::try_from(quotient).unwrap_or(u128::MAX) | sticky) as f64;
    let scaled = magnitude * power_of_two(-shift);
    if value.is_negative() { -scaled } else { scaled }
}

fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023).clamp(0, 2047) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_fractions_and_decimals() {
        let half = Fraction::new(1.into(), 2.into());
        for text in ["1/2", "0.5", ".5", "2/4", " 0.50 ", "-1/-2"] {
            assert_eq!(parse(text), Ok(half.clone()), "{text}");
        }
        assert_eq!(parse("-0.25"), Ok(Fraction::new((-1).into(), 4.into())));
        assert_eq!(parse("4"), Ok(Fraction::from_integer(4.into())));
    }

    #[test]
    fn refuses_what_is_not_a_number() {
        for text in ["", ".", "x", "1/x", "--1", "1.2.3", "1e5", "0x10", "1 2", "+-.5", "1.-5", "NaN", "inf"]
        {
            assert!(matches!(parse(text), Err(FractionError::Syntax(_))), "{text}");
        }
        assert_eq!(parse("1/0"), Err(FractionError::ZeroDenominator("1/0".into())));
        assert_eq!(parse(&"9".repeat(500)), Err(FractionError::TooLong(500)));
    }

    #[test]
    fn prints_rounded_decimals() {
        let cases = [
            ("1/3", 4, "0.3333"),
            ("2/3", 4, "0.6667"),
            ("-2/3", 0, "-1"),
            ("1/2", 0, "1"),
            ("-1/400", 2, "0.00"),
        ];
        for (text, digits, expected) in cases {
            assert_eq!(decimal(&parse(text).unwrap(), digits), expected, "{text}");
        }
        assert_eq!(decimal(&parse("-0.005").unwrap(), 2), "-0.01");
        assert_eq!(decimal(&parse("123").unwrap(), 3), "123.000");
    }

    proptest! {
        #[test]
        fn printed_intervals_contain_the_true_ones(p in -1000i64..1000, q in 1i64..1000, width in 0i64..50, digits in 0u32..12) {
            let low = Fraction::new(p.into(), q.into());
            let high = &low + Fraction::new(width.into(), 997.into());
            let [printed_low, printed_high] = outwards(&low, &high, digits).map(|end| parse(&end).unwrap());
            prop_assert!(printed_low <= low && high <= printed_high);
            let unit = Fraction::new(1.into(), BigInt::from(10).pow(digits));
            prop_assert!(&low - printed_low < unit && printed_high - &high < unit);
        }
    }

    proptest! {
        #[test]
        fn random_text_is_an_error_or_survives_printing(text in "[-+0-9./ e]{0,12}|\\PC{0,250}") {
            if let Ok(value) = parse(&text) {
                prop_assert_eq!(parse(&value.to_string()), Ok(value));
            }
        }
    }

    proptest! {
        #[test]
        fn the_nearest_double_is_found(n in any::<i64>(), d in 1i64..) {
            // Conversion of both parts is exact below 2^53, and IEEE division then rounds to nearest.
            let (n, d) = (n >> 11, (d >> 11).max(1));
            prop_assert_eq!(to_f64(&Fraction::new(n.into(), d.into())), n as f64 / d as f64);
        }
    }
}
