//! What a deep enumeration will cost, before it starts.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use prodmax_enumerate::{Model, Plan, effort as classes};
use prodmax_jobs::{Effort, text};

use super::DeepError;

/// The number of pairs of classes that one thread sweeps in a second, measured by `benches/deep.rs` on a busy 2.4 GHz
/// server core and rounded down.
pub const PAIRS_PER_SECOND: f64 = 1.2e7;

/// The size of the work.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Depth-1 classes: pairs of level-2 classes.
    pub pairs: BigUint,
    /// Wall-clock time.
    pub seconds: f64,
    /// What the levels below the depth-1 classes take while they are built; the memory of [`super::Options`] comes on
    /// top.
    pub levels: Effort,
    /// The level at which reducing the increment by one saves the most pairs.
    pub level: usize,
}

impl Estimate {
    /// For the given number of threads, each sweeping `rate` pairs per second (see [`PAIRS_PER_SECOND`]). Models
    /// whose estimate gives tied product values are faster than this: their classes are merged further.
    pub fn of(model: &Model, threads: usize, rate: f64) -> Self {
        let plan = Plan::of(model);
        let pairs = plan.depth_one_classes().clone();
        let levels = classes::table(&plan);
        let sweep = pairs.to_f64().unwrap_or(f64::INFINITY) / rate;
        let seconds = (levels.seconds + sweep) / threads.max(1) as f64;
        Self { pairs, seconds, levels, level: most_saving_level(model) }
    }

    /// The total effort with this much memory for the blocks.
    pub fn effort(&self, memory_bytes: u64) -> Effort {
        Effort { bytes: self.levels.bytes + memory_bytes as f64, seconds: self.seconds }
    }

    /// The time in a readable form, e.g. `about 18 h`.
    pub fn time(&self) -> String {
        text::about(self.seconds)
    }

    /// Refuses work that would take longer than `most_seconds`.
    pub fn check(&self, most_seconds: f64) -> Result<(), DeepError> {
        if self.seconds <= most_seconds {
            return Ok(());
        }
        Err(DeepError::Hopeless { pairs: about(&self.pairs), time: self.time(), level: self.level })
    }
}

fn most_saving_level(model: &Model) -> usize {
    let line = model.line();
    let increments: Vec<i64> = model.increments().iter().map(|&a| a.into()).collect();
    let pairs_with = |level: usize| {
        let mut fewer = increments.clone();
        fewer[level - 1] -= 1;
        let model = Model::new(model.root().get().into(), &fewer, line.zero(), line.h_max().into()).ok()?;
        Some(Plan::of(&model).depth_one_classes().clone())
    };
    let candidates = (1..=model.depth()).filter_map(|level| Some((pairs_with(level)?, level)));
    candidates.min().map_or(1, |(_, level)| level)
}

/// A large number rounded to one digit: `5·10^12`.
fn about(number: &BigUint) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let first_two: u32 = digits[..2].bytes().fold(0, |number, digit| 10 * number + u32::from(digit - b'0'));
    match (first_two + 5) / 10 {
        10 => format!("1·10^{}", digits.len()),
        one => format!("{one}·10^{}", digits.len() - 1),
    }
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::ZeroMode;

    use super::*;

    #[test]
    fn hopeless_work_is_refused_with_a_sentence() {
        let model = Model::new(1, &[8, 8, 8, 8], ZeroMode::Skip, 42).unwrap();
        let estimate = Estimate::of(&model, 2, 1e7);
        assert_eq!(estimate.pairs, BigUint::from(231_317_496u32));
        assert!(estimate.check(60.0).is_ok());
        let model = Model::new(1, &[4, 4, 4, 4, 4], ZeroMode::Skip, 42).unwrap();
        let refusal = Estimate::of(&model, 2, 2e7).check(600.0).unwrap_err().to_string();
        assert_eq!(
            refusal,
            "needs about 3·10^12 class pairs, about 18 h; try a smaller increment at level 5"
        );
    }

    #[test]
    fn the_memory_of_blocks_comes_on_top() {
        let levels = Effort { bytes: 3e6, seconds: 7.0 };
        let estimate = Estimate { pairs: BigUint::from(5u32), seconds: 11.0, levels, level: 1 };
        assert_eq!(estimate.effort(2_000_000), Effort { bytes: 5e6, seconds: 11.0 });
    }

    #[test]
    fn sizes_are_abbreviated() {
        assert_eq!(about(&BigUint::from(9_999u32)), "9999");
        let rounded = [10_000u32, 14_999, 15_000, 94_999, 95_000].map(|number| about(&number.into()));
        assert_eq!(rounded, ["1·10^4", "1·10^4", "2·10^4", "9·10^4", "1·10^5"]);
        let model = Model::new(1, &[8, 8, 8, 8], ZeroMode::Skip, 42).unwrap();
        assert_eq!(
            Estimate::of(&model, 2, 1e6).time(),
            "about 116 s",
            "231 million pairs, 2 million per second"
        );
    }

    #[test]
    fn a_time_beyond_all_doubles_is_not_printed_as_infinity() {
        let estimate = Estimate {
            pairs: BigUint::from(10u32).pow(400),
            seconds: f64::INFINITY,
            levels: Effort::NONE,
            level: 1,
        };
        let refusal = estimate.check(600.0).unwrap_err().to_string();
        assert_eq!(
            refusal,
            "needs about 1·10^400 class pairs, more than 10^300 years; try a smaller increment at level 1"
        );
    }
}
