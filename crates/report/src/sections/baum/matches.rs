//! The results of the Kalah matches, in sentences.

use maud::{Markup, html};
use prodmax_golden::quantity::MatchFigure;
use prodmax_number::margin::with_error;

use super::tournament::{Played, READINGS, Tournament};
use crate::run::{Comparison, Findings};
use crate::words::{and, extremes, out_of};

/// The depth at which Chi and Nau compared the rules.
const CHI_AND_NAU: usize = 2;

/// Which published results are confirmed.
pub(super) fn outcome(findings: &Findings, tournament: &Tournament<'_>) -> Markup {
    let sign = |value: f64| if value > 0.0 { 1 } else { -i32::from(value < 0.0) };
    let mut same = Vec::new();
    let mut other = Vec::new();
    for (played, _) in &tournament.published {
        let Some(lead) = played.entry(findings, MatchFigure::Lead) else { continue };
        let Some((published, ours)) = lead.published_f64().zip(lead.ours_f64()) else { continue };
        let [first, second] = played.names();
        let share = 100.0 * played.score.decided_share().unwrap_or(f64::NAN);
        let phrase =
            format!("{first} against {second}, {} ({share:.1} % of the decided games)", played.reading());
        if sign(published) == sign(ours) { &mut same } else { &mut other }.push(phrase);
    }
    let counts: Vec<&Comparison> = findings
        .published("baum")
        .filter(|comparison| comparison.entry.published.number().is_some())
        .collect();
    let agreeing = counts.iter().filter(|comparison| comparison.ours.verdict.is_reproduced()).count();
    html! {
        b {
            @if other.is_empty() { "Every published winner wins here, too." }
            @else if same.is_empty() { "No published winner wins here." }
            @else { "Not every published winner wins here." }
        }
        @if !same.is_empty() { " The same rule wins more games: " (and(&same)) "." }
        @if !other.is_empty() { " The other rule wins more games: " (and(&other)) "." }
        " Of the published numbers, " (out_of(agreeing, counts.len())) " lie within two standard errors of ours."
    }
}

/// The shares of the decided games over some matches, least and greatest, in percent.
fn range<'a>(played: impl IntoIterator<Item = &'a Played<'a>>) -> Option<(f64, f64)> {
    let shares = played.into_iter().filter_map(|played| played.score.decided_share());
    extremes(shares.map(|share| 100.0 * share))
}

/// Different values in the order in which they occur.
fn distinct<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// Whether the published gap between Minimax and Product is one of arithmetic.
pub(super) fn precision(findings: &Findings, tournament: &Tournament<'_>) -> Markup {
    let pairs = tournament.pairs();
    let Some(pair) = pairs.iter().find(|pair| pair.iter().any(|played| played.is_single())) else {
        return html! {};
    };
    let shares = |single: bool, limited: bool| {
        let some =
            pair.iter().filter(|played| (played.is_single(), played.is_limited()) == (single, limited));
        let share = |played: &&&Played<'_>| {
            Some(format!("{:.1} % ({})", 100.0 * played.score.decided_share()?, played.ply()))
        };
        and(&some.filter_map(|played| share(&played)).collect::<Vec<_>>())
    };
    let printed = |figure| pair.first()?.entry(findings, figure)?.published_f64();
    let published = printed(MatchFigure::Wins).zip(printed(MatchFigure::Losses));
    let leads =
        || pair.iter().filter_map(|played| Some((played, played.entry(findings, MatchFigure::Lead)?)));
    let agreeing: Vec<String> = leads()
        .filter(|(_, lead)| lead.ours.verdict.is_reproduced())
        .map(|(played, _)| played.reading())
        .collect();
    html! {
        "Products of many probabilities vanish in single precision, and then moves seem equally lost. "
        @if let Some((wins, losses)) = published {
            "Minimax is said to have won " (format!("{:.1}", 100.0 * wins / (wins + losses))) " % of the decided games against \
             Product. "
        }
        "In double precision it wins " (shares(false, true)) "; in single precision " (shares(true, true)) "; and if E is not \
         limited to 0..1 either, " (shares(true, false)) ". "
        @if agreeing.is_empty() { "The published lead lies within two standard errors of none of these readings." }
        @else { "The published lead lies within two standard errors of ours with " (and(&agreeing)) "." }
    }
}

