//! Figures with their errors, in as many digits as the errors allow.

/// The decimal places at which an error has two significant digits; none if it is 10 or more.
pub fn places(error: f64) -> usize {
    /// More would only be noise of doubles.
    const MOST: f64 = 15.0;
    if error > 0.0 && error.is_finite() { (1.0 - error.log10().floor()).clamp(0.0, MOST) as usize } else { 0 }
}

/// A figure and its error, which has two significant digits: never "0.04 ± 0.00". An error of 0 is printed as 0.
///
/// ```
/// use prodmax_number::margin::with_error;
/// assert_eq!(with_error(0.036_95, 0.000_72), "0.03695 ± 0.00072");
/// assert_eq!(with_error(31.4, 20.6), "31 ± 21");
/// assert_eq!(with_error(98.0, 0.0), "98 ± 0");
/// ```
pub fn with_error(value: f64, error: f64) -> String {
    if error > 0.0 {
        let places = places(error);
        return format!("{value:.places$} ± {error:.places$}");
    }
    format!("{value} ± 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_two_digits_whatever_their_size() {
        for (error, text) in
            [(0.05, "1.234 ± 0.050"), (0.099_6, "1.234 ± 0.100"), (1.5, "1.2 ± 1.5"), (150.0, "1 ± 150")]
        {
            assert_eq!(with_error(1.234, error), text);
        }
        for exponent in -14..6 {
            let text = with_error(1.0, 3.0 * 10f64.powi(exponent));
            let (_, error) = text.split_once(" ± ").unwrap();
            assert!(error.parse::<f64>().unwrap() > 0.0, "{text}");
        }
        assert_eq!(with_error(0.5, f64::NAN), "0.5 ± 0");
    }
}
