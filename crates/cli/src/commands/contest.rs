//! `prodmax contest`: every rule against every other, and which one decides best.

use clap::Args;
use prodmax_enumerate::Model;
use prodmax_mass::answer::{ContestAnswer, ContestAnswers, CurveKeys};
use prodmax_mass::{
    Certified, CurvesByLine, Doubles, Engine, Exact, MassError, Measure, MeasureError, MeasurePlan,
    Measurement, Number, NumberKind, Pairs, is_deep,
};
use prodmax_number::Figure;
use prodmax_rules::RuleList;
use prodmax_rules::minimax::Minimax;

use super::Run;
use crate::context::Context;
use crate::deep_args::{self, DeepArgs};
use crate::effort;
use crate::error::Error;
use crate::files::Files;
use crate::measure_args::{CurveArgs, planned};
use crate::model_args::{ModelArgs, Models};
use crate::output::{CommandResult, Output};
use crate::shard::args::{ShardArg, ShardArgs};
use crate::shard::plan::WorkPlan;

/// Set every rule against every other over all trees of a model, and rank them.
///
/// The first table ranks the rules, best first. won is the probability, over all
/// ordered trees, that the move which a rule chooses is won (a tie is a toss-up);
/// efficiency is its gain over a random choice as a share of the ideal rule's. The
/// second table has a row for each pair: the critical trees, in which the two
/// choose different moves, and the difference in percent of the errors there
/// (positive: the first one errs less), as prodmax mass prints it.
///
/// Which trees are critical is proved for every pair. Where classes do not fit into
/// memory (depth 4 at full width), minimax must be among the rules, the others are
/// only set against it, and baum and hints are refused. Rules are also set against
/// minimax only where trees have many moves (--branching) and two rules have very
/// many different values.
///
/// Examples:
///
///     prodmax contest --root 1 --increments 8,8 --rules minimax,product,mean:4
///
/// shows that means and Product decide almost perfectly, and Minimax less well.
///
///     prodmax contest --root -1 --increments 3,3,3 --rules minimax,baum:3/4:3/4,product
///
/// goes from Minimax to Product by way of Baum's rule.
///
///     prodmax contest --root 1 --increments 8,8 --rules minimax,product,mean:4 \
///       --format svg -o rules.svg
///
/// draws the efficiency of each rule; with several roots, over the roots.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Contest {
    #[command(flatten)]
    models: ModelArgs,

    #[command(flatten)]
    curves: CurveArgs,

    /// The rules, at least two [default: those of the spec]; see prodmax rules
    #[arg(long, value_name = "RULE,RULE,…", required_unless_present = "spec")]
    rules: Option<RuleList>,

    /// The numbers in which masses are summed: f64; certified (every figure with an interval that is certain to
    /// contain it); exact (fractions, for --truth uniform:P)
    #[arg(long, value_name = "KIND", default_value_t)]
    number: Number,

    #[command(flatten)]
    deep: DeepArgs,

    #[command(flatten)]
    shard: ShardArgs,
}

impl Run for Contest {
    fn files(&self) -> Files {
        self.deep.files(self.models.files())
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let models = self.models.models()?;
        let rules = self.rules.as_ref().or(models.settings().rules.as_ref()).ok_or(Error::NoRules)?;
        let (truth, estimate) = self.curves.choose(&models);
        let all: Vec<&Model> = models.iter().collect();
        let curves = CurvesByLine::new(&truth, &estimate, &all);
        let measured = match self.number {
            Number::Certified => self.measure::<Certified>(context, &all, &curves, rules)?,
            Number::Exact => self.measure::<Exact>(context, &all, &curves, rules)?,
            _ => self.measure::<Doubles>(context, &all, &curves, rules)?,
        };
        let curves = CurveKeys::new(&truth, &estimate, self.number);
        let answer = |(model, measured): (&Model, _)| {
            ContestAnswer::new(model, curves.clone(), rules.named(), measured)
        };
        let answers = all.into_iter().zip(measured).map(answer).collect();
        Ok(CommandResult::Figures(Output::answer(&ContestAnswers(models.listed(answers)))))
    }

    fn draws(&self) -> bool {
        true
    }

    fn shard(&self) -> Option<ShardArg> {
        self.shard.shard
    }

    fn plan(&self, shards: u32) -> Result<WorkPlan, Error> {
        let models = self.models.models()?;
        let rules = self.rules.as_ref().or(models.settings().rules.as_ref()).ok_or(Error::NoRules)?;
        self.with_deep(&models, rules, |plans| deep_args::work_plan(plans, shards))
    }

    fn share(&self, context: &Context) -> Result<(), Error> {
        let models = self.models.models()?;
        let rules = self.rules.as_ref().or(models.settings().rules.as_ref()).ok_or(Error::NoRules)?;
        self.with_deep(&models, rules, |plans| self.deep.share(context, plans))
    }
}

impl Contest {
    /// All classes of the models, in memory or block by block.
    fn measure<'m, K: NumberKind>(
        &self,
        context: &Context,
        models: &[&'m Model],
        curves: &'m CurvesByLine,
        rules: &RuleList,
    ) -> Result<Vec<Measurement<Figure>>, Error> {
        let most = self.deep.most_seconds(context);
        let plan = |model: &'m Model, pairs: Pairs| -> Result<MeasurePlan<'m, K>, Error> {
            effort::check(model)?;
            let measure = Measure::new(model, curves.of(model)).contest(rules.rules()).pairs(pairs);
            planned(measure.engine(Engine::sweeping(model)).within(most).number::<K>())
        };
        let plans = models.iter().map(|&model| plan(model, Pairs::All)).collect::<Result<Vec<_>, _>>()?;
        match plans.iter().filter(|plan| plan.engine() == Engine::Deep).count() {
            0 => self.deep.note_unused(context),
            models if models > 1 && self.deep.keeps() => return Err(Error::OneCheckpoint { models }),
            _ => {}
        }
        let measure = |(&model, planned): (&&'m Model, &MeasurePlan<'m, K>)| {
            match self.deep.measure(context, planned) {
                // Each rule can still be compared with one that has few values.
                Err(Error::Measure {
                    source: MeasureError::Mass(refused @ MassError::TooFine { .. }),
                    ..
                }) if rules.rules().contains(&Minimax.into()) => {
                    context.note(&format!("rules are set against minimax only: {refused}"));
                    self.deep.measure(context, &plan(model, Pairs::WithMinimax)?)
                }
                measured => measured,
            }
        };
        models.iter().zip(&plans).map(measure).collect()
    }

    /// The plans of all models that are swept block by block; none takes too long then.
    fn with_deep<T>(
        &self,
        models: &Models,
        rules: &RuleList,
        work: impl FnOnce(&[MeasurePlan<'_, Doubles>]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let all: Vec<&Model> = models.iter().collect();
        let (truth, estimate) = self.curves.choose(models);
        let curves = CurvesByLine::new(&truth, &estimate, &all);
        let mut plans = Vec::new();
        for model in all.into_iter().filter(|model| is_deep(model)) {
            effort::check(model)?;
            let measure = Measure::new(model, curves.of(model)).contest(rules.rules());
            plans.push(planned(measure.engine(Engine::Deep))?);
        }
        work(&plans)
    }
}
