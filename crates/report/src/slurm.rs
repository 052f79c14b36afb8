//! Work in shards on a real Slurm cluster whose tasks were cancelled and killed, as written by `make verify-slurm`.

use std::path::Path;

use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use crate::error::ReportError;
use crate::html::join;
use crate::record::Source;
use crate::words::out_of;

/// The file below a report that `make verify-slurm` writes.
pub const FILE: &str = "data/slurm.json";

const SOURCE: Source =
    Source { target: "verify-slurm", file: FILE, recorded: prodmax_data::text("golden/others/slurm.json") };

/// One run over several commands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlurmRun {
    /// The version of Slurm.
    pub slurm: String,
    /// The program whose work was divided.
    pub prodmax: String,
    /// The node daemons of the cluster.
    pub nodes: usize,
    /// The commands.
    pub cases: Vec<SlurmCase>,
    /// Whether this is the recorded run and not the report's own.
    #[serde(skip)]
    pub is_recorded: bool,
}

/// One command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlurmCase {
    /// The name that readers see.
    pub name: String,
    /// The command of prodmax.
    pub command: String,
    /// The tasks of the job array, which are the shards.
    pub tasks: usize,
    /// What happened to some of them.
    pub disturbed: Vec<Disturbance>,
    /// Whether Slurm dropped the merge because of that, so that array and merge were submitted once more.
    pub submitted_again: bool,
    /// The length of the figures that a single machine prints.
    pub bytes: u64,
    /// Whether the merged figures were these very bytes.
    pub same_bytes: bool,
    /// How long the command took on one thread.
    pub single_seconds: f64,
    /// How long array and merge took, queues and restarts included.
    pub slurm_seconds: f64,
}

/// What happened to a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disturbance {
    /// The task.
    pub task: u32,
    /// How it was stopped.
    pub how: String,
    /// The units of work that it had finished then.
    pub units_before: u64,
    /// All its units of work.
    pub units: u64,
    /// Whether it went on from there when it was queued again.
    pub went_on: bool,
}

impl SlurmCase {
    /// Whether the figures are those of one machine, and no task began from scratch.
    fn holds(&self) -> bool {
        self.same_bytes && self.disturbed.iter().all(|task| task.went_on)
    }
}

impl SlurmRun {
    /// The run that was written below a report, or otherwise the recorded one.
    pub fn below(out: &Path) -> Result<Self, ReportError> {
        let (run, is_recorded) = SOURCE.read(out, |_: &Self| Ok(()))?;
        Ok(Self { is_recorded, ..run })
    }

    /// The number of commands that behaved as expected.
    pub fn holding(&self) -> usize {
        self.cases.iter().filter(|case| case.holds()).count()
    }

    /// How tasks were stopped, and how many in each way.
    fn ways(&self) -> Vec<(&str, usize)> {
        let mut ways: Vec<(&str, usize)> = Vec::new();
        for task in self.cases.iter().flat_map(|case| &case.disturbed) {
            match ways.iter_mut().find(|(how, _)| *how == task.how) {
                Some((_, count)) => *count += 1,
                None => ways.push((&task.how, 1)),
            }
        }
        ways
    }

    /// The run in a few sentences.
    pub(crate) fn summary(&self) -> Markup {
        let same = self.cases.iter().filter(|case| case.same_bytes).count();
        let stopped = || self.cases.iter().flat_map(|case| &case.disturbed);
        let went_on = stopped().filter(|task| task.went_on).count();
        let ways: Vec<Markup> =
            self.ways().into_iter().map(|(how, count)| html! { (count) " by " code { (how) } }).collect();
        html! {
            "Work divided into shards was tried on Slurm " (self.slurm) " with " (self.nodes) " node daemons: job arrays and \
             merges submitted by " code { "prodmax slurm" } ". "
            @if ways.is_empty() { "No task was stopped. " }
            @else { "Tasks were stopped while they worked, " (join(&ways, ", ")) ", and queued again. " }
            b { (same) " of " (self.cases.len()) } " commands gave the bytes that one machine prints"
            @if !ways.is_empty() {
                "; of the stopped tasks " (out_of(went_on, stopped().count())) " resumed where they had stopped"
            }
            ". "
            @for case in &self.cases { (case.sentence()) " " }
            "This is " (if self.is_recorded { "a recorded run" } else { "this report’s own run" }) " with " (self.prodmax)
            @if self.is_recorded { "; " code { "make verify-slurm" } " replaces it with your own" } "."
        }
    }
}

