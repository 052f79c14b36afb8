//! An estimate of the time that writing a model takes: none, except for rules whose values must first be separated.

use num_traits::ToPrimitive;
use prodmax_enumerate::{Model, Plan};
use prodmax_jobs::Effort;
use prodmax_mass::effort::{MeasureWork, NumberCost, in_memory};
use prodmax_mass::is_deep;
use prodmax_rules::Rule;

use crate::leaves;
use crate::rules::Written;

/// Seconds to enclose the value of a class for each of its leaves; measured with mean:4 at depth 3.
const LEAF_SECONDS: f64 = 42e-6;

/// The effort of [`crate::write`] for a model and rules that it does not refuse.
pub fn effort(model: &Model, rules: &[Rule; 2]) -> Effort {
    let written: Vec<Written> = rules.iter().filter_map(|rule| Written::new(rule).ok()).collect();
    let refused = written.len() < rules.len() || model.depth() > crate::MAX_DEPTH || is_deep(model);
    if refused || written.iter().all(Written::is_of_the_paper) {
        return Effort::NONE;
    }
    let plan = Plan::of(model);
    let classes = plan.depth_one_classes().to_f64().unwrap_or(f64::INFINITY);
    let real = written.iter().filter(|rule| rule.has_real_values()).count() as f64;
    let ranking =
        in_memory(model, &plan, &MeasureWork { rankings: 2, contests: 0, numbers: NumberCost::Doubles });
    ranking.and(Effort { bytes: 0.0, seconds: classes * leaves(model) as f64 * real * LEAF_SECONDS })
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::ZeroMode;

    use super::*;

    /// Processor seconds as measured by `getrusage`.
    #[test]
    fn estimates_are_within_a_factor_of_two_of_measurements() {
        let model = Model::new(1, &[8, 8, 8], ZeroMode::Skip, 42).unwrap();
        let effort = |rules: [&str; 2]| effort(&model, &rules.map(|rule| rule.parse().unwrap()));
        assert_eq!(effort(["minimax", "product"]), Effort::NONE);
        for (rules, seconds) in [(["minimax", "mean:4"], 2.5), (["mean:2", "average:1/3"], 4.9)] {
            let estimate = effort(rules);
            assert!((0.5..2.0).contains(&(estimate.seconds / seconds)), "{estimate:?}, measured {seconds} s");
        }
    }
}
