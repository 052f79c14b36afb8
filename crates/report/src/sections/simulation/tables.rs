//! The tables of the simulation study and the numbers behind them.

use prodmax_output::{Cell, Column, Table};
use prodmax_simulate::link::OneMoveCounts;
use prodmax_simulate::{
    Cell as MeasuredCell, DecisionErrors, PUBLISHED_TREES, Ratio, Row, TableComparison, decision_errors,
};
use serde_json::{Value, json};

use super::ComparedReading;
use crate::simulations::OneMoveGames;

fn percent(value: Option<f64>, places: usize) -> Cell {
    value.map_or_else(|| "".into(), |value| format!("{:.places$}", 100.0 * value).into())
}

fn significance(value: Option<f64>) -> Cell {
    value.map_or_else(|| "".into(), |value| format!("{value:.5}").into())
}

fn agreement(figure: Option<MeasuredCell>) -> &'static str {
    match figure.and_then(|figure| figure.agrees()) {
        Some(true) => "agrees",
        Some(false) => "differs",
        None => "",
    }
}

/// Table III or IV in the paper's layout, two lines per depth.
pub(super) fn contest(reading: &ComparedReading<'_>, comparison: &TableComparison) -> Table {
    let columns = vec![
        Column::right("d"),
        Column::left(""),
        Column::right("pairs"),
        Column::right("critical"),
        Column::right("Minimax"),
        Column::right("Product"),
        Column::right("% total"),
        Column::right("% of pairs"),
        Column::right("s.e."),
        Column::left("verdict"),
        Column::right("% critical"),
        Column::right("s.e."),
        Column::left("verdict"),
        Column::right("significance"),
        Column::right("by trees"),
    ];
    let mut notes = vec![format!(
        "pairs: of games; critical: one side wins both; Minimax, Product: critical pairs won; % total: Minimax’s wins \
         among all games; % of pairs: critical among all pairs; % critical: Minimax’s wins among the critical pairs; \
         s.e.: over trees, in published lines that of {PUBLISHED_TREES} trees; \
         significance: the sign test of the paper; by trees: the significance by our standard error."
    )];
    notes.extend(comparison.fit.map(|fit| {
        format!(
            "The published table as a whole: chi-square {:.1} on {} cells (p = {:.1e} if they were independent); of \
             {} triples of our own trees {} are as far from the mean.",
            fit.chi_square, fit.cells, fit.significance, fit.triples, fit.triples_beyond
        )
    }));
    let (table, name) = (comparison.probabilities.table(), comparison.probabilities.name());
    let spec = &reading.results.spec;
    Table {
        id: format!("{}-{name}", reading.file()),
        title: format!("{table}: Minimax against Product with {name} probabilities. {}", spec.title),
        columns,
        rows: comparison.rows.iter().flat_map(lines).collect(),
        notes,
    }
}

fn lines(row: &Row) -> Vec<Vec<Cell>> {
    let published = row.published.as_ref().map(|published| {
        let spread = |figure: Option<MeasuredCell>| {
            percent(figure.map(|figure| figure.ours.standard_error_of(PUBLISHED_TREES)), 2)
        };
        vec![
            row.d.into(),
            "published".into(),
            published.pairs.into(),
            published.critical.into(),
            published.minimax_wins.into(),
            published.product_wins.into(),
            published.percent_total.as_str().into(),
            percent(row.critical.and_then(|figure| figure.published), 2),
            spread(row.critical),
            "".into(),
            published.percent_critical.as_str().into(),
            spread(row.share),
            "".into(),
            published.significance.as_str().into(),
            "".into(),
        ]
    });
    let name = if published.is_some() { "".into() } else { row.d.into() };
    let ours = vec![
        name,
        "ours".into(),
        row.pairs.into(),
        row.critical_pairs().into(),
        row.first_wins.into(),
        row.second_wins.into(),
        percent(Some(row.total_share()), 2),
        percent(row.critical.map(|figure| figure.ours.value), 2),
        percent(row.critical.map(|figure| figure.ours.standard_error), 2),
        agreement(row.critical).into(),
        percent(row.share.map(|figure| figure.ours.value), 2),
        percent(row.share.map(|figure| figure.ours.standard_error), 2),
        agreement(row.share).into(),
        significance(row.significance()),
        significance(row.clustered_significance()),
    ];
    published.into_iter().chain([ours]).collect()
}

