//! Which rule wins more as the truth gets steeper, and which rule is the safest choice.

use maud::{Markup, html};
use prodmax_mass::{Curve, khs_rules};
use prodmax_number::fraction::to_f64;
use prodmax_rules::Rule;

use super::finding::Finding;
use super::rules::figures;
use crate::contests::ContestResults;
use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::html::{curve, join, var};
use crate::plot::{Axis, Line, root};
use crate::results::{ExperimentResults, ModelResults};
use crate::run::Findings;
use crate::words::{and, extremes, fixed, out_of};

/// The truth gets steeper, the estimate stays w_1.
pub(super) const TRUTHS: &str = "steepness";
/// The same with other estimates.
pub(super) const ESTIMATES: &str = "steepness-estimates";
/// The models of Table II with the curves of enumeration and simulation.
pub(super) const CURVES: &str = "simulation-curves";

/// The root of the model that stands for all in the sentence.
const ROOT: i32 = -1;
/// Its increments.
const INCREMENTS: [i32; 3] = [8, 8, 8];
/// The steepest truth of which the safest rule is asked.
const STEEPEST: f64 = 256.0;

/// c of w_c.
pub(super) fn steepness(curve: &Curve) -> Option<f64> {
    match curve {
        Curve::Arctan(c) => Some(to_f64(c)),
        _ => None,
    }
}

/// What Product wins more than Minimax, in percentage points.
fn lead(results: &ContestResults) -> Option<f64> {
    let [minimax, product] = khs_rules();
    Some(100.0 * (results.won(&product)? - results.won(&minimax)?))
}

/// The lead of Product as a difference of errors: positive if Product errs less in critical trees.
fn lead_in_errors(results: &ContestResults) -> Option<f64> {
    Some(-results.difference(0, 1)?)
}

/// One model over c: the values in order, with a lead for each.
struct OverTruth {
    leads: Vec<(f64, f64)>,
}

impl OverTruth {
    fn of<'a>(
        all: impl Iterator<Item = &'a ContestResults>,
        lead: impl Fn(&ContestResults) -> Option<f64>,
    ) -> Self {
        let leads = all.filter_map(|results| Some((steepness(&results.truth)?, lead(results)?)));
        let mut leads: Vec<(f64, f64)> = leads.collect();
        leads.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { leads }
    }

    /// The neighbouring values of c between which the lead changes hands.
    fn changes(&self) -> Vec<[f64; 2]> {
        let changed = |pair: &&[(f64, f64)]| pair[0].1 * pair[1].1 < 0.0;
        self.leads.windows(2).filter(changed).map(|pair| [pair[0].0, pair[1].0]).collect()
    }

    /// From Product to Minimax, at most once.
    fn is_simple(&self) -> bool {
        self.changes().len() <= 1 && self.leads.first().is_some_and(|first| first.1 > 0.0)
    }

    /// Between which values of c the only change is.
    fn change(&self) -> Option<[f64; 2]> {
        match self.changes()[..] {
            [change] if self.is_simple() => Some(change),
            _ => None,
        }
    }
}

fn model(results: &ExperimentResults) -> Option<&ModelResults> {
    results
        .models
        .iter()
        .find(|found| found.model.root().get() == ROOT && found.model.increments() == INCREMENTS)
}

fn at(model: &ModelResults, c: f64) -> Option<&ContestResults> {
    model.truths.iter().find(|results| steepness(&results.truth) == Some(c))
}

/// What Product and Minimax win at some values of c.
fn won(model: &ModelResults, values: &[f64]) -> Markup {
    let [minimax, product] = khs_rules();
    let phrases: Vec<String> = values
        .iter()
        .filter_map(|&c| {
            let results = at(model, c)?;
            let [product, minimax] =
                [&product, &minimax].map(|rule| results.won(rule).map(|won| 100.0 * won));
            Some(format!("{:.2} and {:.2}\u{a0}% at c = {c}", product?, minimax?))
        })
        .collect();
    html! { "Product and Minimax win " (and(&phrases)) "." }
}

