//! `prodmax pathology grains`: how many grains it takes to avoid pathology, LGB's Table 6 and eq. (9).

use clap::Args;
use prodmax_jobs::Effort;
use prodmax_number::fraction::to_f64;
use prodmax_pathology::granularity::explicit::{
    Ends, MAX_GRAINS_EXPLICIT, required, with_grains, with_real_values,
};
use prodmax_pathology::granularity::readings::{Required, required_by_reading};
use prodmax_pathology::tables::{Equation9, TableError, published};
use prodmax_pathology::{RealModel, Steps, Values};
use serde_json::json;

use super::args::positive;
use crate::context::Context;
use crate::error::Error;
use crate::guard;
use crate::output::{Cell, Column, Output, Table};
use crate::whole_number::within;

/// Count the grains that it takes to avoid pathology (LGB's Table 6, eq. (9)).
///
/// With few values to choose from (grains), a deeper search can be worse. Here leaves
/// are independent and uniform, the grains cover all their values, and a number of
/// grains is pathological if the move error of the deepest search is greater than
/// that of depth 1: the reading that comes closest to LGB's column. Both errors
/// follow from a formula for any number of moves, and for real values as the limit.
/// If the limit is pathological, no number of grains is enough.
///
/// LGB extrapolate their column to b = 30 and 40 by eq. (9), an exponential that is fitted
/// to it by least squares.
///
/// Examples:
///
///     prodmax pathology grains --b 10,15,30 --most 1000
///
/// computes what eq. (9) extrapolates.
///
///     prodmax pathology grains --b 30 --at 31670
///
/// evaluates the number of grains that LGB give for b = 30.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct PathologyGrains {
    /// Branching factors.
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "2,3,4,5,6,7,8,9,10",
        allow_negative_numbers = true,
        value_parser = within::<u32>(2..=100)
    )]
    b: Vec<u32>,

    /// The standard deviation of the noise.
    #[arg(long, value_name = "X", default_value_t = 0.2, allow_negative_numbers = true, value_parser = positive)]
    sigma_e: f64,

    /// The depth of the tree.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 6,
        allow_negative_numbers = true,
        value_parser = within::<usize>(2..=20)
    )]
    d_max: usize,

    /// Try up to this many grains.
    #[arg(
        long,
        value_name = "G",
        default_value_t = 4000,
        allow_negative_numbers = true,
        value_parser = within::<u32>(2..=20_000)
    )]
    most: u32,

    /// Evaluate these numbers of grains instead.
    #[arg(
        long,
        value_name = "G",
        value_delimiter = ',',
        allow_negative_numbers = true,
        value_parser = within::<u32>(2..=MAX_GRAINS_EXPLICIT.into()),
        conflicts_with = "most"
    )]
    at: Vec<u32>,

    /// Compute Table 6 under every reading of what LGB leave open, for these values: dependent or independent.
    #[arg(long, value_name = "VALUES", conflicts_with_all = ["sigma_e", "d_max", "most", "at"])]
    readings: Option<Values>,
}

impl PathologyGrains {
    pub(super) fn output(&self, context: &Context) -> Result<Output, Error> {
        let threads = rayon::current_num_threads();
        let instead = "use fewer branching factors or grains";
        if let Some(values) = self.readings {
            let work = Effort { bytes: 0.0, seconds: 40.0 * self.b.len() as f64 }.on_threads(threads);
            let meter = guard::admit(context, "branching factors", work, instead)?;
            let progress = |done: usize, all: usize| meter.show(done as u64, all as u64);
            let found = required_by_reading(values, &self.b, MAX_GRAINS_PER_READING, &progress)
                .map_err(TableError::from)?;
            return self.by_reading(values, &found);
        }
        let most = self.at.iter().copied().max().unwrap_or(self.most.max(6400));
        let seconds = self.b.len() as f64 * (f64::from(most).powi(2) * 2e-8 + 2.0);
        let work = Effort { bytes: 48.0 * f64::from(most), seconds }.on_threads(threads);
        let _meter = guard::admit(context, "branching factors", work, instead)?;
        if self.at.is_empty() { self.required() } else { self.evaluated() }
    }

    fn model(&self, b: u32) -> RealModel {
        RealModel {
            b,
            sigma_e: self.sigma_e,
            d_max: self.d_max,
            values: Values::Independent,
            steps: Steps::Uniform,
            ..RealModel::default()
        }
    }

    fn evaluated(&self) -> Result<Output, Error> {
        let (mut rows, mut values) = (Vec::new(), Vec::new());
        for &b in &self.b {
            for &grains in &self.at {
                let ends = with_grains(&self.model(b), grains).map_err(TableError::from)?;
                let mut row: Vec<Cell> = vec![b.into(), grains.into()];
                row.extend(ends_cells(&ends));
                row.push(verdict(&ends).into());
                rows.push(row);
                let mut value = ends_json(&ends);
                value["b"] = json!(b);
                value["grains"] = json!(grains);
                values.push(value);
            }
        }
        let mut columns = vec![Column::right("b"), Column::right("grains")];
        columns.extend(self.ends_columns());
        columns.push(Column::left("verdict"));
        Ok(Output::figures(json!({ "grains": values }), vec![self.table(columns, rows, Vec::new())]))
    }

