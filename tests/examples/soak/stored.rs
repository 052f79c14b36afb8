//! Everything that is stored, killed while it is written and damaged when it is there.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::random::Random;

/// Something that is stored.
pub(crate) struct Kind {
    name: &'static str,
    /// The command that writes and reads it; FILE stands for it.
    command: &'static str,
    /// The same without anything to resume from.
    fresh: &'static str,
    /// The file that is damaged: FILE or one next to it.
    file: &'static str,
    /// Whether damage makes it compute everything anew instead of refusing.
    renews: bool,
}

/// All of them. SEED is a number of the run.
pub(crate) const KINDS: [Kind; 7] = [
    Kind {
        name: "mass checkpoint",
        command: "mass --root ROOT --increments 2,3,3,3 --engine deep --memory 1M --checkpoint FILE --format json",
        fresh: "mass --root ROOT --increments 2,3,3,3 --engine deep --memory 1M --format json",
        file: "kept",
        renews: false,
    },
    Kind {
        name: "law checkpoint",
        command: "mass --root ROOT --increments 3,3,3,2,3 --engine law --grid 1024 --checkpoint FILE --format json",
        fresh: "mass --root ROOT --increments 3,3,3,2,3 --engine law --grid 1024 --format json",
        file: "kept",
        renews: false,
    },
    Kind {
        name: "simulate checkpoint",
        command: "simulate --trees 60 --tree-depth 11 --depths 2,3 --seed SEED --checkpoint FILE --format json",
        fresh: "simulate --trees 60 --tree-depth 11 --depths 2,3 --seed SEED --format json",
        file: "kept",
        renews: false,
    },
    Kind {
        name: "simulate merge",
        command: "simulate merge FILE --format json",
        fresh: "simulate --trees 60 --tree-depth 11 --depths 2,3 --seed SEED --format json",
        file: "kept",
        renews: false,
    },
    Kind {
        name: "readings",
        command: "readings --grid grid.ron --output-all FILE --format json",
        fresh: "readings --grid grid.ron --format json",
        file: "kept.checkpoint",
        renews: false,
    },
    Kind {
        name: "game log",
        command: "play --game kalah --holes 4 --stones 3 --players product,minimax --depth 3 --starts 20 --seed SEED \
                  --checkpoint FILE --format json",
        fresh: "play --game kalah --holes 4 --stones 3 --players product,minimax --depth 3 --starts 20 --seed SEED --format json",
        file: "kept",
        renews: false,
    },
    Kind {
        name: "report results",
        command: "reproduce --specs specs --golden golden --out report --format json",
        fresh: "reproduce --specs specs --golden golden --out report --fresh --format json",
        file: "",
        renews: true,
    },
];

const GRID: &str = r#"Search(id: "soak", title: "soak", grids: [
    (zero: [skip, allow], ties: [strict, later], mixed: [independent, all_wrong], statistic: [share, per_case]),
    (weights: [kinds, classes], statistic: [per_case, majority]),
])"#;

const SPEC: &str = r#"Experiment(id: "soak", title: "soak", source: "soak", models: [(roots: [ROOT], increments: [[3, 3]], zero: skip)],
    settings: (run: [enumerate, mass, crossover]))"#;

const GOLDEN: &str = r#"Golden(title: "soak", entries: [(id: "soak.critical", source: "soak", published: "3886",
    quantity: critical((root: -3, increments: [8, 8])), reading: "stated", ours: "28992", cost: fast, verdict: differs)])"#;

/// The program, and what undamaged files give.
pub(crate) struct Store {
    prodmax: PathBuf,
    root: i64,
    seed: u64,
    /// Of each kind, the whole file and what is printed.
    whole: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Store {
    /// Runs everything once.
    pub(crate) fn new(prodmax: &Path, random: &mut Random) -> Result<Self, String> {
        let root = random.one_of(&[-4, -3, -2, -1, 1, 2]);
        let mut store =
            Self { prodmax: prodmax.to_owned(), root, seed: random.below(1 << 20), whole: Vec::new() };
        for (number, kind) in KINDS.iter().enumerate() {
            let folder = store.folder()?;
            let expected = store.finished(folder.path(), kind.fresh)?;
            // What is merged is what a simulation has kept.
            let writer = if kind.name == "simulate merge" { &KINDS[number - 1] } else { kind };
            let printed = store.finished(folder.path(), writer.command)?;
            if printed != expected {
                return Err(format!("{}: without a file it prints something else", kind.name));
            }
            let file = kept(folder.path(), kind)?;
            let bytes = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            store.whole.push((bytes, expected));
        }
        Ok(store)
    }

    /// A folder with everything that the commands read.
    fn folder(&self) -> Result<tempfile::TempDir, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let spec = SPEC.replace("ROOT", &self.root.to_string());
        for (name, text) in [("grid.ron", GRID), ("specs/soak.ron", &spec), ("golden/soak.ron", GOLDEN)] {
            let path = folder.path().join(name);
            let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            made.and_then(|()| std::fs::write(&path, text)).map_err(|error| error.to_string())?;
        }
        Ok(folder)
    }

