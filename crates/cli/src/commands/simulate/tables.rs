//! The results as the paper's tables and as JSON.

use prodmax_simulate::{Cell as Figure, Comparison, Ratio, Results, Row, decision_errors};
use serde_json::{Value, json};

use crate::error::Error;
use crate::format_number::counted;
use crate::output::{Cell, Column, Table};

/// Tables III and IV and Fig. 6.
pub(super) fn all(results: &Results) -> Result<Vec<Table>, Error> {
    let mut tables: Vec<Table> = Comparison::both(results)?.iter().map(|c| contest(results, c)).collect();
    tables.push(decisions(results));
    Ok(tables)
}

fn dash() -> Cell {
    "-".into()
}

fn percent(value: Option<f64>, places: usize) -> Cell {
    value.map_or_else(dash, |value| format!("{:.places$}", 100.0 * value).into())
}

/// Ours with its standard error, the published figure and the verdict.
fn figure(cell: Option<Figure>) -> [Cell; 4] {
    [
        percent(cell.map(|cell| cell.ours.value), 2),
        percent(cell.map(|cell| cell.ours.standard_error), 2),
        percent(cell.and_then(|cell| cell.published), 2),
        match cell.and_then(|cell| cell.agrees()) {
            Some(true) => "yes".into(),
            Some(false) => "no".into(),
            None => dash(),
        },
    ]
}

fn significance(value: Option<f64>) -> Cell {
    value.map_or_else(dash, |value| format!("{value:.5}").into())
}

/// A column of numbers. The part of its name that tells what it belongs to is left out on the terminal, where it stands
/// beside that.
fn column(name: &str) -> Column {
    let column = Column::right(name);
    match name.split_once(": ") {
        Some((_, short)) => column.with_terminal(short),
        None => column,
    }
}

fn contest(results: &Results, comparison: &Comparison) -> Table {
    let names = [
        "d",
        "pairs",
        "critical",
        "Minimax",
        "Product",
        "% total",
        "% of pairs",
        "% of pairs: s.e.",
        "% of pairs: published",
        "% of pairs: agrees",
        "% critical",
        "% critical: s.e.",
        "% critical: published",
        "% critical: agrees",
        "significance",
        "significance: published",
        "significance: by trees",
    ];
    let row = |row: &Row| -> Vec<Cell> {
        let counts = [row.pairs, row.critical_pairs(), row.minimax_wins, row.product_wins];
        let mut cells = vec![row.d.into()];
        cells.extend(counts.map(Cell::from));
        cells.push(percent(Some(row.total_share()), 2));
        cells.extend(figure(row.critical));
        cells.extend(figure(row.share));
        cells.push(significance(row.significance()));
        cells.push(row.published.as_ref().map_or_else(dash, |row| row.significance.as_str().into()));
        cells.push(significance(row.clustered_significance()));
        cells
    };
    let mut notes = vec![
        "% of pairs: critical pairs among all; % critical: Minimax's wins among the critical pairs; s.e.: over trees; \
         agrees: the published three trees lie within 2 standard errors; significance: the sign test as published, \
         which takes all pairs for independent; by trees: the same with the standard error over trees."
            .to_owned(),
    ];
    notes.extend(comparison.fit.map(|fit| {
        format!(
            "The published table as a whole: chi-square {:.1} on {} cells (p = {:.2e} if they were independent); of {} \
             triples of our own trees {} are as far from the mean.",
            fit.chi_square, fit.cells, fit.significance, fit.triples, fit.triples_beyond
        )
    }));
    let (table, name) = (comparison.probabilities.table(), comparison.probabilities.name());
    Table {
        id: format!("contest-{name}"),
        title: format!(
            "{table}: Minimax against Product with {name} probabilities, {} ({})",
            counted(results.trees.len(), "tree"),
            results.spec.title
        ),
        columns: names.map(column).into(),
        rows: comparison.rows.iter().map(row).collect(),
        notes,
    }
}

fn decisions(results: &Results) -> Table {
    let names = [
        "d",
        "Minimax",
        "Minimax: s.e.",
        "Product-est",
        "Product-est: s.e.",
        "Product-actual",
        "Product-actual: s.e.",
    ];
    let rows = decision_errors(results).into_iter().map(|at| {
        let ratio = |ratio: Ratio| [percent(Some(ratio.value), 3), percent(Some(ratio.standard_error), 3)];
        let ratios = [at.minimax, at.estimated, at.actual].into_iter().flat_map(ratio);
        std::iter::once(at.d.into()).chain(ratios).collect()
    });
    Table {
        id: "decisions".to_owned(),
        title: "Fig. 6: wrong move decisions in percent of all decisions".to_owned(),
        columns: names.map(column).into(),
        rows: rows.collect(),
        notes: vec!["A decision is wrong if the chosen move loses and the other one wins.".to_owned()],
    }
}

/// The raw counts.
pub(super) fn per_tree(results: &Results) -> Table {
    Table {
        id: "trees".to_owned(),
        title: format!("Counts per tree ({})", results.spec.title),
        columns: Results::COUNT_NAMES.map(Column::right).into(),
        rows: results.counts().map(|counts| counts.map(Cell::from).into()).collect(),
        notes: Vec::new(),
    }
}

fn ratio_json(ratio: Ratio) -> Value {
    json!({ "value": ratio.value, "standard_error": ratio.standard_error })
}

fn cell_json(cell: Option<Figure>) -> Value {
    cell.map_or(Value::Null, |cell| {
        json!({
            "value": cell.ours.value, "standard_error": cell.ours.standard_error, "published": cell.published,
            "deviation": cell.deviation(), "agrees": cell.agrees(),
        })
    })
}

fn comparison_json(comparison: &Comparison) -> Value {
    let row = |row: &Row| {
        json!({
            "d": row.d,
            "pairs": row.pairs,
            "critical": row.critical_pairs(),
            "minimax_wins": row.minimax_wins,
            "product_wins": row.product_wins,
            "total_share": row.total_share(),
            "critical_rate": cell_json(row.critical),
            "critical_share": cell_json(row.share),
            "significance": row.significance(),
            "clustered_significance": row.clustered_significance(),
            "published": row.published.as_ref().map(|row| json!({
                "id": row.id, "source": row.source, "pairs": row.pairs, "critical": row.critical,
                "minimax_wins": row.minimax_wins, "product_wins": row.product_wins, "significance": row.significance,
            })),
        })
    };
    json!({
        "table": comparison.probabilities.table(),
        "probabilities": comparison.probabilities.name(),
        "rows": comparison.rows.iter().map(row).collect::<Vec<_>>(),
        "fit": comparison.fit.map(|fit| json!({
            "chi_square": fit.chi_square, "cells": fit.cells, "significance": fit.significance,
            "triples": fit.triples, "triples_beyond": fit.triples_beyond,
        })),
    })
}

/// Everything: the figures, then the counts of every tree, from which `merge` can go on.
pub(super) fn json(results: &Results) -> Result<Value, Error> {
    let tables: Vec<Value> = Comparison::both(results)?.iter().map(comparison_json).collect();
    let decisions: Vec<Value> = decision_errors(results)
        .into_iter()
        .map(|at| {
            json!({
                "d": at.d, "minimax": ratio_json(at.minimax), "estimated": ratio_json(at.estimated),
                "actual": ratio_json(at.actual),
            })
        })
        .collect();
    Ok(json!({
        "spec": results.spec, "missing": results.missing().count(), "tables": tables, "decision_errors": decisions,
        "trees": results.trees,
    }))
}
