//! `prodmax reproduce`: every experiment, and the report.

use std::path::{Path, PathBuf};

use clap::Args;
use prodmax_jobs::ron_file;
use prodmax_report::{
    Cache, Comparison, Findings, Inputs, SlurmRun, StormRun, Z3Run, folder, read_simulations, read_specs,
    run, write,
};
use prodmax_simulate::SimulationSpec;
use prodmax_spec::Experiment;
use serde_json::json;

use super::Run;
use crate::context::Context;
use crate::cost_args::{self, CostArgs};
use crate::effort;
use crate::error::Error;
use crate::files::Files;
use crate::golden_files;
use crate::guard;
use crate::output::junit::CheckResult;
use crate::output::{CommandResult, Output};
use crate::progress::Watch;
use crate::signals::{kept_in, set_exit_message};
use crate::verdict_lines::{self, VerdictLine};

/// Run every experiment and write the report.
///
/// Runs all specs of a folder and the simulations in its folder simulate, recomputes every published figure, and writes into
/// the folder given with --out:
///
///   index.html   the report: one page that needs no network
///   data/        the numbers behind it, as JSON and CSV
///   tables/      its tables, as Markdown and LaTeX
///   figures/     its drawings, as SVG
///
/// and prints each published figure, ours, and the verdict (see prodmax check
/// --help). The exit status is 1 if one of our figures differs from the recorded
/// one. Slow experiments and figures (minutes) are left out without --slow, those
/// for a cluster (hours) without --cluster; such figures are then shown as recorded
/// and marked as not checked.
///
/// A finished experiment is kept in .cache/ below the report, and taken from there
/// by the next run of the same program on the same spec: an interrupted run can
/// simply be started again. Files of an earlier report that are no longer part of
/// it are removed; a folder that holds anything else is refused without --force.
/// The report is the same to the last byte whether results were kept or computed,
/// and whatever the number of threads.
///
/// Examples:
///
///     prodmax reproduce --out report
///
///     prodmax reproduce --specs my-specs --out my-report
///
/// runs experiments of your own (see "Writing a spec" in the README).
///
///     prodmax reproduce --out report --fresh --quiet --format json
///
/// computes everything again, silently, and prints the summary for programs.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Reproduce {
    /// The folder the report is written to; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// The folder with the specs; those of simulations are in simulate/ below it, if there is one [default: specs in
    /// the current directory, or else the built-in experiments]
    #[arg(long, value_name = "DIR")]
    specs: Option<PathBuf>,

    /// The folder with the published figures [default: golden in the current directory, or else the built-in ones]
    #[arg(long, value_name = "DIR")]
    golden: Option<PathBuf>,

    #[command(flatten)]
    cost: CostArgs,

    /// Compute everything again, even what an earlier run has finished.
    #[arg(long)]
    fresh: bool,

    /// Write into the folder even if it holds files that are not a report of prodmax.
    #[arg(long)]
    force: bool,
}

impl Run for Reproduce {
    fn files(&self) -> Files {
        let specs = self.specs.as_deref().unwrap_or(Path::new(DEFAULT_FOLDER));
        let listed = |folder: &Path| ron_file::list(folder).unwrap_or_default();
        let files = Files::default().reads("--specs", &listed(specs));
        let files = files.reads("--specs", &listed(&specs.join("simulate")));
        files.reads("--golden", &golden_files::list(self.golden.as_deref()))
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let (specs, simulations) = self.experiments(context)?;
        let golden = golden_files::load(self.golden.as_deref())?;
        let entries = golden.iter().flat_map(|file| &file.golden.entries);
        let published = entries.filter_map(|entry| entry.quantity.model());
        specs.iter().flat_map(Experiment::models).chain(published).try_for_each(effort::check)?;
        folder::prepare(&self.out, self.force)?;
        let version = env!("PRODMAX_VERSION");
        let cache = Cache::new(&self.out.join(write::CACHE), &program(version), !self.fresh);
        let inputs = Inputs {
            specs: &specs,
            simulations: &simulations,
            golden: &golden,
            most: self.cost.max_cost(),
            storm: &StormRun::below(&self.out)?,
            z3: &Z3Run::below(&self.out)?,
            slurm: &SlurmRun::below(&self.out)?,
        };
        set_exit_message(kept_in(&self.out.join(write::CACHE)));
        let work = prodmax_report::effort(&inputs, &cache, rayon::current_num_threads());
        // The bar of the run shows what is going on.
        drop(guard::admit(context, "the report", work, "use smaller models in its specs")?);
        let watch = Watch::new(context.quiet);
        let findings = run::run(inputs, version, &cache, &watch)?;
        watch.finish();
        let files = write::write(&findings, &self.out)?;
        let page = self.out.join("index.html");
        context.note(&format!("{files} files written; open {}", page.display()));
        note_what_was_skipped(context, self.cost, &specs, &findings);
        Ok(CommandResult::Figures(summary(&findings)))
    }
}

