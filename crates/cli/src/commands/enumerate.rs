//! `prodmax enumerate`: how many trees, kinds and classes a model has.

use clap::Args;
use num_bigint::BigUint;
use prodmax_enumerate::{ClassTable, EnumerateError, Model, Plan, effort as classes};
use prodmax_jobs::text as duration;
use prodmax_mass::deep::{Estimate, PAIRS_PER_SECOND};
use prodmax_mass::{Engine, Number, default_steps, is_deep};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::Run;
use crate::context::Context;
use crate::deep_args::MAX_SECONDS;
use crate::effort::{self, Naming};
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::model_args::ModelArgs;
use crate::output::{Cell, Column, CommandResult, Output, Table};
use prodmax_output::large::{bytes, cell, count, ratio, text};

/// With more depth-1 classes than this, the counts of the plan are used: going through all classes takes too long.
const MAX_STREAMED: u32 = 1 << 27;

/// The number of cores for which the time of a sweep is planned.
const PLANNED_THREADS: usize = 2;

/// Count the trees of a model, and what is left of them after each reduction.
///
/// A model is a root value and the greatest increment of each level (KHS
/// section III). Its ordered trees are far too many to visit, but most of them
/// are the same tree in another order, or have the same subtrees in other
/// places. This command builds the table of classes that the other commands
/// compute with, and prints for each level:
///
///   values    different values that a node can have
///   nodes     nodes in all ordered trees cut off below the level
///   subtrees  paths from the root to a node, with the ordered subtree below it
///   kinds     the same when the order of siblings is ignored
///   classes   the same when equal subtrees are counted once wherever they occur
///
/// The classes of level 1 are what the moves of the root lead to: a tree is a
/// pair of them, or, with --branching B, a multiset of B. What is built is
/// checked against an independent count, and the multiplicities of all classes
/// against the number of trees.
///
/// Examples:
///
///     prodmax enumerate --root -1 --increments 8,8,8
///
/// counts the model of depth 3 with increments up to 8: 22876792454961 trees,
/// but only 15039 depth-1 classes.
///
///     prodmax enumerate --root 1 --increments 8,8,8,8 --plan
///
/// says in advance that depth 4 has 231317496 of them, how much memory they
/// would take all at once, and the time and memory of prodmax mass with each engine.
///
///     prodmax enumerate --root 1 --increments 8,8 --branching 8
///
/// has 9^72 trees with eight moves everywhere, and 64350 classes.
///
///     prodmax enumerate --spec specs/table2.ron --format csv
///
/// counts the 42 models of KHS's Table II.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Enumerate {
    /// Count only, exactly, without building the classes.
    #[arg(long)]
    plan: bool,

    #[command(flatten)]
    models: ModelArgs,
}

impl Run for Enumerate {
    fn files(&self) -> Files {
        self.models.files()
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let models = self.models.models()?;
        // All models are checked before the first is built, so that a refusal comes at once.
        for model in models.iter() {
            effort::check(model)?;
        }
        let counts: Result<Vec<_>, _> = models.iter().map(|model| self.count(model, context)).collect();
        let counts = counts?;
        let value = models.json(counts.iter().map(Counts::json));
        Ok(CommandResult::Figures(Output::figures(value, tables(&counts))))
    }
}

impl Enumerate {
    fn count(&self, model: &Model, context: &Context) -> Result<Counts, Error> {
        let plan = Plan::of(model);
        if self.plan {
            return Ok(Counts { model: model.clone(), plan, checked: Checked::Planned });
        }
        plan.check_stored().map_err(|source| {
            let (root, increments) = effort::name(model);
            Error::Enumerate { root, increments, source }
        })?;
        let mut work = classes::table(&plan);
        if *plan.depth_one_classes() <= BigUint::from(MAX_STREAMED) {
            work = work.and(classes::stream(&plan));
        }
        let work = work.on_threads(rayon::current_num_threads());
        let instead = "count without building (--plan), or use smaller increments or fewer levels";
        let _meter = guard::admit(context, &effort::names(&[model]), work, instead)?;
        let checked = build(model, &plan)?;
        Ok(Counts { model: model.clone(), plan, checked })
    }
}

/// How far the counts of a model were checked by building its classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Checked {
    /// Not at all.
    Planned,
    /// All levels except the first.
    BelowDepthOne,
    /// All.
    Built,
}