impl SlurmCase {
    fn sentence(&self) -> Markup {
        html! {
            code { "prodmax " (self.command) } " (" (self.tasks) " tasks): "
            @for (place, task) in self.disturbed.iter().enumerate() {
                @if place > 0 { ", " }
                "task " (task.task) " was stopped by " code { (task.how) } " after " (task.units_before) " of its "
                (task.units) " units of work"
                @if !task.went_on { " and " b { "began from scratch" } }
            }
            @if !self.disturbed.is_empty() { "; " }
            @if self.same_bytes { "the same " (self.bytes) " bytes" } @else { b { "other figures" } }
            @if self.submitted_again { ", after array and merge had been submitted once more" }
            "."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded() -> SlurmRun {
        SlurmRun::below(Path::new("nowhere")).unwrap()
    }

    /// What the record must hold to count: arrays of six, a cancelled and a killed task in each, depth 4 and a simulation.
    #[test]
    fn the_recorded_run_confirms_that_stopped_tasks_change_nothing() {
        let run = recorded();
        assert!(run.is_recorded);
        assert_eq!((run.nodes, run.cases.len(), run.holding()), (3, 2, 2));
        assert!(run.cases[0].command.contains("6,6,6,6") && run.cases[1].command.starts_with("simulate "));
        for case in &run.cases {
            assert_eq!(case.tasks, 6);
            let how: Vec<&str> = case.disturbed.iter().map(|task| task.how.as_str()).collect();
            assert_eq!(how, ["scancel", "kill -9"]);
            for task in &case.disturbed {
                assert!((1..task.units).contains(&task.units_before), "{task:?}");
            }
        }
    }

    #[test]
    fn every_number_in_the_sentences_is_from_the_record() {
        let stopped =
            Disturbance { task: 41, how: "a <shove>".to_owned(), units_before: 17, units: 23, went_on: true };
        let case = SlurmCase {
            command: "mass --root 9".to_owned(),
            tasks: 61,
            disturbed: vec![stopped],
            submitted_again: false,
            bytes: 777,
            ..recorded().cases.swap_remove(0)
        };
        let run = SlurmRun {
            slurm: "9.8".to_owned(),
            prodmax: "prodmax 7".to_owned(),
            nodes: 5,
            cases: vec![case],
            is_recorded: false,
        };
        let text = run.summary().into_string();
        for part in [
            "Slurm 9.8 with 5 node daemons",
            "while they worked, 1 by <code>a &lt;shove&gt;</code>, and queued again",
            "of the stopped tasks all 1 resumed",
            "<b>1 of 1</b>",
            "<code>prodmax mass --root 9</code> (61 tasks)",
            "task 41 was stopped by <code>a &lt;shove&gt;</code> after 17 of its 23 units",
            "the same 777 bytes.",
            "this report’s own run with prodmax 7.",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn other_bytes_and_lost_work_are_reported() {
        let mut run = recorded();
        run.cases[0].same_bytes = false;
        run.cases[1].disturbed[0].went_on = false;
        run.cases[1].submitted_again = true;
        assert_eq!(run.holding(), 0);
        let text = run.summary().into_string();
        assert!(text.contains("<b>1 of 2</b>") && text.contains("<b>other figures</b>"), "{text}");
        assert!(text.contains("of the stopped tasks 3 of 4 resumed where they had stopped. "), "{text}");
        assert!(
            recorded().summary().0.contains("of the stopped tasks all 4 resumed where they had stopped. ")
        );
        assert!(text.contains("<b>began from scratch</b>") && text.contains("submitted once more"), "{text}");
        run.cases.iter_mut().for_each(|case| case.disturbed.clear());
        let text = run.summary().into_string();
        assert!(text.contains("No task was stopped. ") && !text.contains("resumed where"), "{text}");
    }

    #[test]
    fn the_reports_own_run_is_preferred_and_a_damaged_one_is_explained() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let own = SlurmRun { slurm: "9.8".to_owned(), is_recorded: false, ..recorded() };
        std::fs::write(&path, serde_json::to_string(&own).unwrap()).unwrap();
        assert_eq!(SlurmRun::below(folder.path()).unwrap(), own);
        std::fs::write(&path, "[]").unwrap();
        let damaged = SlurmRun::below(folder.path()).unwrap_err().to_string();
        assert!(damaged.contains("slurm.json: is not what `make verify-slurm` writes: "), "{damaged}");
    }
}
