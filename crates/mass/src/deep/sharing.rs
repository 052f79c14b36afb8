//! One shard of the sweeps that a request needs.

use prodmax_enumerate::Model;
use prodmax_rules::Rule;
use prodmax_rules::ideal::Ideal;
use prodmax_rules::minimax::Minimax;

use super::{DeepError, Options, check_model, sweep};
use crate::contestant::Contestant;
use crate::measure::Curves;

/// The rules along which a model is swept to compare these rules with Minimax: one sweep along each other one and, for
/// their quality, one along the ideal rule.
pub fn sweeps(rules: &[Rule], quality: bool) -> Vec<Rule> {
    let (minimax, ideal) = (Rule::from(Minimax), Rule::from(Ideal));
    let mut along: Vec<Rule> = rules.iter().filter(|rule| **rule != minimax).cloned().collect();
    if quality && !along.contains(&ideal) {
        along.push(ideal);
    }
    along
}

impl Curves {
    /// Sweeps a shard of a model along each of these rules and keeps the blocks in the part that the options name. The
    /// figures come from merging all parts.
    pub fn share_deep(&self, model: &Model, along: &[Rule], options: &Options<'_>) -> Result<(), DeepError> {
        check_model(model)?;
        let one = |rule: &Rule| sweep(model, &self.truth, &Contestant::new(rule.clone(), self), options);
        along.iter().try_for_each(|rule| one(rule).map(|_| ()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_but_minimax_takes_a_sweep_and_quality_one_more() {
        let names = |rules: &[&str], quality| -> Vec<String> {
            let rules: Vec<Rule> = rules.iter().map(|rule| rule.parse().unwrap()).collect();
            sweeps(&rules, quality).iter().map(ToString::to_string).collect()
        };
        assert_eq!(names(&["minimax", "product"], false), ["product"]);
        assert_eq!(names(&["mean:4", "minimax"], true), ["mean:4", "ideal"]);
        assert_eq!(names(&["minimax", "ideal", "product"], true), ["ideal", "product"]);
    }
}
