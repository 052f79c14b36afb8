//! A spec made ready to run: all tables, and one tree at a time.

use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_mass::CurveTable;

use crate::contest::{Contest, Pairs, decisive, errors};
use crate::counts::{DepthCounts, TreeCounts};
use crate::generate::Generator;
use crate::players::{LeafTables, LineUp};
use crate::published::Probabilities;
use crate::scale::Scale;
use crate::search::Search;
use crate::spec::{SimulationSpec, SpecError};
use crate::tree::{Tree, array_len};

/// The tables of one simulation, shared by all threads.
#[derive(Debug)]
pub struct Experiment {
    spec: SimulationSpec,
    scale: Scale,
    curve: CurveTable,
    line_up: LineUp,
    generator: Generator,
}

/// The arrays of one thread.
#[derive(Clone, Debug)]
pub struct Workspace {
    tree: Tree,
    seats: Vec<Seat>,
    contest: Contest,
}

/// The arrays of one player.
#[derive(Clone, Debug)]
struct Seat {
    search: Search,
    choices: Vec<u8>,
}

impl Workspace {
    /// The size of all arrays.
    pub fn bytes(&self) -> usize {
        let seat = |seat: &Seat| size_of_val(seat.search.values()) + seat.choices.len();
        self.tree.bytes() + self.seats.iter().map(seat).sum::<usize>() + self.contest.bytes()
    }

    /// About the size of the arrays of one thread, with as many players as two contests can have.
    pub fn bytes_for(tree_depth: usize) -> u64 {
        const PLAYERS: u64 = 3;
        // Places and truth; values and choices of every player; two results for every node of a contest.
        array_len(tree_depth) as u64 * (3 + PLAYERS * 9 + 2)
    }

    /// The tree that was drawn last.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }
}

impl Experiment {
    /// Checks a spec and computes its tables.
    pub fn new(spec: &SimulationSpec) -> Result<Self, SpecError> {
        let scale = Scale::new(spec)?;
        let h_max = spec.h_max as i32;
        let curve = CurveTable::new(spec.truth.clone(), h_max);
        let leaves = LeafTables {
            heuristic: scale.values().iter().map(|h| f64::from(h.get())).collect(),
            estimated: scale.probabilities(&CurveTable::new(spec.estimate.clone(), h_max)),
            actual: scale.probabilities(&curve),
        };
        let generator = Generator::new(&scale, &leaves.actual, spec.assignment, spec.tree_depth, spec.seed);
        let line_up = LineUp::new(&spec.rules, &leaves, spec.tree_depth);
        Ok(Self { spec: spec.clone(), scale, curve, line_up, generator })
    }

    /// What is simulated.
    pub fn spec(&self) -> &SimulationSpec {
        &self.spec
    }

    /// The heuristic values.
    pub fn scale(&self) -> &Scale {
        &self.scale
    }

    /// The curve of the true values.
    pub fn curve(&self) -> &CurveTable {
        &self.curve
    }

    /// Room for one thread.
    pub fn workspace(&self) -> Workspace {
        let depth = self.spec.tree_depth;
        let seat = || Seat { search: Search::new(depth), choices: vec![0; array_len(depth)] };
        Workspace {
            tree: Tree::new(depth),
            seats: self.line_up.players.iter().map(|_| seat()).collect(),
            contest: Contest::new(depth),
        }
    }

    /// The values of the first and of the second rule in a contest, as they were searched last.
    pub fn searches<'a>(&self, room: &'a Workspace, probabilities: Probabilities) -> [&'a Search; 2] {
        self.line_up.contests[probabilities as usize].map(|player| &room.seats[player].search)
    }

    /// Draws a tree and gives every node its static values.
    fn start(&self, number: u64, room: &mut Workspace, interrupt: &AtomicBool) {
        self.generator.draw_until(number, &mut room.tree, interrupt);
        if interrupt.load(Ordering::Relaxed) {
            return;
        }
        for (player, seat) in self.line_up.players.iter().zip(&mut room.seats) {
            player.start(&room.tree.places, &mut seat.search);
        }
    }

    /// Searches to depth `d` (at least 1), deeper than before: the children of all nodes get the values among which such a
    /// search chooses.
    fn search(&self, d: usize, room: &mut Workspace, interrupt: &AtomicBool) {
        for (player, seat) in self.line_up.players.iter().zip(&mut room.seats) {
            player.search(d, &room.tree.places, &mut seat.search, interrupt);
        }
    }

    /// Draws a tree and backs the values of its leaves up to the children of the root.
    pub fn search_root(&self, number: u64, room: &mut Workspace) {
        let never = AtomicBool::new(false);
        self.start(number, room, &never);
        self.search(self.spec.tree_depth, room, &never);
    }

    /// Draws a tree, searches it to all depths and plays all its games.
    pub fn tree(&self, number: u64, room: &mut Workspace) -> TreeCounts {
        let depths = self.depths(number, room, &AtomicBool::new(false));
        TreeCounts { tree: number, depths }
    }

    /// The same, given up when `interrupt` becomes true: a deep tree can take a while.
    pub fn tree_until(
        &self,
        number: u64,
        room: &mut Workspace,
        interrupt: &AtomicBool,
    ) -> Option<TreeCounts> {
        let depths = self.depths(number, room, interrupt);
        (!interrupt.load(Ordering::Relaxed)).then_some(TreeCounts { tree: number, depths })
    }

    fn depths(&self, number: u64, room: &mut Workspace, interrupt: &AtomicBool) -> Vec<DepthCounts> {
        self.start(number, room, interrupt);
        let mut depths = Vec::with_capacity(self.spec.depths.len());
        for &d in &self.spec.depths {
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
            self.search(d, room, interrupt);
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
            for seat in &mut room.seats {
                seat.search.choose(&mut seat.choices);
            }
            depths.push(self.count(d, room));
        }
        depths
    }

    fn count(&self, d: usize, room: &mut Workspace) -> DepthCounts {
        let last = self.spec.tree_depth - d;
        let truth = &room.tree.truth;
        let wrong: Vec<u64> = room.seats.iter().map(|seat| errors(truth, &seat.choices, last)).collect();
        let [estimated_errors, actual_errors] =
            self.line_up.contests.map(|players| players.map(|player| wrong[player]));
        let mut play = |[first, second]: [usize; 2]| -> Pairs {
            room.contest.play(truth, &room.seats[first].choices, &room.seats[second].choices, last)
        };
        let [estimated, actual] = self.line_up.contests;
        let estimated_pairs = play(estimated);
        // Neither rule sees the estimate: it is the same contest.
        let actual_pairs = if actual == estimated { estimated_pairs } else { play(actual) };
        DepthCounts {
            d,
            pairs: (2 << last) - 1,
            decisive: decisive(truth, last),
            estimated_errors,
            actual_errors,
            estimated: estimated_pairs,
            actual: actual_pairs,
        }
    }
}
