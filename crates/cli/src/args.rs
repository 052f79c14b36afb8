//! The arguments that every command shares.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, ValueEnum};

use crate::commands::Command;
use crate::output::Format;
use crate::whole_number::within;

/// Which backup rule decides better at shallow depth: minimaxing or product propagation?
///
/// prodmax enumerates all synthetic game trees of the increment model of Kaindl, Horacek and Scheucher exactly
/// and compares the decisions of both rules.
///
/// Figures go to standard output, notes and errors to standard error. The exit status is 0 if all checks hold, 1 if one
/// does not, 2 for bad usage or bad input, and 130 if the program was interrupted.
#[derive(Debug, Parser)]
#[command(name = "prodmax", version = env!("PRODMAX_VERSION"), arg_required_else_help = true)]
#[command(max_term_width = 100, infer_long_args = false, propagate_version = true)]
pub(crate) struct Arguments {
    /// How figures are printed.
    #[arg(long, global = true, value_enum, default_value_t, hide_possible_values = false)]
    pub(crate) format: FormatArg,

    /// Write to this file instead of standard output (`-`). The file appears complete or not at all.
    #[arg(long, short, global = true, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Decimals of the figures in tables, CSV, Markdown and LaTeX [default: as many as are useful]. Counts, fractions,
    /// figures with a margin, recorded figures and notes stay as they are, and JSON always has every digit.
    #[arg(
        long,
        global = true,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<u16>(0..=30),
    )]
    pub(crate) digits: Option<u16>,

    /// Sort rows by this column, named as it is printed or by its JSON key; `-COLUMN` sorts in descending order. In
    /// JSON a list of models is sorted.
    #[arg(long, global = true, value_name = "COLUMN", allow_hyphen_values = true)]
    pub(crate) sort: Option<String>,

    /// Sort in descending order.
    #[arg(long, global = true, requires = "sort")]
    pub(crate) reverse: bool,

    /// Do not print notes to standard error. Errors are still printed.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,

    /// How many threads to compute with; by default one per processor. No result depends on it.
    #[arg(
        long,
        global = true,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<u16>(1..=1024)
    )]
    pub(crate) threads: Option<u16>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Parses the command line. A value like `-4..2` looks like an option to the parser, so a value that begins with a
/// minus sign and a digit is joined to the option before it.
pub(crate) fn parse(words: impl Iterator<Item = OsString>) -> Result<Parsed, clap::Error> {
    let mut tied: Vec<OsString> = Vec::new();
    for word in words {
        match tied.last_mut() {
            Some(option) if is_negative(&word) && is_option(option) => {
                option.push("=");
                option.push(word);
            }
            _ => tied.push(word),
        }
    }
    let mut command = Arguments::command();
    let matches = command.try_get_matches_from_mut(tied)?;
    let arguments = Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    Ok(Parsed { arguments, matches })
}

/// The arguments, and how they were typed.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) arguments: Arguments,
    pub(crate) matches: ArgMatches,
}

fn is_negative(word: &OsStr) -> bool {
    matches!(word.as_encoded_bytes(), [b'-', b'0'..=b'9', ..])
}

/// Whether a word is a long option without a value.
fn is_option(word: &OsStr) -> bool {
    matches!(word.as_encoded_bytes(), [b'-', b'-', name @ ..] if !name.is_empty() && !name.contains(&b'='))
}

/// A file from which a later run resumes, which standard output cannot be.
pub(crate) fn continued_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") {
            return Err("a later run continues from this file, so it cannot be standard output; name a file");
        }
        Ok(path)
    })
}

/// [`Format`] for clap.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum FormatArg {
    /// Aligned columns for the terminal
    #[default]
    Table,
    /// All figures, exact, for programs
    Json,
    /// Comma-separated values (RFC 4180); tables are separated by an empty line
    Csv,
    /// GitHub-flavoured Markdown
    Markdown,
    /// A tabular that needs the booktabs package
    Latex,
    /// JUnit XML, for checks only
    Junit,
    /// A drawing: differences over roots (mass), thresholds (crossover), efficiency (contest)
    Svg,
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Table => Self::Table,
            FormatArg::Json => Self::Json,
            FormatArg::Csv => Self::Csv,
            FormatArg::Markdown => Self::Markdown,
            FormatArg::Latex => Self::Latex,
            FormatArg::Junit => Self::Junit,
            FormatArg::Svg => Self::Svg,
        }
    }
}
