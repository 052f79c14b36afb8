//! Which rule decides best? Every rule over all trees of a model.

pub(super) mod figures;
mod games;

use maud::{Markup, html};
use prodmax_mass::khs_rules;
use prodmax_output::{Cell, Column, Table};
use prodmax_rules::Rule;
use serde_json::json;

use super::SectionKind;
use crate::contests::ContestResults;
use crate::error::ReportError;
use crate::html::{curve, indexed, join, var};
use crate::results::{ExperimentResults, ModelResults};
use crate::run::Findings;
use crate::section::Section;
use crate::words;

/// The experiment with all rules.
pub(super) const ALL_RULES: &str = "rules";
/// The others that are shown here: hints and exponents in small steps, other estimates, one more level.
const HINTS: &str = "rules-hints";
const MEANS: &str = "rules-means";
const STEEPNESS: &str = "rules-steepness";
const DEPTH_4: &str = "rules-depth4";
const EXPERIMENTS: [&str; 5] = [ALL_RULES, HINTS, MEANS, STEEPNESS, DEPTH_4];

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &EXPERIMENTS, write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let Some(results) = findings.experiment(ALL_RULES) else { return Ok(None) };
    let mut section = Section::new("rules", "Which rule decides best?");
    section.p(html! {
        "Minimax and Product are not the only ways to back up values. Baum’s formula (2.6) treats the players as \
         imperfect: before choosing, a player gets a " (var("hint")) " on each move that is right with a given \
         probability; with useless hints the formula is Minimax, with perfect ones Product. Rivest’s \
         generalised means "
        (indexed("M", var("P"))) " and M" sub { "−" (var("P")) } " approach Minimax as " (var("P")) " grows. The \
         average of Minimax and Product at every node is another old proposal. Here each rule is measured over " em
        { "all" }
        " trees, and the order of any two subtrees under every rule is proved."
    });
    section.p(html! {
        (var("Efficiency")) " is the measure: the probability that the chosen move is won, on a scale on which a \
         random choice has 0\u{a0}% and the ideal rule, Product applied to the true probabilities, 100\u{a0}%."
    });
    section.figures([figures::over_roots(results, 2)?, figures::over_roots(results, 3)?]);
    for depth in [2, 3] {
        section.table(ranking(results, depth));
    }
    if let Some((model, contest)) = middle(results, 3) {
        section.figures([figures::matrix(model, contest)]);
    }
    let hints = findings.experiment(HINTS);
    let means = findings.experiment(MEANS);
    let mut curves = Vec::new();
    if let Some(hints) = hints {
        curves.push(figures::over_hints(hints)?);
    }
    if let Some(means) = means {
        curves.push(figures::over_exponents(means)?);
    }
    section.figures(curves);
    let steepness = findings.experiment(STEEPNESS);
    if let Some(steepness) = steepness {
        section.p(html! {
            "All rules but Minimax work with probabilities, and the estimate they get is not the truth. How wrong \
             may it be? The truth stays " (curve(&steepness.truth)) "; the estimate is " i { "w" sub { "c" } } " with "
            (var("c"))
            " flatter or steeper. Minimax only needs the order of values, so its line is flat."
        });
        section.figures([figures::over_steepness(steepness, 2)?, figures::over_steepness(steepness, 3)?]);
    }
    if let Some(depth4) = findings.experiment(DEPTH_4) {
        section.table(ranking(depth4, 4));
    }
    if let Some(games) = games::table(findings, results) {
        section.p(html! {
            "Whole games are a different matter from single decisions, and these have other curves than the trees above. In the contests of the paper’s section VI"
            @if let Some(reading) = games::reading(findings) { ", played in the trees of “" (reading) "”" }
            ", each rule meets Minimax with the same estimate; the table shows what it wins there next to its exact \
             efficiency in single decisions with truth " (curve(&results.truth)) "."
        });
        section.table(games);
    }
    section.heading("What follows");
    let mut sentences = conclusions(results, [hints, means, steepness]);
    sentences.extend(games::conclusion(findings));
    section.list(&sentences);
    let data: Vec<_> = EXPERIMENTS.into_iter().filter_map(|id| findings.experiment(id)).collect();
    section.data.push(("rules".to_owned(), json!(data)));
    Ok(Some(section))
}

/// The contests of a depth, with the first estimate, by ascending root.
fn contests(results: &ExperimentResults, depth: usize) -> Vec<(&ModelResults, &ContestResults)> {
    let of_depth = results.models.iter().filter(|model| model.model.depth() == depth);
    let mut found: Vec<_> = of_depth.filter_map(|model| Some((model, model.contests.first()?))).collect();
    found.sort_by_key(|(model, _)| model.model.root().get());
    found
}

/// The contest of the root nearest to 0 from below.
fn middle(results: &ExperimentResults, depth: usize) -> Option<(&ModelResults, &ContestResults)> {
    contests(results, depth).into_iter().rfind(|(model, _)| model.model.root().get() < 0)
}

