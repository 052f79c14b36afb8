//! A part: the results of one shard of a long computation, in a file that identifies the computation.
//!
//! The first line of a part ([`PartHeader`]) holds the program and its revision, the number of the shard, and the
//! command with the text of every file that it reads, so that merging needs nothing but the parts. The work of a command
//! consists of *sections*, each with an identity (everything that its figures depend on), and a section of *units*
//! that can be computed anywhere: blocks, trees, games, readings. A unit is one line. The last line says that the part
//! is complete.
//!
//! A shard computes the units that belong to it; it resumes from its part if there is one. Merging is the ordinary
//! command with all units read instead of computed, so it gives the same bytes. A checkpoint is the part of shard 1/1 of
//! a command that is known by its name only, because a later run may ask for more: the identities of its sections say
//! what it is of.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

pub use self::error::PartError;
use crate::lines::{self, Lines, LinesError};
use crate::share::Shard;

mod error;

/// Changes whenever the format changes.
const MAGIC: &str = "prodmax-part 1 ";

/// The computation that a part belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartHeader {
    /// The program and its revision.
    pub program: String,
    /// Which shard of how many.
    pub shard: Shard,
    /// The command in canonical form: its name, then its options in a fixed order.
    pub command: Vec<String>,
    /// The files that it reads, in the order in which the command names them: their texts.
    pub files: Vec<String>,
}

impl PartHeader {
    fn text(&self) -> Result<String, serde_json::Error> {
        Ok(MAGIC.to_owned() + &serde_json::to_string(self)?)
    }

    fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text.strip_prefix(MAGIC)?).ok()
    }

    /// An error unless it is of this command, whatever its options.
    pub(crate) fn check_command(&self, path: &Path, command: &str) -> Result<(), PartError> {
        let name = self.command.first().map_or("", String::as_str);
        if name == command {
            return Ok(());
        }
        let difference = format!("comes from prodmax {name}, not from prodmax {command}");
        Err(PartError::Other { path: path.to_owned(), difference })
    }

    /// How another header differs, apart from the number of the shard.
    fn difference(&self, other: &Self) -> Option<String> {
        if self.program != other.program {
            return Some(format!("comes from another revision: {}, not {}", other.program, self.program));
        }
        if self.shard.of() != other.shard.of() {
            return Some(format!("is one of {} shards, not of {}", other.shard.of(), self.shard.of()));
        }
        let words = |header: &Self| header.command.join(" ");
        let only = |ours: &Self, theirs: &Self| {
            let word = ours.command.iter().find(|word| !theirs.command.contains(word));
            word.map_or_else(|| "nothing there".to_owned(), |word| format!("`{word}`"))
        };
        if self.command.first() != other.command.first() || words(self) != words(other) {
            return Some(format!(
                "computes something else: {}, not {}",
                only(other, self),
                only(self, other)
            ));
        }
        (self.files != other.files)
            .then(|| "computes something else: the files that it reads differ".to_owned())
    }
}

/// What a run computes.
#[derive(Clone, Copy, Debug, Default)]
pub enum Work<'a> {
    /// All units.
    #[default]
    Whole,
    /// The units of one shard, which are kept in its part.
    Shard(&'a Part),
    /// None: all units are read from parts.
    Merge(&'a Parts),
}

/// A line after the first.
enum Entry<'a> {
    /// A section of this identity begins.
    Section(&'a str),
    /// A unit of the section with this number (from 0).
    Unit { section: usize, unit: u64, text: &'a str },
    /// The part is complete and has this many units.
    End(u64),
}

impl<'a> Entry<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (word, rest) = line.split_once(' ')?;
        match word {
            "section" => Some(Self::Section(rest)),
            "end" => rest.parse().ok().map(Self::End),
            _ => {
                let (unit, text) = rest.split_once(' ').unwrap_or((rest, ""));
                Some(Self::Unit { section: word.parse().ok()?, unit: unit.parse().ok()?, text })
            }
        }
    }
}

/// What a part holds besides its units.
#[derive(Debug, Default)]
struct Contents {
    sections: Vec<String>,
    units: u64,
    finished: bool,
}

impl Contents {
    /// Adds a line; returns whether it is valid at this point.
    fn add(&mut self, line: &str) -> bool {
        if self.finished {
            return false;
        }
        match Entry::parse(line) {
            Some(Entry::Section(identity)) => {
                let known = self.sections.iter().any(|section| section == identity);
                self.sections.push(identity.to_owned());
                !known
            }
            Some(Entry::Unit { section, .. }) => {
                self.units += 1;
                section < self.sections.len()
            }
            Some(Entry::End(units)) => {
                self.finished = true;
                units == self.units
            }
            None => false,
        }
    }
}

