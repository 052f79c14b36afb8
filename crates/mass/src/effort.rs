//! What it takes to measure a model in memory or block by block.
//!
//! In memory, peak memory and time are proportional to the number of depth-1 classes. Measured (one thread, 1.6
//! million classes of depth 4 and smaller models): 100 bytes and 0.35 µs per class for one contest in doubles, 520
//! bytes and 2.7 µs in enclosures, 1030 bytes and 13 µs as polynomials in p (8 leaves below a move), 250 to 510 bytes
//! and 24 to 130 µs in fractions (34 and 240 bits). Comparisons that doubles cannot settle come on top; there are few
//! of them, but their number is not known beforehand.

use num_traits::ToPrimitive;
use prodmax_enumerate::{Model, Plan, effort as classes};
use prodmax_jobs::Effort;
use prodmax_rules::Curve;

use crate::deep;
use crate::engine::is_deep;
use crate::measure::Number;

/// Bytes per class: its children and multiplicity, what sorting takes, its weights in doubles.
const CLASS_BYTES: f64 = 90.0;

/// Bytes per class in one ranking.
const RANKING_BYTES: f64 = 16.0;

/// Seconds to rank a class by one rule.
const RANKING_SECONDS: f64 = 0.15e-6;

/// The number of Minimax values up to which more than two moves take no longer than two.
const RANKS_PER_CONTEST: f64 = 8.0;

/// What is computed over the classes of a model.
#[derive(Clone, Debug)]
pub struct MeasureWork {
    /// The number of rules that rank the classes.
    pub rankings: usize,
    /// The number of pairs of rules that are compared.
    pub contests: usize,
    /// The numbers in which masses are summed.
    pub numbers: NumberCost,
}

/// Kinds of numbers by what they cost.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NumberCost {
    /// Doubles.
    Doubles,
    /// Enclosures.
    Enclosures,
    /// Fractions.
    Fractions {
        /// The bits of the denominator of a leaf's probability.
        bits: f64,
    },
    /// Polynomials in p.
    Polynomials,
}

impl NumberCost {
    /// The numbers of a measurement with this truth.
    pub fn of(number: Number, truth: &Curve) -> Self {
        match (number, truth) {
            (Number::F64, _) => Self::Doubles,
            (Number::Certified, _) => Self::Enclosures,
            (Number::Exact, Curve::Uniform(error)) => Self::Fractions { bits: error.denom().bits() as f64 },
            // Refused before the work begins.
            (Number::Exact, _) => Self::Fractions { bits: 1.0 },
        }
    }

    /// Bytes per class, and seconds per class and contest, with this number of leaves below a move of the root.
    fn cost(self, leaves: f64) -> Effort {
        let (bytes, seconds) = match self {
            Self::Doubles => (0.0, 0.3e-6),
            Self::Enclosures => (430.0, 2.7e-6),
            Self::Fractions { bits } => (110.0 + 1.3 * leaves * bits, 5e-6 + 0.55e-6 * leaves * bits),
            Self::Polynomials => (120.0 * leaves, 1.7e-6 * leaves),
        };
        Effort { bytes, seconds }
    }
}

/// What it takes to measure a model in memory, one step after the other. `plan` is the model's.
pub fn in_memory(model: &Model, plan: &Plan, work: &MeasureWork) -> Effort {
    let count = plan.depth_one_classes().to_f64().unwrap_or(f64::INFINITY);
    let leaves = (model.branching() as f64).powi(model.depth() as i32 - 1);
    let mut cost = work.numbers.cost(leaves);
    if model.branching() > 2 {
        // A contest then visits the values of Minimax for every class, instead of a few sums over ranks.
        cost.seconds *= (model.values(model.depth()) as f64 / RANKS_PER_CONTEST).max(1.0);
    }
    let rankings = work.rankings as f64;
    let measuring = Effort {
        bytes: count * (CLASS_BYTES + rankings * RANKING_BYTES + cost.bytes),
        seconds: count * (rankings * RANKING_SECONDS + work.contests as f64 * cost.seconds),
    };
    // The stored levels stay in memory; the depth-1 classes are part of what measuring takes.
    let built = classes::depth_one(plan);
    let levels = classes::table(plan);
    let measured = built.then(measuring);
    levels.and(measured)
}

