//! The whole computation: preparation, workers, result.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use prodmax_enumerate::{ClassTable, Model};

use super::block::Worker;
use super::bound::Bound;
use super::checkpoint::{Checkpoint, checksum};
use super::combine::combine;
use super::items::{self, Items};
use super::memory::Memory;
use super::partition::{Block, Pairs};
use super::running::BlockSums;
use super::weight::Weight;
use super::{DeepError, DeepMass, Options};
use crate::critical::MassError;
use crate::curve::CurveTable;
use crate::order::{Comparisons, ProductOrder};

/// The critical trees of a model of depth 2 or more, and their error masses.
pub fn mass(
    model: &Model,
    truth: &CurveTable,
    estimate: &CurveTable,
    options: &Options<'_>,
) -> Result<DeepMass, DeepError> {
    if model.depth() < 2 {
        return Err(DeepError::TooShallow);
    }
    let h_max = model.line().h_max();
    if let Some(other) = [truth, estimate].iter().find(|curve| curve.h_max() != h_max) {
        return Err(DeepError::OtherLine { curve: other.h_max(), model: h_max });
    }
    let table = ClassTable::build(model)?;
    let total = items::total(&table)?;
    if f64::fits(total) {
        sweep::<f64>(&table, total, truth, estimate, options)
    } else if u64::fits(total) {
        sweep::<u64>(&table, total, truth, estimate, options)
    } else {
        sweep::<u128>(&table, total, truth, estimate, options)
    }
}

/// With multiplicities in the type `W`, which fits the total.
fn sweep<W: Weight>(
    table: &ClassTable,
    total: u128,
    truth: &CurveTable,
    estimate: &CurveTable,
    options: &Options<'_>,
) -> Result<DeepMass, DeepError> {
    let memory = Memory { given: options.memory_bytes };
    let model = table.model();
    let order = ProductOrder::new(table, estimate);
    let mut comparisons = Comparisons::default();
    let items = Items::<W>::new(table, &order, truth, memory, &mut comparisons)?;
    refuse_unresolved(&comparisons)?;

    let most = memory.block_pairs::<W>(options);
    let blocks = Pairs { value: &items.value, error: order.error() }.partition(most);
    let workers = memory.workers(&items, &blocks)?;
    let results: Vec<OnceLock<BlockSums>> = blocks.iter().map(|_| OnceLock::new()).collect();
    let mut checkpoint = None;
    if let Some(path) = options.checkpoint {
        let identity = identity(model, truth, estimate, most, &blocks);
        let (file, done) = Checkpoint::open(path, &identity, blocks.len(), items.levels)?;
        for (number, sums) in done {
            // A block that is there twice is there twice the same.
            let _ = results[number].set(sums);
        }
        checkpoint = Some(file);
    }
    let resumed = results.iter().filter(|result| result.get().is_some()).count() as u64;
    let jobs = Jobs {
        items: &items,
        order: &order,
        blocks: &blocks,
        results: &results,
        checkpoint: checkpoint.as_ref(),
        options,
        next: AtomicUsize::new(0),
        done: AtomicU64::new(resumed),
        stop: AtomicBool::new(false),
        error: Mutex::new(None),
    };
    rayon::scope(|scope| (0..workers).for_each(|_| scope.spawn(|_| jobs.work())));
    if let Some(error) = jobs.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let finished: Vec<&BlockSums> = results.iter().filter_map(OnceLock::get).collect();
    let (done, blocks) = (finished.len() as u64, blocks.len() as u64);
    if done < blocks {
        return Err(DeepError::Interrupted { done, blocks });
    }
    let bound = Bound { depth: model.depth(), node_values: items.node_values, levels: items.levels };
    let combined = combine(items.levels, finished, &bound);
    refuse_unresolved(&combined.comparisons)?;
    let counts = combined.counts;
    let (found, expected) = (counts.critical + counts.agreeing + counts.tied, total * total);
    if found != expected {
        return Err(DeepError::Inconsistent { found, expected });
    }
    comparisons.merge(&combined.comparisons);
    Ok(DeepMass {
        counts,
        mass: combined.mass,
        bound: combined.bound,
        comparisons,
        classes: table.top().len(),
        items: items.len(),
        pairs: combined.pairs,
        blocks,
        resumed,
    })
}

