//! What work takes is known beforehand, interrupts are obeyed, targets are safe: with real signals and real limits.

#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_prodmax");
const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Work should end within a second, but the machine may be busy with other tests.
const SOON: Duration = Duration::from_secs(10);

fn prodmax(directory: &Path, arguments: &str) -> Output {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    Command::new(PROGRAM).args(arguments).current_dir(directory).stdin(Stdio::null()).output().unwrap()
}

fn refusal(output: &Output) -> String {
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(output.stdout.is_empty(), "{message}");
    message
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {}", child.id())]).status();
    assert!(sent.unwrap().success());
}

/// The processor time that a program has taken, where the system says so: on a busy machine it may have hardly begun after seconds.
fn processor_time(child: &Child) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // After the name, which may contain anything: state, ten numbers, and the ticks as user and as system.
    let ticks = stat.rsplit_once(") ")?.1.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().ok());
    let ticks = ticks.sum::<Option<u64>>()?;
    // Linux counts hundredths of a second for programs, whatever its own clock.
    Some(Duration::from_millis(10 * ticks))
}

/// Starts a command that takes minutes, waits until it is ready, which may depend on how long it has worked, sends a
/// signal, and returns what it printed.
fn interrupted(directory: &Path, arguments: &str, name: &str, ready: impl Fn(Duration) -> bool) -> String {
    let mut child = Command::new(PROGRAM)
        .args(arguments.split_whitespace())
        // With one thread, the estimated time is the same on every machine.
        .args(["--threads", "1"])
        .current_dir(directory)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The estimated time is printed before the work begins.
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    lines.read_line(&mut said).unwrap();
    assert!(said.contains("this takes about"), "{arguments}: {said}");
    let begun = Instant::now();
    let worked = || processor_time(&child).unwrap_or_else(|| begun.elapsed());
    while !ready(worked()) && begun.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(child.try_wait().unwrap().is_none(), "{arguments}: done already");
    let begun = Instant::now();
    signal(&child, name);
    let status = child.wait().unwrap();
    assert!(begun.elapsed() < SOON, "{arguments}: {name} was obeyed after {:?}", begun.elapsed());
    std::io::Read::read_to_string(&mut lines, &mut said).unwrap();
    assert_eq!(status.code(), Some(130), "{arguments}: {said}");
    said
}

#[test]
fn interrupts_end_every_long_command_soon() {
    let directory = tempfile::tempdir().unwrap();
    let grid = format!("readings --grid {WORKSPACE}/specs/readings/search-1.ron");
    let commands = [
        // All in memory, block by block, and by the law of the values.
        "mass --root 1 --increments 4,4,4,4 --number exact --truth uniform:1/20 --engine classes",
        "mass --root 1 --increments 1,1,1,1,1,1 --engine deep --force",
        "mass --root 1 --increments 8,8,8,8,8,8,8,8,8 --engine law --grid 65536",
        "contest --root 1 --increments 8,8,8,8 --rules minimax,product,mean:4",
        "crossover --root 1 --increments 4,4,4,4",
        "prism --root 1 --increments 3,3,3,3 --rules minimax,mean:4",
        &grid,
        "perft --game connect4 --depth 14",
        "search --game connect4 --rule product --depth 13",
        "pathology --method sample --trees 10000000",
        "simulate --trees 20000",
        "play --game kalah --players product,minimax --depth 12 --starts 50",
        "check --slow --golden golden",
        "reproduce --out report --slow --fresh",
    ];
    std::os::unix::fs::symlink(Path::new(WORKSPACE).join("golden"), directory.path().join("golden")).unwrap();
    std::os::unix::fs::symlink(Path::new(WORKSPACE).join("specs"), directory.path().join("specs")).unwrap();
    for (number, command) in commands.iter().enumerate() {
        let name = ["INT", "TERM"][number % 2];
        let said = interrupted(directory.path(), command, name, |worked| worked.as_millis() > 200);
        assert!(said.contains("interrupted") || said.contains("are missing"), "{command}: {said}");
    }
    // Nothing half-written is left.
    let left = |folder: &Path| -> Vec<String> {
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| name.to_string_lossy().into_owned()).collect()
    };
    assert!(!left(directory.path()).iter().any(|name| name.starts_with(".prodmax-")));
    assert!(!left(&directory.path().join("report/.cache")).iter().any(|name| name.starts_with(".prodmax-")));
}

