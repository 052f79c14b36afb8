//! `--format svg`: the drawings show the same as the figures.

use std::process::Command;

use serde_json::Value;

/// What a command prints.
fn printed(arguments: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_prodmax")).args(arguments.split(' ')).output().unwrap();
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The drawing of a command, and its figures.
fn both(arguments: &str) -> (String, Vec<Value>) {
    let svg = printed(&format!("{arguments} --format svg"));
    assert!(svg.starts_with("<svg xmlns=") && svg.trim_end().ends_with("</svg>"), "{svg}");
    // A separate file: it has colours, and every element is closed.
    assert!(!svg.contains("var(") && !svg.contains("currentColor"), "{svg}");
    assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count(), "{svg}");
    let figures: Value = serde_json::from_str(&printed(&format!("{arguments} --format json"))).unwrap();
    let figures = if let Value::Array(models) = figures { models } else { vec![figures] };
    (svg, figures)
}

/// The number of dots drawn, without those of the legend, which has one for each line.
fn dots(svg: &str, lines: usize) -> usize {
    svg.matches("<circle").count() - lines
}

#[test]
fn differences_over_roots() {
    let (svg, models) = both("mass --root -4..2 --increments 8,8 --increments 3,3,3");
    for (increments, models) in [("8,8", &models[..6]), ("3,3,3", &models[6..])] {
        let at = |model: &Value| {
            let [root, difference] = ["root", "difference_percent"].map(|key| model[key].as_f64().unwrap());
            format!("{difference:.2} at root {root:+}")
        };
        let words = format!("increments {increments}: from {} to {}", at(&models[0]), at(&models[5]));
        assert!(svg.contains(&words), "{words}\n{svg}");
    }
    assert_eq!(dots(&svg, 2), 12);
    assert!(
        svg.contains("truth arctan:4, estimate arctan:1") && svg.contains("below 0: product errs less"),
        "{svg}"
    );
    let (svg, _) = both("mass --root -4..2 --increments 8,8 --rules product,mean:4");
    assert!(svg.contains("below 0: mean:4 errs less"), "{svg}");
}

#[test]
fn thresholds_over_roots() {
    let (svg, models) = both("crossover --root -8..8 --increments 8,8");
    let all: usize = models.iter().map(|model| model["thresholds"].as_array().unwrap().len()).sum();
    assert!(all > 5 && all < models.len(), "some roots have no threshold");
    assert_eq!(dots(&svg, 1), all);
    let third =
        100.0 * models.iter().find(|model| model["root"] == -3).unwrap()["threshold"].as_f64().unwrap();
    let (svg, _) = both("crossover --root -3 --increments 8,8");
    assert!(svg.contains(&format!("increments 8,8: {third:.2} at root -3")), "{svg}");
    // The axis has all roots, including those without a threshold.
    assert!(both("crossover --root -8..8 --increments 8,8").0.contains("\u{2212}8"));
}

#[test]
fn efficiency_of_rules() {
    let rules = ["minimax", "product", "mean:4"];
    let (svg, model) = both("contest --root 1 --increments 8,8 --rules minimax,product,mean:4");
    for rule in rules {
        let efficiency = 100.0 * model[0]["quality"][rule]["efficiency"].as_f64().unwrap();
        assert!(svg.contains(&format!("{rule} {efficiency:.2}")), "{rule}\n{svg}");
    }
    assert_eq!(svg.matches("<circle").count(), 3);
    let (svg, models) = both("contest --root -2..2 --increments 8,8 --rules minimax,product,mean:4");
    assert_eq!(dots(&svg, 3), 3 * models.len());
}

#[test]
fn a_drawing_is_always_the_same() {
    let drawing = || printed("mass --root -2..2 --increments 4,4 --format svg");
    assert_eq!(drawing(), drawing());
}
