//! `prodmax table2`: KHS Table II, ours compared with the published one.

use clap::Args;
use prodmax_enumerate::Model;
use prodmax_golden::{Entry, Finding, GoldenFile, Published, Quantity, Verdict};
use prodmax_mass::{Certified, Curve, CurvesByLine, Doubles, Measure, Measurement, Number, NumberKind};
use prodmax_number::fraction::{decimal, to_f64};
use prodmax_number::{Approximate, Figure, Fraction};
use prodmax_readings::ReadingFigures;
use serde_json::{Value, json};

use super::{Run, mass_reading};
use crate::context::Context;
use crate::error::Error;
use crate::figures;
use crate::files::Files;
use crate::measure_args::{measure_in_memory, planned};
use crate::output::{Cell, Column, CommandResult, Output, Table};

/// Compute KHS's Table II and compare it with the published one.
///
/// The table compares the rules at depth 3: rows are maximum increments (a1 = a2,
/// a3), columns root values, cells percentage differences, positive where
/// Minimax errs less in critical trees. For each row three lines are printed: the
/// published figures, ours under the model as the paper states it, and the
/// difference of the two; two more say what both rules win, ties included.
///
/// The published table is not reproduced: in the stated model Product errs less in
/// every cell. The last line counts the verdicts (see prodmax check --help).
///
/// Examples:
///
///     prodmax table2
///
///     prodmax table2 --number certified --format json
///
/// gives every cell with an interval that is certain to contain it.
///
///     prodmax table2 --reading error-product
///
/// is the table under another reading of the paper (see prodmax readings --help).
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Table2 {
    /// The numbers in which masses are summed: f64 or certified.
    #[arg(long, value_name = "KIND", default_value_t, value_parser = number)]
    number: Number,

    /// Read the paper's text in another way: stated, per-case, sign-wise, error-product or a file like those in
    /// specs/readings. Summed in doubles.
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "number")]
    reading: Option<String>,
}

fn number(text: &str) -> Result<Number, String> {
    match text.parse() {
        Ok(Number::Exact) => Err("the curves of Table II have no exact values; use certified".to_owned()),
        Ok(number) => Ok(number),
        Err::<_, String>(_) => Err(format!("`{text}` is not a kind of number; use f64 or certified")),
    }
}

/// A published cell and our value of it.
struct TableCell {
    entry: Entry,
    model: Model,
    ours: Option<Figure>,
    /// What Minimax and Product win.
    won: Option<[f64; 2]>,
}

impl Run for Table2 {
    fn files(&self) -> Files {
        Files::default().reads("--reading", &mass_reading::file(self.reading.as_deref()))
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let [file, _] = GoldenFile::built_in_table2_and_depth2()?;
        let cells: Vec<(&Entry, &Model)> = file
            .golden
            .entries
            .iter()
            .filter_map(|entry| match &entry.quantity {
                Quantity::DifferencePercent(model) => Some((entry, model)),
                _ => None,
            })
            .collect();
        let models: Vec<&Model> = cells.iter().map(|(_, model)| *model).collect();
        let entries = cells.iter().map(|(entry, _)| *entry);
        let cells: Vec<TableCell> = match &self.reading {
            None => {
                let (truth, estimate) = (Curve::arctan(4), Curve::arctan(1));
                let curves = CurvesByLine::new(&truth, &estimate, &models);
                let measured = match self.number {
                    Number::Certified => measure::<Certified>(context, &models, &curves)?,
                    _ => measure::<Doubles>(context, &models, &curves)?,
                };
                entries.zip(models).zip(measured).map(TableCell::new).collect()
            }
            Some(reading) => {
                let (_, measured) = mass_reading::measure(context, reading, &models)?;
                let cell = |(entry, read): (&Entry, ReadingFigures)| {
                    TableCell::read(entry, read.model, read.statistic)
                };
                entries.zip(measured).map(cell).collect()
            }
        };
        let means: Vec<&Entry> = file
            .golden
            .entries
            .iter()
            .filter(|entry| matches!(entry.quantity, Quantity::MeanDifferencePercent { .. }))
            .collect();
        let rows: Vec<Row<'_>> = cells
            .chunk_by(|a, b| a.model.increments() == b.model.increments())
            .zip(means)
            .map(|(cells, mean)| Row { cells, mean })
            .collect();
        let value = json!({
            "reading": self.reading.as_deref().unwrap_or("stated"),
            "number": self.number.to_string(),
            "cells": cells.iter().map(TableCell::json).collect::<Vec<_>>(),
            "means": rows.iter().map(Row::json).collect::<Vec<_>>(),
        });
        Ok(CommandResult::Figures(Output::figures(value, vec![table(&rows)])))
    }
}

