//! Finished units that are read back: from a checkpoint or part that is continued, from the parts of all shards, or from
//! files of several runs that are added up.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::record::DAMAGED;
use super::units::{Todo, length};
use super::{DivideError, Divisible, Record, Run, Units};
use crate::part::{Part, PartError, PartFile, Parts, Section, is_part};

/// Kept runs by their first steps: the step behind each, and its finding. No two overlap.
pub(super) struct Kept<F> {
    runs: BTreeMap<u64, (u64, F)>,
    /// The file that was read last.
    path: PathBuf,
}

impl<F> Default for Kept<F> {
    fn default() -> Self {
        Self { runs: BTreeMap::new(), path: PathBuf::new() }
    }
}

/// What a section is called: the identity of its work and the steps that were asked for.
fn section_name(identity: &str, steps: &Range<u64>) -> String {
    format!("{identity} steps={}..{}", steps.start, steps.end)
}

fn parse_section_name(name: &str) -> Option<(&str, Range<u64>)> {
    let (identity, steps) = name.rsplit_once(" steps=")?;
    let (start, end) = steps.split_once("..")?;
    let (start, end): (u64, u64) = (start.parse().ok()?, end.parse().ok()?);
    (start <= end).then_some((identity, start..end))
}

/// The section in which a part goes on.
pub(super) fn section<'p, D: Divisible>(work: &D, part: &'p Part) -> Result<Section<'p>, PartError> {
    part.begin(&section_name(&work.identity(), &work.steps()))
}

/// The work that the sections of a file belong to.
fn works(sections: &[String]) -> impl Iterator<Item = (usize, &str, Range<u64>)> {
    let named = sections.iter().enumerate();
    named.filter_map(|(number, name)| {
        let (identity, steps) = parse_section_name(name)?;
        Some((number, identity, steps))
    })
}

impl<F> Kept<F> {
    /// The runs, in order.
    pub(super) fn runs(&self) -> impl Iterator<Item = Range<u64>> {
        self.runs.iter().map(|(&start, &(end, _))| start..end)
    }

    /// The findings, by first steps.
    pub(super) fn findings(self) -> BTreeMap<u64, (u64, Option<F>)> {
        self.runs.into_iter().map(|(start, (end, finding))| (start, (end, Some(finding)))).collect()
    }

    /// Adds a unit as it is written.
    fn add<D: Divisible<Finding = F>>(&mut self, work: &D, first: u64, text: &str) -> Result<(), Refused> {
        let parsed = || {
            let (steps, text) = text.split_once(' ')?;
            let run = first..first.checked_add(steps.parse().ok().filter(|steps| *steps > 0)?)?;
            Some((run.clone(), work.read(run, text)?))
        };
        let (run, finding) = parsed().ok_or(Refused::Damaged)?;
        let before = self.runs.range(..run.end).next_back();
        if let Some((&start, _)) = before.filter(|(_, (end, _))| *end > run.start) {
            return Err(Refused::Twice(start.max(run.start)));
        }
        self.runs.insert(run.start, (run.end, finding));
        Ok(())
    }

    /// Adds the units of all sections of this work; returns whether there is such a section.
    fn add_all<D: Divisible<Finding = F>>(
        &mut self,
        work: &D,
        path: &Path,
        sections: &[String],
        read: impl Fn(usize, &mut dyn FnMut(u64, &str) -> bool) -> Result<(), PartError>,
    ) -> Result<bool, PartError> {
        path.clone_into(&mut self.path);
        let mut is_there = false;
        for (number, ..) in works(sections).filter(|(_, kept, _)| work.difference(kept).is_none()) {
            is_there = true;
            let mut twice = None;
            let result = read(number, &mut |first, text| match self.add(work, first, text) {
                Ok(()) => true,
                Err(Refused::Damaged) => false,
                Err(Refused::Twice(step)) => {
                    twice = Some(step);
                    false
                }
            });
            match twice {
                Some(number) => {
                    return Err(PartError::Doubled { path: path.to_owned(), step: D::STEP[0], number });
                }
                None => result?,
            }
        }
        Ok(is_there)
    }

    /// Adds what is finished in a checkpoint or the part of a shard.
    pub(super) fn add_part<D: Divisible<Finding = F>>(
        &mut self,
        work: &D,
        part: &Part,
    ) -> Result<(), PartError> {
        let sections = part.sections();
        self.add_all(work, part.path(), &sections, |number, each| part.read(number, each)).map(|_| ())
    }

    /// Adds the units of a file that is only read, and must have some section of this work.
    fn add_file<D: Divisible<Finding = F>>(&mut self, work: &D, file: &PartFile) -> Result<(), PartError> {
        let sections = file.sections();
        if self.add_all(work, file.path(), sections, |number, each| file.units(number, each))? {
            return Ok(());
        }
        let identity =
            works(sections).next().map_or_else(|| sections.join(" "), |(_, kept, _)| kept.to_owned());
        let difference = work.difference(&identity).unwrap_or_default();
        Err(PartError::Different { path: file.path().to_owned(), difference })
    }