/// The rules of the first contest.
fn rules(results: &ExperimentResults) -> Vec<Rule> {
    let first = results.models.iter().find_map(|model| model.contests.first());
    first.map_or_else(Vec::new, |contest| contest.rules.iter().map(|found| found.rule.clone()).collect())
}

/// Mean efficiency over the roots, in percent, and its least value; best first.
pub(super) fn means(results: &ExperimentResults, depth: usize) -> Vec<(Rule, f64, f64)> {
    let all = contests(results, depth);
    let mean = |rule: Rule| {
        let values: Vec<f64> =
            all.iter().filter_map(|(_, contest)| contest.efficiency_percent(&rule)).collect();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        (!values.is_empty()).then(|| (rule, values.iter().sum::<f64>() / values.len() as f64, least))
    };
    let mut means: Vec<_> = rules(results).into_iter().filter_map(mean).collect();
    means.sort_by(|a, b| b.1.total_cmp(&a.1));
    means
}

fn ranking(results: &ExperimentResults, depth: usize) -> Table {
    let roots = contests(results, depth).len();
    let rows = means(results, depth).into_iter().enumerate();
    let row = |(place, (rule, mean, least)): (usize, (Rule, f64, f64))| -> Vec<Cell> {
        let best = contests(results, depth).iter().filter(|(_, contest)| is_best(contest, &rule)).count();
        vec![
            (place + 1).into(),
            rule.to_string().into(),
            format!("{mean:.3}").into(),
            format!("{least:.3}").into(),
            best.into(),
        ]
    };
    Table {
        id: format!("rules-depth{depth}"),
        title: format!(
            "Rules by their mean efficiency over {roots} roots, depth {depth}, {}",
            words::widths(contests(results, depth).iter().map(|(model, _)| &model.model))
        ),
        columns: vec![
            Column::right("rank"),
            Column::left("rule"),
            Column::right("mean efficiency %"),
            Column::right("least %"),
            Column::right("roots where it is best"),
        ],
        rows: rows.map(row).collect(),
        notes: Vec::new(),
    }
}

/// Whether no rule wins more than this one.
fn is_best(contest: &ContestResults, rule: &Rule) -> bool {
    let most = contest.rules.iter().map(|found| found.won).fold(f64::NEG_INFINITY, f64::max);
    contest.rules.iter().any(|found| found.rule == *rule && found.won == most)
}

fn code(rule: &Rule) -> Markup {
    html! { code { (rule.to_string()) } }
}

/// Sentences in which every figure is computed.
fn conclusions(
    results: &ExperimentResults,
    [hints, exponents, steepness]: [Option<&ExperimentResults>; 3],
) -> Vec<Markup> {
    let mut sentences = Vec::new();
    for depth in [2, 3] {
        let means = means(results, depth);
        if let ([(best, first, _), ..], Some((worst, last, _))) = (&means[..], means.last()) {
            let contests = contests(results, depth);
            let at_best = contests.iter().filter(|(_, contest)| is_best(contest, best)).count();
            sentences.push(html! {
                "At depth " (depth) ", with truth " (curve(&results.truth)) " and estimate " (curve(&results.estimate)) ", "
                (code(best)) " is best on average over the roots with " (format!("{first:.2}")) "\u{a0}% \
                 of what can be won beyond chance (best at " (at_best) " of " (contests.len()) " roots) and "
                (code(worst))
                " worst with " (format!("{last:.2}")) "\u{a0}%."
            });
        }
    }
    for (found, what) in
        [(hints, "between Minimax and Product by Baum’s formula"), (exponents, "among the means and Minimax")]
    {
        let Some(found) = found else { continue };
        for depth in [2, 3] {
            if let Some((best, mean, _)) = means(found, depth).first() {
                sentences.push(html! {
                    "The best rule " (what) " at depth " (depth) " is " (code(best)) " with " (format!("{mean:.2}"))
                    "\u{a0}%."
                });
            }
        }
    }
    if let Some(steepness) = steepness {
        sentences.extend([2, 3].into_iter().map(|depth| turn(steepness, depth)));
    }
    sentences
}

/// The steepness of the estimate from which Minimax wins more than Product.
fn turn(results: &ExperimentResults, depth: usize) -> Markup {
    let [minimax, product] = khs_rules();
    let ahead: Vec<Markup> = contests(results, depth)
        .into_iter()
        .map(|(model, _)| {
            let overtaken =
                model.contests.iter().find(|contest| contest.won(&minimax) > contest.won(&product));
            html! {
                "at root " (crate::plot::root(model.root()))
                @match overtaken {
                    Some(contest) => { " from " code { (contest.estimate.to_string()) } " on" },
                    None => " for none of the estimates",
                }
            }
        })
        .collect();
    let estimates = results.models.first().map_or(0, |model| model.contests.len());
    html! {
        "Of the " (estimates) " estimates tried at depth " (depth) " (truth " (curve(&results.truth))
        "), Minimax wins more of its decisions than Product " (join(&ahead, ", ")) "."
    }
}
