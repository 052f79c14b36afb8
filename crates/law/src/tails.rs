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
    /// Watches work of `all` steps.
    pub(super) fn new(options: &Options<'a>, all: u64) -> Self {
        Self { interrupt: options.interrupt, progress: options.progress, done: AtomicU64::new(0), all }
    }

    fn check(&self) -> Result<(), LawError> {
        if self.interrupt.load(Ordering::SeqCst) { Err(LawError::Interrupted) } else { Ok(()) }
    }

    /// Reports `count` more steps as done.
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
        let Some([low, high]) = span(laws.iter()) else { return Law::empty() };
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
                if below.iter().zip(all_below).all(|(law, all)| law.shares_row(all) && !all.is_empty()) {
                    return Ok(Law::empty());
                }
                if below.iter().all(Law::is_empty) {
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
            } else if !law.shares_row(all) {
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
        let inside = |position: i32| {
            let (atoms, places) = (self.atoms.at(position), &self.places[self.atoms.place(position)]);
            let split = |k: i32| atoms.partition_point(|atom| atom.minimax < k);
            let range = match (coordinate, k) {
                (_, None) => 0..atoms.len(),
                (Coordinate::Won, Some(k)) => split(k)..atoms.len(),
                (Coordinate::Lost, Some(k)) => 0..split(k),
            };
            (&atoms[range.clone()], &places[range])
        };
        let found: Vec<_> = moves.map(inside).collect();
        let count: usize = found.iter().map(|(atoms, _)| atoms.len()).sum();
        if count == 0 {
            return Building::default();
        }
        let (mut low, mut high) = (u32::MAX, 0);
        for &(index, _) in found.iter().flat_map(|&(_, places)| places) {
            (low, high) = (low.min(index), high.max(index));
        }
        let mut placed = Building::over(low as usize, (high as usize + 1).min(self.grid.cap()));
        for (atoms, places) in found {
            for (atom, &(index, part)) in atoms.iter().zip(places) {
                let truth = if coordinate == Coordinate::Won { atom.truth[0] } else { atom.truth[1] };
                let mass = share * atom.mass;
                placed.put(index as usize, part * mass, part * mass * truth);
                if part < 1.0 {
                    placed.put(index as usize + 1, (1.0 - part) * mass, (1.0 - part) * mass * truth);
                }
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use approx::{assert_abs_diff_eq, assert_relative_eq};
    use prodmax_enumerate::ZeroMode;
    use prodmax_rules::Curve;

    use super::*;
    use prodmax_rules::Curves;

    const U: f64 = f64::EPSILON / 2.0;

    static NOT_INTERRUPTED: AtomicBool = AtomicBool::new(false);

    fn quiet(_: u64, _: u64) {}

    fn watch() -> Watch<'static> {
        Watch::new(&Options::new(16, &NOT_INTERRUPTED, &quiet), 1)
    }

    fn model(root: i64, increments: &[i64]) -> Model {
        Model::new(root, increments, ZeroMode::Skip, 10).unwrap()
    }

    /// Only the leaves are listed.
    fn leaves(model: &Model) -> Atoms {
        Atoms::of(model, &Curves::new(Curve::arctan(4), Curve::arctan(1), 10), 0)
    }

    fn curve(c: f64, h: f64) -> f64 {
        0.5 + (c * h / 10.0).atan() / (2.0 * c.atan())
    }

    /// A law from (index, mass, truth) in ascending order.
    fn law(places: &[(usize, f64, f64)], error: [f64; 2]) -> Law {
        let mut building = Building::over(places[0].0, places[places.len() - 1].0);
        for &(index, mass, truth) in places {
            building.put(index, mass, truth);
        }
        building.error = error;
        building.finish()
    }

    fn assert_row(found: &Building, offset: usize, mass: &[f64], truth: &[f64]) {
        assert_eq!((found.row.offset, found.row.mass.len()), (offset, mass.len()));
        for (found, expected) in [(&found.row.mass, mass), (&found.row.truth, truth)] {
            for (x, y) in found.iter().zip(expected) {
                assert_abs_diff_eq!(*x, *y, epsilon = 1e-14);
            }
        }
    }

    fn assert_errors(found: [f64; 2], expected: [f64; 2]) {
        for (x, y) in found.into_iter().zip(expected) {
            assert_relative_eq!(x, y, epsilon = 0.0, max_relative = 1e-12);
        }
    }

    #[test]
    fn steps_add_up_and_never_exceed_their_number() {
        let seen = Mutex::new(Vec::new());
        let progress = |done: u64, all: u64| seen.lock().unwrap().push((done, all));
        let watch = Watch::new(&Options::new(16, &NOT_INTERRUPTED, &progress), 9);
        for count in [3, 5, 4] {
            watch.step(count);
        }
        assert_eq!(*seen.lock().unwrap(), [(3, 9), (8, 9), (9, 9)]);
    }

    #[test]
    fn the_flag_stops_every_node() {
        let stop = AtomicBool::new(true);
        let stopped = Watch::new(&Options::new(16, &stop, &quiet), 1);
        assert_eq!((stopped.check(), watch().check()), (Err(LawError::Interrupted), Ok(())));
        let (model, grid) = (model(-1, &[1, 2, 1]), Grid::new(16).unwrap());
        let atoms = leaves(&model);
        let recursion = Recursion::new(&model, &atoms, &grid, Placement::Down);
        assert!(recursion.all_trees(&stopped).is_err());
        let all = recursion.all_trees(&watch()).unwrap();
        assert!(recursion.tail(0, &all, &stopped).is_err() && recursion.tail(0, &all, &watch()).is_ok());
    }

    #[test]
    fn min_nodes_multiply_what_is_won_and_max_nodes_what_is_lost() {
        assert_eq!([1, 2, 3].map(coordinate), [Coordinate::Won, Coordinate::Lost, Coordinate::Won]);
    }

    /// With q = 15/16, the leaves -1, +1 and +2 have p = 0.4365, 0.5635 and 0.6257, that is, ln p / ln q = 12.84, 8.89
    /// and 7.27. If p is only known within 0.01, 0.4265 is 13.20, 0.5535 is 9.17 and 0.6157 is 7.52.
    #[test]
    fn leaves_below_min_nodes_are_placed_by_what_is_won() {
        let (model, grid) = (model(1, &[1, 2]), Grid::new(16).unwrap());
        let mut atoms = leaves(&model);
        let places = |atoms: &Atoms, placement: Placement| -> Vec<(u32, f64)> {
            let recursion = Recursion::new(&model, atoms, &grid, placement);
            [-1, 0, 1].map(|position| recursion.places[atoms.place(position)][0]).into()
        };
        assert_eq!(places(&atoms, Placement::Down), [(13, 1.0), (9, 1.0), (8, 1.0)]);
        assert_eq!(places(&atoms, Placement::Up), [(12, 1.0), (8, 1.0), (7, 1.0)]);
        let split = places(&atoms, Placement::Mean);
        for (h, (lower, part)) in [-1.0, 1.0, 2.0].into_iter().zip(split) {
            let mean = part * grid.value(lower as usize) + (1.0 - part) * grid.value(lower as usize + 1);
            assert_relative_eq!(mean, curve(1.0, h), epsilon = 1e-14);
        }
        atoms.value_error = 0.01;
        assert_eq!(places(&atoms, Placement::Down), [(14, 1.0), (10, 1.0), (8, 1.0)]);
    }

    /// What is lost at -1 is what is won at +1: 8.89 steps, and 12.84 at +1.
    #[test]
    fn leaves_below_max_nodes_are_placed_by_what_is_lost() {
        let (model, grid) = (model(-1, &[1, 2, 1]), Grid::new(16).unwrap());
        let atoms = leaves(&model);
        let places = |placement: Placement| {
            let recursion = Recursion::new(&model, &atoms, &grid, placement);
            [-1, 0].map(|position| recursion.places[atoms.place(position)][0])
        };
        assert_eq!(places(Placement::Down), [(8, 1.0), (12, 1.0)]);
        assert_eq!(places(Placement::Up), [(9, 1.0), (13, 1.0)]);
        assert_eq!(places(Placement::Mean).map(|(lower, _)| lower), [8, 12]);
    }

    /// A MIN node with the moves -1, +1 and +2: each has a third of the mass. Within {m >= k}, those from position k
    /// on are left. The error of the mass is that of a leaf, U, and 2 U for each leaf and 8 more roundings; that of
    /// the truth has 2 U on top, the error of a value.
    #[test]
    fn masses_and_errors_of_placed_leaves_are_counted_by_hand() {
        let (model, grid) = (model(1, &[1, 2]), Grid::new(16).unwrap());
        let mut atoms = leaves(&model);
        let third = 1.0 / 3.0;
        let [a, b, c] = [-1.0, 1.0, 2.0].map(|h| curve(4.0, h) / 3.0);
        {
            let recursion = Recursion::new(&model, &atoms, &grid, Placement::Down);
            let all = recursion.placed(1, -1..=1, None);
            assert_row(&all, 8, &[third, third, 0.0, 0.0, 0.0, third, 0.0], &[c, b, 0.0, 0.0, 0.0, a, 0.0]);
            assert_eq!(all.error, [23.0 * U, 25.0 * U]);
            let some = recursion.placed(1, -1..=1, Some(0));
            assert_row(&some, 8, &[third, third, 0.0], &[c, b, 0.0]);
            assert_eq!(some.error, [21.0 * U, 23.0 * U]);
            let one = recursion.placed(1, -1..=1, Some(1));
            assert_row(&one, 8, &[third, 0.0], &[c, 0.0]);
            assert_eq!(one.error, [19.0 * U, 21.0 * U]);
            let none = recursion.placed(1, -1..=1, Some(2));
            assert!(none.row.mass.is_empty() && none.error == [0.0; 2]);
        }
        {
            // +1 and +2 are between 8 and 9 and between 7 and 8, so 8 has a part of either.
            let recursion = Recursion::new(&model, &atoms, &grid, Placement::Mean);
            let split = recursion.placed(1, 0..=1, None);
            let q = |index: usize| grid.value(index);
            let part = |h: f64, lower: usize| (curve(1.0, h) - q(lower + 1)) / (q(lower) - q(lower + 1));
            let (one, two) = (part(1.0, 8), part(2.0, 7));
            let mass = [two / 2.0, (1.0 - two) / 2.0 + one / 2.0, (1.0 - one) / 2.0];
            let [b, c] = [1.0, 2.0].map(|h| curve(4.0, h));
            let truth = [mass[0] * c, (1.0 - two) / 2.0 * c + one / 2.0 * b, mass[2] * b];
            assert_row(&split, 7, &mass, &truth);
        }
        (atoms.mass_error, atoms.value_error) = (0.003, 0.01);
        let recursion = Recursion::new(&model, &atoms, &grid, Placement::Down);
        assert_errors(recursion.placed(1, -1..=1, None).error, [0.003, 0.013]);
    }

    /// A MAX node with the moves -1 and +1, in the coordinate of what is lost: {m < k} instead of {m >= k}.
    #[test]
    fn a_max_node_places_what_is_below() {
        let (model, grid) = (model(-1, &[1, 2, 1]), Grid::new(16).unwrap());
        let atoms = leaves(&model);
        let recursion = Recursion::new(&model, &atoms, &grid, Placement::Down);
        let [a, b] = [-1.0, 1.0].map(|h| (1.0 - curve(4.0, h)) / 2.0);
        for k in [None, Some(1)] {
            let both = recursion.placed(2, -1..=0, k);
            assert_row(&both, 8, &[0.5, 0.0, 0.0, 0.0, 0.5, 0.0], &[a, 0.0, 0.0, 0.0, b, 0.0]);
        }
        assert_row(&recursion.placed(2, -1..=0, Some(0)), 8, &[0.5, 0.0], &[a, 0.0]);
        assert!(recursion.placed(2, -1..=0, Some(-1)).row.mass.is_empty());
    }

    /// The laws of three children within their event and of all their trees. The second has the same law in both, the
    /// third nothing within.
    fn three_children(errors: [[f64; 2]; 4]) -> [Vec<Law>; 2] {
        let [first, first_within, second, third] = errors;
        let all = vec![
            law(&[(10, 0.5, 0.1), (11, 0.25, 0.2), (12, 0.25, 0.05)], first),
            law(&[(11, 0.625, 0.5), (12, 0.375, 0.125)], second),
            law(&[(10, 1.0, 0.75)], third),
        ];
        let within = law(&[(10, 0.125, 0.025), (11, 0.0625, 0.05)], first_within);
        [vec![within, all[1].clone(), Law::empty()], all]
    }

    /// With q = 15/16, the indices 10, 11 and 12 turn into 11.52, 10.48 and 9.57, rounded up for values that are
    /// rounded down: 12, 11 and 10, and the row has room for 13.
    #[test]
    fn children_are_subtracted_complemented_and_turned() {
        let (model, grid) = (model(-1, &[1, 2, 1]), Grid::new(16).unwrap());
        let atoms = leaves(&model);
        let recursion = Recursion::new(&model, &atoms, &grid, Placement::Down);
        let [below, all] = three_children([[0.0; 2]; 4]);
        let thirds = |numbers: [f64; 4]| numbers.map(|number| number / 3.0);
        // What is not within: 0.375, 0.1875 and 0.25 of the first child, nothing of the second, all of the third.
        // What is not true of it: 0.375 - 0.075, 0.1875 - 0.15, 0.25 - 0.05 and 1 - 0.75.
        let rest = recursion.turned(1, true, &below, &all);
        assert_row(&rest, 10, &thirds([0.25, 0.1875, 1.375, 0.0]), &thirds([0.2, 0.0375, 0.55, 0.0]));
        // 4 · 3 + 6 roundings of both sums, those of the mass once more in the truth, and 2 + 4 for turning.
        assert_errors(rest.error, [1.01 * (18.0 + 6.0) * U, 1.01 * (18.0 + 18.0 + 6.0) * U]);
        let whole = recursion.turned(1, false, &below, &all);
        assert_row(&whole, 10, &thirds([0.625, 0.875, 1.5, 0.0]), &thirds([0.45, 0.175, 0.65, 0.0]));
        assert_errors(whole.error, [1.01 * 24.0 * U, 1.01 * 42.0 * U]);
        // Every row is empty.
        let nothing = vec![Law::empty(); 2];
        assert!(recursion.turned(1, true, &nothing, &nothing).row.mass.is_empty());
        // Rounded up, each index is one less.
        let recursion = Recursion::new(&model, &atoms, &grid, Placement::Up);
        let rest = recursion.turned(1, true, &below, &all);
        assert_row(&rest, 9, &thirds([0.25, 0.1875, 1.375, 0.0]), &thirds([0.2, 0.0375, 0.55, 0.0]));
    }

    /// A complement of the truth has the errors of both, and truths that are kept within the mass have those of the
    /// mass once more.
    #[test]
    fn errors_of_children_add_up() {
        let (model, grid) = (model(-1, &[1, 2, 1]), Grid::new(16).unwrap());
        let atoms = leaves(&model);
        let recursion = Recursion::new(&model, &atoms, &grid, Placement::Down);
        let [below, all] = three_children([[0.01, 0.02], [0.003, 0.005], [0.1, 0.2], [0.04, 0.07]]);
        // Not the second child: 0.01 + 0.003 + 0.04, and 0.03 + 0.008 + 0.11 with the truth.
        let rest = recursion.turned(1, true, &below, &all);
        assert_errors(rest.error, [0.053 / 3.0, (0.148 + 0.053) / 3.0]);
        // All trees: 0.01 + 0.1 + 0.04, and 0.03 + 0.3 + 0.11 with the truth.
        let whole = recursion.turned(1, false, &below, &all);
        assert_errors(whole.error, [0.15 / 3.0, (0.44 + 0.15) / 3.0]);
    }

    /// 3 + 4 roundings for the mean of three moves; there, the truth is not complemented.
    #[test]
    fn the_roots_moves_are_averaged() {
        let (model, grid) = (model(-1, &[1, 2, 1]), Grid::new(16).unwrap());
        let atoms = leaves(&model);
        let recursion = Recursion::new(&model, &atoms, &grid, Placement::Down);
        let [_, all] = three_children([[0.0; 2]; 4]);
        let Law { row, error } = recursion.of_root(&all);
        let found = Building { row: (*row).clone(), error };
        let thirds = |numbers: [f64; 3]| numbers.map(|number| number / 3.0);
        assert_row(&found, 10, &thirds([1.5, 0.875, 0.625]), &thirds([0.85, 0.7, 0.175]));
        assert_errors(error, [1.01 * 7.0 * U, 1.01 * 14.0 * U]);
        let [_, all] = three_children([[0.01, 0.02], [0.0; 2], [0.1, 0.2], [0.04, 0.07]]);
        assert_errors(recursion.of_root(&all).error, [0.15 / 3.0, (0.29 + 0.15) / 3.0]);
        assert!(recursion.of_root(&[Law::empty(), Law::empty()]).is_empty());
    }

    /// The event of a node is that no child is in the complementary one: it has nothing if every tree of every child
    /// is in that, and all its trees if none is.
    #[test]
    fn certain_events_need_no_convolution() {
        let (model, grid, watch) = (model(-1, &[1, 2, 1]), Grid::new(16).unwrap(), watch());
        let atoms = leaves(&model);
        let recursion = Recursion::new(&model, &atoms, &grid, Placement::Down);
        let all = recursion.all_trees(&watch).unwrap().levels;
        let node = |below: &[Law], all_below: &[Law]| {
            recursion.node(1, 0, Some((0, &all)), below, all_below, &watch).unwrap()
        };
        // The node at 0 is the second one of level 1, and its moves are the last three of four.
        assert!(node(&all[2], &all[2]).is_empty());
        assert!(node(&vec![Law::empty(); 4], &all[2]).shares_row(&all[1][1]));
        let mut some = all[2].clone();
        some[2] = Law::empty();
        let mixed = node(&some, &all[2]);
        assert!(!mixed.is_empty() && !mixed.shares_row(&all[1][1]));
        // The first child is not among its moves.
        let mut others = all[2].clone();
        others[0] = Law::empty();
        assert!(node(&others, &all[2]).is_empty());
        let nothing = vec![Law::empty(); 4];
        assert!(node(&nothing, &nothing).shares_row(&all[1][1]));
    }

    /// A subtree whose values are rounded as on the grid.
    #[derive(Clone, Copy)]
    struct ListedTree {
        minimax: i32,
        index: usize,
        truth: f64,
        chance: f64,
    }

    /// Every subtree of a node, one by one, in the coordinate of its level.
    fn trees(recursion: &Recursion<'_>, level: usize, position: i32) -> Vec<ListedTree> {
        let (model, grid) = (recursion.model, recursion.grid);
        let own = children(model, level, position);
        let share = 1.0 / f64::from(own.end() - own.start() + 1);
        let mut moves = Vec::new();
        for child in own {
            let mut place = |tree: ListedTree, (index, part): (usize, f64)| {
                moves.push(ListedTree { index, chance: share * part * tree.chance, ..tree });
                if part < 1.0 {
                    moves.push(ListedTree {
                        index: index + 1,
                        chance: share * (1.0 - part) * tree.chance,
                        ..tree
                    });
                }
            };
            if level + 1 == model.depth() {
                let atom = recursion.atoms.at(child)[0];
                let (index, part) = recursion.places[recursion.atoms.place(child)][0];
                let truth = if level % 2 == 1 { atom.truth[0] } else { atom.truth[1] };
                place(ListedTree { minimax: child, index: 0, truth, chance: 1.0 }, (index as usize, part));
            } else {
                let rounding = recursion.rounding(level + 1);
                for tree in trees(recursion, level + 1, child) {
                    place(ListedTree { truth: 1.0 - tree.truth, ..tree }, grid.turn(tree.index, rounding));
                }
            }
        }
        let join = |a: &ListedTree, b: &ListedTree| ListedTree {
            minimax: if level % 2 == 1 { a.minimax.min(b.minimax) } else { a.minimax.max(b.minimax) },
            index: (a.index + b.index).min(grid.cap()),
            truth: a.truth * b.truth,
            chance: a.chance * b.chance,
        };
        (1..model.branching()).fold(moves.clone(), |nodes, _| {
            nodes.iter().flat_map(|node| moves.iter().map(move |next| join(node, next))).collect()
        })
    }

    #[test]
    fn laws_are_those_of_a_list_of_all_subtrees() {
        let grid = Grid::new(16).unwrap();
        let binary = [Placement::Down, Placement::Up, Placement::Mean];
        let models = [(&[1, 2, 1][..], 2, &binary[..]), (&[1, 1, 1], 3, &binary[..2]), (&[2, 3], 2, &binary)];
        for (increments, branching, placements) in models {
            let model = model(-1, increments).with_branching(branching).unwrap();
            let atoms = leaves(&model);
            for &placement in placements {
                let recursion = Recursion::new(&model, &atoms, &grid, placement);
                let all = recursion.all_trees(&watch()).unwrap();
                let [first, last] = model.position_range(1);
                let share = 1.0 / f64::from(last - first + 1);
                let listed: Vec<ListedTree> =
                    (first..=last).flat_map(|position| trees(&recursion, 1, position)).collect();
                let check = |found: &Law, least: i32| {
                    let mut expected = vec![[0.0; 2]; grid.cap() + 1];
                    for tree in listed.iter().filter(|tree| tree.minimax >= least) {
                        expected[tree.index][0] += share * tree.chance;
                        expected[tree.index][1] += share * tree.chance * tree.truth;
                    }
                    let row = &found.row;
                    for (place, (mass, truth)) in row.mass.iter().zip(&row.truth).enumerate() {
                        expected[row.offset + place][0] -= mass;
                        expected[row.offset + place][1] -= truth;
                    }
                    for part in 0..2 {
                        let off: f64 = expected.iter().map(|both| both[part].abs()).sum();
                        assert!(
                            off < 1e-13 && off <= found.error[part],
                            "{increments:?} {placement:?}: {off}"
                        );
                        assert!(found.error[part] < 1e-11);
                    }
                };
                let [low, high] = model.position_range(model.depth());
                check(&all.total, low);
                for k in low..=high + 1 {
                    check(&recursion.tail(k, &all, &watch()).unwrap(), k);
                }
            }
        }
    }
}
