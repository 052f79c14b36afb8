//! `prodmax completions`: scripts that teach a shell the commands and options.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Run;
use crate::args::Arguments;
use crate::context::Context;
use crate::error::Error;
use crate::output::CommandResult;

/// Print a completion script for a shell.
///
/// For bash, put this into your ~/.bashrc:
///
///     source <(prodmax completions bash)
///
/// For zsh, put it into a folder of your $fpath:
///
///     prodmax completions zsh > ~/.zfunc/_prodmax
///
/// For fish:
///
///     prodmax completions fish > ~/.config/fish/completions/prodmax.fish
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

impl Run for Completions {
    fn run(&self, _: &Context) -> Result<CommandResult, Error> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "prodmax", &mut script);
        Ok(CommandResult::Text(String::from_utf8_lossy(&script).into_owned()))
    }
}
