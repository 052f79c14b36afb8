//! The whole computation: preparation, workers, result.

use std::fmt::Write as _;
use std::str::SplitAsciiWhitespace;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use num_bigint::BigUint;
use prodmax_enumerate::{ClassTable, Model};
use prodmax_rules::minimax::Minimax;
use prodmax_rules::product::Product;

use super::block::Worker;
use super::bound::Bound;
use super::combine::combine;
use super::items::{self, Items};
use super::joint::{Joint, WithJoint, with_joint};
use super::kept::{MAGIC, format_block, parse_block};
use super::memory::Memory;
use super::partition::{Block, Pairs};
use super::running::BlockSums;
use super::weight::Weight;
use super::{DeepError, DeepMass, Options, check_model, check_rules};
use crate::checkpoint::{Checkpoint, checksum};
use crate::contestant::Contestant;
use crate::critical::MassError;
use crate::curve::CurveTable;
use crate::ranking::{Comparisons, RuleOrder};

/// The critical trees of a model of depth 2 or more, in which Minimax (the first rule) and another rule choose
/// differently, and their error masses.
pub fn mass(
    model: &Model,
    truth: &CurveTable,
    second: &Contestant<'_>,
    options: &Options<'_>,
) -> Result<DeepMass, DeepError> {
    check_model(model)?;
    let shape = check_rules([&Minimax.into(), second.rule()])?;
    if model.depth() < 2 {
        return Err(DeepError::TooShallow);
    }
    let h_max = model.line().h_max();
    if let Some(other) = std::iter::once(truth).chain(second.curve()).find(|curve| curve.h_max() != h_max) {
        return Err(DeepError::OtherLine { curve: other.h_max(), model: h_max });
    }
    let table = ClassTable::build(model)?;
    let order = RuleOrder::new(&table, second);
    let total = items::total(&table)?;
    let job = Job { table: &table, total, truth, second, order: &order, options };
    with_joint(shape, model.depth(), order.top(), job)
}

/// What to sweep.
#[derive(Clone, Copy)]
struct Job<'a> {
    table: &'a ClassTable,
    total: u128,
    truth: &'a CurveTable,
    second: &'a Contestant<'a>,
    order: &'a RuleOrder<'a>,
    options: &'a Options<'a>,
}

impl WithJoint for Job<'_> {
    type Output = Result<DeepMass, DeepError>;

    fn run<J: Joint>(self, joint: J) -> Result<DeepMass, DeepError> {
        if f64::fits(self.total) {
            self.sweep::<f64, J>(joint)
        } else if u64::fits(self.total) {
            self.sweep::<u64, J>(joint)
        } else {
            self.sweep::<u128, J>(joint)
        }
    }
}

impl Job<'_> {
    /// Sweeps with multiplicities in the type `W`, which fits the total.
    fn sweep<W: Weight, J: Joint>(self, joint: J) -> Result<DeepMass, DeepError> {
        let Job { table, total, truth, second, order, options } = self;
        let memory = Memory { given: options.memory_bytes };
        let model = table.model();
        let mut comparisons = Comparisons::default();
        let items = Items::<W>::new(table, order, joint, truth, memory, &mut comparisons)?;
        refuse_unresolved(second, &comparisons)?;

        let most = memory.block_pairs::<W>(options);
        let blocks = Pairs { value: &items.value, joint }.partition(most);
        let workers = memory.workers(&items, &blocks)?;
        let results: Vec<OnceLock<BlockSums>> = blocks.iter().map(|_| OnceLock::new()).collect();
        let mut checkpoint = None;
        if let Some(path) = options.checkpoint {
            let identity = identity(model, truth, second, most, &blocks);
            let parse = |words: SplitAsciiWhitespace<'_>| parse_block(words, blocks.len(), items.ranks);
            let (file, done) = Checkpoint::open(path, MAGIC, &identity, parse)?;
            for (number, sums) in done {
                // If a block occurs twice, it is the same both times.
                let _ = results[number].set(sums);
            }
            checkpoint = Some(file);
        }
        let resumed = results.iter().filter(|result| result.get().is_some()).count() as u64;
        let jobs = Jobs {
            items: &items,
            order,
            joint,
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
        let bound = Bound { depth: model.depth(), node_values: items.node_values, levels: items.ranks };
        let combined = combine(items.ranks, finished, &bound);
        refuse_unresolved(second, &combined.comparisons)?;
        let counts = combined.counts;
        let (found, expected) = (counts.trees(), BigUint::from(total * total));
        if found != expected {
            return Err(DeepError::Inconsistent { found, expected });
        }
        comparisons.merge(&combined.comparisons);
        Ok(DeepMass {
            counts,
            mass: combined.mass,
            bound: combined.bound,
            won: combined.won,
            comparisons,
            classes: table.top().len(),
            items: items.len(),
            pairs: combined.pairs,
            blocks,
            resumed,
        })
    }
}