/// The truth at which Minimax takes the lead.
pub(super) fn crossing(findings: &Findings) -> Option<Finding> {
    let results = findings.experiment(TRUTHS)?;
    let model = model(results)?;
    let by_won = OverTruth::of(model.truths.iter(), lead);
    let [last, first] = by_won.change()?;
    let [error_last, error_first] = OverTruth::of(model.truths.iter(), lead_in_errors).change()?;
    let all: Vec<OverTruth> =
        results.models.iter().map(|model| OverTruth::of(model.truths.iter(), lead)).collect();
    let simple = all.iter().filter(|one| one.is_simple()).count();
    let never = all.iter().filter(|one| one.is_simple() && one.changes().is_empty()).count();
    let from_to = extremes(by_won.leads.iter().map(|lead| lead.0))?;
    // Between the two changes the measures disagree.
    let mut between = model.truths.iter().filter_map(|results| {
        let c = steepness(&results.truth)?;
        (c >= error_first && c <= last).then_some((c, lead(results)?, lead_in_errors(results)?))
    });
    let disagree = between.next_back();
    Some(Finding {
        sentence: html! {
            "With the estimate " (curve(&results.estimate)) ", Product wins more of its decisions until the truth is much \
             steeper than the estimate: from root " (root(ROOT.into())) " with increments " (model.increments()) " Product leads up to "
            (var("c")) " = " (last) ", Minimax from " (var("c")) " = " (first) " on."
        },
        holds_for: html! {
            (won(model, &[4.0, 16.0, 64.0])) " Of " (all.len()) " models (roots −8 to +8, increments 8,8 and 8,8,8) with "
            (by_won.leads.len()) " truths " i { "w" sub { "c" } } " from " (var("c")) " = " (from_to.0) " to " (from_to.1) ", "
            (out_of(simple, all.len())) " change the lead at most once, from Product to Minimax; " (never)
            " of them never do."
            (table2(findings))
        },
        otherwise: html! {
            "By KHS’s difference, which is relative to the errors in critical trees and leaves ties out, the lead changes between "
            (var("c")) " = " (error_last) " and " (error_first)
            @if let Some((c, won, errors)) = disagree {
                "; at " (var("c")) " = " (c) " it favours Minimax by " (format!("{:.1}", -errors)) "\u{a0}%, while Product wins "
                (format!("{won:.3}")) " points more"
            }
            "." (estimates(findings))
            " With the truth itself as estimate no rule wins more than Product, if leaves are independent."
        },
        command: format!(
            "prodmax mass --root {ROOT} --increments {} --truth arctan:{first} --quality",
            model.increments()
        ),
        more: "rules",
    })
}

/// The models of Table II with other curves.
fn table2(findings: &Findings) -> Markup {
    let simulated = |results: &ContestResults| {
        let pearl = |curve: &Curve, c: i32| matches!(curve, Curve::Pearl(found) if *found == prodmax_number::Fraction::from_integer(c.into()));
        pearl(&results.truth, 16) && pearl(&results.estimate, 1)
    };
    let Some(results) = findings.experiment(CURVES) else { return html! {} };
    let of_kind = |wide: bool| {
        let all = results.models.iter().filter(move |model| (model.model.increments() == INCREMENTS) == wide);
        all.filter_map(|model| model.truths.iter().find(|results| simulated(results))).collect::<Vec<_>>()
    };
    let ahead = |all: &[&ContestResults], lead: fn(&ContestResults) -> Option<f64>| {
        out_of(all.iter().filter(|results| lead(results) > Some(0.0)).count(), all.len())
    };
    let [narrow, wide] = [of_kind(false), of_kind(true)];
    html! {
        " With the curves of KHS’s simulations (" code { "pearl:16" } ", " code { "pearl:1" } ") Product wins more in "
        (ahead(&narrow, lead)) " models of Table II and errs less in critical trees in " (ahead(&narrow, lead_in_errors))
        "; with increments 8,8,8 and the same roots it wins more in " (ahead(&wide, lead)) " and errs less in "
        (ahead(&wide, lead_in_errors)) "."
    }
}

/// Where the lead changes with other estimates.
fn estimates(findings: &Findings) -> Markup {
    let Some(results) = findings.experiment(ESTIMATES) else { return html! {} };
    let Some(model) = model(results) else { return html! {} };
    let mut phrases = Vec::new();
    for estimates in model.truths.chunk_by(|a, b| a.estimate == b.estimate) {
        let (Some(first), over) = (estimates.first(), OverTruth::of(estimates.iter(), lead)) else {
            continue;
        };
        let Some(e) = steepness(&first.estimate) else { continue };
        let Some((_, most)) = extremes(over.leads.iter().map(|lead| lead.0)) else { continue };
        // Where the truth is the estimate there is no lead of Minimax to lose.
        phrases.push(match over.changes()[..] {
            [] => html! { "never up to " (most) " with w" sub { (e) } },
            [.., [last, first]] => html! { "between " (last) " and " (first) " with w" sub { (e) } },
        });
    }
    html! {
        " With other estimates the lead in decisions won changes " (join(&phrases, ", ")) "."
    }
}

/// The efficiency of both rules over the truth.
pub(super) fn figure(findings: &Findings) -> Result<Option<Figure>, ReportError> {
    let Some((results, model)) =
        findings.experiment(TRUTHS).and_then(|results| Some((results, model(results)?)))
    else {
        return Ok(None);
    };
    let line = |rule: &Rule| {
        let point =
            |found: &ContestResults| Some((steepness(&found.truth)?.log2(), found.efficiency_percent(rule)?));
        let points = model.truths.iter().filter_map(point).collect();
        Line { name: rule.to_string(), ink: Ink::of_family(rule.family()), dashed: false, dots: true, points }
    };
    let x = Axis {
        label: "steepness c of the truth".into(),
        range: -0.5..10.5,
        ticks: 11,
        format: figures::power_of_two,
    };
    let caption = html! {
        "Efficiency of both rules over the steepness of the truth: root " (root(ROOT.into())) ", increments " (model.increments())
        ", estimate " (curve(&results.estimate)) ". The axis is logarithmic. KHS enumerate with " (var("c")) " = 4 and simulate with "
        (var("c")) " = 16."
    };
    figures::plot("steepness", x, Vec::from(khs_rules().each_ref().map(line)), caption).map(Some)
}

