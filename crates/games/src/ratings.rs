//! Ratings of players who met each other: the logistic model of Elo, fitted to the points of all their matches.
//!
//! A player rated r_i is expected to score 1 / (1 + 10^((r_j - r_i) / 400)) points per game against one rated r_j. The
//! ratings with mean 0 for which every player's expected points equal the points made are the most likely ones. Their
//! standard errors come from those of the matches (the two games of a start are not independent, so games cannot
//! be counted as such): if the points p have the covariance V and the expected points the derivative H, ratings have
//! H^-1 V H^-1.

use crate::play::Score;

/// The rating of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo points above the mean of all players.
    pub rating: f64,
    /// Its standard error.
    pub standard_error: f64,
}

/// A match between two players, by their numbers, and the score of the first.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    /// The first and the second player.
    pub players: [usize; 2],
    /// The score of the first.
    pub score: Score,
}

/// Elo points per unit of the logistic scale.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Newton's method doubles its digits with every step; this many would do even from far away.
const STEPS: usize = 100;

/// The ratings of players 0 to `players` - 1. `None` if a rating would be infinite or is not determined: a player or group
/// that made no points, or all, against the others, or never met them; or if a match has no standard error.
pub fn ratings(players: usize, meetings: &[Meeting]) -> Option<Vec<Rating>> {
    let mut logits = vec![0.0; players];
    let mut converged = false;
    for _ in 0..STEPS {
        let (surplus, information) = at(&logits, meetings);
        let step = solve(information, surplus)?;
        // Far from the solution a full step can overshoot.
        let largest = step.iter().fold(0.0f64, |most, part| most.max(part.abs()));
        let damping = (1.0 / largest).min(1.0);
        for (logit, part) in logits.iter_mut().zip(&step) {
            *logit += damping * part;
        }
        if logits.iter().any(|logit| logit.abs() > 30.0) {
            return None;
        }
        if largest < 1e-12 {
            converged = true;
            break;
        }
    }
    if !converged {
        return None;
    }
    let (_, information) = at(&logits, meetings);
    let mut variances = vec![0.0; players];
    for meeting in meetings {
        // How the ratings move if the first player of this match makes one point more, and the second one less.
        let mut points = vec![0.0; players];
        let [first, second] = meeting.players;
        points[first] += 1.0;
        points[second] -= 1.0;
        let moved = solve(information.clone(), points)?;
        let error = games(&meeting.score) * meeting.score.standard_error?;
        for (variance, part) in variances.iter_mut().zip(moved) {
            *variance += (part * error).powi(2);
        }
    }
    let rating = |(logit, variance): (f64, f64)| Rating {
        rating: SCALE * logit,
        standard_error: SCALE * variance.sqrt(),
    };
    Some(logits.into_iter().zip(variances).map(rating).collect())
}

fn games(score: &Score) -> f64 {
    2.0 * score.pairs as f64
}

/// Points made minus points expected of every player, and how fast the expected ones grow with the ratings. A constant is
/// added to the latter's entries, so that the mean of the ratings, on which nothing else depends, stays 0.
fn at(logits: &[f64], meetings: &[Meeting]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let players = logits.len();
    let mut surplus = vec![0.0; players];
    let mut information = vec![vec![1.0; players]; players];
    for meeting in meetings {
        let [first, second] = meeting.players;
        let expected = 1.0 / (1.0 + (logits[second] - logits[first]).exp());
        let games = games(&meeting.score);
        let more = games * (meeting.score.score - expected);
        surplus[first] += more;
        surplus[second] -= more;
        let weight = games * expected * (1.0 - expected);
        information[first][first] += weight;
        information[second][second] += weight;
        information[first][second] -= weight;
        information[second][first] -= weight;
    }
    (surplus, information)
}

/// Solves a symmetric positive definite system by elimination; `None` if it is singular.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    for column in 0..right.len() {
        let (pivots, value) = (matrix[column].clone(), right[column]);
        if pivots[column].is_nan() || pivots[column] <= 1e-9 {
            return None;
        }
        for (row, (entries, right)) in matrix.iter_mut().zip(&mut right).enumerate() {
            if row == column {
                continue;
            }
            let factor = entries[column] / pivots[column];
            for (entry, pivot) in entries.iter_mut().zip(&pivots) {
                *entry -= factor * pivot;
            }
            *right -= factor * value;
        }
    }
    Some(right.iter().enumerate().map(|(place, value)| value / matrix[place][place]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Outcome;

    /// A score from pairs of results of the first player, who begins the first game of each.
    fn score(pairs: &[[Outcome; 2]]) -> Score {
        Score::of_outcomes(pairs.iter().copied()).unwrap()
    }

    const WON: [Outcome; 2] = [Outcome::First, Outcome::Second];
    const LOST: [Outcome; 2] = [Outcome::Second, Outcome::First];
    const EVEN: [Outcome; 2] = [Outcome::First, Outcome::First];

    #[test]
    fn two_players_differ_by_the_logarithm_of_their_points() {
        // 3 of 4 points: 400 log10(3) apart. The standard error of the score s moves the difference by
        // 400 / ln 10 / (s (1 - s)) times itself, and each rating by half of that.
        let score = score(&[WON, WON, LOST, WON]);
        let found = ratings(2, &[Meeting { players: [0, 1], score }]).unwrap();
        let difference = 400.0 * 3f64.log10();
        assert!((found[0].rating - difference / 2.0).abs() < 1e-9, "{found:?}");
        assert!((found[1].rating + difference / 2.0).abs() < 1e-9);
        let error = SCALE / (0.75 * 0.25) * score.standard_error.unwrap() / 2.0;
        assert!(found.iter().all(|rating| (rating.standard_error - error).abs() < 1e-9));
    }

    #[test]
    fn everybody_makes_the_points_that_are_expected() {
        let meeting = |players, pairs: &[[Outcome; 2]]| Meeting { players, score: score(pairs) };
        let meetings = [
            meeting([0, 1], &[WON, EVEN, EVEN, WON]),
            meeting([1, 2], &[WON, EVEN, LOST, EVEN, WON]),
            meeting([2, 0], &[EVEN, LOST, EVEN]),
            meeting([3, 1], &[EVEN, LOST, WON, WON]),
        ];
        let found = ratings(4, &meetings).unwrap();
        assert!(found.iter().map(|rating| rating.rating).sum::<f64>().abs() < 1e-9);
        for player in 0..4 {
            let (mut made, mut expected) = (0.0, 0.0);
            for meeting in &meetings {
                for (place, points) in [(0, meeting.score.score), (1, 1.0 - meeting.score.score)] {
                    if meeting.players[place] == player {
                        let other = found[meeting.players[1 - place]].rating;
                        let chance = 1.0 / (1.0 + 10f64.powf((other - found[player].rating) / 400.0));
                        made += games(&meeting.score) * points;
                        expected += games(&meeting.score) * chance;
                    }
                }
            }
            assert!((made - expected).abs() < 1e-9, "player {player}: {made} and {expected}");
        }
    }

    #[test]
    fn what_is_not_determined_has_no_ratings() {
        let meeting = |players, pairs: &[[Outcome; 2]]| Meeting { players, score: score(pairs) };
        // Somebody won everything; somebody met nobody; a single pair has no standard error.
        assert_eq!(ratings(2, &[meeting([0, 1], &[WON, WON])]), None);
        assert_eq!(ratings(3, &[meeting([0, 1], &[WON, LOST])]), None);
        assert_eq!(ratings(2, &[meeting([0, 1], &[EVEN])]), None);
    }
}
