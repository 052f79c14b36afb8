//! What dividing work into shards costs: processor time and memory of all shards against those of the single run.
//!
//! `cargo bench -p prodmax --bench shards` runs the program itself, each process on one thread. The merged figures must
//! be the bytes of the single run. The set-up of a shard is measured by running it again on a part that lacks only its
//! last line: everything is prepared and read, nothing is left to compute.
#![allow(clippy::print_stdout, reason = "a benchmark that prints")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The commands, how many shards, and a figure that they must print.
const COMMANDS: [(&str, u32, &str); 6] = [
    ("mass --root 1 --increments 8,8,8,8", 4, "4541471578303468541291694472"),
    ("mass --root 1 --increments 8,8,8,8", 16, "4541471578303468541291694472"),
    ("simulate --trees 800", 4, "Table IV"),
    ("readings --grid grid.ron", 4, "The best of 864 readings"),
    ("play --game connect4 --players penalty:10,alphabeta --calls 5000 --starts 49", 4, "penalty:10"),
    ("pathology --method sample --trees 20000", 2, "position error"),
];

/// A grid of readings that takes some seconds.
const GRID: &str = "Search(id: \"bench\", title: \"readings\", grids: [(estimate: [\"arctan:1\", \"arctan:2\", \
                    \"pearl:1\", \"pearl:2\"], truth: [\"arctan:2\", \"arctan:4\", \"arctan:8\", \"pearl:2\", \"pearl:4\", \
                    \"pearl:8\"], zero: [skip, allow], weights: [ordered, kinds, classes], ties: [strict, half, \
                    later], statistic: [share, per_case])])";

fn main() -> Result<(), String> {
    println!(
        "command, shards, single s, all shards s, set-up of one s, work of a shard / set-up, overhead %, merge s, single MiB, \
         shard MiB"
    );
    COMMANDS.iter().try_for_each(|&(command, shards, figure)| measure(command, shards, figure))
}

fn measure(command: &str, shards: u32, figure: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let folder = folder.path();
    std::fs::write(folder.join("grid.ron"), GRID).map_err(|error| error.to_string())?;
    let part = |number: u32| format!("part-{number}");
    let shard = |number: u32| format!("{command} --shard {number}/{shards} --output {}", part(number));
    let single = run(folder, command)?;
    let shards_run = (1..=shards).map(|number| run(folder, &shard(number))).collect::<Result<Vec<_>, _>>()?;
    let all: Vec<String> = (1..=shards).map(part).collect();
    let merged = run(folder, &format!("merge {}", all.join(" ")))?;
    assert_eq!(merged.output, single.output, "{command}: {shards} shards give other figures");
    assert!(merged.output.contains(figure), "{command}: {}", merged.output);
    for number in 1..=shards {
        let path = folder.join(part(number));
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let end = text.trim_end().rfind('\n').ok_or("a part has more than one line")?;
        std::fs::write(path, &text[..=end]).map_err(|error| error.to_string())?;
    }
    let set_ups = (1..=shards).map(|number| run(folder, &shard(number))).collect::<Result<Vec<_>, _>>()?;
    let sum = |runs: &[Run]| runs.iter().map(|run| run.seconds).sum::<f64>();
    let (of_shards, set_up) = (sum(&shards_run), sum(&set_ups) / f64::from(shards));
    let work = of_shards / f64::from(shards) - set_up;
    let most = shards_run.iter().map(|run| run.mebibytes).fold(0.0, f64::max);
    println!(
        "{command}, {shards}, {:.2}, {of_shards:.2}, {set_up:.3}, {:.0}, {:.1}, {:.2}, {:.0}, {most:.0}",
        single.seconds,
        work / set_up,
        100.0 * (of_shards / single.seconds - 1.0),
        merged.seconds,
        single.mebibytes,
    );
    Ok(())
}

/// A process that has ended.
struct Run {
    output: String,
    /// Processor time.
    seconds: f64,
    /// The greatest memory that it was seen to take.
    mebibytes: f64,
}

fn run(folder: &Path, line: &str) -> Result<Run, String> {
    let failed = |error: std::io::Error| format!("{line}: {error}");
    let before = seconds_of_children();
    let output = folder.join("output");
    let file = std::fs::File::create(&output).map_err(failed)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_prodmax"));
    command.args(line.split_whitespace()).args(["--threads", "1", "--quiet"]).current_dir(folder);
    let mut process = command.stdout(file).stdin(Stdio::null()).spawn().map_err(failed)?;
    let mut mebibytes: f64 = 0.0;
    let status = loop {
        mebibytes = mebibytes.max(peak_mebibytes(&process));
        if let Some(status) = process.try_wait().map_err(failed)? {
            break status;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let output = std::fs::read_to_string(output).map_err(failed)?;
    if status.success() {
        Ok(Run { output, seconds: seconds_of_children() - before, mebibytes })
    } else {
        Err(format!("{line} ended with {status}"))
    }
}

/// The processor time of all processes that were waited for, if the system reports it: other programs do not count.
fn seconds_of_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    // The 16th and 17th fields, in hundredths of a second.
    let ticks =
        fields.split_ascii_whitespace().skip(13).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// The peak resident memory of a process so far, if the system reports it.
fn peak_mebibytes(process: &Child) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_ascii_whitespace().next()?.parse::<f64>().ok());
    kibibytes.map_or(0.0, |kibibytes| kibibytes / 1024.0)
}
