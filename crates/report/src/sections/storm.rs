//! Independent confirmation: the same models and the same case analysis, checked by programs that share nothing with
//! this one, and shards on a real cluster.

use maud::{Markup, html};
use prodmax_output::{Column, Table};

use super::SectionKind;
use crate::error::ReportError;
use crate::run::Findings;
use crate::section::Section;
use crate::storm::{StormCase, StormRun};
use crate::words::extremes;

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let run = &findings.storm;
    if run.cases.is_empty() {
        return Ok(None);
    }
    let mut section = Section::new("storm", "Confirmed by others");
    section.p(html! {
        "Storm " (run.stormpy) " is an independent probabilistic model checker. " code { "prodmax prism" } " writes a \
         model in its language: the increments and the truth of each leaf are drawn at random, backed up by both \
         rules and by the rule of the game, and compared. Storm knows nothing about classes, sweeps or formulas. In "
        b { (run.agreeing()) " of " (run.cases.len()) } " models it finds the same probabilities as prodmax: the same \
         fractions if both compute in fractions, otherwise the same decimals to within a relative error of "
        (format!("{:e}", run.relative_tolerance)) "."
    });
    section.p(times(run));
    let checked: Vec<_> = findings.published("storm").collect();
    if !checked.is_empty() {
        let same = checked.iter().filter(|comparison| comparison.ours.verdict.is_reproduced()).count();
        section.p(html! {
            "Storm’s figures are golden entries: " (same) " of " (checked.len()) " were reproduced for this report, \
             as in every " code { "prodmax check" } "."
        });
    }
    section.table(table(run));
    section.p(findings.z3.summary());
    section.p(findings.slurm.summary());
    Ok(Some(section))
}

/// How long both programs took, and in which run that was measured.
fn times(run: &StormRun) -> Markup {
    let whose = if run.is_recorded { "a recorded run" } else { "this report’s own run" };
    html! {
        @if let Some((least, most)) = extremes(run.cases.iter().map(StormCase::time_ratio)) {
            "Storm took " (format!("{least:.0} to {most:.0}")) " times as long as prodmax, which knows the structure \
             of these trees. "
        }
        "These are figures of " (whose) " with " (run.prodmax)
        @if run.is_recorded { "; " code { "make verify-storm" } " replaces them with your own" }
        "."
    }
}

fn table(run: &StormRun) -> Table {
    let row = |case: &StormCase| {
        let agreement = match (case.agrees, case.exact) {
            (false, _) => "differs",
            (true, true) => "the same fractions",
            (true, false) => "the same decimals",
        };
        vec![
            case.name.as_str().into(),
            case.rules.join(" against ").into(),
            case.arguments.as_str().into(),
            format!("{:.9}", case.prodmax_difference_percent).into(),
            format!("{:.9}", case.storm_difference_percent).into(),
            agreement.into(),
            case.states.to_string().into(),
            format!("{:.3}", case.prodmax_seconds).into(),
            format!("{:.2}", case.storm_seconds).into(),
            format!("{:.0}", case.time_ratio()).into(),
        ]
    };
    Table {
        id: "storm".to_owned(),
        title: "Difference in percent by prodmax and by Storm".to_owned(),
        columns: vec![
            Column::left("model"),
            Column::left("rules"),
            Column::left("arguments"),
            Column::right("prodmax"),
            Column::right("Storm"),
            Column::left("agreement"),
            Column::right("states"),
            Column::right("prodmax s"),
            Column::right("Storm s"),
            Column::right("times as long"),
        ],
        rows: run.cases.iter().map(row).collect(),
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use prodmax_golden::GoldenFile;

    use super::*;

    fn recorded() -> StormRun {
        StormRun::below(std::path::Path::new("nowhere")).unwrap()
    }

    /// The golden file and the recorded run are two copies of Storm's output.
    #[test]
    fn the_recorded_run_and_the_golden_entries_are_the_same_figures() {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/storm.ron");
        let golden = GoldenFile::read(golden.as_ref()).unwrap().golden;
        let published: Vec<&str> = golden.entries.iter().map(|entry| entry.published.text()).collect();
        let recorded = recorded().cases.into_iter().flat_map(|case| match case.exact {
            true => vec![case.storm_first_errs, case.storm_second_errs],
            false => vec![format!("{:.9}", case.storm_difference_percent)],
        });
        assert_eq!(published, recorded.collect::<Vec<_>>());
    }

    #[test]
    fn the_readme_shows_the_recorded_run() {
        let readme =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
        for case in recorded().cases {
            let difference = match case.prodmax_difference_percent {
                0.0 => "0".to_owned(),
                percent => format!("{percent:.9}"),
            };
            let agreement = if case.exact { "the same fraction" } else { "agrees to 1e-8" };
            let seconds = match case.storm_seconds {
                seconds if seconds < 10.0 => format!("{seconds:.1}"),
                seconds => format!("{seconds:.0}"),
            };
            let states = in_thousands(case.states);
            let cells = format!(" | {difference} | {agreement} | {states} | {seconds} s |\n");
            assert!(readme.contains(&cells), "{}:{cells}", case.name);
        }
    }

    /// 2274655 as 2,274,655.
    fn in_thousands(number: u64) -> String {
        match number {
            0..1000 => number.to_string(),
            _ => format!("{},{:03}", in_thousands(number / 1000), number % 1000),
        }
    }

    #[test]
    fn a_disagreement_is_reported() {
        let mut run = recorded();
        assert!(run.is_recorded && run.agreeing() == run.cases.len());
        run.cases[1].agrees = false;
        assert_eq!(run.agreeing(), run.cases.len() - 1);
        let rows = table(&run).rows;
        assert_eq!([&rows[0][5].text, &rows[1][5].text], ["the same decimals", "differs"]);
    }
}
