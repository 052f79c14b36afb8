//! What it takes to compute the law of a model's values on a grid.
//!
//! Measured (one thread, increments up to 8): 0.55, 3.7 and 10 s for 4, 6 and 8 levels on 4096 steps, 5.9 s for 4
//! levels on 131072; 2.3 kB per step, and a hundred megabytes for listed subtrees if there are many.

use prodmax_effort::Effort;
use prodmax_enumerate::Model;

use super::Options;

/// Bytes per step of the grid and thread.
const STEP_BYTES: f64 = 2400.0;

/// Bytes per listed subtree.
const LISTED_BYTES: f64 = 110.0;

/// Seconds per step for each pair of node values.
const STEP_SECONDS: f64 = 3e-8;

/// What a law on this number of steps takes on this number of threads.
pub fn effort(model: &Model, steps: u32, threads: usize) -> Effort {
    let values: f64 = (1..=model.depth()).map(|level| model.values(level) as f64).sum();
    let steps = f64::from(steps);
    Effort {
        bytes: LISTED_BYTES * Options::LISTED as f64 + STEP_BYTES * steps * threads.max(1) as f64,
        seconds: STEP_SECONDS * steps * values.powi(2),
    }
    .on_threads(threads)
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::ZeroMode;

    use super::*;

    /// Processor seconds as measured by `getrusage`.
    #[test]
    fn estimates_are_of_the_right_size() {
        for (levels, steps, seconds) in [(4, 4096, 0.55), (6, 4096, 3.7), (8, 4096, 10.1), (4, 131_072, 5.9)]
        {
            let model = Model::new(1, &vec![8; levels], ZeroMode::Skip, 100).unwrap();
            let effort = effort(&model, steps, 1);
            assert!((0.7..6.0).contains(&(effort.seconds / seconds)), "{effort:?}, measured {seconds} s");
        }
    }
}