/// The rule with the best worst case.
pub(super) fn safest(findings: &Findings) -> Option<Finding> {
    let results = findings.experiment(TRUTHS)?;
    let worst = |rule: &Rule, increments: &[i32]| {
        let models = results.models.iter().filter(|model| model.model.increments() == increments);
        let all = models.flat_map(|model| &model.truths);
        let known = all.filter(|found| steepness(&found.truth).is_some_and(|c| c <= STEEPEST));
        extremes(known.filter_map(|found| found.efficiency_percent(rule))).map(|(least, _)| least)
    };
    let rules: Vec<Rule> =
        results.models.first()?.truths.first()?.rules.iter().map(|r| r.rule.clone()).collect();
    let ranked = |increments: &[i32]| {
        let mut ranked: Vec<(&Rule, f64)> =
            rules.iter().filter_map(|rule| Some((rule, worst(rule, increments)?))).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked
    };
    let (wide, narrow) = (ranked(&INCREMENTS), ranked(&[8, 8]));
    let [minimax, product] = khs_rules();
    let of = |ranked: &[(&Rule, f64)], rule: &Rule| {
        ranked.iter().find(|(other, _)| *other == rule).map(|(_, least)| *least)
    };
    let (best, least) = *wide.first()?;
    let listed = |ranked: &[(&Rule, f64)]| {
        and(&ranked.iter().map(|(rule, least)| format!("{rule} {least:.1}\u{a0}%")).collect::<Vec<_>>())
    };
    let [at_least, at_most] = [1.0, STEEPEST];
    Some(Finding {
        sentence: html! {
            "A rule between the two is the safer choice: whatever the steepness of the truth from " (var("c")) " = " (at_least)
            " to " (at_most) " and the root from −8 to +8, " code { (best.to_string()) } " keeps at least "
            (format!("{least:.1}")) "\u{a0}% efficiency with increments " (join_increments(&INCREMENTS))
            "; Minimax falls to " (of(&wide, &minimax).map_or_else(String::new, |least| format!("{least:.1}")))
            "\u{a0}%, Product to " (of(&wide, &product).map_or_else(String::new, |least| format!("{least:.1}"))) "\u{a0}%."
        },
        holds_for: html! {
            "Least efficiencies of all rules tried, with the estimate " (curve(&results.estimate)) ": " (listed(&wide)) "."
        },
        otherwise: html! {
            "With increments 8,8: " (listed(&narrow)) ". Which rule is best was chosen after the fact."
            (regret(findings))
        },
        command: format!(
            "prodmax contest --root -8..8 --increments {} --truth arctan:{at_most} --rules minimax,product,{best}",
            join_increments(&INCREMENTS)
        ),
        more: "rules",
    })
}

fn join_increments(increments: &[i32]) -> String {
    increments.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// What Product loses against the ideal choice with a flat and with a steep estimate.
fn regret(findings: &Findings) -> Markup {
    let Some(model) = findings.experiment(ESTIMATES).and_then(model) else { return html! {} };
    let product = &khs_rules()[1];
    let worst = |estimate: f64| {
        let of = model.truths.iter().filter(|found| steepness(&found.estimate) == Some(estimate));
        let known = of.filter(|found| steepness(&found.truth).is_some_and(|c| c <= STEEPEST));
        extremes(known.filter_map(|found| Some(100.0 * (found.won_ideal - found.won(product)?))))
            .map(|(_, most)| most)
    };
    let estimates = model.truths.iter().filter_map(|found| steepness(&found.estimate));
    let Some((_, steepest)) = extremes(estimates) else { return html! {} };
    html! {
        @if let (Some(flat), Some(steep)) = (worst(1.0), worst(steepest)) {
            " A steeper estimate changes more than another rule: at root " (root(ROOT.into())) ", Product loses at most "
            (fixed(flat, 2)) " points of its decisions against the ideal choice with the estimate " i { "w" sub { "1" } }
            ", and " (fixed(steep, 2)) " with " i { "w" sub { (steepest) } } "."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_the_lead() {
        let over = |leads: &[f64]| OverTruth {
            leads: leads.iter().enumerate().map(|(c, lead)| (c as f64, *lead)).collect(),
        };
        assert_eq!(over(&[1.0, 2.0, -1.0, -2.0]).change(), Some([1.0, 2.0]));
        assert_eq!(over(&[1.0, 2.0]).change(), None);
        assert!(over(&[1.0, 2.0]).is_simple());
        assert!(!over(&[1.0, -2.0, 1.0]).is_simple(), "twice");
        assert!(!over(&[-1.0, 2.0]).is_simple(), "the other way round");
    }
}
