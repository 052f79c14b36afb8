//! A figure and what is known of it: exact, enclosed, bounded, sampled, estimated, or nothing at all.
//!
//! How a figure is printed, recorded and read back is decided here and nowhere else.

use std::fmt;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed};
use serde::{Deserialize, Serialize};

use crate::fraction::{decimal, parse, to_f64};
use crate::margin::{places, with_error};
use crate::possible::{Impossible, Kind};
use crate::{Approximate, Enclosure, Fraction, Uncertainty};

/// Decimal places to which an enclosed figure is recorded.
const RECORDED_PLACES: u32 = 15;

/// Decimal places to which a double is recorded: as many as are the same on every machine.
const DOUBLE_PLACES: usize = 9;

/// Decimal places of bounds and of estimates.
const MARGIN_PLACES: usize = 6;

/// 10^MARGIN_PLACES: the number of units of the last place in 1.
const UNITS_PER_ONE: f64 = 1e6;

/// Close to the greatest whole number that a double can hold; decimals would be noise.
const WITHOUT_DECIMALS: f64 = 1e15;

/// The separator between two bounds.
const RANGE_SEPARATOR: &str = " to ";

/// The separator between a number and its error.
const PLUS_MINUS: &str = " ± ";

/// A figure and what is known of it.
///
/// ```
/// use prodmax_number::{Approximate, Figure};
///
/// let sampled = Figure::from(Approximate::sampled(0.036_95, 0.000_72));
/// assert_eq!(sampled.beside(6), "0.03695 ± 0.00072");
/// assert_eq!(Figure::Between([0.1, 0.25]).recorded(), "0.100000 to 0.250000");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Full", try_from = "Full")]
pub enum Figure {
    /// A whole number.
    Integer(BigInt),
    /// An exact number.
    Fraction(Fraction),
    /// A number in an enclosure: proved.
    Enclosed(Enclosure),
    /// A number that is certain to lie between two doubles: proved.
    Between([f64; 2]),
    /// A double and how well it is known.
    Approximate(Approximate),
}

impl From<Approximate> for Figure {
    fn from(approximate: Approximate) -> Self {
        Self::Approximate(approximate)
    }
}

impl From<Fraction> for Figure {
    fn from(fraction: Fraction) -> Self {
        Self::Fraction(fraction)
    }
}

impl From<Certain> for Figure {
    fn from(certain: Certain) -> Self {
        match certain {
            Certain::Enclosed(enclosure) => Self::Enclosed(enclosure),
            Certain::Between(ends) => Self::Between(ends),
        }
    }
}

/// A number that is certain to lie in an interval.
#[derive(Clone, Debug, PartialEq)]
pub enum Certain {
    /// In an enclosure.
    Enclosed(Enclosure),
    /// Between two doubles.
    Between([f64; 2]),
}

impl Certain {
    /// The enclosure, unless the ends are doubles.
    pub fn enclosed(&self) -> Option<&Enclosure> {
        if let Self::Enclosed(enclosure) = self { Some(enclosure) } else { None }
    }
}

impl Figure {
    /// The gate that every figure passes before it is shown or recorded: the possible part of a figure of this kind.
    pub fn possible(self, kind: Kind) -> Result<Self, Impossible> {
        Ok(match self {
            Self::Integer(value) => {
                kind.check_fraction(&value.clone().into())?;
                Self::Integer(value)
            }
            Self::Fraction(value) => {
                kind.check_fraction(&value)?;
                Self::Fraction(value)
            }
            Self::Enclosed(value) => Self::Enclosed(kind.check_enclosure(&value)?),
            Self::Between(ends) => Self::Between(kind.check_interval(ends)?),
            Self::Approximate(figure) => Self::Approximate(figure.possible(kind)?),
        })
    }

    /// The number, or the middle of what it lies in; `None` if a double is not finite.
    pub fn middle(&self) -> Option<Fraction> {
        match self {
            Self::Integer(value) => Some(Fraction::from_integer(value.clone())),
            Self::Fraction(value) => Some(value.clone()),
            Self::Enclosed(value) => Some(value.middle()),
            Self::Between([low, high]) => Fraction::from_f64(f64::midpoint(*low, *high)),
            Self::Approximate(figure) => Fraction::from_f64(figure.value),
        }
    }