    /// The same for the record in an answer.
    fn add_record<D: Divisible<Finding = F>>(
        &mut self,
        work: &D,
        path: &Path,
        record: &Record,
    ) -> Result<(), PartError> {
        if let Some(difference) = work.difference(&record.identity) {
            return Err(PartError::Different { path: path.to_owned(), difference });
        }
        let units = |_: usize, each: &mut dyn FnMut(u64, &str) -> bool| {
            let is_unit = |unit: &String| {
                let (first, text) = unit.split_once(' ')?;
                each(first.parse().ok()?, text).then_some(())
            };
            match record.units.iter().try_for_each(is_unit) {
                Some(()) => Ok(()),
                None => Err(PartError::NoRecord { path: path.to_owned(), reason: DAMAGED.to_owned() }),
            }
        };
        let section = section_name(&record.identity, &record.steps());
        self.add_all(work, path, &[section], units).map(|_| ())
    }

    /// An error if something was kept that is not asked for.
    pub(super) fn check_asked<D: Divisible>(&self, units: &Units) -> Result<(), PartError> {
        match self.runs().find(|run| !units.hold(run)) {
            None => Ok(()),
            Some(run) => {
                Err(PartError::NotAsked { path: self.path.clone(), step: D::STEP[0], number: run.end - 1 })
            }
        }
    }

    /// Everything added up.
    fn sum<D: Divisible<Finding = F>>(self, work: &D) -> Result<Run<D::Sum>, D::Error> {
        let (all, mut done) = (length(&work.steps()), 0);
        let mut sum = work.begin();
        for (start, (end, finding)) in self.runs {
            done += end - start;
            work.absorb(&mut sum, start..end, finding)?;
        }
        Ok(if done == all { Run::Whole(sum) } else { Run::Partial { sum, done, all } })
    }
}

/// Why a unit is refused.
enum Refused {
    /// It is none.
    Damaged,
    /// This step is there already.
    Twice(u64),
}

impl Part {
    /// Opens or creates a checkpoint of a command, which may have been begun by another revision. A checkpoint of other
    /// work is refused.
    pub fn checkpoint<D: Divisible>(
        path: &Path,
        program: &str,
        command: &str,
        work: &D,
    ) -> Result<Self, PartError> {
        let part = Self::open_checkpoint(path, program, command)?;
        let sections = part.sections();
        let differences: Vec<_> = works(&sections).map(|(_, kept, _)| work.difference(kept)).collect();
        match differences.into_iter().reduce(Option::and).flatten() {
            Some(difference) => Err(PartError::Different { path: path.to_owned(), difference }),
            None => Ok(part),
        }
    }
}

/// The sum of all shards, of which no step may be missing.
pub(super) fn merge_parts<D: Divisible>(
    work: &D,
    parts: &Parts,
) -> Result<Run<D::Sum>, DivideError<D::Error>> {
    let mut kept = Kept::default();
    parts.files().iter().try_for_each(|file| kept.add_file(work, file))?;
    let steps = work.steps();
    // Whether the bounds of a run are those of a unit is for `read` to say: to cut all units may take long.
    let all = Units::listed(vec![steps.clone()]);
    kept.check_asked::<D>(&all)?;
    let gaps: Vec<Range<u64>> = Todo::new(&all, kept.runs()).collect();
    match gaps.first() {
        None => kept.sum(work).map_err(DivideError::Work),
        Some(gap) => {
            let missing = gaps.iter().map(length).sum();
            Err(PartError::Gap { missing, all: length(&steps), first: gap.start }.into())
        }
    }
}

/// A file with finished units of some run: a checkpoint, the part of a shard, or an answer that carries a record.
#[derive(Debug)]
pub enum KeptFile {
    /// A checkpoint or part.
    Part(PartFile),
    /// An answer.
    Answer {
        /// The file.
        path: PathBuf,
        /// What it carries.
        record: Record,
    },
}

impl KeptFile {
    /// Reads a file that a run of this command has kept or printed.
    pub fn read(path: &Path, command: &str) -> Result<Self, PartError> {
        if is_part(path) {
            let file = PartFile::read(path)?;
            file.header().check_command(path, command)?;
            return Ok(Self::Part(file));
        }
        Ok(Self::Answer { path: path.to_owned(), record: Record::read(path)? })
    }

    /// Identities and the steps that were asked for.
    fn works(&self) -> Vec<(&str, Range<u64>)> {
        match self {
            Self::Part(file) => {
                works(file.sections()).map(|(_, identity, steps)| (identity, steps)).collect()
            }
            Self::Answer { record, .. } => vec![(&record.identity, record.steps())],
        }
    }

    /// The identity of the work in these files and the steps that were asked for: from the first to the last of all
    /// files, so that what lies between them is missing. `None` if there is no work in them.
    pub fn asked(files: &[Self]) -> Option<(&str, Range<u64>)> {
        let join = |a: Range<u64>, b: Range<u64>| a.start.min(b.start)..a.end.max(b.end);
        files.iter().flat_map(Self::works).reduce(|(identity, all), (_, steps)| (identity, join(all, steps)))
    }
}

/// The sum of what is in these files, whatever is missing between them.
pub fn merge<D: Divisible>(work: &D, files: &[KeptFile]) -> Result<Run<D::Sum>, DivideError<D::Error>> {
    let all = Units::listed(vec![work.steps()]);
    let mut kept = Kept::default();
    for file in files {
        match file {
            KeptFile::Part(file) => kept.add_file(work, file)?,
            KeptFile::Answer { path, record } => kept.add_record(work, path, record)?,
        }
        kept.check_asked::<D>(&all)?;
    }
    kept.sum(work).map_err(DivideError::Work)
}
