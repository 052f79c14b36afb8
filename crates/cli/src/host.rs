//! Running commands from other programs: the arguments are those of the command line, the results are values instead of
//! text.
//!
//! So every program has the same options, the same checks, the same sentences and the same figures.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::ValueEnum;
use prodmax_enumerate::{Model, Plan};
use prodmax_mass::Forest;
use prodmax_mass::effort::{MeasureWork, NumberCost, in_memory};
use prodmax_output::{CommandResult, Format, Table};
use serde_json::Value;

use crate::args::Arguments;
use crate::context::Context;
use crate::error::Error;
use crate::model_args::ZeroArg;
use crate::whole_number::whole;
pub use crate::workers::Workers;
use crate::{args, arrange, echo, effort, guard, text};

/// A program that runs commands.
pub trait Host: Send + Sync {
    /// The flag that the program sets to stop the work.
    fn stop(&self) -> &AtomicBool;

    /// Receives a note for the user that is not part of the result.
    fn note(&self, text: &str);

    /// Receives the progress of the work called `name`; 0 of 0 if it counts no steps, or has not begun to.
    fn progress(&self, name: &str, done: u64, all: u64);

    /// Work that is expected to take longer is refused; `None` if only the limits of the command line apply.
    fn time_limit(&self) -> Option<Duration> {
        None
    }
}

/// The result of a command.
#[derive(Debug)]
pub struct Found {
    /// All figures, exact, with the keys of `--format json`.
    pub value: Value,
    /// The figures as tables for readers.
    pub tables: Vec<Table>,
    /// Whether all checks hold: the exit status of the program.
    pub holds: bool,
}

/// Runs a command, e.g. `["mass", "--root=-1", "--increments=3,3,3"]`, on the threads of the current pool. An error is
/// the sentence that the program would print.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::AtomicBool;
/// use prodmax_commands::host::{Host, answer};
///
/// struct Silent(AtomicBool);
/// impl Host for Silent {
///     fn stop(&self) -> &AtomicBool { &self.0 }
///     fn note(&self, _: &str) {}
///     fn progress(&self, _: &str, _: u64, _: u64) {}
/// }
/// let host = || Arc::new(Silent(AtomicBool::new(false)));
/// let words = ["mass", "--root=-1", "--increments=3,3,3"];
/// let found = answer(words.map(str::to_owned), host()).unwrap();
/// assert_eq!(found.value["critical"], "14901376");
/// let refused = answer(["mass", "--root=0", "--increments=3"].map(str::to_owned), host());
/// assert!(refused.unwrap_err().contains("0"));
/// ```
pub fn answer(words: impl IntoIterator<Item = String>, host: Arc<dyn Host>) -> Result<Found, String> {
    let words = std::iter::once("prodmax".to_owned()).chain(words).map(OsString::from);
    let arguments = args::parse(words).map_err(|error| sentence(&error.render().to_string()))?.arguments;
    refuse_shards(&arguments).map_err(refused)?;
    arguments.command.files().check(None).map_err(refused)?;
    match arguments.command.run(&Context::hosted(host)).map_err(refused)? {
        CommandResult::Figures(output) => {
            Ok(Found { value: output.value, tables: output.tables, holds: output.holds })
        }
        CommandResult::List(list) => Ok(Found {
            value: list.values().collect(),
            tables: vec![Table { rows: Vec::new(), ..list.head() }],
            holds: true,
        }),
        CommandResult::Text(text) => Ok(Found { value: text.into(), tables: Vec::new(), holds: true }),
    }
}

/// A host wants figures, which a shard does not have.
fn refuse_shards(arguments: &Arguments) -> Result<(), Error> {
    match arguments.command.shard() {
        Some(_) => Err(Error::NotDivided { why: "shards are computed by the program itself" }),
        None => Ok(()),
    }
}

/// A refusal.
#[derive(Debug)]
pub struct Refused {
    /// The sentence that the program would print.
    pub sentence: String,
    /// Whether the only reason is the host's time limit.
    pub is_long: bool,
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self { is_long: matches!(error, Error::TooLong { .. }), sentence: refused(error) }
    }
}

