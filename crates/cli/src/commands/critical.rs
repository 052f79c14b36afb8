//! `prodmax critical`: the critical trees that weigh most.

use clap::Args;
use prodmax_enumerate::Tree;
use prodmax_enumerate::{Model, Plan};
use prodmax_jobs::stop;
use prodmax_mass::answer::{CriticalAnswer, CriticalAnswers, CurveKeys, Picked};
use prodmax_mass::arithmetic::Float;
use prodmax_mass::effort::{MeasureWork, NumberCost, in_memory};
use prodmax_mass::heaviest::{self, Draw, Heavy};
use prodmax_mass::{Contest, Contestant, Curve, Curves, Forest, MassError, Number, is_deep};
use prodmax_rules::{RuleList, RulePair};
use prodmax_simulate::generate::Generator;
use rand_core::Rng as _;

use super::Run;
use crate::context::Context;
use crate::effort;
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::measure_args::CurveArgs;
use crate::model_args::ModelArgs;
use crate::output::{CommandResult, Output};
use crate::whole_number::within;

/// List the critical trees that weigh most.
///
/// In a critical tree the two rules choose different moves. Its weight is the
/// probability of an error in it: Pr(M lost) Pr(P won), where the first rule errs, plus
/// Pr(M won) Pr(P lost), where the second one errs. Trees that differ only in the order
/// of siblings, or whose root moves are interchangeable otherwise, are one line; trees
/// is their number, and the errors are the sums over all of them; summed over all lines
/// they are the error masses of prodmax mass. share is their share of the errors of both
/// rules in the model.
///
/// The heaviest trees are not typical, because most of the weight is in the many
/// light ones: with --draw, trees are drawn at random instead, in proportion to
/// their weight.
///
/// A tree is written as prodmax show reads it, the move of the first rule first.
///
/// Examples:
///
///     prodmax critical --root -1 --increments 3,3,3
///
///     prodmax critical --root 1 --increments 8,8 --rules product,mean:4 --top 3
///
///     prodmax critical --root -1 --increments 8,8,8 --draw 5 --seed 1
///
///     prodmax show --tree "(((-1 2) (1 2)) ((-1 1) (2 3)))"
///
/// shows one of them node by node.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Critical {
    #[command(flatten)]
    models: ModelArgs,

    #[command(flatten)]
    curves: CurveArgs,

    /// The two rules, the one that chooses M first [default: minimax,product, or those of the spec]; see prodmax rules
    #[arg(long, value_name = "FIRST,SECOND")]
    rules: Option<RulePair>,

    /// How many lines
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = within::<u16>(1..=1000))]
    top: u16,

    /// Draw this number of trees by weight instead
    #[arg(long, value_name = "N", conflicts_with = "top", value_parser = within::<u16>(1..=1000))]
    draw: Option<u16>,

    /// The seed of the random numbers
    #[arg(
        long,
        value_name = "SEED",
        default_value_t = 0,
        requires = "draw",
        allow_negative_numbers = true,
        value_parser = within::<u64>(0..=u64::MAX.into())
    )]
    seed: u64,
}

/// The maximum number of attempts for each tree that is drawn.
const ATTEMPTS: usize = 1 << 20;

impl Run for Critical {
    fn files(&self) -> Files {
        self.models.files()
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let models = self.models.models()?;
        let (truth, estimate) = self.curves.choose(&models);
        let rules = self.rules.clone().or_else(|| models.settings().rules.as_ref().map(RuleList::pair));
        let rules = rules.unwrap_or_default();
        for model in models.iter() {
            check(model)?;
        }
        let find = |model: &Model| self.find(context, model, [&truth, &estimate], &rules);
        let answers = models.iter().map(find).collect::<Result<Vec<_>, Error>>()?;
        let answers = CriticalAnswers { answers: models.listed(answers), picked: self.picked() };
        Ok(CommandResult::Figures(Output::answer(&answers)))
    }
}

fn check(model: &Model) -> Result<(), Error> {
    effort::check(model)?;
    let (root, increments) = effort::name(model);
    if !model.is_binary() {
        return Err(Error::ManyMoves { root, increments, moves: model.branching() });
    }
    if is_deep(model) {
        return Err(Error::ManyTrees { root, increments });
    }
    Ok(())
}

impl Critical {
    fn find(
        &self,
        context: &Context,
        model: &Model,
        [truth, estimate]: [&Curve; 2],
        rules: &RulePair,
    ) -> Result<CriticalAnswer, Error> {
        let plan = Plan::of(model);
        let work = MeasureWork { rankings: 2, contests: 1, numbers: NumberCost::Doubles };
        let mut effort = in_memory(model, &plan, &work);
        let classes = plan.depth_one_classes().to_string().parse().unwrap_or(f64::INFINITY);
        effort.seconds += heaviest::seconds(classes);
        let _meter = guard::admit(context, &effort::names(&[model]), effort, "use smaller increments")?;
        let failed = |source: MassError| {
            let (root, increments) = effort::name(model);
            Error::Measure { root, increments, source: source.into() }
        };
        let curves = Curves::new(truth.clone(), estimate.clone(), model.line().h_max());
        let contestants = rules.rules().map(|rule| Contestant::new(rule, &curves));
        let forest = Forest::of(model).map_err(|source| failed(source.into()))?;
        let [first, second] = &contestants;
        let (first, second) = (forest.rank(first).map_err(failed)?, forest.rank(second).map_err(failed)?);
        let contest = Contest::new(&forest, &first, &second);
        let arithmetic = Float(&curves.truth);
        let won = forest.truth(&arithmetic);
        let tree = |heavy: Heavy| {
            let leaves = [forest.leaves(heavy.m), forest.leaves(heavy.p)].concat();
            Ok((Tree::new(leaves).map_err(Error::Tree)?, heavy))
        };
        let listed = match self.draw {
            Some(count) => self.drawn(Draw::new(contest, &won), count),
            None => contest.heaviest(&won, self.top.into()),
        };
        let trees = listed.into_iter().map(tree).collect::<Result<_, Error>>()?;
        Ok(CriticalAnswer::new(
            model,
            CurveKeys::new(truth, estimate, Number::F64),
            rules.names().map(str::to_owned),
            (contest.counts().critical, contest.mass(&arithmetic, &won)),
            (self.picked(), trees),
        ))
    }

    /// How trees are picked.
    fn picked(&self) -> Picked {
        self.draw.map_or(Picked::Heaviest, |_| Picked::Drawn { seed: self.seed })
    }

    /// Trees by weight; fewer if the rules disagree too rarely.
    fn drawn(&self, draw: Draw<'_>, count: u16) -> Vec<Heavy> {
        let mut random = Generator::stream(self.seed, 0);
        let attempts = std::iter::repeat_with(|| {
            stop::check();
            draw.attempt(|| random.next_u64())
        });
        attempts.take(ATTEMPTS * usize::from(count)).flatten().take(count.into()).collect()
    }
}
