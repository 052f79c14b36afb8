//! The whole computation: preparation, workers, result.

use std::collections::BTreeMap;
use std::str::SplitAsciiWhitespace;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use num_bigint::BigUint;
use prodmax_enumerate::{ClassTable, Model};
use prodmax_jobs::{Checksum, Work};
use prodmax_rules::CurveTable;
use prodmax_rules::minimax::Minimax;
use prodmax_rules::product::Product;

use super::block::Worker;
use super::bound::Bound;
use super::combine::combine;
use super::items::{self, Items};
use super::joint::{Joint, WithJoint, with_joint};
use super::kept::{Finished, Keep, MAGIC, parse_block, parse_named};
use super::memory::{Memory, block_pairs};
use super::partition::{Block, Pairs};
use super::running::BlockSums;
use super::weight::Weight;
use super::{DeepError, DeepMass, Options, check_model, check_rules};
use crate::critical::MassError;
use crate::ranking::{Comparisons, RuleOrder};
use prodmax_jobs::checkpoint::Checkpoint;
use prodmax_rules::Contestant;

/// The critical trees of a model of depth 2 or more, in which Minimax (the first rule) and another rule choose
/// differently, and their error masses.
pub fn mass(
    model: &Model,
    truth: &CurveTable,
    second: &Contestant<'_>,
    options: &Options<'_>,
) -> Result<DeepMass, DeepError> {
    sweep(model, truth, second, options)?.ok_or(DeepError::OnlyShard)
}

/// The same sweep, of which the options can name a shard: then its blocks are kept in its part, and there is no result.
pub fn sweep(
    model: &Model,
    truth: &CurveTable,
    second: &Contestant<'_>,
    options: &Options<'_>,
) -> Result<Option<DeepMass>, DeepError> {
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
    type Output = Result<Option<DeepMass>, DeepError>;

    fn run<J: Joint>(self, joint: J) -> Result<Option<DeepMass>, DeepError> {
        if f64::fits(self.total) {
            self.sweep::<f64, J>(joint)
        } else if u64::fits(self.total) {
            self.sweep::<u64, J>(joint)
        } else {
            self.sweep::<u128, J>(joint)
        }
    }
}

/// Finished blocks by name.
type Found = BTreeMap<u64, Finished>;

impl Job<'_> {
    /// Sweeps with multiplicities in the type `W`, which fits the total. A shard has no result.
    fn sweep<W: Weight, J: Joint>(self, joint: J) -> Result<Option<DeepMass>, DeepError> {
        let Job { table, truth, second, order, options, .. } = self;
        let memory = Memory { given: options.memory_bytes };
        let mut comparisons = Comparisons::default();
        let items = Items::<W>::new(table, order, joint, truth, memory, &mut comparisons)?;
        refuse_unresolved(second, &comparisons)?;

        let pairs = Pairs { value: &items.value, joint };
        let most = block_pairs(options, items.len());
        let identity = self.identity(most, &items.value);
        let mut found = Found::new();
        let blocks;
        let keep = match options.work {
            Work::Whole => {
                blocks = pairs.partition(most);
                match options.checkpoint {
                    None => Keep::Nowhere,
                    Some(path) => {
                        let each = &mut |words: SplitAsciiWhitespace<'_>| {
                            insert(&mut found, parse_named(words, items.ranks))
                        };
                        Keep::Checkpoint(Checkpoint::open(path, MAGIC, &identity, each)?)
                    }
                }
            }
            Work::Shard(part) => {
                blocks = pairs.share(most, part.shard());
                let each = &mut |name, text: &str| {
                    let block = parse_block(text.split_ascii_whitespace(), items.ranks);
                    insert(&mut found, block.map(|block| (name, block)))
                };
                Keep::Part(part.section(&identity, each)?)
            }
            Work::Merge(parts) => {
                parts.section(&identity, &mut |name, text| {
                    let block = parse_block(text.split_ascii_whitespace(), items.ranks);
                    !found.contains_key(&name) && insert(&mut found, block.map(|block| (name, block)))
                })?;
                check_complete(&found, pairs.count())?;
                let (done, found) = (found.len() as u64, found.values().map(|block| &block.sums));
                return self.finish(&items, comparisons, found.collect(), done).map(Some);
            }
        };
        let workers = memory.workers(&items, &blocks)?;
        let results: Vec<OnceLock<BlockSums>> = blocks.iter().map(|_| OnceLock::new()).collect();
        for (block, result) in blocks.iter().zip(&results) {
            if let Some(done) = found.remove(&block.start).filter(|done| done.pairs == block.pairs) {
                let _ = result.set(done.sums);
            }
        }
        if let Some((&name, _)) = found.first_key_value() {
            return Err(DeepError::ForeignBlock(name));
        }
        let resumed = results.iter().filter(|result| result.get().is_some()).count() as u64;
        let jobs = Jobs {
            items: &items,
            order,
            joint,
            blocks: &blocks,
            results: &results,
            keep: &keep,
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
        match options.work {
            Work::Shard(_) => Ok(None),
            _ => self.finish(&items, comparisons, finished, resumed).map(Some),
        }
    }

    /// The result of all blocks, in order.
    fn finish<W: Weight>(
        &self,
        items: &Items<W>,
        mut comparisons: Comparisons,
        finished: Vec<&BlockSums>,
        resumed: u64,
    ) -> Result<DeepMass, DeepError> {
        let depth = self.table.model().depth();
        let blocks = finished.len() as u64;
        let bound = Bound { depth, node_values: items.node_values, levels: items.ranks };
        let combined = combine(items.ranks, finished, &bound);
        refuse_unresolved(self.second, &combined.comparisons)?;
        let counts = combined.counts;
        let (found, expected) = (counts.trees(), BigUint::from(self.total * self.total));
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
            classes: self.table.top().len(),
            items: items.len(),
            pairs: combined.pairs,
            blocks,
            resumed,
        })
    }

    /// Everything that a block's sums depend on. The last field is a checksum of the items' values: two machines that
    /// disagree about a single bit of them would cut other blocks.
    fn identity(&self, most: u64, values: &[f64]) -> String {
        let model = self.table.model();
        let line = model.line();
        let rule = self.second.rule();
        // The second rule is named unless it is Product.
        let rule = if *rule == Product.into() { String::new() } else { format!(" rule={rule}") };
        let estimate = self.second.curve().map_or_else(String::new, |curve| curve.curve().to_string());
        let increments: Vec<String> = model.increments().iter().map(ToString::to_string).collect();
        let bits = values.iter().fold(Checksum::default(), |sum, value| sum.number(value.to_bits()));
        format!(
            "root={} increments={} zero={} h_max={} truth={} estimate={estimate}{rule} block_pairs={most} items={} values={}",
            model.root(),
            increments.join(","),
            line.zero(),
            line.h_max(),
            self.truth.curve(),
            values.len(),
            bits.text(),
        )
    }
}