/// What a model takes in memory if its classes fit, or else block by block with `block_bytes` bytes for the blocks,
/// on the given number of threads; `sweeps` is how often the blocks are then swept.
pub fn in_memory_or_blocks(
    model: &Model,
    work: &MeasureWork,
    sweeps: usize,
    block_bytes: u64,
    threads: usize,
) -> Effort {
    if is_deep(model) {
        deep::Estimate::of(model, threads, deep::PAIRS_PER_SECOND).effort(block_bytes).times(sweeps as f64)
    } else {
        in_memory(model, &Plan::of(model), work)
    }
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::ZeroMode;

    use super::*;

    fn effort(increments: &[i64], numbers: NumberCost) -> Effort {
        let model = Model::new(1, increments, ZeroMode::Skip, 42).unwrap();
        in_memory(&model, &Plan::of(&model), &MeasureWork { rankings: 2, contests: 1, numbers })
    }

    /// Peak memory in MiB minus the 13 of a program that does nothing, and processor seconds, as measured by
    /// `getrusage`.
    #[test]
    fn estimates_are_within_a_factor_of_two_of_measurements() {
        let twentieth = NumberCost::Fractions { bits: 5.0 };
        let measured = [
            (effort(&[4, 4, 4, 4], NumberCost::Doubles), 163.0, 0.55),
            (effort(&[4, 4, 4, 4], NumberCost::Enclosures), 847.0, 4.4),
            (effort(&[4, 4, 4, 4], NumberCost::Polynomials), 1680.0, 21.5),
            (effort(&[3, 3, 3, 3], NumberCost::Polynomials), 240.0, 2.9),
            (effort(&[4, 4, 4, 4], twentieth), 413.0, 39.5),
            (effort(&[3, 3, 3, 3], twentieth), 56.0, 5.0),
            (effort(&[3, 3, 3, 3], NumberCost::Fractions { bits: 30.0 }), 121.0, 31.4),
        ];
        for (effort, mebibytes, seconds) in measured {
            let bytes = effort.bytes / f64::from(1 << 20) / mebibytes;
            assert!((0.9..2.0).contains(&bytes), "{effort:?}, measured {mebibytes} MiB");
            let time = effort.seconds / seconds;
            assert!((0.5..2.0).contains(&time), "{effort:?}, measured {seconds} s");
        }
    }

    #[test]
    fn numbers_cost_what_was_measured() {
        let cost = |numbers: NumberCost| {
            let Effort { bytes, seconds } = numbers.cost(8.0);
            (bytes, seconds * 1e6)
        };
        assert_eq!(cost(NumberCost::Enclosures), (430.0, 2.7));
        let (bytes, microseconds) = cost(NumberCost::Fractions { bits: 5.0 });
        approx::assert_relative_eq!(bytes, 110.0 + 1.3 * 40.0, max_relative = 1e-12);
        approx::assert_relative_eq!(microseconds, 5.0 + 0.55 * 40.0, max_relative = 1e-12);
        let (bytes, microseconds) = cost(NumberCost::Polynomials);
        approx::assert_relative_eq!(bytes, 120.0 * 8.0, max_relative = 1e-12);
        approx::assert_relative_eq!(microseconds, 1.7 * 8.0, max_relative = 1e-12);
    }

    /// What one more ranking and one more contest take. There are 17 leaf values, so a contest of three moves takes 17/8 times
    /// as long per class.
    #[test]
    fn rankings_and_contests_cost_the_same_for_every_class() {
        for (branching, factor) in [(2, 1.0), (3, 17.0 / 8.0)] {
            let model =
                Model::new(1, &[8, 8], ZeroMode::Skip, 42).unwrap().with_branching(branching).unwrap();
            let plan = Plan::of(&model);
            let classes = plan.depth_one_classes().to_f64().unwrap();
            let take = |rankings, contests| {
                in_memory(&model, &plan, &MeasureWork { rankings, contests, numbers: NumberCost::Doubles })
            };
            let (less, more) = (take(1000, 1000), take(3000, 2000));
            approx::assert_relative_eq!(
                more.bytes - less.bytes,
                classes * 2000.0 * RANKING_BYTES,
                max_relative = 1e-9
            );
            let seconds = 2000.0 * RANKING_SECONDS + 1000.0 * 0.3e-6 * factor;
            approx::assert_relative_eq!(more.seconds - less.seconds, classes * seconds, max_relative = 1e-9);
        }
    }

    #[test]
    fn small_models_are_measured_in_memory() {
        let model = Model::new(1, &[8, 8], ZeroMode::Skip, 42).unwrap();
        let work = MeasureWork { rankings: 2, contests: 1, numbers: NumberCost::Doubles };
        let effort = in_memory_or_blocks(&model, &work, 1, 1 << 30, 2);
        assert_eq!(effort, in_memory(&model, &Plan::of(&model), &work));
        assert!(effort.bytes > 0.0 && effort.seconds > 0.0);
    }

    #[test]
    fn the_estimate_of_a_model_that_took_eight_gigabytes_is_right() {
        let effort = effort(&[5, 5, 5, 5], NumberCost::Polynomials);
        assert!(effort.bytes > 8e9 && effort.bytes < 16e9, "{effort:?}");
    }
}
