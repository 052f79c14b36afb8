//! `prodmax merge`: the figures of a command whose work was divided into shards.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use prodmax_jobs::part::Parts;

use tempfile::TempDir;

use super::{Command, Run};
use crate::context::Context;
use crate::error::Error;
use crate::files::Files;
use crate::output::CommandResult;
use crate::shard::{PROGRAM, command_of};

/// Print the figures of a command from the parts of all its shards.
///
/// Long work (mass and contest on deep models, readings, simulate, play, pathology where
/// it samples) can be divided: the same command with --shard K/N --output PART computes
/// the K-th of N shares, on any machine and in any order, and writes a part. A part
/// holds the command itself, so merging takes the parts alone, in any order, and prints
/// exactly the bytes that the command would have printed on one machine. Other files
/// that the command writes (--output-all, --game-log) are written by merge.
///
/// Every line of a part has a checksum. Parts are refused if one is damaged, missing,
/// named twice, not finished, of another command or of another revision of prodmax;
/// the message names the file.
///
/// Examples:
///
///     prodmax mass --root 1 --increments 5,5,5,5 --shard 1/2 --output part-1
///     prodmax mass --root 1 --increments 5,5,5,5 --shard 2/2 --output part-2
///     prodmax merge part-1 part-2 --format json
///
/// is what prodmax mass --root 1 --increments 5,5,5,5 --format json prints. With GNU
/// parallel, one process per shard:
///
///     parallel prodmax mass --root 1 --increments 8,8,8,8 --shard {}/16 -o part-{} ::: $(seq 16)
///
/// prodmax slurm writes the job script for a cluster, prodmax plan estimates the
/// time and memory of a shard.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Merge {
    /// The parts of all shards, in any order.
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,

    /// Merge parts of another revision of prodmax, if all are of the same one.
    #[arg(long)]
    other_revision: bool,
}

impl Merge {
    /// For `simulate merge`, `play merge` and `pathology merge`, which take parts, too.
    pub(crate) fn of(parts: &[PathBuf]) -> Self {
        Self { parts: parts.to_vec(), other_revision: false }
    }

    /// The parts and the command that they belong to, whose input files are restored in the folder.
    pub(super) fn open(&self) -> Result<(Arc<Parts>, TempDir, Command), Error> {
        let parts = Parts::open(&self.parts, PROGRAM, self.other_revision)?;
        let folder = tempfile::tempdir().map_err(Error::Folder)?;
        let command = command_of(&parts, folder.path())?.command;
        command.files().check(None)?;
        Ok((Arc::new(parts), folder, command))
    }
}

impl Run for Merge {
    fn files(&self) -> Files {
        Files::default().reads("PART", &self.parts)
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let (parts, _folder, command) = self.open()?;
        command.run(&context.with_parts(parts))
    }

    fn draws(&self) -> bool {
        // Whether the merged command has a drawing is known only once the parts are read.
        true
    }
}
