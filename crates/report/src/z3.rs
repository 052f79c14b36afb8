//! What Z3, an independent solver, was asked about the case analysis of depth 3 and what it found, as written by
//! `make verify-z3`.

use std::path::Path;

use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use crate::error::ReportError;
use crate::record::Source;

/// The file below a report that `make verify-z3` writes.
pub const FILE: &str = "data/z3.json";

const SOURCE: Source =
    Source { target: "verify-z3", file: FILE, recorded: prodmax_data::text("golden/others/z3.json") };

/// One run of Z3 over all orders of the leaves in which Minimax prefers M.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Z3Run {
    /// The version of Z3.
    pub z3: String,
    /// The program that was checked.
    pub prodmax: String,
    /// Orders of the leaves, up to the symmetries of the tree.
    pub order_types: usize,
    /// Whether prodmax lists the same orders.
    pub same_order_types: bool,
    /// The orders in which Minimax prefers M: for each of them Z3 was asked whether Product can prefer P.
    pub asked: usize,
    /// The orders in which Product can.
    pub satisfiable: usize,
    /// The orders in which Product cannot.
    pub unsatisfiable: usize,
    /// The orders that Z3 did not decide.
    pub unknown: usize,
    /// The satisfiable orders for which Z3 gave fractions that plain arithmetic confirmed.
    pub rational_witnesses: usize,
    /// The orders on which the two programs disagree.
    pub disagreements: Vec<Disagreement>,
    /// How long prodmax took, from start to end.
    pub prodmax_seconds: f64,
    /// How long Z3 took for all orders.
    pub z3_seconds: f64,
    /// How long Z3 took for the slowest order.
    pub slowest_seconds: f64,
    /// Whether this is the recorded run and not the report's own.
    #[serde(skip)]
    pub is_recorded: bool,
}

/// An order on which the two programs disagree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disagreement {
    /// The leaves, ascending.
    pub order: String,
    /// What prodmax says.
    pub prodmax: String,
    /// What Z3 says.
    pub z3: String,
}

impl Z3Run {
    /// The run that was written below a report, or otherwise the recorded one.
    pub fn below(out: &Path) -> Result<Self, ReportError> {
        let (run, is_recorded) = SOURCE.read(out, Self::check)?;
        Ok(Self { is_recorded, ..run })
    }

    fn check(&self) -> Result<(), String> {
        let answers = [self.satisfiable, self.unsatisfiable, self.unknown];
        let sum = answers.iter().try_fold(0_usize, |sum, &count| sum.checked_add(count));
        match sum == Some(self.asked) {
            true => Ok(()),
            false => {
                Err(format!("its answers do not add up to the {} orders that were asked about", self.asked))
            }
        }
    }

    /// Whether both programs found the same.
    pub fn agrees(&self) -> bool {
        self.same_order_types && self.disagreements.is_empty()
    }

    /// The run in a few sentences.
    pub(crate) fn summary(&self) -> Markup {
        let seconds = |time: f64| format!("{time:.1} s");
        html! {
            "Z3 " (self.z3) ", an independent solver, was asked about the case analysis of depth 3. Of the "
            (self.order_types)
            " orders of the leaves, up to symmetry, Minimax prefers M in " (self.asked) "; for each of these Z3 looked for \
             real numbers in this order for which Product prefers P. It found that they exist for " b { (self.satisfiable) }
            ", that they do not for " b { (self.unsatisfiable) }
            @if self.unknown > 0 { " and did not decide " b { (self.unknown) } }
            "; " (self.rational_witnesses) " times it gave them as fractions that plain arithmetic confirmed. "
            (self.agreement())
            " Z3 took " (seconds(self.z3_seconds)) ", " (seconds(self.slowest_seconds)) " of it for the slowest order, and \
             prodmax " (format!("{:.2} s", self.prodmax_seconds)) ". This is "
            (if self.is_recorded { "a recorded run" } else { "this report’s own run" }) " with " (self.prodmax)
            @if self.is_recorded { "; " code { "make verify-z3" } " replaces it with your own" } "."
        }
    }

