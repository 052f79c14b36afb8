//! The command line of prodmax: a thin shell over the libraries. Other programs can run its commands through [`host`].
//!
//! Data goes to standard output (or `--output`), everything else to standard error. Exit status: 0 if all checks hold,
//! 1 if one does not, 2 for bad usage or input, 130 if the user interrupted the program.

#![allow(rustdoc::invalid_rust_codeblocks, reason = "help texts show commands for the shell, not Rust")]

mod args;
mod bound_args;
mod commands;
mod context;
mod cost_args;
mod deep_args;
mod divided;
mod echo;
mod effort;
mod error;
mod figures;
mod files;
mod formula_text;
mod game_args;
mod golden_files;
mod guard;
pub mod host;
mod law_args;
mod long_run;
mod measure_args;
mod model_args;
mod progress;
mod roots;
mod saved;
mod shard;
mod signals;
mod sink;
mod verdict_lines;
mod whole_number;
mod workers;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

pub use prodmax_output as output;

use crate::args::{Arguments, Parsed};
use crate::context::Context;
use crate::error::Error;
use crate::output::{CommandResult, Format, Output};

/// The program: reads the command line, runs the command, and returns a status that says whether all checks hold.
pub fn main() -> ExitCode {
    let parsed = match args::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        Err(error) => return refuse(&error),
    };
    let status = match run(&parsed) {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => 1,
        Err(error) => {
            // If standard error is closed, the message is lost.
            let _ = writeln!(std::io::stderr(), "prodmax: {}", echo::shortened(&error.to_string()));
            2
        }
    };
    ExitCode::from(if signals::was_interrupted() { signals::INTERRUPT_STATUS } else { status })
}

/// Runs the command and writes its results; returns whether all checks hold.
fn run(parsed: &Parsed) -> Result<bool, Error> {
    let arguments = &parsed.arguments;
    let shard = arguments.command.shard();
    // Without a number rayon takes one thread per processor. Started here, not when they are first used, because a limit
    // of the system that leaves no room for them is then an error and not a panic.
    let of_job = || shard.and_then(|shard| shard.threads(|name| std::env::var(name).ok()));
    let threads = arguments.threads.map(usize::from).or_else(of_job);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    pool.build_global().map_err(Error::Threads)?;
    let context = Context::shell(arguments.quiet);
    if let Some(shard) = shard {
        signals::watch(&context);
        shard::run(parsed, &context, shard)?;
        return Ok(true);
    }
    let (format, target) = (Format::from(arguments.format), arguments.output.as_deref());
    let width = sink::width(target);
    if format == Format::Svg && !arguments.command.draws() {
        return Err(Error::NotDrawn);
    }
    let is_arranged = format != Format::Table || arguments.digits.is_some() || arguments.sort.is_some();
    if !arguments.command.ends() && (is_arranged || target.is_some()) {
        return Err(Error::NothingToFormat);
    }
    signals::watch(&context);
    arguments.command.files().check(target)?;
    match arguments.command.run(&context)? {
        CommandResult::Figures(mut output) => {
            arrange(&mut output, arguments, format)?;
            sink::write(target, text(&output, format, width)?.as_bytes())?;
            return Ok(output.holds);
        }
        CommandResult::List(_) if arguments.sort.is_some() => return Err(Error::SortedList),
        CommandResult::List(list) => {
            let renderer = format.renderer(width).ok_or(Error::NotJunit)?;
            sink::write_with(target, &|out| {
                renderer.stream(list.as_ref(), &mut signals::Interruptible(out))
            })?;
        }
        CommandResult::Text(_) if is_arranged => return Err(Error::OneForm),
        CommandResult::Text(text) => sink::write(target, text.as_bytes())?,
    }
    Ok(true)
}

/// Figures as text.
fn text(output: &Output, format: Format, width: Option<usize>) -> Result<String, Error> {
    match format {
        Format::Svg => output.drawing.as_ref().ok_or(Error::NotDrawn)?.svg().map_err(Error::Draw),
        _ => output.render_within(format, width).ok_or(Error::NotJunit),
    }
}

/// Sorts the rows and sets the number of decimals, as asked for.
fn arrange(output: &mut Output, arguments: &Arguments, format: Format) -> Result<(), Error> {
    if let Some(column) = &arguments.sort {
        let (name, downwards) =
            column.strip_prefix('-').map_or((column.as_str(), false), |name| (name, true));
        output.sort(name, downwards || arguments.reverse, format)?;
    }
    if let Some(digits) = arguments.digits {
        output.set_decimals(digits.into());
    }
    Ok(())
}

/// Shows clap's help, version or error message; errors in the form that all our errors have.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return match error.print() {
            // A reader that has seen enough of the help is not a failure.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                let _ = writeln!(std::io::stderr(), "prodmax: {}", Error::Stdout(error));
                ExitCode::from(2)
            }
            _ => ExitCode::SUCCESS,
        };
    }
    let message = error.render().ansi().to_string().replacen("error:", "prodmax:", 1);
    let message = echo::shortened(&message);
    let _ = write!(anstream::stderr(), "{message}");
    ExitCode::from(2)
}
