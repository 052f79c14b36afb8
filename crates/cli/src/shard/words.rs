//! A command in canonical form, as a part keeps it, and back.
//!
//! The form has the options that were typed, each as one word `--option=value`, in the order in which the command
//! defines them, without those that change no figure. In place of a file's name stands `@` and its number among the
//! files that the part holds: their texts, so that merging needs nothing else.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::error::Error;
use crate::files::Files;

/// Options that say how a run is done and shown, not what it computes.
const LEFT_OUT: [&str; 10] =
    ["format", "output", "digits", "sort", "reverse", "quiet", "threads", "shard", "memory", "force"];

/// Options that have no place in a run that only computes a part.
const REFUSED: [(&str, &str); 5] = [
    ("format", "give it to prodmax merge"),
    ("digits", "give it to prodmax merge"),
    ("sort", "give it to prodmax merge"),
    ("reverse", "give it to prodmax merge"),
    ("checkpoint", "the part is continued like a checkpoint"),
];

/// The longest file that a part holds.
const MAX_FILE: u64 = 64 << 20;

/// The words of a command that computes a shard, and the texts of the files that it reads.
pub(super) fn canonical(
    command: &Command,
    matches: &ArgMatches,
    files: &Files,
) -> Result<(Vec<String>, Vec<String>), Error> {
    let mut words = Vec::new();
    let mut texts = Vec::new();
    let (mut command, mut matches) = (command, matches);
    command.get_arguments().try_for_each(|global| refuse(global, matches))?;
    while let Some((name, inner)) = matches.subcommand() {
        words.push(name.to_owned());
        let Some(inner_command) = command.find_subcommand(name) else { break };
        (command, matches) = (inner_command, inner);
        for argument in command.get_arguments() {
            refuse(argument, matches)?;
            let id = argument.get_id().as_str();
            let Some(long) = argument.get_long().filter(|_| is_typed(argument, matches)) else { continue };
            if LEFT_OUT.contains(&id) {
                continue;
            }
            if matches!(argument.get_action(), ArgAction::SetTrue) {
                words.push(format!("--{long}"));
                continue;
            }
            for value in matches.get_raw(id).into_iter().flatten() {
                let option = format!("--{long}");
                let value = value.to_str().ok_or_else(|| Error::NotText { option: option.clone() })?;
                if value == "-" {
                    return Err(Error::NotOfShards {
                        option: format!("{option} -"),
                        why: "a resumed shard reads it again, so it must be a file",
                    });
                }
                if files.reads_as(&option, Path::new(value)) {
                    texts.push(prodmax_jobs::read_text(Path::new(value), MAX_FILE)?);
                    words.push(format!("{option}=@{}", texts.len()));
                } else {
                    words.push(format!("{option}={value}"));
                }
            }
        }
    }
    Ok((words, texts))
}

fn is_typed(argument: &Arg, matches: &ArgMatches) -> bool {
    let id = argument.get_id().as_str();
    // Groups and global options that a command does not have are unknown to its matches.
    let known = matches.try_contains_id(id).is_ok();
    known && matches.value_source(id) == Some(ValueSource::CommandLine)
}

fn refuse(argument: &Arg, matches: &ArgMatches) -> Result<(), Error> {
    let refused = REFUSED.iter().find(|(refused, _)| argument.get_id() == refused);
    match (refused, argument.get_long()) {
        (Some((_, why)), Some(long)) if is_typed(argument, matches) => {
            Err(Error::NotOfShards { option: format!("--{long}"), why })
        }
        _ => Ok(()),
    }
}

/// The command line of canonical words, whose files are written to a folder.
pub(super) fn restored(words: &[String], texts: &[String], folder: &Path) -> Result<Vec<OsString>, Error> {
    let names: Vec<PathBuf> = (1..=texts.len()).map(|number| folder.join(number.to_string())).collect();
    for (name, text) in names.iter().zip(texts) {
        std::fs::write(name, text).map_err(|source| Error::Write { path: name.clone(), source })?;
    }
    let mut next = 0;
    let line = std::iter::once(OsString::from("prodmax")).chain(words.iter().map(|word| {
        // Files are numbered in the order of the words.
        let option = word.strip_suffix(&format!("=@{}", next + 1));
        match (option, names.get(next)) {
            (Some(option), Some(name)) => {
                next += 1;
                let mut word = OsString::from(format!("{option}="));
                word.push(name);
                word
            }
            _ => OsString::from(word),
        }
    }));
    Ok(line.collect())
}
