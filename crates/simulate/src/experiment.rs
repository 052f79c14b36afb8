//! A spec made ready to run: all tables, and one tree at a time.

use prodmax_mass::CurveTable;
use prodmax_rules::BackupRule;
use prodmax_rules::minimax::Minimax;
use prodmax_rules::numbers::Doubles;
use prodmax_rules::product::Product;

use crate::contest::{Contest, decisive, errors};
use crate::counts::{DepthCounts, TreeCounts};
use crate::generate::Generator;
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
    heuristic: Vec<f64>,
    estimated: Vec<f64>,
    actual: Vec<f64>,
    generator: Generator,
}

/// The arrays of one thread.
#[derive(Clone, Debug)]
pub struct Workspace {
    tree: Tree,
    minimax: Search,
    estimated: Search,
    actual: Search,
    minimax_choices: Vec<u8>,
    estimated_choices: Vec<u8>,
    actual_choices: Vec<u8>,
    contest: Contest,
}

impl Workspace {
    /// The size of all arrays.
    pub fn bytes(&self) -> usize {
        let choices = [&self.minimax_choices, &self.estimated_choices, &self.actual_choices];
        let searches = size_of_val(self.minimax.values())
            + size_of_val(self.estimated.values())
            + size_of_val(self.actual.values());
        self.tree.bytes() + searches + choices.iter().map(|c| c.len()).sum::<usize>() + self.contest.bytes()
    }

    /// The tree that was drawn last.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Minimax's values.
    pub fn minimax(&self) -> &Search {
        &self.minimax
    }

    /// The values of Product with estimated probabilities.
    pub fn estimated(&self) -> &Search {
        &self.estimated
    }

    /// The values of Product with actual probabilities.
    pub fn actual(&self) -> &Search {
        &self.actual
    }
}

impl Experiment {
    /// Checks a spec and computes its tables.
    pub fn new(spec: &SimulationSpec) -> Result<Self, SpecError> {
        let scale = Scale::new(spec)?;
        let h_max = spec.h_max as i32;
        let curve = CurveTable::new(spec.truth.clone(), h_max);
        let actual = scale.probabilities(&curve);
        let estimated = scale.probabilities(&CurveTable::new(spec.estimate.clone(), h_max));
        let generator = Generator::new(&scale, &actual, spec.assignment, spec.tree_depth, spec.seed);
        let heuristic = scale.values().iter().map(|h| f64::from(h.get())).collect();
        Ok(Self { spec: spec.clone(), scale, curve, heuristic, estimated, actual, generator })
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
        let choices = || vec![0; array_len(depth)];
        Workspace {
            tree: Tree::new(depth),
            minimax: Search::new(depth),
            estimated: Search::new(depth),
            actual: Search::new(depth),
            minimax_choices: choices(),
            estimated_choices: choices(),
            actual_choices: choices(),
            contest: Contest::new(depth),
        }
    }

    /// Draws a tree and gives every node its static values.
    fn start(&self, number: u64, room: &mut Workspace) {
        self.generator.draw(number, &mut room.tree);
        room.minimax.start(&room.tree.places, &self.heuristic);
        room.estimated.start(&room.tree.places, &self.estimated);
        room.actual.start(&room.tree.places, &self.actual);
    }

    /// Searches to `depth`, if not so deep already.
    fn search(&self, depth: usize, room: &mut Workspace) {
        let (minimax, product) = (Minimax.prepare(Doubles, depth), Product.prepare(Doubles, depth));
        while room.minimax.depth() < depth {
            room.minimax.deepen(&minimax);
            room.estimated.deepen(&product);
            room.actual.deepen(&product);
        }
    }

    /// Draws a tree and backs the values of its leaves up to the children of the root.
    pub fn search_root(&self, number: u64, room: &mut Workspace) {
        self.start(number, room);
        self.search(self.spec.tree_depth - 1, room);
    }

    /// Draws a tree, searches it to all depths and plays all its games.
    pub fn tree(&self, number: u64, room: &mut Workspace) -> TreeCounts {
        self.start(number, room);
        let mut depths = Vec::with_capacity(self.spec.depths.len());
        for &d in &self.spec.depths {
            self.search(d - 1, room);
            room.minimax.choose(&mut room.minimax_choices);
            room.estimated.choose(&mut room.estimated_choices);
            room.actual.choose(&mut room.actual_choices);
            depths.push(self.count(d, room));
        }
        TreeCounts { tree: number, depths }
    }

    fn count(&self, d: usize, room: &mut Workspace) -> DepthCounts {
        let last = self.spec.tree_depth - d;
        let truth = &room.tree.truth;
        DepthCounts {
            d,
            pairs: (2 << last) - 1,
            decisive: decisive(truth, last),
            minimax_errors: errors(truth, &room.minimax_choices, last),
            estimated_errors: errors(truth, &room.estimated_choices, last),
            actual_errors: errors(truth, &room.actual_choices, last),
            estimated: room.contest.play(truth, &room.minimax_choices, &room.estimated_choices, last),
            actual: room.contest.play(truth, &room.minimax_choices, &room.actual_choices, last),
        }
    }
}
