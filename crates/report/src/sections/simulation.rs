//! The simulation study: Tables III and IV, Fig. 6, and one-move games that the exact engine can compute too.

mod figures;
mod tables;

use maud::{Markup, html};
use prodmax_mass::Curve;
use prodmax_number::Fraction;
use prodmax_simulate::{
    Fit, PUBLISHED_TREES, Probabilities, SimulationResults, SimulationSpec, TableComparison, sign_test,
};

use super::SectionKind;
use crate::error::ReportError;
use crate::html::{curve, var};
use crate::run::Findings;
use crate::section::Section;
use crate::words::and;
use crate::write::file_name;

/// The id of the reading that is shown first.
const FIRST: &str = "simulate-b";
/// A published table counts as reproduced if at least one in this many triples of our own trees is as far from the mean.
const ONE_IN: usize = 20;

/// One simulation, and its tables compared with the published ones.
struct ComparedReading<'a> {
    results: &'a SimulationResults,
    tables: [TableComparison; 2],
}

impl ComparedReading<'_> {
    /// What it reads differently from others: the curves of truth and estimate, and the assignment.
    fn name(&self) -> String {
        let spec = &self.results.spec;
        format!("{}/{}, {}", spec.truth, spec.estimate, spec.assignment.name())
    }

    /// The same as short as a legend needs it.
    fn label(&self) -> String {
        let spec = &self.results.spec;
        match (&spec.truth, &spec.estimate) {
            (Curve::Arctan(_), Curve::Arctan(_)) | (Curve::Pearl(_), Curve::Pearl(_)) => {
                format!("{}, {}", spec.truth, spec.assignment.name())
            }
            (truth, estimate) => format!("{truth}/{estimate}"),
        }
    }

    /// The beginning of its file names.
    fn file(&self) -> String {
        file_name(&self.results.spec.id)
    }
}

/// Whether a simulation is one of Tables III and IV: of their rules, with the steepness of the truth that the paper states.
fn is_reading(spec: &SimulationSpec) -> bool {
    let stated = Fraction::from_integer(16.into());
    spec.rules.is_khs() && matches!(&spec.truth, Curve::Arctan(c) | Curve::Pearl(c) if *c == stated)
}

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let mut readings = Vec::new();
    // The paper's tables are about Minimax and Product; simulations of other rules are not compared with them.
    for results in findings.simulations.iter().filter(|results| is_reading(&results.spec)) {
        readings.push(ComparedReading { results, tables: TableComparison::both(results)? });
    }
    readings.sort_by_key(|reading| reading.results.spec.id != FIRST);
    let Some(first) = readings.first() else { return Ok(None) };
    let mut section = Section::new("simulation", "Tables III and IV, Fig. 6: whole games");
    introduce(&mut section, first.results, readings.len());
    for index in 0..Probabilities::ALL.len() {
        section.p(verdict(index, &readings));
    }
    section.figures([
        figures::shares(&readings, 0, "table3-shares")?,
        figures::shares(&readings, 1, "table4-shares")?,
    ]);
    for table in &first.tables {
        section.table(tables::contest(first, table));
    }
    for reading in &readings[1..] {
        for table in &reading.tables {
            let summary = format!("{} by {}", table.probabilities.table(), reading.results.spec.title);
            section.folded_table(&summary, tables::contest(reading, table));
        }
    }
    section.p(significances()?);
    section.heading("Fig. 6: wrong move decisions");
    section.p(html! {
        "A decision is wrong if the chosen move loses and the other one wins. Every inner node of a stored tree that \
         a search of depth " (var("d")) " fits below is a decision of all three players, so the curves compare them on \
         the same nodes. The paper prints only the figure, so there are no numbers to compare these with."
    });
    section.figures([figures::decisions(first)?]);
    for reading in &readings {
        let summary = format!("Fig. 6 in numbers, {}", reading.results.spec.title);
        section.folded_table(&summary, tables::decisions(reading));
    }
    one_move_games(&mut section, findings)?;
    for reading in &readings {
        section.raw.push(tables::per_tree(reading));
        section.data.push((reading.file(), tables::json(reading)));
    }
    Ok(Some(section))
}

