//! The text of models. Their meaning is checked by `make verify-storm`, if a model checker is available.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use prodmax_enumerate::{Model, ZeroMode};
use prodmax_mass::{Curve, khs_rules};
use prodmax_prism::{PrismError, write};

fn text(root: i64, increments: &[i64], zero: ZeroMode, truth: &str, estimate: &str) -> String {
    let model = Model::new(root, increments, zero, 42).unwrap();
    let curve = |text: &str| text.parse::<Curve>().unwrap();
    write(&model, &curve(truth), &curve(estimate), &khs_rules()).unwrap()
}

fn lines<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    text.lines().map(str::trim).filter(|line| line.starts_with(start)).collect()
}

#[test]
fn rules_follow_the_movers() {
    let text = text(-1, &[1, 1, 1], ZeroMode::Skip, "arctan:4", "arctan:1");
    assert_eq!(lines(&text, "formula minimax_b ="), ["formula minimax_b = min(max(b1, b2), max(b3, b4));"]);
    let a = "((1 - (1 - estimate_a1) * (1 - estimate_a2)) * (1 - (1 - estimate_a3) * (1 - estimate_a4)))";
    assert_eq!(lines(&text, "formula product_a ="), [format!("formula product_a = {a};")]);
    assert!(text.contains("(won2'=won3|won) & (won3'=false)"), "MAX at level 2: one won child is enough");
    assert!(text.contains("(won1'=won2&won) & (won2'=false)"), "MIN at level 1: both must be won");
}

#[test]
fn zero_is_skipped_in_both_directions_or_not_at_all() {
    let skip = text(-1, &[1, 2], ZeroMode::Skip, "arctan:4", "arctan:1");
    assert!(skip.contains("(v1'=root+1+(root<0 & root+1>=0 ? 1 : 0))"));
    assert!(skip.contains("(a1'=v1-2-(v1>0 & v1-2<=0 ? 1 : 0))"));
    let allow = text(0, &[1, 2], ZeroMode::Allow, "arctan:4", "arctan:1");
    assert!(allow.contains("(v1'=root+1)") && allow.contains("(a1'=v1-2)"));
    assert!(allow.contains("const double truth_0 = 1/2;"));
}

#[test]
fn rational_curves_stay_fractions_and_ties_are_exact() {
    let text = text(1, &[1, 1], ZeroMode::Skip, "uniform:1/20", "uniform:1/4");
    assert_eq!(lines(&text, "const double truth_minus_1"), ["const double truth_minus_1 = 1/20;"]);
    assert_eq!(lines(&text, "const double estimate_plus_2"), ["const double estimate_plus_2 = 3/4;"]);
    // Product values are multiples of 1/16.
    assert_eq!(lines(&text, "const double tie"), ["const double tie = 1/32;"]);
}

#[test]
fn every_step_has_its_commands() {
    let binary = [&[3][..], &[2, 1], &[1, 0, 2], &[0, 1, 0, 1], &[0; 5]]
        .map(|increments| (text(2, increments, ZeroMode::Skip, "pearl:4", "arctan:1"), increments));
    let three = [&[3][..], &[2, 1], &[1, 0, 2]]
        .map(|increments| (of_branching(3, increments, ["minimax", "product"]).unwrap(), increments));
    for (text, increments) in binary.into_iter().chain(three) {
        let steps: Vec<&str> = lines(&text, "step : [0..");
        let last: usize =
            steps[0].trim_start_matches("step : [0..").split(']').next().unwrap().parse().unwrap();
        for step in 0..=last {
            let [one, with_guard] = [" ", " & "].map(|end| format!("[] step={step}{end}"));
            let commands = lines(&text, "[] step=");
            let guarded = commands.iter().filter(|line| line.starts_with(&with_guard)).count();
            let all = commands.iter().filter(|line| line.starts_with(&one)).count();
            assert!(all == 1 && guarded == 0 || all == 2 && guarded == 2, "step {step} of {increments:?}");
        }
    }
}