    /// The nearest double.
    pub fn double(&self) -> f64 {
        match self {
            Self::Approximate(figure) => figure.value,
            Self::Between([low, high]) => f64::midpoint(*low, *high),
            Self::Integer(_) | Self::Fraction(_) | Self::Enclosed(_) => {
                self.middle().as_ref().map_or(f64::NAN, to_f64)
            }
        }
    }

    /// Between which two numbers it lies, as far as that is proved; otherwise the number itself, twice.
    pub fn ends(&self) -> Option<[Fraction; 2]> {
        let doubles = |low: f64, high: f64| Some([Fraction::from_f64(low)?, Fraction::from_f64(high)?]);
        match self {
            Self::Enclosed(value) => Some([value.low(), value.high()]),
            Self::Between([low, high]) => doubles(*low, *high),
            Self::Approximate(Approximate { value, uncertainty: Uncertainty::Bound(bound) }) => {
                doubles(value - bound, value + bound)
            }
            _ => self.middle().map(|number| [number.clone(), number]),
        }
    }

    /// Between which two doubles it probably lies, if a margin or proved bounds in doubles are stated.
    pub fn margin_ends(&self) -> Option<[f64; 2]> {
        match *self {
            Self::Between(ends) => Some(ends),
            Self::Approximate(Approximate { value, uncertainty }) => {
                uncertainty.amount().map(|error| [value - error, value + error])
            }
            Self::Integer(_) | Self::Fraction(_) | Self::Enclosed(_) => None,
        }
    }

    /// Its bound, standard error or margin, if it is a double with one.
    pub fn error(&self) -> Option<f64> {
        if let Self::Approximate(figure) = self { figure.uncertainty.amount() } else { None }
    }

    /// The same in percent.
    pub fn percent(&self) -> Self {
        let hundred = || BigInt::from(100);
        match self {
            Self::Integer(value) => Self::Integer(value * hundred()),
            Self::Fraction(value) => Self::Fraction(value * hundred()),
            Self::Enclosed(value) => Self::Enclosed(value.scale(&hundred())),
            Self::Between([low, high]) => {
                Self::Between([(100.0 * low).next_down(), (100.0 * high).next_up()])
            }
            Self::Approximate(Approximate { value, uncertainty }) => {
                let wider = |error: f64| (100.0 * error).next_up();
                let uncertainty = match *uncertainty {
                    Uncertainty::Bound(error) => Uncertainty::Bound(wider(error)),
                    Uncertainty::StandardError(error) => Uncertainty::StandardError(100.0 * error),
                    Uncertainty::Margin(error) => Uncertainty::Margin(wider(error)),
                    Uncertainty::Unstated => Uncertainty::Unstated,
                };
                Approximate { value: 100.0 * value, uncertainty }.into()
            }
        }
    }

    /// The sign, if it is certain: -1, 0 or 1.
    pub fn sign(&self) -> Option<i8> {
        let signs = self.ends()?.map(|end| i8::from(end.is_positive()) - i8::from(end.is_negative()));
        (signs[0] == signs[1]).then(|| signs[0])
    }

    /// How it is recorded in a golden file.
    pub fn recorded(&self) -> String {
        let outwards = |end: f64| end / UNITS_PER_ONE + 0.0;
        match self {
            Self::Integer(value) => value.to_string(),
            Self::Fraction(value) => value.to_string(),
            Self::Enclosed(value) => decimal(&value.middle(), RECORDED_PLACES),
            Self::Between([low, high]) => {
                // Rounded outwards, and without a negative zero.
                let low = outwards((low * UNITS_PER_ONE).floor());
                let high = outwards((high * UNITS_PER_ONE).ceil());
                format!("{low:.MARGIN_PLACES$}{RANGE_SEPARATOR}{high:.MARGIN_PLACES$}")
            }
            Self::Approximate(Approximate { value, uncertainty }) => match uncertainty {
                Uncertainty::Unstated => format!("{value:.DOUBLE_PLACES$}"),
                Uncertainty::StandardError(error) => {
                    let places = places(*error).max(MARGIN_PLACES);
                    format!("{value:.places$}{PLUS_MINUS}{error:.places$}")
                }
                Uncertainty::Bound(error) | Uncertainty::Margin(error) => {
                    let error = outwards((error * UNITS_PER_ONE).ceil());
                    format!("{value:.MARGIN_PLACES$}{PLUS_MINUS}{error:.MARGIN_PLACES$}")
                }
            },
        }
    }

