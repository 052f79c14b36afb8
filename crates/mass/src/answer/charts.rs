//! What `--format svg` draws: the figures of models over their roots, and rules next to each other.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use prodmax_enumerate::Model;
use prodmax_number::Figure;
use prodmax_output::{Dot, DotChart, Drawing, Ink, OverRoots, Series};
use prodmax_rules::Rule;

use super::naming::name as model_name;

/// A value, and its interval if it is not known exactly.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The value.
    pub value: f64,
    /// The ends of the interval.
    pub ends: Option<[f64; 2]>,
}

impl From<&Figure> for Point {
    fn from(figure: &Figure) -> Self {
        Self { value: figure.double(), ends: figure.margin_ends() }
    }
}

impl From<f64> for Point {
    fn from(value: f64) -> Self {
        Self { value, ends: None }
    }
}

/// Models that differ only in their roots, in the order of their roots, with their common name.
fn lines<'a, T>(models: impl IntoIterator<Item = (&'a Model, T)>) -> Vec<(String, Vec<(i32, T)>)> {
    let models: Vec<(&Model, T)> = models.into_iter().collect();
    let on_several_lines = models.windows(2).any(|pair| pair[0].0.line() != pair[1].0.line());
    let mut lines: Vec<(String, Vec<(i32, T)>)> = Vec::new();
    for (model, value) in models {
        let (_, increments) = model_name(model);
        let line = model.line();
        let name = match on_several_lines {
            true => format!("{increments}, zero {}, h_max {}", line.zero(), line.h_max()),
            false => format!("increments {increments}"),
        };
        let root = model.root().get();
        match lines.iter_mut().find(|(other, _)| *other == name) {
            Some((_, points)) => points.push((root, value)),
            None => lines.push((name, vec![(root, value)])),
        }
    }
    lines.iter_mut().for_each(|(_, points)| points.sort_by_key(|&(root, _)| root));
    lines
}

fn series(name: String, ink: Option<Ink>, dashed: bool, points: &[(i32, Option<Point>)]) -> Series {
    let known = || points.iter().filter_map(|&(root, point)| Some((root, point?)));
    Series {
        name,
        ink,
        dashed,
        points: known().map(|(root, point)| (root, point.value)).collect(),
        intervals: known()
            .filter_map(|(root, point)| point.ends.map(|[low, high]| (root, low, high)))
            .collect(),
    }
}

fn drawing(chart: OverRoots) -> Drawing {
    Drawing::new(move || chart.figure().map(|figure| figure.file()).map_err(|error| error.to_string()))
}

/// From the first to the last root.
fn roots<T>(lines: &[(String, Vec<(i32, T)>)]) -> RangeInclusive<i32> {
    let roots = || lines.iter().flat_map(|(_, points)| points).map(|&(root, _)| root);
    roots().min().unwrap_or(0)..=roots().max().unwrap_or(0)
}

/// The difference between two rules over the roots, with the curves they were measured by; below 0 the second one errs
/// less in critical trees.
pub fn difference<'a>(
    statistic: &str,
    second: &str,
    measured_by: &str,
    found: impl IntoIterator<Item = (&'a Model, Option<Point>)>,
) -> Drawing {
    let lines = lines(found);
    drawing(OverRoots {
        name: "difference",
        title: format!(
            "The {statistic} in percent over the root value ({measured_by}); below 0 {second} errs less in critical trees"
        ),
        label: format!("{statistic} (%), below 0: {second} errs less"),
        roots: roots(&lines),
        level: Some(0.0),
        most: None,
        series: lines.into_iter().map(|(name, points)| series(name, None, false, &points)).collect(),
    })
}

/// The error rates at which both rules are equally good, over the roots.
pub fn thresholds<'a>(found: impl IntoIterator<Item = (&'a Model, Vec<f64>)>) -> Drawing {
    let lines = lines(found);
    let roots = roots(&lines);
    let mut all = Vec::new();
    for (name, points) in lines {
        let most = points.iter().map(|(_, thresholds)| thresholds.len()).max().unwrap_or(0);
        // A model can have more than one.
        for number in 0..most.max(1) {
            let name = if number == 0 { name.clone() } else { format!("{name}, number {}", number + 1) };
            let points: Vec<(i32, Option<Point>)> = points
                .iter()
                .map(|(root, thresholds)| (*root, thresholds.get(number).map(|p| (100.0 * p).into())))
                .collect();
            all.push(series(name, None, number > 0, &points));
        }
    }
    drawing(OverRoots {
        name: "thresholds",
        title: "The error rate p* in percent at which both rules are equally good, over the root value"
            .to_owned(),
        label: "threshold p* (%)".to_owned(),
        roots,
        level: Some(0.0),
        most: None,
        series: all,
    })
}

