//! `prodmax prism`: the model for a probabilistic model checker.

use clap::Args;
use prodmax_prism::write;
use prodmax_rules::RulePair;

use super::Run;
use crate::context::Context;
use crate::effort;
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::measure_args::CurveArgs;
use crate::model_args::ModelArgs;
use crate::output::CommandResult;

/// Write a model in the PRISM language, for a probabilistic model checker to confirm a figure.
///
/// It takes exactly one model: one root and one list of increments.
///
/// The result is a Markov chain that draws the increments and the truth of every
/// leaf, backs values up by both rules and compares them, all by itself: nothing
/// that prodmax computes is in it except the values of the two curves, which the
/// language cannot compute. Fractions stay fractions (uniform:P), so a checker
/// with exact arithmetic agrees exactly with `prodmax mass --number exact`; other
/// curves have 30 decimal places.
///
/// Labels:
///
///   minimax_errs   the rules disagree; Minimax's move is lost, Product's is won
///   product_errs   the rules disagree; Product's move is lost, Minimax's is won
///   critical       the rules disagree
///
/// With m and p the probabilities of the first two, the difference in percent is
/// 100 (p - m) / (p + m). Times the number of trees they are the error masses.
///
/// --rules FIRST,SECOND writes other rules: average:A, mean:P (P up to 8: powers are
/// written out, and rounding errors are bounded for that many factors) and ideal. The
/// labels are named after them, e.g. average_1_2_errs and mean_4_errs; positive
/// differences favour the first. One more number is then passed on: values count
/// as equal up to a constant that prodmax has proved to be less than every difference
/// of different values. baum and hints sort the moves of each node and cannot be
/// written.
///
/// --branching B writes trees with 2 to 6 moves everywhere: the rules disagree if each
/// has a unique best move and these differ.
///
/// Examples:
///
///     prodmax prism --root 1 --increments 8,8 --output depth2.pm
///     storm --prism depth2.pm --prop 'P=? [F "minimax_errs"]; P=? [F "product_errs"]'
///
/// confirms depth 2 at full width: a difference of -6.468599539.
///
///     prodmax prism --root 1 --increments 8,8 --truth uniform:1/20 --output uniform.pm
///     storm --prism uniform.pm --exact --prop 'P=? [F "minimax_errs"]'
///
/// gives a fraction.
///
///     prodmax prism --root 1 --increments 8,8 --rules minimax,mean:4 --output mean.pm
///     storm --prism mean.pm --prop 'P=? [F "minimax_errs"]; P=? [F "mean_4_errs"]'
///
/// sets another rule against Minimax. `make verify-storm` does all this for a handful of models.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Prism {
    #[command(flatten)]
    models: ModelArgs,

    #[command(flatten)]
    curves: CurveArgs,

    /// The two rules [default: minimax,product]: minimax, product, average:A, mean:P (P up to 8) or ideal.
    #[arg(long, value_name = "FIRST,SECOND")]
    rules: Option<RulePair>,
}

impl Run for Prism {
    fn files(&self) -> Files {
        self.models.files()
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let models = self.models.models()?;
        let (truth, estimate) = self.curves.choose(&models);
        let rules = self.rules.clone().unwrap_or_default().rules();
        let model = models.one().ok_or(Error::OneModel)?;
        effort::check(model)?;
        let work = prodmax_prism::effort(model, &rules);
        let _meter = guard::admit(context, &effort::names(&[model]), work, "use smaller increments")?;
        Ok(CommandResult::Text(write(model, &truth, &estimate, &rules)?))
    }
}