fn of_branching(branching: i64, increments: &[i64], rules: [&str; 2]) -> Result<String, PrismError> {
    let model = Model::new(-1, increments, ZeroMode::Skip, 42).unwrap().with_branching(branching).unwrap();
    write(&model, &Curve::arctan(4), &Curve::arctan(1), &rules.map(|rule| rule.parse().unwrap()))
}

#[test]
fn three_moves_are_written() {
    let text = of_branching(3, &[1, 1], ["minimax", "mean:2"]).unwrap();
    assert!(text.starts_with("// Root -1, increments 1,1, 3 moves, h_max 42;"));
    assert_eq!(lines(&text, "formula minimax_c ="), ["formula minimax_c = min(c1, c2, c3);"]);
    let [x, y, z] = [1, 2, 3].map(|leaf| format!("mean_2_b{leaf}"));
    let mean = format!("formula mean_2_b = (3 * {x} * {y} * {z} / ({x} * {y} + {x} * {z} + {y} * {z}));");
    assert_eq!(lines(&text, "formula mean_2_b ="), [mean]);
    let chosen = "formula minimax_a_mean_2_c = minimax_a > minimax_b & minimax_a > minimax_c & \
                  mean_2_c > mean_2_a + tie & mean_2_c > mean_2_b + tie;";
    assert_eq!(lines(&text, "formula minimax_a_mean_2_c"), [chosen]);
    assert!(text.contains("(won1_2'=won2&won2_2&won) & (won2'=false) & (won2_2'=false) & (won'=false)"));
    assert!(text.contains("(minimax_b_mean_2_a & won1 & !won1_2)"), "b is lost and a is won");
    assert!(text.contains("(minimax_c_mean_2_b & won1_2 & !won)"));
    // The leaves of each move are sorted by three exchanges of neighbours.
    let exchanges = text.matches("// The order of siblings makes no difference to either rule.").count();
    assert_eq!(exchanges, 3 * 3);
    let product = of_branching(3, &[1, 1, 0], ["minimax", "product"]).unwrap();
    let max = |a: usize| {
        let lost = [a, a + 1, a + 2].map(|leaf| format!("(1 - estimate_a{leaf})"));
        format!("(1 - {})", lost.join(" * "))
    };
    let expected = format!("formula product_a = ({} * {} * {});", max(1), max(4), max(7));
    assert_eq!(lines(&product, "formula product_a ="), [expected]);
}

#[test]
fn too_few_and_too_many_moves_are_refused() {
    let rules = ["minimax", "product"];
    for branching in [1, 7] {
        assert_eq!(
            of_branching(branching, &[1], rules).unwrap_err(),
            PrismError::Branching(branching as usize)
        );
    }
    assert_eq!(of_branching(3, &[1, 1, 1, 1], rules).unwrap_err(), PrismError::Leaves(27));
    assert!(of_branching(4, &[1, 1, 1], rules).is_ok() && of_branching(6, &[1, 1], rules).is_ok());
}

#[test]
fn a_deep_model_is_refused() {
    let model = Model::new(1, &[1; 6], ZeroMode::Skip, 42).unwrap();
    let error = write(&model, &Curve::arctan(4), &Curve::arctan(1), &khs_rules()).unwrap_err();
    assert_eq!(error, PrismError::TooDeep(6));
    assert_eq!(
        error.to_string(),
        "a model of depth 6 has too many states for a model checker; write one of at most 5"
    );
}

fn with_rules(rules: [&str; 2]) -> Result<String, PrismError> {
    let model = Model::new(-1, &[1, 1], ZeroMode::Skip, 42).unwrap();
    write(&model, &Curve::arctan(4), &Curve::arctan(1), &rules.map(|rule| rule.parse().unwrap()))
}

#[test]
fn other_rules_have_their_own_formulas_and_labels() {
    let text = with_rules(["average:1/2", "mean:2"]).unwrap();
    let average =
        "formula average_1_2_a = (1/2 * min(estimate_a1, estimate_a2) + 1/2 * (estimate_a1 * estimate_a2));";
    assert_eq!(lines(&text, "formula average_1_2_a ="), [average]);
    let mean = "formula mean_2_a = (2 * mean_2_a1 * mean_2_a2 / (mean_2_a1 + mean_2_a2));";
    assert_eq!(lines(&text, "formula mean_2_a ="), [mean]);
    assert_eq!(lines(&text, "label \"average_1_2_errs\"").len(), 1);
    assert_eq!(lines(&text, "label \"mean_2_errs\"").len(), 1);
}

