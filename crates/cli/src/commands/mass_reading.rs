//! `prodmax mass --reading`: models under another reading of the paper.

use std::path::PathBuf;

use prodmax_enumerate::Model;
use prodmax_jobs::Effort;
use prodmax_readings::{ReadingFigures, ReadingFile};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::context::Context;
use crate::effort;
use crate::error::Error;
use crate::guard;
use crate::model_args::Models;
use crate::output::{Cell, Column, CommandResult, Output, Table};
use prodmax_mass::answer::charts::{self, Point};

/// The file of a reading, if it is not built in.
pub(crate) fn file(reading: Option<&str>) -> Option<PathBuf> {
    reading.filter(|reading| reading.ends_with(".ron")).map(PathBuf::from)
}

/// Measures models under the reading of this name or file, in parallel, in order.
pub(crate) fn measure(
    context: &Context,
    reading: &str,
    models: &[&Model],
) -> Result<(ReadingFile, Vec<ReadingFigures>), Error> {
    let file = ReadingFile::load(reading).map_err(Error::Reading)?;
    for model in models {
        effort::check(model)?;
    }
    let efforts = models.iter().map(|model| prodmax_readings::effort::of_one(model));
    let effort = Effort::in_parallel(efforts, rayon::current_num_threads());
    let instead = "use smaller increments or fewer levels";
    let _meter = guard::admit(context, &effort::names(models), effort, instead)?;
    let one = |model: &&Model| {
        file.choices.measure(model).map_err(|source| {
            let (root, increments) = effort::name(model);
            Error::ReadModel { root, increments, source }
        })
    };
    let measured = models.par_iter().map(one).collect::<Result<_, _>>()?;
    Ok((file, measured))
}

/// The figures of all models.
pub(crate) fn run(context: &Context, reading: &str, models: &Models) -> Result<CommandResult, Error> {
    let all: Vec<&Model> = models.iter().collect();
    let (file, measured) = measure(context, reading, &all)?;
    let value = models.json(measured.iter().map(|one| json(&file, one)));
    let output = Output::figures(value, vec![table(&file, &measured)]);
    let points = measured.iter().map(|one| (&one.model, one.statistic.map(Point::from)));
    let drawing = charts::difference(
        &file.choices.statistic.to_string(),
        "Product",
        &format!("read as {}", file.id),
        points,
    );
    Ok(CommandResult::Figures(output.drawn(drawing)))
}

fn json(file: &ReadingFile, measured: &ReadingFigures) -> Value {
    let sums = &measured.sums;
    json!({
        "root": measured.model.root().get(),
        "increments": measured.model.increments(),
        "reading": file.id,
        "choices": file.choices,
        "classes": measured.classes,
        "trees": sums.trees,
        "critical": sums.critical,
        "minimax_error": sums.minimax_error,
        "product_error": sums.product_error,
        "share_minimax_percent": sums.share_minimax_percent(),
        "majority": sums.majority,
        "statistic": measured.statistic,
        "threshold_percent": measured.threshold_percent,
        "interval_ratio": measured.interval_ratio,
    })
}

fn table(file: &ReadingFile, measured: &[ReadingFigures]) -> Table {
    let statistic = file.choices.statistic;
    let mut columns = vec![Column::right("root"), Column::left("increments")];
    let numbers = ["trees", "classes", "critical", "minimax error", "product error", "share %"];
    columns.extend(numbers.map(Column::right));
    columns.push(Column::right(format!("{statistic} %")));
    let figure = |value: Option<f64>| value.map_or_else(Cell::dash, |value| Cell::decimal(value, 6));
    let row = |measured: &ReadingFigures| -> Vec<Cell> {
        let (root, increments) = effort::name(&measured.model);
        let sums = &measured.sums;
        vec![
            root.into(),
            increments.into(),
            sums.trees.into(),
            measured.classes.into(),
            sums.critical.into(),
            Cell::decimal(sums.minimax_error, 8),
            Cell::decimal(sums.product_error, 8),
            figure(sums.share_minimax_percent()),
            figure(measured.statistic),
        ]
    };
    Table {
        id: "mass".to_owned(),
        title: format!(
            "Critical trees and the error mass of both rules, read as {}: {}",
            file.id, file.title
        ),
        columns,
        rows: measured.iter().map(row).collect(),
        notes: vec![format!("Source of the reading: {}.", file.source)],
    }
}
