//! Every kind of long work, divided into shards: merged, it prints exactly the bytes of the single run; parts that do
//! not belong together are refused with a sentence that names the file.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use proptest::prelude::*;

fn run(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prodmax"));
    command.env_remove("SLURM_CPUS_PER_TASK");
    command.args(line.split_whitespace()).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The figures that a command prints.
fn figures(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The sentence with which a command is refused.
fn refusal(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    assert_eq!(output.status.code(), Some(2), "{line}: {}", text(&output.stdout));
    assert!(output.stdout.is_empty());
    text(&output.stderr)
}

fn compute(folder: &Path, command: &str, of: u32) {
    for number in 1..=of {
        let part = format!("{command} --shard {number}/{of} --output part-{number} --threads 1");
        assert_eq!(figures(folder, &part), "");
    }
}

fn parts(of: u32) -> String {
    // Not in order: the last first.
    (1..=of).rev().map(|number| format!(" part-{number}")).collect()
}

fn grid(folder: &Path) {
    let grid = "Search(id: \"small\", title: \"a few\", grids: [(estimate: [\"arctan:1\", \"pearl:1\"], ties: [strict, \
                half, later], statistic: [share, per_case]), (weights: [ordered, classes], positive: [independent, \
                mean])])";
    std::fs::write(folder.join("grid.ron"), grid).unwrap();
}

const SIMULATE: &str = "simulate --tree-depth 7 --depths 2,3 --seed 4 --trees 70";
const READINGS: &str = "readings --grid grid.ron --row 1,1,3 --top 4 --tables 1";
const PLAY: &str = "play --game connect4 --players penalty:10,alphabeta --calls 20,40 --starts 9";
const PATHOLOGY: &str = "pathology --method sample --d-max 3 --trees 70 --repetitions 2";
/// A dozen blocks.
const MASS: &str = "mass --root 1 --increments 4,4,4,4 --engine deep";

/// A command, divided into each of these numbers of shards and merged, prints what it prints undivided.
fn assert_the_bytes_of_the_single_run(command: &str, shards: &[u32]) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    grid(folder);
    let formats = ["table", "json"];
    let whole = formats.map(|format| figures(folder, &format!("{command} --format {format}")));
    for &of in shards {
        compute(folder, command, of);
        let merged = formats.map(|format| figures(folder, &format!("merge --format {format}{}", parts(of))));
        assert_eq!(merged, whole, "{command}, {of} shards");
        (1..=of).for_each(|number| std::fs::remove_file(folder.join(format!("part-{number}"))).unwrap());
    }
}

/// The numbers of shards that every kind of work is tried with.
const SHARDS: [u32; 4] = [1, 2, 7, 64];

#[test]
fn simulations_give_the_bytes_of_the_single_run() {
    assert_the_bytes_of_the_single_run(SIMULATE, &SHARDS);
    let rules =
        "simulate --rules minimax,mean:4 --tree-depth 6 --depths 2 --trees 9 --first-tree 5 --per-tree";
    assert_the_bytes_of_the_single_run(rules, &[4]);
}

#[test]
fn readings_give_the_bytes_of_the_single_run() {
    assert_the_bytes_of_the_single_run(READINGS, &SHARDS);
}

#[test]
fn matches_give_the_bytes_of_the_single_run() {
    assert_the_bytes_of_the_single_run(PLAY, &SHARDS);
}

#[test]
fn samples_give_the_bytes_of_the_single_run() {
    assert_the_bytes_of_the_single_run(PATHOLOGY, &[1, 7]);
    let rules = "pathology --rules minimax,product --d-max 3 --trees 9 --first-tree 4";
    assert_the_bytes_of_the_single_run(rules, &[4]);
    // Both methods: the merge integrates, the shards sample.
    assert_the_bytes_of_the_single_run("pathology --method both --d-max 2 --d 1 --trees 9", &[2]);
}

#[test]
fn deep_sweeps_give_the_bytes_of_the_single_run() {
    // Swept block by block although it is small: one block, and many shards without any.
    let small = "mass --root -1 --increments 2,2,2 --engine deep --quality --number certified";
    assert_the_bytes_of_the_single_run(small, &SHARDS);
    assert_the_bytes_of_the_single_run(MASS, &[1, 7]);
    let other_rule = "mass --root -1,1 --increments 4,4,4,4 --engine deep --rules minimax,mean:4";
    assert_the_bytes_of_the_single_run(other_rule, &[2]);
}

const CONTEST: &str = "contest --root 1 --increments 5,5,5,5 --rules minimax,product";

#[test]
fn contests_give_the_bytes_of_the_single_run() {
    assert_the_bytes_of_the_single_run(CONTEST, &[3]);
}

#[test]
#[ignore = "slow: a quarter of a minute"]
fn contests_and_samples_give_the_bytes_of_the_single_run_with_any_number_of_shards() {
    assert_the_bytes_of_the_single_run(CONTEST, &SHARDS);
    assert_the_bytes_of_the_single_run(PATHOLOGY, &SHARDS);
}

#[test]
fn merging_needs_nothing_but_the_parts_and_writes_what_the_command_writes() {
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    grid(one.path());
    let command = format!("{READINGS} --output-all all.csv --cells");
    compute(one.path(), &command, 3);
    assert!(!one.path().join("all.csv").exists(), "a shard writes its part only");
    for number in 1..=3 {
        let name = format!("part-{number}");
        std::fs::copy(one.path().join(&name), other.path().join(&name)).unwrap();
    }
    let whole = figures(one.path(), &command);
    assert_eq!(figures(other.path(), &format!("merge{}", parts(3))), whole);
    let csv = |folder: &Path| std::fs::read_to_string(folder.join("all.csv")).unwrap();
    assert_eq!(csv(other.path()), csv(one.path()));
    assert!(csv(one.path()).lines().count() > 10);
}

#[test]
fn the_older_ways_to_merge_take_parts_too() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    compute(folder, SIMULATE, 2);
    let whole = figures(folder, &format!("{SIMULATE} --per-tree"));
    assert_eq!(figures(folder, "simulate merge --per-tree part-2 part-1"), whole);
    assert_eq!(figures(folder, "simulate merge part-2 part-1"), figures(folder, SIMULATE));
    assert!(refusal(folder, "play merge part-2 part-1").contains("the parts do not come from prodmax play"));
    std::fs::remove_file(folder.join("part-1")).unwrap();
    std::fs::remove_file(folder.join("part-2")).unwrap();
    compute(folder, PLAY, 2);
    let whole = figures(folder, &format!("{PLAY} --game-log whole.jsonl"));
    assert_eq!(figures(folder, "play merge part-1 part-2 --game-log merged.jsonl"), whole);
    let log = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert_eq!(log("merged.jsonl"), log("whole.jsonl"));
    assert!(
        refusal(folder, "pathology merge part-1 part-2")
            .contains("part-1: the part comes from prodmax play, not from prodmax pathology")
    );
    std::fs::remove_file(folder.join("part-1")).unwrap();
    std::fs::remove_file(folder.join("part-2")).unwrap();
    compute(folder, PATHOLOGY, 2);
    assert_eq!(figures(folder, "pathology merge part-2 part-1"), figures(folder, PATHOLOGY));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(10) })]

    /// Processes are killed at random times, and of the last line that they wrote a random piece is lost, as after a
    /// failure of the file system. Afterwards a damaged, missing or doubled part is refused by name.
    #[test]
    fn killed_shards_of_every_kind_go_on_to_the_same_bytes(
        kind in 0usize..5, of in 1u32..6,
        kills in prop::collection::vec((any::<prop::sample::Index>(), 0u64..80, 0u64..200), 0..4),
        (damaged, place, bit) in (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0u8..8)
    ) {
        let command = [SIMULATE, READINGS, PLAY, PATHOLOGY, MASS][kind];
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        grid(folder);
        for (which, milliseconds, lost) in kills {
            let number = which.index(of as usize) + 1;
            let mut process = Command::new(env!("CARGO_BIN_EXE_prodmax"));
            let line = format!("{command} --shard {number}/{of} --output part-{number} --quiet");
            let mut process = process.args(line.split_whitespace()).current_dir(folder).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(milliseconds));
            process.kill().unwrap();
            process.wait().unwrap();
            if let Ok(part) = std::fs::OpenOptions::new().write(true).open(folder.join(format!("part-{number}"))) {
                part.set_len(part.metadata().unwrap().len().saturating_sub(lost)).unwrap();
            }
        }
        compute(folder, command, of);
        let whole = figures(folder, command);
        prop_assert_eq!(&figures(folder, &format!("merge{}", parts(of))), &whole);
        let name = format!("part-{}", damaged.index(of as usize) + 1);
        let bytes = std::fs::read(folder.join(&name)).unwrap();
        let mut changed = bytes.clone();
        changed[place.index(bytes.len())] ^= 1 << bit;
        std::fs::write(folder.join(&name), changed).unwrap();
        let refused = refusal(folder, &format!("merge{}", parts(of)));
        prop_assert!(refused.starts_with(&format!("prodmax: {name}: ")), "{}", refused);
        std::fs::write(folder.join(&name), bytes).unwrap();
        let refused = refusal(folder, &format!("merge{} {name}", parts(of)));
        prop_assert!(refused.contains(&format!("{name} and {name} are both shard")), "{}", refused);
        prop_assert_eq!(figures(folder, &format!("merge{}", parts(of))), whole);
    }
}

