//! The match by processor time: published, and ours, which no one can repeat exactly.

use maud::{Markup, html};
use prodmax_check::matches::{PublishedMatch, PublishedResource};
use prodmax_games::player::Resource;
use prodmax_games::study::{MatchRecord, StudyResults};
use prodmax_output::{Cell, Column, Table};

use super::{READINGS, Reading, totals};
use crate::words::{and, out_of};

/// The recorded match of a reading, if it was played.
fn record(study: &StudyResults, reading: Reading) -> Option<&MatchRecord> {
    study.find_match(&format!("time-{}-{}", reading.evaluator, reading.scheme))
}

/// Wins of the approximation, of alpha-beta, and ties with the bound of a number, or with all.
fn counts(record: &MatchRecord, number: Option<usize>) -> [u64; 3] {
    let wanted = |&(index, _): &(usize, _)| number.is_none_or(|number| number == index);
    let scores =
        record.results.iter().enumerate().filter(wanted).filter_map(|(_, games)| games.games.score());
    scores.fold([0; 3], |[wins, losses, draws], score| {
        [wins + score.wins, losses + score.losses, draws + score.draws]
    })
}

fn lead([wins, losses, _]: [u64; 3]) -> i64 {
    wins as i64 - losses as i64
}

/// The standard error of a lead if games were independent: a game adds 1, 0 or -1.
fn lead_error(counts: [u64; 3]) -> f64 {
    let ([wins, losses, draws], lead) = (counts.map(|count| count as f64), lead(counts) as f64);
    (wins + losses - lead * lead / (wins + losses + draws)).max(0.0).sqrt()
}

/// Whether the published leader is ahead in ours, and whether more than chance.
fn verdict(published: [u64; 3], ours: [u64; 3]) -> &'static str {
    let same = lead(published).signum() == lead(ours).signum();
    if lead(ours) == 0 {
        return "even";
    }
    let clear = lead(ours).unsigned_abs() as f64 > 2.0 * lead_error(ours);
    match (same, clear) {
        (true, true) => "same leader",
        (true, false) => "same leader, within two s.e. of even",
        (false, true) => "other leader",
        (false, false) => "other leader, within two s.e. of even",
    }
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
pub(super) fn told(published: &[PublishedMatch], study: &StudyResults) -> Markup {
    let all = totals(published, PublishedResource::Seconds);
    let ours: Vec<(Reading, &MatchRecord)> =
        READINGS.into_iter().filter_map(|reading| Some((reading, record(study, reading)?))).collect();
    let who = |lead: i64| match lead.signum() {
        1 => format!("the approximation by {lead} games"),
        -1 => format!("alpha-beta by {} games", -lead),
        _ => "nobody".to_owned(),
    };
    let words: Vec<String> = ours
        .iter()
        .map(|(reading, record)| format!("{} with {}", who(lead(counts(record, None))), reading.name()))
        .collect();
    let agree =
        ours.iter().filter(|(_, record)| lead(counts(record, None)).signum() == lead(all).signum()).count();
    let bounds: Vec<String> = ours
        .first()
        .map(|(_, record)| record.spec.resources.iter().copied())
        .into_iter()
        .flatten()
        .map(|resource: Resource| resource.to_string())
        .collect();
    html! {
        "With equal processor time the published match went the other way: ahead was " (who(lead(all))) "."
        @if !ours.is_empty() {
            " Ours was played with " (and(&bounds)) " of the searching thread’s processor time per move, about the time that \
             the penalty search takes for as many thousands of calls. Over all bounds ahead is " (and(&words)) ": the published \
             leader in " (out_of(agree, ours.len())) " readings. A call of alpha-beta is much cheaper than one of the penalty \
             search, which keeps its tree and computes means and logarithms along a path. These games depend on the machine and cannot be repeated exactly, so they are shown here and checked nowhere."
        }
    }
}

/// The match by time: published, and ours in every reading that was played.
pub(super) fn table(published: &[PublishedMatch], study: &StudyResults) -> Table {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut push = |bound: String, name: String, counts: [u64; 3], error: String, verdict: &str| {
        let mut row: Vec<Cell> = vec![bound.into(), name.into()];
        row.extend(counts.map(Cell::from));
        row.extend([format!("{:+}", lead(counts)).into(), error.into(), verdict.into()]);
        rows.push(row);
    };
    for (number, bound, theirs) in published_rows(published) {
        push(bound, "published".to_owned(), theirs, String::new(), "");
        for reading in READINGS {
            let Some(record) = record(study, reading) else { continue };
            let resource = number.map_or(Some("all".to_owned()), |number| {
                record.spec.resources.get(number).map(ToString::to_string)
            });
            let Some(resource) = resource else { continue };
            let ours = counts(record, number);
            push(resource, reading.name(), ours, format!("{:.1}", lead_error(ours)), verdict(theirs, ours));
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
            "The machine of the paper and ours are decades apart, so bounds stand beside each other in their order, the first by \
             the first. lead: games won by the approximation minus games won by alpha-beta; s.e.: its standard error if games \
             were independent; verdict: whether our leader is the published one."
                .to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_and_verdicts_worked_out_by_hand() {
        // 30 + 50 - 20 * 20 / 100.
        assert_eq!((lead([30, 50, 20]), lead_error([30, 50, 20])), (-20, 76f64.sqrt()));
        assert_eq!(verdict([1, 2, 0], [30, 50, 20]), "same leader");
        assert_eq!(verdict([2, 1, 0], [30, 50, 20]), "other leader");
        assert_eq!(verdict([1, 2, 0], [39, 41, 20]), "same leader, within two s.e. of even");
        assert_eq!(verdict([1, 2, 0], [41, 39, 20]), "other leader, within two s.e. of even");
        assert_eq!(verdict([1, 2, 0], [40, 40, 20]), "even");
    }
}