/// Passes the units of one section of a file to `each`.
fn read_units(path: &Path, section: usize, each: &mut dyn FnMut(u64, &str) -> bool) -> Result<(), PartError> {
    let failed = PartError::of(path);
    let file = crate::read::open(path)?;
    let mut line = |line: &str| match Entry::parse(line) {
        Some(Entry::Unit { section: other, unit, text }) if other == section => each(unit, text),
        _ => true,
    };
    lines::scan(&file, &mut |_| true, &mut line).map(|_| ()).map_err(failed)
}

/// The part of a shard, open for appending units.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    header: PartHeader,
    lines: Lines,
    contents: Mutex<Contents>,
}

impl Part {
    /// Opens or creates the part of a shard.
    pub fn open(path: &Path, header: PartHeader) -> Result<Self, PartError> {
        let io = |source| PartError::Io { path: path.to_owned(), source };
        let text = header.text().map_err(|error| io(error.into()))?;
        let mut contents = Contents::default();
        let lines = Lines::open(path, &text, &mut |line| contents.add(line));
        let lines = lines.map_err(|error| match &error {
            LinesError::Other(found) => match PartHeader::parse(found) {
                Some(found) => {
                    let path = path.to_owned();
                    let number = || format!("is that of shard {}, not of {}", found.shard, header.shard);
                    PartError::Other { path, difference: header.difference(&found).unwrap_or_else(number) }
                }
                None => PartError::Foreign { path: path.to_owned() },
            },
            _ => PartError::of(path)(error),
        })?;
        Ok(Self { path: path.to_owned(), header, lines, contents: Mutex::new(contents) })
    }

    /// Opens or creates a checkpoint of a command.
    pub(crate) fn open_checkpoint(path: &Path, program: &str, command: &str) -> Result<Self, PartError> {
        let command_only = vec![command.to_owned()];
        let new = PartHeader {
            program: program.to_owned(),
            shard: Shard::ONLY,
            command: command_only,
            files: Vec::new(),
        };
        if !is_part(path) {
            return Self::open(path, new);
        }
        // It may have been begun by another revision, or its first line was interrupted.
        let header = match PartFile::read(path) {
            Ok(file) => file.header,
            Err(PartError::Foreign { .. }) => new,
            Err(error) => return Err(error),
        };
        header.check_command(path, command)?;
        if header.shard != Shard::ONLY {
            let difference = format!("is that of shard {}, not a checkpoint", header.shard);
            return Err(PartError::Other { path: path.to_owned(), difference });
        }
        let part = Self::open(path, header)?;
        if part.is_finished() {
            let difference = "is complete, and prodmax merge shows its figures".to_owned();
            return Err(PartError::Other { path: path.to_owned(), difference });
        }
        Ok(part)
    }

    fn contents(&self) -> std::sync::MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which shard it is.
    pub fn shard(&self) -> Shard {
        self.header.shard
    }

    /// Whether the shard is complete.
    pub fn is_finished(&self) -> bool {
        self.contents().finished
    }

    /// The number of units so far.
    pub fn units(&self) -> u64 {
        self.contents().units
    }

    fn append(&self, line: &str) -> Result<(), PartError> {
        self.lines.append(line).map_err(|source| PartError::Io { path: self.path.clone(), source })
    }

    /// Begins or resumes a section: its finished units are passed to `each`, which returns whether they are valid. The
    /// identity is one line of `key=value` and says everything that the units depend on.
    pub fn section(
        &self,
        identity: &str,
        each: &mut dyn FnMut(u64, &str) -> bool,
    ) -> Result<Section<'_>, PartError> {
        if let Some(number) = self.sections().iter().position(|section| section == identity) {
            self.read(number, each)?;
        }
        self.begin(identity)
    }

    /// The identities of the sections so far.
    pub(crate) fn sections(&self) -> Vec<String> {
        self.contents().sections.clone()
    }

    /// Passes the finished units of a section to `each`, which returns whether they are valid.
    pub(crate) fn read(
        &self,
        section: usize,
        each: &mut dyn FnMut(u64, &str) -> bool,
    ) -> Result<(), PartError> {
        read_units(&self.path, section, each)
    }

    /// The section with this identity, which is begun unless it is there.
    pub(crate) fn begin(&self, identity: &str) -> Result<Section<'_>, PartError> {
        let known = self.contents().sections.iter().position(|section| section == identity);
        if let Some(number) = known {
            return Ok(Section { part: self, number });
        }
        self.append(&format!("section {identity}"))?;
        let mut contents = self.contents();
        contents.sections.push(identity.to_owned());
        Ok(Section { part: self, number: contents.sections.len() - 1 })
    }

    /// Marks the part as complete.
    pub fn finish(&self) -> Result<(), PartError> {
        let units = self.units();
        self.append(&format!("end {units}"))?;
        self.contents().finished = true;
        self.lines.sync().map_err(|source| PartError::Io { path: self.path.clone(), source })
    }
}