#[test]
fn a_killed_shard_goes_on_and_loses_at_most_what_it_was_working_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let command = "simulate --tree-depth 13 --depths 2,3 --trees 800";
    let shard = format!("{command} --shard 1/2 --output part-1 --threads 2");
    let part = folder.join("part-1");
    let lines = || std::fs::read_to_string(&part).unwrap_or_default().lines().count();
    let mut kills = 0;
    for enough in [4, 40, 90] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_prodmax"));
        let command = command.args(shard.split_whitespace()).current_dir(folder).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        while lines() < enough && process.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let before = lines();
        process.kill().unwrap();
        kills += u32::from(!process.wait().unwrap().success());
        // What was written stays.
        assert!(lines() >= before);
    }
    assert!(kills > 0, "every process was faster than its killer");
    assert_eq!(figures(folder, &shard), "");
    assert_eq!(figures(folder, &format!("{command} --shard 2/2 --output part-2")), "");
    assert_eq!(figures(folder, "merge part-1 part-2"), figures(folder, command));
    // A shard that is complete does nothing.
    let again = run(folder, &shard);
    assert_eq!(text(&again.stderr), "prodmax: note: part-1: shard 1/2 is complete already\n");
}

#[test]
fn parts_that_do_not_belong_together_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    compute(folder, SIMULATE, 2);
    assert!(figures(folder, "merge part-1 part-2").contains("Table IV"));
    assert_eq!(
        refusal(folder, "merge part-1"),
        "prodmax: 1 of the 2 shards is missing (2); give all parts\n"
    );
    assert_eq!(
        refusal(folder, "merge part-1 part-1 part-2"),
        "prodmax: part-1 and part-1 are both shard 1/2; give each shard once\n"
    );
    let other = SIMULATE.replace("--seed 4", "--seed 5");
    assert_eq!(figures(folder, &format!("{other} --shard 2/2 --output other")), "");
    assert_eq!(
        refusal(folder, "merge part-1 other"),
        "prodmax: other: the part computes something else: `--seed=5`, not `--seed=4`; name another file\n"
    );
    // The order of options does not matter.
    let turned = "simulate --trees 70 --seed 4 --depths 2,3 --tree-depth 7 --shard 2/2 --output turned";
    assert_eq!(figures(folder, turned), "");
    assert_eq!(figures(folder, "merge part-1 turned"), figures(folder, SIMULATE));
    let bytes = std::fs::read(folder.join("part-2")).unwrap();
    for place in [0, 20, bytes.len() / 2, bytes.len() - 2] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        std::fs::write(folder.join("damaged"), damaged).unwrap();
        let refused = refusal(folder, "merge part-1 damaged");
        assert!(refused.starts_with("prodmax: damaged: "), "byte {place}: {refused}");
    }
    // As if it came from another revision: with good checksums.
    let header = text(&bytes).lines().next().unwrap().to_owned();
    let program = header.split('"').nth(3).unwrap().to_owned();
    assert!(program.starts_with(env!("CARGO_PKG_VERSION")), "{program}");
    for number in [1, 2] {
        let text = std::fs::read_to_string(folder.join(format!("part-{number}"))).unwrap();
        std::fs::write(
            folder.join(format!("old-{number}")),
            resealed(&text.replacen(&program, "0.1.0 (old)", 1)),
        )
        .unwrap();
    }
    let refused = refusal(folder, "merge part-1 old-2");
    assert_eq!(
        refused,
        format!(
            "prodmax: old-2: the part comes from another revision: 0.1.0 (old), not {program}; name another file\n"
        )
    );
    assert!(refusal(folder, "merge old-1 old-2").contains("old-1: the part comes from another revision"));
    assert!(
        refusal(folder, "merge --other-revision old-1 part-2")
            .contains("part-2: the part comes from another revision")
    );
    assert_eq!(figures(folder, "merge --other-revision old-1 old-2"), figures(folder, SIMULATE));
}