/// Fig. 6.
pub(super) fn decisions(reading: &ComparedReading<'_>) -> Table {
    let row = |at: DecisionErrors| {
        let ratio = |ratio: Ratio| [percent(Some(ratio.value), 3), percent(Some(ratio.standard_error), 3)];
        let ratios = [at.estimated[0], at.estimated[1], at.actual[1]].into_iter().flat_map(ratio);
        std::iter::once(at.d.into()).chain(ratios).collect()
    };
    Table {
        id: format!("{}-decisions", reading.file()),
        title: format!("Fig. 6: wrong decisions in percent of all. {}", reading.results.spec.title),
        columns: ["d", "Minimax", "s.e.", "Product-est", "s.e.", "Product-actual", "s.e."]
            .map(Column::right)
            .to_vec(),
        rows: decision_errors(reading.results).into_iter().map(row).collect(),
        notes: Vec::new(),
    }
}

/// The counts of every tree.
pub(super) fn per_tree(reading: &ComparedReading<'_>) -> Table {
    Table {
        id: format!("{}-trees", reading.file()),
        title: format!("Counts per tree. {}", reading.results.spec.title),
        ..prodmax_simulate::answer::per_tree(reading.results)
    }
}

/// The one-move games.
pub(super) fn one_move_games(compared: &[OneMoveGames]) -> Table {
    let rows = compared.iter().flat_map(|games| {
        games.points.iter().map(|point| {
            let (rate, error) = point.rate(point.critical);
            let share = point.share();
            vec![
                games.spec.tree_depth.into(),
                point.trees.into(),
                percent(Some(rate), 3),
                percent(Some(error), 3),
                percent(Some(games.critical), 3),
                percent(share.map(|(share, _)| share), 2),
                percent(share.map(|(_, error)| error), 2),
                percent(Some(games.share_minimax), 2),
            ]
        })
    });
    Table {
        id: "one-move-games".to_owned(),
        title: "One-move games: random trees and all trees".to_owned(),
        columns: ["depth", "trees", "critical %", "s.e.", "exact", "Minimax % of errors", "s.e.", "exact"]
            .map(Column::right)
            .to_vec(),
        rows: rows.collect(),
        notes: Vec::new(),
    }
}

/// The numbers behind the one-move games.
pub(super) fn one_move_json(compared: &[OneMoveGames]) -> Value {
    let point = |point: &OneMoveCounts| {
        json!({
            "trees": point.trees,
            "critical": point.critical,
            "minimax_errors": point.first_errors,
            "product_errors": point.second_errors,
        })
    };
    let json = |games: &OneMoveGames| {
        json!({
            "spec": games.spec,
            "critical": decimal(games.critical),
            "share_minimax": decimal(games.share_minimax),
            "points": games.points.iter().map(point).collect::<Vec<_>>(),
        })
    };
    compared.iter().map(json).collect()
}

/// As many digits as are meaningful, as everywhere in `data/`.
fn decimal(value: f64) -> String {
    format!("{value:.12}")
}

fn ratio(ratio: Ratio) -> Value {
    json!({ "value": decimal(ratio.value), "standard_error": decimal(ratio.standard_error) })
}

fn figure(figure: Option<MeasuredCell>) -> Value {
    let Some(figure) = figure else { return Value::Null };
    json!({
        "value": decimal(figure.ours.value),
        "standard_error": decimal(figure.ours.standard_error),
        "published": figure.published.map(decimal),
        "deviation": figure.deviation().map(decimal),
        "agrees": figure.agrees(),
    })
}

fn comparison(comparison: &TableComparison) -> Value {
    let row = |row: &Row| {
        json!({
            "d": row.d,
            "pairs": row.pairs,
            "critical": row.critical_pairs(),
            "minimax_wins": row.first_wins,
            "product_wins": row.second_wins,
            "critical_rate": figure(row.critical),
            "critical_share": figure(row.share),
            "significance": row.significance().map(decimal),
            "clustered_significance": row.clustered_significance().map(decimal),
        })
    };
    json!({
        "table": comparison.probabilities.table(),
        "rows": comparison.rows.iter().map(row).collect::<Vec<_>>(),
        "fit": comparison.fit.map(|fit| json!({
            "chi_square": decimal(fit.chi_square),
            "cells": fit.cells,
            "significance": format!("{:.6e}", fit.significance),
            "triples": fit.triples,
            "triples_beyond": fit.triples_beyond,
        })),
    })
}

/// Everything about a reading except the counts per tree.
pub(super) fn json(reading: &ComparedReading<'_>) -> Value {
    let errors = |at: DecisionErrors| {
        json!({
            "d": at.d,
            "minimax": ratio(at.estimated[0]),
            "estimated": ratio(at.estimated[1]),
            "actual": ratio(at.actual[1]),
        })
    };
    json!({
        "spec": reading.results.spec,
        "tables": reading.tables.iter().map(comparison).collect::<Vec<_>>(),
        "decision_errors": decision_errors(reading.results).into_iter().map(errors).collect::<Vec<_>>(),
    })
}
