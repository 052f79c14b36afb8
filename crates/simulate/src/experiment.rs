//! A spec that is ready to run: all its tables, and one tree at a time.

use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_mass::CurveTable;

use crate::contest::{GameResults, Pairs, decisive, errors};
use crate::counts::{DepthCounts, TreeCounts};
use crate::generate::Generator;
use crate::players::{LeafTables, LineUp};
use crate::published::Probabilities;
use crate::scale::Scale;
use crate::search::SearchValues;
use crate::spec::{SimulationSpec, SpecError};
use crate::statistics::Ratio;
use crate::tree::{StoredTree, array_len};

/// The tables of one simulation, shared by all threads.
#[derive(Debug)]
pub struct Simulation {
    spec: SimulationSpec,
    scale: Scale,
    curve: CurveTable,
    line_up: LineUp,
    generator: Generator,
}

/// The arrays of one thread.
#[derive(Clone, Debug)]
pub struct Workspace {
    tree: StoredTree,
    players: Vec<PlayerArrays>,
    contest: GameResults,
}

/// The arrays of one player.
#[derive(Clone, Debug)]
struct PlayerArrays {
    search: SearchValues,
    choices: Vec<u8>,
}

impl Workspace {
    /// The size of all arrays.
    pub fn bytes(&self) -> usize {
        let bytes = |player: &PlayerArrays| size_of_val(player.search.values()) + player.choices.len();
        self.tree.bytes() + self.players.iter().map(bytes).sum::<usize>() + self.contest.bytes()
    }

    /// The approximate size of the arrays of one thread, with as many players as two contests usually have.
    pub fn bytes_for(tree_depth: usize) -> u64 {
        const PLAYERS: u64 = 3;
        // Places and truth; values and choices of every player; two results for every node of a contest.
        array_len(tree_depth) as u64 * (3 + PLAYERS * 9 + 2)
    }

    /// The tree that was drawn last.
    pub fn tree(&self) -> &StoredTree {
        &self.tree
    }
}

impl Simulation {
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

    /// How often the sign of the heuristic value is wrong about the true value: e of KHS's footnote 16, over all nodes of
    /// this many trees.
    pub fn static_error(&self, trees: u64) -> Option<Ratio> {
        let mut tree = StoredTree::new(self.spec.tree_depth);
        let counts: Vec<(u64, u64)> = (0..trees)
            .map(|number| {
                self.generator.draw(number, &mut tree);
                // Element 0 is not used.
                let nodes = tree.places.iter().zip(&tree.truth).skip(1);
                nodes.fold((0, 0), |(wrong, all), (&place, &truth)| {
                    let looks_won = self.scale.values()[usize::from(place)].get() > 0;
                    (wrong + u64::from(looks_won != (truth == 1)), all + 1)
                })
            })
            .collect();
        Ratio::of(&counts)
    }

    /// Arrays for one thread.
    pub fn workspace(&self) -> Workspace {
        let depth = self.spec.tree_depth;
        let arrays = || PlayerArrays { search: SearchValues::new(depth), choices: vec![0; array_len(depth)] };
        Workspace {
            tree: StoredTree::new(depth),
            players: self.line_up.players.iter().map(|_| arrays()).collect(),
            contest: GameResults::new(depth),
        }
    }

    /// The values of the first and second rule in a contest, from the last search.
    pub fn searches<'a>(
        &self,
        workspace: &'a Workspace,
        probabilities: Probabilities,
    ) -> [&'a SearchValues; 2] {
        self.line_up.contests[probabilities as usize].map(|player| &workspace.players[player].search)
    }

    /// Draws a tree and gives every node its static values.
    fn start(&self, number: u64, workspace: &mut Workspace, interrupt: &AtomicBool) {
        self.generator.draw_until(number, &mut workspace.tree, interrupt);
        if interrupt.load(Ordering::Relaxed) {
            return;
        }
        for (player, arrays) in self.line_up.players.iter().zip(&mut workspace.players) {
            player.start(&workspace.tree.places, &mut arrays.search);
        }
    }

    /// Searches to depth `d` (at least 1), deeper than before: the children of all nodes get the values that such a
    /// search compares.
    fn search(&self, d: usize, workspace: &mut Workspace, interrupt: &AtomicBool) {
        for (player, arrays) in self.line_up.players.iter().zip(&mut workspace.players) {
            player.search(d, &workspace.tree.places, &mut arrays.search, interrupt);
        }
    }

    /// Draws a tree and backs the values of its leaves up to the children of the root.
    pub fn search_root(&self, number: u64, workspace: &mut Workspace) {
        let never = AtomicBool::new(false);
        self.start(number, workspace, &never);
        self.search(self.spec.tree_depth, workspace, &never);
    }

    /// Draws a tree, searches it to all depths and plays all its games.
    pub fn tree(&self, number: u64, workspace: &mut Workspace) -> TreeCounts {
        let depths = self.depths(number, workspace, &AtomicBool::new(false));
        TreeCounts { tree: number, depths }
    }

    /// The same, abandoned when `interrupt` becomes true: a deep tree can take a while.
    pub fn tree_until(
        &self,
        number: u64,
        workspace: &mut Workspace,
        interrupt: &AtomicBool,
    ) -> Option<TreeCounts> {
        let depths = self.depths(number, workspace, interrupt);
        (!interrupt.load(Ordering::Relaxed)).then_some(TreeCounts { tree: number, depths })
    }

    fn depths(&self, number: u64, workspace: &mut Workspace, interrupt: &AtomicBool) -> Vec<DepthCounts> {
        self.start(number, workspace, interrupt);
        let mut depths = Vec::with_capacity(self.spec.depths.len());
        for &d in &self.spec.depths {
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
            self.search(d, workspace, interrupt);
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
            for player in &mut workspace.players {
                player.search.choose(&mut player.choices);
            }
            depths.push(self.count(d, workspace));
        }
        depths
    }

    fn count(&self, d: usize, workspace: &mut Workspace) -> DepthCounts {
        let last = self.spec.tree_depth - d;
        let truth = &workspace.tree.truth;
        let wrong: Vec<u64> =
            workspace.players.iter().map(|player| errors(truth, &player.choices, last)).collect();
        let [estimated_errors, actual_errors] =
            self.line_up.contests.map(|players| players.map(|player| wrong[player]));
        let mut play = |[first, second]: [usize; 2]| -> Pairs {
            workspace.contest.play(
                truth,
                &workspace.players[first].choices,
                &workspace.players[second].choices,
                last,
            )
        };
        let [estimated, actual] = self.line_up.contests;
        let estimated_pairs = play(estimated);
        // If neither rule sees the estimate, it is the same contest.
        let actual_pairs = if actual == estimated { estimated_pairs } else { play(actual) };
        DepthCounts {
            d,
            pairs: self.spec.pairs(d),
            decisive: decisive(truth, last),
            estimated_errors,
            actual_errors,
            estimated: estimated_pairs,
            actual: actual_pairs,
        }
    }
}
