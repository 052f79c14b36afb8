//! Numbers in sentences.

use std::fmt::Display;

use crate::figure::with_minus;

/// "all 42", "37 of 42" or "none of the 42".
pub fn out_of(some: usize, all: usize) -> String {
    match some {
        _ if some == all => format!("all {all}"),
        0 => format!("none of the {all}"),
        _ => format!("{some} of {all}"),
    }
}

/// "a", "a and b" or "a, b and c".
pub fn and<T: Display>(items: &[T]) -> String {
    let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
    match texts.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// A number with a given number of decimals and, if negative, a proper minus sign.
pub fn fixed(number: f64, places: usize) -> String {
    with_minus(&format!("{number:.places$}"))
}

/// The least and the greatest of some numbers; `None` if there are none.
pub fn extremes(numbers: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.into_iter().fold(None, |ends, number| match ends {
        None => Some((number, number)),
        Some((least, greatest)) => Some((number.min(least), number.max(greatest))),
    })
}

/// The mantissa and the power of ten of a large number: 4.2 and 28 for 4.2·10^28.
pub fn scientific(number: f64) -> (String, i32) {
    let text = format!("{number:.1e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa.to_owned(), exponent.parse().unwrap_or(0)),
        None => (text, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_put_into_words() {
        assert_eq!([out_of(3, 3), out_of(2, 3), out_of(0, 3)], ["all 3", "2 of 3", "none of the 3"]);
        assert_eq!([and(&[1]), and(&[1, 2]), and(&[1, 2, 3])], ["1", "1 and 2", "1, 2 and 3"]);
        assert_eq!(fixed(-0.126, 2), "\u{2212}0.13");
        assert_eq!(extremes([2.0, -1.0, 1.0]), Some((-1.0, 2.0)));
        assert_eq!(extremes([]), None);
        assert_eq!(scientific(9f64.powi(30)), ("4.2".to_owned(), 28));
    }
}
