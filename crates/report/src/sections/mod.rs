//! The sections of the report, one file each. A new one is a file with a function like the others here, its `mod`
//! line and its place in [`ALL`].

mod beyond;
mod cases3;
mod crossover;
mod depth2;
mod depths;
mod model;
mod moves;
mod others;
mod readings;
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

/// Writes a section; nothing if its experiment was not run.
pub type Write = fn(&Findings) -> Result<Option<Section>, ReportError>;

/// In the order of the papers.
pub const ALL: [Write; 17] = [
    summary::section,
    model::section,
    table1::section,
    crossover::section,
    depth2::section,
    table2::section,
    readings::section,
    beyond::section,
    depths::section,
    rules::section,
    moves::section,
    others::section,
    simulation::section,
    sizes::section,
    cases3::section,
    storm::section,
    verdicts::section,
];
