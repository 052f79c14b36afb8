//! One pass over all minimax values on one grid, a few of them at a time.
//!
//! The sum for a value k takes the laws within {m >= k} and {m >= k + 1}, so the values are done from the greatest
//! down, each batch in parallel, and only the laws of the last one are kept. The sums of a batch are a few numbers: these
//! go to the checkpoint. A continued run computes the law of one value again, and the same sums.

use std::fmt::Write as _;
use std::path::Path;
use std::str::SplitAsciiWhitespace;

use prodmax_enumerate::Model;
use rayon::prelude::*;

use super::LawError;
use super::grid::{Grid, Placement};
use super::row::Law;
use super::sums::{Around, Equal, Shares, Sum, critical};
use super::tails::{AllTrees, Recursion, Watch};
use crate::checkpoint::{Checkpoint, bits, double};
use crate::measure::Curves;

/// Values that are done at the same time: enough for many threads, few enough for the memory of one machine.
const BATCH: usize = 8;

/// Changes whenever the format changes, or anything that affects a sum.
const MAGIC: &str = "prodmax-law-checkpoint 1";

/// How often and how product values are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Down and up: the trees that are certain to be critical, and those that may be.
    Bounds,
    /// To both neighbours.
    Mean,
}

impl Kind {
    fn placements(self) -> &'static [Placement] {
        match self {
            Self::Bounds => &[Placement::Down, Placement::Up],
            Self::Mean => &[Placement::Mean],
        }
    }

    /// For each sum: the placement of M, that of P and how equal indices count.
    fn sums(self) -> &'static [(usize, usize, Equal)] {
        match self {
            Self::Bounds => &[(1, 0, Equal::NEVER), (0, 1, Equal::BEYOND)],
            Self::Mean => &[(0, 0, Equal::HALF)],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Bounds => "bounds",
            Self::Mean => "mean",
        }
    }
}

/// The sums for one minimax value on one grid.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    steps: u32,
    kind: Kind,
    value: i32,
    sums: Vec<Sum>,
}

impl Part {
    fn format(&self) -> String {
        let mut line = format!("{} {} {}", self.steps, self.kind.name(), self.value);
        for Sum { shares, error } in &self.sums {
            for number in [shares.critical, shares.first_error, shares.second_error, *error] {
                // Writing to a string cannot fail.
                let _ = write!(line, " {}", bits(number));
            }
        }
        line
    }

    fn parse(mut words: SplitAsciiWhitespace<'_>) -> Option<Self> {
        let steps = words.next()?.parse().ok()?;
        let name = words.next()?;
        let kind = [Kind::Bounds, Kind::Mean].into_iter().find(|kind| kind.name() == name)?;
        let value = words.next()?.parse().ok()?;
        let mut sums = Vec::new();
        for _ in kind.sums() {
            let shares = Shares {
                critical: double(&mut words)?,
                first_error: double(&mut words)?,
                second_error: double(&mut words)?,
            };
            sums.push(Sum { shares, error: double(&mut words)? });
        }
        words.next().is_none().then_some(Self { steps, kind, value, sums })
    }
}

/// Finished sums, in a file if there is one.
pub(super) struct Kept {
    file: Option<Checkpoint>,
    parts: Vec<Part>,
}

impl Kept {
    /// Those of this computation; `None` is no file.
    pub(super) fn open(
        path: Option<&Path>,
        model: &Model,
        curves: &Curves,
        listed: usize,
    ) -> Result<Self, LawError> {
        let Some(path) = path else { return Ok(Self { file: None, parts: Vec::new() }) };
        let increments: Vec<String> = model.increments().iter().map(ToString::to_string).collect();
        let identity = format!(
            "root={} increments={} zero={} h_max={} branching={} truth={} estimate={} listed={listed}",
            model.root(),
            increments.join(","),
            model.line().zero(),
            model.line().h_max(),
            model.branching(),
            curves.truth.curve(),
            curves.estimate.curve(),
        );
        let mut parts = Vec::new();
        let file = Checkpoint::open(path, MAGIC, &identity, &mut |words| {
            let part = Part::parse(words);
            let is_part = part.is_some();
            parts.extend(part);
            is_part
        });
        let file = file.map_err(|error| LawError::Checkpoint(error.to_string()))?;
        Ok(Self { file: Some(file), parts })
    }

    fn find(&self, steps: u32, kind: Kind, value: i32) -> Option<&Part> {
        self.parts.iter().find(|part| (part.steps, part.kind, part.value) == (steps, kind, value))
    }

