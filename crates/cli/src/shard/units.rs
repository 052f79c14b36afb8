//! Units of work that are computed one by one: trees, games, readings. (Deep sweeps divide their blocks themselves.)

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use prodmax_jobs::Part;
use rayon::prelude::*;

use crate::error::Error;
use crate::long_run::Meter;

/// Work that consists of units numbered from 0.
pub(crate) struct Units<'a> {
    /// Everything that the units depend on, in one line.
    pub(crate) identity: String,
    /// What a unit is called, for several of them.
    pub(crate) name: &'static str,
    /// The units of the shard.
    pub(crate) own: Vec<u64>,
    /// The flag that asks the work to stop.
    pub(crate) interrupt: &'a AtomicBool,
}

impl Units<'_> {
    /// Computes the units that the part lacks, on all threads, and keeps each as soon as it is finished. `is_whole`
    /// says whether a kept unit is valid; `compute` returns the text of a unit, or `None` if it was interrupted.
    pub(crate) fn compute(
        &self,
        part: &Part,
        meter: &Meter,
        is_whole: impl Fn(u64, &str) -> bool,
        compute: impl Fn(u64) -> Result<Option<String>, Error> + Sync,
    ) -> Result<(), Error> {
        let mut kept = Vec::new();
        let section = part.section(&self.identity, &mut |unit, text| {
            kept.push(unit);
            self.own.binary_search(&unit).is_ok() && is_whole(unit, text)
        })?;
        kept.sort_unstable();
        let missing: Vec<u64> =
            self.own.iter().copied().filter(|unit| kept.binary_search(unit).is_err()).collect();
        let all = self.own.len() as u64;
        let done = AtomicU64::new(all - missing.len() as u64);
        missing.par_iter().with_max_len(1).try_for_each(|&unit| -> Result<(), Error> {
            if self.interrupt.load(Ordering::Relaxed) {
                return Ok(());
            }
            if let Some(text) = compute(unit)? {
                section.append(unit, &text)?;
                meter.show(done.fetch_add(1, Ordering::Relaxed) + 1, all);
            }
            Ok(())
        })?;
        let done = done.into_inner();
        if done == all { Ok(()) } else { Err(Error::ShardInterrupted { done, all, name: self.name }) }
    }
}

/// Costs of units in whole numbers, from their times: only their ratios matter.
pub(crate) fn costs(seconds: &[f64]) -> Vec<u64> {
    let longest = seconds.iter().copied().fold(0.0, f64::max);
    let scale = if longest > 0.0 { 1e9 / longest } else { 0.0 };
    seconds.iter().map(|seconds| ((seconds * scale) as u64).max(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_have_the_ratios_of_times() {
        assert_eq!(costs(&[0.5, 2.0, 0.0]), [250_000_000, 1_000_000_000, 1]);
        assert_eq!(costs(&[0.0, 0.0]), [1, 1]);
        assert!(costs(&[]).is_empty());
    }
}
