//! The recursion: the law of the product value of a move of the root within the event that its minimax value is at
//! least k, for every k.
//!
//! The least of several values is at least k iff all are, and the greatest is less than k iff all are. So with one k
//! for all levels, a MIN node's law within {m >= k} is the b-th power, under convolution in the coordinate of p, of the
//! mean of its children's laws, and a MAX node's law within {m < k} likewise in the coordinate of 1 - p; that of
//! {m >= k} is the rest of the law of all trees. Truth works the same way: a MIN node is won if all children are, a MAX
//! node lost if all are. Different k have nothing in common except the law of all trees, so they are computed in
//! parallel, each in as little memory as the nodes of two levels take.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use prodmax_enumerate::{Model, Mover};
use rayon::prelude::*;

use super::atoms::{Atom, Atoms, children};
use super::grid::{Coordinate, Grid, Placement, Rounding};
use super::row::{Building, Law, span};
use super::{LawError, Options};

/// The input of the recursion.
pub(super) struct Recursion<'a> {
    model: &'a Model,
    atoms: &'a Atoms,
    grid: &'a Grid,
    placement: Placement,
    /// For each node of the atoms' level: where each atom goes on the grid.
    places: Vec<Vec<(u32, f64)>>,
}

/// The progress of the work.
pub(super) struct Watch<'a> {
    interrupt: &'a AtomicBool,
    progress: &'a (dyn Fn(u64, u64) + Sync),
    done: AtomicU64,
    all: u64,
}

impl<'a> Watch<'a> {
    /// For this number of steps.
    pub(super) fn new(options: &Options<'a>, all: u64) -> Self {
        Self { interrupt: options.interrupt, progress: options.progress, done: AtomicU64::new(0), all }
    }

    fn check(&self) -> Result<(), LawError> {
        if self.interrupt.load(Ordering::SeqCst) { Err(LawError::Interrupted) } else { Ok(()) }
    }

    /// This number of steps is done.
    pub(super) fn step(&self, count: u64) {
        let done = self.done.fetch_add(count, Ordering::SeqCst) + count;
        (self.progress)(done.min(self.all), self.all);
    }
}

/// The laws of all nodes of a level, from the least position.
type LevelLaws = Vec<Law>;

/// The laws of all trees, without any event.
pub(super) struct AllTrees {
    levels: Vec<LevelLaws>,
    /// That of the root's moves.
    pub(super) total: Law,
}

impl<'a> Recursion<'a> {
    /// The recursion with the atoms placed on the grid.
    pub(super) fn new(model: &'a Model, atoms: &'a Atoms, grid: &'a Grid, placement: Placement) -> Self {
        let coordinate = coordinate(atoms.level.saturating_sub(1));
        let place = |atom: &Atom| {
            let factor = match coordinate {
                Coordinate::Won => atom.product[0],
                Coordinate::Lost => atom.product[1],
            };
            match placement.rounding(coordinate) {
                Rounding::Floor => (grid.floor_of(factor, atoms.value_error), 1.0),
                Rounding::Ceil => (grid.ceil_of(factor, atoms.value_error), 1.0),
                Rounding::Split => grid.split_of(factor),
            }
        };
        let places = atoms.nodes().map(|node| node.iter().map(place).collect()).collect();
        Self { model, atoms, grid, placement, places }
    }

    fn rounding(&self, level: usize) -> Rounding {
        self.placement.rounding(coordinate(level))
    }

    /// The laws of all trees, which those within every event need.
    pub(super) fn all_trees(&self, watch: &Watch<'_>) -> Result<AllTrees, LawError> {
        let mut levels: Vec<LevelLaws> = vec![Vec::new(); self.model.depth() + 1];
        for level in (1..self.atoms.level).rev() {
            let [first, last] = self.model.position_range(level);
            let below = &levels[level + 1];
            let law = |position| self.node(level, position, None, below, below, watch);
            levels[level] = (first..=last).into_par_iter().map(law).collect::<Result<_, _>>()?;
        }
        let total = self.of_root(&levels[1]);
        Ok(AllTrees { levels, total })
    }

    /// The law of the root's moves within {m >= k}.
    pub(super) fn tail(&self, k: i32, all: &AllTrees, watch: &Watch<'_>) -> Result<Law, LawError> {
        let all = &all.levels;
        let mut below: LevelLaws = Vec::new();
        for level in (1..self.atoms.level).rev() {
            let [first, last] = self.model.position_range(level);
            let mut laws = LevelLaws::new();
            for position in first..=last {
                laws.push(self.node(level, position, Some((k, all)), &below, &all[level + 1], watch)?);
            }
            below = laws;
        }
        Ok(self.of_root(&below))
    }

