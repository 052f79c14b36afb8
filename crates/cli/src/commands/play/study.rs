//! `prodmax play study`: several matches and measurements of quality as one.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use prodmax_games::study::{GamesRecord, MatchRecord, StudyResults, StudyRun, StudySpec};
use prodmax_jobs::ron_file;
use serde_json::{Value, json};

use super::{quality, tables};
use crate::context::Context;
use crate::error::Error;
use crate::files::Files;
use crate::long_run::Meter;
use crate::output::{Cell, Column, Output, Table};
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
        let results = run?;
        let mut shown = vec![matches(&results)];
        shown.extend(results.qualities.iter().map(quality::table));
        Ok(Output::figures(value(&results), shown))
    }
}

fn read(path: &Path) -> Result<StudyResults, Error> {
    let text = prodmax_jobs::read(path, MAX_BYTES)?;
    let read = StudyResults::read(&String::from_utf8_lossy(&text));
    read.map_err(|source| Error::StudyRecord { path: path.to_owned(), source: Box::new(source) })
}

fn write(path: &Path, results: &StudyResults) -> Result<(), Error> {
    let failed = |error: serde_json::Error| Error::Write { path: path.to_owned(), source: error.into() };
    sink::write(Some(path), &serde_json::to_vec(&value(results)).map_err(failed)?)
}

/// The contents of a record, and the scores and shares that follow from it.
fn value(results: &StudyResults) -> Value {
    let games = |record: &GamesRecord| {
        let score = record.games.score();
        let mut value = score.map_or_else(
            || json!({ "resource": record.resource }),
            |score| tables::json_of(Some(record.resource), &score),
        );
        // Elsewhere the key `games` is the number of games; here it holds the results themselves.
        value["games"] = json!(record.games);
        value
    };
    let one = |record: &MatchRecord| json!({ "spec": record.spec, "results": record.results.iter().map(games).collect::<Vec<_>>() });
    json!({
        "prodmax": results.prodmax,
        "title": results.title,
        "matches": results.matches.iter().map(one).collect::<Vec<_>>(),
        "qualities": results.qualities.iter().map(quality::value).collect::<Vec<_>>(),
    })
}

/// All scores in one table.
fn matches(results: &StudyResults) -> Table {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for record in &results.matches {
        let [first, second] = &record.spec.players;
        for games in &record.results {
            let Some(score) = games.games.score() else { continue };
            let mut row: Vec<Cell> =
                vec![record.spec.game.title().into(), first.to_string().into(), second.to_string().into()];
            row.extend(tables::row(games.resource.to_string(), &score));
            rows.push(row);
        }
    }
    let left = ["game", "first", "second", "resource"].map(Column::left);
    Table {
        id: "matches".to_owned(),
        title: format!("Matches of {}", results.title),
        columns: left.into_iter().chain(tables::COLUMNS.map(Column::right)).collect(),
        rows,
        notes: vec!["Wins, losses and score are those of the first player; a draw counts half.".to_owned()],
    }
}
