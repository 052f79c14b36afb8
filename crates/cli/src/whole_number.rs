//! Whole numbers as arguments, with errors that are sentences.

use std::num::{IntErrorKind, ParseIntError};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Any whole number that fits the type.
pub(crate) fn whole<T: FromStr<Err = ParseIntError>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => format!("`{text}` is too large"),
        IntErrorKind::NegOverflow => format!("`{text}` is too small"),
        _ => format!("`{text}` is not a whole number"),
    })
}

/// A whole number in a range, which the error names even for a number that does not fit the type.
pub(crate) fn within<T: TryFrom<i128>>(
    range: RangeInclusive<i128>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = whole::<i128>(text)?;
        let inside = T::try_from(number).ok().filter(|_| range.contains(&number));
        inside.ok_or_else(|| format!("{number} does not lie between {} and {}", range.start(), range.end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_refused_with_a_sentence() {
        let root = whole::<i64>;
        assert_eq!([root("-6"), root("+1")], [Ok(-6), Ok(1)]);
        let message = |text: &str| root(text).unwrap_err();
        assert_eq!(message("1.5"), "`1.5` is not a whole number");
        assert_eq!(message(""), "`` is not a whole number");
        assert_eq!(message("99999999999999999999"), "`99999999999999999999` is too large");
        assert_eq!(message("-99999999999999999999"), "`-99999999999999999999` is too small");
    }

    #[test]
    fn a_range_is_named() {
        let threads = within::<u16>(1..=1024);
        assert_eq!([threads("1"), threads("1024")], [Ok(1), Ok(1024)]);
        for text in ["-1", "0", "1025", "70000"] {
            assert_eq!(threads(text), Err(format!("{text} does not lie between 1 and 1024")));
        }
        assert_eq!(threads("many"), Err("`many` is not a whole number".to_owned()));
    }
}