/// A part with new checksums for changed lines.
fn resealed(part: &str) -> String {
    use prodmax_jobs::lines::checksum;
    let mut seed = 0;
    let mut text = String::new();
    for (number, line) in part.lines().enumerate() {
        let (line, _) = line.rsplit_once(' ').unwrap();
        text += &format!("{line} {:016x}\n", checksum(seed, line));
        if number == 0 {
            seed = checksum(0, line);
        }
    }
    text
}

#[test]
fn invalid_options_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let refused = |line: &str| refusal(folder, line);
    assert!(refused(&format!("{SIMULATE} --shard 1/2")).contains("--shard needs --output"));
    assert!(refused(&format!("{SIMULATE} --shard 1/2 --output -")).contains("--shard needs --output"));
    assert_eq!(
        refused(&format!("{SIMULATE} --shard 1/2 --output part --format json")),
        "prodmax: --format cannot be used with --shard: give it to prodmax merge\n"
    );
    assert!(
        refused(&format!("{SIMULATE} --shard 1/2 -o part --digits 3")).contains("--digits cannot be used")
    );
    assert!(
        refused(&format!("{SIMULATE} --shard 1/2 -o part --checkpoint c"))
            .contains("--checkpoint cannot be used")
    );
    assert!(refused("simulate --spec - --shard 1/2 -o part").contains("--spec - cannot be used"));
    assert!(refused(&format!("{SIMULATE} --shard 3/2 -o part")).contains("is not a shard; write K/N"));
    assert!(refused(&format!("{SIMULATE} --shard slurm -o part")).contains("SLURM_ARRAY_TASK_ID is not set"));
    assert!(
        refused("mass --root 1 --increments 3,3 --shard 1/2 -o small")
            .contains("only models that are swept block by block")
    );
    for whole in ["pathology", "pathology --table 5", "pathology --method integrate"] {
        let refused = refused(&format!("{whole} --shard 1/2 -o part"));
        assert!(refused.contains("--shard: only sampled trees can be divided"), "{refused}");
    }
    assert!(
        refused("slurm --array 2 --sbatch a\u{7}b -- simulate")
            .contains("--sbatch: a job script cannot hold")
    );
    assert!(refused("plan --shards 4 -- table1").contains("its work cannot be divided"));
    assert!(refused("plan --shards 4 -- simulate --shard 1/2").contains("leave out --shard and --output"));
    assert!(!folder.join("part").exists() && !folder.join("small").exists());
    std::fs::write(folder.join("text"), "not a part\n").unwrap();
    assert!(
        refused(&format!("{SIMULATE} --shard 1/2 -o text"))
            .contains("text: this is neither a checkpoint nor the part of a shard")
    );
    assert_eq!(std::fs::read_to_string(folder.join("text")).unwrap(), "not a part\n");
}

