//! The case analysis against the enumeration: two ways to compute the error masses under a uniform error p that share
//! no code except the polynomials.
//!
//! 1. By cases: every critical tree is filed under the position of its draw value (at depth 2 one of I1 to I5,
//!    at depth 3 an order type and a draw position), and the polynomials of `prodmax-cases` are added up with
//!    these numbers as weights.
//! 2. By masses: `prodmax-mass` backs up win probabilities as polynomials in p and sums over the critical trees,
//!    without knowing about intervals or order types.
//!
//! Both must agree coefficient by coefficient, in big integers: [`verify`] computes them, and
//! [`Verification::holds`] compares.

mod depth2;
mod depth3;
mod sides;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use prodmax_cases::depth2::OutsideOrder;
use prodmax_enumerate::{Model, Plan};
use prodmax_jobs::Effort;
use prodmax_mass::effort::{MeasureWork, NumberCost, in_memory};
use prodmax_mass::{Critical, Curve, CurveTable, MassError};
use thiserror::Error;

pub use depth2::Intervals;
pub use depth3::OrderTypes;
pub use sides::Sides;

/// The maximum number of pairs of depth-1 classes that are visited one by one: more would take minutes.
pub const MAX_PAIRS: u64 = 1 << 28;

/// Why a model cannot be verified.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum VerifyError {
    /// There is no case analysis for this depth.
    #[error(
        "the case analysis covers depth 2 and 3, but the model has depth {0}; give two or three increments"
    )]
    Depth(usize),
    /// More or fewer than two moves.
    #[error("the case analysis is about trees with two moves everywhere, but the model has {0}")]
    Branching(usize),
    /// Every critical tree is visited, and there are too many.
    #[error(
        "{0} pairs of depth-1 classes would have to be visited, more than {MAX_PAIRS}; use smaller increments"
    )]
    Pairs(BigUint),
    /// The masses cannot be computed.
    #[error(transparent)]
    Mass(#[from] MassError),
    /// A critical tree that contradicts the order (4) of KHS.
    #[error("a critical tree contradicts the case analysis: {0}")]
    Order(#[from] OutsideOrder),
}

/// The result for one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The number of critical ordered trees.
    pub critical: BigUint,
    /// How the critical trees are distributed over the cases.
    pub weights: Weights,
    /// The error masses both ways.
    pub sides: Sides,
}

/// How often each position of the draw value occurs among the critical trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Depth 2: N(I1) to N(I5).
    Intervals(Box<Intervals>),
    /// Depth 3: N(type, draw position).
    OrderTypes(OrderTypes),
}

impl Verification {
    /// Whether the case analysis is confirmed: the masses are equal in every coefficient, the weights add up to
    /// the number of critical trees, and no tree lies where the analysis rules it out.
    pub fn holds(&self) -> bool {
        let weights = match &self.weights {
            Weights::Intervals(intervals) => intervals.hold(&self.critical),
            Weights::OrderTypes(types) => types.hold(&self.critical),
        };
        weights && self.sides.agree()
    }
}

/// Computes the error masses of a model both ways. The estimate decides which trees are critical.
///
/// ```
/// use prodmax_enumerate::{Model, ZeroMode};
/// use prodmax_mass::Curve;
/// let model = Model::new(-3, &[8, 8], ZeroMode::Skip, 42)?;
/// let verification = prodmax_check::verify::verify(&model, &Curve::arctan(1))?;
/// assert_eq!(verification.critical.to_string(), "28992");
/// assert!(verification.holds());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(model: &Model, estimate: &Curve) -> Result<Verification, VerifyError> {
    check(model)?;
    let critical = Critical::of(model, &CurveTable::new(estimate.clone(), model.line().h_max()))?;
    if model.depth() == 2 { depth2::verify(&critical) } else { depth3::verify(&critical) }
}

/// An error if [`verify`] would refuse the model, before any work is done.
pub fn check(model: &Model) -> Result<(), VerifyError> {
    if !model.is_binary() {
        return Err(VerifyError::Branching(model.branching()));
    }
    if !matches!(model.depth(), 2 | 3) {
        return Err(VerifyError::Depth(model.depth()));
    }
    let classes = Plan::of(model).depth_one_classes().clone();
    let pairs = &classes * (&classes + 1u32) / 2u32;
    if pairs > BigUint::from(MAX_PAIRS) { Err(VerifyError::Pairs(pairs)) } else { Ok(()) }
}

/// The effort of [`verify`]: the masses as polynomials, and every pair of classes once. Measured: 12 ns per pair.
pub fn effort(model: &Model) -> Effort {
    const PAIR_SECONDS: f64 = 12e-9;
    let plan = Plan::of(model);
    let classes = plan.depth_one_classes().to_f64().unwrap_or(f64::INFINITY);
    let masses =
        in_memory(model, &plan, &MeasureWork { rankings: 2, contests: 1, numbers: NumberCost::Polynomials });
    masses.and(Effort { bytes: 0.0, seconds: classes * classes / 2.0 * PAIR_SECONDS })
}

/// The leaf values of every depth-1 class, from left to right.
fn leaves<const N: usize>(critical: &Critical) -> Vec<[i64; N]> {
    let values = |class| {
        let mut values = [0; N];
        for (value, leaf) in values.iter_mut().zip(critical.leaves(class)) {
            *value = leaf.get().into();
        }
        values
    };
    (0..critical.classes().len()).map(values).collect()
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::ZeroMode;

    use super::*;

    fn refusal(increments: &[i64], h_max: i64) -> String {
        let model = Model::new(1, increments, ZeroMode::Skip, h_max).unwrap();
        verify(&model, &Curve::arctan(1)).unwrap_err().to_string()
    }

    #[test]
    fn other_depths_and_huge_models_are_refused() {
        assert!(refusal(&[8], 42).contains("depth 1"));
        assert!(refusal(&[1; 4], 42).contains("depth 4"));
        assert!(refusal(&[1000, 1000], 5000).contains("use smaller increments"));
    }
}
