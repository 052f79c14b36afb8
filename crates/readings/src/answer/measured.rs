//! Models under a reading.

use prodmax_enumerate::Model;
use prodmax_mass::answer::charts::{self, Point};
use prodmax_mass::answer::naming::Naming;
use prodmax_output::answer::{Answer, Listed, Rows, View};
use prodmax_output::{Cell, Column};
use prodmax_rules::ByRule;
use serde::Serialize;

use crate::measure::ReadingFigures;
use crate::reading::{Reading, ReadingFile};

/// The critical trees of a model and the error masses of Minimax and Product in them, under another reading of the papers' text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadAnswer {
    /// the heuristic value of the root
    root: i32,
    /// the greatest increment of each level
    increments: Vec<i32>,
    /// the reading of the papers' text
    reading: String,
    /// the choices of the reading
    choices: Reading,
    /// depth-1 classes
    classes: usize,
    /// trees, counted as the reading says
    trees: f64,
    /// trees in which the two rules choose different moves, counted as the reading says
    critical: f64,
    /// the error mass of each rule
    errors: ByRule<f64>,
    /// Minimax's share of both error masses, in percent
    share_percent: Option<f64>,
    /// critical trees in which Minimax errs with the smaller probability minus those in which Product does; null unless asked for
    majority: Option<f64>,
    /// the reading's statistic
    statistic: Option<f64>,
    /// by formula (7), at depth 2
    threshold_percent: Option<f64>,
    /// N(I2)/N(I4), at depth 2
    interval_ratio: Option<f64>,
    #[serde(skip)]
    of: Model,
}

impl ReadAnswer {
    /// The answer for a model that was measured under a reading.
    pub fn new(file: &ReadingFile, measured: ReadingFigures) -> Self {
        let ReadingFigures { model, classes, sums, statistic, threshold_percent, interval_ratio } = measured;
        let errors = [("minimax", sums.minimax_error), ("product", sums.product_error)];
        Self {
            root: model.root().get(),
            increments: model.increments().to_vec(),
            reading: file.id.clone(),
            choices: file.choices.clone(),
            classes,
            trees: sums.trees,
            critical: sums.critical,
            errors: ByRule(errors.map(|(rule, error)| (rule.to_owned(), error)).into()),
            share_percent: sums.share_minimax_percent(),
            majority: sums.majority,
            statistic,
            threshold_percent,
            interval_ratio,
            of: model,
        }
    }
}

/// The answers of `mass --reading` for one model or several.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct ReadAnswers {
    answers: Listed<ReadAnswer>,
    #[serde(skip)]
    file: ReadingFile,
}

impl ReadAnswers {
    /// All answers under the reading of a file.
    pub fn new(answers: Listed<ReadAnswer>, file: ReadingFile) -> Self {
        Self { answers, file }
    }
}

impl Answer for ReadAnswers {
    fn view(&self) -> View {
        let all = self.answers.all();
        let ReadingFile { id, title, source, choices } = &self.file;
        let naming = Naming::of(all.iter().map(|answer| &answer.of));
        let title = format!("Critical trees and the error mass of both rules, read as {id}: {title}");
        let mut rows = Rows::new("mass", title, all.iter().collect());
        rows.columns(naming.columns(), |answer| naming.cells(&answer.of));
        rows.column(Column::right("trees"), |answer| answer.trees.into());
        rows.column(Column::right("classes"), |answer| answer.classes.into());
        rows.column(Column::right("critical"), |answer| answer.critical.into());
        for (place, rule) in ["minimax", "product"].into_iter().enumerate() {
            let column = Column::right(format!("{rule} error")).at(["errors", rule]);
            rows.column(column, |answer| {
                answer.errors.0.get(place).map_or_else(Cell::dash, |&(_, error)| Cell::decimal(error, 8))
            });
        }
        let figure = |value: Option<f64>| value.map_or_else(Cell::dash, |value| Cell::decimal(value, 6));
        rows.column(Column::right("share %"), |answer| figure(answer.share_percent));
        let statistic = choices.statistic.to_string();
        rows.column(Column::right(format!("{statistic} %")).at(["statistic"]), |answer| {
            figure(answer.statistic)
        });
        rows.notes([format!("Source of the reading: {source}.")]);
        let points = all.iter().map(|answer| (&answer.of, answer.statistic.map(Point::from)));
        let drawing = charts::difference(&statistic, "Product", &format!("read as {id}"), points);
        View { drawing: Some(drawing), ..vec![rows.table()].into() }
    }
}
