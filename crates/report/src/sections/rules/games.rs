//! Rules in whole games against Minimax, together with their exact quality.

use maud::{Markup, html};
use prodmax_number::margin::with_error;
use prodmax_output::{Cell, Column, Table};
use prodmax_rules::Rule;
use prodmax_simulate::{Probabilities, Ratio, SimulationResults, first_shares};

use super::{code, means};
use crate::results::ExperimentResults;
use crate::run::Findings;
use crate::words::with_error_cell;

/// The depths of the searches that are shown.
const DEPTHS: [usize; 3] = [2, 3, 4];

/// A rule against Minimax in one simulation: its share of the critical game pairs at each depth.
struct Games {
    rule: Rule,
    trees: u64,
    shares: Vec<(usize, Ratio)>,
}

/// The simulations of a rule against Minimax with the trees of the study of rules: those that differ from the first
/// one with a rule other than Product only in the second rule and the number of trees.
fn simulations(findings: &Findings) -> Vec<&SimulationResults> {
    let against_minimax =
        |results: &&SimulationResults| matches!(results.spec.rules.rules()[0], Rule::Minimax(_));
    let all: Vec<&SimulationResults> = findings.simulations.iter().filter(against_minimax).collect();
    let Some(model) = all.iter().find(|results| !results.spec.rules.is_khs()) else { return Vec::new() };
    let alike = |results: &&SimulationResults| {
        let (a, b) = (&results.spec, &model.spec);
        (a.truth == b.truth && a.estimate == b.estimate)
            && (a.assignment == b.assignment && a.tree_depth == b.tree_depth)
            && (a.root == b.root && a.increment == b.increment && a.h_max == b.h_max)
    };
    all.iter().copied().filter(alike).collect()
}

/// The title of the simulation of Minimax and Product in the same trees.
pub(super) fn reading(findings: &Findings) -> Option<&str> {
    let khs = simulations(findings).into_iter().find(|results| results.spec.rules.is_khs())?;
    Some(&khs.spec.title)
}

fn games(findings: &Findings) -> Vec<Games> {
    let one = |results: &SimulationResults| {
        let [_, rule] = results.spec.rules.rules();
        let shares = first_shares(results, Probabilities::Estimated);
        let of_second = |share: Ratio| Ratio { value: 1.0 - share.value, ..share };
        let shares = shares.into_iter().filter_map(|found| Some((found.d, of_second(found.share?))));
        Games { rule, trees: results.spec.trees, shares: shares.collect() }
    };
    simulations(findings).into_iter().map(one).collect()
}

/// The table; `None` without such simulations.
pub(super) fn table(findings: &Findings, exact: &ExperimentResults) -> Option<Table> {
    let efficiencies = [2, 3].map(|depth| means(exact, depth));
    let row = |games: &Games| -> Vec<Cell> {
        let mut row: Vec<Cell> = vec![games.rule.to_string().into(), games.trees.into()];
        for means in &efficiencies {
            let mean = means.iter().find(|(rule, ..)| *rule == games.rule).map(|(_, mean, _)| *mean);
            row.push(mean.map_or_else(|| Cell::with_latex("–", "--"), |mean| format!("{mean:.2}").into()));
        }
        for d in DEPTHS {
            let share = games.shares.iter().find(|(depth, _)| *depth == d);
            row.push(share.map_or_else(
                || Cell::with_latex("–", "--"),
                |(_, share)| with_error_cell(100.0 * share.value, 100.0 * share.standard_error),
            ));
        }
        row
    };
    let all = games(findings);
    (!all.is_empty()).then(|| Table {
        id: "rules-games".to_owned(),
        title: "Rules in single decisions and in whole games against Minimax".to_owned(),
        columns: ["rule"]
            .map(Column::left)
            .into_iter()
            .chain(["trees", "efficiency %, depth 2", "depth 3"].map(Column::right))
            .chain(DEPTHS.map(|d| Column::right(format!("games won %, d = {d}"))))
            .collect(),
        rows: all.iter().map(row).collect(),
        notes: vec![
            "Games won: the share of the critical game pairs (one rule wins both games) that the rule wins against \
             Minimax, with its standard error over trees; 50 % is even. Efficiency is the mean over the roots above."
                .to_owned(),
        ],
    })
}

/// Who is ahead of Minimax in whole games.
pub(super) fn conclusion(findings: &Findings) -> Option<Markup> {
    let all = games(findings);
    let d = *DEPTHS.last()?;
    let at = |games: &Games| games.shares.iter().find(|(depth, _)| *depth == d).map(|(_, share)| *share);
    let best = all.iter().filter_map(|games| Some((&games.rule, at(games)?)));
    let (rule, share) = best.max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    let from_half = (share.value - 0.5).abs() / share.standard_error;
    Some(html! {
        "In whole games with searches to depth " (d) ", " (code(rule)) " does best against Minimax: it wins "
        (with_error(100.0 * share.value, 100.0 * share.standard_error)) "\u{a0}% of the critical game \
         pairs, "
        (format!("{from_half:.1}")) " standard errors from an even score."
    })
}