/// The rules of a contest with their names, and the efficiency of each in percent.
pub type Efficiencies = Vec<(String, Rule, Option<f64>)>;

/// The efficiency of rules: over the roots if there are several, otherwise next to each other.
pub fn efficiency(measured_by: &str, found: Vec<(&Model, Efficiencies)>) -> Drawing {
    let roots: BTreeSet<i32> = found.iter().map(|(model, _)| model.root().get()).collect();
    if roots.len() > 1 {
        efficiency_over_roots(measured_by, found)
    } else {
        efficiency_of_rules(measured_by, found)
    }
}

const EFFICIENCY: &str = "efficiency (%)";

fn efficiency_over_roots(measured_by: &str, found: Vec<(&Model, Efficiencies)>) -> Drawing {
    let lines = lines(found);
    let mut all: Vec<Series> = Vec::new();
    for (place, (name, points)) in lines.iter().enumerate() {
        let rules = points.first().map_or(&[][..], |(_, rules)| &rules[..]);
        for (number, (rule_name, rule, _)) in rules.iter().enumerate() {
            let ink = Ink::of_family(rule.family());
            // Of rules that differ only in their parameters, all but the first are dashed; so are further models.
            let again = rules[..number].iter().any(|(_, other, _)| Ink::of_family(other.family()) == ink);
            let name = if lines.len() == 1 { rule_name.clone() } else { format!("{rule_name}, {name}") };
            let points: Vec<(i32, Option<Point>)> =
                points.iter().map(|(root, rules)| (*root, rules[number].2.map(Point::from))).collect();
            all.push(series(name.replace("increments ", ""), Some(ink), again || place > 0, &points));
        }
    }
    drawing(OverRoots {
        name: "efficiency",
        title: format!("The efficiency of rules in percent over the root value ({measured_by})"),
        label: EFFICIENCY.to_owned(),
        roots: roots(&lines),
        level: None,
        most: Some(100.0),
        series: all,
    })
}

fn efficiency_of_rules(measured_by: &str, found: Vec<(&Model, Efficiencies)>) -> Drawing {
    let is_one = found.len() == 1;
    let group = |(model, mut rules): (&Model, Efficiencies)| {
        let (root, increments) = model_name(model);
        let head = if is_one { String::new() } else { format!("root {root}, increments {increments}") };
        // Best first, as in the table.
        rules.sort_by(|(.., a), (.., b)| {
            b.unwrap_or(f64::NEG_INFINITY).total_cmp(&a.unwrap_or(f64::NEG_INFINITY))
        });
        let dot = |(name, rule, value): (String, Rule, Option<f64>)| Dot {
            name,
            ink: Ink::of_family(rule.family()),
            value,
        };
        (head, rules.into_iter().map(dot).collect())
    };
    let chart = DotChart {
        name: "efficiency",
        title: format!("The efficiency of rules in percent ({measured_by})"),
        label: EFFICIENCY.to_owned(),
        most: 100.0,
        places: 2,
        groups: found.into_iter().map(group).collect(),
    };
    Drawing::new(move || Ok(chart.figure().file()))
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::ZeroMode;

    use super::*;

    fn model(root: i64, increments: &[i64], zero: ZeroMode) -> Model {
        Model::new(root, increments, zero, 42).unwrap()
    }

    #[test]
    fn models_that_differ_only_in_their_roots_are_one_line() {
        let models = [
            model(1, &[8, 8], ZeroMode::Skip),
            model(-1, &[8, 8], ZeroMode::Skip),
            model(-1, &[3, 3, 3], ZeroMode::Skip),
        ];
        let found = lines(models.iter().zip(1..));
        let expected = [
            ("increments 8,8".to_owned(), vec![(-1, 2), (1, 1)]),
            ("increments 3,3,3".to_owned(), vec![(-1, 3)]),
        ];
        assert_eq!(found, expected);
        let models = [model(1, &[8, 8], ZeroMode::Skip), model(1, &[8, 8], ZeroMode::Allow)];
        let names: Vec<String> = lines(models.iter().zip(1..)).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["8,8, zero skip, h_max 42", "8,8, zero allow, h_max 42"]);
    }

    #[test]
    fn a_root_without_a_threshold_has_no_point() {
        let models = [
            model(-1, &[8, 8], ZeroMode::Skip),
            model(1, &[8, 8], ZeroMode::Skip),
            model(2, &[8, 8], ZeroMode::Skip),
        ];
        let svg = thresholds(models.iter().zip([vec![0.1, 0.4], vec![], vec![0.2]])).svg().unwrap();
        assert!(svg.contains("increments 8,8: from 10.00 at root -1 to 20.00 at root +2"), "{svg}");
        assert!(svg.contains("increments 8,8, number 2: 40.00 at root -1"), "{svg}");
    }
}
