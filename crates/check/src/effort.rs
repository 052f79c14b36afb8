//! An estimate of the memory and time that recomputing golden entries takes.

use hashbrown::HashSet;
use prodmax_golden::{Entry, Quantity};
use prodmax_jobs::Effort;
use prodmax_mass::effort::{MeasureWork, NumberCost, in_memory_or_blocks};
use prodmax_mass::law;

/// Bytes for the blocks of a deep model, see [`prodmax_mass::deep::Options::new`].
const BLOCK_BYTES: u64 = 1 << 30;

/// What solving an empty Connect-Four board of 7 x 6 takes: its table, and the measured time of one thread.
const LARGE_BOARD: Effort = Effort { bytes: 1e9, seconds: 220.0 };

/// The effort of [`crate::check()`] on this many threads. Every model is measured once; entries without a model
/// (simulations, readings, formulas) take some seconds altogether.
pub fn effort<'a>(entries: impl IntoIterator<Item = &'a Entry>, threads: usize) -> Effort {
    let entries: Vec<&Entry> = entries.into_iter().collect();
    let laws = laws(&entries, threads);
    let mut seen = HashSet::new();
    let models = entries.iter().filter_map(|entry| entry.quantity.model());
    let fresh = models.filter(|model| seen.insert(format!("{model:?}")));
    let work = MeasureWork { rankings: 3, contests: 2, numbers: NumberCost::Enclosures };
    let models = fresh.map(|model| in_memory_or_blocks(model, &work, 1, BLOCK_BYTES, threads));
    let boards = entries.iter().filter_map(|entry| match entry.quantity {
        Quantity::Connect4Value { columns, rows, .. } if columns * rows > 30 => Some(LARGE_BOARD),
        _ => None,
    });
    Effort::in_parallel(models, threads).then(laws).then(Effort::in_parallel(boards, threads))
}

/// Laws of values; each is computed once on each grid, on all threads.
fn laws(entries: &[&Entry], threads: usize) -> Effort {
    let mut seen = HashSet::new();
    let laws = entries.iter().filter_map(|entry| entry.quantity.law());
    let fresh = laws.filter(|law| seen.insert(format!("{law:?}")));
    let efforts = fresh.map(|(model, grid, times)| {
        let once = law::effort(model, grid, threads);
        Effort { seconds: once.seconds * f64::from(times), ..once }
    });
    efforts.fold(Effort::NONE, Effort::then)
}
