//! `prodmax check`: are our values and the verdicts on the papers' figures still what they were?

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use prodmax_check::bless::{Change, bless};
use prodmax_check::{Calculator, Checked, check};
use prodmax_enumerate::Model;
use prodmax_golden::{Entry, GoldenFile};
use serde_json::{Value, json};

use super::{Run, check_recorded};
use crate::context::Context;
use crate::cost_args::{self, CostArgs};
use crate::effort;
use crate::error::Error;
use crate::files::Files;
use crate::golden_files;
use crate::guard;
use crate::long_run::Meter;
use crate::output::{Cell, Column, CommandResult, Output, Table};
use crate::sink;
use crate::verdict_lines::{self, VerdictLine};
use prodmax_output::large::counted;

/// Check that no figure has moved: recompute every golden entry.
///
/// A golden entry holds a published figure with its printed precision, our value
/// of it, and the verdict:
///
///   exact            the same number, word or formula
///   within-rounding  ours would be printed with these digits, rounded (or cut off,
///                    where the entry says so)
///   within-error     a sample whose printed figure lies within two standard errors of ours
///   sign-only        another value of the same sign: the same rule is ahead by this measure
///   differs          none of the above
///   not-comparable   the paper counts something else than ours can
///   unpublished      beyond the papers; ours is pinned all the same
///
/// What a paper says in words is an entry, too, a claim, decided by the printed figures
/// or by ours: it holds, fails, or is not-decidable by them. Figures that follow from
/// others of the same paper are its own arithmetic and are counted by themselves, and so
/// are figures of one experiment that are printed again.
///
/// The check recomputes our value (exactly, or with a certified enclosure) and the
/// verdict. It fails, with exit status 1, if a value has moved or a verdict has
/// changed, for the worse or for the better. A published figure that the model does
/// not reproduce is recorded as such.
///
/// Files are read from --golden, or from the folder golden in the current
/// directory; otherwise the built-in ones are used.
///
/// Examples:
///
///     prodmax check
///
///     prodmax check --only table2.3-3.root-1 --only formulas
///
/// checks one entry, and all whose id begins with "formulas.".
///
///     prodmax check --format junit --output check.xml
///
/// is for a CI system.
///
///     prodmax check --recorded
///
/// counts the verdicts on record, result by result, and computes nothing; --each lists
/// the figures.
///
///     prodmax check --slow
///
/// recomputes depths 4 and 5, too, in minutes. Entries whose cost is `cluster`, the widest of depth 5, take hours
/// on one machine: only --cluster includes them. prodmax merge gives the same figures from shards.
///
///     prodmax check --bless
///
/// records what is computed now, and shows what changed. Published figures are
/// never touched.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Check {
    /// Check only this entry, or those whose id begins with this and a dot. May be given several times.
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    only: Vec<String>,

    #[command(flatten)]
    cost: CostArgs,

    /// The folder with the golden files.
    #[arg(long, value_name = "DIR")]
    golden: Option<PathBuf>,

    /// Write our values and verdicts as they are now into the files.
    #[arg(long)]
    bless: bool,

    /// Count the recorded verdicts of every published result; nothing is computed.
    #[arg(long, conflicts_with_all = ["bless", "slow", "cluster"])]
    recorded: bool,

    /// With --recorded: list every figure instead of counting them.
    #[arg(long, requires = "recorded")]
    each: bool,
}

impl Run for Check {
    fn files(&self) -> Files {
        Files::default().reads("--golden", &golden_files::list(self.golden.as_deref()))
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let files = golden_files::load(self.golden.as_deref())?;
        let all = || files.iter().flat_map(|file| &file.golden.entries);
        if let Some(unknown) = self.only.iter().find(|only| !all().any(|entry| names(only, entry))) {
            let ids = all().map(|entry| entry.id.as_str());
            return Err(Error::NoEntry { id: unknown.clone(), hint: nearest(unknown, ids) });
        }
        if self.bless && files.iter().any(|file| !file.path.exists()) {
            return Err(Error::BuiltIn);
        }
        if self.recorded {
            let named = |entry: &Entry| self.is_named(entry);
            let output = if self.each {
                check_recorded::each(&files, named)
            } else {
                check_recorded::counted(&files, named)
            };
            return Ok(CommandResult::Figures(output));
        }
        let named = || all().filter(|entry| self.is_named(entry));
        let left_out: Vec<_> = named().filter(|entry| !self.wants(entry)).map(|entry| entry.cost).collect();
        if let Some(&cost) = left_out.iter().min()
            && left_out.len() == named().count()
        {
            return Err(Error::AllLeftOut {
                cost: cost_args::describe(cost),
                option: cost_args::option(cost),
            });
        }
        let wanted = || all().filter(|entry| self.wants(entry));
        wanted().filter_map(|entry| entry.quantity.model()).try_for_each(effort::check)?;
        let work = prodmax_check::effort(wanted(), rayon::current_num_threads());
        let meter = guard::admit(context, "golden entries", work, "check fewer of them with --only")?;
        let meters = Meters::default();
        // One bar is enough on a terminal.
        let watch = |model: &Model, done, all| {
            if !meter.is_bar() {
                meters.show(context, model, done, all);
            }
        };
        let calculator = Calculator::new(context.interrupt(), &watch);
        let mut checked = Vec::new();
        for file in &files {
            let chosen = file.golden.entries.iter().filter(|entry| self.wants(entry));
            let failed = |(id, source)| Error::Entry { id, source };
            checked.push(check(chosen, &calculator).map_err(failed)?);
        }
        for (number, cost) in cost_args::left_out(&left_out) {
            let (described, option) = (cost_args::describe(cost), cost_args::option(cost));
            let entries = if number == 1 { "entry that is" } else { "entries that are" };
            let (were, them) = if number == 1 { ("was", "it") } else { ("were", "them") };
            context.note(&format!(
                "{number} {entries} {described} {were} left out; {option} checks {them} too."
            ));
        }
        if self.bless {
            return write_blessed(&files, &checked);
        }
        Ok(CommandResult::Figures(report(&checked.concat())))
    }
}

