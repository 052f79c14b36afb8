//! What Z3, a solver by others, was asked about the case analysis of depth 3 and what it found. `make verify-z3`
//! writes it.

use std::path::Path;

use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use crate::error::ReportError;

/// Longer records are not ours.
const MOST_BYTES: u64 = 16 << 20;

/// Where `make verify-z3` writes below a report.
pub const FILE: &str = "data/z3.json";

/// The last run that was recorded, for reports without one of their own.
const RECORDED: &str = include_str!("../../../tests/z3/recorded.json");

/// One run of Z3 over all orders of the leaves in which Minimax prefers M.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Z3Run {
    /// The version of Z3.
    pub z3: String,
    /// The program that was checked.
    pub prodmax: String,
    /// Orders of the leaves, up to the symmetries of the tree.
    pub order_types: usize,
    /// Whether prodmax lists the same ones.
    pub same_order_types: bool,
    /// The orders in which Minimax prefers M: about each Z3 was asked whether Product can prefer P.
    pub asked: usize,
    /// Product can.
    pub satisfiable: usize,
    /// Product cannot.
    pub unsatisfiable: usize,
    /// Z3 gave up.
    pub unknown: usize,
    /// Satisfiable orders for which Z3 gave fractions that plain arithmetic confirmed.
    pub rational_witnesses: usize,
    /// The orders about which the two programs differ.
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

/// An order about which the two programs differ.
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
    /// The run that was written below a report, or else the recorded one.
    pub fn below(out: &Path) -> Result<Self, ReportError> {
        let path = out.join(FILE);
        let failed = |reason: String| ReportError::Z3 { path: path.clone(), reason };
        if path.exists() {
            let text = prodmax_store::read_text(&path, MOST_BYTES)?;
            return Self::read(&text).map_err(failed);
        }
        Ok(Self { is_recorded: true, ..Self::read(RECORDED).map_err(failed)? })
    }

    fn read(text: &str) -> Result<Self, String> {
        let run: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let answers = [run.satisfiable, run.unsatisfiable, run.unknown];
        let sum = answers.iter().try_fold(0_usize, |sum, &count| sum.checked_add(count));
        match sum == Some(run.asked) {
            true => Ok(run),
            false => {
                Err(format!("its answers do not add up to the {} orders that were asked about", run.asked))
            }
        }
    }

    /// Whether both programs found the same.
    pub fn agrees(&self) -> bool {
        self.same_order_types && self.disagreements.is_empty()
    }

    /// The run in a few sentences.
    pub(crate) fn told(&self) -> Markup {
        let seconds = |time: f64| format!("{time:.1} s");
        html! {
            "Z3 " (self.z3) ", a solver by others, was asked about the case analysis of depth 3. Of the " (self.order_types)
            " orders of the leaves, up to symmetry, Minimax prefers M in " (self.asked) "; for each of these Z3 looked for \
             real numbers in this order for which Product prefers P. It found that they exist for " b { (self.satisfiable) }
            ", do not for " b { (self.unsatisfiable) }
            @if self.unknown > 0 { " and did not decide " b { (self.unknown) } }
            "; " (self.rational_witnesses) " times it gave them as fractions that plain arithmetic confirmed. "
            (self.agreement())
            " Z3 took " (seconds(self.z3_seconds)) ", " (seconds(self.slowest_seconds)) " of it for the slowest order, and \
             prodmax " (format!("{:.2} s", self.prodmax_seconds)) ". This is "
            (if self.is_recorded { "a recorded run" } else { "this report’s own run" }) " with " (self.prodmax)
            @if self.is_recorded { "; " code { "make verify-z3" } " replaces it by yours" } "."
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
    fn every_number_of_the_sentences_is_of_the_record() {
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
        let told = run.told().into_string();
        for part in
            ["Z3 9.8.7,", "Of the 61 orders of", "prefers M in 31;", "for <b>17</b>", "do not for <b>14</b>;"]
        {
            assert!(told.contains(part), "{part}: {told}");
        }
        for part in [
            "; 16 times",
            "the same verdict",
            "12.3 s, 5.7 s of it",
            "0.25 s",
            "a recorded run with prodmax &lt;1&gt;;",
        ] {
            assert!(told.contains(part), "{part}: {told}");
        }
        let own = Z3Run { is_recorded: false, ..run }.told().into_string();
        assert!(own.contains("this report’s own run") && !own.contains("make verify-z3"));
    }

    #[test]
    fn a_disagreement_is_told() {
        let different = Disagreement {
            order: "P22 < M11".to_owned(),
            prodmax: "possible".to_owned(),
            z3: "unknown".to_owned(),
        };
        let run = Z3Run { satisfiable: 200, unknown: 1, disagreements: vec![different], ..recorded() };
        assert!(!run.agrees());
        let told = run.told().into_string();
        assert!(told.contains(" and did not decide <b>1</b>;"), "{told}");
        let sentence = "It <b>differs from prodmax</b> in 1, among them P22 &lt; M11: prodmax says possible, Z3 unknown.";
        assert!(told.contains(sentence) && !told.contains("the same verdict"), "{told}");
        let others = Z3Run { same_order_types: false, ..recorded() };
        assert!(!others.agrees() && others.told().0.contains("does not list the same orders"));
    }

    #[test]
    fn a_run_of_its_own_goes_before_the_recorded_one_and_a_damaged_one_gets_a_sentence() {
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