/// Builds the class table and compares it with the plan.
fn build(model: &Model, plan: &Plan) -> Result<Checked, Error> {
    let named = |source| {
        let (root, increments) = effort::name(model);
        Error::Enumerate { root, increments, source }
    };
    let agree = |what: String, planned: &BigUint, built: BigUint| {
        if *planned == built {
            return Ok(());
        }
        let (root, increments) = effort::name(model);
        Err(Error::Mismatch {
            root,
            increments,
            what,
            planned: planned.to_string(),
            built: built.to_string(),
        })
    };
    let table = ClassTable::build(model).map_err(named)?;
    for (number, level) in table.bottom_up() {
        agree(format!("classes of level {number}"), &plan.levels[number - 1].classes, level.len().into())?;
    }
    if *plan.depth_one_classes() > BigUint::from(MAX_STREAMED) {
        return Ok(Checked::BelowDepthOne);
    }
    let (classes, branches) = depth_one(&table).map_err(named)?;
    agree("classes of level 1".to_owned(), plan.depth_one_classes(), classes.into())?;
    agree("trees".to_owned(), &plan.trees, BigUint::from(branches).pow(model.branching() as u32))?;
    Ok(Checked::Built)
}

/// The number of depth-1 classes and the sum of their multiplicities; the classes are never held in memory.
fn depth_one(table: &ClassTable) -> Result<(u64, u128), EnumerateError> {
    if table.model().depth() == 1 {
        let classes = table.depth_one()?;
        return Ok((classes.len() as u64, classes.total()?));
    }
    let overflow = || EnumerateError::Multiplicity { level: 1 };
    let add = |(n, sum): (u64, u128), (m, more): (u64, u128)| {
        Ok((n + m, sum.checked_add(more).ok_or_else(overflow)?))
    };
    let row = |first: usize| {
        let mut so_far = (0, 0);
        table.depth_one_row(first, |_, _, ways| {
            so_far = add(so_far, (1, ways))?;
            Ok(())
        })?;
        Ok(so_far)
    };
    (0..table.top().len()).into_par_iter().map(row).try_reduce(|| (0, 0), add)
}

/// The counts of one model.
struct Counts {
    model: Model,
    plan: Plan,
    checked: Checked,
}

impl Counts {
    fn json(&self) -> Value {
        let plan = &self.plan;
        let levels = plan.levels.iter().map(|level| {
            json!({
                "level": level.level,
                "values": level.values,
                "nodes": text(&level.nodes),
                "subtrees": text(&level.subtrees),
                "kinds": text(&level.kinds),
                "classes": count(&level.classes),
            })
        });
        let mut value = json!({
            "root": self.model.root().get(),
            "increments": self.model.increments(),
            "zero": self.model.line().zero().to_string(),
            "h_max": self.model.line().h_max(),
            "trees": text(&plan.trees),
            "kinds": text(&plan.kinds),
            "pairs": text(&self.plan.merged_trees()),
            "classes": count(plan.depth_one_classes()),
            "saving": {
                "kinds": ratio(&plan.trees, &plan.kinds).text,
                "pairs": ratio(&plan.trees, &self.plan.merged_trees()).text,
            },
            "memory_bytes": count(&plan.bytes()),
            "sweep_seconds": self.model.is_binary().then(|| self.sweep().seconds.round()),
            "checked": match self.checked {
                Checked::Planned => "planned",
                Checked::BelowDepthOne => "built below level 1",
                Checked::Built => "built",
            },
            "levels": levels.collect::<Vec<_>>(),
        });
        if let Value::Object(object) = &mut value {
            effort::put_branching(object, &self.model);
            if self.checked == Checked::Planned {
                let engines = Engine::ALL.map(|engine| self.engine_json(engine));
                object.insert("engines".to_owned(), json!(engines));
            }
        }
        value
    }

    fn engine_json(&self, engine: Engine) -> Value {
        let mut value =
            json!({ "engine": engine.name(), "chosen": Engine::of(&self.model, MAX_SECONDS) == engine });
        let (key, what) = match engine.effort(&self.model, PLANNED_THREADS) {
            Ok(effort) => {
                value["seconds"] = json!(effort.seconds);
                ("memory_bytes", json!(effort.bytes.round()))
            }
            Err(reason) => ("refused", json!(reason)),
        };
        value[key] = what;
        value
    }

    /// The time and memory of each engine.
    fn engine_rows(&self, naming: Naming) -> impl Iterator<Item = Vec<Cell>> {
        let chosen = Engine::of(&self.model, MAX_SECONDS);
        Engine::ALL.into_iter().map(move |engine| {
            let mut row = naming.cells(&self.model);
            let result = match engine {
                Engine::Law => "estimates or bounds",
                _ => "exact counts",
            };
            row.extend([engine.name().into(), result.into()]);
            row.extend(match engine.effort(&self.model, PLANNED_THREADS) {
                Ok(effort) => [
                    duration::about(effort.seconds).into(),
                    duration::size(effort.bytes).into(),
                    match engine {
                        _ if engine == chosen => "chosen",
                        Engine::Deep if effort.seconds > MAX_SECONDS => "only with --force",
                        _ => "possible",
                    }
                    .into(),
                ],
                Err(reason) => ["-".into(), "-".into(), format!("refused: {reason}").into()],
            });
            row
        })
    }

