//! `prodmax plan`: what the shards of a command take.

use clap::Args;
use prodmax_jobs::Shard;
use prodmax_jobs::text;
use serde_json::json;

use super::Run;
use crate::context::Context;
use crate::error::Error;
use crate::output::{Cell, Column, CommandResult, Output, Table};
use crate::shard::plan;
use crate::whole_number::within;

/// Estimate the time and memory of each shard of a command.
///
/// Every shard does the set-up again and then its share of the work. All figures are
/// estimates for a server core at 2.4 GHz, good to a factor of two.
///
///   processor time  of all shards together, on one thread each
///   set-up          what every shard does before its share
///   shard           how long one of them takes on --threads threads
///   memory          of a shard on these threads
///   merge           the memory of prodmax merge
///
/// Examples:
///
///     prodmax plan --shards 100 -- mass --root 1 --increments 4,4,4,4,4
///
/// is depth 5 with increments up to 4: 2.5·10^12 pairs of classes.
///
///     prodmax plan --shards 16 --threads 4 -- simulate --trees 1000000
///
/// is a million simulated trees.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Plan {
    /// How many shards.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<u32>(1..=Shard::MAX as i128)
    )]
    shards: u32,

    /// The command, after --.
    #[arg(last = true, required = true, value_name = "COMMAND", allow_hyphen_values = true)]
    command: Vec<String>,
}

impl Run for Plan {
    fn run(&self, _: &Context) -> Result<CommandResult, Error> {
        let command = plan::parse(&self.command)?.command;
        let work = command.plan(self.shards)?;
        let threads = rayon::current_num_threads();
        let (shard, merge) = (work.shard(self.shards, threads), work.merging());
        let all = work.processor_seconds(self.shards);
        let value = json!({
            "command": self.command,
            "shards": self.shards,
            "threads": threads,
            "processor_seconds": all,
            "setup_seconds": work.set_up.seconds,
            "shard_seconds": shard.seconds,
            "shard_bytes": shard.bytes.round(),
            "merge_bytes": merge.bytes.round(),
        });
        let columns = [
            Column::right("shards").at(["shards"]),
            Column::right("threads").at(["threads"]),
            Column::right("processor time").at(["processor_seconds"]),
            Column::right("set-up").at(["setup_seconds"]),
            Column::right("shard").at(["shard_seconds"]),
            Column::right("memory").at(["shard_bytes"]),
            Column::right("merge").at(["merge_bytes"]),
        ];
        let cells: [Cell; 7] = [
            self.shards.to_string().into(),
            threads.to_string().into(),
            text::about(all).into(),
            text::about(work.set_up.seconds).into(),
            text::about(shard.seconds).into(),
            text::size(shard.bytes).into(),
            text::size(merge.bytes).into(),
        ];
        let table = Table {
            id: "plan".to_owned(),
            title: format!("Time and memory of the shards of prodmax {}", self.command.join(" ")),
            columns: columns.into(),
            rows: vec![cells.into()],
            notes: vec!["Estimates, good to a factor of two.".to_owned()],
        };
        Ok(CommandResult::Figures(Output::figures(value, vec![table])))
    }
}
