//! No figure that is printed is impossible, whatever the model: what every key of the JSON output is, is written down
//! here, and the figures of random models of every study are compared with it.

use std::process::Command;

use prodmax_number::possible::Kind;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::Value;

/// What roundings of doubles may add up to, as a part of the range of a figure.
const ROUNDING: f64 = 1e-9;

/// The share of what can be won that a rule wins: never more than all, but a rule may be worse than chance.
const EFFICIENCY: &str = "efficiency";

/// Whatever is below these keys was asked for.
const INPUTS: &[&str] = &["record", "spec", "model", "increments", "sample"];

/// What the figure at a place of the output is. Its name is the last key; margins are those below `error` and
/// `error_estimate`. `None`: it is an input or an identifier, of which any number will do.
fn kind(path: &[&str]) -> Option<Kind> {
    let has = |key: &str| path.contains(&key);
    if INPUTS.iter().any(|key| has(key)) {
        return None;
    }
    let (last, above) = path.split_last()?;
    if has("error") || has("error_estimate") || matches!(*last, "standard_error" | "margin" | "bound") {
        return Some(Kind::Size);
    }
    if has("known") && matches!(*last, "low" | "high") {
        return kind(above);
    }
    let parent = above.last().copied().unwrap_or_default();
    Some(match *last {
        "won"
        | "won_ideal"
        | "won_random"
        | "share"
        | "share_minimax"
        | "share_product"
        | "share_first"
        | "total_share"
        | "decided_share"
        | "score"
        | "chance"
        | "move_error"
        | "two_value_error"
        | "static_move_error"
        | "static_two_value_error"
        | "first"
        | "last"
        | "significance"
        | "clustered_significance"
        | "critical_rate"
        | "interval_95"
        | "truth"
        | "estimate" => Kind::Probability,
        // Of a published share; that of a backed-up value would be a score.
        "value" if has("tables") => Kind::Probability,
        _ if has("decision_errors") && *last != "d" => Kind::Probability,
        "critical_share" | "threshold" => Kind::Probability,
        "p" if has("thresholds") => Kind::Probability,
        "ratio" => Kind::Size,
        _ if parent == "error_shares" => Kind::Probability,
        "difference_percent" | "per_case_percent" | "ties_points" | "statistic" => Kind::Difference,
        "minimax_error" | "product_error" | "position_error" | "sibling_difference" | "required_grains" => {
            Kind::Size
        }
        _ if parent == "errors" || parent == "wins" => Kind::Size,
        "share_percent" | "threshold_percent" => Kind::Percentage,
        "decimal" if has("ratio") => Kind::Size,
        "decimal" => Kind::Probability,
        EFFICIENCY => Kind::Score,
        // Numbers of things.
        "classes" | "trees" | "interval_ratio" | "I1" | "I2" | "I3" | "I4" | "I5" | "total" | "escalated"
        | "unresolved" | "pairs" | "critical" | "games" | "wins" | "losses" | "draws" | "pairs_won"
        | "pairs_lost" | "won_by_first_side" | "missing" | "decisive" | "grid" => Kind::Size,
        _ => return None,
    })
}

/// The keys that [`kind`] gives no kind, because any number will do.
const ANY: &[&str] = &[
    "root",
    "h_max",
    "branching",
    "d",
    "d_max",
    "b",
    "depth",
    "calls",
    "tree",
    "grains",
    "sigma_e",
    "value",
    "place",
    "h",
    "minimax",
    "product",
    "median",
];

/// All numbers of a JSON text, with their places.
fn numbers<'a>(value: &'a Value, path: &mut Vec<&'a str>, visit: &mut dyn FnMut(&[&str], f64)) {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                path.push(key);
                numbers(field, path, visit);
                path.pop();
            }
        }
        Value::Array(items) => items.iter().for_each(|item| numbers(item, path, visit)),
        Value::Number(number) => visit(path, number.as_f64().unwrap()),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// Runs a command and checks all its figures; the number of figures, or 0 if the command was refused with a sentence.
fn check(command: &str) -> usize {
    let run = Command::new(env!("CARGO_BIN_EXE_prodmax"))
        .args(command.split(' '))
        .args(["--format", "json", "--quiet"])
        .output()
        .unwrap();
    if run.status.code() == Some(2) {
        let said = String::from_utf8(run.stderr).unwrap();
        assert!(!said.contains("something is wrong with this computation"), "{command}: {said}");
        return 0;
    }
    assert!(matches!(run.status.code(), Some(0 | 1)), "{command}: {}", String::from_utf8_lossy(&run.stderr));
    let output: Value = serde_json::from_slice(&run.stdout).unwrap();
    let mut figures = 0;
    numbers(&output, &mut Vec::new(), &mut |path, number| {
        let Some(kind) = kind(path) else {
            let input = INPUTS.iter().any(|key| path.contains(key));
            let last = path.last().copied().unwrap_or_default();
            assert!(input || ANY.contains(&last), "{command}: say here what {} is", path.join("."));
            return;
        };
        if let Err(reason) = kind.check_rounded(number, ROUNDING) {
            panic!("{command}: {} {reason}", path.join("."));
        }
        if path.last() == Some(&EFFICIENCY) && !path.contains(&"error_estimate") {
            assert!(number <= 1.0 + ROUNDING, "{command}: {} is {number}", path.join("."));
        }
        figures += 1;
    });
    figures
}

fn curve() -> impl Strategy<Value = String> {
    prop_oneof![
        (1u32..200).prop_map(|c| format!("arctan:{c}")),
        (1u32..40).prop_map(|c| format!("pearl:{c}")),
        (0u32..=10).prop_map(|p| format!("uniform:{p}/20")),
    ]
}

