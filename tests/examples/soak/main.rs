//! A soak test: random models against the slow twin, and random kills and damages against everything that is stored.
//!
//! `make soak` runs it (SOAK_SECONDS, SOAK_SEED). Every case depends on the seed and its number alone, so a failure can be
//! repeated: it prints the command. What is asked of a stored file that was damaged, or whose writer was killed at any
//! moment: the same figures as ever, or a refusal that names the file.

#![allow(clippy::print_stdout, reason = "what was tried is what it prints")]

mod models;
mod random;
mod stored;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use random::Random;
use stored::{KINDS, Store};

/// What the command line says.
struct Settings {
    prodmax: PathBuf,
    seconds: u64,
    seed: u64,
    /// Only this case.
    case: Option<u64>,
}

impl Settings {
    fn read() -> Result<Self, String> {
        let mut settings = Self { prodmax: PathBuf::new(), seconds: 120, seed: 0, case: None };
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or(format!("{name} needs a value"))?;
            let number =
                || value.parse::<u64>().map_err(|_| format!("{name} {value}: is not a whole number"));
            match name.as_str() {
                "--prodmax" => settings.prodmax = value.into(),
                "--seconds" => settings.seconds = number()?,
                "--seed" => settings.seed = number()?,
                "--case" => settings.case = Some(number()?),
                _ => return Err(format!("there is no option {name}")),
            }
        }
        // Commands run in folders of their own.
        settings.prodmax = settings.prodmax.canonicalize().map_err(|error| {
            format!("{}: {error}; name the program with --prodmax", settings.prodmax.display())
        })?;
        Ok(settings)
    }
}

fn main() -> ExitCode {
    match Settings::read().and_then(|settings| soak(&settings)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("soak: {message}");
            ExitCode::FAILURE
        }
    }
}

fn soak(settings: &Settings) -> Result<(), String> {
    let store = Store::new(&settings.prodmax, &mut Random::new(settings.seed, u64::MAX))?;
    let begun = Instant::now();
    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    let cases = settings.case.map_or(0..u64::MAX, |case| case..case + 1);
    let mut done = 0;
    for case in cases {
        if begun.elapsed() > Duration::from_secs(settings.seconds) {
            break;
        }
        let mut random = Random::new(settings.seed, case);
        // Models take a moment, commands some hundredths of a second each.
        let outcome = match random.below(2) {
            0 => models::compare(&mut random).map(|()| "model: as the slow twin".to_owned()),
            _ => store.attack(&KINDS[random.below(KINDS.len() as u64) as usize], &mut random),
        };
        let outcome = outcome.map_err(|message| {
            format!(
                "FAILED in case {case} of seed {seed}: {message}\nsoak: repeat it with: make soak SOAK_SEED={seed} SOAK_CASE={case}",
                seed = settings.seed
            )
        })?;
        *outcomes.entry(outcome).or_default() += 1;
        done += 1;
    }
    println!("soak: seed {}, {done} cases in {} s, all well", settings.seed, begun.elapsed().as_secs());
    for (outcome, count) in outcomes {
        println!("soak: {count:>7}  {outcome}");
    }
    Ok(())
}
