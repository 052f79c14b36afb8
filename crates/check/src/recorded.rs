//! Baum's matches, by recorded games: what as many games as the paper's would be expected to give.
//!
//! Both samples are of pairs of games from random starts, with both colours. If one pair adds a figure of mean m and
//! variance v, n pairs of ours estimate m with variance v/n, and N pairs of the paper give N m with variance N v. So the
//! published figure differs from N times our mean with the variance N v (1 + N/n).

use prodmax_games::Outcome;
use prodmax_games::position::Side;
use prodmax_games::study::{StudyError, StudyResults};
use prodmax_golden::quantity::MatchFigure;
use prodmax_number::Approximate;
use thiserror::Error;

/// The record of `make record-kalah`.
const RECORDED: &str = prodmax_data::text("golden/play/baum.json");

/// Why a recorded match gives no figure.
#[derive(Debug, Error)]
pub enum RecordedError {
    /// The record cannot be read.
    #[error("golden/play/baum.json {0}")]
    Record(#[from] Box<StudyError>),
    /// No such match.
    #[error("golden/play/baum.json has no match `{0}`; its ids are those of specs/study/baum.ron")]
    NoMatch(String),
    /// Moves are not recorded.
    #[error("golden/play/baum.json has results only, so the figure cannot be `moves`")]
    Moves,
}

/// The recorded study of Kalah.
pub fn study() -> Result<StudyResults, Box<StudyError>> {
    StudyResults::read(RECORDED).map_err(Box::new)
}

/// The figure for `games` games, with the standard error of the difference between them and ours.
pub(crate) fn figure(id: &str, games: u64, figure: MatchFigure) -> Result<Approximate, RecordedError> {
    let study = study()?;
    let found = study.find_match(id).ok_or_else(|| RecordedError::NoMatch(id.to_owned()))?;
    let pairs: Vec<[f64; 3]> = found.results.iter().flat_map(|record| &record.games.0).map(counts).collect();
    expected(&pairs, games, figure)
}

/// Games of a pair that the first player won, lost and drew.
fn counts(pair: &[Outcome; 2]) -> [f64; 3] {
    let mut counts = [0.0; 3];
    for (outcome, side) in pair.iter().zip(Side::BOTH) {
        counts[match outcome.half_points(side) {
            2 => 0,
            0 => 1,
            _ => 2,
        }] += 1.0;
    }
    counts
}

fn expected(pairs: &[[f64; 3]], games: u64, figure: MatchFigure) -> Result<Approximate, RecordedError> {
    let (ours, published) = (pairs.len() as f64, games as f64 / 2.0);
    let of_pair: fn(&[f64; 3]) -> f64 = match figure {
        MatchFigure::Wins => |[wins, _, _]| *wins,
        MatchFigure::Losses => |[_, losses, _]| *losses,
        MatchFigure::Draws => |[_, _, draws]| *draws,
        MatchFigure::Lead => |[wins, losses, _]| wins - losses,
        MatchFigure::DecidedPercent => return Ok(decided_percent(&[pairs], games)),
        MatchFigure::Moves => return Err(RecordedError::Moves),
    };
    let (mean, variance) = mean_and_variance(pairs, of_pair);
    let error = (variance * published * (1.0 + published / ours)).sqrt();
    Ok(Approximate::sampled(published * mean, error))
}

/// The mean over pairs of games, and the variance of a single pair.
fn mean_and_variance(pairs: &[[f64; 3]], of_pair: impl Fn(&[f64; 3]) -> f64) -> (f64, f64) {
    let count = pairs.len() as f64;
    let mean = pairs.iter().map(&of_pair).sum::<f64>() / count;
    (mean, pairs.iter().map(|pair| (of_pair(pair) - mean).powi(2)).sum::<f64>() / (count - 1.0))
}

/// The share of wins among the decided games of several matches of equally many published games, `games` in all. It is a
/// quotient of sums: what a pair adds to it is its surplus over the share of its decided games.
fn decided_percent(matches: &[&[[f64; 3]]], games: u64) -> Approximate {
    let published = games as f64 / 2.0 / matches.len() as f64;
    let wins = |[wins, ..]: &[f64; 3]| *wins;
    let decided = |[wins, losses, _]: &[f64; 3]| wins + losses;
    let sum = |of: &dyn Fn(&[f64; 3]) -> f64| -> f64 {
        matches.iter().map(|pairs| mean_and_variance(pairs, of).0).sum()
    };
    let of_all = sum(&decided);
    let share = sum(&wins) / of_all;
    let variance = |pairs: &&[[f64; 3]]| {
        let surplus = |pair: &[f64; 3]| wins(pair) - share * decided(pair);
        mean_and_variance(pairs, surplus).1 * (1.0 / published + 1.0 / pairs.len() as f64)
    };
    let error = matches.iter().map(variance).sum::<f64>().sqrt() / of_all;
    Approximate::sampled(100.0 * share, 100.0 * error)
}

/// The share of the decided games of these matches that the side which moves first wins, for `games` games of all of them.
pub(crate) fn first_side_percent(ids: &[String], games: u64) -> Result<Approximate, RecordedError> {
    let study = study()?;
    let mut matches = Vec::new();
    for id in ids {
        let found = study.find_match(id).ok_or_else(|| RecordedError::NoMatch(id.clone()))?;
        let pairs = found.results.iter().flat_map(|record| &record.games.0);
        matches.push(pairs.map(counts_by_side).collect::<Vec<_>>());
    }
    Ok(decided_percent(&matches.iter().map(Vec::as_slice).collect::<Vec<_>>(), games))
}

/// Games of a pair that the side which moves first won, lost and drew.
fn counts_by_side(pair: &[Outcome; 2]) -> [f64; 3] {
    let mut counts = [0.0; 3];
    for outcome in pair {
        counts[match outcome.winner() {
            Some(Side::First) => 0,
            Some(Side::Second) => 1,
            None => 2,
        }] += 1.0;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[[f64; 3]], games: u64, which: MatchFigure) -> (f64, f64) {
        let expected = expected(pairs, games, which).unwrap();
        (expected.value, expected.error())
    }

    /// Worked out by hand: four pairs with 2, 1, 1 and 0 wins.
    #[test]
    fn four_pairs() {
        let pairs = [[2.0, 0.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 2.0, 0.0]];
        // Mean 1, squared deviations 1 + 0 + 0 + 1 = 2, variance 2/3. Six pairs: 2/3 * 6 * (1 + 6/4) = 10.
        let (wins, error) = of(&pairs, 12, MatchFigure::Wins);
        assert!(wins == 6.0 && (error - 10f64.sqrt()).abs() < 1e-12);
        // Leads 2, 1, 0, -2: mean 1/4.
        assert_eq!(of(&pairs, 12, MatchFigure::Lead).0, 1.5);
        assert_eq!(of(&pairs, 12, MatchFigure::Draws).0, 1.5);
        // 4 of 7 decided games. Surpluses 6/7, 3/7, -1/7, -8/7: squares 110/49, variance 110/147, decided per pair 7/4,
        // so 110/147 * 16/49 * (1/6 + 1/4).
        let (share, error) = of(&pairs, 12, MatchFigure::DecidedPercent);
        assert!((share - 400.0 / 7.0).abs() < 1e-12);
        let variance = 110.0 / 147.0 * 16.0 / 49.0 * (1.0 / 6.0 + 1.0 / 4.0);
        assert!((error - 100.0 * f64::sqrt(variance)).abs() < 1e-12);
    }

    #[test]
    fn outcomes_are_counted_for_the_first_player() {
        assert_eq!(counts(&[Outcome::First, Outcome::First]), [1.0, 1.0, 0.0]);
        assert_eq!(counts(&[Outcome::Draw, Outcome::Second]), [1.0, 0.0, 1.0]);
        assert_eq!(counts_by_side(&[Outcome::First, Outcome::First]), [2.0, 0.0, 0.0]);
        assert_eq!(counts_by_side(&[Outcome::Draw, Outcome::Second]), [0.0, 1.0, 1.0]);
    }

    /// By hand: a match with 3 of 4 games won, one with 1 of 2, each pair as many as the other: 5 wins of 8 games. The
    /// surpluses are 3/4 and -1/4, variance 1/2, and -1/4 for the only kind of pair in the second match.
    #[test]
    fn matches_of_different_size_count_alike() {
        let (long, short) = ([[2.0, 0.0, 0.0], [1.0, 1.0, 0.0]], [[1.0, 1.0, 0.0]; 3]);
        let found = decided_percent(&[&long, &short], 12);
        let (value, error) = (found.value, found.error());
        assert!((value - 62.5).abs() < 1e-12, "{value}");
        // 1/2 (1/3 + 1/2) / 4^2.
        assert!((error - 100.0 * (5.0f64 / 12.0 / 16.0).sqrt()).abs() < 1e-9, "{error}");
    }

    #[test]
    fn what_is_not_recorded_is_refused() {
        let message = |id, which| figure(id, 2, which).unwrap_err().to_string();
        assert_eq!(
            message("chess", MatchFigure::Wins),
            "golden/play/baum.json has no match `chess`; its ids are those of specs/study/baum.ron"
        );
        assert_eq!(
            message("published-minimax-product-move", MatchFigure::Moves),
            "golden/play/baum.json has results only, so the figure cannot be `moves`"
        );
    }
}