    /// A figure as a golden file records it. Of what follows ± the text does not tell whether it is a standard error.
    pub fn read(recorded: &str) -> Option<Self> {
        let double = |text: &str| text.parse::<f64>().ok();
        if let Some((low, high)) = recorded.split_once(RANGE_SEPARATOR) {
            return Some(Self::Between([double(low)?, double(high)?]));
        }
        if let Some((value, margin)) = recorded.split_once(PLUS_MINUS) {
            return Some(Approximate::estimated(double(value)?, double(margin)?).into());
        }
        parse(recorded).ok().map(Self::Fraction)
    }

    /// Whether a recorded text still matches: to the letter, except that an enclosed figure matches if some number in
    /// the enclosure rounds to the recorded decimal.
    pub fn is_recorded_as(&self, recorded: &str) -> bool {
        let Self::Enclosed(enclosure) = self else { return self.recorded() == recorded };
        let Ok(number) = parse(recorded) else { return false };
        let places = recorded.split_once('.').map_or(0, |(_, places)| places.len() as u32);
        // A recorded value with fewer digits would let ours drift unnoticed.
        if places < RECORDED_PLACES {
            return false;
        }
        let half_unit = Fraction::new(BigInt::from(1), BigInt::from(10).pow(places) * 2);
        enclosure.low() - &half_unit <= number && number <= enclosure.high() + half_unit
    }

    /// With `places` decimals, as far as they are certain; without what is known of it.
    pub fn places(&self, places: u32) -> String {
        match self {
            Self::Integer(value) => value.to_string(),
            Self::Fraction(value) => decimal(value, places),
            Self::Enclosed(value) => certain_places(value, places),
            Self::Between(_) | Self::Approximate(_) => {
                let double = self.double();
                if double.abs() >= WITHOUT_DECIMALS {
                    format!("{double:.15e}")
                } else {
                    format!("{double:.*}", places as usize)
                }
            }
        }
    }

    /// `factor` times the figure with what is known of it, to two digits of its margin: `1.2345 ± 0.0006`, or `1.2 to 1.3` for an
    /// interval, rounded outwards. A figure without a margin has nine decimals.
    pub fn with_margin(&self, factor: f64) -> String {
        const MOST: usize = 9;
        let [value, low, high] = match self.margin_ends() {
            Some([low, high]) => [self.double(), low, high],
            None => [self.double(); 3],
        }
        .map(|number| number * factor);
        let places = places((high - low) / 2.0).clamp(1, MOST);
        let unit = 10f64.powi(places as i32);
        if let Self::Between(_) = self {
            let (low, high) = ((low * unit).floor() / unit, (high * unit).ceil() / unit);
            return format!("{low:.places$}{RANGE_SEPARATOR}{high:.places$}");
        }
        if self.error().is_none() {
            return format!("{value:.MOST$}");
        }
        let margin = ((high - low) / 2.0 * unit).ceil() / unit;
        format!("{value:.places$}{PLUS_MINUS}{margin:.places$}")
    }

    /// How it is shown next to a published figure: rounded to `places`, a few digits more than that has.
    pub fn beside(&self, places: u32) -> String {
        match self {
            Self::Fraction(value) => decimal(value, places),
            Self::Enclosed(value) => decimal(&value.middle(), places),
            Self::Approximate(Approximate { value, uncertainty: Uncertainty::Unstated }) => {
                format!("{value:.*}", places as usize)
            }
            Self::Approximate(Approximate { value, uncertainty: Uncertainty::StandardError(error) }) => {
                with_error(*value, *error)
            }
            Self::Integer(_) | Self::Between(_) | Self::Approximate(_) => self.recorded(),
        }
    }
}

