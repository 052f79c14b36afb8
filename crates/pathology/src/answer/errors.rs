//! Figures over the depth of search.

use prodmax_number::{Approximate, Figure};
use prodmax_output::answer::{Answer, Checks, Rows, View};
use prodmax_output::{Column, Table};
use serde::Serialize;

use super::{figure, with_error};
use crate::figures::{Quantity, Row};
use crate::model::RealModel;
use crate::sample::Sampling;

/// The errors at the root of a model over the depth of search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorsAnswer {
    /// the model
    model: RealModel,
    /// the median of the root, the threshold of two-value errors, if it was integrated
    median: Option<Figure>,
    /// for a sample: what was drawn
    sample: Option<Sampling>,
    /// depth by depth
    rows: Vec<RowKeys>,
    /// with `--method both`: the sampled figures, depth by depth; `rows` has the integrated ones
    sampled_rows: Option<Vec<RowKeys>>,
    /// Trees of the sample that are not finished.
    #[serde(skip)]
    missing: u64,
}

/// The errors of a search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowKeys {
    /// the depth of search
    d: usize,
    /// mean distance of true and heuristic value of the root
    position_error: Option<Figure>,
    /// probability of a wrong move
    move_error: Option<Figure>,
    /// without search
    static_move_error: Option<Figure>,
    /// mean difference of sibling values
    sibling_difference: Option<Figure>,
    /// probability of a wrong sign against the median
    two_value_error: Option<Figure>,
    /// without search
    static_two_value_error: Option<Figure>,
}

impl From<&Row> for RowKeys {
    fn from(row: &Row) -> Self {
        let of = |quantity| figure(row.get(quantity));
        Self {
            d: row.d,
            position_error: of(Quantity::PositionError),
            move_error: of(Quantity::MoveError),
            static_move_error: of(Quantity::StaticMoveError),
            sibling_difference: of(Quantity::SiblingDifference),
            two_value_error: of(Quantity::TwoValueError),
            static_two_value_error: of(Quantity::StaticTwoValueError),
        }
    }
}

impl RowKeys {
    fn get(&self, quantity: Quantity) -> Option<&Figure> {
        match quantity {
            Quantity::PositionError => &self.position_error,
            Quantity::MoveError => &self.move_error,
            Quantity::StaticMoveError => &self.static_move_error,
            Quantity::SiblingDifference => &self.sibling_difference,
            Quantity::TwoValueError => &self.two_value_error,
            Quantity::StaticTwoValueError => &self.static_two_value_error,
        }
        .as_ref()
    }
}

impl ErrorsAnswer {
    /// The answer for a model: integrated figures, and those of a sample with what it is and how many of its trees are missing.
    pub fn new(
        model: &RealModel,
        median: Option<Approximate>,
        integrated: Option<&[Row]>,
        sampled: Option<(Sampling, u64, &[Row])>,
    ) -> Self {
        let keys = |rows: &[Row]| rows.iter().map(RowKeys::from).collect::<Vec<_>>();
        let (rows, sampled_rows) = match (integrated, sampled) {
            (Some(rows), sampled) => (keys(rows), sampled.map(|(.., sampled)| keys(sampled))),
            (None, sampled) => (sampled.map(|(.., sampled)| keys(sampled)).unwrap_or_default(), None),
        };
        Self {
            model: model.clone(),
            median: figure(median),
            sample: sampled.map(|(sampling, ..)| sampling),
            rows,
            sampled_rows,
            missing: sampled.map_or(0, |(_, missing, _)| missing),
        }
    }

    fn table(&self, id: &str, how: &str, rows: &[RowKeys], uncertainty: &str) -> Table {
        let RealModel { b, steps, values, sigma_v, sigma_e, m, d_max, grains } = &self.model;
        let bound = m.map_or("infinite".to_owned(), |m| m.to_string());
        let grained = grains
            .map_or(String::new(), |g| format!(", {} grains from {} to {}", g.count, -g.range, g.range));
        let title = format!(
            "Errors at the root, {how}: b = {b}, {} steps, {} values, sigma_v = {sigma_v}, sigma_e = {sigma_e}, m \
             {bound}, d_max = {d_max}{grained}",
            steps.name(),
            values.name()
        );
        let mut table = Rows::new(id, title, rows.iter().collect());
        table.column(Column::right("d"), |row| row.d.into());
        for quantity in Quantity::ALL {
            if rows.iter().all(|row| row.get(quantity).is_none()) {
                continue;
            }
            let heading = quantity.name().replace('_', " ");
            let error = Column::right(format!("{heading}: {uncertainty}")).with_terminal(uncertainty);
            table.columns(vec![Column::right(heading), error], |row| with_error(row.get(quantity)).into());
        }
        table.table()
    }
}

impl Answer for ErrorsAnswer {
    fn view(&self) -> View {
        let integrated = |rows| self.table("pathology", "integrated", rows, "error");
        let tables = match self.sample {
            None => vec![integrated(&self.rows)],
            Some(sampling) => {
                let how = format!("{} trees sampled", sampling.trees);
                let sampled = |rows| self.table("pathology-sample", &how, rows, "s.e.");
                match &self.sampled_rows {
                    None => vec![sampled(&self.rows)],
                    Some(rows) => vec![integrated(&self.rows), sampled(rows)],
                }
            }
        };
        View { checks: Some(Checks { holds: self.missing == 0, junit: None }), ..tables.into() }
    }
}
