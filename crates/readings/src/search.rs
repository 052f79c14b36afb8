//! The search: every reading of some grids, measured against a target.
//!
//! Readings that differ only in how trees are judged share their classes, orders and pairings, so a search proceeds
//! in blocks: the choices that decide which trees are critical are fixed within a block, and truth forms and
//! statistics vary fastest. A search is divisible work, and a block is a unit.

use std::convert::Infallible;
use std::fmt::Write;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_jobs::divide::Units;
use prodmax_jobs::{Checksum, Divisible, Shard};
use prodmax_mass::CurveTable;
use rayon::prelude::*;
use thiserror::Error;

use crate::dimension::{Statistic, Weights, ZeroReading};
use crate::effort::block_seconds;
use crate::frame::{self, Frame};
use crate::grid::Grid;
use crate::measure::{self, Sums};
use crate::reading::{Reading, ReadingError};
use crate::score::{FactScore, Score};
use crate::target::Target;
use crate::truth::NodeTruth;
use crate::unit;

/// Why a search cannot be done.
#[derive(Debug, Error)]
pub enum GridSearchError {
    /// A reading that is impossible for some cell.
    #[error("root {root:+}, increments {increments:?}, zero {zero}, curves {truth} and {estimate}: {source}")]
    Reading {
        /// The cell's root.
        root: i64,
        /// The cell's increments.
        increments: Vec<i64>,
        /// How the reading takes the value 0.
        zero: ZeroReading,
        /// The reading's truth curve.
        truth: String,
        /// The reading's estimate.
        estimate: String,
        /// Why it is impossible.
        source: Box<ReadingError>,
    },
    /// No grid.
    #[error("the list of grids is empty; give at least one")]
    NoGrids,
}

/// Readings, numbered consecutively over all grids, and what they are measured against.
pub struct GridSearch {
    grids: Vec<Grid>,
    target: Target,
    frames: Vec<Frame>,
    /// The first reading of each block, and one more: the number of readings.
    starts: Vec<u64>,
    /// Whether the values of cells are kept with the scores.
    cells: bool,
}

/// A reading's score and the values of the target's cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// The score.
    pub score: Score,
    /// The cells in the target's order, if they are kept; `None` where a denominator is 0.
    pub values: Vec<Option<f64>>,
}

impl GridSearch {
    /// Checks that every reading is possible for every cell, and prepares what readings share.
    pub fn new(grids: Vec<Grid>, target: Target) -> Result<Self, GridSearchError> {
        if grids.is_empty() {
            return Err(GridSearchError::NoGrids);
        }
        let mut keys: Vec<(Reading, Vec<Weights>)> = Vec::new();
        for grid in &grids {
            for index in (0..grid.len()).step_by(grid.block_len()) {
                let reading = grid.reading(index);
                let same = |key: &&mut (Reading, _)| {
                    key.0.zero == reading.zero && key.0.estimate == reading.estimate
                };
                match keys.iter_mut().find(same) {
                    Some((_, weights)) if weights.contains(&reading.weights) => {}
                    Some((_, weights)) => weights.push(reading.weights),
                    None => keys.push((reading.clone(), vec![reading.weights])),
                }
            }
            frame::check(grid, &target)?;
        }
        let frames: Result<Vec<Frame>, GridSearchError> =
            keys.par_iter().map(|(reading, weights)| Frame::new(reading, weights, &target)).collect();
        let mut starts = vec![0];
        for grid in &grids {
            let before = starts.last().copied().unwrap_or(0);
            let blocks = (grid.block_len()..=grid.len()).step_by(grid.block_len());
            starts.extend(blocks.map(|end| before + end as u64));
        }
        Ok(Self { grids, target, frames: frames?, starts, cells: false })
    }

    /// The same search, which keeps the values of all cells with the scores of readings.
    #[must_use]
    pub fn with_cells(self, cells: bool) -> Self {
        Self { cells, ..self }
    }

    /// Whether it keeps the values of cells.
    pub fn cells(&self) -> bool {
        self.cells
    }

    /// What readings are measured against.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The grids.
    pub fn grids(&self) -> &[Grid] {
        &self.grids
    }

    /// The number of readings.
    pub fn len(&self) -> usize {
        self.grids.iter().map(Grid::len).sum()
    }

    /// Always false: there is at least one grid, and no grid is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of a reading's grid, and the index of the reading within it.
    pub fn place(&self, mut index: usize) -> (usize, usize) {
        let mut place = 0;
        while place + 1 < self.grids.len() && index >= self.grids[place].len() {
            index -= self.grids[place].len();
            place += 1;
        }
        (place, index)
    }

    /// The reading with this index.
    pub fn reading(&self, index: usize) -> Reading {
        let (grid, index) = self.place(index);
        self.grids[grid].reading(index)
    }

    /// Evaluates one reading.
    pub fn evaluate(&self, index: usize) -> Option<Evaluated> {
        self.readings(&Grid::from(self.reading(index)), 0, &AtomicBool::new(false))?.pop()
    }

    /// A fingerprint of grids and target, so that results of another search are recognised.
    pub fn fingerprint(&self) -> u64 {
        let mut text = ron::to_string(&self.grids).unwrap_or_default();
        for cell in &self.target.cells {
            let _ = write!(text, "{} {:?} {}", cell.id, cell.model, cell.published.text);
        }
        for facts in &self.target.facts {
            let _ = write!(text, "{facts:?}");
        }
        // Stable across compiler versions, which the standard hasher is not.
        Checksum::default().bytes(text.as_bytes()).value()
    }