/// Adds a block that was read; returns whether it is valid. A block may occur twice if it is the same both times.
fn insert(found: &mut Found, block: Option<(u64, Finished)>) -> bool {
    block.is_some_and(|(name, block)| match found.get(&name) {
        Some(same) => *same == block,
        None => found.insert(name, block).is_none(),
    })
}

/// An error unless the blocks hold all pairs, each once.
fn check_complete(found: &Found, pairs: u64) -> Result<(), DeepError> {
    let mut next = 0;
    for (&start, block) in found {
        if start != next {
            return Err(DeepError::Gap { from: next.min(start), to: next.max(start) });
        }
        next = start.saturating_add(block.pairs);
    }
    if next == pairs { Ok(()) } else { Err(DeepError::Gap { from: next.min(pairs), to: next.max(pairs) }) }
}

fn refuse_unresolved(second: &Contestant<'_>, comparisons: &Comparisons) -> Result<(), DeepError> {
    match comparisons.unresolved {
        0 => Ok(()),
        comparisons => Err(MassError::Unresolved { rule: second.rule().to_string(), comparisons }.into()),
    }
}

/// The blocks to sweep, shared by the workers.
struct Jobs<'a, W, J> {
    items: &'a Items<W>,
    order: &'a RuleOrder<'a>,
    joint: J,
    blocks: &'a [Block],
    results: &'a [OnceLock<BlockSums>],
    keep: &'a Keep<'a>,
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
            if let Err(error) = self.keep.append(block, &sums) {
                self.stop.store(true, Ordering::Relaxed);
                *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
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
    use prodmax_rules::Curve;

    use super::*;
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
    fn blocks_must_hold_all_pairs_once() {
        let block = |pairs| Finished { pairs, sums: BlockSums::default() };
        let mut found = Found::new();
        assert!(insert(&mut found, Some((0, block(4)))) && insert(&mut found, Some((4, block(3)))));
        // The same block may be read twice, but not another one in its place.
        assert!(insert(&mut found, Some((4, block(3)))) && !insert(&mut found, Some((4, block(2)))));
        assert!(!insert(&mut found, None));
        assert!(check_complete(&found, 7).is_ok());
        let gap = |found: &Found, pairs| match check_complete(found, pairs) {
            Err(DeepError::Gap { from, to }) => (from, to),
            _ => panic!("complete"),
        };
        assert_eq!((gap(&found, 9), gap(&found, 6)), ((7, 9), (6, 7)));
        found.remove(&0);
        assert_eq!(gap(&found, 7), (0, 4));
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
            work: Work::Whole,
            interrupt: &AtomicBool::new(false),
            progress: &|_, _| {},
        };
        let second = Contestant::through(Product.into(), &estimate);
        let order = RuleOrder::new(&table, &second);
        let job =
            Job { table: &table, total, truth: &truth, second: &second, order: &order, options: &options };
        assert!(!job.identity(20, &[0.5]).contains("rule="), "Product is not named");
        let joint = Products::new(3);
        let narrow = job.sweep::<f64, _>(joint).unwrap().unwrap();
        assert_eq!(Some(&narrow), job.sweep::<u64, _>(joint).unwrap().as_ref());
        assert_eq!(Some(&narrow), job.sweep::<u128, _>(joint).unwrap().as_ref());
        assert!(narrow.blocks > 5);
    }
}
