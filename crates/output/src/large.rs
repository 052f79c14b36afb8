//! Large exact numbers for readers and for programs.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};
use prodmax_number::figure;
use serde_json::Value;

use crate::Cell;

/// Longer numbers are shown to readers with a power of ten.
const MAX_DIGITS: usize = 30;

/// Many JSON readers hold numbers in doubles, which skip whole numbers beyond 2^53.
const MAX_EXACT: u64 = 1 << 53;

/// A number for a table: exact up to 30 digits, then rounded to four digits and with a power of ten.
pub fn cell(number: &BigUint) -> Cell {
    let digits = number.to_string();
    if digits.len() <= MAX_DIGITS { digits.into() } else { scientific(&digits) }
}

/// Four digits of a number that has at least five and a power of ten.
fn scientific(digits: &str) -> Cell {
    let text = figure::scientific(digits);
    let latex = text.replacen('e', "\\cdot 10^{", 1);
    Cell::with_latex(text, format!("${latex}}}$"))
}

/// A number of things for a sentence: `1 tree`, `3 trees`.
pub fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// A count for JSON: a number if every JSON reader can hold it, otherwise a decimal string.
pub fn count(number: &BigUint) -> Value {
    number.to_u64().filter(|&number| number <= MAX_EXACT).map_or_else(|| text(number), Value::from)
}

/// A number for JSON as a decimal string, whatever its size.
pub fn text(number: &BigUint) -> Value {
    Value::String(number.to_string())
}

/// A quotient with two decimals, rounded down; with a power of ten if it is large.
pub fn ratio(numerator: &BigUint, denominator: &BigUint) -> Cell {
    let hundredths = numerator * 100u32 / denominator.max(&BigUint::one());
    let digits = format!("{hundredths:0>3}");
    let (whole, decimals) = digits.split_at(digits.len() - 2);
    if whole.len() > 12 { scientific(whole) } else { format!("{whole}.{decimals}").into() }
}

/// A size in bytes in a suitable unit, rounded up to one decimal.
pub fn bytes(bytes: &BigUint) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut unit = BigUint::one();
    let mut index = 0;
    while index + 1 < units.len() && bytes >= &(&unit << 10u32) {
        unit <<= 10u32;
        index += 1;
    }
    if index == 0 {
        return format!("{bytes} B");
    }
    let tenths = (bytes * 10u32 + &unit - 1u32) / &unit;
    let (whole, tenth) = (&tenths / 10u32, tenths % 10u32);
    if whole > BigUint::from(1u32 << 10) {
        return format!("{} {}", cell(&whole).text, units[index]);
    }
    format!("{whole}.{tenth} {}", units[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big(number: u64) -> BigUint {
        BigUint::from(number)
    }

    #[test]
    fn sizes() {
        let sizes = [0, 1023, 1024, 1025, 3 << 30].map(|size| bytes(&big(size)));
        assert_eq!(sizes, ["0 B", "1023 B", "1.0 KiB", "1.1 KiB", "3.0 GiB"]);
    }

    #[test]
    fn counts_that_a_double_cannot_hold_are_strings() {
        assert_eq!(count(&big(1 << 53)), Value::from(1u64 << 53));
        assert_eq!(count(&big((1 << 53) + 1)), Value::from("9007199254740993"));
    }

    #[test]
    fn things() {
        assert_eq!([0, 1, 2].map(|number| counted(number, "tree")), ["0 trees", "1 tree", "2 trees"]);
    }

    #[test]
    fn quotients() {
        let texts = [(1, 3), (7, 1), (200, 3), (u64::MAX, 7)].map(|(n, d)| ratio(&big(n), &big(d)).text);
        assert_eq!(texts, ["0.33", "7.00", "66.66", "2.635e18"]);
    }

    #[test]
    fn numbers() {
        let ten = big(10);
        assert_eq!(cell(&ten.pow(29)).text.len(), 30);
        assert_eq!(cell(&ten.pow(30)), Cell::with_latex("1.000e30", "$1.000\\cdot 10^{30}$"));
        let rounded =
            [1_4555, 1_4554, 9_9994, 9_9995, 1_0005].map(|five| cell(&(big(five) * ten.pow(55))).text);
        assert_eq!(rounded, ["1.456e59", "1.455e59", "9.999e59", "1.000e60", "1.001e59"]);
        assert_eq!(count(&ten), Value::from(10));
        assert_eq!(count(&ten.pow(20)), Value::from("100000000000000000000"));
    }
}
