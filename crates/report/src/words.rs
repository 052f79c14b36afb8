//! Numbers in sentences.

use std::fmt::Display;

use prodmax_enumerate::Model;
use prodmax_number::margin::with_error;
use prodmax_output::Cell;

use crate::figure::with_minus;

/// "all 42", "37 of 42" or "none of the 42".
pub fn out_of(some: usize, all: usize) -> String {
    match some {
        _ if some == all => format!("all {all}"),
        0 => format!("none of the {all}"),
        _ => format!("{some} of {all}"),
    }
}

/// A figure with its error, in as many digits as that allows.
pub fn with_error_cell(value: f64, error: f64) -> Cell {
    let text = with_error(value, error);
    let latex = text.replace('±', "$\\pm$");
    Cell::with_latex(text, latex)
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

/// "increments up to 8", or "increments up to 2 to 8" if they are not the same in all models and at all levels.
pub fn widths<'a>(models: impl IntoIterator<Item = &'a Model>) -> String {
    let all =
        models.into_iter().flat_map(|model| model.increments().iter().map(|&increment| f64::from(increment)));
    match extremes(all) {
        Some((least, most)) if least == most => format!("increments up to {most}"),
        Some((least, most)) => format!("increments up to {least} to {most}"),
        None => "no increments".to_owned(),
    }
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
    use prodmax_enumerate::{Line, ZeroMode};

    use super::*;

    #[test]
    fn numbers_are_put_into_words() {
        assert_eq!([out_of(3, 3), out_of(2, 3), out_of(0, 3)], ["all 3", "2 of 3", "none of the 3"]);
        assert_eq!([and(&[1]), and(&[1, 2]), and(&[1, 2, 3])], ["1", "1 and 2", "1, 2 and 3"]);
        assert_eq!(fixed(-0.126, 2), "\u{2212}0.13");
        assert_eq!(extremes([2.0, -1.0, 1.0]), Some((-1.0, 2.0)));
        assert_eq!(extremes([]), None);
        let model = |increments| Model::new(1, increments, ZeroMode::Skip, Line::DEFAULT_H_MAX).unwrap();
        assert_eq!(widths(&[model(&[8, 8]), model(&[8, 8, 8])]), "increments up to 8");
        assert_eq!(widths(&[model(&[4, 4, 2])]), "increments up to 2 to 4");
        assert_eq!(scientific(9f64.powi(30)), ("4.2".to_owned(), 28));
    }
}
