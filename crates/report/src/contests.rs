//! Contests between several rules on one model, in the form in which a report stores them.

use std::sync::atomic::AtomicBool;

use num_bigint::BigUint;
use prodmax_enumerate::Model;
use prodmax_mass::arithmetic::Float;
use prodmax_mass::{
    Chances, Contest, Contestant, Curve, Curves, Figures, Forest, MassError, Matches, MeasureError, Number,
    Numbered, Quality, Standings, deep, is_deep, won,
};
use prodmax_rules::Rule;
use prodmax_rules::ideal::Ideal;
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
            truth: curves.truth.curve().clone(),
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

    /// What every rule wins with each of several truths, and the difference between the first two rules.
    pub(crate) fn over_truths(
        model: &Model,
        rules: &[Rule],
        truths: &[Curve],
        estimate: &Curve,
    ) -> Result<Vec<Self>, MeasureError> {
        let with = |truth: &Curve| Curves::new(truth.clone(), estimate.clone(), model.line().h_max());
        if is_deep(model) || !model.is_binary() {
            return truths.iter().map(|truth| Self::of(model, rules, &with(truth))).collect();
        }
        let forest = Forest::of(model).map_err(MassError::from)?;
        // All rules but the ideal one see only the estimate, so they are ranked once.
        let see_truth = |rule: &Rule| *rule == Rule::from(Ideal);
        let seen = with(estimate);
        let ranked = |rule: &Rule| forest.rank(&Contestant::new(rule.clone(), &seen));
        let rankings = rules.iter().map(ranked).collect::<Result<Vec<_>, _>>()?;
        let one = |truth: &Curve| {
            let curves = with(truth);
            let field = Float(&curves.truth);
            let chances_won = forest.truth(&field);
            let ideal = forest.rank(&Contestant::new(Ideal.into(), &curves))?;
            let ranking = |place: usize| if see_truth(&rules[place]) { &ideal } else { &rankings[place] };
            let chances = Chances::of(&field, &forest, &ideal, &chances_won).map_err(MassError::from)?;
            let quality = rules.iter().enumerate().map(|(place, rule)| {
                let won = won(&field, &forest, ranking(place), &chances_won);
                let Quality { won, efficiency } = chances.quality(&field, won)?;
                Ok(RuleResults { rule: rule.clone(), won, efficiency })
            });
            let quality: Result<Vec<_>, MassError> = quality.collect();
            let mut matches = Vec::new();
            if rules.len() > 1 {
                let contest = Contest::new(&forest, ranking(0), ranking(1));
                let critical = contest.counts().critical;
                let figures = Figures::of(&field, &contest.mass(&field, &chances_won), &critical)
                    .map_err(MassError::from)?;
                matches.push(RulePairResults {
                    rules: [0, 1],
                    critical: critical.into(),
                    difference_percent: figures.difference_percent,
                });
            }
            Ok(Self {
                truth: truth.clone(),
                estimate: estimate.clone(),
                won_ideal: chances.ideal,
                won_random: chances.random,
                rules: quality?,
                matches,
            })
        };
        truths.iter().map(one).collect()
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

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use prodmax_enumerate::{Line, ZeroMode};

    use super::*;

    /// Ranking the rules once gives what a contest for each truth gives.
    #[test]
    fn truths_one_by_one() {
        let model = Model::new(-1, &[3, 2, 3], ZeroMode::Skip, Line::DEFAULT_H_MAX).unwrap();
        let rules = ["minimax", "product", "average:1/2", "ideal"].map(|rule| rule.parse::<Rule>().unwrap());
        let truths = ["arctan:1", "arctan:16", "pearl:4"].map(|truth| truth.parse::<Curve>().unwrap());
        let estimate = Curve::arctan(2);
        let found = ContestResults::over_truths(&model, &rules, &truths, &estimate).unwrap();
        for (truth, found) in truths.iter().zip(&found) {
            let curves = Curves::new(truth.clone(), estimate.clone(), Line::DEFAULT_H_MAX as i32);
            let expected = ContestResults::of(&model, &rules, &curves).unwrap();
            assert_eq!(found.rules.len(), expected.rules.len());
            for (found, expected) in found.rules.iter().zip(&expected.rules) {
                assert_eq!(found.rule, expected.rule);
                assert_relative_eq!(found.won, expected.won, max_relative = 1e-12, epsilon = 0.0);
            }
            assert_relative_eq!(found.won_ideal, expected.won_ideal, max_relative = 1e-12, epsilon = 0.0);
            let [one, other] = [found, &expected].map(|results| results.difference(0, 1).unwrap());
            assert_relative_eq!(one, other, max_relative = 1e-10, epsilon = 0.0);
            assert_eq!(found.matches[0].critical, expected.matches[0].critical);
        }
    }
}