/// A sentence that suggests the id most similar to a mistyped one, if any is similar.
fn nearest<'a>(typed: &str, ids: impl Iterator<Item = &'a str>) -> String {
    // A text much longer than any id resembles none of them, and would take long to compare.
    let ids = ids.filter(|id| typed.len() <= 4 * id.len());
    let likenesses = ids.map(|id| (strsim::jaro_winkler(typed, id), id));
    match likenesses.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((likeness, id)) if likeness > 0.8 => format!("did you mean `{id}`?"),
        _ => "`prodmax check` lists them all".to_owned(),
    }
}

/// Whether `--only` names an entry: by its id, or by the beginning of it up to a dot.
fn names(only: &str, entry: &Entry) -> bool {
    let only = only.strip_suffix('.').unwrap_or(only);
    entry.id.strip_prefix(only).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl Check {
    fn is_named(&self, entry: &Entry) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| names(only, entry))
    }

    fn wants(&self, entry: &Entry) -> bool {
        self.is_named(entry) && entry.cost <= self.cost.max_cost()
    }
}

/// One meter for each deep model.
#[derive(Default)]
struct Meters(Mutex<Vec<(Model, Arc<Meter>)>>);

impl Meters {
    fn show(&self, context: &Context, model: &Model, done: u64, all: u64) {
        let meter = {
            let mut meters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match meters.iter().find(|(other, _)| other == model) {
                Some((_, meter)) => Arc::clone(meter),
                None => {
                    let (root, increments) = effort::name(model);
                    let meter =
                        Arc::new(Meter::new(context, &format!("root {root}, increments {increments}")));
                    meters.push((model.clone(), Arc::clone(&meter)));
                    meter
                }
            }
        };
        meter.show(done, all);
    }
}

/// All results in every format.
fn report(checked: &[Checked]) -> Output {
    let lines: Vec<VerdictLine<'_>> = checked
        .iter()
        .map(|checked| VerdictLine {
            entry: &checked.entry,
            ours: checked.shown(),
            verdict: checked.verdict,
            result: verdict_lines::check_result(checked.failure()),
        })
        .collect();
    let [passed, failures, _] = verdict_lines::counted(&lines);
    Output {
        value: json!({
            "holds": failures == 0,
            "passed": passed,
            "failed": failures,
            "entries": checked.iter().map(entry_json).collect::<Vec<_>>(),
        }),
        tables: vec![verdict_lines::table("check", &lines)],
        holds: failures == 0,
        junit: Some(verdict_lines::suite("prodmax check", &lines)),
        drawing: None,
    }
}

fn entry_json(checked: &Checked) -> Value {
    json!({
        "id": checked.entry.id,
        "source": checked.entry.source,
        "kind": checked.entry.kind().name(),
        "reading": checked.entry.reading,
        "published": checked.entry.published.text(),
        "ours": checked.value.recorded(),
        "recorded": checked.entry.ours,
        "verdict": checked.verdict.to_string(),
        "recorded_verdict": checked.entry.verdict.to_string(),
        "remark": checked.entry.remark(),
        "holds": checked.holds(),
        "failure": checked.failure(),
    })
}

fn write_blessed(files: &[GoldenFile], checked: &[Vec<Checked>]) -> Result<CommandResult, Error> {
    let mut changes: Vec<Change> = Vec::new();
    for (file, checked) in files.iter().zip(checked) {
        let (text, changed) = bless(file, checked);
        if !changed.is_empty() {
            sink::write(Some(&file.path), text.as_bytes())?;
            changes.extend(changed);
        }
    }
    let row = |change: &Change| -> Vec<Cell> {
        vec![
            change.id.as_str().into(),
            change.field.into(),
            change.old.as_str().into(),
            change.new.as_str().into(),
        ]
    };
    let value = |change: &Change| json!({ "id": change.id, "field": change.field, "old": change.old, "new": change.new });
    Ok(CommandResult::Figures(Output {
        value: json!({ "changes": changes.iter().map(value).collect::<Vec<_>>() }),
        tables: vec![Table {
            id: "blessed".to_owned(),
            title: "Updated entries".to_owned(),
            columns: vec![
                Column::left("entry"),
                Column::left("field"),
                Column::right("old"),
                Column::right("new"),
            ],
            rows: changes.iter().map(row).collect(),
            notes: vec![format!("{}; published figures are unchanged.", counted(changes.len(), "change"))],
        }],
        holds: true,
        junit: None,
        drawing: None,
    }))
}