fn refuse_unresolved(comparisons: &Comparisons) -> Result<(), DeepError> {
    match comparisons.unresolved {
        0 => Ok(()),
        unresolved => Err(MassError::Unresolved(unresolved).into()),
    }
}

/// What a checkpoint is for: everything that a block's sums depend on.
fn identity(model: &Model, truth: &CurveTable, estimate: &CurveTable, most: u64, blocks: &[Block]) -> String {
    let line = model.line();
    let increments: Vec<String> = model.increments().iter().map(ToString::to_string).collect();
    let mut bounds = String::new();
    for block in blocks {
        // Writing to a string cannot fail.
        let _ = write!(bounds, "{:016x} {} ", block.high.to_bits(), block.pairs);
    }
    format!(
        "root={} increments={} zero={} h_max={} truth={} estimate={} block_pairs={most} blocks={} partition={:016x}",
        model.root(),
        increments.join(","),
        line.zero(),
        line.h_max(),
        truth.curve(),
        estimate.curve(),
        blocks.len(),
        checksum(0, &bounds),
    )
}

/// The blocks to sweep, shared by the workers.
struct Jobs<'a, W> {
    items: &'a Items<W>,
    order: &'a ProductOrder<'a>,
    blocks: &'a [Block],
    results: &'a [OnceLock<BlockSums>],
    checkpoint: Option<&'a Checkpoint>,
    options: &'a Options<'a>,
    next: AtomicUsize,
    done: AtomicU64,
    stop: AtomicBool,
    error: Mutex<Option<DeepError>>,
}

impl<W: Weight> Jobs<'_, W> {
    /// Takes blocks until there are no more.
    fn work(&self) {
        let mut worker = Worker::new(self.items, self.order);
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(block) = self.blocks.get(number) else { return };
            if self.results[number].get().is_some() {
                continue;
            }
            if self.options.interrupt.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed) {
                return;
            }
            let sums = worker.run(block);
            if let Some(Err(error)) = self.checkpoint.map(|file| file.append(number, &sums)) {
                self.stop.store(true, Ordering::Relaxed);
                *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.into());
                return;
            }
            let _ = self.results[number].set(sums);
            let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            (self.options.progress)(done, self.blocks.len() as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::Zero;

    use super::*;
    use crate::curve::Curve;

    #[test]
    fn a_comparison_that_is_not_settled_is_refused() {
        let comparisons = |unresolved| Comparisons { total: 9, escalated: 5, unresolved };
        assert!(refuse_unresolved(&comparisons(0)).is_ok());
        assert!(matches!(refuse_unresolved(&comparisons(2)), Err(DeepError::Mass(MassError::Unresolved(2)))));
    }

    #[test]
    fn wide_multiplicities_give_the_same_sums() {
        let (truth, estimate) =
            (CurveTable::new(Curve::arctan(4), 42), CurveTable::new(Curve::arctan(1), 42));
        let model = Model::new(-1, &[2, 3, 2], Zero::Skip, 42).unwrap();
        let table = ClassTable::build(&model).unwrap();
        let total = items::total(&table).unwrap();
        let options = Options {
            memory_bytes: 1 << 20,
            block_pairs: Some(20),
            checkpoint: None,
            interrupt: &AtomicBool::new(false),
            progress: &|_, _| {},
        };
        let narrow = sweep::<f64>(&table, total, &truth, &estimate, &options).unwrap();
        assert_eq!(narrow, sweep::<u64>(&table, total, &truth, &estimate, &options).unwrap());
        assert_eq!(narrow, sweep::<u128>(&table, total, &truth, &estimate, &options).unwrap());
        assert!(narrow.blocks > 5);
    }
}
