//! The command line of prodmax: a thin shell over the libraries.
//!
//! Data goes to standard output (or `--output`), everything else to standard error. Exit status: 0 if what was
//! asked holds, 1 if it does not, 2 for bad usage or input, 130 if the user has interrupted it.

#![allow(rustdoc::invalid_rust_codeblocks, reason = "help texts show commands for the shell, not Rust")]

mod args;
mod commands;
mod context;
mod deep_args;
mod echo;
mod effort;
mod error;
mod figures;
mod files;
mod format_number;
mod formula_text;
mod game_args;
mod golden_files;
mod guard;
mod law_args;
mod long_run;
mod measure_args;
mod model_args;
mod progress;
mod signals;
mod sink;
mod verdict_lines;
mod whole_number;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;
use prodmax_output as output;

use crate::args::Arguments;
use crate::context::Context;
use crate::error::Error;
use crate::output::{Format, Outcome};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let status = match run(&arguments) {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => 1,
        Err(error) => {
            // Nobody is left to tell if standard error is closed.
            let _ = writeln!(std::io::stderr(), "prodmax: {}", echo::shortened(&error.to_string()));
            2
        }
    };
    ExitCode::from(if signals::was_interrupted() { signals::INTERRUPT_STATUS } else { status })
}

/// Runs the command and writes what it found; whether what was asked holds.
fn run(arguments: &Arguments) -> Result<bool, Error> {
    if let Some(threads) = arguments.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
        pool.build_global().map_err(Error::Threads)?;
    }
    let context = Context { quiet: arguments.quiet };
    let (format, target) = (Format::from(arguments.format), arguments.output.as_deref());
    signals::watch(&context);
    arguments.command.files().check(target)?;
    match arguments.command.run(&context)? {
        Outcome::Figures(output) => {
            let text = output.render(format).ok_or(Error::NotJunit)?;
            sink::write(target, text.as_bytes())?;
            return Ok(output.holds);
        }
        Outcome::List(list) => {
            let renderer = format.renderer().ok_or(Error::NotJunit)?;
            sink::write_with(target, &|out| {
                renderer.stream(list.as_ref(), &mut signals::Interruptible(out))
            })?;
        }
        Outcome::Text(_) if format != Format::Table => return Err(Error::OneForm),
        Outcome::Text(text) => sink::write(target, text.as_bytes())?,
    }
    Ok(true)
}

/// Shows clap's help, version or complaint; the latter in the one form all our errors have.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return match error.print() {
            // A reader that has seen enough of the help is no failure.
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
