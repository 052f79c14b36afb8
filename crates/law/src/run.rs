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
use prodmax_jobs::checkpoint::{Checkpoint, bits, double};
use prodmax_rules::Curves;

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
    /// Opens the file of this computation; without a path, sums are kept in memory only.
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
        let nothing: Vec<Law> = self.recursions.iter().map(|_| Law::empty()).collect();
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    use prodmax_enumerate::ZeroMode;
    use prodmax_rules::Curve;

    use super::*;
    use crate::Options;
    use crate::atoms::Atoms;
    use crate::ranked::Ranked;

    static NOT_INTERRUPTED: AtomicBool = AtomicBool::new(false);

    fn quiet(_: u64, _: u64) {}

    fn options() -> Options<'static> {
        Options::new(64, &NOT_INTERRUPTED, &quiet)
    }

    /// Leaves at the positions -8 to 3: twelve minimax values, in batches of eight and four.
    fn model() -> Model {
        Model::new(1, &[3, 8], ZeroMode::Skip, 20).unwrap().with_branching(3).unwrap()
    }

    fn curves() -> Curves {
        Curves::new(Curve::arctan(4), Curve::arctan(1), 20)
    }

    fn nothing_kept() -> Kept {
        Kept { file: None, parts: Vec::new() }
    }

    fn part(steps: u32, kind: Kind, value: i32) -> Part {
        let sum = |number: f64| Sum {
            shares: Shares { critical: number, first_error: 2.0 * number, second_error: 4.0 * number },
            error: 8.0 * number,
        };
        let sums = kind.sums().iter().enumerate().map(|(place, _)| sum(0.1 + place as f64)).collect();
        Part { steps, kind, value, sums }
    }

    /// Certain to be critical: M is less than P even if M is rounded up and P down. Possibly critical: the other way
    /// round, and what is beyond the cap may be less than the cap.
    #[test]
    fn kinds_have_their_placements_and_sums() {
        assert_eq!(Kind::Bounds.placements(), [Placement::Down, Placement::Up]);
        assert_eq!(Kind::Mean.placements(), [Placement::Mean]);
        assert_eq!(Kind::Bounds.sums(), [(1, 0, Equal::NEVER), (0, 1, Equal::BEYOND)]);
        assert_eq!(Kind::Mean.sums(), [(0, 0, Equal::HALF)]);
        assert_eq!([Kind::Bounds.name(), Kind::Mean.name()], ["bounds", "mean"]);
    }

    #[test]
    fn parts_are_read_back_as_they_were_written() {
        for kind in [Kind::Bounds, Kind::Mean] {
            let part = part(64, kind, -5);
            let text = part.format();
            assert_eq!(Part::parse(text.split_ascii_whitespace()), Some(part));
            // One word more or less is damage.
            assert_eq!(Part::parse(format!("{text} 0").split_ascii_whitespace()), None);
            assert_eq!(Part::parse(text.rsplit_once(' ').unwrap().0.split_ascii_whitespace()), None);
            assert_eq!(Part::parse(text.replace(kind.name(), "median").split_ascii_whitespace()), None);
        }
        // 0.5, 1, 2 and 4 in hexadecimal.
        let sums =
            vec![Sum { shares: Shares { critical: 0.5, first_error: 1.0, second_error: 2.0 }, error: 4.0 }];
        let text = Part { steps: 32, kind: Kind::Mean, value: 7, sums }.format();
        assert_eq!(text, "32 mean 7 3fe0000000000000 3ff0000000000000 4000000000000000 4010000000000000");
    }

    #[test]
    fn a_part_is_found_only_by_all_that_it_belongs_to() {
        let mut kept = nothing_kept();
        kept.keep(part(64, Kind::Mean, 3)).unwrap();
        kept.keep(part(64, Kind::Bounds, 3)).unwrap();
        let found =
            |steps, kind, value| kept.find(steps, kind, value).map(|part| (part.kind, part.sums.len()));
        assert_eq!(found(64, Kind::Mean, 3), Some((Kind::Mean, 1)));
        assert_eq!(found(64, Kind::Bounds, 3), Some((Kind::Bounds, 2)));
        assert_eq!([found(32, Kind::Mean, 3), found(64, Kind::Mean, -3)], [None; 2]);
    }

    #[test]
    fn a_file_keeps_the_parts_of_one_computation() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sums");
        let mut kept = Kept::open(Some(&path), &model(), &curves(), 100).unwrap();
        let parts = [part(64, Kind::Mean, 3), part(128, Kind::Bounds, -8)];
        for part in &parts {
            kept.keep(part.clone()).unwrap();
        }
        drop(kept);
        assert_eq!(Kept::open(Some(&path), &model(), &curves(), 100).unwrap().parts, parts);
        let other = Kept::open(Some(&path), &model(), &curves(), 101);
        assert!(matches!(other, Err(LawError::Checkpoint(text)) if text.contains("listed")));
        let fewer = model().with_branching(2).unwrap();
        assert!(Kept::open(Some(&path), &fewer, &curves(), 100).is_err());
        assert!(Kept::open(None, &model(), &curves(), 100).unwrap().parts.is_empty());
    }

    /// From the laws of every single value, from the greatest down.
    #[test]
    fn a_pass_sums_over_neighbouring_values() {
        let (model, curves, grid) = (model(), curves(), Grid::new(64).unwrap());
        let atoms = Atoms::of(&model, &curves, 0);
        let watch = Watch::new(&options(), 1);
        for kind in [Kind::Bounds, Kind::Mean] {
            let passed = Pass::new(&model, &atoms, &grid, kind).run(&mut nothing_kept(), &watch).unwrap();
            let recursions: Vec<Recursion<'_>> =
                kind.placements().iter().map(|&place| Recursion::new(&model, &atoms, &grid, place)).collect();
            let all: Vec<AllTrees> =
                recursions.iter().map(|recursion| recursion.all_trees(&watch).unwrap()).collect();
            let tail = |place: usize, k: i32| match k {
                4 => Law::empty(),
                -8 => all[place].total.clone(),
                _ => recursions[place].tail(k, &all[place], &watch).unwrap(),
            };
            for (&(m, p, equal), found) in kind.sums().iter().zip(&passed.sums) {
                let sum = |k: i32| {
                    let [m_laws, p_laws] = [m, p].map(|place| [tail(place, k), tail(place, k + 1)]);
                    critical(
                        Around { all: &all[m].total, at_least: &m_laws[0], more: &m_laws[1] },
                        Around { all: &all[p].total, at_least: &p_laws[0], more: &p_laws[1] },
                        3,
                        grid.cap(),
                        equal,
                    )
                };
                let sums: Vec<Sum> = (-8..=3).rev().map(sum).collect();
                assert!(found.shares.critical > 0.0 && sums.len() == 12);
                assert_eq!(*found, Sum::total(sums.iter()));
            }
            assert_eq!(passed.totals.len(), recursions.len());
            for (found, all) in passed.totals.iter().zip(&all) {
                assert_eq!((&found.row, found.error), (&all.total.row, all.total.error));
            }
        }
    }

    #[test]
    fn bounds_hold_what_a_list_of_all_moves_gives() {
        let (model, curves, grid) = (model(), curves(), Grid::new(1 << 10).unwrap());
        let exact =
            Ranked::of(&model, &Atoms::of(&model, &curves, 1 << 20)).unwrap().sum(Equal::NEVER).shares;
        let atoms = Atoms::of(&model, &curves, 0);
        let watch = Watch::new(&options(), 1);
        let passed = Pass::new(&model, &atoms, &grid, Kind::Bounds).run(&mut nothing_kept(), &watch).unwrap();
        let [least, most] = passed.sums[..] else { panic!("two sums") };
        for (exact, least, most) in [
            (exact.critical, least.shares.critical, most.shares.critical),
            (exact.first_error, least.shares.first_error, most.shares.first_error),
            (exact.second_error, least.shares.second_error, most.shares.second_error),
        ] {
            assert!(least < exact && exact < most && most - least < 0.05 * exact, "{least} {exact} {most}");
        }
    }

    /// The law within {m >= the least value} is that of all trees itself.
    #[test]
    fn the_least_value_needs_no_law_of_its_own() {
        let (model, curves, grid) = (model(), curves(), Grid::new(16).unwrap());
        let atoms = Atoms::of(&model, &curves, 0);
        let watch = Watch::new(&options(), 1);
        let pass = Pass::new(&model, &atoms, &grid, Kind::Bounds);
        let all = pass.all_trees(&watch).unwrap();
        let tails = pass.tails(&[-7, -8], &all, &watch).unwrap();
        for (place, all) in all.iter().enumerate() {
            assert!(!tails[0][place].shares_row(&all.total) && tails[1][place].shares_row(&all.total));
        }
        assert_eq!(pass.totals(&watch).unwrap().len(), 2);
    }

    /// The sums of a pass and the progress, in ascending order.
    fn run(kept: &mut Kept) -> (Vec<Sum>, Vec<(u64, u64)>) {
        let (model, curves, grid) = (model(), curves(), Grid::new(16).unwrap());
        let atoms = Atoms::of(&model, &curves, 0);
        let seen = Mutex::new(Vec::new());
        let progress = |done: u64, all: u64| seen.lock().unwrap().push((done, all));
        let options = Options { progress: &progress, ..options() };
        let watch = Watch::new(&options, Pass::steps(&model));
        let passed = Pass::new(&model, &atoms, &grid, Kind::Bounds).run(kept, &watch).unwrap();
        let mut seen = seen.into_inner().unwrap();
        seen.sort_unstable();
        (passed.sums, seen)
    }

    /// All trees and twelve values are thirteen steps. A batch that is kept is done at once; the first one that is not
    /// takes one more step, for the law above it, which the number of all steps does not have.
    #[test]
    fn kept_values_are_not_computed_again_and_the_sums_are_the_same() {
        let of = |steps: &[u64]| steps.iter().map(|&done| (done, 13)).collect::<Vec<_>>();
        let mut kept = nothing_kept();
        let (sums, seen) = run(&mut kept);
        assert_eq!(seen, of(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]));
        let values: Vec<i32> = kept.parts.iter().map(|part| part.value).collect();
        assert_eq!(values, (-8..=3).rev().collect::<Vec<_>>());
        assert_eq!(run(&mut kept), (sums.clone(), of(&[1, 9, 13])));
        assert_eq!(kept.parts.len(), 12);
        // The second batch is missing, or one value of it.
        let full = kept.parts.clone();
        for left in [8, 11] {
            kept.parts = full[..left].to_vec();
            assert_eq!(run(&mut kept), (sums.clone(), of(&[1, 9, 10, 11, 12, 13, 13])));
            assert_eq!(kept.parts.len(), left + 4);
        }
        // The first batch is missing.
        kept.parts = full[8..].to_vec();
        assert_eq!(run(&mut kept), (sums.clone(), of(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 13])));
        // What is kept is what counts.
        kept.parts[0].sums[0].shares.critical += 0.25;
        assert!(run(&mut kept).0[0].shares.critical > sums[0].shares.critical + 0.2);
    }
}
