//! What `enumerate` answers: how many trees, kinds and classes a model has.

use num_bigint::BigUint;
use prodmax_enumerate::{Checked, LevelPlan, Model, Plan};
use prodmax_jobs::text as duration;
use prodmax_number::{Count, Figure};
use prodmax_output::answer::{Answer, Listed, Rows, View};
use prodmax_output::large::{bytes, cell, ratio};
use prodmax_output::{Column, Table};
use serde::Serialize;

use super::ModelKeys;
use super::naming::{Naming, name};
use crate::deep::{Estimate, PAIRS_PER_SECOND};
use crate::engine::{CHOOSING_THREADS, Engine, default_steps, is_deep};
use crate::measure::Number;

/// How many trees, kinds and classes a model has.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EnumerateAnswer {
    #[serde(flatten)]
    model: ModelKeys,
    /// ordered trees
    trees: Count,
    /// trees up to the order of siblings
    kinds: Count,
    /// pairs of depth-1 classes, or multisets of `branching` classes
    pairs: Count,
    /// depth-1 classes; a text beyond 53 bits
    classes: Figure,
    /// how many times fewer than ordered trees
    saving: Saving,
    /// memory for the classes; a text beyond 53 bits
    memory_bytes: Figure,
    /// estimated time of a sweep; null unless there are two moves
    sweep_seconds: Option<f64>,
    /// `built` if the classes were built and compared with the plan, `built below level 1` if those of level 1 were not, else `planned`
    checked: &'static str,
    /// level by level
    levels: Vec<LevelAnswer>,
    /// with `--plan`: what `prodmax mass` would take with each engine, in doubles on two cores
    engines: Option<Vec<EngineAnswer>>,
    #[serde(skip)]
    of: Model,
    #[serde(skip)]
    most_seconds: f64,
    #[serde(skip)]
    bytes: BigUint,
    #[serde(skip)]
    depth_one: BigUint,
}

/// How many times fewer than ordered trees.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Saving {
    /// trees up to the order of siblings
    kinds: String,
    /// pairs or multisets of depth-1 classes
    pairs: String,
}

/// A level of a model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LevelAnswer {
    /// the level; 1 for the root's moves
    level: usize,
    /// different heuristic values that a node can have
    values: usize,
    /// nodes of the level in all ordered trees cut off below it
    nodes: Count,
    /// paths from the root with the ordered subtree below them
    subtrees: Count,
    /// the same up to the order of siblings
    kinds: Count,
    /// the same with equal subtrees merged; a text beyond 53 bits
    classes: Figure,
    #[serde(skip)]
    merged: BigUint,
}

/// A count as a number, as long as doubles can hold it.
fn number(count: &BigUint) -> Figure {
    Figure::Integer(count.clone().into())
}

impl From<&LevelPlan> for LevelAnswer {
    fn from(plan: &LevelPlan) -> Self {
        let count = |number: &BigUint| Count(number.clone());
        Self {
            level: plan.level,
            values: plan.values,
            nodes: count(&plan.nodes),
            subtrees: count(&plan.subtrees),
            kinds: count(&plan.kinds),
            classes: number(&plan.classes),
            merged: plan.classes.clone(),
        }
    }
}

/// What an engine would take.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineAnswer {
    /// `classes`, `deep` or `law`
    engine: String,
    /// whether it would be used
    chosen: bool,
    /// its time
    seconds: Option<f64>,
    /// its memory
    memory_bytes: Option<f64>,
    /// why it cannot be used, if it cannot
    refused: Option<String>,
}

impl EnumerateAnswer {
    /// The answer for a model whose counts were checked so far. A sweep may take `most_seconds` before the law takes its place.
    pub fn new(model: &Model, plan: &Plan, checked: Checked, most_seconds: f64) -> Self {
        let saving = |number: &BigUint| ratio(&plan.trees, number).text;
        let merged = plan.merged_trees();
        let chosen = Engine::of(model, most_seconds);
        let engine = |engine: Engine| {
            let (effort, refused) = match engine.effort(model, CHOOSING_THREADS) {
                Ok(effort) => (Some(effort), None),
                Err(reason) => (None, Some(reason)),
            };
            EngineAnswer {
                engine: engine.to_string(),
                chosen: engine == chosen,
                seconds: effort.map(|effort| effort.seconds),
                memory_bytes: effort.map(|effort| effort.bytes.round()),
                refused,
            }
        };
        Self {
            model: model.into(),
            trees: plan.trees.clone().into(),
            kinds: plan.kinds.clone().into(),
            classes: number(plan.depth_one_classes()),
            saving: Saving { kinds: saving(&plan.kinds), pairs: saving(&merged) },
            pairs: merged.into(),
            memory_bytes: number(&plan.bytes()),
            bytes: plan.bytes(),
            depth_one: plan.depth_one_classes().clone(),
            sweep_seconds: model.is_binary().then(|| sweep(model).seconds.round()),
            checked: match checked {
                Checked::Planned => "planned",
                Checked::BelowDepthOne => "built below level 1",
                Checked::Built => "built",
            },
            levels: plan.levels.iter().map(Into::into).collect(),
            engines: (checked == Checked::Planned).then(|| Engine::ALL.map(engine).to_vec()),
            of: model.clone(),
            most_seconds,
        }
    }

