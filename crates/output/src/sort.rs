//! Sorting rows by one of their columns.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::str::Chars;

use serde_json::Value;
use thiserror::Error;

use super::answer::plain;
use super::{Cell, Column, Format, Output, Table};

/// Why figures cannot be sorted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SortError {
    /// No table has the column.
    #[error("there is no column `{column}`; the columns are {}", columns.join(", "))]
    NoColumn {
        /// The name asked for.
        column: String,
        /// The columns that exist.
        columns: Vec<String>,
    },
    /// The elements of the JSON array do not have the column's figure.
    #[error(
        "the elements of this JSON array have no `{key}` to sort them by; other formats can be sorted by this column"
    )]
    NoKey {
        /// The path.
        key: String,
    },
}

impl Output {
    /// Sorts by a column, which is named as it is printed or by its JSON key: the rows of every table that has it or,
    /// for JSON, the elements of an array. Rows without a value come last in either order; equal rows keep their
    /// order.
    pub fn sort(&mut self, name: &str, descending: bool, format: Format) -> Result<(), SortError> {
        let path = self.path_of(name)?;
        match &mut self.value {
            Value::Array(elements) if format == Format::Json => {
                if !elements.is_empty() && elements.iter().all(|element| at(element, &path).is_none()) {
                    return Err(SortError::NoKey { key: path.join(".") });
                }
                let key = |element: &Value| key_of(at(element, &path).map(plain).as_ref());
                elements.sort_by_cached_key(|element| Place::of(&key(element), descending));
            }
            _ => self.tables.iter_mut().for_each(|table| sort_rows(table, name, descending)),
        }
        Ok(())
    }

    /// Where the figures of a column are in the JSON.
    fn path_of(&self, name: &str) -> Result<Vec<String>, SortError> {
        let column = |table: &Table| Some(table.columns[find(&table.columns, name)?].path());
        self.tables.iter().find_map(column).ok_or_else(|| {
            let mut columns: Vec<String> = Vec::new();
            for column in self.tables.iter().flat_map(|table| &table.columns) {
                if !columns.contains(&column.name) {
                    columns.push(column.name.clone());
                }
            }
            SortError::NoColumn { column: name.to_owned(), columns }
        })
    }
}

fn sort_rows(table: &mut Table, name: &str, descending: bool) {
    let Some(index) = find(&table.columns, name) else { return };
    table.rows.sort_by_cached_key(|row| {
        Place::of(&row.get(index).map_or_else(String::new, Cell::precise), descending)
    });
    // What the terminal shows below the old neighbour would be wrong below the new one.
    table.rows.iter_mut().flatten().for_each(|cell| cell.terminal = None);
}

/// A column by its name or JSON key, or else by its head on the terminal.
fn find(columns: &[Column], name: &str) -> Option<usize> {
    let is = |text: &str| !text.is_empty() && text.to_lowercase() == name.to_lowercase();
    let by_name = columns.iter().position(|column| is(&column.name) || is(&column.path().join(".")));
    by_name.or_else(|| columns.iter().position(|column| column.terminal.as_deref().is_some_and(is)))
}

fn at<'a>(element: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(element, |value, key| value.get(key))
}

/// A JSON value as it would be printed in a table.
fn key_of(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            parts.iter().map(|part| key_of(Some(part))).collect::<Vec<_>>().join(",")
        }
        Some(other) => other.to_string(),
    }
}

/// The sort key of a text: numbers by their value first, then other texts, empty ones last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Number(Turned<Number>),
    Text(Turned<Vec<Run>>),
    Nothing,
}

impl Place {
    fn of(text: &str, descending: bool) -> Self {
        let text = text.trim();
        match Number::of(text) {
            _ if matches!(text, "" | "-" | "\u{2013}") => Self::Nothing,
            Some(number) => Self::Number(Turned { key: number, descending }),
            None => Self::Text(Turned { key: runs(text), descending }),
        }
    }
}

/// A key in ascending or descending order.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Turned<K> {
    key: K,
    descending: bool,
}

impl<K: Ord> PartialOrd for Turned<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord> Ord for Turned<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        let ordering = self.key.cmp(&other.key);
        if self.descending { ordering.reverse() } else { ordering }
    }
}

/// A number as it is printed, compared exactly: counts have more digits than a double.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Number {
    is_negative: bool,
    /// The value is 0.DIGITS times ten to this power.
    power: i64,
    /// Without zeros at either end; empty for 0.
    digits: Vec<u8>,
}