fn rules() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("minimax,product"),
        Just("product,minimax"),
        Just("minimax,mean:2"),
        Just("average:1/2,product"),
        Just("ideal,hints:9/10"),
    ]
}

/// A model of KHS and its curves, with trees that take little time.
fn model() -> impl Strategy<Value = String> {
    let shape = prop_oneof![
        (2u32..4, prop::collection::vec(0u32..4, 2)),
        (2u32..3, prop::collection::vec(0u32..3, 3)),
        (4u32..7, prop::collection::vec(0u32..2, 2)),
    ];
    (shape, -6i32..7, curve(), curve(), prop_oneof![Just(6u32), Just(42), Just(100)]).prop_map(
        |((branching, increments), root, truth, estimate, h_max)| {
            let increments: Vec<String> = increments.iter().map(u32::to_string).collect();
            format!(
                "--root={root} --increments {} --branching {branching} --truth {truth} --estimate {estimate} --h-max {h_max}",
                increments.join(",")
            )
        },
    )
}

/// A model of LGB that is integrated in a moment.
fn real_values() -> impl Strategy<Value = String> {
    let kind = prop_oneof![Just("dependent"), Just("independent")];
    let steps = prop_oneof![Just("normal"), Just("uniform")];
    (kind, steps, 2u32..6, 1u32..30, 2u32..4).prop_map(|(values, steps, b, tenths, d_max)| {
        let sigma = f64::from(tenths) / 10.0;
        format!("--values {values} --steps {steps} --b {b} --sigma-e {sigma} --d-max {d_max}")
    })
}

/// Every study, with random models.
fn command() -> BoxedStrategy<String> {
    let number = prop_oneof![Just("f64"), Just("certified"), Just("exact")];
    let law = prop_oneof![Just("f64"), Just("certified")];
    let players = prop_oneof![
        Just("minimax,product"),
        Just("minimax,single:product"),
        Just("hints:9/10,alphabeta"),
        Just("alphabeta,alphabeta:stores"),
    ];
    prop_oneof![
        4 => (model(), rules(), number.clone()).prop_map(|(model, rules, number)| format!("mass {model} --rules {rules} --number {number} --quality")),
        1 => model().prop_map(|model| format!("mass {model} --engine deep --quality")),
        2 => (model(), law).prop_map(|(model, number)| format!("mass {model} --engine law --grid 64 --number {number} --quality")),
        2 => (model(), number).prop_map(|(model, number)| format!("contest {model} --rules minimax,product,mean:2 --number {number}")),
        1 => model().prop_map(|model| format!("critical {model}")),
        1 => (1u32..5, 1u32..5, -6i32..7, prop_oneof![Just("stated"), Just("per-case"), Just("sign-wise"), Just("error-product")])
            .prop_map(|(a, b, root, reading)| format!("mass --root={root} --increments {a},{b} --reading {reading}")),
        1 => (1u32..5, 1u32..5, -6i32..7)
            .prop_map(|(a, b, root)| format!("crossover --root={root} --increments {a},{b} --rules minimax,product")),
        2 => real_values().prop_map(|model| format!("pathology {model}")),
        1 => (real_values(), 1u32..99).prop_map(|(model, seed)| format!("pathology {model} --method sample --trees 30 --seed {seed}")),
        1 => (2u32..6, 1u32..30, 4u32..20, 2u32..5).prop_map(|(b, tenths, grains, d_max)| {
            format!("pathology map --b {b} --sigma-e {} --grains {grains} --d-max {d_max}", f64::from(tenths) / 10.0)
        }),
        1 => (rules(), -6i32..7, 1u32..9, 0u32..99).prop_map(|(rules, root, increment, seed)| {
            let root = if root == 0 { 1 } else { root };
            format!("simulate --rules {rules} --tree-depth 6 --trees 3 --depths 2,3 --root={root} --increment {increment} --seed {seed}")
        }),
        1 => (players, 1u32..4, 0u32..99).prop_map(|(players, depth, seed)| {
            format!("play --game kalah --players {players} --depth {depth} --starts 3 --seed {seed}")
        }),
        1 => (0u32..99).prop_map(|seed| format!("play quality --game connect4 --players penalty:10,alphabeta --calls 50 --positions 2 --seed {seed}")),
    ]
    .boxed()
}

fn check_many(mut runner: TestRunner, cases: u32) {
    let (mut figures, mut refused) = (0, 0);
    for _ in 0..cases {
        let command = command().new_tree(&mut runner).unwrap().current();
        match check(&command) {
            0 => refused += 1,
            found => figures += found,
        }
    }
    assert!(figures > 5 * cases as usize, "only {figures} figures");
    // Most are not: curves that make ties, probabilities without an estimate, fractions of irrational curves.
    assert!(3 * refused < 2 * cases, "{refused} of {cases} commands were refused");
}

#[test]
fn every_figure_of_random_models_is_possible() {
    check_many(TestRunner::deterministic(), 120);
}

#[test]
#[ignore = "slow: minutes"]
fn every_figure_of_many_random_models_is_possible() {
    check_many(TestRunner::default(), 3000);
}

/// What the pathology map once printed for a probability would have been found here.
#[test]
fn impossible_figures_would_be_found() {
    let kind = kind(&["points", "last"]).unwrap();
    assert_eq!(kind, Kind::Probability);
    assert!(kind.check(-1.297_114, ROUNDING, f64::INFINITY).is_err());
    // And what it is instead.
    assert!(check("pathology map --b 3 --sigma-e 2 --grains 10 --d-max 6") > 0);
}
