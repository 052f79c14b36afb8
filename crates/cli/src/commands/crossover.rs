//! `prodmax crossover`: the uniform error rate at which one rule overtakes the other.

use clap::Args;
use prodmax_enumerate::{Model, Plan};
use prodmax_jobs::Effort;
use prodmax_mass::answer::{CrossoverAnswer, CrossoverAnswers};
use prodmax_mass::effort::{MeasureWork, NumberCost, in_memory};
use prodmax_mass::{Contestant, Critical, Crossover as Rates, Curve, CurveTable, Forest};
use prodmax_rules::{Leaves, RuleList, RulePair};
use rayon::prelude::*;

use super::Run;
use crate::context::Context;
use crate::effort;
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::model_args::ModelArgs;
use crate::output::{CommandResult, Output};

/// Find the error rate at which one rule overtakes the other, Minimax and Product unless named, exactly.
///
/// If every leaf is evaluated wrongly with the same probability p, the error mass
/// of each rule is a polynomial in p with whole coefficients. Minimax is superior
/// where Product's is greater. This command prints both, their difference, and
/// every p between 0 and 1/2 at which they are equal: as a fraction where it is
/// rational, else in an interval that contains it alone. Where the rules never
/// choose differently (at depth 1, say), they are equally good at every p.
///
/// In binary trees of depth 2 it also counts in which interval I1 … I5 of P2 <= M2 <= M1 <= P1 the
/// draw value lies, over all critical trees. Formula (7) of KHS says that Minimax
/// is superior if (1-p) N(I4) > p N(I2), so the threshold is
/// p* = N(I4) / (N(I2) + N(I4)). The command fails (exit status 1) if that is not
/// the root of the polynomials, which know nothing about intervals. A leaf of value 0
/// (--zero allow) counts half above and half below the draw value.
///
/// --branching B gives every node B moves; the polynomials have a degree of up to twice
/// the leaves below a move of the root, and formula (7) is about two moves only.
///
/// --rules sets any two rules against each other; the first one takes the place of
/// Minimax. Formula (7) is about Minimax and Product only. The ideal rule is
/// refused: its choices change with p.
///
/// Examples:
///
///     prodmax crossover --root -3 --increments 8,8
///
/// gives 1/35; KHS report about 4.8 % without naming the root.
///
///     prodmax crossover --root -1 --increments 3,3,3
///
/// does the same at depth 3.
///
///     prodmax crossover --root -3 --increments 8,8 --rules minimax,mean:4
///
/// puts means in the place of Product.
///
///     prodmax crossover --root -8..8 --increments 8,8 --format svg -o thresholds.svg
///
/// draws the thresholds over the roots.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Crossover {
    #[command(flatten)]
    models: ModelArgs,

    /// Product's estimate of the probability of winning [default: arctan:1, or what the spec says]
    #[arg(long, value_name = "CURVE")]
    estimate: Option<Curve>,

    /// The two rules [default: minimax,product, or those of the spec]; see prodmax rules
    #[arg(long, value_name = "FIRST,SECOND")]
    rules: Option<RulePair>,
}

impl Run for Crossover {
    fn files(&self) -> Files {
        self.models.files()
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let models = self.models.models()?;
        let named = self.rules.clone().or_else(|| models.settings().rules.as_ref().map(RuleList::pair));
        let pair = named.unwrap_or_default();
        if let Some(named) = pair.named().iter().find(|named| named.rule.leaves() == Leaves::Truth) {
            return Err(Error::RuleSeesTruth { rule: named.name.clone() });
        }
        for model in models.iter() {
            effort::check(model)?;
        }
        let estimate = self.estimate.as_ref().or(models.settings().estimate.as_ref());
        let estimate = estimate.cloned().unwrap_or_else(|| Curve::arctan(1));
        let all: Vec<&Model> = models.iter().collect();
        let work = MeasureWork { rankings: 2, contests: 1, numbers: NumberCost::Polynomials };
        let efforts = all.iter().map(|model| in_memory(model, &Plan::of(model), &work));
        let effort = Effort::in_parallel(efforts, rayon::current_num_threads());
        let instead = "use smaller increments, or ask for one error rate, e.g. prodmax mass --truth uniform:1/20, which \
                       works block by block";
        let _meter = guard::admit(context, &effort::names(&all), effort, instead)?;
        let answers = all.par_iter().map(|model| find(model, &estimate, &pair)).collect::<Result<_, _>>()?;
        Ok(CommandResult::Figures(Output::answer(&CrossoverAnswers(models.listed(answers)))))
    }

    fn draws(&self) -> bool {
        true
    }
}

fn find(model: &Model, estimate: &Curve, pair: &RulePair) -> Result<CrossoverAnswer, Error> {
    let estimate = CurveTable::new(estimate.clone(), model.line().h_max());
    let failed = |source: prodmax_mass::MassError| {
        let (root, increments) = effort::name(model);
        Error::Measure { root, increments, source: source.into() }
    };
    let [first, second] = pair.rules().map(|rule| Contestant::through(rule, &estimate));
    let forest = Forest::of(model).map_err(|error| failed(error.into()))?;
    let critical = Critical::between(forest, [&first, &second]).map_err(failed)?;
    let rates = if pair.is_khs() { Rates::of(&critical) } else { Rates::between(&critical) };
    let rules = pair.names().map(str::to_owned);
    Ok(CrossoverAnswer::new(model, rules, critical.counts().critical, rates))
}