#[test]
fn an_interrupt_keeps_what_was_finished() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    // Long enough for some trees.
    let long_enough = |worked: Duration| worked.as_millis() > 600;
    let simulate = "simulate --trees 30000 --tree-depth 14 --checkpoint kept.trees";
    let said = interrupted(folder, simulate, "TERM", long_enough);
    assert!(said.contains("trees are missing"), "{said}");
    let merged = prodmax(folder, "simulate merge kept.trees --format json");
    assert_eq!(merged.status.code(), Some(1), "the rest is missing: {merged:?}");
    let sample = "pathology --method sample --trees 10000000 --checkpoint kept.sample";
    let said = interrupted(folder, sample, "INT", long_enough);
    assert!(said.contains("trees are missing"), "{said}");
    let merged = prodmax(folder, "pathology merge kept.sample --format json");
    assert_eq!(merged.status.code(), Some(1), "the rest is missing: {merged:?}");
    let mass = "mass --root 1 --increments 8,8,8,8 --memory 64M --checkpoint kept.ckpt";
    let lines = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        text.lines().count()
    };
    let said = interrupted(folder, mass, "INT", |_| lines("kept.ckpt") > 2);
    assert!(said.contains("the same command continues from there"), "{said}");
    let grid = format!("readings --grid {WORKSPACE}/specs/readings/search-1.ron --output-all rows.csv");
    let said = interrupted(folder, &grid, "TERM", |_| lines("rows.csv.checkpoint") > 3);
    assert!(said.contains("the same command continues from there"), "{said}");
    assert!(
        lines("rows.csv.checkpoint") > 3 && !folder.join("rows.csv").exists(),
        "only whole files are written"
    );
}

/// Runs the program in a shell with this many KiB of address space.
fn limited(kibibytes: u64, arguments: &str) -> Output {
    let script = format!("ulimit -v {kibibytes} && exec {PROGRAM} {arguments}");
    Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn work_that_does_not_fit_into_the_limit_is_refused_with_a_sentence() {
    let limit = 700_000;
    for (arguments, instead) in [
        ("crossover --root 1 --increments 5,5,5,5", "e.g. prodmax mass --truth uniform:1/20"),
        ("mass --root 1 --increments 4,4,4,4 --number certified", "use doubles (--number f64)"),
        ("mass --root 1 --increments 8,8,8,8 --memory 4G", "give less with --memory"),
        ("contest --root 1 --increments 4,4,4,4 --rules minimax,product --number certified", "fewer rules"),
        ("enumerate --root 1 --increments 5,5,5,5,5", "count without building (--plan)"),
        ("simulate --trees 1000000000 --tree-depth 2 --depths 1-2", "use fewer or smaller trees"),
        ("simulate --trees 2 --tree-depth 24", "use fewer or smaller trees"),
        ("search --game kalah --player penalty:10 --calls 100000000", "or with fewer calls"),
        ("play --game kalah --players penalty:10,alphabeta --calls 100000000 --starts 1", "fewer calls"),
        ("search --game kalah --player penalty:10 --milliseconds 3600000", "or less time"),
        ("pathology --grains 2000", "number of grains"),
        ("mass --root 1 --increments 8,8,8,8 --engine law --grid 1048576", "use a coarser grid"),
    ] {
        let message = refusal(&limited(limit, arguments));
        let limit = "under the limit on the address space (ulimit -v)";
        assert!(message.contains("of memory, but only") && message.contains(limit), "{message}");
        assert!(message.contains(instead), "{message}");
    }
}

/// Under any limit a command does its work or says why it cannot; it never aborts.
#[test]
fn no_limit_makes_a_command_abort() {
    for kibibytes in [200_000, 300_000, 600_000] {
        for arguments in [
            "mass --root 1 --increments 4,4,3,3 --engine classes",
            "mass --root 1 --increments 3,3,3,2 --number certified",
            "mass --root 1 --increments 36,36,36 --h-max 1000",
            "crossover --root 1 --increments 3,2,3,2",
            "contest --root 1 --increments 3,3,3,3 --rules minimax,product,mean:4",
            "mass --root 1 --increments 4,4,4,3 --reading sign-wise",
            "simulate --trees 1 --tree-depth 20 --depths 1-2",
            "simulate --trees 10000 --tree-depth 2 --depths 1-2",
            "pathology --grains 100 --d-max 4",
            "search --game kalah --player penalty:10 --calls 300000",
        ] {
            let output = limited(kibibytes, &format!("{arguments} --threads 2"));
            let message = String::from_utf8_lossy(&output.stderr);
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 2)), "{kibibytes} KiB, {arguments}: {code:?} {message}");
            assert_eq!(code == Some(2), message.contains("of memory"), "{arguments}: {message}");
        }
    }
}

