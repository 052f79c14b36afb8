//! `prodmax play study`: several matches and measurements of quality as one.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use prodmax_games::answer::StudyAnswer;
use prodmax_games::study::{StudyResults, StudyRun, StudySpec};
use prodmax_jobs::ron_file;

use crate::context::Context;
use crate::error::Error;
use crate::files::Files;
use crate::long_run::Meter;
use crate::output::Output;
use crate::output::answer::json;
use crate::saved::Checkpoint;
use crate::sink;

/// Play matches and measure quality as specified in a file, and record every result.
///
/// The JSON holds the result of every game and every position, with the revision of
/// the program; the report describes the study that make record-games records. With
/// --known, what earlier records hold with the same settings is taken from them,
/// and only the rest is played and measured: a match can be continued with more
/// starts. With --checkpoint, an interrupted run resumes where it stopped.
///
/// Example:
///
///     prodmax play study --spec specs/study/rivest.ron --checkpoint begun.json --format json --output study.json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Study {
    /// The file that specifies what to play and measure (`-` is standard input).
    #[arg(long, value_name = "FILE")]
    spec: PathBuf,

    /// A record of this or another study; what it holds is not played again. May be given several times.
    #[arg(long, value_name = "FILE")]
    known: Vec<PathBuf>,

    /// Keep what is finished in this file, and continue from it if it exists.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

/// The maximum size of a record: thousands of matches.
const MAX_BYTES: u64 = 1 << 28;

impl Study {
    /// The files that are read.
    pub(super) fn files(&self, files: Files) -> Files {
        files
            .reads("--spec", [&self.spec])
            .reads("--known", &self.known)
            .keeps("--checkpoint", self.checkpoint.as_deref())
    }

    pub(super) fn output(&self, context: &Context) -> Result<Output, Error> {
        let spec: StudySpec = ron_file::read_or_stdin(&self.spec)?;
        let mut known = self.known.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
        if let Some(path) = self.checkpoint.as_ref().filter(|path| path.exists()) {
            known.push(read(path)?);
        }
        let meter = Meter::new(context, "pairs of games and positions");
        let (done, all) = (AtomicU64::new(0), spec.steps());
        let step = |more: u64| meter.show(done.fetch_add(more, Ordering::Relaxed) + more, all);
        let interrupt = context.interrupt();
        let mut checkpoint = self.checkpoint.as_deref().map(|path| Checkpoint::new(path, write));
        let mut latest = None;
        let mut keep = |results: &StudyResults| {
            if let Some(checkpoint) = &mut checkpoint {
                checkpoint.keep(results, interrupt);
                latest = Some(results.clone());
            }
        };
        let (prodmax, known) = (env!("PRODMAX_VERSION"), &known[..]);
        let run = spec.run(&mut StudyRun { prodmax, known, interrupt, step: &step, keep: &mut keep });
        if let Some((checkpoint, latest)) = checkpoint.zip(latest) {
            checkpoint.finish(&latest)?;
        }
        Ok(Output::answer(&StudyAnswer::from(&run?)))
    }
}

fn read(path: &Path) -> Result<StudyResults, Error> {
    let text = prodmax_jobs::read(path, MAX_BYTES)?;
    let read = StudyResults::read(&String::from_utf8_lossy(&text));
    read.map_err(|source| Error::StudyRecord { path: path.to_owned(), source: Box::new(source) })
}

fn write(path: &Path, results: &StudyResults) -> Result<(), Error> {
    let failed = |error: serde_json::Error| Error::Write { path: path.to_owned(), source: error.into() };
    sink::write(Some(path), &serde_json::to_vec(&json(&StudyAnswer::from(results))).map_err(failed)?)
}
