//! The answer of a command: one serialisable type, of which JSON, its description, tables and drawings are views.
//!
//! In full, a figure is `{"$figure": …}` and an exact count `{"$count": "…"}`, so that what is kept is read back exactly and a
//! program that embeds this one sees what they are. [`json()`] writes them as plain numbers and texts, and repeats the paths of all
//! figures of which something is known under `known`.

use prodmax_number::{Count, Figure, Uncertainty};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::drawing::Drawing;
use crate::junit;
use crate::{Cell, Column, Output, Table};

/// Significant digits of the ends of a printed enclosure.
const ENCLOSURE_DIGITS: u32 = 14;

/// Where what is known of figures stands.
const KNOWN: &str = "known";

/// The keys of figures and of counts in full.
const FIGURE: &str = "$figure";
const COUNT: &str = "$count";

/// What a command answers.
pub trait Answer: Serialize {
    /// What readers see.
    fn view(&self) -> View;
}

/// An answer for readers.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The figures as tables.
    pub tables: Vec<Table>,
    /// A drawing of them, if there is something to draw.
    pub drawing: Option<Drawing>,
    /// If they are checks: what does not hold is exit status 1, and CI systems get a list.
    pub checks: Option<Checks>,
}

/// The outcome of checks.
#[derive(Clone, Debug)]
pub struct Checks {
    /// Whether everything holds.
    pub holds: bool,
    /// For CI systems, if there is a list.
    pub junit: Option<junit::Suite>,
}

impl From<Vec<Table>> for View {
    fn from(tables: Vec<Table>) -> Self {
        Self { tables, ..Self::default() }
    }
}

/// One element for one thing that was named, a list if there may be several: a script need not check.
#[derive(Clone, Debug)]
pub enum Listed<T> {
    /// Printed as an object.
    One(T),
    /// Printed as an array, even if it has one element.
    Many(Vec<T>),
}

impl<T> Listed<T> {
    /// The elements as a list, or the only one alone.
    pub fn new(is_one: bool, elements: Vec<T>) -> Self {
        let mut elements = elements;
        match elements.pop() {
            Some(one) if is_one && elements.is_empty() => Self::One(one),
            last => {
                elements.extend(last);
                Self::Many(elements)
            }
        }
    }

    /// The elements.
    pub fn all(&self) -> &[T] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }
}

impl<T: Serialize> Serialize for Listed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::One(one) => one.serialize(serializer),
            Self::Many(many) => many.serialize(serializer),
        }
    }
}

/// A table that is made column by column: the head of a figure and how it is shown stand together.
#[derive(Clone, Debug)]
pub struct Rows<'a, T> {
    elements: Vec<&'a T>,
    table: Table,
}

impl<'a, T> Rows<'a, T> {
    /// A table with a row for each element, and no columns yet.
    pub fn new(id: impl Into<String>, title: impl Into<String>, elements: Vec<&'a T>) -> Self {
        let rows = elements.iter().map(|_| Vec::new()).collect();
        Self { elements, table: Table { id: id.into(), title: title.into(), rows, ..Table::default() } }
    }

    /// The elements.
    pub fn elements(&self) -> &[&'a T] {
        &self.elements
    }

    /// One more column.
    pub fn column(&mut self, column: Column, cell: impl Fn(&T) -> Cell) {
        self.columns(vec![column], |element| vec![cell(element)]);
    }

    /// More columns at once, with as many cells.
    pub fn columns(&mut self, columns: Vec<Column>, cells: impl Fn(&T) -> Vec<Cell>) {
        self.table.columns.extend(columns);
        for (row, element) in self.table.rows.iter_mut().zip(&self.elements) {
            row.extend(cells(element));
        }
    }

    /// Sentences below the table.
    pub fn notes(&mut self, notes: impl IntoIterator<Item = String>) {
        self.table.notes.extend(notes);
    }

    /// The table.
    pub fn table(self) -> Table {
        self.table
    }
}

impl Output {
    /// The views of an answer.
    pub fn answer(answer: &impl Answer) -> Self {
        let View { tables, drawing, checks } = answer.view();
        let (holds, junit) = checks.map_or((true, None), |checks| (checks.holds, checks.junit));
        Self { value: full(answer), tables, holds, junit, drawing }
    }