    fn keep(&mut self, part: Part) -> Result<(), LawError> {
        if let Some(file) = &self.file {
            file.append(&part.format()).map_err(|error| LawError::Checkpoint(error.to_string()))?;
        }
        self.parts.push(part);
        Ok(())
    }
}

/// What a pass found.
pub(super) struct Passed {
    /// The sums over all critical trees: two for bounds.
    pub(super) sums: Vec<Sum>,
    /// The laws of all trees, by placement.
    pub(super) totals: Vec<Law>,
}

/// One pass on one grid.
pub(super) struct Pass<'a> {
    pub(super) model: &'a Model,
    pub(super) grid: &'a Grid,
    pub(super) kind: Kind,
    /// One for each placement of the kind.
    recursions: Vec<Recursion<'a>>,
}

impl<'a> Pass<'a> {
    /// Prepares a pass.
    pub(super) fn new(model: &'a Model, atoms: &'a super::atoms::Atoms, grid: &'a Grid, kind: Kind) -> Self {
        let recursions = kind
            .placements()
            .iter()
            .map(|&placement| Recursion::new(model, atoms, grid, placement))
            .collect();
        Self { model, grid, kind, recursions }
    }

    /// The steps of the progress that a pass takes: one for each minimax value, and one for all trees.
    pub(super) fn steps(model: &Model) -> u64 {
        model.values(model.depth()) as u64 + 1
    }

    /// Only the laws of all trees.
    pub(super) fn totals(&self, watch: &Watch<'_>) -> Result<Vec<Law>, LawError> {
        let all = self.all_trees(watch)?;
        Ok(all.into_iter().map(|all| all.total).collect())
    }

    fn all_trees(&self, watch: &Watch<'_>) -> Result<Vec<AllTrees>, LawError> {
        self.recursions.iter().map(|recursion| recursion.all_trees(watch)).collect()
    }

    /// The sums over the critical trees.
    pub(super) fn run(&self, kept: &mut Kept, watch: &Watch<'_>) -> Result<Passed, LawError> {
        let steps = self.grid.steps();
        let all = self.all_trees(watch)?;
        watch.step(1);
        let [low, high] = self.model.position_range(self.model.depth());
        let values: Vec<i32> = (low..=high).rev().collect();
        let mut sums = Vec::with_capacity(values.len());
        let nothing: Vec<Law> = self.recursions.iter().map(|_| Law::nothing()).collect();
        // The laws within {m >= the last value that was done}.
        let mut more = Some(nothing);
        for batch in values.chunks(BATCH) {
            let found: Vec<&Part> =
                batch.iter().filter_map(|&value| kept.find(steps, self.kind, value)).collect();
            if found.len() == batch.len() {
                sums.extend(found.into_iter().map(|part| part.sums.clone()));
                watch.step(batch.len() as u64);
                more = None;
                continue;
            }
            let mut above = match more.take() {
                Some(more) => more,
                // Continued: the law of the value above this batch.
                None => self.tails(&[batch[0] + 1], &all, watch)?.pop().unwrap_or_default(),
            };
            let tails = self.tails(batch, &all, watch)?;
            for (&value, tail) in batch.iter().zip(tails) {
                let around = |place: usize| Around {
                    all: &all[place].total,
                    at_least: &tail[place],
                    more: &above[place],
                };
                let branching = self.model.branching();
                let sum = |&(m, p, equal): &(usize, usize, Equal)| {
                    critical(around(m), around(p), branching, self.grid.cap(), equal)
                };
                let part_sums: Vec<Sum> = self.kind.sums().iter().map(sum).collect();
                kept.keep(Part { steps, kind: self.kind, value, sums: part_sums.clone() })?;
                sums.push(part_sums);
                above = tail;
            }
            more = Some(above);
        }
        let total = |place: usize| Sum::total(sums.iter().map(|sums: &Vec<Sum>| &sums[place]));
        Ok(Passed {
            sums: (0..self.kind.sums().len()).map(total).collect(),
            totals: all.into_iter().map(|all| all.total).collect(),
        })
    }

    /// The laws within {m >= k} for each k, by placement.
    fn tails(&self, values: &[i32], all: &[AllTrees], watch: &Watch<'_>) -> Result<Vec<Vec<Law>>, LawError> {
        let [low, _] = self.model.position_range(self.model.depth());
        let tail = |&k: &i32| {
            let of = |(recursion, all): (&Recursion<'_>, &AllTrees)| {
                if k == low { Ok(all.total.clone()) } else { recursion.tail(k, all, watch) }
            };
            let laws: Result<Vec<Law>, LawError> = self.recursions.par_iter().zip(all).map(of).collect();
            watch.step(1);
            laws
        };
        values.par_iter().map(tail).collect()
    }
}