fn introduce(section: &mut Section, results: &SimulationResults, readings: usize) {
    section.p(html! {
        "Section VI of the paper lets the rules play. Trees of depth " (results.spec.tree_depth) " are drawn and \
         stored, each node with a heuristic value and a true one; from every node two games are played in which each \
         side searches "
        (var("d")) " levels deep, " b.minimax { "Minimax" } " moving first in one and " b.product { "Product" } " in \
         the other. A pair is " em { "critical" } " if the same side wins both. In Table III Product uses estimated \
         probabilities of winning, in Table IV the actual ones. The printed numbers of game pairs are those of "
        (PUBLISHED_TREES) " trees."
    });
    section.p(html! {
        "Here " (results.trees.len()) " trees are drawn per reading. Games that start in one tree overlap, so the \
         standard errors are taken over whole trees (delete-one jackknife); the sign test that the paper uses treats \
         all pairs as independent and is overconfident. A published figure " em { "agrees" } " if it lies within 2 \
         standard errors of ours, where a sample of " (PUBLISHED_TREES) " trees has the error given in its own line. \
         The paper leaves open how the true values are assigned “under the constraint of the game-theoretic \
         relationship”, which root the trees have, and whether the curves of truth and estimate are those of its eq. (2) or \
         Pearl’s; " (readings) " readings are tried, named by both curves and the assignment."
    });
}

fn is_reproduced(fit: &Fit) -> bool {
    fit.triples > 0 && fit.triples_beyond * ONE_IN >= fit.triples
}

/// Which readings reproduce a published table.
fn verdict(index: usize, readings: &[ComparedReading<'_>]) -> Markup {
    let mut details = Vec::new();
    let mut good = Vec::new();
    for reading in readings {
        let table = &reading.tables[index];
        let Some(fit) = &table.fit else { continue };
        let cells = table.rows.iter().flat_map(|row| [row.critical, row.share]);
        let agree = cells.filter_map(|cell| cell?.agrees()).filter(|&agrees| agrees).count();
        details.push(format!(
            "{:.1} with {} ({agree} cells agree; of {} triples of our own trees {} are as far off)",
            fit.chi_square,
            reading.name(),
            fit.triples,
            fit.triples_beyond
        ));
        if is_reproduced(fit) {
            good.push(reading.name());
        }
    }
    let name = Probabilities::ALL[index].table();
    let cells = readings.iter().find_map(|reading| reading.tables[index].fit).map_or(0, |fit| fit.cells);
    if details.is_empty() {
        return html! { (name) " cannot be compared: the simulated trees are different." };
    }
    html! {
        b {
            @match good.as_slice() {
                [] => { "No reading reproduces " (name) " in full." },
                [one] => { "The reading " (one) " reproduces " (name) "." },
                several => { "The readings " (and(several)) " reproduce " (name) "." },
            }
        }
        " Chi-square on " (cells) " cells: " (details.join("; ")) "."
    }
}

/// Which of the printed significances follow from the printed counts.
fn significances() -> Result<Markup, ReportError> {
    let (mut all, mut good, mut bad) = (0, 0, Vec::new());
    for probabilities in Probabilities::ALL {
        for row in probabilities.published()? {
            let ours = sign_test(row.minimax_wins, row.product_wins)
                .map_or_else(String::new, |value| format!("{value:.5}"));
            all += 1;
            if ours == row.significance {
                good += 1;
            } else {
                bad.push(format!(
                    "{}, d = {}, does not: {} : {} gives {ours}, but {} is printed.",
                    probabilities.table(),
                    row.d,
                    row.minimax_wins,
                    row.product_wins,
                    row.significance
                ));
            }
        }
    }
    Ok(html! {
        "The printed significances are one-sided normal sign tests without continuity correction: " (good) " of " (all)
        " follow from the printed counts to the last digit. " (bad.join(" "))
    })
}

fn one_move_games(section: &mut Section, findings: &Findings) -> Result<(), ReportError> {
    if findings.one_move_games.is_empty() {
        return Ok(());
    }
    section.heading("Simulation and exact engine");
    let depths: Vec<usize> = findings.one_move_games.iter().map(|games| games.spec.tree_depth).collect();
    section.p(html! {
        "At depths " (and(&depths)) " the simulation can be checked against the exact sums of the earlier sections: games of \
         one move, searched to the leaves of the tree, true values from the leaves up"
        @if let Some(games) = findings.one_move_games.first() {
            ", curves " (curve(&games.spec.truth)) " and " (curve(&games.spec.estimate))
        }
        ". The fraction of random trees that is critical must converge to the exact \
         one if program and random numbers are right."
    });
    let drawn = [("one-move-depth2", 2), ("one-move-depth3", 3)];
    let mut figures = Vec::new();
    for (name, depth) in drawn {
        if let Some(games) = findings.one_move_games.iter().find(|games| games.spec.tree_depth == depth) {
            figures.push(figures::convergence(games, name)?);
        }
    }
    section.figures(figures);
    section.folded_table("These one-move games in numbers", tables::one_move_games(&findings.one_move_games));
    section.data.push(("one-move-games".to_owned(), tables::one_move_json(&findings.one_move_games)));
    Ok(())
}
