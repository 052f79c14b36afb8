//! `prodmax play`: matches between players of a game.

mod quality;
mod share;
mod stored;
mod study;

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand};
use prodmax_games::answer::{GameList, PlayAnswer, ReplayedGame};
use prodmax_games::effort;
use prodmax_games::play::{MatchProgress, MatchResults, MatchSpec, Opening, play_match};
use prodmax_games::player::{Player, TieBreak};
use prodmax_games::search::Ply;
use prodmax_jobs::ron_file;

use prodmax_jobs::Work;
use prodmax_jobs::part::is_part;

use super::merge::Merge;
use super::{Command, Run};
use crate::args::continued_file;
use crate::bound_args::BoundArgs;
use crate::context::Context;
use crate::error::Error;
use crate::files::Files;
use crate::game_args::GameArgs;
use crate::guard;
use crate::output::{CommandResult, Output};
use crate::saved::{self, Checkpoint};
use crate::shard::args::{ShardArg, ShardArgs};
use crate::shard::plan::WorkPlan;
use crate::whole_number::within;

/// Play a match between two players of a game.
///
/// From every start two games are played, each player beginning once. Players are
/// rules, which search full width to --depth, alphabeta, and penalty:P, Rivest's
/// search, which is bounded by --calls; single:RULE is a rule in single precision,
/// products as probabilities; alphabeta:stores evaluates Kalah by the stores alone. In
/// Kalah starts are random openings of 6
/// moves, as in Baum's tournament; in Connect-Four all 49 openings of two moves, as
/// in Rivest's. A game depends on the spec, the seed and its start alone, so
/// results do not depend on threads or on how a match is divided. Games by
/// --milliseconds of processor time are the exception: they depend on the machine
/// and cannot be repeated exactly.
///
/// The score is that of the first player, a draw counting half; its standard error
/// is over starts, because the two games of a start are not independent. With
/// --until-decided a match with random openings ends when it is decided.
///
/// Examples:
///
///     prodmax play --game kalah --players minimax,product --depth 2 --starts 20 --seed 1
///     prodmax play --game connect4 --players penalty:10,alphabeta --calls 100
///
/// Baum's first match, interrupted and continued as you like:
///
///     prodmax play --spec specs/play/kalah-hints-minimax-whole.ron --checkpoint hints.jsonl
///     prodmax play --replay hints.jsonl --number 3
///
/// How often a search of Connect-Four finds a move that an exact solver confirms:
///
///     prodmax play quality --game connect4 --players penalty:10,alphabeta --calls 100,1000
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(crate) struct Play {
    #[command(subcommand)]
    command: Option<PlayCommand>,

    #[command(flatten)]
    game: GameArgs,

    /// The first and the second player, e.g. hints:9/10,minimax.
    #[arg(long, value_name = "A,B")]
    players: Option<PlayerPair>,

    #[command(flatten)]
    bounds: BoundArgs,

    /// What a ply is: move (every move), turn (extra moves belong to the same ply) or whole (a whole turn is a single
    /// move) [default: move, or what the spec says]
    #[arg(long, value_name = "HOW")]
    ply: Option<Ply>,

    /// How to choose among moves of equal value: first or random [default: first, or what the spec says]
    #[arg(long, value_enum, value_name = "HOW")]
    ties: Option<TiesArg>,

    /// Where games begin: random:N (N random moves) or all:N (every sequence of N moves) [default: random:6 in Kalah, all:2
    /// in Connect-Four, or what the spec says]
    #[arg(long, value_name = "HOW")]
    opening: Option<OpeningArg>,

    /// How many starts [default: 100, all in Connect-Four, or what the spec says]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<u64>(1..=MatchSpec::MAX_STARTS.into())
    )]
    starts: Option<u64>,

    /// The number of the first start [default: 0, or what the spec says]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within::<u64>(0..=1 << 60))]
    first_start: Option<u64>,

    /// The seed of all starts [default: 0, or what the spec says]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within::<u64>(0..=u64::MAX.into()))]
    seed: Option<u64>,

    /// End with the first start after which the match is decided; --starts are the most that are played.
    ///
    /// A match is decided when a 95 % confidence interval that stays valid however often it is checked excludes an even
    /// score, so stopping then does not bias the result. The interval is wider than that for a fixed number of starts.
    #[arg(long, conflicts_with = "shard")]
    until_decided: bool,

    /// Take the match of this file (`-` is standard input); other options change single settings of it.
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,

    /// Keep finished games in this file, and continue from it if it exists.
    #[arg(long, value_name = "FILE", value_parser = continued_file())]
    checkpoint: Option<PathBuf>,

    /// Write all games to this file.
    #[arg(long, value_name = "FILE")]
    game_log: Option<PathBuf>,

    /// List the games of a checkpoint or game log instead of playing.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["game", "players", "spec", "checkpoint", "game_log", "until_decided"]
    )]
    replay: Option<PathBuf>,

    /// With --replay: draw this game move by move.
    #[arg(
        long,
        value_name = "N",
        requires = "replay",
        allow_negative_numbers = true,
        value_parser = within::<usize>(1..=i64::MAX.into())
    )]
    number: Option<usize>,

    #[command(flatten)]
    shard: ShardArgs,
}

