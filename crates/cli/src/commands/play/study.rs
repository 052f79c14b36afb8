//! `prodmax play study`: several matches and measurements of quality as one.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use prodmax_games::study::{GamesRecord, MatchRecord, StudyResults, StudySpec};
use prodmax_spec::ron_file;
use serde_json::{Value, json};

use super::{quality, tables};
use crate::context::Context;
use crate::error::Error;
use crate::files::Files;
use crate::game_args::title;
use crate::long_run::Meter;
use crate::output::{Cell, Column, Output, Table};

/// Play several matches and measure quality, as a file says, and record every result.
///
/// The JSON holds the result of every game and every position, with the revision
/// of the program; the report describes the study that make record-games records.
/// With --known, what an earlier record holds with the same settings is taken from
/// it, and only the rest is played and measured.
///
/// Example:
///
///     prodmax play study --spec specs/study/rivest.ron --format json --output study.json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Study {
    /// The file that says what is played and measured (`-` is standard input).
    #[arg(long, value_name = "FILE")]
    spec: PathBuf,

    /// A record of the study, of which what it holds is not played again.
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
}

/// The maximum size of a record: thousands of matches.
const MAX_BYTES: u64 = 1 << 28;

impl Study {
    /// The files that are read.
    pub(super) fn files(&self, files: Files) -> Files {
        files.reads("--spec", [&self.spec]).reads("--known", &self.known)
    }

    fn known(&self) -> Result<Option<StudyResults>, Error> {
        let Some(path) = &self.known else { return Ok(None) };
        let text = prodmax_store::read(path, MAX_BYTES)?;
        let read = StudyResults::read(&String::from_utf8_lossy(&text));
        read.map(Some).map_err(|source| Error::StudyRecord { path: path.clone(), source: Box::new(source) })
    }

    pub(super) fn output(&self, context: &Context) -> Result<Output, Error> {
        let spec: StudySpec = ron_file::read_or_stdin(&self.spec)?;
        let meter = Meter::new(context, "pairs of games and positions");
        let (done, all) = (AtomicU64::new(0), spec.steps());
        let step = |more: u64| meter.show(done.fetch_add(more, Ordering::Relaxed) + more, all);
        let results =
            spec.run(env!("PRODMAX_VERSION"), self.known()?.as_ref(), context.interrupt(), &step)?;
        let mut shown = vec![matches(&results)];
        shown.extend(results.qualities.iter().map(quality::table));
        Ok(Output::figures(value(&results), shown))
    }
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
                vec![title(record.spec.game).into(), first.to_string().into(), second.to_string().into()];
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