impl Reproduce {
    /// The experiments and simulations of the folder that is named, else of the one in the current directory, else
    /// the built-in ones.
    fn experiments(&self, context: &Context) -> Result<(Vec<Experiment>, Vec<SimulationSpec>), Error> {
        let here = Path::new(DEFAULT_FOLDER);
        let Some(folder) = self.specs.as_deref().or_else(|| here.is_dir().then_some(here)) else {
            context.note("there is no folder specs here, so the built-in experiments are run");
            return Ok((Experiment::built_in()?, SimulationSpec::built_in()?));
        };
        let specs = read_specs(folder)?.into_iter().map(|(_, spec)| spec).collect();
        Ok((specs, read_simulations(folder)?))
    }
}

/// Where specs are looked for if no folder is named.
const DEFAULT_FOLDER: &str = "specs";

/// What tells one build of the program from another: two builds of the same revision may differ in uncommitted
/// changes.
fn program(version: &str) -> String {
    let built = std::env::current_exe().and_then(std::fs::metadata);
    let stamp = built.map(|file| (file.len(), file.modified().ok()));
    format!("{version} {:?}", stamp.ok())
}

/// Notes what was left out, and how to include it.
fn note_what_was_skipped(context: &Context, included: CostArgs, specs: &[Experiment], findings: &Findings) {
    let experiments: Vec<&Experiment> =
        specs.iter().filter(|spec| spec.settings.cost > included.max_cost()).collect();
    let figures = findings.comparisons.iter().filter(|comparison| !comparison.ours.computed);
    let figures: Vec<_> = figures.map(|comparison| comparison.entry.cost).collect();
    let costs: Vec<_> = experiments.iter().map(|spec| spec.settings.cost).chain(figures.clone()).collect();
    for (_, cost) in cost_args::left_out(&costs) {
        let (described, option) = (cost_args::describe(cost), cost_args::option(cost));
        let of_cost = experiments.iter().filter(|spec| spec.settings.cost == cost);
        let titles: Vec<&str> = of_cost.map(|spec| spec.title.as_str()).collect();
        let mut parts = Vec::new();
        if !titles.is_empty() {
            parts.push(format!("experiments that are {described} were not run ({})", titles.join("; ")));
        }
        let shown = figures.iter().filter(|other| **other == cost).count();
        if shown > 0 {
            parts.push(format!("{shown} figures that are {described} are shown as recorded"));
        }
        context.note(&format!("{}; {option} computes them.", parts.join(", ")));
    }
}

fn summary(findings: &Findings) -> Output {
    let all = &findings.comparisons;
    let lines: Vec<VerdictLine<'_>> = all
        .iter()
        .map(|comparison| VerdictLine {
            entry: &comparison.entry,
            ours: comparison.ours.shown.clone(),
            verdict: comparison.ours.verdict,
            result: match comparison.ours.computed {
                true => verdict_lines::check_result(comparison.ours.failure.clone()),
                false => CheckResult::Skipped(format!(
                    "not checked: {}",
                    cost_args::describe(comparison.entry.cost)
                )),
            },
        })
        .collect();
    let [passed, failed, skipped] = verdict_lines::counted(&lines);
    let holds = failed == 0;
    let value = |comparison: &Comparison| {
        json!({
            "id": comparison.entry.id,
            "source": comparison.entry.source,
            "published": comparison.entry.published.text(),
            "ours": comparison.ours.recorded,
            "verdict": comparison.ours.verdict.to_string(),
            "holds": comparison.ours.computed.then_some(comparison.ours.failure.is_none()),
        })
    };
    Output {
        value: json!({
            "holds": holds,
            "passed": passed,
            "failed": failed,
            "not_checked": skipped,
            "experiments": findings.experiments.iter().map(|results| &results.id).collect::<Vec<_>>(),
            "simulations": findings.simulations.iter().map(|results| &results.spec.id).collect::<Vec<_>>(),
            "published": all.iter().map(value).collect::<Vec<_>>(),
        }),
        tables: vec![verdict_lines::table("reproduced", &lines)],
        holds,
        junit: Some(verdict_lines::suite("prodmax reproduce", &lines)),
        drawing: None,
    }
}