/// A section that units are appended to.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    part: &'a Part,
    number: usize,
}

impl Section<'_> {
    /// Appends a finished unit: one line of text.
    pub fn append(&self, unit: u64, text: &str) -> Result<(), PartError> {
        self.part.append(&format!("{} {unit} {text}", self.number))?;
        self.part.contents().units += 1;
        Ok(())
    }
}

/// A checkpoint or part that is only read.
#[derive(Debug)]
pub struct PartFile {
    path: PathBuf,
    header: PartHeader,
    contents: Contents,
}

impl PartFile {
    /// Reads a file and checks that all lines are intact.
    pub(crate) fn read(path: &Path) -> Result<Self, PartError> {
        let failed = PartError::of(path);
        let file = crate::read::open(path)?;
        let (mut header, mut contents) = (None, Contents::default());
        let mut first = |text: &str| {
            header = PartHeader::parse(text);
            header.is_some()
        };
        lines::scan(&file, &mut first, &mut |line| contents.add(line)).map_err(failed)?;
        let header = header.ok_or_else(|| PartError::Foreign { path: path.to_owned() })?;
        Ok(Self { path: path.to_owned(), header, contents })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The computation that it belongs to.
    pub(crate) fn header(&self) -> &PartHeader {
        &self.header
    }

    /// The identities of its sections.
    pub(crate) fn sections(&self) -> &[String] {
        &self.contents.sections
    }

    /// Passes the units of a section to `each`, which returns whether they are valid.
    pub(crate) fn units(
        &self,
        section: usize,
        each: &mut dyn FnMut(u64, &str) -> bool,
    ) -> Result<(), PartError> {
        read_units(&self.path, section, each)
    }
}

/// All parts of a computation.
#[derive(Debug)]
pub struct Parts {
    header: PartHeader,
    parts: Vec<PartFile>,
}

/// Whether a file begins like a part.
pub fn is_part(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    let read = crate::read::open(path).map(|mut file| std::io::Read::read_exact(&mut file, &mut start));
    matches!(read, Ok(Ok(()))) && start == *MAGIC.as_bytes()
}

impl Parts {
    /// Reads the parts, in any order, and checks that they are intact and complete, and that they belong together and
    /// to this program. `other_program` allows parts of another revision, if they are all of the same.
    pub fn open(paths: &[PathBuf], program: &str, other_program: bool) -> Result<Self, PartError> {
        let mut first: Option<PartHeader> = None;
        let mut parts: Vec<PartFile> = Vec::new();
        for path in paths {
            let file = PartFile::read(path)?;
            let header = &file.header;
            let mut wanted = first.get_or_insert_with(|| header.clone()).clone();
            if !other_program {
                program.clone_into(&mut wanted.program);
            }
            if let Some(difference) = wanted.difference(header) {
                return Err(PartError::Other { path: path.clone(), difference });
            }
            if let Some(same) = parts.iter().find(|part| part.header.shard == header.shard) {
                let paths = [same.path.clone(), path.clone()];
                return Err(PartError::Twice { paths, shard: header.shard });
            }
            parts.push(file);
        }
        let header = first.ok_or(PartError::None)?;
        if let Some(part) = parts.iter().find(|part| !part.contents.finished) {
            return Err(PartError::Unfinished { path: part.path.clone(), shard: part.header.shard });
        }
        let of = header.shard.of();
        let mut there = vec![false; of as usize];
        parts.iter().for_each(|part| there[part.header.shard.number() as usize - 1] = true);
        let missing: Vec<u32> = (1..=of).filter(|number| !there[*number as usize - 1]).collect();
        if !missing.is_empty() {
            return Err(PartError::Missing { missing, of });
        }
        parts.sort_by_key(|part| part.header.shard.number());
        Ok(Self { header, parts })
    }

    /// The header of the parts; its shard is that of one of them.
    pub fn header(&self) -> &PartHeader {
        &self.header
    }

    /// The parts, shard after shard.
    pub(crate) fn files(&self) -> &[PartFile] {
        &self.parts
    }

    /// Passes all units of a section to `each`, shard after shard; it returns whether a unit is valid.
    pub fn section(&self, identity: &str, each: &mut dyn FnMut(u64, &str) -> bool) -> Result<(), PartError> {
        for PartFile { path, contents, .. } in &self.parts {
            match contents.sections.iter().position(|section| section == identity) {
                Some(number) => read_units(path, number, each)?,
                None => {
                    let closest = contents.sections.first().map_or("", String::as_str);
                    let difference = lines::difference(closest, identity);
                    return Err(PartError::Section { path: path.clone(), difference });
                }
            }
        }
        Ok(())
    }
}