/// Measures the cells in memory.
fn measure<'m, K: NumberKind>(
    context: &Context,
    models: &[&'m Model],
    curves: &'m CurvesByLine,
) -> Result<Vec<Measurement<Figure>>, Error> {
    let plan = |model: &'m Model| planned(Measure::new(model, curves.of(model)).number::<K>());
    let plans = models.iter().copied().map(plan).collect::<Result<Vec<_>, _>>()?;
    measure_in_memory(context, &plans.iter().collect::<Vec<_>>())
}

impl TableCell {
    fn new(((entry, model), measured): ((&Entry, &Model), Measurement<Figure>)) -> Self {
        let ours = measured.matches[0].figures.difference_percent.clone();
        let won = [0, 1].map(|rule| measured.quality[rule].won.double());
        Self { entry: entry.clone(), model: model.clone(), ours, won: Some(won) }
    }

    /// A cell under a reading.
    fn read(entry: &Entry, model: Model, statistic: Option<f64>) -> Self {
        let ours = statistic.map(|figure| Approximate::unstated(figure).into());
        Self { entry: entry.clone(), model, ours, won: None }
    }

    /// Our value, or the middle of what it lies in.
    fn middle(&self) -> Option<Fraction> {
        self.ours.as_ref().and_then(Figure::middle)
    }

    fn verdict(&self) -> Verdict {
        verdict(&self.entry.published, self.ours.clone())
    }

    fn json(&self) -> Value {
        let (row, root) = (self.model.increments(), self.model.root().get());
        let mut cell = json!({
            "increments": row,
            "root": root,
            "published": self.entry.published.text(),
            "ours": self.ours.as_ref().map(Figure::double),
            "difference": deviation(&self.entry.published, self.middle().as_ref()).as_ref().map(to_f64),
            "verdict": self.verdict().to_string(),
            "won": self.won.map(|[minimax, product]| json!({ "minimax": minimax, "product": product })),
        });
        if let (Some((key, value)), Value::Object(cell)) =
            (self.ours.as_ref().and_then(figures::certificate), &mut cell)
        {
            cell.insert(key.to_owned(), value);
        }
        cell
    }
}

fn verdict(published: &Published, ours: Option<Figure>) -> Verdict {
    Verdict::of(published, &Finding::from(ours), true)
}

fn deviation(published: &Published, ours: Option<&Fraction>) -> Option<Fraction> {
    Some(ours? - published.number()?)
}

/// A line of the table: the cells of its roots and the published mean.
struct Row<'a> {
    cells: &'a [TableCell],
    mean: &'a Entry,
}

