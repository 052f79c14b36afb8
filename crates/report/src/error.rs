//! Why a report cannot be made, one sentence each.

use std::path::PathBuf;

use prodmax_check::QuantityError;
use prodmax_games::study::StudyError;
use prodmax_mass::measure::MeasureError;
use prodmax_simulate::SimulationResultsError;
use prodmax_simulate::link::LinkError;
use prodmax_spec::ron_file::RonError;
use thiserror::Error;

/// Why a report cannot be made.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The directory of the specs.
    #[error("{}: cannot be read: {source}", path.display())]
    Directory {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// No spec there.
    #[error("{}: there is no spec (*.ron) in this folder", .0.display())]
    NoSpecs(PathBuf),
    /// A spec.
    #[error(transparent)]
    Spec(#[from] RonError),
    /// A spec whose files would have no name, or overwrite another's.
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Id {
        /// The file.
        path: PathBuf,
        /// 1-based.
        line: usize,
        /// 1-based.
        column: usize,
        /// What is wrong.
        reason: &'static str,
    },
    /// A model.
    #[error("{id}: root {root}, increments {increments:?}: {source}")]
    Measure {
        /// The experiment.
        id: String,
        /// The model's root.
        root: String,
        /// The model's increments.
        increments: Vec<i32>,
        /// What is wrong.
        source: Box<MeasureError>,
    },
    /// A simulation.
    #[error("{id}: {source}")]
    Simulation {
        /// Its id.
        id: String,
        /// What is wrong.
        source: Box<SimulationResultsError>,
    },
    /// The comparison of simulation and exact engine.
    #[error("simulation and exact engine cannot be compared: {0}")]
    Link(#[from] Box<LinkError>),
    /// What a model checker found.
    #[error("{}: is not what `make verify-storm` writes: {reason}; run it again or remove the file", path.display())]
    Storm {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// What a solver found.
    #[error("{}: is not what `make verify-z3` writes: {reason}; run it again or remove the file", path.display())]
    Z3 {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The record of games.
    #[error("golden/play/study.json: {0}; record it again with make record-games")]
    Study(Box<StudyError>),
    /// A golden entry.
    #[error("the golden entry {id}: {source}")]
    Entry {
        /// Which.
        id: String,
        /// What is wrong.
        source: Box<QuantityError>,
    },
    /// A file where the folder of the report should be.
    #[error("{}: is a file; a report needs a folder", .0.display())]
    File(PathBuf),
    /// A folder that holds something else.
    #[error(
        "{}: holds files that are not a report of prodmax; choose another folder, or add --force to write the report \
         among them",
        .0.display()
    )]
    Foreign(PathBuf),
    /// A file of an earlier report.
    #[error("{}: belongs to an earlier report and cannot be removed: {source}", path.display())]
    Remove {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file of the report.
    #[error("{}: cannot be written: {source}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A figure.
    #[error("the figure {name} cannot be drawn: {reason}")]
    Draw {
        /// Which.
        name: String,
        /// What the drawing library said.
        reason: String,
    },
}