/// Other hints and other numbers of stones.
pub(super) fn open_choices(tournament: &Tournament<'_>) -> Markup {
    let between = |(low, high): (f64, f64)| format!("{low:.1} to {high:.1} %");
    let by_ply = READINGS.iter().filter_map(|reading| {
        let of_ply = tournament.tuning.iter().filter(|played| played.record.spec.ply == reading.ply);
        Some((reading.name, range(of_ply)?))
    });
    let by_ply: Vec<(&str, (f64, f64))> = by_ply.collect();
    let tuned: Vec<String> =
        by_ply.iter().map(|(name, range)| format!("{} with {name}", between(*range))).collect();
    let hints = distinct(tournament.tuning.iter().map(|played| played.names()[0].clone()));
    let opponents = distinct(tournament.tuning.iter().map(|played| played.names()[1].clone()));
    let stones = distinct(tournament.stones.iter().filter_map(Played::stones));
    let usual = tournament.published.first().and_then(|(played, _)| played.stones());
    // By the players, in the order in which they meet.
    let with_stones = distinct(tournament.stones.iter().map(Played::names)).into_iter().filter_map(|names| {
        let range = range(tournament.stones.iter().filter(|played| played.names() == names))?;
        Some((names, range))
    });
    let with_stones: Vec<([String; 2], (f64, f64))> = with_stones.collect();
    let phrases: Vec<String> = with_stones
        .iter()
        .map(|([first, second], range)| format!("{first} gets {} against {second}", between(*range)))
        .collect();
    // An edge over the opponent of the hints, for any choice.
    let against = |names: &[String; 2]| opponents.contains(&names[1]);
    let with_stones = with_stones.iter().filter(|(names, _)| against(names)).map(|(_, range)| *range);
    let edge = by_ply.iter().map(|(_, range)| *range).chain(with_stones).any(|(_, high)| high > 50.0);
    html! {
        "Baum reports an edge over Minimax for every value of E that was tried. Here the other values, " (and(&hints)) ", get "
        (and(&tuned)) " of the decided games against " (and(&opponents)) ". "
        @if let Some(usual) = usual {
            "With " (and(&stones)) " stones instead of " (usual) ", " (and(&phrases)) "."
        }
        @if !edge { " No choice that was tried gives an edge over " (and(&opponents)) "." }
    }
}

/// Chi and Nau's claim.
pub(super) fn fewer_holes(tournament: &Tournament<'_>) -> Markup {
    let claimed = tournament.holes.iter().filter(|played| played.depth() == Some(CHI_AND_NAU));
    let at_claimed: Vec<String> = claimed
        .filter_map(|played| {
            let (share, error) = (100.0 * played.score.score, 100.0 * played.score.standard_error?);
            Some(format!("{} % with {} stones", with_error(share, error), played.stones()?))
        })
        .collect();
    let holes = distinct(tournament.holes.iter().filter_map(Played::board).map(|(holes, _)| holes));
    let deeper = super::tables::by_depth(tournament);
    let ahead: Vec<String> = deeper
        .iter()
        .flat_map(|(_, depths)| depths)
        .filter(|(_, share, error)| share - 0.5 > 2.0 * error)
        .map(|(depth, ..)| depth.to_string())
        .collect();
    html! {
        "Chi and Nau found Product better than Minimax in Kalah with " (and(&holes)) " holes; Baum attributes that to \
         their depth of " (CHI_AND_NAU) ". At that depth Product scores " (and(&at_claimed)) "."
        @if let Some((stones, depths)) = deeper {
            " With " (stones) " stones it scores more than half against Minimax by more than two standard errors at "
            @if ahead.is_empty() { "no depth" } @else { "depth " (and(&ahead)) }
            " of " (depths.iter().map(|(depth, ..)| depth.to_string()).collect::<Vec<_>>().join(", ")) "."
        }
    }
}