#[test]
fn a_job_array_names_its_shards() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for task in [10, 12, 14] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_prodmax"));
        let line = format!("{SIMULATE} --shard slurm --output part-{task}");
        for (name, value) in [("ID", task), ("MIN", 10), ("MAX", 14), ("STEP", 2), ("COUNT", 3)] {
            command.env(format!("SLURM_ARRAY_TASK_{name}"), value.to_string());
        }
        command.env("SLURM_CPUS_PER_TASK", "2");
        assert!(command.args(line.split_whitespace()).current_dir(folder).status().unwrap().success());
    }
    assert_eq!(figures(folder, "merge part-12 part-14 part-10"), figures(folder, SIMULATE));
}

/// The script is run with a stand-in for sbatch that runs every task at once, as Slurm would.
#[test]
fn the_job_script_computes_and_merges() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let sbatch = "#!/bin/bash\nscript=$(cat)\nprintf '%s\\n' \"$script\" \"$@\" >> jobs\nn=$(sed -n 's/^#SBATCH --array=1-//p' \
                  <<< \"$script\")\nfor k in $(seq ${n:-1}); do SLURM_ARRAY_TASK_ID=$k SLURM_ARRAY_TASK_MIN=1 \
                  SLURM_ARRAY_TASK_MAX=$n SLURM_ARRAY_TASK_COUNT=$n sh -c \"$script\" || exit 1; done\necho 77\n";
    std::fs::write(folder.join("sbatch"), sbatch).unwrap();
    let made = Command::new("chmod").args(["+x", "sbatch"]).current_dir(folder).status().unwrap();
    assert!(made.success());
    let submit = |more: &str| {
        let line = format!(
            "slurm --array 3 --folder parts --result out.json --result-format json {more} -- {SIMULATE}"
        );
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_prodmax"));
        command.args(line.split_whitespace()).current_dir(folder).env("PATH", path).output().unwrap()
    };
    let script = text(&submit("").stdout);
    assert!(!folder.join("jobs").exists(), "nothing is submitted unless it is asked for");
    for line in [
        "#SBATCH --array=1-3",
        "#SBATCH --requeue",
        "#SBATCH --cpus-per-task=1",
        "#SBATCH --output=parts/%A_%a.log",
    ] {
        assert!(script.lines().any(|found| found == line), "{script}");
    }
    let submitted = submit("--sbatch --partition=long --submit");
    assert_eq!(text(&submitted.stdout), "shards: job 77\nmerge: job 77\n", "{}", text(&submitted.stderr));
    let jobs = std::fs::read_to_string(folder.join("jobs")).unwrap();
    assert!(jobs.contains("#SBATCH --partition=long") && jobs.contains("--dependency=afterok:77"), "{jobs}");
    let result = std::fs::read_to_string(folder.join("out.json")).unwrap();
    assert_eq!(result, figures(folder, &format!("{SIMULATE} --format json")));
}