/// Runs a command like [`answer`] and returns the text that the program would write to a file, in any format but JUnit.
pub fn printed(words: impl IntoIterator<Item = String>, host: Arc<dyn Host>) -> Result<String, Refused> {
    let words = std::iter::once("prodmax".to_owned()).chain(words).map(OsString::from);
    let arguments = args::parse(words)
        .map_err(|error| Refused { sentence: sentence(&error.render().to_string()), is_long: false })?
        .arguments;
    refuse_shards(&arguments)?;
    let format = Format::from(arguments.format);
    if format == Format::Svg && !arguments.command.draws() {
        return Err(Error::NotDrawn.into());
    }
    arguments.command.files().check(None)?;
    match arguments.command.run(&Context::hosted(host))? {
        CommandResult::Figures(mut output) => {
            arrange(&mut output, &arguments, format)?;
            Ok(text(&output, format, None)?)
        }
        CommandResult::List(list) => {
            let mut bytes = Vec::new();
            let renderer = format.renderer(None).ok_or(Error::NotJunit)?;
            renderer.stream(list.as_ref(), &mut bytes).map_err(Error::Stdout)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
        CommandResult::Text(text) => Ok(text),
    }
}

/// The sentence of an error.
#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
fn refused(error: Error) -> String {
    echo::shortened_words(&error.to_string())
}

/// A model from its parts as typed. An error is a sentence.
pub fn model(
    root: &str,
    increments: &[String],
    zero: &str,
    h_max: &str,
    branching: &str,
) -> Result<Model, String> {
    let number = |name: &str, text: &str| {
        whole::<i64>(text)
            .map_err(|reason| echo::shortened_words(&format!("invalid value '{text}' for {name}: {reason}")))
    };
    let zero = ZeroArg::from_str(zero, false).map_err(|_| {
        echo::shortened_words(&format!("invalid value '{zero}' for zero [possible values: skip, allow]"))
    })?;
    let increments: Result<Vec<i64>, String> =
        increments.iter().map(|text| number("increments", text)).collect();
    let (root, h_max, branching) =
        (number("root", root)?, number("h_max", h_max)?, number("branching", branching)?);
    let model = Model::new(root, &increments?, zero.into(), h_max);
    model.and_then(|model| model.with_branching(branching)).map_err(|error| refused(error.into()))
}

/// Enumerates the classes of a model, if they fit into memory. An error is a sentence.
pub fn forest(model: &Model, host: Arc<dyn Host>) -> Result<Forest, String> {
    effort::check(model).map_err(refused)?;
    let work = MeasureWork { rankings: 1, contests: 0, numbers: NumberCost::Doubles };
    let instead = "use smaller increments or fewer levels";
    let needed = in_memory(model, &Plan::of(model), &work);
    let _meter =
        guard::admit(&Context::hosted(host), &effort::names(&[model]), needed, instead).map_err(refused)?;
    Forest::of(model).map_err(|source| {
        let (root, increments) = effort::name(model);
        refused(Error::Enumerate { root, increments, source })
    })
}

/// What the argument parser says, without the advice on how to type a command: its first paragraph, in which
/// `'--h-max <VALUE>'` becomes `h_max`.
fn sentence(message: &str) -> String {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let lines = message.lines().map(str::trim).take_while(|line| !line.is_empty());
    let text = lines.collect::<Vec<_>>().join(" ");
    let mut parts = text.split("'--");
    let mut sentence = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (option, rest) = part.split_once('\'').unwrap_or((part, ""));
        let name = option.split([' ', '=']).next().unwrap_or_default();
        sentence += &name.replace('-', "_");
        sentence += rest;
    }
    echo::shortened_words(&sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parser_speaks_of_names_instead_of_flags() {
        let message = "error: invalid value 'x' for '--h-max <VALUE>': `x` is not a whole number\n\nFor more \
                       information, try '--help'.\n";
        assert_eq!(sentence(message), "invalid value 'x' for h_max: `x` is not a whole number");
        let message =
            "error: invalid value 'x' for '--zero <HOW>'\n  [possible values: skip, allow]\n\nFor more\n";
        assert_eq!(sentence(message), "invalid value 'x' for zero [possible values: skip, allow]");
    }
}
