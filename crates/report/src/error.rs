//! Why a report cannot be made, in one sentence each.

use std::path::PathBuf;

use prodmax_check::QuantityError;
use prodmax_games::study::StudyError;
use prodmax_jobs::ron_file::RonError;
use prodmax_mass::MeasureError;
use prodmax_simulate::SimulationError;
use prodmax_simulate::link::LinkError;
use thiserror::Error;

/// Why a report cannot be made.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The directory of the specs cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The directory contains no spec.
    #[error("{}: there is no spec (*.ron) in this folder", .0.display())]
    NoSpecs(PathBuf),
    /// A spec is invalid.
    #[error(transparent)]
    Spec(#[from] RonError),
    /// The record of a verification cannot be read.
    #[error(transparent)]
    Record(#[from] prodmax_jobs::ReadError),
    /// The files of a spec would have no name, or would overwrite another spec's.
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
    /// A model cannot be measured.
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
    /// A simulation cannot be run.
    #[error("{id}: {source}")]
    Simulation {
        /// Its id.
        id: String,
        /// What is wrong.
        source: Box<SimulationError>,
    },
    /// Simulation and exact engine cannot be compared.
    #[error("simulation and exact engine cannot be compared: {0}")]
    Link(#[from] Box<LinkError>),
    /// The record of another program's run cannot be used.
    #[error("{}: is not what `make {target}` writes: {reason}; run it again or remove the file", path.display())]
    RecordedRun {
        /// The file.
        path: PathBuf,
        /// The target of make that writes it.
        target: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// The record of the figures beyond LGB cannot be used.
    #[error("golden/pathology/beyond.json: {0}; record it again with make record-pathology")]
    Pathology(serde_json::Error),
    /// The recorded samples of LGB's models cannot be used.
    #[error("golden/pathology: {0}")]
    Samples(String),
    /// The recorded search among readings of the text cannot be used.
    #[error("specs/readings/search-1-results.csv: {0}")]
    Search(String),
    /// The record of games cannot be used.
    #[error(
        "the recorded games of golden/play: {0}; record them again with make record-games or make record-kalah"
    )]
    Study(Box<StudyError>),
    /// A recorded game cannot be replayed.
    #[error("the recorded games of golden/play: {0}")]
    RecordedGames(String),
    /// A golden entry cannot be computed.
    #[error("the golden entry {id}: {source}")]
    Entry {
        /// Its id.
        id: String,
        /// What is wrong.
        source: Box<QuantityError>,
    },
    /// There is a file where the folder of the report should be.
    #[error("{}: is a file; a report needs a folder", .0.display())]
    File(PathBuf),
    /// The folder contains something else.
    #[error(
        "{}: holds files that are not a report of prodmax; choose another folder, or add --force to write the report \
         among them",
        .0.display()
    )]
    Foreign(PathBuf),
    /// A file of an earlier report cannot be removed.
    #[error("{}: belongs to an earlier report and cannot be removed: {source}", path.display())]
    Remove {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file of the report cannot be written.
    #[error("{}: cannot be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A figure cannot be drawn.
    #[error(transparent)]
    Draw(#[from] prodmax_output::DrawError),
}
