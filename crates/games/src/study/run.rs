//! Running a study: what earlier records hold is taken from them, the rest is played and measured.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use super::{GamesRecord, MatchRecord, PairResults, StudyError, StudyResults, StudySpec};
use crate::play::{MatchResults, MatchSpec, play_match};
use crate::player::Resource;
use crate::position::Outcome;
use crate::quality::{QualityError, QualityResults, QualitySpec};

/// The outcomes of some pairs of games of one match.
type Outcomes = HashMap<(Resource, u64), [Outcome; 2]>;

/// How a study is run.
pub struct StudyRun<'a> {
    /// The program and its revision.
    pub prodmax: &'a str,
    /// Earlier records: what they hold of the study is not played again.
    pub known: &'a [StudyResults],
    /// Stops the run when it becomes true.
    pub interrupt: &'a AtomicBool,
    /// Called with how many further pairs or positions are finished.
    pub step: &'a (dyn Fn(u64) + Sync),
    /// Called now and then with everything so far, so that it can be saved: a match in progress is there with the starts
    /// that are finished.
    pub keep: &'a mut dyn FnMut(&StudyResults),
}

impl StudySpec {
    /// Runs everything that the known records do not hold. A match that was begun with fewer starts or resources is
    /// completed.
    pub fn run(&self, run: &mut StudyRun<'_>) -> Result<StudyResults, StudyError> {
        if let Some(spec) = self.matches.iter().find(|spec| spec.until_decided) {
            return Err(StudyError::UntilDecided(spec.id.clone()));
        }
        let mut results = StudyResults {
            prodmax: run.prodmax.to_owned(),
            title: self.title.clone(),
            matches: Vec::new(),
            qualities: Vec::new(),
        };
        // The makers of what is taken from known records, and whether anything is new.
        let (mut makers, mut anything_new) = (Vec::new(), false);
        for spec in &self.matches {
            let outcomes = known_outcomes(spec, run.known, &mut makers);
            anything_new |= outcomes.len() < spec.pairs().count();
            results.prodmax = made_by(&makers, anything_new, run.prodmax);
            play(spec, outcomes, run, &mut results)?;
            (run.keep)(&results);
        }
        for spec in &self.qualities {
            let (measured, new) = measure(spec, run, &mut makers)?;
            anything_new |= new;
            results.qualities.push(measured);
            results.prodmax = made_by(&makers, anything_new, run.prodmax);
            (run.keep)(&results);
        }
        Ok(results)
    }
}

/// Who made the record, and who completed it.
fn made_by(makers: &[String], anything_new: bool, prodmax: &str) -> String {
    let mut makers = makers.to_vec();
    if makers.is_empty() || anything_new && makers.iter().all(|maker| maker != prodmax) {
        makers.push(prodmax.to_owned());
    }
    makers.join(COMPLETED)
}

/// Between the names of those who made a record.
const COMPLETED: &str = ", completed by ";

fn add_makers(makers: &mut Vec<String>, record: &StudyResults) {
    for maker in record.prodmax.split(COMPLETED) {
        if makers.iter().all(|known| known != maker) {
            makers.push(maker.to_owned());
        }
    }
}

/// What the records hold of a match, whatever its name, starts and resources were there.
fn known_outcomes(spec: &MatchSpec, known: &[StudyResults], makers: &mut Vec<String>) -> Outcomes {
    let mut outcomes = Outcomes::new();
    for study in known {
        let before = outcomes.len();
        for record in study.matches.iter().filter(|record| record.spec.same_games(spec)) {
            for games in record.results.iter().filter(|games| spec.resources.contains(&games.resource)) {
                let starts = spec.first_start..spec.first_start.saturating_add(spec.starts);
                let numbered = (record.spec.first_start..).zip(&games.games.0);
                for (start, pair) in numbered.filter(|(start, _)| starts.contains(start)) {
                    outcomes.entry((games.resource, start)).or_insert(*pair);
                }
            }
        }
        if outcomes.len() > before {
            add_makers(makers, study);
        }
    }
    outcomes
}

/// Plays the pairs that are missing and adds the match to the results.
fn play(
    spec: &MatchSpec,
    mut outcomes: Outcomes,
    run: &mut StudyRun<'_>,
    results: &mut StudyResults,
) -> Result<(), StudyError> {
    (run.step)(outcomes.len() as u64);
    let finished = results.matches.len();
    for gap in stretches(spec, |pair| !outcomes.contains_key(pair)) {
        let mut seen = 0;
        let played = play_match(MatchResults::new(gap), run.interrupt, &mut |_, played| {
            let new = &played.pairs[seen..];
            outcomes.extend(new.iter().map(|pair| ((pair.resource, pair.start), pair.outcomes())));
            (run.step)(new.len() as u64);
            seen = played.pairs.len();
            results.matches.truncate(finished);
            let parts = stretches(spec, |pair| outcomes.contains_key(pair));
            results.matches.extend(parts.iter().map(|part| record(part, &outcomes)));
            (run.keep)(results);
        });
        let played = played.map_err(|source| StudyError::Match { id: spec.id.clone(), source })?;
        if !played.missing().is_empty() {
            return Err(StudyError::Interrupted);
        }
    }
    results.matches.truncate(finished);
    results.matches.push(record(spec, &outcomes));
    Ok(())
}

/// The pairs of a match for which `wanted` holds, as matches with one resource and consecutive starts each.
fn stretches(spec: &MatchSpec, wanted: impl Fn(&(Resource, u64)) -> bool) -> Vec<MatchSpec> {
    let mut stretches: Vec<MatchSpec> = Vec::new();
    for (resource, start) in spec.pairs().filter(wanted) {
        match stretches.last_mut() {
            Some(last) if last.resources == [resource] && last.first_start + last.starts == start => {
                last.starts += 1;
            }
            _ => stretches.push(MatchSpec {
                resources: vec![resource],
                first_start: start,
                starts: 1,
                ..spec.clone()
            }),
        }
    }
    stretches
}

/// The record of a match all of whose pairs are known.
fn record(spec: &MatchSpec, outcomes: &Outcomes) -> MatchRecord {
    let with = |&resource: &Resource| {
        let starts = spec.first_start..spec.first_start.saturating_add(spec.starts);
        let pairs = starts.filter_map(|start| outcomes.get(&(resource, start)).copied());
        GamesRecord { resource, games: PairResults(pairs.collect()) }
    };
    MatchRecord { spec: spec.clone(), results: spec.resources.iter().map(with).collect() }
}

/// Measures quality unless it is known; whether it was not.
fn measure(
    spec: &QualitySpec,
    run: &StudyRun<'_>,
    makers: &mut Vec<String>,
) -> Result<(QualityResults, bool), StudyError> {
    for study in run.known {
        if let Some(results) = study.qualities.iter().find(|found| found.spec == *spec) {
            add_makers(makers, study);
            (run.step)(spec.positions);
            return Ok((results.clone(), false));
        }
    }
    let failed = |source| match source {
        QualityError::Interrupted => StudyError::Interrupted,
        source => StudyError::Quality { id: spec.id.clone(), source },
    };
    Ok((spec.measure(run.interrupt, &|| (run.step)(1)).map_err(failed)?, true))
}
