//! One block: its pairs generated, sorted and swept.

use super::items::{Items, TILE};
use super::joint::Joint;
use super::partition::{Block, Pairs};
use super::running::{BlockSums, Met, Running};
use super::weight::Weight;
use crate::ranking::{Comparisons, Names, RuleOrder};

/// The bits for the second item and for the minimax rank in the name of a pair: a stored level has at most 2^24
/// classes, a line at most 20,001 values.
const ITEM_BITS: u32 = 24;
const RANK_BITS: u32 = 16;

/// The number of fine buckets in a coarse one.
const FINE: usize = 256;

/// Buckets up to this size are sorted by insertion.
const SMALL_BUCKET: usize = 24;

/// A pair of items.
#[derive(Clone, Copy, Debug, Default)]
struct Record<W> {
    /// Its coordinate.
    value: f64,
    count: W,
    won: f64,
    /// First item, second item, minimax rank.
    name: u64,
}

/// The maximum number of bytes that a worker holds per pair: its record twice (if all pairs are in one bucket) and
/// its share of the bucket ends.
pub(super) fn bytes_per_pair<W>() -> u64 {
    (2 * size_of::<Record<W>>() + size_of::<u32>()) as u64
}

/// The bytes that a worker holds per item.
pub(super) const BYTES_PER_ITEM: u64 = 12;

/// Packs the name that [`Record::items`] and [`Record::rank`] unpack.
#[inline]
fn name(first: usize, second: usize, rank: u16) -> u64 {
    ((first as u64) << ITEM_BITS | second as u64) << RANK_BITS | u64::from(rank)
}

impl<W: Weight> Record<W> {
    fn rank(&self) -> usize {
        (self.name & ((1 << RANK_BITS) - 1)) as usize
    }

    fn items(&self) -> [usize; 2] {
        let item = |shift| (self.name >> shift) as usize & ((1 << ITEM_BITS) - 1);
        [item(RANK_BITS + ITEM_BITS), item(RANK_BITS)]
    }

    fn met(&self) -> Met<W> {
        Met { rank: self.rank(), count: self.count, won: self.won }
    }
}

/// The second items for one first item in a block.
#[derive(Clone, Copy, Debug)]
struct Row {
    first: u32,
    start: u32,
    end: u32,
}

/// Sweeps blocks one after the other, reusing its memory.
pub(super) struct Worker<'a, W, J> {
    items: &'a Items<W>,
    order: &'a RuleOrder<'a>,
    joint: J,
    rows: Vec<Row>,
    /// The index of the next record of each coarse bucket.
    buckets: Vec<u32>,
    records: Vec<Record<W>>,
    /// The coarse bucket being sorted.
    bucket: Vec<Record<W>>,
    running: Running<W>,
}

/// Buckets of equal width, in the order of values. There are about as many fine buckets as pairs; a coarse one is a
/// row of [`FINE`] of them. Pairs are first scattered over the coarse buckets, which are few enough that the cache
/// can hold the end of each, and then sorted within each coarse bucket, which fits into the cache.
#[derive(Clone, Copy, Debug)]
struct Scale {
    low: f64,
    per_value: f64,
    last: u32,
}

impl Scale {
    fn new(block: &Block) -> Self {
        let per_value = block.pairs as f64 / (block.high - block.low);
        let per_value = if per_value.is_finite() { per_value } else { 0.0 };
        // Whoever makes a block has checked that it has fewer than 2^32 pairs.
        Self { low: block.low, per_value, last: block.pairs.saturating_sub(1) as u32 }
    }

    /// Monotone in the value, so that the order of buckets is the order of values.
    #[inline]
    fn bucket(&self, value: f64) -> u32 {
        (((value - self.low) * self.per_value) as i64 as u32).min(self.last)
    }

    #[inline]
    fn coarse(&self, value: f64) -> usize {
        self.bucket(value) as usize / FINE
    }

    #[inline]
    fn fine(&self, value: f64) -> usize {
        self.bucket(value) as usize % FINE
    }

    fn coarse_buckets(&self) -> usize {
        self.last as usize / FINE + 1
    }
}

impl<'a, W: Weight, J: Joint> Worker<'a, W, J> {
    pub(super) fn new(items: &'a Items<W>, order: &'a RuleOrder<'a>, joint: J) -> Self {
        let running = Running::new(items.ranks);
        Self {
            items,
            order,
            joint,
            rows: Vec::new(),
            buckets: Vec::new(),
            records: Vec::new(),
            bucket: Vec::new(),
            running,
        }
    }

