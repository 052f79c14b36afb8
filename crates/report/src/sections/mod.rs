//! The sections of the report, one file each. A new section needs a file with a function like the others here, a
//! `mod` line and a place in [`ALL`].

mod any_depth;
mod baum;
mod beyond;
mod cases3;
mod crossover;
mod depth2;
mod depths;
mod lgb;
mod model;
mod moves;
mod others;
mod readings;
mod rivest;
mod rules;
mod simulation;
mod sizes;
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

/// All sections, in the order of the papers.
pub const ALL: [Write; 21] = [
    summary::section,
    model::section,
    table1::section,
    crossover::section,
    depth2::section,
    table2::section,
    readings::section,
    beyond::section,
    depths::section,
    any_depth::section,
    rules::section,
    moves::section,
    others::section,
    simulation::section,
    lgb::section,
    baum::section,
    rivest::section,
    sizes::section,
    cases3::section,
    storm::section,
    verdicts::section,
];
