//! Running a simulation: its trees are divisible work. Each tree depends only on its number, so the counts do not depend
//! on the number of threads, on interruptions or on how a run is divided.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use prodmax_jobs::divide::{self, DivideError, Record};
use prodmax_jobs::{Divisible, Job};

use crate::contest::Pairs;
use crate::counts::{DepthCounts, TreeCounts};
use crate::experiment::{Simulation, Workspace};
use crate::results::SimulationResults;
use crate::spec::{Difference, SimulationSpec, SpecError};

/// Why a simulation has no results: its spec, or what it keeps.
pub type SimulationError = DivideError<SpecError>;

/// Plays the trees of a spec, or those of them that are finished when the job is stopped. A shard has no results.
pub fn simulate(spec: &SimulationSpec, job: &Job<'_>) -> Result<SimulationResults, SimulationError> {
    let simulation = Simulation::new(spec).map_err(DivideError::Work)?;
    let run = divide::run(&simulation, job)?;
    Ok(run.sum().unwrap_or_else(|| simulation.begin()))
}

/// Begins the identity of a simulation.
const KIND: &str = "simulation=";

impl SimulationSpec {
    /// Everything that a tree depends on, and the names: the spec without the range of trees.
    fn identity(&self) -> String {
        let whole = Self { first_tree: 0, trees: 0, ..self.clone() };
        // A spec can always be written.
        KIND.to_owned() + &serde_json::to_string(&whole).unwrap_or_default()
    }

    /// The spec that kept trees belong to; `None` if they are not those of a simulation.
    pub fn of_kept(identity: &str, trees: Range<u64>) -> Option<Self> {
        let spec: Self = serde_json::from_str(identity.strip_prefix(KIND)?).ok()?;
        Some(Self { first_tree: trees.start, trees: trees.end - trees.start, ..spec })
    }

    /// The counts of a tree as one line.
    fn write_tree(&self, tree: &TreeCounts) -> String {
        let mut line = String::new();
        for counts in &tree.depths {
            for number in [counts.decisive].iter().chain(numbers(counts).as_flattened()) {
                let space = if line.is_empty() { "" } else { " " };
                // Writing to a string cannot fail.
                let _ = write!(line, "{space}{number}");
            }
        }
        line
    }

    /// The counts in such a line; `None` if no tree of this simulation can have them.
    fn read_tree(&self, tree: u64, line: &str) -> Option<TreeCounts> {
        let numbers: Vec<u64> = line.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        let (of_depths, []) = numbers.as_chunks::<9>() else { return None };
        let depths =
            self.depths.iter().zip(of_depths).map(|(&d, &[decisive, a, b, c, e, f, g, h, i])| DepthCounts {
                d,
                pairs: self.pairs(d),
                decisive,
                estimated_errors: [a, b],
                actual_errors: [c, e],
                estimated: Pairs { first_wins: f, second_wins: g },
                actual: Pairs { first_wins: h, second_wins: i },
            });
        let counts = TreeCounts { tree, depths: depths.collect() };
        (of_depths.len() == self.depths.len() && counts.impossible_depth(self).is_none()).then_some(counts)
    }
}

/// Errors and wins, first of the first rule, as they are written.
fn numbers(counts: &DepthCounts) -> [[u64; 2]; 4] {
    let wins = [counts.estimated, counts.actual].map(|pairs| [pairs.first_wins, pairs.second_wins]);
    [counts.estimated_errors, counts.actual_errors, wins[0], wins[1]]
}

impl SimulationResults {
    /// The finished trees, in the form in which they are kept and merged.
    pub fn record(&self) -> Record {
        let tree = |counts: &TreeCounts| (counts.tree..counts.tree + 1, self.spec.write_tree(counts));
        Record::new(self.spec.identity(), self.spec.tree_indices(), self.trees.iter().map(tree))
    }
}

impl Divisible for Simulation {
    const STEP: [&'static str; 2] = ["tree", "trees"];
    type Finding = TreeCounts;
    type Workspace = Workspace;
    type Sum = SimulationResults;
    type Error = SpecError;

    fn identity(&self) -> String {
        self.spec().identity()
    }

    fn difference(&self, kept: &str) -> Option<String> {
        match SimulationSpec::of_kept(kept, 0..0) {
            None => Some("no simulation".to_owned()),
            Some(kept) => kept.difference(self.spec()).map(|Difference { field, first, second }| {
                format!("another {}: {first}, not {second}", field.replace('_', " "))
            }),
        }
    }

    fn steps(&self) -> Range<u64> {
        self.spec().tree_indices()
    }

    fn workspace(&self) -> Workspace {
        Simulation::workspace(self)
    }

    fn compute(
        &self,
        trees: Range<u64>,
        workspace: &mut Workspace,
        stop: &AtomicBool,
    ) -> Result<Option<(u64, TreeCounts)>, SpecError> {
        Ok(self.tree_until(trees.start, workspace, stop).map(|counts| (1, counts)))
    }

    fn write(&self, counts: &TreeCounts) -> String {
        self.spec().write_tree(counts)
    }

    fn read(&self, trees: Range<u64>, line: &str) -> Option<TreeCounts> {
        let tree = trees.start;
        (trees == (tree..tree + 1)).then(|| self.spec().read_tree(tree, line)).flatten()
    }

    fn begin(&self) -> SimulationResults {
        SimulationResults { spec: self.spec().clone(), trees: Vec::new() }
    }

    fn absorb(
        &self,
        results: &mut SimulationResults,
        _: Range<u64>,
        counts: TreeCounts,
    ) -> Result<(), SpecError> {
        results.trees.push(counts);
        Ok(())
    }
}
