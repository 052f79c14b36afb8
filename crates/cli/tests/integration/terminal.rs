//! Tables on a terminal: no line is longer than the terminal is wide. The terminal is created by `script`; without
//! that program, only the layout itself is tested (in `crates/output`).

#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "tells whoever runs the tests what was left out")]

use std::process::{Command, Stdio};

/// Commands with wide tables, long texts, several tables, and a streamed list.
const COMMANDS: [&str; 9] = [
    "mass --root -4..2 --increments 8,8 --increments 3,3,3",
    "mass --root 1 --increments 8,8 --rules minimax,mean:4",
    "enumerate --root -1 --increments 8,8,8",
    "crossover --root -3 --increments 3,3,3",
    "formulas --verify --root -3 --increments 8,8",
    "table2",
    "rules",
    "table1 --all",
    "simulate --trees 2 --tree-depth 8 --depths 1-3 --quiet",
];

/// What a command prints on a terminal with this number of columns; `None` if there is no `script`.
fn on_terminal(width: usize, columns: Option<usize>, command: &str) -> Option<String> {
    // Set within the shell command: some shells put the measured width into COLUMNS.
    let columns =
        columns.map_or_else(|| "env -u COLUMNS".to_owned(), |columns| format!("env COLUMNS={columns}"));
    let program = env!("CARGO_BIN_EXE_prodmax");
    let command = format!("stty rows 24 cols {width}; {columns} '{program}' {command}");
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).stdin(Stdio::null());
    match script.output() {
        Ok(output) => {
            let text = String::from_utf8(output.stdout).unwrap().replace('\r', "");
            assert!(output.status.success(), "{command}: {text}");
            Some(text)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("skipped: there is no program `script`");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap()
}

#[test]
fn no_line_is_longer_than_the_terminal_is_wide() {
    for command in COMMANDS {
        for width in [60, 80] {
            let Some(text) = on_terminal(width, None, command) else {
                return;
            };
            assert!(widest(&text) <= width, "{command} at {width}:\n{text}");
            assert!(text.lines().count() > 5, "{command} at {width}:\n{text}");
        }
    }
}

#[test]
fn the_variable_columns_sets_the_width() {
    let command = COMMANDS[0];
    let Some(narrow) = on_terminal(80, Some(70), command) else { return };
    assert!((51..=70).contains(&widest(&narrow)), "{narrow}");
    let wide = on_terminal(80, Some(200), command).unwrap();
    // On a terminal that is wide enough, everything is the same as in a file.
    let words = command.split(' ');
    let piped =
        Command::new(env!("CARGO_BIN_EXE_prodmax")).args(words).env("COLUMNS", "70").output().unwrap();
    assert_eq!(wide, String::from_utf8(piped.stdout).unwrap());
}
