//! `prodmax slurm`: a job script for a cluster.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::{Args, ValueEnum};
use prodmax_jobs::Effort;
use prodmax_jobs::Shard;

use super::Run;
use crate::args::FormatArg;
use crate::context::Context;
use crate::error::Error;
use crate::output::CommandResult;
use crate::shard::plan;
use crate::whole_number::within;

/// Other machines are slower, and estimates are good to a factor of two.
const TIME_FACTOR: f64 = 4.0;
const EXTRA_SECONDS: f64 = 300.0;

/// The requested memory as a multiple of the estimate.
const MEMORY_FACTOR: f64 = 1.3;

/// Write a job script for Slurm: a job array of shards, and a job that merges them.
///
/// Memory and time come from the plan (prodmax plan). Each task of the array computes one
/// shard and resumes from its part if it is preempted, requeued or submitted again; the merge
/// job starts when all tasks have succeeded. Logs and parts are in --folder. The script is
/// printed, or written to --output; nothing is submitted without --submit, which does what
/// running the script with sh does.
///
/// Examples:
///
///     prodmax slurm --array 100 -- mass --root 1 --increments 4,4,4,4,4
///
/// prints the script for depth 5 with increments up to 4.
///
///     prodmax slurm --array 64 --cpus 4 --folder million --sbatch --partition=long -o million.sh \
///       -- simulate --trees 1000000
///
/// is a script for a million trees on four processors per task; sh million.sh submits it.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Slurm {
    /// How many tasks the job array has: one for each shard.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<u32>(1..=Shard::MAX as i128)
    )]
    array: u32,

    /// The processors of each task, which are its threads.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = within::<u16>(1..=1024)
    )]
    cpus: u16,

    /// The folder for parts and logs.
    #[arg(long, value_name = "DIR", default_value = "prodmax-parts")]
    folder: PathBuf,

    /// The file for the figures [default: result in the folder].
    #[arg(long, value_name = "FILE")]
    result: Option<PathBuf>,

    /// How the figures are printed.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    result_format: FormatArg,

    /// The program on the nodes [default: this one].
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,

    /// A further option of sbatch for all jobs, e.g. --partition=long; may be given several times.
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    sbatch: Vec<String>,

    /// Submit the jobs and print their numbers.
    #[arg(long)]
    submit: bool,

    /// The command, after --.
    #[arg(last = true, required = true, value_name = "COMMAND", allow_hyphen_values = true)]
    command: Vec<String>,
}

impl Run for Slurm {
    fn run(&self, _: &Context) -> Result<CommandResult, Error> {
        let work = plan::parse(&self.command)?.command.plan(self.array)?;
        let script = self.script(work.shard(self.array, self.cpus.into()), work.merging())?;
        if self.submit { submit(&script).map(CommandResult::Text) } else { Ok(CommandResult::Text(script)) }
    }
}

