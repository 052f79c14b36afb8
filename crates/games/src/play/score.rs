//! Wins, losses, draws, and how certain a score is.

use serde::Serialize;

use super::any_time::{self, HalfPoints};
use super::log::PairOfGames;
use crate::position::{Outcome, Side};

/// The result of a match for its first player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Score {
    /// Pairs of games.
    pub pairs: u64,
    /// Games that the first player won.
    pub wins: u64,
    /// Games that the second player won.
    pub losses: u64,
    /// Drawn games.
    pub draws: u64,
    /// Points per game: (wins + draws/2) / games.
    pub score: f64,
    /// Its standard error over pairs: the two games of a start are not independent. `None` with fewer than two pairs.
    pub standard_error: Option<f64>,
    /// Pairs in which the first player won both games.
    pub pairs_won: u64,
    /// Pairs in which the second player won both games.
    pub pairs_lost: u64,
    /// Games won by the side that moved first.
    pub won_by_first_side: u64,
    /// Pairs by the half points of the first player: 0 to 4.
    #[serde(skip)]
    pub by_half_points: HalfPoints,
}

/// 95 % of a normal distribution lies within this many standard deviations.
const Z_95: f64 = 1.959_963_984_540_054;

impl Score {
    /// Counts the games of some pairs; `None` if there are no pairs.
    pub fn of<'a>(pairs: impl IntoIterator<Item = &'a PairOfGames>) -> Option<Self> {
        Self::of_outcomes(pairs.into_iter().map(PairOfGames::outcomes))
    }

    /// Counts pairs of outcomes; the first player begins the first game of each. `None` if there are none.
    pub fn of_outcomes(pairs: impl IntoIterator<Item = [Outcome; 2]>) -> Option<Self> {
        let (mut wins, mut losses, mut draws, mut count) = (0, 0, 0, 0u64);
        let (mut by_half_points, mut won_by_first_side) = ([0u64; 5], 0);
        // A pair has 0 to 4 half points, so the sums of these and of their squares are exact.
        let (mut sum, mut squares) = (0u64, 0u64);
        for pair in pairs {
            count += 1;
            let mut of_pair = 0usize;
            for (outcome, side) in pair.into_iter().zip(Side::BOTH) {
                let half_points = outcome.half_points(side);
                of_pair += usize::from(half_points);
                match half_points {
                    2 => wins += 1,
                    1 => draws += 1,
                    _ => losses += 1,
                }
                won_by_first_side += u64::from(outcome.winner() == Some(Side::First));
            }
            by_half_points[of_pair] += 1;
            sum += of_pair as u64;
            squares += (of_pair * of_pair) as u64;
        }
        if count == 0 {
            return None;
        }
        let n = count as f64;
        let mean = sum as f64 / n;
        let variance = (squares as f64 / n - mean * mean).max(0.0) * n / (n - 1.0);
        let standard_error = (count > 1).then(|| (variance / n).sqrt() / 4.0);
        let score = mean / 4.0;
        Some(Self {
            pairs: count,
            wins,
            losses,
            draws,
            score,
            standard_error,
            pairs_won: by_half_points[4],
            pairs_lost: by_half_points[0],
            won_by_first_side,
            by_half_points,
        })
    }

    /// The 95 % confidence interval of the score by the normal approximation, if the number of starts was fixed beforehand.
    pub fn interval(&self) -> Option<[f64; 2]> {
        let error = self.standard_error?;
        Some([(self.score - Z_95 * error).max(0.0), (self.score + Z_95 * error).min(1.0)])
    }

    /// A 95 % confidence interval that stays valid however often it is checked, and whenever the match is stopped.
    pub fn any_time_interval(&self) -> [f64; 2] {
        any_time::interval(&self.by_half_points)
    }

    /// The first player's share of the decided games; `None` if all were drawn.
    pub fn decided_share(&self) -> Option<f64> {
        let decided = self.wins + self.losses;
        (decided > 0).then(|| self.wins as f64 / decided as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::log::GameRecord;
    use super::*;
    use crate::game::MoveList;
    use crate::player::Resource;

    fn pair(a: Outcome, b: Outcome) -> PairOfGames {
        let game = |outcome| GameRecord { moves: MoveList::default(), outcome };
        let opening = MoveList::default();
        PairOfGames { resource: Resource::Depth(1), start: 0, opening, games: [game(a), game(b)] }
    }

    #[test]
    fn a_score_worked_out_by_hand() {
        // The first player moves first in the first game of a pair and second in the other.
        let pairs = [
            pair(Outcome::First, Outcome::Second),
            pair(Outcome::First, Outcome::First),
            pair(Outcome::Draw, Outcome::Second),
            pair(Outcome::Second, Outcome::First),
        ];
        let score = Score::of(&pairs).unwrap();
        assert_eq!((score.pairs, score.wins, score.losses, score.draws), (4, 4, 3, 1));
        // Half points 4, 2, 3, 0: mean 9/4, squared deviations 49/16 + 1/16 + 9/16 + 81/16 = 140/16 = 35/4.
        assert_eq!(score.score, 9.0 / 16.0);
        let variance: f64 = 35.0 / 4.0 / 3.0;
        assert!((score.standard_error.unwrap() - (variance / 4.0).sqrt() / 4.0).abs() < 1e-15);
        assert_eq!((score.pairs_won, score.pairs_lost, score.won_by_first_side), (1, 1, 4));
        assert_eq!(score.by_half_points, [1, 0, 1, 1, 1]);
        assert_eq!(score.decided_share(), Some(4.0 / 7.0));
        assert_eq!(Score::of(&pairs[..1]).unwrap().interval(), None);
        assert_eq!(Score::of(&[]), None);
    }
}
