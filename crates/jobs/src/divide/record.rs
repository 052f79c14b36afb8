//! Kept work inside an answer: what a part holds, as one JSON object, so that printed answers can be merged.

use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::checksum::Checksum;
use crate::part::PartError;

/// Finished units and what they belong to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// everything that the units depend on, in one line
    pub(super) identity: String,
    /// the first of the steps that were asked for, and the one after the last
    steps: [u64; 2],
    /// the finished units: the first step, the number of steps, and what was found
    pub(super) units: Vec<String>,
    /// of all of these
    checksum: String,
}

/// What is wrong with a record that was changed.
pub(super) const DAMAGED: &str = "its record is damaged; compute it again";

/// An answer that carries a record; its other keys do not matter.
#[derive(Deserialize)]
struct Answer {
    record: Record,
}

impl Record {
    /// The longest answer that is read: a million trees of depth 18.
    const MAX_BYTES: u64 = 4 << 30;

    /// A record of these runs of steps and the lines in which findings are written.
    pub fn new(
        identity: String,
        steps: Range<u64>,
        runs: impl IntoIterator<Item = (Range<u64>, String)>,
    ) -> Self {
        let unit =
            |(run, text): (Range<u64>, String)| format!("{} {}", run.start, super::unit_text(&run, &text));
        let units = runs.into_iter().map(unit).collect();
        let mut record = Self { identity, steps: [steps.start, steps.end], units, checksum: String::new() };
        record.checksum = record.sum();
        record
    }

    /// The record in a file that holds an answer as JSON.
    pub(super) fn read(path: &Path) -> Result<Self, PartError> {
        let bytes = crate::read::read(path, Self::MAX_BYTES)?;
        Self::parse(&bytes).map_err(|reason| PartError::NoRecord { path: path.to_owned(), reason })
    }

    /// The record in an answer as JSON, or why there is none.
    pub fn parse(answer: &[u8]) -> Result<Self, String> {
        let Answer { record } = serde_json::from_slice(answer).map_err(|error| error.to_string())?;
        if record.checksum == record.sum() && record.steps[0] <= record.steps[1] {
            Ok(record)
        } else {
            Err(DAMAGED.to_owned())
        }
    }

    /// The steps that were asked for.
    pub(super) fn steps(&self) -> Range<u64> {
        self.steps[0]..self.steps[1]
    }

    fn sum(&self) -> String {
        let begun =
            Checksum::default().part(self.identity.as_bytes()).number(self.steps[0]).number(self.steps[1]);
        self.units.iter().fold(begun, |sum, unit| sum.part(unit.as_bytes())).text()
    }
}
