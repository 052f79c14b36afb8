//! An estimate of the memory and time that a simulation takes.
//!
//! Measured on one thread: a stored tree of depth 18 to 24 takes 60 bytes and 60 ns per leaf with eight depths of
//! search, or 770 ns if every depth is searched from scratch (`hints`); the results and their printed text take 2.4
//! kB for every tree and depth.

use prodmax_jobs::Effort;
use prodmax_rules::Rule;

use crate::experiment::Workspace;
use crate::spec::SimulationSpec;

/// Bytes of a tree's counts at one depth, as numbers and as printed text.
const COUNT_BYTES: f64 = 2400.0;

/// Seconds to count and print, for each tree and depth.
const COUNT_SECONDS: f64 = 4e-6;

/// Seconds to draw a leaf and the nodes above it.
const DRAW_SECONDS: f64 = 30e-9;

/// Seconds to search one depth further, for each leaf.
const SEARCH_SECONDS: f64 = 4e-9;

/// What a spec takes on this many threads.
pub fn of(spec: &SimulationSpec, threads: usize) -> Effort {
    let leaves = 2f64.powi(spec.tree_depth as i32);
    let deepest = spec.depths.iter().copied().max().unwrap_or(0) as f64;
    let from_scratch = spec.rules.rules().iter().any(Rule::depends_on_depth);
    let passes = if from_scratch { 12.0 * deepest * spec.depths.len() as f64 / 4.0 } else { deepest };
    let depths = spec.depths.len() as f64;
    let tree = leaves * (DRAW_SECONDS + passes * SEARCH_SECONDS) + depths * COUNT_SECONDS;
    let busy = (threads.max(1) as f64).min(spec.trees as f64);
    let workspaces = busy * Workspace::bytes_for(spec.tree_depth) as f64;
    let results = spec.trees as f64 * depths * COUNT_BYTES;
    Effort { bytes: workspaces + results, seconds: spec.trees as f64 * tree / busy }
}

#[cfg(test)]
mod tests {
    use prodmax_jobs::ron_file;

    use super::*;

    fn spec(tree_depth: usize, depths: usize, trees: u64, rules: &str) -> SimulationSpec {
        let text = format!(
            "(id: \"a\", title: \"a\", source: \"a\", tree_depth: {tree_depth}, root: -6, truth: \"pearl:16\", \
             assignment: \"top-down\", estimate: \"pearl:1\", depths: {:?}, trees: {trees})",
            (1..=depths).collect::<Vec<_>>()
        );
        let spec: SimulationSpec = ron_file::parse(&text, "test").unwrap();
        SimulationSpec { rules: rules.parse().unwrap(), ..spec }
    }

    /// Peak memory in MiB, minus the 13 of a program that does nothing, and processor seconds, by `getrusage`.
    #[test]
    fn estimates_are_within_a_factor_of_two_of_measurements() {
        let measured = [
            (spec(24, 8, 1, "minimax,product"), 971.0, 0.96),
            (spec(22, 8, 2, "minimax,product"), 239.0, 0.38),
            (spec(20, 8, 2, "minimax,hints:9/10"), 56.0, 1.56),
            (spec(2, 2, 100_000, "minimax,product"), 499.0, 0.80),
            (spec(8, 8, 20_000, "minimax,product"), 368.0, 0.66),
        ];
        for (spec, mebibytes, seconds) in measured {
            let effort = of(&spec, 1);
            let (bytes, time) = (effort.bytes / f64::from(1 << 20) / mebibytes, effort.seconds / seconds);
            assert!((0.9..2.0).contains(&bytes), "{effort:?}, measured {mebibytes} MiB");
            assert!((0.5..2.2).contains(&time), "{effort:?}, measured {seconds} s");
        }
    }

    #[test]
    fn the_size_of_a_workspace_is_estimated() {
        let spec = spec(9, 2, 1, "minimax,product");
        let workspace = crate::experiment::Simulation::new(&spec).unwrap().workspace();
        assert!(Workspace::bytes_for(9) >= workspace.bytes() as u64);
        assert!(Workspace::bytes_for(9) < 3 * workspace.bytes() as u64);
    }
}
