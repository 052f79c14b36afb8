//! How expensive work may be to be part of a run: the options `--slow` and `--cluster`.

use clap::Args;
use prodmax_jobs::Cost;

/// Which costs are included besides fast ones.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct CostArgs {
    /// Include what takes seconds or minutes
    #[arg(long)]
    slow: bool,

    /// Include everything, even what takes hours on one machine
    #[arg(long)]
    cluster: bool,
}

impl CostArgs {
    /// The greatest cost that is included.
    pub(crate) fn max_cost(self) -> Cost {
        match self {
            Self { cluster: true, .. } => Cost::Cluster,
            Self { slow: true, .. } => Cost::Slow,
            Self { .. } => Cost::Fast,
        }
    }
}

/// A description of a cost, for use after "is" or "are".
pub(crate) fn describe(cost: Cost) -> &'static str {
    match cost {
        Cost::Fast => "fast",
        Cost::Slow => "slow",
        Cost::Cluster => "for a cluster",
    }
}

/// The option that includes work of a cost.
pub(crate) fn option(cost: Cost) -> &'static str {
    match cost {
        Cost::Fast | Cost::Slow => "--slow",
        Cost::Cluster => "--cluster",
    }
}

/// What was left out, cost by cost: how many and which option includes them. `costs` are those of everything left out.
pub(crate) fn left_out(costs: &[Cost]) -> impl Iterator<Item = (usize, Cost)> {
    [Cost::Slow, Cost::Cluster].into_iter().filter_map(|cost| {
        let number = costs.iter().filter(|other| **other == cost).count();
        (number > 0).then_some((number, cost))
    })
}
