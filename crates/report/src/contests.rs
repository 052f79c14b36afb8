//! Contests between several rules on one model, in the form in which a report stores them.

use num_bigint::BigUint;
use prodmax_enumerate::Model;
use prodmax_mass::{
    Curve, Curves, Engine, Match, Measure, MeasureError, Measurement, Pairs, Quality, is_deep,
};
use prodmax_number::Approximate;
use prodmax_rules::Rule;
use serde::{Deserialize, Serialize};

use crate::exact::AsText;

/// Rules against each other on one model, with one truth and one estimate. Figures are doubles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContestResults {
    /// The probability that a leaf is won.
    pub truth: Curve,
    /// The curve through which the rules see the leaves.
    pub estimate: Curve,
    /// The probability that the ideal rule's move is won.
    pub won_ideal: f64,
    /// The probability that a random move is won.
    pub won_random: f64,
    /// In the order of the experiment.
    pub rules: Vec<RuleResults>,
    /// All pairs; on deep models and with more than two moves only those with Minimax; over several truths only the first
    /// two rules.
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
    /// 100 (e2 - e1) / (e1 + e2), positive if the first errs less.
    pub difference_percent: Option<f64>,
}

impl ContestResults {
    /// Runs a contest on a model.
    pub(crate) fn of(model: &Model, rules: &[Rule], curves: &Curves) -> Result<Self, MeasureError> {
        // With more than two moves only Minimax has so few values that all others are set against it at once.
        let pairs = if model.is_binary() { Pairs::All } else { Pairs::WithMinimax };
        let measured = contest(model, rules, curves).pairs(pairs).run()?;
        Ok(Self::new(curves.truth.curve(), curves.estimate.curve(), rules, measured))
    }

    /// What every rule wins with each of several truths, and the difference between the first two rules.
    pub(crate) fn over_truths(
        model: &Model,
        rules: &[Rule],
        truths: &[Curve],
        estimate: &Curve,
    ) -> Result<Vec<Self>, MeasureError> {
        let curves = |truth: &Curve| Curves::new(truth.clone(), estimate.clone(), model.line().h_max());
        if is_deep(model) || !model.is_binary() {
            return truths.iter().map(|truth| Self::of(model, rules, &curves(truth))).collect();
        }
        let measured = contest(model, rules, &curves(estimate)).pairs(Pairs::FirstTwo).run_over(truths)?;
        let results = |(truth, measured)| Self::new(truth, estimate, rules, measured);
        Ok(truths.iter().zip(measured).map(results).collect())
    }

    fn new(truth: &Curve, estimate: &Curve, rules: &[Rule], measured: Measurement<Approximate>) -> Self {
        let measured = measured.map(|number| number.value);
        let [won_ideal, won_random] =
            measured.chances.map_or([f64::NAN; 2], |chances| [chances.ideal, chances.random]);
        let rule = |(rule, quality): (&Rule, Quality<f64>)| RuleResults {
            rule: rule.clone(),
            won: quality.won,
            efficiency: quality.efficiency,
        };
        let game = |game: &Match<f64>| RulePairResults {
            rules: game.rules,
            critical: game.counts().map(|counts| counts.critical.clone()).unwrap_or_default().into(),
            difference_percent: game.figures.difference_percent,
        };
        Self {
            truth: truth.clone(),
            estimate: estimate.clone(),
            won_ideal,
            won_random,
            rules: rules.iter().zip(measured.quality).map(rule).collect(),
            matches: measured.matches.iter().map(game).collect(),
        }
    }

    /// What a rule wins.
    pub fn won(&self, rule: &Rule) -> Option<f64> {
        self.rules.iter().find(|results| results.rule == *rule).map(|results| results.won)
    }

    /// The efficiency of a rule in percent.
    pub fn efficiency_percent(&self, rule: &Rule) -> Option<f64> {
        let of = |results: &&RuleResults| results.rule == *rule;
        self.rules.iter().find(of)?.efficiency.map(|efficiency| 100.0 * efficiency)
    }

    /// The difference in percent of one rule against another, positive if the former errs less in critical trees.
    pub fn difference(&self, first: usize, second: usize) -> Option<f64> {
        self.matches.iter().find_map(|game| match game.rules {
            rules if rules == [first, second] => game.difference_percent,
            rules if rules == [second, first] => game.difference_percent.map(|difference| -difference),
            _ => None,
        })
    }
}

/// Rules against each other by visiting all classes.
fn contest<'a>(model: &'a Model, rules: &[Rule], curves: &'a Curves) -> Measure<'a> {
    Measure::new(model, curves).contest(rules.to_vec()).engine(Engine::sweeping(model))
}
