//! `prodmax formulas`: the polynomials (5) and (6), g(p) and condition (7), and their check against enumeration.

mod baum;
mod derived;
mod verified;

use clap::Args;
use num_traits::{One, Signed};
use prodmax_mass::Curve;
use prodmax_number::Fraction;
use prodmax_number::fraction::parse;

use super::Run;
use crate::context::Context;
use crate::error::Error;
use crate::files::Files;
use crate::model_args::ModelArgs;
use crate::output::CommandResult;

/// Derive formulas (5) to (7) from the cases of Table I, and verify them.
///
/// If every leaf is evaluated wrongly with the same probability p, a case with
/// n errors among 4 leaves has the frequency p^n (1-p)^(4-n). Summed over the
/// cases of an interval of the draw value this gives, after KHS section IV-C:
///
///   (5)   the advantage of Minimax with the draw value in I4
///   (6)   the advantage of Product with the draw value in I2
///   g(p)  their common factor, found by exact division
///   (7)   when Minimax is superior: (1-p) N(I4) > p N(I2), N being the number
///         of critical trees; so the threshold is p* = N(I4) / (N(I2) + N(I4))
///
/// In the other intervals the advantages cancel for every p. The paper's g(p)
/// simplifies to 1 - 2p, so (7) is the condition for p < 1/2; beyond, where an
/// evaluation is more often wrong than right, it is reversed.
///
/// Erratum: the text of KHS says that with the draw value in I2 it is P2 that
/// is WIN. By the order P2 <= M2 <= M1 <= P1 it is P1; (6) is right.
///
/// With --verify every critical tree of a model is assigned to its interval (at
/// depth 3: to the order of its leaves and its draw position), and the polynomials,
/// weighted by the numbers of trees, are compared with the error masses from the
/// enumeration, which knows nothing about intervals: coefficient by coefficient,
/// exactly. The exit status is 1 if they differ. Leaves of value 0 (--zero allow)
/// lie on the draw value; such a tree counts half for each side of it, leaf by
/// leaf.
///
/// Examples:
///
///     prodmax formulas --p 1/20
///
/// adds the exact values at p = 1/20; the threshold is 1/20 if there are 19
/// times as many critical trees in I2 as in I4.
///
///     prodmax formulas --verify --root -3 --increments 8,8
///
/// confirms the formulas on the 28992 critical trees of this model; Minimax is
/// superior for p < 1/35.
///
///     prodmax formulas --verify --spec specs/table2.ron
///
/// confirms the depth-3 analysis on the 42 models of KHS's Table II.
///
///     prodmax formulas --baum
///
/// derives the theory of Baum's rule instead: (3.3) to (3.9), and whether (2.6)
/// is exact in Schruefer's model, by enumeration.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Formulas {
    /// Evaluate the formulas at this error probability, a fraction like 1/20 or a decimal like 0.05.
    #[arg(long, value_name = "P", value_parser = probability, allow_hyphen_values = true)]
    p: Option<Fraction>,

    /// Compare the formulas with the enumerated error masses of models of depth 2 or 3.
    #[arg(long, conflicts_with = "p")]
    verify: bool,

    /// Derive and check the formulas of Baum's rule instead: (2.6) and (3.4) to (3.9).
    #[arg(long, conflicts_with_all = ["p", "verify"])]
    baum: bool,

    /// The curve of the heuristic estimate, which decides which trees are critical [default: that of the spec, or
    /// arctan:1].
    #[arg(long, value_name = "CURVE", requires = "verify")]
    estimate: Option<Curve>,

    #[command(flatten)]
    models: ModelArgs,
}

fn probability(text: &str) -> Result<Fraction, String> {
    let p = parse(text).map_err(|error| error.to_string())?;
    if p.is_negative() || p > Fraction::one() {
        return Err("an error probability lies between 0 and 1".to_owned());
    }
    Ok(p)
}

impl Run for Formulas {
    fn files(&self) -> Files {
        self.models.files()
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        if self.verify {
            let models = self.models.models()?;
            return verified::output(context, &models, self.estimate.as_ref()).map(CommandResult::Figures);
        }
        if self.models.are_given() {
            return Err(Error::ModelWithoutVerify);
        }
        if self.baum {
            return Ok(CommandResult::Figures(baum::output()));
        }
        Ok(CommandResult::Figures(derived::output(self.p.as_ref())))
    }
}
