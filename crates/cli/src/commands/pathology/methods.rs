//! `prodmax pathology methods`: integration and sampling against each other, in every figure of LGB's tables.

use std::cell::Cell as Counter;

use clap::Args;
use prodmax_jobs::Effort;
use prodmax_number::{Approximate, Uncertainty};
use prodmax_pathology::effort;
use prodmax_pathology::tables::samples::{BothMethods, Samples, Sizes, criteria, models, sampled_tables};
use serde_json::{Value, json};

use crate::context::Context;
use crate::error::Error;
use crate::guard;
use crate::output::{Cell, Column, Output, Table};
use crate::whole_number::within;

/// Compare integration with samples in every figure of LGB's tables.
///
/// The two methods have nothing in common but the model. Every model of Tables 1 to 11
/// is sampled, with a seed that was fixed before the first comparison, and every figure
/// that LGB print (except the counts of Table 6) is also integrated. If one differs by
/// more than 4 standard errors, the exit code is 1.
///
/// Example:
///
///     prodmax pathology methods --recorded
///
/// compares with the samples that were recorded (make record-pathology): 10,000 trees of
/// each model, 400 where b = 5. From their variance between trees follow the standard
/// errors of the paper's figures, by which prodmax pathology --table judges them, from the
/// covariance of searches to different depths how far a column is off as a whole. Without
/// --table trees are also sampled from which the error of the counts of Table 6 follows.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct PathologyMethods {
    /// Compare the figures of this table only.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = sampled_table)]
    table: Option<usize>,

    /// How many trees of most models to sample.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        allow_negative_numbers = true,
        value_parser = within::<u64>(2..=1_000_000)
    )]
    trees: u64,

    /// How many trees of the model with b = 5, which have ten million leaves each.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 400,
        allow_negative_numbers = true,
        value_parser = within::<u64>(2..=10_000)
    )]
    large_trees: u64,

    /// The seed of all trees.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 18,
        allow_negative_numbers = true,
        value_parser = within::<u64>(0..=u64::MAX.into())
    )]
    seed: u64,

    /// Take the recorded samples instead of drawing new ones.
    #[arg(long, conflicts_with_all = ["trees", "large_trees", "seed"])]
    recorded: bool,
}

fn sampled_table(text: &str) -> Result<usize, String> {
    let table: usize = text.parse().map_err(|_| format!("`{text}` is not a whole number"))?;
    match sampled_tables().any(|sampled| sampled == table) {
        true => Ok(table),
        false if table == 6 => Err("Table 6 has counts, which are not sampled".to_owned()),
        false => Err(format!("{table} is not a table of LGB; give a number from 1 to 11")),
    }
}

impl PathologyMethods {
    pub(super) fn output(&self, context: &Context) -> Result<Output, Error> {
        let sizes = Sizes { trees: self.trees, large_trees: self.large_trees, seed: self.seed };
        let threads = rayon::current_num_threads();
        let tables: Vec<usize> = self.table.map_or_else(|| sampled_tables().collect(), |table| vec![table]);
        let counts = self.table.is_none() && !self.recorded;
        let work = match self.recorded {
            true => effort::samples(&tables, Sizes { trees: 2, large_trees: 2, seed: 0 }, threads),
            false => effort::samples(&tables, sizes, threads),
        };
        let work = work.then(if counts { effort::criteria(sizes, threads) } else { Effort::NONE });
        let meter =
            guard::admit(context, "steps", work, "sample fewer trees with --trees and --large-trees")?;
        let drawn = if self.recorded { 0 } else { models(&tables).len() };
        let drawn = drawn + if counts { criteria().count() } else { 0 };
        let (done, all) = (Counter::new(0), (drawn + tables.len()) as u64);
        let step = || {
            done.set(done.get() + 1);
            meter.show(done.get(), all);
        };
        let samples = match self.recorded {
            true => Samples::recorded()?,
            false => Samples::draw(&tables, sizes, env!("PRODMAX_VERSION"), &step)?,
        };
        let samples = if counts { samples.with_criteria(sizes, &step)? } else { samples };
        let cells = samples.compared(&tables, &step)?;
        drop(meter);
        let holds = cells.iter().all(BothMethods::agree);
        Ok(Output { holds, ..Output::figures(json(&samples, &cells), vec![table(&samples, &cells)]) })
    }
}

/// The cell in which the methods differ most.
fn worst<'a>(cells: &[&'a BothMethods]) -> Option<&'a BothMethods> {
    cells.iter().copied().max_by(|a, b| a.deviation().abs().total_cmp(&b.deviation().abs()))
}

fn json(samples: &Samples, cells: &[BothMethods]) -> Value {
    let cell = |cell: &BothMethods| {
        json!({
            "id": cell.published.id,
            "integrated": figure_json(cell.integrated),
            "sampled": figure_json(cell.sampled),
            "deviation": cell.deviation(),
        })
    };
    json!({
        "prodmax": samples.prodmax,
        "allowed": BothMethods::ALLOWED,
        "agree": cells.iter().filter(|cell| cell.agree()).count(),
        "cells": cells.iter().map(cell).collect::<Vec<_>>(),
        "samples": samples.samples,
        "criteria": samples.criteria,
    })
}

fn table(samples: &Samples, cells: &[BothMethods]) -> Table {
    let mut groups: Vec<Vec<&BothMethods>> = Vec::new();
    for cell in cells {
        let key =
            |cell: &BothMethods| (cell.table, cell.published.series.clone(), cell.published.quantity.clone());
        match groups.iter_mut().find(|group| key(group[0]) == key(cell)) {
            Some(group) => group.push(cell),
            None => groups.push(vec![cell]),
        }
    }
    let row = |group: &Vec<&BothMethods>| {
        let worst = worst(group)?;
        Some(vec![
            Cell::from(worst.table),
            worst.published.series.clone().into(),
            worst.published.quantity.replace('_', " ").into(),
            group.len().into(),
            worst.published.row.into(),
            Cell::decimal(worst.integrated.value, 6),
            Cell::decimal(worst.sampled.value, 6),
            format!("{:.0e}", worst.sampled.error()).into(),
            format!("{:+.1}", worst.deviation()).into(),
        ])
    };
    let agree = cells.iter().filter(|cell| cell.agree()).count();
    let all: Vec<&BothMethods> = cells.iter().collect();
    let furthest = worst(&all).map_or(0.0, |cell| cell.deviation().abs());
    let trees = samples.samples.iter().map(|sample| sample.results.finished.count());
    Table {
        id: "pathology-methods".to_owned(),
        title: "Integration and sampling: where each column of LGB's tables differs most".to_owned(),
        columns: vec![
            Column::right("table"),
            Column::left("column"),
            Column::left("quantity"),
            Column::right("figures"),
            Column::right("row"),
            Column::right("integrated"),
            Column::right("sampled"),
            Column::right("s.e."),
            Column::right("off by"),
        ],
        rows: groups.iter().filter_map(row).collect(),
        notes: vec![format!(
            "{agree} of {} figures agree within {} standard errors; the furthest is off by {furthest:.1}. {} models, \
             {} to {} trees of each.",
            cells.len(),
            BothMethods::ALLOWED,
            samples.samples.len(),
            trees.clone().min().unwrap_or(0),
            trees.max().unwrap_or(0),
        )],
    }
}

fn figure_json(figure: Approximate) -> Value {
    let key =
        if matches!(figure.uncertainty, Uncertainty::StandardError(_)) { "standard_error" } else { "error" };
    json!({ "value": figure.value, (key): figure.error() })
}
