//! Luštrek, Gams and Bratko: does deeper search hurt when values are real numbers?

pub(super) mod beyond;
mod figures;
mod grains;
mod map;
mod threshold;

use maud::{Markup, html};
use prodmax_golden::quantity::Equation9Figure;
use prodmax_golden::{Kind, Quantity, Verdict};
use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use prodmax_pathology::Values;
use prodmax_pathology::tables::samples::Samples;
use prodmax_pathology::tables::{Series, series};

use self::figures::{Shown, over_depth};
use super::SectionKind;
use crate::claims;
use crate::error::ReportError;
use crate::exact::grouped;
use crate::run::{Comparison, Findings};
use crate::section::Section;
use crate::words::{fixed, out_of};

/// The number of tables.
const TABLES: std::ops::RangeInclusive<usize> = 1..=11;

const fn shown(
    table: usize,
    number: usize,
    quantity: &'static str,
    label: &'static str,
    name: &'static str,
) -> Shown {
    Shown { table, number, quantity, label, name }
}

/// Figures of dependent values.
const PLAIN: [Shown; 5] = [
    shown(1, 4, "position_error", "position error", "lgb-position-error"),
    shown(1, 4, "move_error", "move error", "lgb-move-error"),
    shown(2, 6, "move_error", "move error", "lgb-steps"),
    shown(3, 7, "move_error", "move error", "lgb-bounds"),
    shown(4, 8, "move_error", "move error", "lgb-noise"),
];

/// Figures that compare dependent with independent values.
const INDEPENDENT: [Shown; 8] = [
    shown(5, 16, "position_error", "position error", "lgb-independent-position"),
    shown(5, 16, "move_error", "move error", "lgb-independent-move"),
    shown(7, 18, "static_move_error", "static move error", "lgb-static-move"),
    shown(8, 19, "sibling_difference", "difference between siblings", "lgb-differences"),
    shown(9, 22, "move_error", "move error with constant static move error", "lgb-constant-move"),
    shown(10, 23, "two_value_error", "two-value error", "lgb-two-value"),
    shown(10, 23, "static_two_value_error", "static two-value error", "lgb-static-two-value"),
    shown(11, 24, "two_value_error", "two-value error with constant static error", "lgb-constant-two-value"),
];

/// A figure of a table.
struct Cited<'a> {
    table: usize,
    series: &'a str,
    figure: &'a str,
    row: usize,
    comparison: &'a Comparison,
}

fn cited(findings: &Findings) -> Vec<Cited<'_>> {
    findings
        .published("lgb")
        .filter_map(|comparison| {
            let Quantity::Lgb { table, series, figure, row } = &comparison.entry.quantity else {
                return None;
            };
            Some(Cited { table: *table, series, figure, row: *row, comparison })
        })
        .collect()
}

/// The figures of eq. (9): its coefficients and what it extrapolates.
fn equation_9(findings: &Findings) -> Vec<(Equation9Figure, &Comparison)> {
    let all = findings.comparisons.iter().filter_map(|comparison| match comparison.entry.quantity {
        Quantity::LgbEquation9(figure) => Some((figure, comparison)),
        _ => None,
    });
    all.collect()
}

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let all = cited(findings);
    if all.is_empty() {
        return Ok(None);
    }
    let mut section = Section::new("lgb", "LGB: when values are real numbers");
    section.p(introduction(&all));
    let samples = Samples::recorded().map_err(|error| ReportError::Samples(error.to_string()))?;
    let draw = |shown: &[Shown]| -> Result<Vec<_>, ReportError> {
        shown.iter().map(|shown| over_depth(&all, &samples, shown)).collect()
    };
    section.figures(draw(&PLAIN)?);
    section.p(html! {
        "Lines: integrated. Shaded: our own sample, two standard errors to either side (its trees are recorded; "
        code { "prodmax pathology methods" } " draws them again and compares both methods figure by figure). Dashed, with dots: \
         published."
    });
    section.figures(figures::formulas()?);
    section.p(dependence(&all));
    section.figures(draw(&INDEPENDENT)?);
    threshold::add(&mut section, &all)?;
    section.table(by_table(&all));
    section.p(html! {
        code { "prodmax pathology --table 5" } " shows a table with every figure, " code { "prodmax check --only lgb" }
        " checks them."
    });
    claims::add(&mut section, findings, "lgb");
    beyond::add(&mut section, &all, &equation_9(findings))?;
    let data: Vec<_> = all.iter().map(|cited| cited.comparison.data()).collect();
    section.data.push(("lgb".to_owned(), json!(data)));
    Ok(Some(section))
}

