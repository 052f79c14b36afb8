//! `prodmax enumerate`: how many trees, kinds and classes a model has.

use clap::Args;
use prodmax_enumerate::{Checked, Model, Plan, count_classes, effort as classes};
use prodmax_mass::answer::{EnumerateAnswer, EnumerateAnswers};

use super::Run;
use crate::context::Context;
use crate::deep_args::MAX_SECONDS;
use crate::effort;
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::model_args::ModelArgs;
use crate::output::{CommandResult, Output};

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
        let count = |model| self.count(model, context);
        let answers = models.iter().map(count).collect::<Result<Vec<_>, _>>()?;
        Ok(CommandResult::Figures(Output::answer(&EnumerateAnswers(models.listed(answers)))))
    }
}

impl Enumerate {
    fn count(&self, model: &Model, context: &Context) -> Result<EnumerateAnswer, Error> {
        let plan = Plan::of(model);
        let checked = if self.plan { Checked::Planned } else { build(model, &plan, context)? };
        Ok(EnumerateAnswer::new(model, &plan, checked, MAX_SECONDS))
    }
}

/// Builds the classes, if there are not too many, and compares them with the plan.
fn build(model: &Model, plan: &Plan, context: &Context) -> Result<Checked, Error> {
    let failed = |source| {
        let (root, increments) = effort::name(model);
        Error::Enumerate { root, increments, source }
    };
    plan.check_stored().map_err(failed)?;
    let mut work = classes::table(plan);
    if Checked::possible(plan) == Checked::Built {
        work = work.and(classes::stream(plan));
    }
    let work = work.on_threads(rayon::current_num_threads());
    let instead = "count without building (--plan), or use smaller increments or fewer levels";
    let _meter = guard::admit(context, &effort::names(&[model]), work, instead)?;
    count_classes(model, plan).map_err(failed)
}
