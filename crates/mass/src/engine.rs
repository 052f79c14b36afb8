//! The three engines that sum masses, and which one measures a model.

use std::fmt;
use std::str::FromStr;

use num_bigint::BigUint;
use prodmax_enumerate::effort::{MAX_STEPS, planning_steps};
use prodmax_enumerate::{Model, Plan};
use prodmax_jobs::Effort;
use prodmax_law as law;

use crate::deep::{self, Estimate, PAIRS_PER_SECOND, check_model};
use crate::effort::{MeasureWork, NumberCost, in_memory};
use crate::measure::Number;

/// Up to this number of depth-1 classes, all are held in memory at once; more are swept block by block.
pub(crate) const MAX_IN_MEMORY: u32 = 1 << 21;

/// The threads for which an engine is chosen, however many there are: the figures of a model should not depend on the machine.
pub(crate) const CHOOSING_THREADS: usize = 2;

/// The memory of the blocks in a plan: the same on every machine.
const BLOCK_BYTES: u64 = 1 << 30;

/// Whether a model has too many depth-1 classes to hold them all in memory.
pub fn is_deep(model: &Model) -> bool {
    model.depth() > 1 && *Plan::of(model).depth_one_classes() > BigUint::from(MAX_IN_MEMORY)
}

/// How masses are summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// All depth-1 classes in memory.
    Classes,
    /// The depth-1 classes block by block.
    Deep,
    /// The law of the values on a grid.
    Law,
}

impl Engine {
    /// All of them, from the smallest models to the largest.
    pub const ALL: [Self; 3] = [Self::Classes, Self::Deep, Self::Law];

    /// The engine that measures a model if none is named: the classes while they fit into memory, blocks of them while a
    /// sweep takes at most `most_seconds` on two threads, otherwise the law of the values.
    pub fn of(model: &Model, most_seconds: f64) -> Self {
        // For some models not even counting the classes is possible.
        if planning_steps(model) > MAX_STEPS {
            return Self::Law;
        }
        if !is_deep(model) {
            return Self::Classes;
        }
        if check_model(model).is_err() {
            return Self::Law;
        }
        let estimate = Estimate::of(model, CHOOSING_THREADS, PAIRS_PER_SECOND);
        if estimate.seconds <= most_seconds { Self::Deep } else { Self::Law }
    }

    /// The engine that visits all classes of a model, in memory if they fit.
    pub fn sweeping(model: &Model) -> Self {
        if is_deep(model) { Self::Deep } else { Self::Classes }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Classes => "classes",
            Self::Deep => "deep",
            Self::Law => "law",
        }
    }

    /// What it does, in a line.
    pub fn description(self) -> &'static str {
        match self {
            Self::Classes => "All depth-1 classes in memory",
            Self::Deep => "The depth-1 classes block by block",
            Self::Law => "The law of the values on a grid: certified bounds or estimates for any depth",
        }
    }

    /// What measuring Minimax against Product in doubles takes on this number of threads, or why it cannot be done.
    pub fn effort(self, model: &Model, threads: usize) -> Result<Effort, String> {
        match self {
            Self::Classes if is_deep(model) => {
                Err("too many depth-1 classes to hold them all in memory".to_owned())
            }
            Self::Classes => {
                let work = MeasureWork { rankings: 2, contests: 1, numbers: NumberCost::Doubles };
                Ok(in_memory(model, &Plan::of(model), &work))
            }
            Self::Deep => {
                if !model.is_binary() {
                    return Err("only models with two moves everywhere are swept block by block".to_owned());
                }
                check_model(model).map_err(|refusal| refusal.to_string())?;
                // The blocks take what they are given; this is the least that is useful.
                Ok(deep::Estimate::of(model, threads, PAIRS_PER_SECOND).effort(BLOCK_BYTES))
            }
            Self::Law => Ok(law::effort(model, default_steps(Number::F64), threads)),
        }
    }
}

/// The number of steps of the grid of a law for estimates and for bounds, if none is named.
pub fn default_steps(number: Number) -> u32 {
    if number == Number::Certified { 1 << 13 } else { 1 << 12 }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|engine| engine.name() == text);
        named.ok_or_else(|| format!("`{text}` is not an engine; use classes, deep or law"))
    }
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::ZeroMode;

    use super::*;

    fn model(increments: &[i64]) -> Model {
        Model::new(1, increments, ZeroMode::Skip, 42).unwrap()
    }

    #[test]
    fn only_what_does_not_fit_into_memory_is_deep() {
        assert!(is_deep(&model(&[8, 8, 8, 8])), "231 million classes");
        for increments in [&[8, 8, 8][..], &[4, 4, 4, 4], &[8]] {
            assert!(!is_deep(&model(increments)));
        }
    }

    #[test]
    fn engines_are_chosen_by_size_and_time() {
        let of = |increments: &[i64]| Engine::of(&model(increments), 1800.0);
        assert_eq!(of(&[8, 8, 8]), Engine::Classes);
        assert_eq!(of(&[8, 8, 8, 8]), Engine::Deep);
        assert_eq!(of(&[4, 4, 4, 4, 4]), Engine::Law, "3·10^12 pairs take more than a day");
        assert_eq!(Engine::of(&model(&[4, 4, 4, 4, 4]), f64::INFINITY), Engine::Deep);
        let three_moves = model(&[8, 8, 8]).with_branching(3).unwrap();
        assert_eq!(Engine::of(&three_moves, f64::INFINITY), Engine::Law, "blocks are for two moves");
        for engine in Engine::ALL {
            assert_eq!(engine.to_string().parse(), Ok(engine));
        }
        assert!("rows".parse::<Engine>().unwrap_err().contains("classes, deep or law"));
    }
}
