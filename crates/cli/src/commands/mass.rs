//! `prodmax mass`: the critical trees of a model and the error mass of two rules in them.

use clap::Args;
use prodmax_mass::answer::MassAnswers;

use super::{Run, mass_reading};
use crate::context::Context;
use crate::error::Error;
use crate::files::Files;
use crate::measure_args::MeasureArgs;
use crate::model_args::ModelArgs;
use crate::output::{CommandResult, Output};
use crate::shard::args::{ShardArg, ShardArgs};
use crate::shard::plan::WorkPlan;

/// Sum the errors of two rules, Minimax and Product unless named, over all critical trees of a model.
///
/// A tree is critical if the two rules choose different moves: M by Minimax, P
/// by Product. Minimax errs there with probability Pr(M lost) Pr(P won), Product
/// with Pr(M won) Pr(P lost); both are summed over all ordered trees (KHS section
/// V). The figures:
///
///   critical            ordered trees in which the rules disagree, exactly
///   won                 the probability, over all trees, that the move which a rule
///                       chooses is won; it settles ties by chance
///   ties                what trees in which a rule ties contribute to won of Minimax
///                       minus won of Product, in percentage points
///   difference          100 (product error - minimax error) / (their sum), as in
///                       KHS's Table II: above 0 Minimax errs less in critical trees
///   minimax error       error mass of Minimax
///   product error       error mass of Product
///   share               Minimax's part of both errors, in percent
///   per case            100 (product error - minimax error) / critical
///
/// The difference is relative to the errors in critical trees and leaves ties out. So
/// it can be large where little is won or lost, and its sign can differ from that of
/// what is won; a note says where it does.
///
/// Which trees are critical is decided exactly whatever numbers are used: where
/// doubles cannot tell two product values apart, higher precision or an algebraic
/// identity does. With --number certified every figure comes with an interval that
/// is certain to contain it.
///
/// --rules sets any two rules against each other (prodmax rules lists them); the
/// first one takes the place of Minimax, the second one that of Product. Then, or
/// with --quality, there is also the efficiency of each rule: the part of what the
/// ideal rule wins beyond chance.
///
/// --branching B gives every node B moves instead of two. A tree is critical then if
/// each rule has a unique best move and these differ; errors are those of the two
/// moves, as before, and a rule with several best moves takes one of them at random.
///
/// A binary model with more than 2 million depth-1 classes is swept block by block in
/// bounded memory: counts stay exact, masses come with a proven error bound. There
/// Minimax can be set against product, average, mean and ideal.
///
/// Where that would take more than 30 minutes, the law of the values is computed on
/// a grid instead, for Minimax against Product or the ideal rule at any depth and
/// with any number of moves: estimates with a margin, or with --number certified
/// intervals that are certain to contain each figure. --engine names one of the
/// three; prodmax enumerate --plan says what each would take.
///
/// Examples:
///
///     prodmax mass --root -1 --increments 3,3,3
///
/// is one cell of Table II: published +0.8, the stated model gives -4.76.
///
///     prodmax mass --root -4..2 --increments 8,8 --increments 8,8,8
///
/// does the roots of Table II at full width, first depth 2 and then depth 3.
///
///     prodmax mass --root 1 --increments 8,8 --number certified --format json
///
/// gives depth 2 at full width with certified figures.
///
///     prodmax mass --root -3 --increments 8,8 --truth uniform:1/35 --number exact
///
/// shows that both rules err equally often there: the threshold of formula (7).
///
///     prodmax mass --root -1 --increments 3,3,3 --reading sign-wise
///
/// takes the paper's text in another way (see prodmax readings --help): +0.33, with
/// the sign of the published cell.
///
///     prodmax mass --root 1 --increments 8,8 --rules minimax,mean:4
///
/// sets Rivest's generalised means against Minimax: they win 34.55 % of their
/// decisions, Minimax 34.29 %.
///
///     prodmax mass --root 1 --increments 8,8 --branching 8
///
/// does all 9^72 trees with eight moves everywhere.
///
///     prodmax mass --root 1 --increments 8,8,8,8 --checkpoint depth4.ckpt
///
/// does all 4.2e28 trees of depth 4; interrupted, the same command goes on.
///
///     prodmax mass --root 1 --increments 8,8,8,8 --engine law --number certified --width 0.5
///
/// encloses the same difference in an interval of less than half a point, in seconds.
///
///     prodmax mass --root -8..8 --increments 8,8 --format svg -o difference.svg
///
/// draws the difference over the roots.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Mass {
    #[command(flatten)]
    models: ModelArgs,

    #[command(flatten)]
    measure: MeasureArgs,

    #[command(flatten)]
    shard: ShardArgs,

    /// Measure the efficiency of each rule, too; --rules implies it, and so does the law of the values.
    #[arg(long)]
    quality: bool,

    /// Read the paper's text in another way: stated, per-case, sign-wise, error-product or a file like those in
    /// specs/readings. Summed in doubles.
    #[arg(
        long,
        value_name = "NAME|FILE",
        conflicts_with_all = [
            "truth", "estimate", "number", "ties", "zero", "h_max", "checkpoint",
        ]
    )]
    reading: Option<String>,
}

impl Run for Mass {
    fn files(&self) -> Files {
        let files = self.measure.files(self.models.files());
        files.reads("--reading", &mass_reading::file(self.reading.as_deref()))
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let models = self.models.models()?;
        if let Some(reading) = &self.reading {
            if self.quality || self.measure.names_rules() || models.settings().rules.is_some() {
                return Err(Error::ReadingOfRules);
            }
            return mass_reading::run(context, reading, &models);
        }
        let answers = self.measure.measure(context, &models, self.quality)?;
        Ok(CommandResult::Figures(Output::answer(&MassAnswers(models.listed(answers)))))
    }

    fn draws(&self) -> bool {
        true
    }

    fn shard(&self) -> Option<ShardArg> {
        self.shard.shard
    }

    fn plan(&self, shards: u32) -> Result<WorkPlan, Error> {
        self.measure.plan(&self.models.models()?, self.quality, shards)
    }

    fn share(&self, context: &Context) -> Result<(), Error> {
        if self.reading.is_some() {
            return Err(Error::NotDivided { why: "a reading of one model is measured at once" });
        }
        self.measure.share(context, &self.models.models()?, self.quality)
    }
}