fn refuse_unresolved(second: &Contestant<'_>, comparisons: &Comparisons) -> Result<(), DeepError> {
    match comparisons.unresolved {
        0 => Ok(()),
        comparisons => Err(MassError::Unresolved { rule: second.rule().to_string(), comparisons }.into()),
    }
}

/// The identity of a checkpoint: everything that a block's sums depend on.
fn identity(
    model: &Model,
    truth: &CurveTable,
    second: &Contestant<'_>,
    most: u64,
    blocks: &[Block],
) -> String {
    let line = model.line();
    // The second rule is named unless it is Product, so that files of earlier versions can still be read.
    let rule =
        if *second.rule() == Product.into() { String::new() } else { format!(" rule={}", second.rule()) };
    let estimate = second.curve().map_or_else(String::new, |curve| curve.curve().to_string());
    let increments: Vec<String> = model.increments().iter().map(ToString::to_string).collect();
    let mut bounds = String::new();
    for block in blocks {
        // Writing to a string cannot fail.
        let _ = write!(bounds, "{:016x} {} ", block.high.to_bits(), block.pairs);
    }
    format!(
        "root={} increments={} zero={} h_max={} truth={} estimate={estimate}{rule} block_pairs={most} blocks={} partition={:016x}",
        model.root(),
        increments.join(","),
        line.zero(),
        line.h_max(),
        truth.curve(),
        blocks.len(),
        checksum(0, &bounds),
    )
}

/// The blocks to sweep, shared by the workers.
struct Jobs<'a, W, J> {
    items: &'a Items<W>,
    order: &'a RuleOrder<'a>,
    joint: J,
    blocks: &'a [Block],
    results: &'a [OnceLock<BlockSums>],
    checkpoint: Option<&'a Checkpoint>,
    options: &'a Options<'a>,
    next: AtomicUsize,
    done: AtomicU64,
    stop: AtomicBool,
    error: Mutex<Option<DeepError>>,
}

impl<W: Weight, J: Joint> Jobs<'_, W, J> {
    /// Takes blocks until none are left.
    fn work(&self) {
        let mut worker = Worker::new(self.items, self.order, self.joint);
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
            if let Some(Err(error)) = self.checkpoint.map(|file| file.append(&format_block(number, &sums))) {
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
    use prodmax_enumerate::ZeroMode;

    use super::*;
    use crate::curve::Curve;
    use crate::deep::joint::Products;

    #[test]
    fn a_comparison_that_is_not_settled_is_refused() {
        let comparisons = |unresolved| Comparisons { total: 9, escalated: 5, unresolved };
        let curve = CurveTable::new(Curve::arctan(1), 42);
        let product = Contestant::through(Product.into(), &curve);
        assert!(refuse_unresolved(&product, &comparisons(0)).is_ok());
        let refusal = refuse_unresolved(&product, &comparisons(2)).unwrap_err().to_string();
        assert!(refusal.starts_with("2 comparisons of product values stay unresolved"), "{refusal}");
    }

    #[test]
    fn wide_multiplicities_give_the_same_sums() {
        let (truth, estimate) =
            (CurveTable::new(Curve::arctan(4), 42), CurveTable::new(Curve::arctan(1), 42));
        let model = Model::new(-1, &[2, 3, 2], ZeroMode::Skip, 42).unwrap();
        let table = ClassTable::build(&model).unwrap();
        let total = items::total(&table).unwrap();
        let options = Options {
            memory_bytes: 1 << 20,
            block_pairs: Some(20),
            checkpoint: None,
            interrupt: &AtomicBool::new(false),
            progress: &|_, _| {},
        };
        let second = Contestant::through(Product.into(), &estimate);
        let order = RuleOrder::new(&table, &second);
        let job =
            Job { table: &table, total, truth: &truth, second: &second, order: &order, options: &options };
        let joint = Products::new(3);
        let narrow = job.sweep::<f64, _>(joint).unwrap();
        assert_eq!(narrow, job.sweep::<u64, _>(joint).unwrap());
        assert_eq!(narrow, job.sweep::<u128, _>(joint).unwrap());
        assert!(narrow.blocks > 5);
    }
}