    /// What `--format json` prints.
    pub fn json(&self) -> Value {
        plain(&self.value)
    }
}

/// An answer in full. An answer that serde cannot write is a mistake in its type, and gives null.
pub fn full(answer: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(answer).unwrap_or(Value::Null);
    match &mut value {
        Value::Array(elements) => elements.iter_mut().for_each(reserve),
        one => reserve(one),
    }
    value
}

/// Leaves a place for what is known of the figures.
fn reserve(value: &mut Value) {
    if let Value::Object(object) = value {
        object.insert(KNOWN.to_owned(), Value::Null);
    }
}

/// The JSON of an answer: plain numbers and texts, and `known`.
pub fn json(answer: &impl Serialize) -> Value {
    plain(&full(answer))
}

/// The same from the full form.
pub fn plain(full: &Value) -> Value {
    match full {
        Value::Array(elements) => elements.iter().map(plain_one).collect(),
        one => plain_one(one),
    }
}

fn plain_one(full: &Value) -> Value {
    let mut value = full.clone();
    let known = strip(&mut value);
    if let Value::Object(object) = &mut value
        && object.get(KNOWN) == Some(&Value::Null)
    {
        object.insert(KNOWN.to_owned(), known.unwrap_or_else(|| Value::Object(Map::new())));
    }
    value
}

/// Replaces figures and counts by numbers and texts; what was known of them, at the same paths.
fn strip(value: &mut Value) -> Option<Value> {
    match value {
        Value::Object(object) if object.len() == 1 && object.contains_key(COUNT) => {
            *value = object.remove(COUNT)?;
            None
        }
        Value::Object(object) if object.len() == 1 && object.contains_key(FIGURE) => {
            let figure: Figure = serde_json::from_value(value.take()).ok()?;
            *value = number(&figure);
            known(&figure)
        }
        Value::Object(object) => {
            let known: Map<String, Value> =
                object.iter_mut().filter_map(|(key, value)| Some((key.clone(), strip(value)?))).collect();
            (!known.is_empty()).then_some(Value::Object(known))
        }
        Value::Array(elements) => {
            let known: Vec<Option<Value>> = elements.iter_mut().map(strip).collect();
            let is_known = known.iter().any(Option::is_some);
            is_known.then(|| known.into_iter().map(Option::unwrap_or_default).collect())
        }
        _ => None,
    }
}

/// A figure as a number; null if it is beyond doubles.
fn number(figure: &Figure) -> Value {
    match figure {
        Figure::Integer(whole) => match i64::try_from(whole) {
            Ok(whole) if whole.unsigned_abs() <= 1 << 53 => json!(whole),
            _ => Value::String(whole.to_string()),
        },
        _ => {
            let double = figure.double();
            json!(double.is_finite().then_some(double))
        }
    }
}

/// What is known of a figure beside the number.
fn known(figure: &Figure) -> Option<Value> {
    let mut known = match figure {
        Figure::Integer(_) => return None,
        Figure::Fraction(fraction) => json!({ "fraction": fraction.to_string() }),
        Figure::Enclosed(enclosure) => {
            let [low, high] = enclosure.decimals(ENCLOSURE_DIGITS).map(|end| {
                let double = end.parse().ok().filter(|double: &f64| double.is_finite());
                double.map_or(Value::String(end), Value::from)
            });
            json!({ "low": low, "high": high })
        }
        Figure::Between([low, high]) => json!({ "low": low, "high": high }),
        Figure::Approximate(figure) => match figure.uncertainty {
            Uncertainty::Bound(bound) => json!({ "bound": bound }),
            Uncertainty::StandardError(error) => json!({ "standard_error": error }),
            Uncertainty::Margin(margin) => json!({ "margin": margin }),
            Uncertainty::Unstated => return None,
        },
    };
    if !figure.double().is_finite()
        && let (Value::Object(known), Some(_)) = (&mut known, figure.middle())
    {
        known.insert("decimal".to_owned(), json!(figure.places(0)));
    }
    Some(known)
}

/// The count that a value in full stands for.
pub fn count_of(value: &Value) -> Option<Count> {
    value.as_object()?.contains_key(COUNT).then(|| serde_json::from_value(value.clone()).ok()).flatten()
}