impl Number {
    /// A decimal (`+1`, `-4.76`, `1.584e12`), a fraction (`1/35`), a size (`5.2 GiB`), or a figure with a margin,
    /// which counts as its value (`1.25 ± 0.01`) or lower end (`1.2 to 1.3`).
    fn of(text: &str) -> Option<Self> {
        if let Some(number) = Self::decimal(text) {
            return Some(number);
        }
        let double = |value: f64| Self::decimal(&format!("{value:e}"));
        if let Some((numerator, denominator)) = text.split_once('/') {
            let part = |text: &str| Self::decimal(text).and_then(|_| text.parse::<f64>().ok());
            return double(part(numerator)? / part(denominator)?);
        }
        let (number, rest) = text.split_once(' ')?;
        let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        match units.iter().position(|&unit| unit == rest) {
            Some(power) => double(number.parse::<f64>().ok()? * 1024f64.powi(power as i32)),
            None if rest.starts_with('±') || rest.starts_with("to ") => Self::decimal(number),
            None => None,
        }
    }

    fn decimal(text: &str) -> Option<Self> {
        let (is_negative, rest) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent: i64 = exponent.parse().ok()?;
        let all: Vec<u8> = whole.bytes().chain(decimals.bytes()).collect();
        if all.is_empty() || !all.iter().all(u8::is_ascii_digit) || !(-1 << 40..1 << 40).contains(&exponent) {
            return None;
        }
        let zeros = all.iter().take_while(|&&digit| digit == b'0').count();
        let mut digits = all[zeros..].to_vec();
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        if digits.is_empty() {
            return Some(Self { is_negative: false, power: 0, digits });
        }
        Some(Self { is_negative, power: whole.len() as i64 - zeros as i64 + exponent, digits })
    }

    /// -1, 0 or 1.
    fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.is_negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        let size = || (self.power, &self.digits).cmp(&(other.power, &other.digits));
        self.sign().cmp(&other.sign()).then_with(|| match self.sign() {
            1 => size(),
            -1 => size().reverse(),
            _ => Ordering::Equal,
        })
    }
}

/// A part of a text: digits count as a number, so that `8,8` comes before `10,10`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Run {
    Digits(Number),
    Other(String),
}