#[test]
fn a_limit_too_small_for_threads_is_a_sentence() {
    // The program itself fits; the stacks of 64 threads do not.
    let message = refusal(&limited(100_000, "table2 --threads 64"));
    assert!(message.contains("the threads cannot be started"), "{message}");
}

#[test]
fn a_target_is_never_a_file_in_use() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let copy = |from: &str, to: &str| std::fs::copy(format!("{WORKSPACE}/{from}"), folder.join(to)).unwrap();
    copy("specs/table2.ron", "spec.ron");
    copy("specs/simulate/b.ron", "b.ron");
    copy("specs/readings/search-1.ron", "grid.ron");
    copy("golden/table2.ron", "target.ron");
    copy("specs/play/kalah-hints-minimax-turn.ron", "match.ron");
    std::fs::write(folder.join("log"), "games").unwrap();
    std::os::unix::fs::symlink(folder.join("spec.ron"), folder.join("link")).unwrap();
    // Each would take long if it were started.
    for arguments in [
        "mass --spec spec.ron -o spec.ron",
        "mass --spec spec.ron -o link",
        "crossover --spec spec.ron -o ./spec.ron",
        "enumerate --spec spec.ron -o spec.ron",
        "mass --root 1 --increments 8,8,8,8 --checkpoint a.ckpt -o a.ckpt",
        "mass --root 1 --increments 8,8,8,8 --checkpoint a.ckpt -o a.ckpt.ideal",
        "mass --spec spec.ron --checkpoint spec.ron",
        "contest --root 1 --increments 8,8,8,8 --rules minimax,product --checkpoint a -o a",
        "simulate --spec b.ron -o b.ron",
        "simulate --spec b.ron --checkpoint b.ron",
        "simulate --trees 100000 --checkpoint kept.json -o kept.json",
        "simulate merge log -o log",
        "readings --grid grid.ron -o grid.ron",
        "readings --target target.ron -o target.ron",
        "readings --grid grid.ron --output-all rows.csv -o rows.csv",
        "readings --grid grid.ron --output-all rows.csv -o rows.csv.checkpoint",
        "readings --grid grid.ron --output-all grid.ron",
        "play --spec match.ron -o match.ron",
        "play --spec match.ron --checkpoint log --game-log log",
        "play --spec match.ron --checkpoint log -o log",
        "play merge log --game-log log",
        "pathology --spec match.ron -o match.ron",
        "check --golden . -o target.ron",
        "reproduce --specs . --out report -o spec.ron",
    ] {
        let message = refusal(&prodmax(folder, arguments));
        assert!(message.contains("name the same file"), "{arguments}: {message}");
    }
    assert_eq!(std::fs::read(folder.join("log")).unwrap(), b"games");
    assert!(!folder.join("a.ckpt").exists() && !folder.join("report").exists());
}

#[test]
fn a_target_that_cannot_be_written_is_refused_before_the_work() {
    let directory = tempfile::tempdir().unwrap();
    for arguments in [
        "mass --root 1 --increments 8,8,8,8 -o nowhere/a.json",
        "mass --root 1 --increments 8,8,8,8 -o .",
        "mass --root 1 --increments 8,8,8,8 --checkpoint nowhere/a",
        "simulate --trees 100000 --checkpoint nowhere/a",
        "readings --output-all nowhere/a",
        "play --game kalah --players minimax,product --depth 9 --game-log nowhere/a",
    ] {
        let begun = Instant::now();
        let message = refusal(&prodmax(directory.path(), arguments));
        assert!(message.contains("cannot be written"), "{arguments}: {message}");
        assert!(begun.elapsed() < SOON, "{arguments}");
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "no trace is left");
}

