//! The three engines that sum masses: which one measures a model, and what each would take.

use clap::ValueEnum;
use prodmax_enumerate::{Model, Plan};
use prodmax_jobs::Effort;
use prodmax_mass::deep::{Estimate, PAIRS_PER_SECOND, check_model};
use prodmax_mass::effort::{MeasureWork, NumberCost, in_memory};
use prodmax_mass::law;
use prodmax_mass::{Number, is_deep};

use crate::deep_args::MAX_SECONDS;
use crate::effort;

/// How masses are summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// All depth-1 classes in memory.
    Classes,
    /// The depth-1 classes block by block.
    Deep,
    /// The law of the values on a grid: certified bounds or estimates for any depth.
    Law,
}

/// The number of steps of the grid for estimates and for bounds, if none is named.
pub(crate) fn default_steps(number: Number) -> u32 {
    if number == Number::Certified { 1 << 13 } else { 1 << 12 }
}

impl Engine {
    /// All of them, from the smallest models to the largest.
    pub(crate) const ALL: [Self; 3] = [Self::Classes, Self::Deep, Self::Law];

    /// The engine that measures a model on this number of threads if none is named. `force` allows any time.
    pub(crate) fn of(model: &Model, force: bool, threads: usize) -> Self {
        // For some models not even counting the classes is possible.
        if effort::check(model).is_err() {
            return Self::Law;
        }
        if !is_deep(model) {
            return Self::Classes;
        }
        if check_model(model).is_err() {
            return Self::Law;
        }
        let estimate = Estimate::of(model, threads, PAIRS_PER_SECOND);
        if force || estimate.seconds <= MAX_SECONDS { Self::Deep } else { Self::Law }
    }

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Classes => "classes",
            Self::Deep => "deep",
            Self::Law => "law",
        }
    }

    /// What measuring Minimax against Product in doubles takes on this number of threads, or why it cannot be done.
    pub(crate) fn effort(self, model: &Model, threads: usize) -> Result<Effort, String> {
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
                Ok(Estimate::of(model, threads, PAIRS_PER_SECOND).effort(BLOCK_BYTES))
            }
            Self::Law => Ok(law::effort(model, default_steps(Number::F64), threads)),
        }
    }
}

/// The memory of the blocks in a plan: the same on every machine.
const BLOCK_BYTES: u64 = 1 << 30;
