//! What a command found, as Python sees it.

use prodmax_commands::host;
use prodmax_commands::output::{Align, Format, Output, Table};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;

use crate::convert::to_python;
use crate::workers::{self, Listeners};

/// The answer to a question.
#[pyclass(frozen, module = "prodmax._engine")]
pub(crate) struct Answer {
    value: Value,
    tables: Vec<Table>,
    holds: bool,
}

/// The texts of a table: title, columns, rows and notes.
type Texts<'a> = (&'a str, Vec<(&'a str, bool)>, Vec<Vec<&'a str>>, &'a [String]);

fn texts(table: &Table) -> Texts<'_> {
    let columns = table.columns.iter().map(|column| (&*column.name, column.align == Align::Right));
    let rows = table.rows.iter().map(|row| row.iter().map(|cell| &*cell.text).collect());
    (&table.title, columns.collect(), rows.collect(), &table.notes)
}

#[pymethods]
impl Answer {
    /// All figures: dictionaries, lists, numbers and texts.
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.value)
    }

    /// Whether everything that was checked holds.
    #[getter]
    fn holds(&self) -> bool {
        self.holds
    }

    /// The figures as the command line prints them, for lines of this width.
    #[pyo3(signature = (width=None))]
    fn text(&self, width: Option<usize>) -> String {
        let output = Output::figures(Value::Null, self.tables.clone());
        output.render_within(Format::Table, width).unwrap_or_default()
    }

    /// The tables for readers: title, columns (name, whether it holds numbers), rows and notes of each.
    fn tables(&self) -> Vec<Texts<'_>> {
        self.tables.iter().map(texts).collect()
    }
}

/// Asks in the words of the command line. A refusal is a `ValueError` with its sentence.
#[pyfunction]
#[pyo3(signature = (words, note=None, progress=None))]
pub(crate) fn ask(
    py: Python<'_>,
    words: Vec<String>,
    note: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Answer> {
    let found = workers::run(py, Listeners { note, progress }, move |host| host::answer(words, host))?;
    let host::Found { value, tables, holds } = found.map_err(PyValueError::new_err)?;
    Ok(Answer { value, tables, holds })
}