/// What else can be done with games.
#[derive(Debug, Subcommand)]
enum PlayCommand {
    /// Add the games of several runs of the same match.
    ///
    /// The files are checkpoints or game logs, or the parts of all shards (see prodmax merge).
    Merge {
        /// Checkpoints or game logs with different starts or resources of the same match, or parts.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,

        /// Write all games to this file.
        #[arg(long, value_name = "FILE")]
        game_log: Option<PathBuf>,
    },
    Quality(quality::Quality),
    Study(study::Study),
}

/// [`TieBreak`] for clap.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum TiesArg {
    /// The move with the lowest number
    First,
    /// One of them at random
    Random,
}

impl From<TiesArg> for TieBreak {
    fn from(ties: TiesArg) -> Self {
        match ties {
            TiesArg::First => Self::First,
            TiesArg::Random => Self::Random,
        }
    }
}

/// Two players as typed.
#[derive(Clone, Debug)]
struct PlayerPair([Player; 2]);

impl FromStr for PlayerPair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let players: Result<Vec<Player>, _> = text.split(',').map(str::parse).collect();
        let players = players.map_err(|error: prodmax_games::player::PlayerError| error.to_string())?;
        let pair: Result<[Player; 2], _> = players.try_into();
        pair.map(Self).map_err(|players| {
            format!("a match has two players, not {}; write e.g. hints:9/10,minimax", players.len())
        })
    }
}

/// An opening as typed.
#[derive(Clone, Copy, Debug)]
struct OpeningArg(Opening);

impl FromStr for OpeningArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("`{text}` is not an opening; write random:N or all:N, e.g. random:6");
        let (how, moves) = text.split_once(':').ok_or_else(bad)?;
        let moves = moves.parse().map_err(|_| bad())?;
        match how {
            "random" => Ok(Self(Opening::Random(moves))),
            "all" => Ok(Self(Opening::All(moves))),
            _ => Err(bad()),
        }
    }
}

impl Play {
    fn spec(&self) -> Result<MatchSpec, Error> {
        let mut spec = match &self.spec {
            Some(path) => self.changed(ron_file::read_or_stdin(path)?)?,
            None => self.spec_of_flags()?,
        };
        spec.starts = self.starts.unwrap_or(spec.starts);
        spec.first_start = self.first_start.unwrap_or(spec.first_start);
        spec.seed = self.seed.unwrap_or(spec.seed);
        spec.until_decided |= self.until_decided;
        Ok(spec)
    }

    /// A match from a file, with the settings named on the command line in place of those in the file.
    fn changed(&self, written: MatchSpec) -> Result<MatchSpec, Error> {
        let resources = self.bounds.resources();
        let mut spec = MatchSpec {
            game: self.game.changed(&written.game)?,
            players: self.players.clone().map_or_else(|| written.players.clone(), |pair| pair.0),
            resources: if resources.is_empty() { written.resources.clone() } else { resources },
            ply: self.ply.unwrap_or(written.ply),
            ties: self.ties.map_or(written.ties, TieBreak::from),
            opening: self.opening.map_or(written.opening, |opening| opening.0),
            ..written.clone()
        };
        // A match that differs from the file must not keep its title.
        if spec != written {
            spec.title += "; changed on the command line";
        }
        Ok(spec)
    }

    fn spec_of_flags(&self) -> Result<MatchSpec, Error> {
        let game = self.game.required()?;
        let PlayerPair(players) = self.players.clone().ok_or(Error::NoPlayers)?;
        let usual = game.about().opening;
        let opening = self.opening.map_or(usual, |opening| opening.0);
        let starts = match opening {
            // All of the game's own openings.
            Opening::All(moves) if opening == usual => game.begin()?.perft(moves),
            _ => None,
        };
        Ok(MatchSpec {
            id: "flags".to_owned(),
            title: "settings of the command line".to_owned(),
            source: "the command line".to_owned(),
            game,
            players,
            resources: self.bounds.resources(),
            ply: self.ply.unwrap_or_default(),
            ties: self.ties.map_or(TieBreak::First, TieBreak::from),
            opening,
            starts: starts.unwrap_or(100),
            first_start: 0,
            seed: 0,
            until_decided: false,
        })
    }

