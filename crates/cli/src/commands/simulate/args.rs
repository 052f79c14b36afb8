//! The arguments that name a simulation.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use prodmax_enumerate::{Line, ZeroMode};
use prodmax_jobs::ron_file;
use prodmax_mass::Curve;
use prodmax_number::Fraction;
use prodmax_rules::RulePair;
use prodmax_simulate::{Assignment, Difference, Overflow, SimulationSpec};

use crate::error::Error;
use crate::model_args::ZeroArg;
use crate::whole_number::{whole, within};

/// The arguments that name a simulation. Each of them overrides the spec.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub(super) struct SimulationArgs {
    /// Take the simulation of this file (`-` is standard input); other options change single settings of it.
    #[arg(long, value_name = "FILE")]
    pub(super) spec: Option<PathBuf>,

    /// The two rules that play, e.g. minimax,mean:4 [default: minimax,product, or what the spec says]
    #[arg(long, value_name = "FIRST,SECOND")]
    rules: Option<RulePair>,

    /// The depth of the stored trees [default: 18, or what the spec says]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<usize>(1..=SimulationSpec::MAX_TREE_DEPTH as i128)
    )]
    tree_depth: Option<usize>,

    /// The heuristic value of the root [default: -6, or what the spec says]
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, value_parser = whole::<i64>)]
    root: Option<i64>,

    /// The greatest increment, the same at every level [default: 8, or what the spec says]
    #[arg(long, value_name = "A", allow_negative_numbers = true, value_parser = whole::<i64>)]
    increment: Option<i64>,

    /// The greatest heuristic value [default: 42, or what the spec says]
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, value_parser = whole::<i64>)]
    h_max: Option<i64>,

    /// Whether the value 0 exists: with `skip`, as in the paper, one step up from -1 is +1 [default: skip, or what the
    /// spec says]
    #[arg(long, value_enum, value_name = "HOW")]
    zero: Option<ZeroArg>,

    /// What happens beyond h_max: clamp (values stay at the end), saturate (values run on, probabilities stay),
    /// extend (both run on) [default: clamp, or what the spec says]
    #[arg(long, value_name = "HOW")]
    overflow: Option<Overflow>,

    /// The curve of the true values, and of rules with actual probabilities [default: pearl:16, or what the spec says]
    #[arg(long, value_name = "CURVE")]
    truth: Option<Curve>,

    /// How true values are drawn: top-down or bottom-up [default: top-down, or what the spec says]
    #[arg(long, value_name = "HOW")]
    assignment: Option<Assignment>,

    /// The curve of rules with estimated probabilities [default: pearl:1, or what the spec says]
    #[arg(long, value_name = "CURVE")]
    estimate: Option<Curve>,

    /// The search depths, e.g. 2,4,6 or 1-8 [default: 1-8, or what the spec says]
    #[arg(long, value_name = "LIST", allow_negative_numbers = true)]
    depths: Option<Depths>,
}

/// A list of depths as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Depths(Vec<usize>);

impl FromStr for Depths {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad =
            |part: &str| format!("`{part}` is not a depth; write a list like 2,4,6 or a range like 1-8");
        let backwards = |part: &str| {
            format!("`{part}` goes backwards; a range goes from the smaller depth to the greater")
        };
        let too_deep = |part: &str| {
            let deepest = SimulationSpec::MAX_TREE_DEPTH;
            format!(
                "`{part}` goes too deep; depths lie between 1 and the tree depth, which is at most {deepest}"
            )
        };
        let number = |text: &str, part: &str| text.trim().parse::<usize>().map_err(|_| bad(part));
        let mut depths = Vec::new();
        for part in text.split(',') {
            match part.split_once('-') {
                Some((from, to)) => match (number(from, part)?, number(to, part)?) {
                    (from, to) if from > to => return Err(backwards(part)),
                    // Longer ranges must be mistakes, and would fill the memory.
                    (_, to) if to > SimulationSpec::MAX_TREE_DEPTH => return Err(too_deep(part)),
                    (from, to) => depths.extend(from..=to),
                },
                None => depths.push(number(part, part)?),
            }
        }
        Ok(Self(depths))
    }
}

impl SimulationArgs {
    /// The simulation asked for, except its trees and its seed.
    pub(super) fn spec(&self) -> Result<SimulationSpec, Error> {
        let Some(path) = &self.spec else {
            let mut spec = Self::default_spec();
            self.change(&mut spec);
            return Ok(spec);
        };
        let written: SimulationSpec = ron_file::read_or_stdin(path)?;
        let mut spec = written.clone();
        self.change(&mut spec);
        // A simulation that differs from the file must not keep its title.
        let changes: Vec<String> = spec
            .differences(&written)
            .map(|Difference { field, first, .. }| format!("{field} {first}"))
            .collect();
        if !changes.is_empty() {
            spec.title = format!("{}; changed: {}", spec.title, changes.join(", "));
        }
        Ok(spec)
    }

    /// The default simulation: the reading that reproduces Table IV.
    fn default_spec() -> SimulationSpec {
        let pearl = |c: u32| Curve::Pearl(Fraction::from_integer(c.into()));
        SimulationSpec {
            id: "flags".to_owned(),
            title: "settings of the command line".to_owned(),
            source: "the command line".to_owned(),
            tree_depth: 18,
            root: -6,
            increment: 8,
            h_max: Line::DEFAULT_H_MAX,
            zero: ZeroMode::Skip,
            overflow: Overflow::Clamp,
            rules: RulePair::default(),
            truth: pearl(16),
            assignment: Assignment::TopDown,
            estimate: pearl(1),
            depths: (1..=8).collect(),
            trees: 100,
            first_tree: 0,
            seed: 0,
        }
    }

    /// Replaces settings of the spec with those named on the command line.
    fn change(&self, spec: &mut SimulationSpec) {
        fn put<T: Clone>(setting: &mut T, named: Option<&T>) {
            if let Some(named) = named {
                *setting = named.clone();
            }
        }
        put(&mut spec.rules, self.rules.as_ref());
        put(&mut spec.tree_depth, self.tree_depth.as_ref());
        put(&mut spec.root, self.root.as_ref());
        put(&mut spec.increment, self.increment.as_ref());
        put(&mut spec.h_max, self.h_max.as_ref());
        put(&mut spec.zero, self.zero.map(ZeroMode::from).as_ref());
        put(&mut spec.overflow, self.overflow.as_ref());
        put(&mut spec.truth, self.truth.as_ref());
        put(&mut spec.assignment, self.assignment.as_ref());
        put(&mut spec.estimate, self.estimate.as_ref());
        put(&mut spec.depths, self.depths.as_ref().map(|depths| &depths.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_lists_and_ranges() {
        let depths = |text: &str| text.parse::<Depths>().map(|depths| depths.0);
        assert_eq!(depths("2,4, 6"), Ok(vec![2, 4, 6]));
        assert_eq!(depths("1-3,8"), Ok(vec![1, 2, 3, 8]));
        assert_eq!(
            depths("8-1"),
            Err("`8-1` goes backwards; a range goes from the smaller depth to the greater".to_owned())
        );
        assert_eq!(
            depths("2,1-99999999999"),
            Err(
                "`1-99999999999` goes too deep; depths lie between 1 and the tree depth, which is at most 24"
                    .to_owned()
            )
        );
        for bad in ["", "x", "1-", "-3"] {
            let message = depths(bad).unwrap_err();
            assert!(
                message.ends_with("is not a depth; write a list like 2,4,6 or a range like 1-8"),
                "{message}"
            );
        }
    }
}