impl Slurm {
    fn script(&self, shard: Effort, merge: Effort) -> Result<String, Error> {
        let text = |option: &'static str, path: &Path| {
            let text = path.to_str().ok_or_else(|| Error::NotText { option: option.to_owned() })?;
            one_line(option, text).map(str::to_owned)
        };
        self.command.iter().try_for_each(|word| one_line("the command after --", word).map(|_| ()))?;
        self.sbatch.iter().try_for_each(|option| one_line("--sbatch", option).map(|_| ()))?;
        let program = match &self.program {
            Some(path) => path.clone(),
            None => std::env::current_exe().map_err(Error::Script)?,
        };
        let program = quoted(&text("--program", &program)?);
        let folder = text("--folder", &self.folder)?;
        let result = self.result.clone().unwrap_or_else(|| self.folder.join("result"));
        let result = quoted(&text("--result", &result)?);
        let name = self.command.first().map_or("work", String::as_str);
        let words = self.command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        let format =
            self.result_format.to_possible_value().map_or_else(String::new, |v| v.get_name().to_owned());
        let (in_folder, cpus, array) = (quoted(&folder), self.cpus, self.array);
        // Slurm replaces %A and the like in names of logs, and reads quotes as the shell does.
        let in_logs = folder.replace('%', "%%");
        let lines = |job: &str, effort: Effort, log: &str| {
            let mut lines = format!(
                "#!/bin/sh\n#SBATCH --job-name=prodmax-{job}\n#SBATCH --mem={}M\n#SBATCH --time={}\n#SBATCH \
                 --output={}\n#SBATCH --open-mode=append\n#SBATCH --requeue\n",
                megabytes(effort.bytes),
                time_limit(effort.seconds),
                quoted(&format!("{in_logs}/{log}.log")),
            );
            for option in &self.sbatch {
                // Writing to a string cannot fail.
                let _ = writeln!(lines, "#SBATCH {option}");
            }
            lines
        };
        Ok(format!(
            "#!/bin/sh\n# {array} shards of prodmax {}, and a job that merges them. Submit with sh; parts that are \
             there already\n# are continued.\nset -eu\nmkdir -p {in_folder}\nshards=$(sbatch --parsable <<'END'\n{}\
             #SBATCH --array=1-{array}\n#SBATCH --cpus-per-task={cpus}\nexec {program} {words} --shard slurm --output \
             {in_folder}/part-\"$SLURM_ARRAY_TASK_ID\"\nEND\n)\necho \"shards: job ${{shards%%;*}}\"\nmerge=$(sbatch --parsable \
             --dependency=afterok:\"${{shards%%;*}}\" --kill-on-invalid-dep=yes <<'END'\n{}exec {program} merge \
             --format {format} --output {result} {in_folder}/part-*\nEND\n)\necho \"merge: job ${{merge%%;*}}\"\n",
            self.command.join(" "),
            lines(name, shard, "%A_%a"),
            lines(&format!("merge-{name}"), merge, "merge-%j"),
        ))
    }
}

/// Text for one line of a script; an error if it would become several, which the shell would run.
fn one_line<'a>(option: &'static str, text: &'a str) -> Result<&'a str, Error> {
    if text.chars().any(char::is_control) { Err(Error::NotOneLine { option }) } else { Ok(text) }
}

/// A word for the shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Memory to ask for, in whole steps of 50 megabytes.
fn megabytes(bytes: f64) -> u64 {
    ((bytes * MEMORY_FACTOR / 1e6 / 50.0).ceil() * 50.0).max(100.0) as u64
}

/// Time to ask for, as days-hours:minutes:seconds.
fn time_limit(seconds: f64) -> String {
    // At most a year.
    let minutes = ((seconds * TIME_FACTOR + EXTRA_SECONDS) / 60.0).ceil().clamp(1.0, 525_600.0) as u64;
    format!("{}-{:02}:{:02}:00", minutes / 1440, minutes / 60 % 24, minutes % 60)
}

/// Runs the script; returns what it prints.
fn submit(script: &str) -> Result<String, Error> {
    let mut shell = Command::new("sh");
    let mut shell =
        shell.arg("-s").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(Error::Script)?;
    if let Some(mut input) = shell.stdin.take() {
        input.write_all(script.as_bytes()).map_err(Error::Script)?;
    }
    let output = shell.wait_with_output().map_err(Error::Script)?;
    if !output.status.success() {
        return Err(Error::NotSubmitted { status: output.status.to_string() });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("--root=-1"), "--root=-1");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn more_is_asked_for_than_estimated() {
        assert_eq!([megabytes(1e6), megabytes(1e9)], [100, 1300]);
        // 4 · 3600 + 300 s; a day is 86400 s.
        assert_eq!([time_limit(0.0), time_limit(3600.0)], ["0-00:05:00", "0-04:05:00"]);
        assert_eq!(time_limit(86400.0), "4-00:05:00");
        assert_eq!(time_limit(f64::INFINITY), "365-00:00:00");
    }
}