    /// What `prodmax mass` would have to do.
    fn sweep(&self) -> Estimate {
        // A fixed number of threads: the same input gives the same bytes on every machine.
        Estimate::of(&self.model, PLANNED_THREADS, PAIRS_PER_SECOND)
    }

    fn summary(&self, naming: Naming) -> Vec<Cell> {
        let plan = &self.plan;
        let mut row = naming.cells(&self.model);
        row.extend([
            self.model.line().zero().into(),
            self.model.line().h_max().into(),
            cell(&plan.trees),
            cell(&plan.kinds),
            cell(&self.plan.merged_trees()),
            cell(plan.depth_one_classes()),
            ratio(&plan.trees, &plan.kinds),
            ratio(&plan.trees, &self.plan.merged_trees()),
            bytes(&plan.bytes()).into(),
        ]);
        row
    }

    fn level_rows(&self, naming: Naming) -> impl Iterator<Item = Vec<Cell>> {
        self.plan.levels.iter().map(move |level| {
            let mut row = naming.cells(&self.model);
            row.extend([
                level.level.into(),
                level.values.into(),
                cell(&level.nodes),
                cell(&level.subtrees),
                cell(&level.kinds),
                cell(&level.classes),
            ]);
            row
        })
    }
}

fn tables(counts: &[Counts]) -> Vec<Table> {
    let naming = Naming::of(counts.iter().map(|counts| &counts.model));
    let with = |numbers: &[&str]| {
        naming
            .columns()
            .into_iter()
            .chain(numbers.iter().map(|&name| Column::right(name)))
            .collect::<Vec<_>>()
    };
    let mut columns = naming.columns();
    columns.push(Column::left("zero"));
    columns.extend(["h_max", "trees", "kinds", "pairs"].map(Column::right));
    columns.extend([
        Column::right("depth-1 classes").at(["classes"]),
        Column::right("trees/kinds").at(["saving", "kinds"]),
        Column::right("trees/pairs").at(["saving", "pairs"]),
        Column::right("memory").at(["memory_bytes"]),
    ]);
    let models = Table {
        id: "models".to_owned(),
        title: format!(
            "Trees: ordered, up to the order of siblings (kinds), as {} of depth-1 classes",
            if naming.is_binary() { "pairs" } else { "multisets (pairs)" }
        ),
        columns,
        rows: counts.iter().map(|counts| counts.summary(naming)).collect(),
        notes: Vec::new(),
    };
    let levels = Table {
        id: "levels".to_owned(),
        title: "Levels: nodes and subtrees of each, the leaves last".to_owned(),
        columns: with(&["level", "values", "nodes", "subtrees", "kinds", "classes"]),
        rows: counts.iter().flat_map(|counts| counts.level_rows(naming)).collect(),
        notes: notes(counts),
    };
    let mut tables = vec![models, levels];
    if counts.iter().any(|counts| counts.checked == Checked::Planned) {
        tables.push(engines(counts, naming));
    }
    tables
}

/// What prodmax mass would take with each engine.
fn engines(counts: &[Counts], naming: Naming) -> Table {
    let mut columns = naming.columns();
    columns.extend([Column::left("engine"), Column::left("result")]);
    columns.extend([Column::right("time").at(["seconds"]), Column::right("memory").at(["memory_bytes"])]);
    columns.push(Column::left("prodmax mass").at(["chosen"]));
    Table {
        id: "engines".to_owned(),
        title: "Engines: time and memory of prodmax mass with each (--engine)".to_owned(),
        columns,
        rows: counts.iter().flat_map(|counts| counts.engine_rows(naming)).collect(),
        notes: vec![format!(
            "For doubles on {PLANNED_THREADS} cores, with 1 GiB for the blocks of a deep sweep and a grid of {} steps per \
             unit for the law.",
            default_steps(Number::F64)
        )],
    }
}

/// Notes on anything that the reader would not expect.
fn notes(counts: &[Counts]) -> Vec<String> {
    let streamed = counts.iter().filter(|counts| counts.checked == Checked::BelowDepthOne);
    let note = |counts: &Counts| {
        let (root, increments) = effort::name(&counts.model);
        format!(
            "Root {root}, increments {increments}: the {} depth-1 classes are counted exactly, but not built.",
            counts.plan.depth_one_classes()
        )
    };
    let deep = counts.iter().filter(|counts| is_deep(&counts.model));
    let sweep = |counts: &Counts| {
        let (root, increments) = effort::name(&counts.model);
        if Engine::of(&counts.model, MAX_SECONDS) == Engine::Law {
            return format!(
                "Root {root}, increments {increments}: prodmax mass would compute the law of its values instead of its \
                 classes: estimates, or bounds with --number certified."
            );
        }
        format!(
            "Root {root}, increments {increments}: prodmax mass would sweep the depth-1 classes block by block, on \
             {PLANNED_THREADS} cores in {}.",
            counts.sweep().time()
        )
    };
    streamed.map(note).chain(deep.map(sweep)).collect()
}