/// An enclosed number with only as many digits as the width of its enclosure allows.
fn certain_places(value: &Enclosure, places: u32) -> String {
    let certain = (-to_f64(&value.width()).log10()).floor();
    if certain >= f64::from(places) {
        return decimal(&value.middle(), places);
    }
    if certain >= 0.0 {
        return decimal(&value.middle(), certain as u32);
    }
    let middle = to_f64(&value.middle());
    if !middle.is_finite() {
        // Beyond doubles: four digits and a power of ten.
        return scientific(&value.middle().to_integer().magnitude().to_string());
    }
    let digits = (middle.abs().log10().floor() + certain).clamp(0.0, 15.0);
    format!("{middle:.*e}", digits as usize)
}

/// Four digits of a number that has at least five, rounded to the nearest (half up), and a power of ten.
pub fn scientific(digits: &str) -> String {
    let first_five: u32 = digits[..5].bytes().fold(0, |number, digit| 10 * number + u32::from(digit - b'0'));
    // 9999.5 and more become 10000: one more power of ten.
    let (four, power) = match (first_five + 5) / 10 {
        10_000 => (1000, digits.len()),
        four => (four, digits.len() - 1),
    };
    format!("{}.{:03}e{power}", four / 1000, four % 1000)
}

/// A figure in full, under a key of its own: whoever reads it knows that it is one.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Full {
    #[serde(rename = "$figure")]
    written: Written,
}

impl From<Figure> for Full {
    fn from(figure: Figure) -> Self {
        Self { written: figure.into() }
    }
}

impl TryFrom<Full> for Figure {
    type Error = Unreadable;
    fn try_from(full: Full) -> Result<Self, Unreadable> {
        full.written.try_into()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Figure {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Figure".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["number", "null"], "x-prodmax": "figure" })
    }
}

/// How a figure is kept in a file: doubles as their bits, because JSON has no infinity.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Written {
    Integer(String),
    Fraction(String),
    Enclosed { low: String, high: String, bits: u32 },
    Between([Bits; 2]),
    Within { value: Bits, bound: Bits },
    Sampled { value: Bits, standard_error: Bits },
    Estimated { value: Bits, margin: Bits },
    Double(Bits),
}

/// The bits of a double in hexadecimal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct Bits(String);

impl From<f64> for Bits {
    fn from(double: f64) -> Self {
        Self(format!("{:016x}", double.to_bits()))
    }
}

impl TryFrom<Bits> for f64 {
    type Error = Unreadable;
    fn try_from(Bits(text): Bits) -> Result<Self, Unreadable> {
        u64::from_str_radix(&text, 16).map(Self::from_bits).map_err(|_| Unreadable(text))
    }
}

/// What is not a kept figure.
#[derive(Debug)]
struct Unreadable(String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a part of a kept figure", self.0)
    }
}

impl From<Figure> for Written {
    fn from(figure: Figure) -> Self {
        match figure {
            Figure::Integer(value) => Self::Integer(value.to_string()),
            Figure::Fraction(value) => Self::Fraction(value.to_string()),
            Figure::Enclosed(value) => {
                let [low, high] = [value.low_end(), value.high_end()].map(ToString::to_string);
                Self::Enclosed { low, high, bits: value.bits() }
            }
            Figure::Between([low, high]) => Self::Between([low.into(), high.into()]),
            Figure::Approximate(Approximate { value, uncertainty }) => {
                let value = value.into();
                match uncertainty {
                    Uncertainty::Bound(bound) => Self::Within { value, bound: bound.into() },
                    Uncertainty::StandardError(error) => {
                        Self::Sampled { value, standard_error: error.into() }
                    }
                    Uncertainty::Margin(margin) => Self::Estimated { value, margin: margin.into() },
                    Uncertainty::Unstated => Self::Double(value),
                }
            }
        }
    }
}