    fn agreement(&self) -> Markup {
        match (&self.disagreements[..], self.same_order_types) {
            ([], true) => html! { "prodmax lists the same orders and gives the same verdict for each." },
            ([], false) => html! { "prodmax " b { "does not list the same orders" } "." },
            ([first, ..], _) => html! {
                "It " b { "differs from prodmax" } " in " (self.disagreements.len()) ", among them " (first.order)
                ": prodmax says " (first.prodmax) ", Z3 " (first.z3) "."
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded() -> Z3Run {
        Z3Run::below(Path::new("nowhere")).unwrap()
    }

    /// 201 and 114 of 315, as the case analysis of depth 3 has them.
    #[test]
    fn the_recorded_run_confirms_the_case_analysis() {
        let run = recorded();
        assert!(run.is_recorded && run.agrees());
        assert_eq!((run.order_types, run.asked, run.unknown), (630, 315, 0));
        assert_eq!((run.satisfiable, run.unsatisfiable), (201, 114));
    }

    #[test]
    fn every_number_in_the_sentences_is_from_the_record() {
        let run = Z3Run {
            z3: "9.8.7".to_owned(),
            prodmax: "prodmax <1>".to_owned(),
            order_types: 61,
            asked: 31,
            satisfiable: 17,
            unsatisfiable: 14,
            rational_witnesses: 16,
            prodmax_seconds: 0.25,
            z3_seconds: 12.34,
            slowest_seconds: 5.67,
            ..recorded()
        };
        let text = run.summary().into_string();
        for part in
            ["Z3 9.8.7,", "Of the 61 orders of", "prefers M in 31;", "for <b>17</b>", "do not for <b>14</b>;"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        for part in [
            "; 16 times",
            "the same verdict",
            "12.3 s, 5.7 s of it",
            "0.25 s",
            "a recorded run with prodmax &lt;1&gt;;",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let own = Z3Run { is_recorded: false, ..run }.summary().into_string();
        assert!(own.contains("this report’s own run") && !own.contains("make verify-z3"));
    }

    #[test]
    fn a_disagreement_is_reported() {
        let different = Disagreement {
            order: "P22 < M11".to_owned(),
            prodmax: "possible".to_owned(),
            z3: "unknown".to_owned(),
        };
        let run = Z3Run { satisfiable: 200, unknown: 1, disagreements: vec![different], ..recorded() };
        assert!(!run.agrees());
        let text = run.summary().into_string();
        assert!(text.contains(" and did not decide <b>1</b>;"), "{text}");
        let sentence = "It <b>differs from prodmax</b> in 1, among them P22 &lt; M11: prodmax says possible, Z3 unknown.";
        assert!(text.contains(sentence) && !text.contains("the same verdict"), "{text}");
        let others = Z3Run { same_order_types: false, ..recorded() };
        assert!(!others.agrees() && others.summary().0.contains("does not list the same orders"));
    }

    #[test]
    fn the_reports_own_run_is_preferred_and_a_damaged_one_is_explained() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let own = Z3Run { z3: "9.8.7".to_owned(), is_recorded: false, ..recorded() };
        std::fs::write(&path, serde_json::to_string(&own).unwrap()).unwrap();
        assert_eq!(Z3Run::below(folder.path()).unwrap(), own);
        let sentence = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Z3Run::below(folder.path()).unwrap_err().to_string()
        };
        let damaged = sentence("{\"z3\": ");
        assert!(damaged.contains("z3.json: is not what `make verify-z3` writes: EOF"), "{damaged}");
        assert!(damaged.ends_with("; run it again or remove the file"), "{damaged}");
        let wrong = sentence(&serde_json::to_string(&Z3Run { unknown: 1, ..own.clone() }).unwrap());
        assert!(wrong.contains("its answers do not add up to the 315 orders"), "{wrong}");
        let huge = serde_json::to_string(&Z3Run { unknown: usize::MAX, ..own }).unwrap();
        assert!(sentence(&huge).contains("do not add up"));
    }
}
