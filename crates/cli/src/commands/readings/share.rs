//! A search divided into shards: a unit of work is a block of readings, which are evaluated together.

use std::ops::Range;

use prodmax_jobs::{Part, Parts};
use prodmax_readings::{Evaluated, GridSearch, effort, unit};

use crate::context::Context;
use crate::error::Error;
use crate::long_run::Meter;
use crate::shard::units::{Units, costs};

/// The readings of every block.
fn blocks(search: &GridSearch) -> Vec<Range<usize>> {
    search.block_starts().windows(2).map(|ends| ends[0]..ends[1]).collect()
}

/// What the readings of a part depend on.
fn identity(search: &GridSearch, cells: bool) -> String {
    format!("readings={} search={:016x} cells={cells}", search.len(), search.fingerprint())
}

/// Evaluates the readings of a shard.
pub(super) fn share(
    context: &Context,
    part: &Part,
    search: &GridSearch,
    cells: bool,
    meter: &Meter,
) -> Result<(), Error> {
    let blocks = blocks(search);
    let own = part.shard().units(&costs(&effort::block_seconds(search.grids(), search.target())));
    let interrupt = context.interrupt();
    let units = Units {
        identity: identity(search, cells),
        name: "blocks of readings",
        own: own.iter().map(|&unit| unit as u64).collect(),
        interrupt,
    };
    let is_whole =
        |unit: u64, text: &str| unit::from_line(text, blocks[unit as usize].len(), cells).is_some();
    units.compute(part, meter, is_whole, |unit| {
        let block = search.block(blocks[unit as usize].start, interrupt);
        Ok(block.map(|block| unit::to_line(&block, cells)))
    })
}

/// The readings of all blocks from index `from` on, from the parts of all shards.
pub(super) fn of_parts(
    parts: &Parts,
    search: &GridSearch,
    cells: bool,
    from: usize,
) -> Result<Vec<Evaluated>, Error> {
    let blocks = blocks(search);
    let mut found: Vec<Vec<Evaluated>> = vec![Vec::new(); blocks.len()];
    parts.numbered(&identity(search, cells), blocks.len() as u64, &mut |unit, text| {
        let place = unit as usize;
        match blocks.get(place).and_then(|block| unit::from_line(text, block.len(), cells)) {
            Some(block) => {
                found[place] = block;
                true
            }
            None => false,
        }
    })?;
    let later = blocks.iter().zip(found).filter(|(block, _)| block.start >= from);
    Ok(later.flat_map(|(_, block)| block).collect())
}