impl TryFrom<Written> for Figure {
    type Error = Unreadable;
    fn try_from(written: Written) -> Result<Self, Unreadable> {
        let whole = |text: String| text.parse::<BigInt>().map_err(|_| Unreadable(text));
        Ok(match written {
            Written::Integer(text) => Self::Integer(whole(text)?),
            Written::Fraction(text) => Self::Fraction(parse(&text).map_err(|_| Unreadable(text))?),
            Written::Enclosed { low, high, bits } => {
                let unreadable = Unreadable(format!("{low} to {high}"));
                Self::Enclosed(Enclosure::of_ends([whole(low)?, whole(high)?], bits).ok_or(unreadable)?)
            }
            Written::Between([low, high]) => Self::Between([low.try_into()?, high.try_into()?]),
            Written::Within { value, bound } => {
                Approximate::within(value.try_into()?, bound.try_into()?).into()
            }
            Written::Sampled { value, standard_error } => {
                Approximate::sampled(value.try_into()?, standard_error.try_into()?).into()
            }
            Written::Estimated { value, margin } => {
                Approximate::estimated(value.try_into()?, margin.try_into()?).into()
            }
            Written::Double(value) => Approximate::unstated(value.try_into()?).into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enclosed(text: &str) -> Figure {
        Figure::Enclosed(Enclosure::of(&parse(text).unwrap(), 100))
    }

    #[test]
    fn an_enclosed_figure_may_not_move_beyond_its_enclosure() {
        let third = enclosed("1/3");
        assert_eq!(third.recorded(), "0.333333333333333");
        assert!(third.is_recorded_as("0.333333333333333"));
        assert!(!third.is_recorded_as("0.333333333333334"));
        assert!(!third.is_recorded_as("0.3333"), "too few digits to notice a change");
        assert!(!third.is_recorded_as("unset"));
    }

    #[test]
    fn an_enclosure_shows_no_digits_that_are_not_certain() {
        let about = |middle: &str, margin: &str| {
            let [middle, margin] = [middle, margin].map(|text| Enclosure::of(&parse(text).unwrap(), 100));
            Figure::Enclosed(middle.widened(&margin)).places(6)
        };
        assert_eq!(about("1/3", "0"), "0.333333");
        assert_eq!(about("1/3", "1/10000000000"), "0.333333");
        assert_eq!(about("1/3", "1/1000"), "0.33", "0.332 to 0.334");
        assert_eq!(about("352661248895690708353024", "120000000000"), "3.52661248896e23");
        assert_eq!(about("0", "5"), "0e0");
        let beyond = Enclosure::of(&Fraction::from_integer(BigInt::from(10).pow(400) * 123_456), 100);
        assert_eq!(Figure::Enclosed(beyond.widened(&beyond)).places(6), "1.235e405");
    }

    #[test]
    fn figures_are_shown_with_their_margins() {
        let estimate = Figure::from(Approximate::estimated(1.234_56, 0.000_555));
        assert_eq!(estimate.with_margin(1.0), "1.23456 ± 0.00056");
        assert_eq!(estimate.with_margin(100.0), "123.456 ± 0.056");
        assert_eq!(Figure::Between([-0.5, 0.25]).with_margin(1.0), "-0.50 to 0.25");
        assert_eq!(Figure::from(parse("1/3").unwrap()).with_margin(1.0), "0.333333333");
    }

    #[test]
    fn large_doubles_have_no_decimals() {
        let places = |value: f64| Figure::from(Approximate::unstated(value)).places(3);
        assert_eq!([places(0.5), places(-1e15)], ["0.500", "-1.000000000000000e15"]);
        assert_eq!(Figure::Between([0.25, 0.5]).places(3), "0.375");
    }

    #[test]
    fn margins_are_recorded_outwards_and_read_back() {
        let between = Figure::Between([-18.712_345_67, -18.000_000_01]);
        assert_eq!(between.recorded(), "-18.712346 to -18.000000");
        assert_eq!(Figure::read(&between.recorded()), Some(Figure::Between([-18.712_346, -18.0])));
        let estimate = Figure::from(Approximate::estimated(0.25, 0.000_000_2));
        assert_eq!(estimate.recorded(), "0.250000 ± 0.000001");
        let read = Figure::read(&estimate.recorded()).unwrap();
        assert_eq!(read, Figure::from(Approximate::estimated(0.25, 0.000_001)));
        assert_eq!(Figure::from(Approximate::estimated(0.25, 0.5)).margin_ends(), Some([-0.25, 0.75]));
        assert_eq!(Figure::read("20/7"), Some(Figure::Fraction(parse("20/7").unwrap())));
        assert_eq!(Figure::read("none"), None);
    }

    #[test]
    fn errors_get_enough_digits() {
        let sampled = |value, error| Figure::from(Approximate::sampled(value, error));
        assert_eq!(sampled(0.036_95, 0.000_72).beside(6), "0.03695 ± 0.00072");
        assert_eq!(sampled(0.036_95, 0.000_72).recorded(), "0.036950 ± 0.000720");
        assert_eq!(sampled(0.5, 0.000_001_2).recorded(), "0.5000000 ± 0.0000012");
        assert_eq!(sampled(249.0, 11.06).beside(6), "249 ± 11");
    }

    #[test]
    fn an_exact_figure_must_be_the_same() {
        let value = Figure::Fraction(parse("20/7").unwrap());
        assert!(value.is_recorded_as("20/7"));
        assert!(!value.is_recorded_as("2.857142857142857"));
        assert_eq!(value.beside(4), "2.8571");
    }

    /// What the pathology map once printed for a probability; and what every other form of it would be.
    #[test]
    fn impossible_figures_do_not_pass() {
        let impossible: [Figure; 10] = [
            Approximate::unstated(-1.297_114).into(),
            Figure::from(Approximate::estimated(-1.297_114, 0.241_578)),
            Figure::from(Approximate::sampled(-1.297_114, 0.01)),
            Figure::from(Approximate::sampled(0.5, f64::NAN)),
            Figure::from(Approximate::within(-1.297_114, 0.5)),
            Figure::Between([-1.3, -1.2]),
            Figure::Fraction(parse("8/7").unwrap()),
            Figure::Integer((-1).into()),
            enclosed("2"),
            Approximate::unstated(f64::NAN).into(),
        ];
        for figure in impossible {
            assert!(figure.clone().possible(Kind::Probability).is_err(), "{figure:?}");
        }
        let estimate = |value| Figure::from(Approximate::estimated(value, 0.01));
        assert_eq!(estimate(1.005).possible(Kind::Probability), Ok(estimate(1.0)));
        assert_eq!(Figure::Between([-0.1, 0.2]).possible(Kind::Probability), Ok(Figure::Between([0.0, 0.2])));
        let difference = Figure::from(Approximate::unstated(-6.5));
        assert_eq!(difference.clone().possible(Kind::Difference), Ok(difference));
    }

    #[test]
    fn ends_and_signs_are_those_that_are_proved() {
        let sign = |figure: Figure| figure.sign();
        assert_eq!(sign(Figure::Between([-1.0, 2.0])), None);
        assert_eq!(sign(Figure::from(Approximate::within(3.0, 2.0))), Some(1));
        assert_eq!(sign(Figure::from(Approximate::within(3.0, 4.0))), None);
        assert_eq!(sign(Figure::from(Approximate::sampled(-3.0, 40.0))), Some(-1));
        assert_eq!(sign(Figure::Integer(0.into())), Some(0));
        assert_eq!(sign(Approximate::unstated(f64::INFINITY).into()), None);
    }

    #[test]
    fn figures_are_kept_exactly() {
        let figures = [
            Figure::Integer(BigInt::from(9).pow(60)),
            Figure::Fraction(parse("-20/7").unwrap()),
            enclosed("1/3"),
            Figure::Between([f64::NEG_INFINITY, 0.1]),
            Figure::from(Approximate::within(0.1, f64::MIN_POSITIVE)),
            Figure::from(Approximate::sampled(-0.0, 1e300)),
            Figure::from(Approximate::estimated(0.3, f64::INFINITY)),
            Approximate::unstated(0.1 + 0.2).into(),
        ];
        for figure in figures {
            let text = serde_json::to_string(&figure).unwrap();
            assert_eq!(serde_json::from_str::<Figure>(&text).unwrap(), figure, "{text}");
        }
        for damaged in
            [r#"{"double":"3ff"}x"#, r#"{"double":"zz"}"#, r#"{"enclosed":{"low":"2","high":"1","bits":3}}"#]
        {
            assert!(serde_json::from_str::<Figure>(damaged).is_err(), "{damaged}");
        }
    }
}
