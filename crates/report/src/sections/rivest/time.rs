//! The match by processor time: published, and ours, which cannot be repeated exactly.

use maud::{Markup, html};
use prodmax_check::matches::{PublishedMatch, PublishedResource, counted};
use prodmax_games::play::Score;
use prodmax_games::player::Resource;
use prodmax_games::study::{MatchRecord, StudyResults};
use prodmax_golden::quantity::MatchFigure;
use prodmax_golden::{Published, Verdict};
use prodmax_number::Approximate;
use prodmax_output::{Cell, Column, Table};

use super::{MatchReading, totals};
use crate::words::{and, out_of};

/// The recorded match of a reading by time, if it was played.
fn record<'a>(study: &'a StudyResults, reading: &MatchReading) -> Option<&'a MatchRecord> {
    let by_time = |resource: &Resource| matches!(resource, Resource::Milliseconds(_));
    reading.matches(study).find(|record| record.spec.resources.iter().all(by_time))
}

/// The score with the bound of a number, or with all.
fn score(record: &MatchRecord, number: Option<usize>) -> Option<Score> {
    let wanted = |&(index, _): &(usize, _)| number.is_none_or(|number| number == index);
    let games = record.results.iter().enumerate().filter(wanted).map(|(_, games)| games);
    Score::of_outcomes(games.flat_map(|games| games.games.0.iter().copied()))
}

/// Wins of the approximation, of alpha-beta, and ties.
fn counts(score: &Score) -> [u64; 3] {
    [score.wins, score.losses, score.draws]
}

fn lead([wins, losses, _]: [u64; 3]) -> i64 {
    wins as i64 - losses as i64
}

/// Our lead with its standard error, and how the published one compares with it.
fn verdict(published: [u64; 3], ours: &Score) -> (Approximate, Verdict) {
    let value = counted(ours, MatchFigure::Lead);
    let printed = Published::from(format!("{:+}", lead(published)).as_str());
    let verdict = Verdict::of(&printed, &value.into(), true);
    (value, verdict)
}

/// The published bounds in their order, then all together.
fn published_rows(published: &[PublishedMatch]) -> Vec<(Option<usize>, String, [u64; 3])> {
    let rows = published.iter().filter(|row| row.resource == PublishedResource::Seconds).enumerate();
    let bounds = rows.map(|(index, row)| {
        (Some(index), format!("{} s", row.bound), [row.approximation, row.alpha_beta, row.ties])
    });
    bounds.chain([(None, "all".to_owned(), totals(published, PublishedResource::Seconds))]).collect()
}

/// Who is ahead by time.
pub(super) fn paragraph(
    readings: &[MatchReading],
    published: &[PublishedMatch],
    study: &StudyResults,
) -> Markup {
    let [by_calls, by_time] = [PublishedResource::Calls, PublishedResource::Seconds]
        .map(|resource| lead(totals(published, resource)));
    let ours: Vec<(&MatchReading, &MatchRecord, i64)> = readings
        .iter()
        .filter_map(|reading| {
            let record = record(study, reading)?;
            Some((reading, record, lead(counts(&score(record, None)?))))
        })
        .collect();
    let who = |lead: i64| match lead.signum() {
        1 => format!("the approximation by {lead} games"),
        -1 => format!("alpha-beta by {} games", -lead),
        _ => "neither player".to_owned(),
    };
    let words: Vec<String> =
        ours.iter().map(|(reading, _, lead)| format!("{} with {}", who(*lead), reading.name())).collect();
    let agree = ours.iter().filter(|(_, _, lead)| lead.signum() == by_time.signum()).count();
    let bounds: Vec<String> = ours
        .first()
        .into_iter()
        .flat_map(|(_, record, _)| record.spec.resources.iter().map(ToString::to_string))
        .collect();
    html! {
        "With equal processor time the published match went "
        @if by_calls.signum() == by_time.signum() { "the same way" } @else { "the other way" }
        ". The leader was " (who(by_time)) "."
        @if !ours.is_empty() {
            " Ours was played with " (and(&bounds)) " of the searching thread’s processor time per move. Over all \
             bounds, the leader is "
            (and(&words)) ": the published leader in " (out_of(agree, ours.len())) " readings. The penalty search keeps its tree and \
             computes means and logarithms along a path, which takes time but no calls. These games depend on the machine and cannot \
             be repeated exactly, so they are shown here but not checked."
        }
    }
}

/// The match by time: published, and ours in every reading that was played.
pub(super) fn table(readings: &[MatchReading], published: &[PublishedMatch], study: &StudyResults) -> Table {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut push = |bound: String, name: String, counts: [u64; 3], rest: [Cell; 2]| {
        let mut row: Vec<Cell> = vec![bound.into(), name.into()];
        row.extend(counts.map(Cell::from));
        row.push(format!("{:+}", lead(counts)).into());
        row.extend(rest);
        rows.push(row);
    };
    for (number, bound, theirs) in published_rows(published) {
        push(bound, "published".to_owned(), theirs, ["".into(), "".into()]);
        for reading in readings {
            let Some(record) = record(study, reading) else { continue };
            let resource = number.map_or(Some("all".to_owned()), |number| {
                record.spec.resources.get(number).map(ToString::to_string)
            });
            let Some((resource, ours)) = resource.zip(score(record, number)) else { continue };
            let (value, verdict) = verdict(theirs, &ours);
            let error = format!("{:.1}", value.error());
            push(resource, reading.name(), counts(&ours), [error.into(), verdict.into()]);
        }
    }
    Table {
        id: "rivest-time".to_owned(),
        title: "Min/max approximation against alpha-beta in Connect-Four, by processor time per move: games won"
            .to_owned(),
        columns: vec![
            Column::right("time"),
            Column::left(""),
            Column::right("approximation"),
            Column::right("alpha-beta"),
            Column::right("ties"),
            Column::right("lead"),
            Column::right("s.e."),
            Column::left("verdict"),
        ],
        rows,
        notes: vec![
            "The machine of the paper and ours are decades apart, so bounds are paired in order, the first with the \
             first. lead: games won by the approximation minus games won by alpha-beta; s.e.: its standard error if \
             games were independent; verdict: the published lead beside ours, within-error if they are at most two \
             standard errors apart, sign-only if only the leader is the same."
                .to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use prodmax_games::Outcome;

    use super::*;

    #[test]
    fn leads_and_verdicts_worked_out_by_hand() {
        // 15 starts won twice, 25 lost twice, 10 drawn twice: 30 won, 50 lost, 20 drawn.
        let pairs = [(15, Outcome::First, Outcome::Second), (25, Outcome::Second, Outcome::First)];
        let decided = pairs.into_iter().flat_map(|(times, one, other)| vec![[one, other]; times]);
        let ours = Score::of_outcomes(decided.chain(vec![[Outcome::Draw; 2]; 10])).unwrap();
        assert_eq!((counts(&ours), lead(counts(&ours))), ([30, 50, 20], -20));
        // 30 + 50 - 20 * 20 / 100 = 76, and twice its root is 17.4.
        let of = |published| verdict(published, &ours);
        assert_eq!(of([32, 50, 16]), (Approximate::sampled(-20.0, 76f64.sqrt()), Verdict::WithinError));
        assert_eq!(of([48, 50, 0]).1, Verdict::SignOnly);
        assert_eq!(of([50, 48, 0]).1, Verdict::Differs);
    }
}
