//! Long work on more than one machine: one shard of it, and the command that all parts belong to.
//!
//! A command that can be divided computes its units of work through [`Context::work`]; for a shard those that belong
//! to it, for merged parts none. So every kind of work is divided, continued and merged in the same way.

pub(crate) mod args;
pub(crate) mod plan;
mod words;

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use clap::CommandFactory;
use prodmax_jobs::part::Parts;
use prodmax_jobs::{Part, PartHeader};

use crate::args::{Arguments, Parsed};
use crate::context::Context;
use crate::error::Error;
use crate::signals::{kept_in, set_exit_message};

/// The program and its revision, as parts name it.
pub(crate) const PROGRAM: &str = env!("PRODMAX_VERSION");

/// Computes the shard that the arguments ask for.
pub(crate) fn run(parsed: &Parsed, context: &Context, shard: args::ShardArg) -> Result<(), Error> {
    let Arguments { command, output, .. } = &parsed.arguments;
    let path = output.as_deref().filter(|path| *path != Path::new("-")).ok_or(Error::NoPart)?;
    let variable = |name: &str| std::env::var(name).ok();
    let shard = shard.resolve(variable)?;
    let files = command.files();
    let (words, texts) = words::canonical(&Arguments::command(), &parsed.matches, &files)?;
    files.keeps("--output", Some(path)).check(None)?;
    let header = PartHeader { program: PROGRAM.to_owned(), shard, command: words, files: texts };
    let is_new = !path.exists();
    let part = Arc::new(Part::open(path, header)?);
    if part.is_finished() {
        context.note(&format!("{}: shard {shard} is complete already", path.display()));
        return Ok(());
    }
    if part.units() > 0 {
        context.note(&format!("{}: continuing with {} finished units of work", path.display(), part.units()));
    }
    set_exit_message(kept_in(path));
    if let Err(error) = command.share(&context.with_part(Arc::clone(&part))) {
        // A command that was refused leaves no file behind.
        if is_new && part.units() == 0 {
            let _ = std::fs::remove_file(path);
        }
        return Err(error);
    }
    part.finish()?;
    context.note(&format!("{}: shard {shard} is complete, {} units of work", path.display(), part.units()));
    Ok(())
}

/// An error if a command has options that no shard can have.
fn check(parsed: &Parsed) -> Result<(), Error> {
    let files = parsed.arguments.command.files();
    words::canonical(&Arguments::command(), &parsed.matches, &files).map(|_| ())
}

/// The arguments of the command that the parts belong to; its files are written to a folder that must outlive it.
pub(crate) fn command_of(parts: &Parts, folder: &Path) -> Result<Arguments, Error> {
    let header = parts.header();
    let line: Vec<OsString> = words::restored(&header.command, &header.files, folder)?;
    let refused = |error: clap::Error| Error::PartCommand { reason: error.to_string() };
    Ok(crate::args::parse(line.into_iter()).map_err(refused)?.arguments)
}