/// The figure that a value in full stands for.
pub fn figure_of(value: &Value) -> Option<Figure> {
    value.as_object()?.contains_key(FIGURE).then(|| serde_json::from_value(value.clone()).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use prodmax_number::{Approximate, Enclosure, Fraction};

    use super::*;

    #[derive(Serialize)]
    struct Example {
        trees: Count,
        difference: Option<Figure>,
        errors: Vec<Figure>,
        name: &'static str,
    }

    fn third() -> Fraction {
        Fraction::new(1.into(), 3.into())
    }

    fn example() -> Example {
        Example {
            trees: Count(BigUint::from(10u32).pow(30)),
            difference: Some(Figure::Fraction(third())),
            errors: vec![Approximate::unstated(0.25).into(), Approximate::sampled(0.5, 0.125).into()],
            name: "khs",
        }
    }

    #[test]
    fn figures_are_numbers_and_what_is_known_stands_at_the_same_path() {
        let expected = json!({
            "trees": "1000000000000000000000000000000",
            "difference": 1.0 / 3.0,
            "errors": [0.25, 0.5],
            "name": "khs",
            "known": { "difference": { "fraction": "1/3" }, "errors": [null, { "standard_error": 0.125 }] },
        });
        assert_eq!(json(&example()), expected);
        // Each element of a list has its own.
        let list = Listed::new(false, vec![example()]);
        assert_eq!(json(&list), json!([expected]));
        assert_eq!(json(&Listed::new(true, vec![example()])), expected);
        assert_eq!(json(&Listed::<Example>::new(true, vec![])), json!([]));
    }

    #[test]
    fn what_is_known_is_there_even_if_it_is_nothing() {
        let example = Example { difference: None, errors: vec![], ..example() };
        let value = json(&example);
        assert_eq!((&value["difference"], &value["known"]), (&Value::Null, &json!({})));
    }

    #[test]
    fn every_kind_of_figure_says_what_is_known() {
        let of = |figure: Figure| {
            let value = json(&json!({ "x": figure }));
            (value["x"].clone(), value["known"]["x"].clone())
        };
        let enclosure = Enclosure::of(&third(), 100);
        let (value, known) = of(Figure::Enclosed(enclosure));
        assert_eq!(value, json!(1.0 / 3.0));
        let [low, high] = [&known["low"], &known["high"]].map(|end| end.as_f64().unwrap());
        assert!(low < 1.0 / 3.0 && 1.0 / 3.0 < high && high - low < 1e-12);
        assert_eq!(of(Figure::Between([0.25, 0.75])), (json!(0.5), json!({ "low": 0.25, "high": 0.75 })));
        assert_eq!(of(Approximate::estimated(1.5, 0.5).into()), (json!(1.5), json!({ "margin": 0.5 })));
        assert_eq!(of(Approximate::within(1.0, 0.5).into()), (json!(1.0), json!({ "bound": 0.5 })));
        assert_eq!(of(Figure::Integer(7.into())), (json!(7), Value::Null));
        let large = Figure::Integer(num_bigint::BigInt::from(10).pow(20));
        assert_eq!(of(large), (json!("100000000000000000000"), Value::Null));
    }

    #[test]
    fn a_figure_beyond_doubles_is_null_with_its_digits() {
        let large = Fraction::from_integer(num_bigint::BigInt::from(10).pow(400) * 12_345);
        let value = json(&json!({ "x": Figure::Enclosed(Enclosure::of(&large, 100)) }));
        assert_eq!(value["x"], Value::Null);
        assert!(value["known"]["x"]["decimal"].as_str().unwrap().starts_with("12345"), "{value}");
    }

    #[test]
    fn what_is_no_answer_is_left_as_it_is() {
        let value = json!({ "known_entries": 3, "list": [1, { "a": null }] });
        assert_eq!(plain(&value), value);
    }

    #[test]
    fn figures_and_counts_are_recognised_in_full() {
        let value = full(&example());
        assert_eq!(count_of(&value["trees"]).unwrap().0, BigUint::from(10u32).pow(30));
        assert_eq!(figure_of(&value["difference"]), Some(Figure::Fraction(third())));
        assert!(figure_of(&value["name"]).is_none() && count_of(&value["errors"]).is_none());
    }
}