impl Row<'_> {
    fn name(&self) -> String {
        match self.cells.first().map(|cell| cell.model.increments()) {
            Some([first, .., last]) => format!("({first}, {last})"),
            _ => String::new(),
        }
    }

    /// The mean of our cells.
    fn mean(&self) -> Option<Fraction> {
        let sum: Option<Fraction> = self.cells.iter().map(TableCell::middle).sum();
        sum.map(|sum| sum / num_bigint::BigInt::from(self.cells.len()))
    }

    /// The mean of the published cells, which is not always the published mean.
    fn published_mean(&self) -> Option<Fraction> {
        let sum: Option<Fraction> = self.cells.iter().map(|cell| cell.entry.published.number()).sum();
        sum.map(|sum| sum / num_bigint::BigInt::from(self.cells.len()))
    }

    fn json(&self) -> Value {
        let mean = self.mean();
        json!({
            "increments": self.cells.first().map(|cell| cell.model.increments()),
            "published": self.mean.published.text(),
            "mean_of_published_cells": self.published_mean().as_ref().map(to_f64),
            "ours": mean.as_ref().map(to_f64),
            "difference": deviation(&self.mean.published, mean.as_ref()).as_ref().map(to_f64),
            "verdict": verdict(&self.mean.published, mean.map(Figure::Fraction)).to_string(),
        })
    }

    /// The lines: published, ours, how far they differ, and what both rules win, which is known of the stated model.
    fn lines(&self) -> Vec<Vec<Cell>> {
        let mean = self.mean();
        let all = || {
            let cells = self.cells.iter().map(|cell| (&cell.entry.published, cell.middle()));
            cells.chain([(&self.mean.published, mean.clone())])
        };
        let signed = |value: &Fraction, places: u32| {
            let text = decimal(value, places);
            if text.starts_with('-') { text } else { format!("+{text}") }
        };
        let shown = |value: Option<Fraction>, places| match value {
            None => "-".into(),
            Some(value) => Cell::figure(places, move |places| signed(&value, places as u32)),
        };
        let line = |name: Cell, what: &str, cells: Vec<Cell>| {
            let mut line = vec![name, Cell::from(what)];
            line.extend(cells);
            line
        };
        // On the terminal, only the first of the lines has the name.
        let same = || Cell::with_terminal(self.name(), "");
        let mut lines = vec![
            line(self.name().into(), "published", all().map(|(printed, _)| printed.text().into()).collect()),
            line(same(), "ours", all().map(|(_, ours)| shown(ours, 6)).collect()),
            line(
                same(),
                "difference",
                all().map(|(printed, ours)| shown(deviation(printed, ours.as_ref()), 2)).collect(),
            ),
        ];
        for (rule, name) in ["minimax won %", "product won %"].into_iter().enumerate() {
            let won: Option<Vec<f64>> = self.cells.iter().map(|cell| Some(100.0 * cell.won?[rule])).collect();
            lines.extend(won.map(|won| {
                let mean = won.iter().sum::<f64>() / won.len() as f64;
                line(same(), name, won.into_iter().chain([mean]).map(|won| Cell::decimal(won, 4)).collect())
            }));
        }
        lines
    }
}

fn table(rows: &[Row<'_>]) -> Table {
    let mut columns = vec![Column::left("increments"), Column::left("what").with_terminal("")];
    let roots = rows.first().map_or(&[][..], |row| row.cells);
    columns.extend(roots.iter().map(|cell| Column::right(format!("root {}", cell.model.root()))));
    columns.push(Column::right("mean"));
    let verdicts: Vec<Verdict> =
        rows.iter().flat_map(|row| row.cells.iter().map(TableCell::verdict)).collect();
    let counts =
        Verdict::tally(verdicts.iter().copied()).map(|(verdict, count)| format!("{count} {verdict}"));
    let mut notes = vec![format!("{} cells: {}.", verdicts.len(), counts.join(", "))];
    notes.extend(rows.iter().filter_map(inconsistent_mean));
    Table {
        id: "table2".to_owned(),
        title:
            "KHS Table II, percentage differences at depth 3 (above 0: Minimax errs less in critical trees): published and ours"
                .to_owned(),
        columns,
        rows: rows.iter().flat_map(Row::lines).collect(),
        notes,
    }
}

/// A note on a printed mean that is not the mean of the printed cells.
fn inconsistent_mean(row: &Row<'_>) -> Option<String> {
    let (mean, printed) = (row.published_mean()?, row.mean.published.number()?);
    // Every cell, and so their mean, may be off by its rounding, in addition to the rounding of the printed mean.
    let slack = row.mean.published.half_unit() + row.cells.first()?.entry.published.half_unit();
    let gap = if mean > printed { &mean - &printed } else { &printed - &mean };
    (gap > slack).then(|| {
        format!(
            "Row {}: the paper prints the mean {}, but its cells give {}.",
            row.name(),
            row.mean.published.text(),
            decimal(&mean, 2)
        )
    })
}