    fn command(&self, folder: &Path, text: &str) -> Command {
        let (root, seed) = (self.root.to_string(), self.seed.to_string());
        let text = text.replace("FILE", "kept").replace("ROOT", &root).replace("SEED", &seed);
        let mut command = Command::new(&self.prodmax);
        command.args(text.split_whitespace()).args(["--threads", "2", "--quiet"]).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn output(&self, folder: &Path, text: &str) -> Result<Output, String> {
        self.command(folder, text).output().map_err(|error| error.to_string())
    }

    /// What a command that must succeed prints.
    fn finished(&self, folder: &Path, text: &str) -> Result<Vec<u8>, String> {
        let output = self.output(folder, text)?;
        match output.status.code() {
            Some(0) => Ok(output.stdout),
            code => Err(format!("`{text}` ended with {code:?}: {}", String::from_utf8_lossy(&output.stderr))),
        }
    }

    /// Kills or damages; what came of it.
    pub(crate) fn attack(&self, kind: &Kind, random: &mut Random) -> Result<String, String> {
        if kind.name != "simulate merge" && random.below(3) == 0 {
            self.kill(kind, random)
        } else {
            self.damage(kind, random)
        }
    }

    fn expected(&self, kind: &Kind) -> Result<&(Vec<u8>, Vec<u8>), String> {
        let number = KINDS.iter().position(|other| other.name == kind.name);
        number.map(|number| &self.whole[number]).ok_or_else(|| "an unknown kind".to_owned())
    }

    /// A writer that is stopped several times resumes and gives the same figures.
    fn kill(&self, kind: &Kind, random: &mut Random) -> Result<String, String> {
        let folder = self.folder()?;
        for _ in 0..1 + random.below(3) {
            let mut child =
                self.command(folder.path(), kind.command).spawn().map_err(|error| error.to_string())?;
            std::thread::sleep(Duration::from_millis(random.below(60)));
            let stopped = match random.one_of(&["KILL", "INT", "TERM"]) {
                "KILL" => child.kill(),
                name => {
                    let text = format!("kill -{name} {} 2> /dev/null", child.id());
                    Command::new("sh").args(["-c", &text]).status().map(|_| ())
                }
            };
            stopped.and_then(|()| child.wait_with_output()).map_err(|error| error.to_string())?;
        }
        let output = self.output(folder.path(), kind.command)?;
        if output.status.code() == Some(0) && output.stdout == self.expected(kind)?.1 {
            return Ok(format!("{}: killed, the same figures", kind.name));
        }
        Err(format!("{}: other figures after kills: {output:?}", kind.name))
    }

    /// A damaged file gives the same figures or is refused by name.
    fn damage(&self, kind: &Kind, random: &mut Random) -> Result<String, String> {
        let (whole, expected) = self.expected(kind)?;
        let folder = self.folder()?;
        let file = if kind.renews {
            // The file's name depends on what was computed.
            self.finished(folder.path(), kind.command)?;
            kept(folder.path(), kind)?
        } else {
            folder.path().join(kind.file)
        };
        let mut bytes =
            if kind.renews { std::fs::read(&file).map_err(|e| e.to_string())? } else { whole.clone() };
        for _ in 0..1 + random.below(2) {
            damage(&mut bytes, random);
        }
        std::fs::write(&file, &bytes).map_err(|error| error.to_string())?;
        let output = self.output(folder.path(), kind.command)?;
        let message = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) if output.stdout == *expected => Ok(format!("{}: damaged, the same figures", kind.name)),
            // What is cut off after a whole line looks like a run that was interrupted.
            Some(1) if kind.name == "simulate merge" && !is_whole(&output.stdout) => {
                Ok(format!("{}: damaged, trees are missing", kind.name))
            }
            Some(2) if !kind.renews && output.stdout.is_empty() && message.contains("kept") => {
                Ok(format!("{}: damaged, refused", kind.name))
            }
            code => {
                // Kept for debugging.
                let left = std::env::temp_dir().join("prodmax-soak-damaged");
                let _ = std::fs::write(&left, &bytes);
                let name = kind.name;
                Err(format!("{name}: damaged ({}), it ended with {code:?}: {message}", left.display()))
            }
        }
    }
}

/// Whether an answer says that no tree is missing.
fn is_whole(answer: &[u8]) -> bool {
    String::from_utf8_lossy(answer).contains("\"missing\": 0,")
}

/// The file of a kind in a folder where its command was run.
fn kept(folder: &Path, kind: &Kind) -> Result<PathBuf, String> {
    if !kind.renews {
        return Ok(folder.join(kind.file));
    }
    let cache = folder.join("report/.cache");
    let entries = std::fs::read_dir(&cache).map_err(|error| format!("{}: {error}", cache.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let spec =
        |file: &&PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("soak-"));
    files.iter().find(spec).cloned().ok_or_else(|| "nothing is kept".to_owned())
}

/// One random damage: a bit, a digit, a piece cut out, put in, doubled, or the end cut off.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        bytes.push(b'x');
        return;
    }
    let at = random.place(bytes.len());
    let length = random.place(20.min(bytes.len() - at)) + 1;
    match random.below(6) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => {
            let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
            if !digits.is_empty() {
                bytes[random.one_of(&digits)] = b'0' + random.below(10) as u8;
            }
        }
        2 => drop(bytes.drain(at..(at + length).min(bytes.len()))),
        3 => {
            let more: Vec<u8> = (0..length).map(|_| random.one_of(b"0123456789,.\n{}\"x-")).collect();
            bytes.splice(at..at, more);
        }
        4 => {
            let piece = bytes[at..(at + length).min(bytes.len())].to_vec();
            bytes.splice(at..at, piece);
        }
        _ => bytes.truncate(at),
    }
}
