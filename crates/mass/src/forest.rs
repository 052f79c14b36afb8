//! All trees of a model: its depth-1 classes and the levels below, to be ranked by any number of rules.

use num_bigint::BigUint;
use prodmax_enumerate::{ClassTable, DepthOne, EnumerateError, HeuristicValue, Model, Place};
use prodmax_jobs::stop;

use crate::arithmetic::Arithmetic;
use crate::critical::MassError;
use crate::ranking::Ranking;
use prodmax_rules::Contestant;

/// The enumerated classes of a model.
#[derive(Clone, Debug)]
pub struct Forest {
    classes: DepthOne,
    table: ClassTable,
    total: u128,
}

impl Forest {
    /// Enumerates a model.
    pub fn of(model: &Model) -> Result<Self, EnumerateError> {
        Self::from_table(ClassTable::build(model)?)
    }

    /// The classes of an enumerated model, whose leaves may have been given other values.
    pub fn from_table(table: ClassTable) -> Result<Self, EnumerateError> {
        let classes = table.depth_one()?;
        let total = classes.total()?;
        if table.model().is_binary() {
            // Every sum over pairs of classes is bounded by the number of trees.
            total.checked_mul(total).ok_or(EnumerateError::Multiplicity { level: 0 })?;
        }
        Ok(Self { classes, table, total })
    }

    /// The depth-1 classes.
    pub fn classes(&self) -> &DepthOne {
        &self.classes
    }

    /// The levels below.
    pub fn table(&self) -> &ClassTable {
        &self.table
    }

    /// The number of combinations of a root move and the subtree below it.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// The number of ordered trees.
    pub fn trees(&self) -> BigUint {
        BigUint::from(self.total).pow(self.branching())
    }

    /// The number of moves of every node.
    pub fn branching(&self) -> u32 {
        self.table.model().branching() as u32
    }

    /// The leaves of a class from left to right.
    pub fn leaves(&self, class: usize) -> Vec<HeuristicValue> {
        self.table.leaves(&self.classes, class)
    }

    /// The proven order of the classes by a rule; an error if something stays unresolved.
    pub fn rank(&self, contestant: &Contestant<'_>) -> Result<Ranking, MassError> {
        let ranking = Ranking::of(&self.table, &self.classes, contestant);
        match ranking.comparisons().unresolved {
            0 => Ok(ranking),
            comparisons => Err(MassError::Unresolved { rule: contestant.rule().to_string(), comparisons }),
        }
    }

    /// The probability that each class is won, from independent leaves.
    pub fn truth<A: Arithmetic>(&self, arithmetic: &A) -> Vec<A::Number> {
        let node = |place: Place, children: &[&A::Number]| {
            stop::check();
            arithmetic.node(place.mover, children)
        };
        self.classes.back_up(&self.table.back_up(|h| arithmetic.leaf(h), node), node)
    }
}
