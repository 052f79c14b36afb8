//! The sweeps that a measurement needs.

use prodmax_rules::Rule;
use prodmax_rules::ideal::Ideal;
use prodmax_rules::minimax::Minimax;

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
