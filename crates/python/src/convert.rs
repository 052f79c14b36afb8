//! Figures as Python objects: counts are ints of any size, fractions `fractions.Fraction`, intervals `Enclosure`.

use num_bigint::BigInt;
use prodmax_commands::output::answer::{count_of, figure_of, plain};
use prodmax_number::Figure;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFloat, PyList, PyString};
use serde_json::Value;

/// The keys whose texts are numbers: JSON has no integers beyond 53 bits and no fractions (docs/json.md).
const NUMBERS: &[&str] = &[
    "trees",
    "kinds",
    "pairs",
    "critical",
    "agreeing",
    "tied",
    "nodes",
    "subtrees",
    "classes",
    "memory_bytes",
    "coefficients",
    "denominator",
    "minimax_error",
    "product_error",
    "minimax_errs",
    "product_errs",
    "difference",
    "formula5",
    "formula6",
    "g",
    "cofactors",
    "factor",
    "fraction",
    "exact",
    "decimal",
    "low",
    "high",
    "ratio",
    "I1",
    "I2",
    "I3",
    "I4",
    "I5",
    "intervals",
    "intervals_enumerated",
    "draw_positions",
    "plus",
    "minus",
    "draw_is_worth",
    "plus_below",
    "minus_below",
    "value",
    "approximation",
    "probability",
    "formula",
    "threshold",
    "p",
    "by_3_3",
    "by_2_6",
    "correlation",
];

/// What the numbers below a key are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Plain,
    Enclosure,
    Fractions,
    /// By rule: the texts are numbers, the keys are names.
    ByRule,
}

/// An answer with its numbers in the types of Python.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Array(elements) => {
            let elements = elements.iter().map(|element| to_python(py, element));
            Ok(PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?.into_any())
        }
        Value::Object(entries) if entries.get("known") == Some(&Value::Null) => {
            let dict = PyDict::new(py);
            for (key, value) in entries.iter().filter(|(key, _)| *key != "known") {
                dict.set_item(key, convert(py, key, Group::Plain, value)?)?;
            }
            dict.set_item("known", known(py, &plain(value)["known"])?)?;
            Ok(dict.into_any())
        }
        other => convert(py, "", Group::Plain, other),
    }
}

/// What is known of figures: intervals and fractions in the types of Python, at the same paths.
fn known<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Object(leaf) if leaf.contains_key("low") && leaf.contains_key("high") => {
            let lower = end(py, "low", &leaf["low"], f64::next_down)?;
            enclosure(py)?.call1((lower, end(py, "high", &leaf["high"], f64::next_up)?))?
        }
        Value::Object(leaf) if leaf.contains_key("fraction") => {
            number(py, "fraction", leaf["fraction"].as_str().unwrap_or_default())?
        }
        Value::Object(entries) => {
            let dict = PyDict::new(py);
            for (key, value) in entries {
                dict.set_item(key, known(py, value)?)?;
            }
            dict.into_any()
        }
        Value::Array(elements) => {
            let elements = elements.iter().map(|element| known(py, element));
            PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        other => convert(py, "", Group::Plain, other)?,
    })
}

fn convert<'py>(py: Python<'py>, key: &str, group: Group, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    // What an answer is in full.
    if let Some(count) = count_of(value) {
        return Ok(BigInt::from(count.0).into_pyobject(py)?.into_any());
    }
    if let Some(figure) = figure_of(value) {
        return Ok(match figure {
            Figure::Integer(whole) => whole.into_pyobject(py)?.into_any(),
            other if other.double().is_finite() => PyFloat::new(py, other.double()).into_any(),
            _ => py.None().into_bound(py),
        });
    }
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (None, Some(whole)) => whole.into_pyobject(py)?.into_any(),
            _ => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::String(text) if group == Group::Fractions => number(py, "fraction", text)?,
        Value::String(text) if group != Group::Plain || NUMBERS.contains(&key) => number(py, key, text)?,
        Value::String(text) => PyString::new(py, text).into_any(),
        // Two numbers; two records are a list.
        Value::Array(ends)
            if group == Group::Enclosure && ends.len() == 2 && ends.iter().all(|end| !end.is_object()) =>
        {
            let lower = end(py, key, &ends[0], f64::next_down)?;
            enclosure(py)?.call1((lower, end(py, key, &ends[1], f64::next_up)?))?
        }
        Value::Array(values) => {
            let values = values.iter().map(|value| convert(py, key, group, value));
            PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Value::Object(entries) => {
            let dict = PyDict::new(py);
            for (key, value) in entries {
                let group = match key.as_str() {
                    // The searches of `pathology formulas` have nothing but intervals.
                    "enclosure" | "searches" => Group::Enclosure,
                    "fractions" => Group::Fractions,
                    "errors" if group == Group::Plain => Group::ByRule,
                    _ => group,
                };
                dict.set_item(key, convert(py, key, group, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// The end of an interval. If it has more digits than a double, the double next to it is on the safe side.
fn end<'py>(
    py: Python<'py>,
    key: &str,
    value: &Value,
    outwards: fn(f64) -> f64,
) -> PyResult<Bound<'py, PyAny>> {
    let digits = |text: &str| {
        text.split(['e', 'E']).next().map_or(0, |t| t.matches(|c: char| c.is_ascii_digit()).count())
    };
    match value.as_str().map(|text| (text, text.parse::<f64>())) {
        Some((text, Ok(double))) if double.is_finite() => {
            let double = if digits(text) > 15 { outwards(double) } else { double };
            Ok(PyFloat::new(py, double).into_any())
        }
        _ => convert(py, key, Group::Enclosure, value),
    }
}

/// A number that JSON holds as text; any other text stays as it is.
fn number<'py>(py: Python<'py>, key: &str, text: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(whole) = text.parse::<BigInt>() {
        return match key {
            "fraction" | "exact" => fraction(py)?.call1((whole,)),
            _ => Ok(whole.into_pyobject(py)?.into_any()),
        };
    }
    if let Some((numerator, denominator)) = text.split_once('/')
        && let (Ok(numerator), Ok(denominator)) = (numerator.parse::<BigInt>(), denominator.parse::<BigInt>())
    {
        return fraction(py)?.call1((numerator, denominator));
    }
    match text.parse::<f64>() {
        // The ends of an exact interval.
        Ok(_) if matches!(key, "low" | "high") => fraction(py)?.call1((text,)),
        Ok(double) if double.is_finite() => Ok(PyFloat::new(py, double).into_any()),
        // Too large for a double.
        Ok(_) if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => decimal(py)?.call1((text,)),
        _ => Ok(PyString::new(py, text).into_any()),
    }
}

fn fraction(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    CLASS.import(py, "fractions", "Fraction")
}

fn decimal(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    CLASS.import(py, "decimal", "Decimal")
}

fn enclosure(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    CLASS.import(py, "prodmax._figures", "Enclosure")
}
