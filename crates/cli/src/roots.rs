//! Root values as typed: numbers and ranges, separated by commas.

use std::str::FromStr;

use prodmax_enumerate::{Line, ZeroMode};

use crate::error::Error;
use crate::whole_number::whole;

/// The values of one `--root`, e.g. `-1`, `-4,-1,1` or `-4..2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Roots(Vec<Part>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    One(i64),
    /// Both ends included, the smaller one first.
    Range(i64, i64),
}

impl FromStr for Roots {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| {
            whole(text.trim()).map_err(|reason| {
                format!("{reason}; write a value like -1, a list like -4,-1,1 or a range like -4..2")
            })
        };
        let part = |part: &str| match part.split_once("..") {
            None => Ok(Part::One(number(part)?)),
            Some((from, to)) => match (number(from)?, number(to)?) {
                (from, to) if from > to => Err(format!(
                    "`{part}` goes backwards; a range goes from the smaller value to the greater"
                )),
                (from, to) => Ok(Part::Range(from, to)),
            },
        };
        text.split(',').map(part).collect::<Result<_, _>>().map(Self)
    }
}

impl Roots {
    /// The value, if it is a single one and not a list.
    fn single(&self) -> Option<i64> {
        match self.0[..] {
            [Part::One(value)] => Some(value),
            _ => None,
        }
    }
}

/// The value, if only one was typed, and neither as a list nor as a range.
pub(crate) fn single(all: &[Roots]) -> Option<i64> {
    match all {
        [roots] => roots.single(),
        _ => None,
    }
}

/// All values, each once, in the order in which they were typed. A range has the values that are on the line; whether
/// a value that was named is on it is left to the model.
pub(crate) fn values(all: &[Roots], line: &Line) -> Result<Vec<i64>, Error> {
    let mut values = Vec::new();
    let end = i64::from(line.h_max());
    for part in all.iter().flat_map(|roots| &roots.0) {
        match *part {
            Part::One(value) => values.push(value),
            Part::Range(from, to) => {
                let before = values.len();
                values.extend((from.max(-end)..=to.min(end)).filter(|&value| line.value(value).is_ok()));
                if values.len() == before {
                    let zero = if line.zero() == ZeroMode::Skip { " without 0" } else { "" };
                    return Err(Error::EmptyRange { from, to, h_max: end, zero });
                }
            }
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    values.retain(|&value| seen.insert(value));
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(h_max: i64, zero: ZeroMode, texts: &[&str]) -> Result<Vec<i64>, String> {
        let all: Vec<Roots> = texts.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
        values(&all, &Line::new(h_max, zero).unwrap()).map_err(|error| error.to_string())
    }

    fn roots(text: &str) -> Result<Vec<i64>, String> {
        on(42, ZeroMode::Skip, &[text])
    }

    #[test]
    fn a_range_has_both_ends_and_only_values_of_the_line() {
        assert_eq!(roots("-4..2"), Ok(vec![-4, -3, -2, -1, 1, 2]));
        assert_eq!(on(42, ZeroMode::Allow, &["-2..2"]), Ok(vec![-2, -1, 0, 1, 2]));
        assert_eq!(on(3, ZeroMode::Skip, &["-9223372036854775808..-2"]), Ok(vec![-3, -2]));
        assert_eq!(roots("5..5"), Ok(vec![5]));
        assert_eq!(roots(" -1 .. +1 "), Ok(vec![-1, 1]));
    }

    #[test]
    fn lists_keep_their_order_and_name_each_value_once() {
        assert_eq!(roots("-4,-1,1"), Ok(vec![-4, -1, 1]));
        assert_eq!(roots("3, -1..2,1"), Ok(vec![3, -1, 1, 2]));
        assert_eq!(on(42, ZeroMode::Skip, &["2", "-1,2"]), Ok(vec![2, -1]));
        assert_eq!(roots("0"), Ok(vec![0]), "the model refuses it with its own sentence");
    }

    #[test]
    fn only_one_plain_value_is_single() {
        let single = |texts: &[&str]| {
            let all: Vec<Roots> = texts.iter().map(|text| text.parse().unwrap()).collect();
            single(&all)
        };
        assert_eq!(single(&["-1"]), Some(-1));
        assert_eq!([single(&["1..1"]), single(&["-1", "-1"]), single(&["1,2"])], [None; 3]);
    }

    #[test]
    fn invalid_roots_are_refused_with_a_sentence() {
        let hint = "write a value like -1, a list like -4,-1,1 or a range like -4..2";
        assert_eq!(roots("x").unwrap_err(), format!("`x` is not a whole number; {hint}"));
        assert_eq!(roots("1,").unwrap_err(), format!("`` is not a whole number; {hint}"));
        assert_eq!(roots("1..").unwrap_err(), format!("`` is not a whole number; {hint}"));
        assert_eq!(roots("1..2..3").unwrap_err(), format!("`2..3` is not a whole number; {hint}"));
        assert_eq!(
            roots("2..-4").unwrap_err(),
            "`2..-4` goes backwards; a range goes from the smaller value to the greater"
        );
        assert_eq!(
            roots("0..0").unwrap_err(),
            "the range 0..0 has no value on the line, which goes from -42 to +42 without 0"
        );
        assert_eq!(
            on(42, ZeroMode::Allow, &["50..60"]).unwrap_err(),
            "the range 50..60 has no value on the line, which goes from -42 to +42"
        );
    }
}