    /// The readings of one block of a grid; `None` if interrupted.
    fn readings(&self, grid: &Grid, first: usize, interrupt: &AtomicBool) -> Option<Vec<Evaluated>> {
        let readings: Vec<Reading> = (first..first + grid.block_len()).map(|i| grid.reading(i)).collect();
        let common = &readings[0];
        let Some(frame) = self.frames.iter().find(|frame| frame.is_of(common)) else {
            return Some(Vec::new());
        };
        let truth = CurveTable::new(common.truth.curve.clone(), common.truth.h_max);
        let cells = self.target.cells.len();
        let mut values: Vec<Vec<Option<f64>>> = vec![Vec::with_capacity(cells); readings.len()];
        let mut facts: Vec<Option<FactScore>> = vec![None; readings.len()];
        for (index, prepared) in frame.models.iter().enumerate() {
            if interrupt.load(Ordering::Relaxed) {
                return None;
            }
            let Some(prepared) = prepared else { continue };
            let Some(pairing) = prepared.pairing(common) else { continue };
            let depth = prepared.critical.table().model().depth();
            let fits = prepared.fits(common);
            let mut known: Vec<(NodeTruth, Sums)> = Vec::new();
            let intervals = (index >= cells).then(|| measure::intervals(&pairing));
            let needs = Needs::of(&readings, index >= cells);
            for (place, reading) in readings.iter().enumerate() {
                if !fits {
                    continue;
                }
                let node = NodeTruth::from(reading).at_depth(depth);
                let sums = match known.iter().rev().find(|(other, _)| *other == node) {
                    Some((_, sums)) => *sums,
                    None => {
                        let sums = measure::sums(&pairing, node, &truth, needs.errors, needs.majority);
                        known.push((node, sums));
                        sums
                    }
                };
                match intervals {
                    None => values[place].push(reading.statistic.of(&sums)),
                    Some(intervals) => self.better_facts(&mut facts[place], index - cells, &sums, intervals),
                }
            }
        }
        let evaluated = values
            .into_iter()
            .zip(facts)
            .map(|(values, facts)| Evaluated { score: Score::of(&self.target, &values, facts), values });
        Some(evaluated.collect())
    }

    /// Replaces the facts with those of another root if they fit the published ones better.
    fn better_facts(&self, best: &mut Option<FactScore>, index: usize, sums: &Sums, intervals: [f64; 5]) {
        let facts = &self.target.facts[index];
        let score = FactScore {
            matched: 0,
            root: facts.model.root,
            critical: sums.critical,
            minimax_percent: sums.share_minimax_percent(),
            threshold_percent: measure::threshold_percent(intervals),
            ratio: measure::interval_ratio(intervals),
        };
        let score = score.matching(facts);
        let is_better = best.as_ref().is_none_or(|best| {
            let distance = |score: &FactScore| score.share_distance(facts);
            score.matched > best.matched || score.matched == best.matched && distance(&score) < distance(best)
        });
        if is_better {
            *best = Some(score);
        }
    }
}

impl Divisible for GridSearch {
    const STEP: [&'static str; 2] = ["reading", "readings"];
    type Finding = Vec<Evaluated>;
    type Workspace = ();
    type Sum = Vec<Evaluated>;
    type Error = Infallible;

    fn identity(&self) -> String {
        format!("readings={} search={:016x} cells={}", self.len(), self.fingerprint(), self.cells)
    }

    fn steps(&self) -> Range<u64> {
        0..self.len() as u64
    }

    fn units(&self, shard: Option<Shard>) -> Units {
        let blocks = self.starts.windows(2).map(|ends| ends[0]..ends[1]).collect();
        Units::of_seconds(blocks, &block_seconds(&self.grids, &self.target), shard)
    }

    fn workspace(&self) {}

    fn compute(
        &self,
        block: Range<u64>,
        (): &mut (),
        stop: &AtomicBool,
    ) -> Result<Option<(u64, Vec<Evaluated>)>, Infallible> {
        let (grid, first) = self.place(block.start as usize);
        let mut readings = self.readings(&self.grids[grid], first, stop);
        if !self.cells {
            readings.iter_mut().flatten().for_each(|reading| reading.values = Vec::new());
        }
        Ok(readings.map(|readings| (block.end - block.start, readings)))
    }

    fn write(&self, block: &Vec<Evaluated>) -> String {
        unit::to_line(block, self.cells)
    }

    fn read(&self, block: Range<u64>, line: &str) -> Option<Vec<Evaluated>> {
        // Readings of a block are summed together, so no other run of readings gives the same bits.
        let place = self.starts.binary_search(&block.start).ok()?;
        let is_block = self.starts.get(place + 1) == Some(&block.end);
        is_block.then(|| unit::from_line(line, (block.end - block.start) as usize, self.cells)).flatten()
    }

    fn begin(&self) -> Vec<Evaluated> {
        Vec::new()
    }

    fn absorb(
        &self,
        all: &mut Vec<Evaluated>,
        _: Range<u64>,
        block: Vec<Evaluated>,
    ) -> Result<(), Infallible> {
        all.extend(block);
        Ok(())
    }
}

/// What the statistics of some readings need.
#[derive(Clone, Copy)]
struct Needs {
    errors: bool,
    majority: bool,
}

impl Needs {
    fn of(readings: &[Reading], facts: bool) -> Self {
        let lead_only = |s| matches!(s, Statistic::PerCase | Statistic::PerTree | Statistic::Majority);
        let any = |needs: &dyn Fn(Statistic) -> bool| readings.iter().any(|r| needs(r.statistic));
        Self {
            errors: facts || any(&|statistic| !lead_only(statistic)),
            majority: !facts && any(&|statistic| statistic == Statistic::Majority),
        }
    }
}
