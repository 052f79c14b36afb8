//! Figures over the depth of search, and published figures with ours next to them, as tables and as JSON.

use prodmax_number::{Approximate, Uncertainty};
use prodmax_pathology::tables::{Closeness, Compared};
use prodmax_pathology::{Quantity, RealModel, Row, Sampling};
use serde_json::{Map, Value, json};

use crate::output::{Cell, Column, Table};

/// The figures of one model.
pub(super) struct Found<'a> {
    pub(super) model: &'a RealModel,
    pub(super) median: Option<Approximate>,
    pub(super) integrated: Option<Vec<Row>>,
    pub(super) sampled: Option<Vec<Row>>,
    pub(super) sampling: Sampling,
}

fn dash() -> Cell {
    "-".into()
}

/// The value of a figure and how accurate it is.
pub(super) fn cells(figure: Option<Approximate>) -> [Cell; 2] {
    match figure {
        Some(figure) => [Cell::decimal(figure.value, 6), format!("{:.0e}", figure.error()).into()],
        None => [dash(), dash()],
    }
}

fn heading(quantity: Quantity) -> String {
    quantity.name().replace('_', " ")
}

/// {d, position_error, …, error: {position_error, …}}, or `standard_error` for sampled figures.
pub(super) fn row_json(row: &Row, quantities: &[Quantity]) -> Value {
    let mut object = Map::new();
    object.insert("d".to_owned(), json!(row.d));
    let mut uncertainties = Map::new();
    let mut kind = "error";
    for &quantity in quantities {
        let figure = row.get(quantity);
        object.insert(quantity.name().to_owned(), json!(figure.map(|figure| figure.value)));
        if let Some(figure) = figure {
            kind = error_key(figure);
            uncertainties.insert(quantity.name().to_owned(), json!(figure.error()));
        }
    }
    object.insert(kind.to_owned(), Value::Object(uncertainties));
    Value::Object(object)
}

impl Found<'_> {
    pub(super) fn json(&self) -> Value {
        let rows = |rows: &Vec<Row>| rows.iter().map(|row| row_json(row, &Quantity::ALL)).collect::<Vec<_>>();
        let integrated = self.integrated.as_ref().map(rows);
        let sampled = self.sampled.as_ref().map(rows);
        let mut object = Map::new();
        object.insert("model".to_owned(), json!(self.model));
        if let Some(median) = self.median {
            let value = json!({ "value": median.value, "error": median.error() });
            object.insert("median".to_owned(), value);
        }
        if sampled.is_some() {
            let Sampling { trees, first_tree, seed, repetitions } = self.sampling;
            let sample =
                json!({ "trees": trees, "first_tree": first_tree, "seed": seed, "repetitions": repetitions });
            object.insert("sample".to_owned(), sample);
        }
        match (integrated, sampled) {
            (Some(rows), Some(sampled)) => {
                object.insert("rows".to_owned(), json!(rows));
                object.insert("sampled_rows".to_owned(), json!(sampled));
            }
            (rows, sampled) => {
                object.insert("rows".to_owned(), json!(rows.or(sampled)));
            }
        }
        Value::Object(object)
    }

    pub(super) fn tables(&self) -> Vec<Table> {
        let trees = self.sampling.trees;
        let integrated =
            self.integrated.as_ref().map(|rows| self.table("pathology", "integrated", rows, "error"));
        let title = format!("{trees} trees sampled");
        let sampled = self.sampled.as_ref().map(|rows| self.table("pathology-sample", &title, rows, "s.e."));
        integrated.into_iter().chain(sampled).collect()
    }

    fn table(&self, id: &str, how: &str, rows: &[Row], uncertainty: &str) -> Table {
        let RealModel { b, steps, values, sigma_v, sigma_e, m, d_max, grains } = self.model;
        let bound = m.map_or("infinite".to_owned(), |m| m.to_string());
        let measured: Vec<Quantity> =
            Quantity::ALL.into_iter().filter(|q| rows.iter().any(|row| row.get(*q).is_some())).collect();
        let mut columns = vec![Column::right("d")];
        for &quantity in &measured {
            columns.push(Column::right(heading(quantity)));
            let name = format!("{}: {uncertainty}", heading(quantity));
            columns.push(Column::right(name).with_terminal(uncertainty));
        }
        let row = |row: &Row| {
            let figures = measured.iter().flat_map(|&quantity| cells(row.get(quantity)));
            std::iter::once(row.d.into()).chain(figures).collect()
        };
        let grained = grains
            .map_or(String::new(), |g| format!(", {} grains from {} to {}", g.count, -g.range, g.range));
        Table {
            id: id.to_owned(),
            title: format!(
                "Errors at the root, {how}: b = {b}, {} steps, {} values, sigma_v = {sigma_v}, sigma_e = {sigma_e}, \
                 m {bound}, d_max = {d_max}{grained}",
                steps.name(),
                values.name()
            ),
            columns,
            rows: rows.iter().map(row).collect(),
            notes: Vec::new(),
        }
    }
}

