//! Contests between several rules on one model, in the form in which a report stores them.

use std::sync::atomic::AtomicBool;

use num_bigint::BigUint;
use prodmax_enumerate::Model;
use prodmax_mass::{Curve, Curves, Number, Numbered, Standings, deep};
use prodmax_mass::{Matches, MeasureError};
use prodmax_rules::Rule;
use serde::{Deserialize, Serialize};

use crate::exact::AsText;

/// Every rule against every other on one model, with one estimate. Figures are doubles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContestResults {
    /// The curve through which the rules see the leaves.
    pub estimate: Curve,
    /// The probability that the ideal rule's move is won.
    pub won_ideal: f64,
    /// The probability that a random move is won.
    pub won_random: f64,
    /// In the order of the experiment.
    pub rules: Vec<RuleResults>,
    /// All pairs; on deep models and with more than two moves only those with Minimax.
    pub matches: Vec<RulePairResults>,
}

/// How well a rule decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleResults {
    /// The rule.
    pub rule: Rule,
    /// The probability that the move it chooses is won.
    pub won: f64,
    /// Its gain over a random choice as a share of the ideal rule's gain.
    pub efficiency: Option<f64>,
}

/// A match between two rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RulePairResults {
    /// Their indices in the list of rules.
    pub rules: [usize; 2],
    /// Critical ordered trees.
    pub critical: AsText<BigUint>,
    /// 100 (e2 - e1) / (e1 + e2): positive favours the first.
    pub difference_percent: Option<f64>,
}

impl ContestResults {
    /// Runs a contest on a model.
    pub(crate) fn of(model: &Model, rules: &[Rule], curves: &Curves) -> Result<Self, MeasureError> {
        // Always runs to the end: a report is interrupted only between models.
        let interrupt = AtomicBool::new(false);
        let options = deep::Options::new(&interrupt, &|_, _| {});
        // With more than two moves only Minimax has so few values that all others are set against it at once.
        let tournament = if model.is_binary() {
            curves.tournament_any(model, rules, Number::F64, &options)?
        } else {
            deep::check_size(model)?;
            curves.tournament_of(model, rules, Number::F64, Matches::WithMinimax)?
        };
        let Numbered::F64(Standings { matches, quality, chances }) = tournament.standings else {
            return Err(MeasureError::Irrational(curves.truth.curve().clone()));
        };
        let quality = rules.iter().zip(quality);
        Ok(Self {
            estimate: curves.estimate.curve().clone(),
            won_ideal: chances.ideal,
            won_random: chances.random,
            rules: quality
                .map(|(rule, quality)| RuleResults {
                    rule: rule.clone(),
                    won: quality.won,
                    efficiency: quality.efficiency,
                })
                .collect(),
            matches: matches
                .into_iter()
                .map(|game| RulePairResults {
                    rules: game.rules,
                    critical: game.counts.critical.into(),
                    difference_percent: game.figures.difference_percent,
                })
                .collect(),
        })
    }

    /// The efficiency of a rule in percent.
    pub fn efficiency_percent(&self, rule: &Rule) -> Option<f64> {
        let of = |results: &&RuleResults| results.rule == *rule;
        self.rules.iter().find(of)?.efficiency.map(|efficiency| 100.0 * efficiency)
    }

    /// The difference in percent of one rule against another, positive if it favours the former.
    pub fn difference(&self, first: usize, second: usize) -> Option<f64> {
        self.matches.iter().find_map(|game| match game.rules {
            rules if rules == [first, second] => game.difference_percent,
            rules if rules == [second, first] => game.difference_percent.map(|difference| -difference),
            _ => None,
        })
    }
}