#[test]
fn rules_that_cannot_be_written_are_refused() {
    for rule in ["baum:4/5:4/5", "hints:9/10"] {
        assert_eq!(with_rules(["minimax", rule]).unwrap_err(), PrismError::Rule { rule: rule.to_owned() });
    }
    assert!(with_rules(["minimax", "mean:8"]).is_ok());
    assert_eq!(
        with_rules(["minimax", "mean:9"]).unwrap_err(),
        PrismError::Exponent { rule: "mean:9".to_owned() }
    );
}

/// A small model with mean:P, on a line that ends at `h_max`.
fn with_mean(root: i64, increments: &[i64], h_max: i64, mean: &str) -> Result<String, PrismError> {
    let model = Model::new(root, increments, ZeroMode::Skip, h_max).unwrap();
    let rules = ["minimax", mean].map(|rule| rule.parse().unwrap());
    write(&model, &Curve::arctan(4), &Curve::arctan(1), &rules)
}

#[test]
fn means_guard_against_two_leaves_of_value_0() {
    // The curve is 0 at -h_max, so leaves of value -2 give 0 / 0 without the guard.
    let end = with_mean(-1, &[1, 1], 2, "mean:2").unwrap();
    let guarded = "formula mean_2_a = (mean_2_a1 + mean_2_a2 = 0 ? 0 : 2 * mean_2_a1 * mean_2_a2 / (mean_2_a1 + mean_2_a2));";
    assert_eq!(lines(&end, "const double estimate_minus_2"), ["const double estimate_minus_2 = 0;"]);
    assert_eq!(lines(&end, "formula mean_2_a ="), [guarded]);
    // One step from the end no leaf is 0.
    let inside = with_mean(-1, &[1, 1], 3, "mean:2").unwrap();
    assert_eq!(
        lines(&inside, "formula mean_2_a ="),
        ["formula mean_2_a = (2 * mean_2_a1 * mean_2_a2 / (mean_2_a1 + mean_2_a2));"]
    );
}

#[test]
fn a_tie_is_at_most_half_the_least_difference() {
    // One level: the values are w(-1)^2 = 0.2351 and w(1)^2 = 0.2654, so 0.0303 apart.
    let text = with_mean(-1, &[1], 42, "mean:2").unwrap();
    assert_eq!(lines(&text, "const double tie"), ["const double tie = 0.01;"]);
    // w(-41) = 0.00767 and w(-40) = 0.01552: their eighth powers, 1.2e-17 and 3.4e-15, look alike in doubles; their
    // fourth powers are 5.5e-8 apart.
    let error = with_mean(-41, &[1], 42, "mean:8").unwrap_err();
    assert_eq!(error, PrismError::TooNear { rule: "mean:8".to_owned(), gap: "less than 1e-14".to_owned() });
    assert_eq!(
        error.to_string(),
        "in this model some different values of mean:8 are less than 1e-14 apart, which a checker in doubles cannot \
         tell from a rounding error; use fewer levels, smaller increments or, for mean:P, a smaller P"
    );
    let text = with_mean(-41, &[1], 42, "mean:4").unwrap();
    assert_eq!(lines(&text, "const double tie"), ["const double tie = 0.00000001;"]);
}

#[test]
fn too_many_classes_are_refused_before_any_work() {
    assert_eq!(with_mean(1, &[8; 4], 42, "mean:2").unwrap_err(), PrismError::TooManyClasses);
    // Minimax against Product needs no proof.
    let text = text(1, &[8; 4], ZeroMode::Skip, "arctan:4", "arctan:1");
    assert_eq!(lines(&text, "const double tie"), ["const double tie = 0.000000000001;"]);
}
