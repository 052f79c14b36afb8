//! What the commands answer that measure models: types of which JSON, tables and drawings are views.
//!
//! The comments of fields are their descriptions in `docs/json.md`.

pub mod charts;
mod contest;
mod critical;
mod crossover;
mod enumerate;
mod measured;
pub mod naming;
mod show;

use prodmax_enumerate::Model;
use prodmax_number::{Count, Figure};
use prodmax_rules::{ByRule, Curve};
use serde::Serialize;

pub use contest::{ContestAnswer, ContestAnswers, MatchAnswer};
pub use critical::{CriticalAnswer, CriticalAnswers, Picked, TreeAnswer};
pub use crossover::{CrossoverAnswer, CrossoverAnswers, Intervals, PolynomialAnswer, ThresholdAnswer};
pub use enumerate::{EngineAnswer, EnumerateAnswer, EnumerateAnswers, LevelAnswer, Saving};
pub use measured::{MassAnswer, MassAnswers};
pub use show::{NodeAnswer, ShowAnswer};

use crate::measure::{Match, Number};
use crate::quality::Quality;
use crate::ranking::Comparisons;

/// A model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelKeys {
    /// the heuristic value of the root
    pub root: i32,
    /// the greatest increment of each level
    pub increments: Vec<i32>,
    /// `skip` or `allow`
    pub zero: String,
    /// the greatest heuristic value
    pub h_max: i32,
    /// the number of moves of every node
    pub branching: usize,
}

impl From<&Model> for ModelKeys {
    fn from(model: &Model) -> Self {
        Self {
            root: model.root().get(),
            increments: model.increments().to_vec(),
            zero: model.line().zero().to_string(),
            h_max: model.line().h_max(),
            branching: model.branching(),
        }
    }
}

/// The curves and the numbers of a measurement.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CurveKeys {
    /// the curve of the true probabilities
    pub truth: String,
    /// the curve through which rules see the leaves
    pub estimate: String,
    /// `f64`, `certified` or `exact`
    pub number: String,
}

impl CurveKeys {
    /// The curves and numbers by their names.
    pub fn new(truth: &Curve, estimate: &Curve, number: Number) -> Self {
        Self { truth: truth.to_string(), estimate: estimate.to_string(), number: number.to_string() }
    }

    /// Both curves in a sentence.
    fn sentence(&self) -> String {
        format!("truth {}, estimate {}", self.truth, self.estimate)
    }

    /// The same as a note.
    fn note(&self) -> String {
        format!("Truth {}, estimate {}.", self.truth, self.estimate)
    }
}

/// How well a rule decides.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleQuality {
    /// the probability, over all ordered trees, that the move it chooses is won
    pub won: Figure,
    /// what it wins beyond chance as a share of what the ideal rule does, from 0 to 1
    pub efficiency: Option<Figure>,
}

impl From<Quality<Figure>> for RuleQuality {
    fn from(Quality { won, efficiency }: Quality<Figure>) -> Self {
        Self { won, efficiency }
    }
}

/// How the order of the classes was proved.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparisonCounts {
    /// neighbours compared
    pub total: u64,
    /// those that doubles could not settle
    pub escalated: u64,
    /// those that nothing could settle: 0
    pub unresolved: u64,
}

impl From<Comparisons> for ComparisonCounts {
    fn from(Comparisons { total, escalated, unresolved }: Comparisons) -> Self {
        Self { total, escalated, unresolved }
    }
}

/// The values of rules by the names that were typed.
fn by_rule<T, U: Into<T>>(names: &[String], values: impl IntoIterator<Item = U>) -> ByRule<T> {
    ByRule(names.iter().cloned().zip(values.into_iter().map(Into::into)).collect())
}

/// Critical, agreeing and tied trees, if they were counted.
fn counted(pair: &Match<Figure>) -> [Option<Count>; 3] {
    let counts = pair.counts();
    [
        counts.map(|counts| counts.critical.clone().into()),
        counts.map(|counts| counts.agreeing.clone().into()),
        counts.map(|counts| counts.tied.clone().into()),
    ]
}
