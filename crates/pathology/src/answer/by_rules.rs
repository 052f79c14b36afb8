//! The errors of several rules over the depth of search.

use prodmax_number::Figure;
use prodmax_output::answer::{Answer, Checks, Rows, View};
use prodmax_output::{Cell, Column, Table};
use serde::Serialize;

use super::{figure, with_error};
use crate::figures::{Quantity, Row};
use crate::model::RealModel;
use crate::sample::{SampleResults, SampleResultsError, Sampling};

/// The errors of rules that back up the same noisy values, as probabilities.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RulesAnswer {
    /// the model
    model: RealModel,
    /// a value v is the probability 1/(1 + e^(-v/scale)) that MAX wins
    scale: f64,
    /// what was drawn
    sample: Sampling,
    /// rule by rule
    rules: Vec<RuleKeys>,
    /// Finished trees, and those that are not.
    #[serde(skip)]
    trees: [u64; 2],
}

/// The errors of a rule.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RuleKeys {
    /// its name
    rule: String,
    /// depth by depth
    rows: Vec<RuleRow>,
    /// the depths at which an error is greater than one ply before by more than two standard errors
    rises: Rises,
    /// The errors at all depths.
    #[serde(skip)]
    curve: Vec<Row>,
}

/// The errors of a rule at one depth.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RuleRow {
    /// the depth of search
    d: usize,
    /// mean distance between its value of the root and the probability of the true value
    position_error: Option<Figure>,
    /// probability of a wrong move; null at depth 0
    move_error: Option<Figure>,
}

/// Depths at which errors rise.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Rises {
    /// the position error
    position_error: Vec<usize>,
    /// the move error
    move_error: Vec<usize>,
}

/// The depths at which a curve is higher than one ply before by more than two standard errors. Both figures come from
/// the same trees, so this is on the safe side.
fn rises(rows: &[Row], quantity: Quantity) -> Vec<usize> {
    let rise = |pair: &[Row]| -> Option<usize> {
        let (before, here) = (pair[0].get(quantity)?, pair[1].get(quantity)?);
        let error = before.error().hypot(here.error());
        (here.value - before.value > 2.0 * error).then_some(pair[1].d)
    };
    rows.windows(2).filter_map(rise).collect()
}

impl RulesAnswer {
    /// The answer for a sample, at one depth or all; `None` if it is not one of rules.
    pub fn new(results: &SampleResults, d: Option<usize>) -> Result<Option<Self>, SampleResultsError> {
        let Some(by_rules) = &results.spec.by_rules else { return Ok(None) };
        let keys = |(name, curve): (String, Vec<Row>)| {
            let asked = curve.iter().filter(|row| d.is_none_or(|d| d == row.d));
            let row = |row: &Row| RuleRow {
                d: row.d,
                position_error: figure(row.get(Quantity::PositionError)),
                move_error: figure(row.get(Quantity::MoveError)),
            };
            let [position_error, move_error] =
                [Quantity::PositionError, Quantity::MoveError].map(|quantity| rises(&curve, quantity));
            RuleKeys {
                rule: name,
                rows: asked.map(row).collect(),
                rises: Rises { position_error, move_error },
                curve,
            }
        };
        let names = by_rules.rules.named().iter().map(|named| named.name.clone());
        Ok(Some(Self {
            model: results.spec.model.clone(),
            scale: by_rules.scale,
            sample: results.spec.sampling(),
            rules: names.zip(results.curves()?).map(keys).collect(),
            trees: [results.finished.count(), results.missing()],
        }))
    }

    fn errors(&self) -> Table {
        let Self { model, scale, trees: [trees, _], .. } = self;
        let title = format!(
            "Errors at the root by rule, {trees} trees sampled: b = {}, sigma_e = {}, {} values, probabilities 1/(1 + e^(-v/{scale}))",
            model.b,
            model.sigma_e,
            model.values.name(),
        );
        let all: Vec<(&str, &RuleRow)> =
            self.rules.iter().flat_map(|of| of.rows.iter().map(|row| (of.rule.as_str(), row))).collect();
        let mut rows = Rows::new("pathology-rules", title, all.iter().collect());
        rows.column(Column::left("rule"), |(rule, _)| (*rule).into());
        rows.column(Column::right("d"), |(_, row)| row.d.into());
        let column = |name: &str| {
            vec![Column::right(name), Column::right(format!("{name}: s.e.")).with_terminal("s.e.")]
        };
        rows.columns(column("position error"), |(_, row)| with_error(row.position_error.as_ref()).into());
        rows.columns(column("move error"), |(_, row)| with_error(row.move_error.as_ref()).into());
        rows.notes([
            "The position error is measured on probabilities: between a rule's value of the root and the \
                     probability that belongs to its true value."
                .to_owned(),
        ]);
        rows.table()
    }

    /// Where deeper search hurts, rule by rule.
    fn summary(&self) -> Table {
        let of = |row: &Row| row.get(Quantity::MoveError).map(|figure| figure.value);
        let value = |row: Option<&Row>| row.and_then(of).map_or("-".into(), |value| Cell::decimal(value, 6));
        let listed = |depths: &[usize]| {
            let depths: Vec<String> = depths.iter().map(usize::to_string).collect();
            Cell::from(if depths.is_empty() { "-".to_owned() } else { depths.join(",") })
        };
        let best = |curve: &[Row]| {
            let moves = curve.iter().filter_map(|row| Some((row.d, of(row)?)));
            moves.min_by(|(_, one), (_, two)| one.total_cmp(two)).map(|(d, _)| d)
        };
        let mut rows =
            Rows::new("pathology-rules-summary", "Where deeper search hurts", self.rules.iter().collect());
        rows.column(Column::left("rule"), |of| of.rule.as_str().into());
        rows.column(Column::right("move error at 1"), |of| value(of.curve.get(1)));
        rows.column(Column::right("move error at d_max"), |of| value(of.curve.last()));
        rows.column(Column::right("least at"), |of| best(&of.curve).map_or("-".into(), Cell::from));
        let column = Column::left("move error rises at").at(["rises", "move_error"]);
        rows.column(column, |of| listed(&of.rises.move_error));
        let column = Column::left("position error rises at").at(["rises", "position_error"]);
        rows.column(column, |of| listed(&of.rises.position_error));
        rows.notes([
            "Depths are listed if the rise from the depth before exceeds two standard errors.".to_owned()
        ]);
        rows.table()
    }
}

impl Answer for RulesAnswer {
    fn view(&self) -> View {
        let checks = Checks { holds: self.trees[1] == 0, junit: None };
        View { checks: Some(checks), ..vec![self.errors(), self.summary()].into() }
    }
}
