//! `prodmax man`: the manual page.

use clap::{Args, CommandFactory};

use super::Run;
use crate::args::Arguments;
use crate::context::Context;
use crate::error::Error;
use crate::output::CommandResult;

/// Print the manual page, of prodmax or of one of its commands.
///
/// To read it at once:
///
///     prodmax man enumerate | man -l -
///     prodmax man simulate merge | man -l -
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Man {
    /// The command, and the command within it; by default the page is about prodmax as a whole.
    command: Vec<String>,
}

impl Run for Man {
    fn run(&self, _: &Context) -> Result<CommandResult, Error> {
        let mut whole = Arguments::command();
        whole.build();
        let mut page = &whole;
        for name in &self.command {
            let inner = page.find_subcommand(name);
            page = inner.ok_or_else(|| Error::NoCommand(self.command.join(" ")))?;
        }
        let mut text = Vec::new();
        clap_mangen::Man::new(page.clone()).render(&mut text).map_err(Error::Stdout)?;
        Ok(CommandResult::Text(keep_lines(&String::from_utf8_lossy(&text))))
    }
}

/// Lists and examples are indented in the help texts; `.nf` keeps their lines from being filled and broken.
fn keep_lines(page: &str) -> String {
    let mut text = String::with_capacity(page.len());
    let mut indented = false;
    for line in page.lines() {
        if line.starts_with("  ") != indented {
            indented = !indented;
            text += if indented { ".nf\n" } else { ".fi\n" };
        }
        text += line;
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indented_lines_are_not_filled() {
        let page = "Levels:\n.PP\n  values  one\n  nodes   two\n.PP\nMore.\n";
        assert_eq!(keep_lines(page), "Levels:\n.PP\n.nf\n  values  one\n  nodes   two\n.fi\n.PP\nMore.\n");
    }
}
