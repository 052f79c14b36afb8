//! Recomputing golden entries.

use rayon::prelude::*;

use crate::file::Entry;
use crate::quantity::{Calculator, QuantityError};
use crate::value::Value;
use crate::verdict::Verdict;

/// What became of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The entry as recorded.
    pub entry: Entry,
    /// Our value now.
    pub value: Value,
    /// The verdict now.
    pub verdict: Verdict,
}

impl Checked {
    /// Computes an entry anew.
    pub fn of(entry: &Entry, calculator: &Calculator<'_>) -> Result<Self, QuantityError> {
        let value = calculator.compute(&entry.quantity, &entry.reading)?;
        let verdict = Verdict::of(&entry.published, &value, entry.quantity.is_signed());
        Ok(Self { entry: entry.clone(), value, verdict })
    }

    /// Whether our value is the recorded one.
    pub fn value_holds(&self) -> bool {
        self.value.is_recorded_as(&self.entry.ours)
    }

    /// Whether the verdict is the recorded one.
    pub fn verdict_holds(&self) -> bool {
        self.verdict == self.entry.verdict
    }

    /// Whether nothing has moved.
    pub fn holds(&self) -> bool {
        self.value_holds() && self.verdict_holds()
    }
}

/// Computes entries anew, in parallel; in the order of the entries.
pub fn check<'a>(
    entries: impl IntoIterator<Item = &'a Entry>,
    calculator: &Calculator<'_>,
) -> Result<Vec<Checked>, (String, QuantityError)> {
    let entries: Vec<&Entry> = entries.into_iter().collect();
    let one = |entry: &&Entry| Checked::of(entry, calculator).map_err(|error| (entry.id.clone(), error));
    entries.par_iter().map(one).collect()
}
