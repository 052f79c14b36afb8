//! `prodmax play quality`: how often a search finds a game-theoretically best move.

use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use prodmax_games::answer::QualityAnswer;
use prodmax_games::player::Player;
use prodmax_games::quality::QualitySpec;

use crate::bound_args::BoundArgs;
use crate::context::Context;
use crate::error::Error;
use crate::game_args::GameArgs;
use crate::long_run::Meter;
use crate::output::Output;
use crate::whole_number::within;

/// Measure how often a search finds a game-theoretically best move.
///
/// Positions of Connect-Four are drawn at random from --seed, with a number of discs
/// drawn from --discs, and solved exactly; positions in which a side could win at
/// once or all moves are equally good are drawn again. Every player searches every
/// position with every bound. The result is the share of positions in which it
/// chooses a move that keeps the value of the position, with its standard error.
///
/// Example:
///
///     prodmax play quality --game connect4 --players penalty:10,alphabeta --calls 100,1000
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Quality {
    #[command(flatten)]
    game: GameArgs,

    /// Who searches, e.g. penalty:10,alphabeta.
    #[arg(long, value_name = "A,…", value_delimiter = ',', required = true)]
    players: Vec<Player>,

    #[command(flatten)]
    bounds: BoundArgs,

    /// How many positions are searched.
    #[arg(
        long,
        value_name = "N",
        default_value = "100",
        allow_negative_numbers = true,
        value_parser = within::<u64>(1..=QualitySpec::MAX_POSITIONS.into())
    )]
    positions: u64,

    /// The minimum and maximum number of discs on the board.
    #[arg(long, value_name = "FROM,TO", default_value = "16,24")]
    discs: Discs,

    /// The seed of all positions.
    #[arg(long, value_name = "N", default_value = "0", allow_negative_numbers = true, value_parser = within::<u64>(0..=u64::MAX.into()))]
    seed: u64,
}

/// A range of discs as typed.
#[derive(Clone, Copy, Debug)]
struct Discs([usize; 2]);

impl FromStr for Discs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("`{text}` is not a range of discs; write two numbers, e.g. 16,24");
        let (from, to) = text.split_once(',').ok_or_else(bad)?;
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| bad());
        Ok(Self([number(from)?, number(to)?]))
    }
}

impl Quality {
    pub(super) fn output(&self, context: &Context) -> Result<Output, Error> {
        let spec = QualitySpec {
            id: "flags".to_owned(),
            title: "settings of the command line".to_owned(),
            game: self.game.required()?,
            discs: self.discs.0,
            positions: self.positions,
            seed: self.seed,
            players: self.players.clone(),
            resources: self.bounds.resources(),
        };
        let meter = Meter::new(context, "positions");
        let done = AtomicU64::new(0);
        let step = || meter.show(done.fetch_add(1, Ordering::Relaxed) + 1, spec.positions);
        let results = spec.measure(context.interrupt(), &step)?;
        Ok(Output::answer(&QualityAnswer::from(&results)))
    }
}