    /// The mean over the root's moves.
    fn of_root(&self, laws: &[Law]) -> Law {
        // Level 1 has no other nodes.
        let Some([low, high]) = span(laws.iter()) else { return Law::nothing() };
        let share = 1.0 / laws.len() as f64;
        let mut mean = Building::over(low, high);
        for law in laws {
            mean.add(law, share, false);
        }
        mean.settle(laws.len() as f64 + 4.0);
        mean.finish()
    }

    /// The law of one node within its event, from those of the level below.
    fn node(
        &self,
        level: usize,
        position: i32,
        event: Option<(i32, &[LevelLaws])>,
        below: &[Law],
        all_below: &[Law],
        watch: &Watch<'_>,
    ) -> Result<Law, LawError> {
        watch.check()?;
        let moves = children(self.model, level, position);
        let k = event.map(|(k, _)| k);
        let both = if level + 1 == self.atoms.level {
            self.placed(level, moves, k)
        } else {
            let first = self.model.position_range(level + 1)[0];
            let range = (moves.start() - first) as usize..=(moves.end() - first) as usize;
            let (below, all_below) = (&below[range.clone()], &all_below[range]);
            if let Some((_, all)) = event {
                if below.iter().zip(all_below).all(|(law, all)| law.is(all) && !all.is_nothing()) {
                    return Ok(Law::nothing());
                }
                if below.iter().all(Law::is_nothing) {
                    let first = self.model.position_range(level)[0];
                    return Ok(all[level][(position - first) as usize].clone());
                }
            }
            self.turned(level, event.is_some(), below, all_below)
        };
        both.trimmed().power(self.model.branching(), self.grid)
    }

    /// The mean of the children's laws within the event of a node of `level`, in its coordinate.
    fn turned(&self, level: usize, within: bool, below: &[Law], all_below: &[Law]) -> Building {
        let Some([low, high]) = span(all_below.iter().chain(below)) else { return Building::default() };
        let share = 1.0 / all_below.len() as f64;
        let mut mean = Building::over(low, high);
        for (law, all) in below.iter().zip(all_below) {
            if !within {
                mean.add(all, share, true);
            } else if !law.is(all) {
                // The event of the children is the complementary one, and so is their truth.
                mean.add(all, share, true);
                mean.add(law, -share, true);
            }
        }
        mean.settle(4.0 * all_below.len() as f64 + 6.0);
        mean.trimmed().turned(self.grid, self.rounding(level + 1))
    }

    /// The mean of atoms within the event of a node of `level`, in its coordinate.
    fn placed(&self, level: usize, moves: std::ops::RangeInclusive<i32>, k: Option<i32>) -> Building {
        let share = 1.0 / f64::from(moves.end() - moves.start() + 1);
        let coordinate = coordinate(level);
        let inside = |atom: &Atom| match coordinate {
            Coordinate::Won => k.is_none_or(|k| atom.minimax >= k),
            Coordinate::Lost => k.is_none_or(|k| atom.minimax < k),
        };
        let found = || {
            let atoms = moves.clone().flat_map(|position| {
                let places = &self.places[self.atoms.place(position)];
                self.atoms.at(position).iter().zip(places)
            });
            atoms.filter(|(atom, _)| inside(atom))
        };
        let (mut low, mut high, mut count) = (usize::MAX, 0, 0usize);
        for (_, (index, _)) in found() {
            (low, high, count) = (low.min(*index as usize), high.max(*index as usize), count + 1);
        }
        if count == 0 {
            return Building::default();
        }
        let mut placed = Building::over(low, (high + 1).min(self.grid.cap()));
        for (atom, (index, part)) in found() {
            let truth = if coordinate == Coordinate::Won { atom.truth[0] } else { atom.truth[1] };
            let mass = share * atom.mass;
            placed.put(*index as usize, part * mass, part * mass * truth);
            if *part < 1.0 {
                placed.put(*index as usize + 1, (1.0 - part) * mass, (1.0 - part) * mass * truth);
            }
        }
        let roundings = (count + 8) as f64 * f64::EPSILON;
        let error = self.atoms.mass_error + roundings;
        placed.error = [error, error + self.atoms.value_error];
        placed
    }
}

fn coordinate(level: usize) -> Coordinate {
    match Mover::at(level) {
        Mover::Min => Coordinate::Won,
        Mover::Max => Coordinate::Lost,
    }
}