fn reproduced(cited: &Cited<'_>) -> bool {
    cited.comparison.ours.verdict.is_reproduced()
}

/// The figures of experiments, each once however often it is printed.
fn counted<'a>(all: &'a [Cited<'a>]) -> impl Iterator<Item = &'a Cited<'a>> {
    all.iter().filter(|cited| cited.comparison.entry.kind() != Kind::Repeat)
}

/// Whether a column is about leaves that do not depend on each other.
fn is_independent(cited: &Cited<'_>) -> bool {
    let of = |series: &Series| series.name == cited.series && series.model.values == Values::Independent;
    series(cited.table).iter().any(of)
}

fn introduction(all: &[Cited<'_>]) -> Markup {
    html! {
        "Luštrek, Gams and Bratko ask whether a deeper minimax search can give worse answers (pathology) when true and heuristic \
         values are real numbers, and sample random trees"
        @if let Some(first) = series(*TABLES.start()).first() {
            ": " (grouped(first.trees)) " of depth " (first.model.d_max) " where a node has " (first.model.b) " moves"
        }
        ". The same figures follow without sampling from the \
         joint law of a node’s true and heuristic value, by a recursion on a lattice. Of their figures "
        (out_of(counted(all).filter(|cited| reproduced(cited)).count(), counted(all).count()))
        " lie within two standard errors (of a sample of their size) of the integrated values; by chance alone, one in \
         twenty would lie outside. "
        (all.len() - counted(all).count()) " more are printed again: the same experiment stands in several tables, and is counted \
         once."
    }
}

/// How the columns of independent values compare with those of dependent ones, and which of them are reproduced.
fn dependence(all: &[Cited<'_>]) -> Markup {
    let independent = |tables: [usize; 2]| {
        let of: Vec<&Cited<'_>> =
            counted(all).filter(|cited| tables.contains(&cited.table) && is_independent(cited)).collect();
        out_of(of.iter().filter(|cited| reproduced(cited)).count(), of.len())
    };
    let at_root = |cited: &&Cited<'_>| (cited.table, cited.figure, cited.row) == (10, "two_value_error", 0);
    let first = all.iter().filter(at_root).find(|cited| is_independent(cited));
    let ends = |table: usize, series: &str| {
        let of = all
            .iter()
            .filter(|cited| (cited.table, cited.series, cited.figure) == (table, series, "position_error"));
        let by_row: Vec<(usize, f64)> =
            of.filter_map(|cited| Some((cited.row, cited.comparison.ours_f64()?))).collect();
        let first = by_row.iter().min_by_key(|(row, _)| *row)?;
        let last = by_row.iter().max_by_key(|(row, _)| *row)?;
        Some((*first, *last))
    };
    html! {
        @for (what, found) in
            [("depend on their parents (Table 1, b = 2)", ends(1, "b=2")), ("are independent (Table 5)", ends(5, "independent"))]
        {
            @if let Some(((first, at_first), (last, at_last))) = found {
                "Where values " (what) ", the position error goes from " (fixed(at_first, 4)) " at depth " (first) " to "
                (fixed(at_last, 4)) " at depth " (last) ". "
            }
        }
        "Where values become wins and losses by comparing them with the median (Tables 10 and 11), of the figures for independent \
         leaves " (independent([10, 11])) " are reproduced."
        @if let Some((cited, (published, ours))) =
            first.and_then(|cited| Some((cited, cited.comparison.published_f64().zip(cited.comparison.ours_f64())?)))
        {
            " At depth 0 the exact error is " (fixed(ours, 4))
            @if reproduced(cited) { ", as printed." } @else { ", not " (fixed(published, 4)) "." }
        }
    }
}

fn by_table(all: &[Cited<'_>]) -> Table {
    let rows = TABLES.map(|table| {
        let of = || counted(all).filter(move |cited| cited.table == table);
        let count = |verdict: Verdict| of().filter(|cited| cited.comparison.ours.verdict == verdict).count();
        let again = all.iter().filter(|cited| cited.table == table).count() - of().count();
        vec![
            Cell::from(table),
            of().count().into(),
            again.into(),
            of().filter(|cited| reproduced(cited)).count().into(),
            count(Verdict::Differs).into(),
        ]
    });
    Table {
        id: "lgb".to_owned(),
        title: "The published figures by table".to_owned(),
        columns: ["table", "figures", "printed elsewhere", "reproduced", "different"]
            .map(Column::right)
            .to_vec(),
        rows: rows.collect(),
        notes: Vec::new(),
    }
}