    fn required(&self) -> Result<Output, Error> {
        let (mut rows, mut values) = (Vec::new(), Vec::new());
        let equation_9 = Equation9::fitted()?;
        for &b in &self.b {
            let extrapolated = to_f64(&equation_9.grains(b).middle());
            let limit = with_real_values(&self.model(b), true).map_err(TableError::from)?;
            let hopeless = limit.rise() > limit.error();
            let grains = match hopeless {
                true => None,
                false => required(&self.model(b), self.most).map_err(TableError::from)?,
            };
            let shown = match (grains, hopeless) {
                (Some(grains), _) => Cell::from(grains),
                (None, true) => "none suffices".into(),
                (None, false) => format!("more than {}", self.most).into(),
            };
            let mut row = vec![b.into(), shown, Cell::decimal(extrapolated, 0)];
            row.extend(ends_cells(&limit));
            rows.push(row);
            values.push(json!({
                "b": b, "required_grains": grains, "equation_9": extrapolated, "limit": ends_json(&limit),
                "none_suffices": hopeless,
            }));
        }
        let mut columns =
            vec![Column::right("b"), Column::right("required grains"), Column::right("eq. (9)")];
        columns.extend(self.ends_columns());
        let notes = vec![
            "The move errors are the limits of many grains; if the rise is positive there, no number of grains suffices."
                .to_owned(),
            format!(
                "Eq. (9) is {equation_9}, fitted to the independent column of Table 6 by least squares; its values are those \
                 of the coefficients before rounding."
            ),
        ];
        Ok(Output::figures(json!({ "required": values }), vec![self.table(columns, rows, notes)]))
    }

    fn ends_columns(&self) -> [Column; 4] {
        [
            Column::right("move error at 1"),
            Column::right(format!("move error at {}", self.d_max)),
            Column::right("rise"),
            Column::right("error"),
        ]
    }

    fn table(&self, columns: Vec<Column>, rows: Vec<Vec<Cell>>, notes: Vec<String>) -> Table {
        Table {
            id: "pathology-grains".to_owned(),
            title: format!(
                "Grains to avoid pathology: independent uniform values, d_max = {}, sigma_e = {}",
                self.d_max, self.sigma_e
            ),
            columns,
            rows,
            notes,
        }
    }

    fn by_reading(&self, values: Values, found: &[Required]) -> Result<Output, Error> {
        let printed = published(6).map_err(TableError::from)?;
        let printed: Vec<Option<u32>> = self
            .b
            .iter()
            .map(|&b| {
                let cell =
                    printed.iter().find(|cell| cell.row == b as usize && cell.series == values.name())?;
                cell.printed.parse().ok()
            })
            .collect();
        let mut columns = ["range", "rounding", "equal moves", "pathological if"].map(Column::left).to_vec();
        columns.extend(self.b.iter().map(|b| Column::right(format!("b = {b}"))));
        columns.push(Column::right("as published"));
        let cell = |grains: &Option<u32>| grains.map_or_else(|| Cell::from("-"), Cell::from);
        let first: Vec<Cell> = ["LGB", "", "", ""].into_iter().map(Cell::from).collect();
        let mut rows =
            vec![first.into_iter().chain(printed.iter().map(cell)).chain([Cell::from("")]).collect()];
        rows.extend(found.iter().map(|reading| {
            let words = reading.words().into_iter().map(Cell::from);
            words.chain(reading.grains.iter().map(cell)).chain([reading.matches(&printed).into()]).collect()
        }));
        let table = Table {
            id: "pathology-readings".to_owned(),
            title: format!("LGB Table 6, {} values, under every reading", values.name()),
            columns,
            rows,
            notes: vec![format!(
                "The least number of grains that is not pathological and is followed by 8 more that are not; -: more than {MAX_GRAINS_PER_READING}."
            )],
        };
        let value = json!({ "values": values, "b": self.b, "published": printed, "readings": found });
        Ok(Output::figures(value, vec![table]))
    }
}

/// The maximum number of grains that are tried for each reading.
const MAX_GRAINS_PER_READING: u32 = 150;

fn verdict(ends: &Ends) -> &'static str {
    if ends.rise() > ends.error() { "pathological" } else { "not pathological" }
}

fn ends_cells(ends: &Ends) -> [Cell; 4] {
    [
        Cell::decimal(ends.first.value, 6),
        Cell::decimal(ends.last.value, 6),
        Cell::decimal(ends.rise(), 6),
        format!("{:.0e}", ends.error()).into(),
    ]
}

fn ends_json(ends: &Ends) -> serde_json::Value {
    json!({
        "first": { "value": ends.first.value, "error": ends.first.error() },
        "last": { "value": ends.last.value, "error": ends.last.error() },
        "rise": ends.rise(),
        "pathological": ends.rise() > ends.error(),
    })
}