/// The number of figures with a verdict.
fn count(cells: &[Compared], verdict: Closeness) -> usize {
    cells.iter().filter(|cell| cell.verdict == verdict).count()
}

const VERDICTS: [Closeness; 3] = [Closeness::Agrees, Closeness::Near, Closeness::Differs];

/// A published table with our figures next to it.
pub(super) fn compared(table: usize, cells_of_table: &[Compared]) -> Table {
    let row_name = match table {
        6 => "b",
        8 => "ply",
        _ => "d",
    };
    let has_sample = cells_of_table.iter().any(|cell| cell.sampled.is_some());
    let mut columns: Vec<Column> = vec![
        Column::left("column"),
        Column::left("quantity"),
        Column::right(row_name),
        Column::right("published"),
        Column::right("ours"),
        Column::right("error"),
    ];
    if has_sample {
        columns.extend([Column::right("sampled"), Column::right("s.e.")]);
    }
    columns.extend([Column::right("s.e. of the paper"), Column::right("off by"), Column::left("verdict")]);
    let mut ordered: Vec<&Compared> = cells_of_table.iter().collect();
    // Column by column, as curves over the depth of search; the sort keeps the order of the rows.
    let place = |cell: &Compared| {
        let same = |other: &Compared| {
            (&other.published.series, &other.published.quantity)
                == (&cell.published.series, &cell.published.quantity)
        };
        cells_of_table.iter().position(same)
    };
    ordered.sort_by_key(|cell| place(cell));
    let row = |cell: &&Compared| {
        let places = if table == 6 { 0 } else { 6 };
        let value = |figure: Option<Approximate>| {
            figure.map_or_else(dash, |figure| Cell::decimal(figure.value, places))
        };
        let amount = |figure: Option<Approximate>| {
            figure.map_or_else(dash, |figure| format!("{:.0e}", figure.error()).into())
        };
        let mut cells: Vec<Cell> = vec![
            cell.published.series.clone().into(),
            cell.published.quantity.replace('_', " ").into(),
            cell.published.row.into(),
            cell.published.printed.clone().into(),
            value(cell.integrated),
            amount(cell.integrated),
        ];
        if has_sample {
            cells.extend([value(cell.sampled), amount(cell.sampled)]);
        }
        cells.extend([
            cell.paper_standard_error.map_or_else(dash, |error| Cell::decimal(error, 5)),
            cell.deviation().map_or_else(dash, |deviation| format!("{deviation:+.1}").into()),
            cell.verdict.name().into(),
        ]);
        cells
    };
    let counts: Vec<String> =
        VERDICTS.iter().map(|v| format!("{} {}", count(cells_of_table, *v), v.name())).collect();
    let mut notes = vec![format!("{} published figures: {}.", cells_of_table.len(), counts.join(", "))];
    if table == 6 {
        notes.push(
            "LGB say neither what interval the grains cover nor when a curve counts as pathological. Here: all values \
             of an independent leaf, ±3 standard deviations of a dependent one; the move error at depth 6 is greater \
             than at depth 1."
                .to_owned(),
        );
    } else {
        notes.push(
            "s.e. of the paper: the standard error of a sample of the paper's size, from the variance between trees of a \
             recorded sample; off by: in these standard errors; agrees: within 2, near: within 4."
                .to_owned(),
        );
    }
    Table {
        id: format!("lgb-table{table}"),
        title: format!("LGB Table {table}, published and ours"),
        columns,
        rows: ordered.iter().map(row).collect(),
        notes,
    }
}

/// A figure and its error or standard error.
/// The key of an error in JSON.
fn error_key(figure: Approximate) -> &'static str {
    if matches!(figure.uncertainty, Uncertainty::StandardError(_)) { "standard_error" } else { "error" }
}

pub(super) fn figure_json(figure: Approximate) -> Value {
    json!({ "value": figure.value, (error_key(figure)): figure.error() })
}

/// The same for programs.
pub(super) fn compared_json(table: usize, cells: &[Compared]) -> Value {
    let figure = |figure: Option<Approximate>| figure.map(figure_json);
    let cell = |cell: &Compared| {
        json!({
            "id": cell.published.id,
            "source": cell.published.source,
            "row": cell.published.row,
            "series": cell.published.series,
            "quantity": cell.published.quantity,
            "published": cell.published.printed,
            "integrated": figure(cell.integrated),
            "sampled": figure(cell.sampled),
            "paper_standard_error": cell.paper_standard_error,
            "deviation": cell.deviation(),
            "verdict": cell.verdict.name(),
        })
    };
    let counts: Map<String, Value> =
        VERDICTS.iter().map(|v| (v.name().to_owned(), json!(count(cells, *v)))).collect();
    json!({ "table": table, "verdicts": counts, "cells": cells.iter().map(cell).collect::<Vec<_>>() })
}
