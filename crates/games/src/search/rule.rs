//! The rule of a search: in doubles or in single precision.

use prodmax_rules::{Leaves, PairShape, PreparedForSearch, Rule, SearchBackup, SearchVisitor};

use super::SearchError;
use super::single::InSingle;
use crate::position::Position;

/// A rule ready for searches to one depth.
#[derive(Clone, Debug)]
pub struct SearchRule {
    form: Form,
    takes_scores: bool,
}

#[derive(Clone, Debug)]
enum Form {
    Doubles(PreparedForSearch),
    /// Products of single precision, many of which are exactly 0 or 1.
    Vanishing(InSingle),
    Single(InSingle),
}

impl SearchRule {
    /// Prepares a rule for searches to a given depth.
    pub fn new(rule: &Rule, depth: usize) -> Self {
        let takes_scores = rule.leaves() == Leaves::Heuristic;
        Self { form: Form::Doubles(rule.prepare_for_search(depth)), takes_scores }
    }

    /// The same in single precision: probabilities, products too.
    pub fn in_single(rule: &Rule, depth: usize) -> Self {
        let (is_product, rule) = (rule.pair_shape() == Some(PairShape::Product), InSingle::new(rule, depth));
        let form = if is_product { Form::Vanishing(rule) } else { Form::Single(rule) };
        Self { form, takes_scores: is_product }
    }

    /// Whether values are products in single precision, many of which are exactly 0 or 1.
    pub(super) fn vanishes(&self) -> bool {
        matches!(self.form, Form::Vanishing(_))
    }

    /// An error if the rule cannot be used on what the evaluator gives.
    pub(super) fn check_values<P: Position>(&self, position: &P) -> Result<(), SearchError> {
        if self.takes_scores || position.is_probability() { Ok(()) } else { Err(SearchError::Scores) }
    }

    /// Runs the visitor on the rule's own type.
    pub fn visit<V: SearchVisitor>(&self, visitor: V) -> V::Output {
        match &self.form {
            Form::Doubles(rule) => rule.visit(visitor),
            Form::Vanishing(rule) | Form::Single(rule) => visitor.visit(rule),
        }
    }

    /// The rule itself, for what is asked too rarely to be compiled for each rule.
    pub fn rule(&self) -> &dyn SearchBackup {
        match &self.form {
            Form::Doubles(rule) => rule.rule(),
            Form::Vanishing(rule) | Form::Single(rule) => rule,
        }
    }
}
