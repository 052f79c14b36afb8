//! The sections of the report, one file each. A new section needs a file with a constant like the others here, a
//! `mod` line and a place in [`ALL`].

mod any_depth;
mod baum;
mod beyond;
mod cases3;
mod crossover;
mod depth2;
mod depths;
mod finding;
mod lgb;
mod model;
mod moves;
mod others;
mod readings;
mod rivest;
mod rules;
mod simulation;
mod sizes;
mod steepness;
mod storm;
mod summary;
mod table1;
mod table2;
mod verdicts;

use crate::error::ReportError;
use crate::run::Findings;
use crate::section::Section;

/// Writes a section; `None` if its experiment was not run.
pub type Write = fn(&Findings) -> Result<Option<Section>, ReportError>;

/// A kind of section: what it shows, and how it is written.
#[derive(Clone, Copy, Debug)]
pub struct SectionKind {
    /// The ids of the experiments that it shows; those of no section are shown as other experiments.
    pub experiments: &'static [&'static str],
    /// Writes it.
    pub write: Write,
}

/// All sections, in the order of the papers.
pub const ALL: [SectionKind; 21] = [
    summary::SECTION,
    model::SECTION,
    table1::SECTION,
    crossover::SECTION,
    depth2::SECTION,
    table2::SECTION,
    readings::SECTION,
    beyond::SECTION,
    depths::SECTION,
    any_depth::SECTION,
    rules::SECTION,
    moves::SECTION,
    others::SECTION,
    simulation::SECTION,
    lgb::SECTION,
    baum::SECTION,
    rivest::SECTION,
    sizes::SECTION,
    cases3::SECTION,
    storm::SECTION,
    verdicts::SECTION,
];
