//! `prodmax serve`: the explorer, a page in the browser.

use std::any::Any;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use prodmax_explorer::{Engine, Limits, Refusal, Server, Task};
use prodmax_jobs::stop::Stopped;

use super::Run;
use crate::context::Context;
use crate::error::Error;
use crate::host::{Host, Workers, printed};
use crate::output::CommandResult;
use crate::whole_number::within;

/// Open the explorer, an interactive page in the browser.
///
/// Move the root, the increments and the curves, pick two rules, and see at once who
/// decides better, where and why: critical trees, error masses, thresholds, the
/// heaviest critical trees, Table II, every rule against every other, and the
/// verdict on every published figure. Everything on the page is computed by this
/// program, by the commands that the page shows; it needs no network.
///
/// The address is printed; open it in a browser on the same machine. Only requests to
/// this address that come from its own page are answered. Ctrl-C ends the server.
///
/// The figures for programs are under /api/: /api/mass?root=-1&increments=3,3,3 returns
/// what prodmax mass --root -1 --increments 3,3,3 --format json prints.
///
/// Examples:
///
///     prodmax serve
///
///     prodmax serve --open --port 0
///
/// takes any free port and opens the page.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Serve {
    /// The port; 0 takes any free one.
    #[arg(long, value_name = "PORT", default_value_t = 8017, value_parser = within::<u16>(0..=65535))]
    port: u16,

    /// The address to listen at. Any other than a loopback address makes the explorer available to other machines,
    /// without a password.
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,

    /// Open the page in a browser.
    #[arg(long)]
    open: bool,

    /// How many requests are computed at once, each on all threads, and how many jobs besides them.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = within::<u16>(1..=64))]
    parallel: u16,
}

impl Run for Serve {
    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        if context.host().is_some() {
            return Err(Error::ServedTwice);
        }
        let address = SocketAddr::new(self.address, self.port);
        let limits = Limits { parallel: self.parallel.into(), ..Limits::default() };
        let server = Server::bind(address, limits).map_err(|source| Error::Bind { address, source })?;
        if !self.address.is_loopback() {
            context.note("other machines can reach this server, and there is no password");
        }
        let page = format!("http://{}/", reachable(server.address()));
        let mut out = std::io::stdout().lock();
        writeln!(out, "{page}").and_then(|()| out.flush()).map_err(Error::Stdout)?;
        drop(out);
        if self.open && !open(&page) {
            context.note("no browser could be opened; open the address above in one");
        }
        let engine = Arc::new(Commands);
        server.run(engine, context.interrupt()).map_err(|source| Error::Bind { address, source })?;
        Ok(CommandResult::Text(String::new()))
    }

    fn ends(&self) -> bool {
        false
    }
}

/// The address that a browser on this machine can use.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        ip if ip.is_unspecified() => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()),
        _ => address,
    }
}

/// Opens a page in the user's browser; returns whether a program for it was found.
fn open(page: &str) -> bool {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = Command::new(program);
    command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

/// Answers with the commands of this program.
struct Commands;

impl Engine for Commands {
    fn answer(&self, words: Vec<String>, task: &Arc<Task>) -> Result<String, Refusal> {
        let workers = Workers::take(task.flag()).map_err(Refusal::Refused)?;
        let host: Arc<dyn Host> = Arc::new(Caller(Arc::clone(task)));
        let answered = catch_unwind(AssertUnwindSafe(|| workers.pool().install(|| printed(words, host))));
        workers.give_back();
        match answered {
            Ok(Ok(text)) => Ok(text),
            Ok(Err(refused)) if refused.is_long => Err(Refusal::TooLong(refused.sentence)),
            Ok(Err(refused)) => Err(Refusal::Refused(refused.sentence)),
            Err(thrown) if thrown.is::<Stopped>() => Err(Refusal::Stopped),
            Err(thrown) => Err(Refusal::Broken(reason(thrown.as_ref()))),
        }
    }
}

/// The message of a panic.
fn reason(thrown: &(dyn Any + Send)) -> String {
    let text = thrown.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| thrown.downcast_ref::<&str>().copied()).unwrap_or("no reason is given").to_owned()
}

/// A request, as the commands see it.
struct Caller(Arc<Task>);

impl Host for Caller {
    fn stop(&self) -> &AtomicBool {
        self.0.flag()
    }

    fn note(&self, text: &str) {
        self.0.note(text);
    }

    fn progress(&self, name: &str, done: u64, all: u64) {
        self.0.progress(name, done, all);
    }

    fn time_limit(&self) -> Option<Duration> {
        Some(self.0.time_limit())
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use clap::CommandFactory;
    use clap::builder::ValueParser;
    use prodmax_explorer::question::COMMANDS;

    use crate::args::Arguments;

    #[test]
    fn what_the_explorer_may_ask_are_options_that_name_no_file() {
        let program = Arguments::command();
        let files = [
            ValueParser::path_buf().type_id(),
            ValueParser::new(|text: &str| Ok::<_, String>(PathBuf::from(text))).type_id(),
        ];
        for command in COMMANDS {
            let known = program.find_subcommand(command.name).unwrap();
            let find = |name: &&str| {
                known.get_arguments().find(|argument| argument.get_long() == Some(name)).unwrap()
            };
            for argument in command.values.iter().map(find) {
                assert!(argument.get_action().takes_values(), "{} {argument}", command.name);
                assert!(
                    !files.contains(&argument.get_value_parser().type_id()),
                    "{} {argument}",
                    command.name
                );
                let value = format!("{:?}", argument.get_value_names());
                assert!(!value.contains("FILE") && !value.contains("DIR"), "{} {argument}", command.name);
            }
            for argument in command.flags.iter().chain(command.always).map(find) {
                assert!(!argument.get_action().takes_values(), "{} {argument}", command.name);
            }
        }
    }
}
