//! The arguments that name a game and a position of it.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use prodmax_games::any::AnyGame;
use prodmax_games::board::About;
use prodmax_games::game::{Game, games};

use crate::error::Error;
use crate::whole_number::within;

/// A game and the size of its board: an option for every size that a board of any game has.
#[derive(Debug)]
pub(crate) struct GameArgs {
    /// The game, if one is named.
    game: Option<Game>,
    sizes: Vec<(&'static str, usize)>,
    evaluator: Option<String>,
}

/// All games, for readers.
fn abouts() -> impl Iterator<Item = &'static About> {
    games().map(AnyGame::about)
}

/// The names of all sizes, each once.
fn size_names() -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    abouts().flat_map(|about| about.sizes).map(|size| size.name).filter(|name| seen.insert(*name)).collect()
}

/// `lines or squares in Connect-Four [default: lines]`
fn evaluators(about: &About) -> Option<String> {
    let usual = about.evaluators.first()?;
    Some(format!("{} in {} [default: {usual}]", about.evaluator_names(), about.title))
}

impl Args for GameArgs {
    fn augment_args(command: Command) -> Command {
        let option = |name: &'static str, value: &'static str, help: String| {
            Arg::new(name).long(name).value_name(value).help(help)
        };
        let written: Vec<String> = abouts().map(About::syntax).collect();
        let game =
            option("game", "NAME", format!("The game: {}", written.join(" or "))).value_parser(GameParser);
        let size = |name: &'static str| {
            let of_game = |about: &About| {
                let size = about.sizes.iter().find(|size| size.name == name)?;
                Some(format!("{}: {} [default: {}]", about.title, size.meaning, size.usual))
            };
            let help: Vec<String> = abouts().filter_map(of_game).collect();
            option(name, "N", help.join("; "))
                .allow_negative_numbers(true)
                .value_parser(within::<usize>(0..=1000))
        };
        let how: Vec<String> = abouts().filter_map(evaluators).collect();
        let evaluator =
            option("evaluator", "HOW", format!("How positions are evaluated: {}", how.join("; ")))
                .value_parser(known_evaluator);
        command.next_help_heading("Game").arg(game).args(size_names().into_iter().map(size)).arg(evaluator)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GameArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let size = |name: &'static str| Some((name, *matches.get_one::<usize>(name)?));
        Ok(Self {
            game: matches.get_one::<Game>("game").cloned(),
            sizes: size_names().into_iter().filter_map(size).collect(),
            evaluator: matches.get_one::<String>("evaluator").cloned(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Reads games; completions and help offer their names.
#[derive(Clone)]
struct GameParser;

impl TypedValueParser for GameParser {
    type Value = Game;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Game, clap::Error> {
        StringValueParser::new().try_map(|text| text.parse::<Game>()).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(abouts().map(|about| PossibleValue::new(about.name).help(about.title))))
    }
}

/// The name of an evaluator of any game.
fn known_evaluator(text: &str) -> Result<String, String> {
    if abouts().any(|about| about.evaluators.contains(&text)) {
        return Ok(text.to_owned());
    }
    let names = |about: &About| format!("{} for {}", about.evaluator_names(), about.title);
    let all: Vec<String> = abouts().filter(|about| !about.evaluators.is_empty()).map(names).collect();
    let shortened: String = text.chars().take(40).collect();
    Err(format!("`{shortened}` is not an evaluator; write {}", all.join("; ")))
}

impl GameArgs {
    /// The game that is named, or the given one with the sizes that are named.
    pub(crate) fn changed(&self, game: &Game) -> Result<Game, Error> {
        let mut game = self.game.as_ref().unwrap_or(game).clone();
        let about = game.about();
        let foreign = |option: String, has: &dyn Fn(&About) -> bool| match abouts().find(|about| has(about)) {
            Some(other) if !has(about) => Err(Error::ForeignOption { option, game: other.title }),
            _ => Ok(()),
        };
        for &(name, size) in &self.sizes {
            foreign(format!("--{name}"), &|about| about.sizes.iter().any(|size| size.name == name))?;
            game = game.with_size(name, size)?;
        }
        if let Some(name) = &self.evaluator {
            foreign("this --evaluator".to_owned(), &|about| about.evaluators.contains(&name.as_str()))?;
            game = game.with_evaluator(name)?;
        }
        Ok(game)
    }

    /// The game, which must be named.
    pub(crate) fn required(&self) -> Result<Game, Error> {
        self.changed(self.game.as_ref().ok_or_else(Error::no_game)?)
    }
}