    /// What the reader would not expect.
    fn notes(&self) -> impl Iterator<Item = String> {
        let (root, increments) = name(&self.of);
        let streamed = (self.checked == "built below level 1").then(|| {
            format!(
                "Root {root}, increments {increments}: the {} depth-1 classes are counted exactly, but not built.",
                self.depth_one
            )
        });
        let deep = is_deep(&self.of).then(|| match Engine::of(&self.of, self.most_seconds) {
            Engine::Law => format!(
                "Root {root}, increments {increments}: prodmax mass would compute the law of its values instead of its \
                 classes: estimates, or bounds with --number certified."
            ),
            Engine::Classes | Engine::Deep => format!(
                "Root {root}, increments {increments}: prodmax mass would sweep the depth-1 classes block by block, on \
                 {CHOOSING_THREADS} cores in {}.",
                sweep(&self.of).time()
            ),
        });
        streamed.into_iter().chain(deep)
    }
}

/// A sweep on a fixed number of threads: the same input gives the same bytes on every machine.
fn sweep(model: &Model) -> Estimate {
    Estimate::of(model, CHOOSING_THREADS, PAIRS_PER_SECOND)
}

/// The answers of `enumerate` for one model or several.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct EnumerateAnswers(pub Listed<EnumerateAnswer>);

impl Answer for EnumerateAnswers {
    fn view(&self) -> View {
        let all = self.0.all();
        let naming = Naming::of(all.iter().map(|answer| &answer.of));
        let mut tables = vec![models(all, naming), levels(all, naming)];
        tables.extend(engines(all, naming));
        tables.into()
    }
}

fn models(all: &[EnumerateAnswer], naming: Naming) -> Table {
    let title = format!(
        "Trees: ordered, up to the order of siblings (kinds), as {} of depth-1 classes",
        if naming.is_binary() { "pairs" } else { "multisets (pairs)" }
    );
    let mut rows = Rows::new("models", title, all.iter().collect());
    rows.columns(naming.columns(), |answer| naming.cells(&answer.of));
    rows.column(Column::left("zero"), |answer| answer.model.zero.clone().into());
    rows.column(Column::right("h_max"), |answer| answer.model.h_max.into());
    rows.column(Column::right("trees"), |answer| cell(&answer.trees.0));
    rows.column(Column::right("kinds"), |answer| cell(&answer.kinds.0));
    rows.column(Column::right("pairs"), |answer| cell(&answer.pairs.0));
    rows.column(Column::right("depth-1 classes").at(["classes"]), |answer| cell(&answer.depth_one));
    let saving = |number: fn(&EnumerateAnswer) -> &Count| {
        move |answer: &EnumerateAnswer| ratio(&answer.trees.0, &number(answer).0)
    };
    rows.column(Column::right("trees/kinds").at(["saving", "kinds"]), saving(|answer| &answer.kinds));
    rows.column(Column::right("trees/pairs").at(["saving", "pairs"]), saving(|answer| &answer.pairs));
    rows.column(Column::right("memory").at(["memory_bytes"]), |answer| bytes(&answer.bytes).into());
    rows.table()
}

fn levels(all: &[EnumerateAnswer], naming: Naming) -> Table {
    let lines: Vec<(&EnumerateAnswer, &LevelAnswer)> =
        all.iter().flat_map(|answer| answer.levels.iter().map(move |level| (answer, level))).collect();
    let mut rows =
        Rows::new("levels", "Levels: nodes and subtrees of each, the leaves last", lines.iter().collect());
    rows.columns(naming.columns(), |(answer, _)| naming.cells(&answer.of));
    rows.column(Column::right("level"), |(_, level)| level.level.into());
    rows.column(Column::right("values"), |(_, level)| level.values.into());
    rows.column(Column::right("nodes"), |(_, level)| cell(&level.nodes.0));
    rows.column(Column::right("subtrees"), |(_, level)| cell(&level.subtrees.0));
    rows.column(Column::right("kinds"), |(_, level)| cell(&level.kinds.0));
    rows.column(Column::right("classes"), |(_, level)| cell(&level.merged));
    rows.notes(all.iter().flat_map(EnumerateAnswer::notes));
    rows.table()
}

/// What `prodmax mass` would take with each engine, if it was asked for.
fn engines(all: &[EnumerateAnswer], naming: Naming) -> Option<Table> {
    let lines: Vec<(&EnumerateAnswer, &EngineAnswer)> = all
        .iter()
        .flat_map(|answer| answer.engines.iter().flatten().map(move |engine| (answer, engine)))
        .collect();
    if lines.is_empty() {
        return None;
    }
    let title = "Engines: time and memory of prodmax mass with each (--engine)";
    let mut rows = Rows::new("engines", title, lines.iter().collect());
    rows.columns(naming.columns(), |(answer, _)| naming.cells(&answer.of));
    rows.column(Column::left("engine"), |(_, engine)| engine.engine.clone().into());
    rows.column(Column::left("result"), |(_, engine)| {
        if engine.engine == Engine::Law.name() { "estimates or bounds" } else { "exact counts" }.into()
    });
    rows.column(Column::right("time").at(["seconds"]), |(_, engine)| {
        engine.seconds.map_or_else(|| "-".into(), |seconds| duration::about(seconds).into())
    });
    rows.column(Column::right("memory").at(["memory_bytes"]), |(_, engine)| {
        engine.memory_bytes.map_or_else(|| "-".into(), |bytes| duration::size(bytes).into())
    });
    rows.column(Column::left("prodmax mass").at(["chosen"]), |(answer, engine)| {
        let is_long = engine.seconds.is_some_and(|seconds| seconds > answer.most_seconds);
        match &engine.refused {
            Some(reason) => format!("refused: {reason}").into(),
            None if engine.chosen => "chosen".into(),
            None if is_long && engine.engine == Engine::Deep.name() => "only with --force".into(),
            None => "possible".into(),
        }
    });
    rows.notes([format!(
        "For doubles on {CHOOSING_THREADS} cores, with 1 GiB for the blocks of a deep sweep and a grid of {} steps per unit \
         for the law.",
        default_steps(Number::F64)
    )]);
    Some(rows.table())
}