    /// The sums over a block.
    pub(super) fn run(&mut self, block: &Block) -> BlockSums {
        let scale = Scale::new(block);
        self.find_rows(block);
        self.distribute(block, scale);
        self.sort_buckets(scale);
        self.sweep()
    }

    fn find_rows(&mut self, block: &Block) {
        let pairs = Pairs { value: &self.items.value, joint: self.joint };
        let ends = pairs.frontier(block.low).zip(pairs.frontier(block.high)).enumerate();
        let rows = ends.filter_map(|(first, (start, end))| {
            let end = end.min(first + 1);
            (start < end).then_some(Row { first: first as u32, start: start as u32, end: end as u32 })
        });
        self.rows.clear();
        self.rows.extend(rows);
    }

    /// Puts the pairs into coarse buckets of equal width, in order.
    fn distribute(&mut self, block: &Block, scale: Scale) {
        self.buckets.clear();
        self.buckets.resize(scale.coarse_buckets() + 1, 0);
        let value = &self.items.value;
        for row in &self.rows {
            let first = value[row.first as usize];
            for second in &value[row.start as usize..row.end as usize] {
                self.buckets[scale.coarse(self.joint.pair(first, *second)) + 1] += 1;
            }
        }
        for index in 1..self.buckets.len() {
            self.buckets[index] += self.buckets[index - 1];
        }
        self.records.clear();
        self.records.resize(block.pairs as usize, Record::default());
        for row in &self.rows {
            let (first, end) = (row.first as usize, row.end as usize);
            let rank = self.items.rank[first];
            for start in (row.start as usize..end).step_by(TILE) {
                let (counts, wins) = self.items.tile(first, start);
                for (lane, second) in (start..end.min(start + TILE)).enumerate() {
                    let (mut count, mut won) = (counts[lane], wins[lane]);
                    if first == second {
                        (count, won) = (count.half(), won / 2.0);
                    }
                    let rank = rank.min(self.items.rank[second]);
                    let name = name(first, second, rank);
                    let value = self.joint.pair(value[first], value[second]);
                    let place = &mut self.buckets[scale.coarse(value)];
                    self.records[*place as usize] = Record { value, count, won, name };
                    *place += 1;
                }
            }
        }
    }

    /// Sorts every coarse bucket by means of its fine ones, and drops the pairs of items that no depth-1 node has
    /// together. After the distribution the entry of a coarse bucket is its end.
    fn sort_buckets(&mut self, scale: Scale) {
        let (mut start, mut kept) = (0, 0);
        for coarse in 0..scale.coarse_buckets() {
            let end = self.buckets[coarse] as usize;
            let bucket = &self.records[start..end];
            let mut ends = [0u32; FINE + 1];
            for record in bucket {
                ends[scale.fine(record.value) + 1] += 1;
            }
            for index in 1..=FINE {
                ends[index] += ends[index - 1];
            }
            self.bucket.clear();
            self.bucket.resize(bucket.len(), Record::default());
            for record in bucket {
                let place = &mut ends[scale.fine(record.value)];
                self.bucket[*place as usize] = *record;
                *place += 1;
            }
            let mut fine_start = 0;
            for &fine_end in &ends[..FINE] {
                sort_by_value(&mut self.bucket[fine_start..fine_end as usize]);
                fine_start = fine_end as usize;
            }
            for record in &self.bucket {
                self.records[kept] = *record;
                kept += usize::from(record.count != W::default());
            }
            start = end;
        }
        self.records.truncate(kept);
    }

    fn sweep(&mut self) -> BlockSums {
        let mut comparisons = Comparisons::default();
        let records = &self.records;
        let mut start = 0;
        while start < records.len() {
            let mut end = start + 1;
            while end < records.len() && self.joint.near(records[end - 1].value, records[end].value) {
                end += 1;
            }
            match &records[start..end] {
                [record] => self.running.single(record.met()),
                cluster => resolve(cluster, self.items, self.order, &mut self.running, &mut comparisons),
            }
            start = end;
        }
        BlockSums {
            pairs: records.len() as u64,
            escalated: comparisons.escalated,
            unresolved: comparisons.unresolved,
            ..self.running.finish()
        }
    }
}

/// Sweeps pairs that doubles cannot tell apart, in their proven order.
fn resolve<W: Weight>(
    cluster: &[Record<W>],
    items: &Items<W>,
    order: &RuleOrder<'_>,
    running: &mut Running<W>,
    comparisons: &mut Comparisons,
) {
    let classes: Vec<[u32; 2]> =
        cluster.iter().map(|record| record.items().map(|item| items.class[item])).collect();
    for group in order.sort(Names { width: 2, flat: classes.as_flattened() }, comparisons).iter() {
        let group: Vec<Met<W>> = group.iter().map(|&index| cluster[index as usize].met()).collect();
        running.tie(&group);
    }
}

