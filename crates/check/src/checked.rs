//! Recomputing golden entries.

use rayon::prelude::*;

use prodmax_golden::{Entry, Finding, Verdict};

use crate::calculator::{Calculator, QuantityError};

/// The minimum number of decimal places with which our values are shown.
const MIN_PLACES: u32 = 6;

/// An entry after recomputation.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The entry as recorded.
    pub entry: Entry,
    /// Our value now.
    pub value: Finding,
    /// The verdict now.
    pub verdict: Verdict,
}

impl Checked {
    /// Recomputes an entry.
    pub fn of(entry: &Entry, calculator: &Calculator<'_>) -> Result<Self, QuantityError> {
        let value = calculator.entry(entry)?;
        let verdict = entry.judge(&value);
        Ok(Self { entry: entry.clone(), value, verdict })
    }

    /// Our value as shown next to the published one: a fraction if that is one, otherwise with a few more digits.
    pub fn shown(&self) -> String {
        let published = &self.entry.published;
        if published.is_fraction() {
            return self.value.recorded();
        }
        self.value.shown(MIN_PLACES.max(published.places() + 2))
    }

    /// Whether our value is the recorded one.
    pub fn value_holds(&self) -> bool {
        self.value.is_recorded_as(&self.entry.ours)
    }

    /// Whether the verdict is the recorded one.
    pub fn verdict_holds(&self) -> bool {
        self.verdict == self.entry.verdict
    }

    /// Whether nothing has changed.
    pub fn holds(&self) -> bool {
        self.value_holds() && self.verdict_holds()
    }

    /// What has changed, if anything.
    pub fn failure(&self) -> Option<String> {
        let mut reasons = Vec::new();
        if !self.value_holds() {
            reasons.push(format!("our value was {} and is {}", self.entry.ours, self.value.recorded()));
        }
        if !self.verdict_holds() {
            reasons.push(format!("the verdict was {} and is {}", self.entry.verdict, self.verdict));
        }
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

/// Recomputes entries in parallel; the results are in the order of the entries.
pub fn check<'a>(
    entries: impl IntoIterator<Item = &'a Entry>,
    calculator: &Calculator<'_>,
) -> Result<Vec<Checked>, (String, Box<QuantityError>)> {
    let entries: Vec<&Entry> = entries.into_iter().collect();
    calculator
        .prepare(entries.iter().copied())
        .map_err(|error| ("of a simulation or match".to_owned(), error.into()))?;
    let one =
        |entry: &&Entry| Checked::of(entry, calculator).map_err(|error| (entry.id.clone(), error.into()));
    entries.par_iter().map(one).collect()
}