    fn play(&self, context: &Context) -> Result<MatchResults, Error> {
        let spec = self.spec()?;
        let effort = effort::of_spec(&spec, rayon::current_num_threads());
        // Merged games need not be played.
        let effort = if context.is_divided() { effort.times(0.0) } else { effort };
        let instead = "use fewer starts, a smaller depth, fewer calls or less time";
        let meter = guard::admit(context, "pairs of games", effort, instead)?;
        let begun = match (context.work(), &self.checkpoint) {
            (Work::Merge(_), _) => share::of_parts(context, &meter, spec)?,
            (_, Some(path)) => saved::resume(path, spec, context)?,
            (_, None) => MatchResults::new(spec),
        };
        let interrupt = context.interrupt_and_keep();
        let mut kept = self.checkpoint.as_deref().map(|path| Checkpoint::new(path, saved::write));
        let results =
            play_match(begun, interrupt, &mut |progress: MatchProgress, results: &MatchResults| {
                meter.show(progress.finished, progress.pairs);
                if let Some(kept) = &mut kept {
                    kept.keep(results, interrupt);
                }
            })?;
        drop(meter);
        if let Some(kept) = kept {
            kept.finish(&results)?;
        }
        Ok(results)
    }
}

impl Run for Play {
    fn shard(&self) -> Option<ShardArg> {
        self.shard.shard
    }

    fn plan(&self, _: u32) -> Result<WorkPlan, Error> {
        Ok(share::plan(&self.spec()?))
    }

    fn share(&self, context: &Context) -> Result<(), Error> {
        match context.work() {
            Work::Shard(part) if self.replay.is_none() => {
                let spec = self.spec()?;
                if spec.until_decided {
                    let why = "whether a match is decided depends on all earlier games";
                    return Err(Error::NotDivided { why });
                }
                share::share(context, part, &spec)
            }
            _ => Err(Error::NotDivided { why: "games are replayed at once" }),
        }
    }

    fn files(&self) -> Files {
        let files = Files::default().reads("--spec", &self.spec).reads("--replay", &self.replay);
        let files = files.keeps("--checkpoint", self.checkpoint.as_deref());
        match &self.command {
            Some(PlayCommand::Merge { files: merged, game_log }) => {
                files.reads("FILE", merged).writes("--game-log", game_log.as_deref())
            }
            Some(PlayCommand::Study(study)) => study.files(files),
            Some(PlayCommand::Quality(_)) => files,
            None => files.writes("--game-log", self.game_log.as_deref()),
        }
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        if let Some(path) = &self.replay {
            let results: MatchResults = saved::read(path)?;
            return Ok(CommandResult::Figures(match self.number {
                None => Output::answer(&GameList::from(&results)),
                Some(number) => {
                    let none = || Error::NoSuchGame { number, games: results.games() };
                    Output::answer(&ReplayedGame::new(&results, number).ok_or_else(none)??)
                }
            }));
        }
        let (results, log) = match &self.command {
            Some(PlayCommand::Quality(quality)) => {
                return Ok(CommandResult::Figures(quality.output(context)?));
            }
            Some(PlayCommand::Study(study)) => return Ok(CommandResult::Figures(study.output(context)?)),
            Some(PlayCommand::Merge { files, game_log }) if files.iter().any(|file| is_part(file)) => {
                let (parts, _folder, command) = Merge::of(files).open()?;
                let Command::Play(play) = command else { return Err(Error::OtherParts { command: "play" }) };
                (play.play(&context.with_parts(parts))?, game_log)
            }
            Some(PlayCommand::Merge { files, game_log }) => (saved::merge(files)?, game_log),
            None => (self.play(context)?, &self.game_log),
        };
        if let Some(path) = log {
            saved::write(path, &results)?;
        }
        let missing = results.missing().len();
        if missing > 0 {
            context.note(&format!("{missing} pairs of games are missing; the figures cover only the others"));
        }
        let answer = Output::answer(&PlayAnswer::from(&results));
        Ok(CommandResult::Figures(Output { holds: missing == 0, ..answer }))
    }
}