#[test]
fn only_regular_files_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    assert!(Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
    std::fs::create_dir(folder.join("golden")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("golden/a.ron")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("reading.ron")).unwrap();
    for file in ["/dev/zero", "/dev/full", "pipe", "golden"] {
        for arguments in [
            "mass --spec FILE",
            "mass --root 1 --increments 8,8,8,8 --checkpoint FILE",
            "simulate --spec FILE",
            "simulate merge FILE",
            "simulate --checkpoint FILE",
            "readings --target FILE",
            "readings --grid FILE",
            "readings --output-all FILE",
            "pathology --spec FILE",
            "play --spec FILE",
            "play --replay FILE",
            "play merge FILE",
            "play --game kalah --players minimax,product --depth 1 --checkpoint FILE",
        ] {
            let message = refusal(&prodmax(folder, &arguments.replace("FILE", file)));
            assert!(message.contains("is not a regular file"), "{arguments} {file}: {message}");
        }
    }
    for arguments in [
        "check --golden golden",
        "reproduce --specs golden --out report",
        "reproduce --golden golden --out report",
        "mass --root 1 --increments 2,2 --reading reading.ron",
        "table2 --reading reading.ron",
    ] {
        let message = refusal(&prodmax(folder, arguments));
        assert!(message.contains("is not a regular file"), "{arguments}: {message}");
    }
}

#[test]
fn long_arguments_are_shortened_in_messages() {
    let long = "x".repeat(5000);
    let digits = "1".repeat(5000);
    let list = "9 ".repeat(2500);
    let directory = tempfile::tempdir().unwrap();
    for arguments in [
        vec!["mass", "--root", &long, "--increments", "8,8"],
        vec!["mass", "--root", &digits, "--increments", "8,8"],
        vec!["mass", "--root", "1", "--increments", &long],
        vec!["mass", "--root", "1", "--increments", "8,8", "--truth", &long],
        vec!["mass", "--root", "1", "--increments", "8,8", "--rules", &long],
        vec!["mass", "--spec", &long],
        vec!["contest", "--root", "1", "--increments", "2,2", "--rules", &long],
        vec!["check", "--only", &long],
        vec!["readings", "--without", &long],
        vec!["table2", "--reading", &long],
        vec!["search", "--game", "kalah", "--player", &long, "--depth", "3"],
        vec!["search", "--game", "kalah", "--rule", "minimax", "--depth", "3", "--moves", &long],
        vec!["simulate", "--depths", &long],
        vec!["play", "--opening", &long],
        vec!["pathology", "--sigma-v", &list],
        vec!["formulas", "--p", &long],
        vec!["man", &long],
        vec!["--threads", &long, "rules"],
        vec!["mass", "-o", &long, "--root", "1", "--increments", "2,2"],
        vec![&long],
    ] {
        let output = Command::new(PROGRAM).args(&arguments).current_dir(directory.path()).output().unwrap();
        let message = refusal(&output);
        assert!(message.len() < 1200, "{}: {message}", arguments[0]);
        assert!(message.contains("…["), "{}: {message}", arguments[0]);
    }
    let spec = format!("(id: \"a\", title: \"a\", source: \"a\", models: [], settings: (truth: \"{long}\"))");
    std::fs::write(directory.path().join("spec.ron"), spec).unwrap();
    let message = refusal(&prodmax(directory.path(), "mass --spec spec.ron"));
    assert!(message.len() < 1200, "{message}");
}

/// `script` gives a command a terminal; without it, there is nothing to test.
#[test]
fn on_a_terminal_long_work_shows_its_progress() {
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("SKIPPED: script was not found");
        return;
    }
    for (arguments, shown) in [
        ("crossover --root 1 --increments 4,4,4,4", "root +1, increments 4,4,4,4: "),
        ("prism --root 1 --increments 3,3,3,3 --rules minimax,mean:4", "root +1, increments 3,3,3,3: "),
        ("simulate --trees 20000", "% of 20000"),
    ] {
        let command = format!("{PROGRAM} {arguments} --threads 1 > /dev/null");
        let mut child = Command::new("script")
            .args(["-q", "-f", "-e", "-c", &command, "/dev/null"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut screen = child.stdout.take().unwrap();
        let (begun, mut seen, mut room) = (Instant::now(), String::new(), [0; 4096]);
        while !seen.contains(shown) && begun.elapsed() < SOON {
            let count = std::io::Read::read(&mut screen, &mut room).unwrap();
            assert!(count > 0, "{arguments}: {seen}");
            seen += &String::from_utf8_lossy(&room[..count]);
            // The note is printed beforehand, with the same name.
            seen = seen.replace("increments 4,4,4,4: this", "").replace("increments 3,3,3,3: this", "");
        }
        assert!(seen.contains(shown), "{arguments}: {seen}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
