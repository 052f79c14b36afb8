//! HK's account of the critical cases of depth 2: "we let Minimax and Product simulate games".

use maud::{Markup, html};
use prodmax_golden::quantity::SimulatedFigure;
use prodmax_golden::{Quantity, Reading};
use prodmax_number::Figure;
use prodmax_output::{Cell, Column, Table};

use crate::figure::with_minus;
use crate::run::{Comparison, Findings};
use crate::section::Section;
use crate::words::{extremes, out_of};

/// A contest in some trees under a reading: its figures.
struct Contest<'a> {
    reading: &'a str,
    trees: u64,
    tree_depth: usize,
    d: usize,
    critical: Option<&'a Comparison>,
    minimax: Option<&'a Comparison>,
}

/// All contests that depth 2 is compared with.
fn contests(findings: &Findings) -> Vec<Contest<'_>> {
    let mut contests: Vec<Contest<'_>> = Vec::new();
    for comparison in findings.published("depth2") {
        let Quantity::Contested { trees, tree_depth, d, figure } = comparison.entry.quantity else {
            continue;
        };
        let reading = comparison.entry.reading.as_str();
        let key = (reading, trees, tree_depth, d);
        let known =
            |contest: &Contest<'_>| (contest.reading, contest.trees, contest.tree_depth, contest.d) == key;
        let index = contests.iter().position(known).unwrap_or_else(|| {
            contests.push(Contest { reading, trees, tree_depth, d, critical: None, minimax: None });
            contests.len() - 1
        });
        match figure {
            SimulatedFigure::Critical => contests[index].critical = Some(comparison),
            SimulatedFigure::MinimaxPercent => contests[index].minimax = Some(comparison),
            SimulatedFigure::MinimaxWins | SimulatedFigure::ProductWins => {}
        }
    }
    contests
}

/// Adds text and table.
pub(super) fn add(section: &mut Section, findings: &Findings) {
    let contests = contests(findings);
    if contests.is_empty() {
        return;
    }
    section.heading("Or a contest?");
    section.p(text(&contests));
    section.folded_table("The contests in numbers", table(&contests));
}

/// The printed number of critical pairs, and Minimax's share of them.
fn printed<'a>(contests: &[Contest<'a>]) -> [Option<&'a str>; 2] {
    let critical = contests.iter().find_map(|contest| contest.critical);
    let minimax = contests.iter().find_map(|contest| contest.minimax);
    [critical, minimax].map(|figure| figure.map(|figure| figure.entry.published.text()))
}

fn agree(figure: Option<&Comparison>) -> bool {
    figure.is_some_and(|figure| figure.ours.verdict.is_reproduced())
}

fn text(contests: &[Contest<'_>]) -> Markup {
    let range = |pick: fn(&Contest<'_>) -> Option<f64>| extremes(contests.iter().filter_map(pick));
    let critical = range(|contest| contest.critical?.ours_f64());
    let shares = range(|contest| contest.minimax?.ours_f64());
    let [printed_critical, printed_share] = printed(contests);
    let both = contests.iter().filter(|contest| agree(contest.critical) && agree(contest.minimax)).count();
    let share_only = contests.iter().filter(|contest| agree(contest.minimax)).count();
    html! {
        "HK let the rules “simulate games”, so the figures may be those of a contest in stored trees like that of Tables III \
         and IV, with the curves of depth 2 (c = 4) and searches to depth 2: the critical cases are pairs of games that one \
         side wins twice, and the errors of Product those that Minimax wins. Trees, root, curve and the assignment of true \
         values are not stated. "
        @if let (Some((low, high)), Some(printed)) = (shares, printed_share) {
            "In the " (contests.len()) " contests that were tried, Minimax is expected to win " (format!("{low:.1} to {high:.1}"))
            "\u{a0}% of the critical pairs, where " (printed) "\u{a0}% follows from the text; as a sample of that size this lies \
            within two standard errors in " (out_of(share_only, contests.len())) ". "
        }
        @if let (Some((low, high)), Some(printed)) = (critical, printed_critical) {
            "The number of critical pairs depends on the trees more than on anything else: " (format!("{low:.0} to {high:.0}"))
            " are expected, where " (printed) " is printed. "
        }
        "Both figures lie within two standard errors in " (out_of(both, contests.len()))
        "; which of them the authors played, if any, the figures do not tell."
    }
}

/// A value with the standard error of the difference between the sample and ours.
fn with_error(figure: Option<&Comparison>, places: usize) -> Cell {
    let Some(figure) = figure else { return "".into() };
    match (figure.ours_f64(), figure.ours.figure.as_ref().and_then(Figure::error)) {
        (Some(value), Some(error)) => Cell::with_latex(
            format!("{value:.places$} ± {error:.places$}"),
            format!("{value:.places$} $\\pm$ {error:.places$}"),
        ),
        _ => figure.ours.shown.as_str().into(),
    }
}

fn table(contests: &[Contest<'_>]) -> Table {
    let verdict =
        |figure: Option<&Comparison>| figure.map_or_else(|| "".into(), |figure| figure.ours.verdict.into());
    let row = |contest: &Contest<'_>| -> Vec<Cell> {
        let says = Reading::named(contest.reading).map_or(contest.reading, |reading| reading.says);
        vec![
            with_minus(says).into(),
            contest.trees.into(),
            contest.tree_depth.into(),
            with_error(contest.critical, 0),
            verdict(contest.critical),
            with_error(contest.minimax, 2),
            verdict(contest.minimax),
        ]
    };
    let names = ["critical pairs", "Minimax wins, in percent of them"];
    let printed = names.into_iter().zip(printed(contests));
    let printed: Vec<String> =
        printed.filter_map(|(name, printed)| Some(format!("{name}: printed {}", printed?))).collect();
    Table {
        id: "depth2-contests".to_owned(),
        title: "Depth 2 as a contest in stored trees".to_owned(),
        columns: vec![
            Column::left("reading"),
            Column::right("trees"),
            Column::right("depth"),
            Column::right("critical"),
            Column::left("verdict"),
            Column::right("Minimax %"),
            Column::left("verdict"),
        ],
        rows: contests.iter().map(row).collect(),
        notes: vec![format!(
            "{}. What so many trees are expected to give; ± is the standard error of such a sample and ours together, over \
             whole trees.",
            printed.join("; ")
        )],
    }
}
