//! `--depth`, `--calls` and `--milliseconds`: what players may use for a move.

use clap::Args;
use prodmax_games::player::Resource;
use prodmax_games::search::MAX_DEPTH;

use crate::whole_number::within;

/// The bounds on a player's search for a move: one kind of bound; calls and time can have several values.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct BoundArgs {
    /// How many plies every player searches.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<usize>(1..=MAX_DEPTH as i128)
    )]
    depth: Option<usize>,

    /// How many positions each may generate for a move; every bound of a list is played or measured.
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        allow_negative_numbers = true,
        value_parser = within::<u64>(1..=Resource::MAX_CALLS.into())
    )]
    calls: Vec<u64>,

    /// How long each may search for a move, in processor time (alphabeta and penalty:P); the results depend on the
    /// machine and cannot be repeated exactly.
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        allow_negative_numbers = true,
        value_parser = within::<u64>(1..=Resource::MAX_MILLISECONDS.into())
    )]
    milliseconds: Vec<u64>,
}

impl BoundArgs {
    /// The bounds that were named.
    pub(crate) fn resources(&self) -> Vec<Resource> {
        let depth = self.depth.map(Resource::Depth);
        let calls = self.calls.iter().map(|&calls| Resource::Calls(calls));
        let time = self.milliseconds.iter().map(|&milliseconds| Resource::Milliseconds(milliseconds));
        depth.into_iter().chain(calls).chain(time).collect()
    }
}
