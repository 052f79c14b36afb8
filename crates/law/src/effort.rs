//! What it takes to compute the law of a model's values on a grid.
//!
//! Measured (increments up to 8, bounds): 6, 8 and 10 levels on 8192 steps take 4.3, 17 and 51 processor seconds and
//! 174, 489 and 1005 MB; 4 levels on 131072 steps 5.9 s. Listed subtrees take up to a hundred megabytes.

use prodmax_enumerate::Model;
use prodmax_jobs::Effort;

use super::Options;

/// Bytes per step of the grid for each node value above the lowest levels, which are listed.
const STEP_BYTES: f64 = 600.0;

/// Bytes per listed subtree.
const LISTED_BYTES: f64 = 110.0;

/// Seconds per step for each pair of node values.
const STEP_SECONDS: f64 = 3e-8;

/// What a law on this number of steps takes on this number of threads.
pub fn effort(model: &Model, steps: u32, threads: usize) -> Effort {
    let values = |levels: usize| (1..=levels).map(|level| model.values(level) as f64).sum::<f64>();
    let on_grid = values(model.depth().saturating_sub(3).max(1));
    let steps = f64::from(steps);
    // Further moves take one or two convolutions each time their number doubles.
    let powers = (model.branching().max(2) as f64).log2();
    Effort {
        bytes: LISTED_BYTES * Options::LISTED as f64 + STEP_BYTES * steps * on_grid,
        seconds: STEP_SECONDS * steps * values(model.depth()).powi(2) * powers,
    }
    .on_threads(threads)
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use prodmax_enumerate::ZeroMode;

    use super::*;

    /// Processor seconds and megabytes as measured by `getrusage`.
    #[test]
    fn estimates_are_of_the_right_size() {
        for (levels, steps, seconds, megabytes) in
            [(6, 2048, 1.98, 72.0), (6, 8192, 4.3, 174.0), (8, 8192, 16.7, 489.0), (10, 8192, 50.8, 1005.0)]
        {
            let model = Model::new(1, &vec![8; levels], ZeroMode::Skip, 100).unwrap();
            let effort = effort(&model, steps, 1);
            assert!((0.5..3.0).contains(&(effort.seconds / seconds)), "{effort:?}, measured {seconds} s");
            assert!(
                (1.0..3.0).contains(&(effort.bytes / 1e6 / megabytes)),
                "{effort:?}, measured {megabytes} MB"
            );
        }
    }

    /// Increments up to 2, 3, 1, 2 and 4: nodes of the five levels have 3, 6, 7, 9 and 13 values, 38 in all, of which
    /// the 9 of the first two levels are on the grid.
    #[test]
    fn bytes_and_seconds_are_counted_by_hand() {
        let model = |increments: &[i64], branching: i64| {
            Model::new(1, increments, ZeroMode::Skip, 42).unwrap().with_branching(branching).unwrap()
        };
        let deep = model(&[2, 3, 1, 2, 4], 3);
        let Effort { bytes, seconds } = effort(&deep, 64, 5);
        assert_relative_eq!(bytes, 110.0 * 1_048_576.0 + 600.0 * 64.0 * 9.0, max_relative = 1e-14);
        // A third move is log2 3 of what a second one takes.
        assert_relative_eq!(
            seconds,
            3e-8 * 64.0 * 1444.0 * 3f64.log2() / 5.0,
            epsilon = 0.0,
            max_relative = 1e-12
        );
        // Two levels with 3 and 6 values: the first is on the grid in any case. One move is no cheaper than two.
        let Effort { bytes, seconds } = effort(&model(&[2, 3], 1), 128, 1);
        assert_relative_eq!(bytes, 110.0 * 1_048_576.0 + 600.0 * 128.0 * 3.0, max_relative = 1e-14);
        assert_relative_eq!(seconds, 3e-8 * 128.0 * 81.0, epsilon = 0.0, max_relative = 1e-12);
    }
}
