//! Ticks of axes: round numbers, with as many decimals as it takes to tell them apart.

use std::ops::Range;

use crate::figure::with_minus;

/// The distance between round ticks, 1, 2 or 5 times a power of ten, so that about `count` of them lie in a range of
/// this length.
pub fn step(length: f64, count: usize) -> f64 {
    let rough = length / count.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|step| *step >= rough * 0.999).unwrap_or(rough)
}

/// The round numbers in a range, about `count` of them.
pub fn ticks(range: &Range<f64>, count: usize) -> Vec<f64> {
    let step = step(range.end - range.start, count);
    let first = (range.start / step).ceil() as i64;
    let last = (range.end / step).floor() as i64;
    (first..=last).map(|number| number as f64 * step).collect()
}

/// A number with as many decimals as the step between ticks needs.
pub fn label(value: f64, step: f64) -> String {
    let places = (-(step * 1.001).log10().floor()).clamp(0.0, 9.0) as usize;
    // No minus sign before a zero.
    let value = if value.abs() < step / 1000.0 { 0.0 } else { value };
    with_minus(&format!("{value:.places$}"))
}

/// A range that contains all values, with a little space at both ends; some range around 0 if there are none.
pub fn around(values: impl IntoIterator<Item = f64>) -> Range<f64> {
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.into_iter().filter(|value| value.is_finite()) {
        (least, most) = (least.min(value), most.max(value));
    }
    if least > most {
        (least, most) = (0.0, 0.0);
    }
    let room = if most > least { (most - least) * 0.06 } else { 1.0 };
    least - room..most + room
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        assert_eq!(ticks(&(-9.3..0.5), 6), [-8.0, -6.0, -4.0, -2.0, 0.0]);
        assert_eq!(ticks(&(94.4..100.2), 6), [95.0, 96.0, 97.0, 98.0, 99.0, 100.0]);
        let labels = |range: Range<f64>, count| -> Vec<String> {
            let step = step(range.end - range.start, count);
            ticks(&range, count).into_iter().map(|tick| label(tick, step)).collect()
        };
        assert_eq!(labels(-0.11..0.11, 4), ["\u{2212}0.1", "0.0", "0.1"]);
        assert_eq!(labels(0.0..0.003, 3), ["0.000", "0.001", "0.002", "0.003"]);
        assert_eq!(labels(-1000.0..1500.0, 5), ["\u{2212}1000", "\u{2212}500", "0", "500", "1000", "1500"]);
    }

    #[test]
    fn a_range_has_room_for_its_values() {
        assert_eq!(around([0.0, 50.0]), -3.0..53.0);
        assert_eq!(around([7.0]), 6.0..8.0);
        assert_eq!(around([]), -1.0..1.0);
        assert_eq!(around([f64::NAN, 7.0]), 6.0..8.0);
    }
}