fn sort_by_value<W: Copy>(records: &mut [Record<W>]) {
    if records.len() > SMALL_BUCKET {
        records.sort_by(|a, b| a.value.total_cmp(&b.value));
        return;
    }
    for end in 1..records.len() {
        let record = records[end];
        let mut place = end;
        while place > 0 && records[place - 1].value > record.value {
            records[place] = records[place - 1];
            place -= 1;
        }
        records[place] = record;
    }
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::{ClassTable, Model, ZeroMode};

    use prodmax_rules::product::Product;
    use prodmax_rules::{Curve, CurveTable};

    use super::*;
    use crate::deep::joint::Products;
    use crate::deep::memory::Memory;
    use prodmax_rules::Contestant;

    fn record(value: f64, name: u64) -> Record<u64> {
        Record { value, count: 1, won: 0.0, name }
    }

    #[test]
    fn a_name_keeps_the_greatest_items_and_rank() {
        for (first, second, rank) in
            [(0xff_ffff, 0, 0), (0, 0xff_ffff, 0), (0, 0, 20_000), (0xab_cdef, 0x12_3456, 7)]
        {
            let record = record(0.0, name(first, second, rank));
            assert_eq!((record.items(), record.rank()), ([first, second], rank.into()));
        }
    }

    #[test]
    fn there_are_as_many_fine_buckets_as_pairs() {
        let scale = Scale::new(&Block { start: 0, low: 0.25, high: 0.75, pairs: 1000 });
        for bucket in 0..1000u32 {
            // The middle of each: no rounding reaches its ends.
            let value = 0.25 + (f64::from(bucket) + 0.5) / 2000.0;
            assert_eq!(scale.bucket(value), bucket);
            assert_eq!(
                (scale.coarse(value), scale.fine(value)),
                (bucket as usize / 256, bucket as usize % 256)
            );
        }
        assert_eq!((scale.bucket(0.25), scale.bucket(0.75)), (0, 999), "no value is beyond the last bucket");
        assert_eq!(scale.coarse_buckets(), 4);
        let full = Scale::new(&Block { start: 0, low: 0.25, high: 0.75, pairs: 1024 });
        assert_eq!((full.coarse(0.75), full.coarse_buckets()), (3, 4));
        let point = Scale::new(&Block { start: 0, low: 0.5, high: 0.5, pairs: 3 });
        assert_eq!(
            (point.bucket(0.5), point.coarse_buckets()),
            (0, 1),
            "a block without width has one bucket"
        );
    }

    /// Both ways: by insertion up to 24 records, by the library above that.
    #[test]
    fn records_are_sorted_and_equal_ones_stay_in_order() {
        for length in [0u64, 1, 2, 24, 25, 60] {
            // Multiples of 7 modulo 5: every value several times, out of order.
            let mut records: Vec<_> = (0..length).map(|name| record((name * 7 % 5) as f64, name)).collect();
            sort_by_value(&mut records);
            let sorted: Vec<_> = records.iter().map(|record| (record.value as u64, record.name)).collect();
            let mut expected: Vec<_> = (0..length).map(|name| (name * 7 % 5, name)).collect();
            expected.sort_unstable();
            assert_eq!(sorted, expected);
        }
    }

    /// A move of at most 1 leads from +1 to +1 or +2, and from there to -1, +1 or to +1, +2: of the six pairs of the
    /// leaves -1, +1, +2 all but (-1, +2) are below one node.
    #[test]
    fn comparisons_that_nothing_settles_are_counted() {
        let table = ClassTable::build(&Model::new(1, &[1, 1], ZeroMode::Skip, 42).unwrap()).unwrap();
        let curve = CurveTable::new(Curve::arctan(1), 42);
        let product = Contestant::through(Product.into(), &curve);
        let (order, memory) = (RuleOrder::new(&table, &product), Memory { given: 1 << 20 });
        let joint = Products::new(2);
        let items =
            Items::<u64>::new(&table, &order, joint, &curve, memory, &mut Comparisons::default()).unwrap();
        let all = Block { start: 0, low: 0.0, high: 1.0, pairs: 6 };
        let sums = Worker::new(&items, &order, joint).run(&all);
        assert_eq!((sums.pairs, sums.escalated, sums.unresolved), (5, 0, 0));
        let joint = Products::with_error(1.0);
        let sums = Worker::new(&items, &order.blunt([1; 3]), joint).run(&all);
        assert_eq!((sums.pairs, sums.escalated, sums.unresolved), (5, 4, 4));
    }
}