fn runs(text: &str) -> Vec<Run> {
    fn take(characters: &mut Peekable<Chars<'_>>, digits: bool) -> String {
        let mut run = String::new();
        while let Some(character) = characters.next_if(|c| c.is_ascii_digit() == digits) {
            run.push(character);
        }
        run
    }
    let mut characters = text.chars().peekable();
    let mut runs = Vec::new();
    while let Some(first) = characters.peek() {
        let is_digit = first.is_ascii_digit();
        let run = take(&mut characters, is_digit);
        runs.push(match Number::decimal(&run).filter(|_| is_digit) {
            Some(number) => Run::Digits(number),
            None => Run::Other(run),
        });
    }
    runs
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ordered(texts: &[&'static str], descending: bool) -> Vec<&'static str> {
        let mut texts = texts.to_vec();
        texts.sort_by_cached_key(|text| Place::of(text, descending));
        texts
    }

    #[test]
    fn numbers_are_compared_exactly_whatever_their_form() {
        let ascending = [
            "-12.5",
            "-4.76",
            "-4.7",
            "-1/8",
            "0.00",
            "0.001",
            "1/35",
            "0.5",
            "+1",
            "9007199254740992",
            "9007199254740993",
            "42391158275216203514294433201",
            "1.584e40",
            "2.5e399",
        ];
        let mut shuffled = ascending;
        shuffled.reverse();
        shuffled.swap(2, 9);
        assert_eq!(ordered(&shuffled, false), ascending);
        let sizes = ["1023 B", "1.0 KiB", "375.5 KiB", "5.2 GiB"];
        assert_eq!(ordered(&[sizes[3], sizes[1], sizes[0], sizes[2]], false), sizes);
        assert_eq!(ordered(&["1.5 to 2", "1.2 ± 0.1"], false), ["1.2 ± 0.1", "1.5 to 2"]);
    }

    #[test]
    fn texts_come_after_numbers_and_empty_cells_last() {
        assert_eq!(
            ordered(&["", "mean:16", "10,10", "-", "8,8", "3", "mean:4"], false),
            ["3", "8,8", "10,10", "mean:4", "mean:16", "", "-"]
        );
        assert_eq!(ordered(&["-", "b", "1", "2", "a"], true), ["2", "1", "b", "a", "-"]);
        // None of these is a number, and none of them panics.
        assert_eq!(ordered(&["1/0", "e5", "1e99999999999", "+", "1/x", "é 1"], false).len(), 6);
    }

    fn output() -> Output {
        let columns = vec![
            Column::left("increments"),
            Column::right("difference %"),
            Column::right("share %").at(["share", "minimax"]),
        ];
        let row = |increments: &str, difference: f64, share: &str| -> Vec<Cell> {
            vec![increments.into(), Cell::decimal(difference, 1), share.into()]
        };
        let table = Table {
            id: String::new(),
            title: String::new(),
            columns,
            rows: vec![row("8,8", -1.04, "3"), row("10,10", -1.01, "1"), row("3,3,3", -1.02, "2")],
            notes: Vec::new(),
        };
        let element = |increments: &[i32], difference: f64, share: i32| json!({"increments": increments, "difference_percent": difference, "share": {"minimax": share}});
        let value =
            vec![element(&[8, 8], -1.04, 3), element(&[10, 10], -1.01, 1), element(&[3, 3, 3], -1.02, 2)];
        Output::figures(Value::Array(value), vec![table])
    }

    fn first_column(name: &str, descending: bool) -> Vec<String> {
        let mut table = output();
        table.sort(name, descending, Format::Csv).unwrap();
        let mut json = output();
        json.sort(name, descending, Format::Json).unwrap();
        let rows: Vec<String> = table.tables[0].rows.iter().map(|row| row[0].text.clone()).collect();
        let elements = json.value.as_array().unwrap().iter();
        assert_eq!(rows, elements.map(|element| key_of(element.get("increments"))).collect::<Vec<_>>());
        rows
    }

    #[test]
    fn a_column_is_found_by_its_name_or_its_key_in_every_format() {
        // By more decimals than are printed.
        assert_eq!(first_column("difference %", false), ["8,8", "3,3,3", "10,10"]);
        assert_eq!(first_column("difference_percent", true), ["10,10", "3,3,3", "8,8"]);
        assert_eq!(first_column("Share %", false), first_column("share.minimax", false));
        assert_eq!(first_column("share %", false), ["10,10", "3,3,3", "8,8"]);
        assert_eq!(first_column("increments", false), ["3,3,3", "8,8", "10,10"]);
    }

    #[test]
    fn an_unknown_column_is_refused_with_a_sentence() {
        let message = |name, format| output().sort(name, false, format).unwrap_err().to_string();
        let unknown = "there is no column `x`; the columns are increments, difference %, share %";
        assert_eq!([message("x", Format::Csv), message("x", Format::Json)], [unknown; 2]);
        assert_eq!(message("", Format::Csv), unknown.replace('x', ""));
        let mut output = output();
        output.value = json!([{"other": 1}]);
        assert_eq!(
            output.sort("share %", false, Format::Json).unwrap_err(),
            SortError::NoKey { key: "share.minimax".to_owned() }
        );
        output.value = json!({"one": 1});
        assert_eq!(output.sort("share %", false, Format::Json), Ok(()), "one object has no order");
    }

    #[test]
    fn decimals_are_as_many_as_asked_for() {
        let mut output = output();
        output.tables[0].rows[0][2] = Cell::with_latex("3", "$3$");
        output.set_decimals(3);
        let texts: Vec<&str> = output.tables[0].rows[0].iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(texts, ["8,8", "-1.040", "3"], "only figures have decimals");
        let with = |value: f64, places: usize, wanted: usize| {
            let mut cell = Cell::decimal(value, places);
            cell.set_decimals(wanted);
            cell.text
        };
        assert_eq!(with(1.0 / 3.0, 6, 30), "0.333333333333333");
        assert_eq!(with(2.0 / 300.0, 6, 30), "0.00666666666666667");
        assert_eq!([with(123_456.5, 8, 0), with(-1.5, 2, 1), with(0.0, 2, 4)], ["123456", "-1.5", "0.0000"]);
        assert_eq!(with(1e14, 8, 20), "100000000000000.00000000", "no more than by default");
        assert_eq!(with(f64::NAN, 2, 3), "NaN");
    }
}
