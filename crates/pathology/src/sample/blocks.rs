//! A sample divided into blocks of trees that can be drawn anywhere. The sums of a block are one line of text.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use prodmax_jobs::draw::Trees;

use super::results::{SampleResults, SampleResultsError};
use super::tree::Plan;
use super::{SampleError, SampleSpec};

/// The maximum number of blocks. Each is a line of a few kilobytes, and this many can be divided evenly among hundreds
/// of machines.
const MAX_BLOCKS: u64 = 8192;

/// The blocks of a sample. Which trees a block has follows from the sample alone.
#[derive(Clone, Debug)]
pub struct SampleBlocks<'a> {
    plan: Plan<'a>,
}

impl<'a> SampleBlocks<'a> {
    /// The blocks of a sample; an error if the sample is invalid.
    pub fn new(spec: &'a SampleSpec) -> Result<Self, SampleError> {
        spec.check()?;
        Ok(Self { plan: Plan::new(spec) })
    }

    /// The number of blocks.
    pub fn count(&self) -> u64 {
        self.plan.spec.trees.div_ceil(self.trees_per_block())
    }

    fn trees_per_block(&self) -> u64 {
        self.plan.spec.trees.div_ceil(MAX_BLOCKS).max(1)
    }

    /// The numbers of the trees of a block; none if there is no such block.
    pub fn trees(&self, block: u64) -> Range<u64> {
        let all = self.plan.spec.tree_numbers();
        let size = self.trees_per_block();
        let start = all.start.saturating_add(block.saturating_mul(size)).min(all.end);
        start..start.saturating_add(size).min(all.end)
    }

    /// Draws the trees of a block; `None` if it was interrupted.
    pub fn draw(
        &self,
        block: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<SampleResults>, SampleResultsError> {
        let mut results = SampleResults::new(self.plan.spec.clone());
        let mut workspace = self.plan.workspace();
        for number in self.trees(block) {
            match self.plan.draw(number, &mut workspace, interrupt) {
                Some(tree) => results.add(number, &tree)?,
                None => return Ok(None),
            }
        }
        Ok(Some(results))
    }

    /// The sums of a block as they were written by [`SampleResults::to_line`]; `None` if the text is not one of them.
    pub fn from_line(&self, block: u64, text: &str) -> Option<SampleResults> {
        SampleResults::from_line(self.plan.spec, self.trees(block), text)
    }
}
