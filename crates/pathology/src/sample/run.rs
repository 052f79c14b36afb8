//! Drawing a sample: its trees are divisible work. A unit is a run of trees, of which only sums are kept; sums are exact,
//! so it does not matter where runs begin and end, and samples of different ranges of trees can be merged.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use prodmax_jobs::divide::{self, DivideError, Units};
use prodmax_jobs::{Divisible, Job, Shard};

use super::results::{SampleResults, SampleResultsError, Tally};
use super::tree::{Plan, Workspace};
use super::{Products, SampleSpec};

/// The maximum number of units of a run. Each is a line of a few kilobytes, and this many can be divided evenly among
/// hundreds of machines.
const MAX_UNITS: u64 = 8192;

/// Begins the identity of a sample.
const KIND: &str = "sample=";

/// A sample that is ready to be drawn.
#[derive(Clone, Debug)]
pub struct Sample<'a> {
    plan: Plan<'a>,
    /// Whether products of the figures of each tree are added up, too. They are not kept in files.
    products: bool,
}

impl<'a> Sample<'a> {
    /// An error if the sample is invalid.
    pub fn new(spec: &'a SampleSpec) -> Result<Self, SampleResultsError> {
        spec.check()?;
        Ok(Self { plan: Plan::new(spec), products: false })
    }

    fn spec(&self) -> &SampleSpec {
        self.plan.spec
    }
}

impl SampleSpec {
    /// The spec that kept trees belong to; `None` if they are not those of a sample.
    pub fn of_kept(identity: &str, trees: Range<u64>) -> Option<Self> {
        let spec: Self = serde_json::from_str(identity.strip_prefix(KIND)?).ok()?;
        Some(Self { first_tree: trees.start, trees: trees.end - trees.start, ..spec })
    }

    /// Draws all trees, or those that are finished when the job is stopped. A shard has no results.
    pub fn draw(&self, job: &Job<'_>) -> Result<SampleResults, SampleResultsError> {
        let sample = Sample::new(self)?;
        let run = divide::run(&sample, job)?;
        Ok(run.sum().unwrap_or_else(|| sample.begin()))
    }

    /// Draws all trees, and adds up the products of all figures of each.
    pub(crate) fn draw_with_products(&self) -> Result<(SampleResults, Products), SampleResultsError> {
        let sample = Sample { products: true, ..Sample::new(self)? };
        let run = divide::run(&sample, &Job::new(&AtomicBool::new(false)))?;
        let mut results = run.sum().unwrap_or_else(|| sample.begin());
        let products = results.tally.products.take().unwrap_or_else(|| Products::new(self));
        Ok((results, products))
    }
}

impl From<DivideError<Self>> for SampleResultsError {
    fn from(error: DivideError<Self>) -> Self {
        match error {
            DivideError::Work(error) => error,
            DivideError::Kept(error) => Self::Kept(error.to_string()),
        }
    }
}

impl Divisible for Sample<'_> {
    const STEP: [&'static str; 2] = ["tree", "trees"];
    type Finding = Tally;
    type Workspace = Workspace;
    type Sum = SampleResults;
    type Error = SampleResultsError;

    fn identity(&self) -> String {
        let whole = SampleSpec { first_tree: 0, trees: 0, ..self.spec().clone() };
        // A spec can always be written.
        KIND.to_owned() + &serde_json::to_string(&whole).unwrap_or_default()
    }

    fn difference(&self, kept: &str) -> Option<String> {
        match SampleSpec::of_kept(kept, 0..0) {
            None => Some("no sample".to_owned()),
            Some(kept) => kept.difference(self.spec()).map(|(setting, first, second)| {
                format!("another {}: {first}, not {second}", setting.replace('_', " "))
            }),
        }
    }

    fn steps(&self) -> Range<u64> {
        self.spec().tree_numbers()
    }

    fn units(&self, shard: Option<Shard>) -> Units {
        Units::even(self.steps(), self.spec().trees.div_ceil(MAX_UNITS), shard)
    }

    fn workspace(&self) -> Workspace {
        self.plan.workspace()
    }

    fn compute(
        &self,
        trees: Range<u64>,
        workspace: &mut Workspace,
        stop: &AtomicBool,
    ) -> Result<Option<(u64, Tally)>, SampleResultsError> {
        let mut tally = Tally::new(self.spec(), self.products);
        let mut drawn = 0;
        for number in trees {
            let Some(tree) = self.plan.draw(number, workspace, stop) else { break };
            tally.add(&tree)?;
            drawn += 1;
        }
        Ok((drawn > 0).then_some((drawn, tally)))
    }

    fn write(&self, tally: &Tally) -> String {
        tally.to_line()
    }

    fn read(&self, _: Range<u64>, line: &str) -> Option<Tally> {
        Tally::from_line(self.spec(), line)
    }

    fn begin(&self) -> SampleResults {
        SampleResults::new(self.spec().clone(), self.products)
    }

    fn absorb(
        &self,
        results: &mut SampleResults,
        trees: Range<u64>,
        tally: Tally,
    ) -> Result<(), SampleResultsError> {
        results.add(trees, &tally)
    }
}
