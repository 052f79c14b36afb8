//! What to compute for each model of an experiment.

use prodmax_jobs::Cost;
use prodmax_mass::Curve;
use prodmax_rules::RuleList;
use serde::{Deserialize, Serialize};

/// What to compute for each model of an experiment, beyond counting its trees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The curve of the true values, w_4 in KHS's Table II.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<Curve>,
    /// The curve of the heuristic estimate, w_1 in KHS's Table II.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Curve>,
    /// Several estimates; contests are held with each in turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub estimates: Vec<Curve>,
    /// Several truths, for the task [`Task::Truths`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub truths: Vec<Curve>,
    /// The rules, Minimax and Product by default. Errors are measured for the first two, contests held between all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<RuleList>,
    /// How long the experiment takes.
    pub cost: Cost,
    /// What `prodmax reproduce` computes; by default, sizes and error masses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub run: Vec<Task>,
}

impl Settings {
    /// Whether a task is to be run.
    pub fn asks_for(&self, task: Task) -> bool {
        let default = [Task::Enumerate, Task::Mass];
        if self.run.is_empty() { default.contains(&task) } else { self.run.contains(&task) }
    }
}

/// What `prodmax reproduce` can compute for an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// How many trees, kinds and classes each model has.
    Enumerate,
    /// The error masses of both rules.
    Mass,
    /// Every rule against every other, and the quality of each.
    Contest,
    /// The quality of every rule and the difference of the first two, for every one of several truths.
    Truths,
    /// The error rates at which the rules are equally good.
    Crossover,
    /// The case analysis of depth 2 with Table I and formulas (5) to (7); needs no models.
    Table1,
    /// The case analysis of depth 3; needs no models.
    Depth3Cases,
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use prodmax_jobs::{RonError, ron_file};

    use crate::Experiment;

    const VALID: &str = prodmax_data::text("specs/table2.ron");

    fn parse(bytes: &[u8]) -> Result<Experiment, RonError> {
        ron_file::parse_bytes(bytes, Path::new("spec.ron"))
    }

    /// Any error must begin with the name of the file.
    fn check(bytes: &[u8]) -> Result<(), TestCaseError> {
        if let Err(error) = parse(bytes) {
            let message = error.to_string();
            prop_assert!(message.starts_with("spec.ron:"), "{}", message);
        }
        Ok(())
    }

    #[test]
    fn a_spec_survives_writing_and_reading() {
        let spec = parse(VALID.as_bytes()).unwrap();
        assert_eq!(spec.models().count(), 42);
        let written = ron::to_string(&spec).unwrap();
        assert_eq!(parse(written.as_bytes()).unwrap(), spec);
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            check(&bytes)?;
        }

        #[test]
        fn random_text_never_panics(text in "[ -~\n()\\[\\]:,\"0-9a-z]{0,200}") {
            check(text.as_bytes())?;
        }

        #[test]
        fn a_valid_spec_with_bytes_replaced_never_panics(
            edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        ) {
            let mut bytes = VALID.as_bytes().to_vec();
            for (place, byte) in edits {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            check(&bytes)?;
        }

        #[test]
        fn a_valid_spec_with_pieces_cut_and_moved_never_panics(
            cuts in prop::collection::vec(any::<[prop::sample::Index; 3]>(), 1..4),
            number in any::<i64>(),
        ) {
            let mut bytes = VALID.as_bytes().to_vec();
            for [a, b, to] in cuts {
                let (a, b) = (a.index(bytes.len() + 1), b.index(bytes.len() + 1));
                let piece: Vec<u8> = bytes.drain(a.min(b)..a.max(b)).collect();
                let to = to.index(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            let text = String::from_utf8_lossy(&bytes).replacen("-4", &number.to_string(), 1);
            check(text.as_bytes())?;
        }
    }
}
