//! A confidence interval that stays valid however often it is checked, so that a match may be stopped as soon as it is
//! decided.
//!
//! The usual interval is made for a number of starts that was fixed beforehand: whoever looks at it after every start
//! and stops when it excludes 1/2 sees a winner far too often among equal players. This one comes from betting. Starts
//! are independent, so the scores of their pairs x_1, x_2, … (0, 1/4, 1/2, 3/4 or 1) have the same mean m, whatever
//! came before. A bettor who owns 1 and always puts the fraction c of the fortune on "more than m" owns
//! Π (1 - c + c x_i/m) after n pairs. That is a fair game, so by Ville's inequality the fortune *ever* reaches K with
//! probability at most 1/K. The best fraction is not known beforehand, so the first unit is divided evenly among
//! several; a second bettor bets on "less than m", with 1 - x_i and 1 - m. A mean at which one of the two has 40 is
//! excluded: with probability at least 95 % the true one never is.

/// The fractions of the fortune that are bet.
const FRACTIONS: [f64; 7] =
    [1.0 / 2.0, 1.0 / 4.0, 1.0 / 8.0, 1.0 / 16.0, 1.0 / 32.0, 1.0 / 64.0, 1.0 / 128.0];

/// The fortune that excludes a mean: 2 / (1 - 95 %), as there are two bettors.
const ENOUGH: f64 = 40.0;

/// Halvings of the unit interval: beyond the precision of doubles.
const HALVINGS: usize = 60;

/// The numbers of pairs with 0, 1, 2, 3 and 4 half points.
pub type HalfPoints = [u64; 5];

/// The fortune of a bettor on "more than `mean`", as a logarithm; `mean` lies strictly between 0 and 1. It falls as the
/// mean grows.
fn log_fortune(pairs: &HalfPoints, mean: f64) -> f64 {
    let with = |fraction: f64| -> f64 {
        let one = |(half_points, &count): (usize, &u64)| {
            let score = half_points as f64 / 4.0;
            count as f64 * (1.0 - fraction + fraction * score / mean).ln()
        };
        pairs.iter().enumerate().map(one).sum()
    };
    let each = FRACTIONS.map(with);
    let most = each.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = each.iter().map(|log| (log - most).exp()).sum();
    most + (sum / FRACTIONS.len() as f64).ln()
}

/// The least mean that is not excluded.
fn lower(pairs: &HalfPoints) -> f64 {
    if pairs[1..].iter().all(|&count| count == 0) {
        return 0.0;
    }
    let (mut excluded, mut kept) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle: f64 = (excluded + kept) / 2.0;
        if log_fortune(pairs, middle) >= ENOUGH.ln() {
            excluded = middle;
        } else {
            kept = middle;
        }
    }
    excluded
}

/// The scores of the other player.
fn reversed(mut pairs: HalfPoints) -> HalfPoints {
    pairs.reverse();
    pairs
}

/// The 95 % interval of the score per game, by how many pairs had how many half points.
///
/// ```
/// use prodmax_games::play::any_time::interval;
/// // Nothing is known before the first pair; four pairs that one player wins twice settle nothing, fifteen do.
/// assert_eq!(interval(&[0; 5]), [0.0, 1.0]);
/// assert!(interval(&[0, 0, 0, 0, 4])[0] < 0.5 && interval(&[0, 0, 0, 0, 15])[0] > 0.5);
/// ```
pub fn interval(pairs: &HalfPoints) -> [f64; 2] {
    [lower(pairs), 1.0 - lower(&reversed(*pairs))]
}

/// Whether an even score is excluded.
pub fn is_decided(pairs: &HalfPoints) -> bool {
    log_fortune(pairs, 0.5).max(log_fortune(&reversed(*pairs), 0.5)) >= ENOUGH.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fortune(pairs: &HalfPoints, mean: f64) -> f64 {
        log_fortune(pairs, mean).exp()
    }

    #[test]
    fn fortunes_by_hand() {
        // A pair won twice against a mean of 1/2 multiplies each stake by 1 + c: on average by 1 + 127/128/7.
        assert!((fortune(&[0, 0, 0, 0, 1], 0.5) - (1.0 + 127.0 / 896.0)).abs() < 1e-12);
        assert!((fortune(&[1, 0, 0, 0, 0], 0.5) - (1.0 - 127.0 / 896.0)).abs() < 1e-12);
        // An even pair changes nothing, and neither does no pair.
        assert!((fortune(&[0, 0, 9, 0, 0], 0.5) - 1.0).abs() < 1e-12);
        assert!((fortune(&[0; 5], 0.3) - 1.0).abs() < 1e-12);
    }

    /// Whatever the law of a pair with this mean, the expected fortune after three pairs is 1: the bets are fair.
    #[test]
    fn the_game_is_fair() {
        for (law, mean) in [
            ([0.5, 0.0, 0.0, 0.0, 0.5], 0.5),
            ([0.1, 0.2, 0.4, 0.2, 0.1], 0.5),
            ([0.6, 0.1, 0.1, 0.1, 0.1], 0.25),
        ] {
            let mut expected = 0.0;
            for [a, b, c] in (0..125).map(|number| [number % 5, number / 5 % 5, number / 25]) {
                let mut pairs = [0; 5];
                [a, b, c].iter().for_each(|&half_points| pairs[half_points] += 1);
                expected += law[a] * law[b] * law[c] * fortune(&pairs, mean);
            }
            assert!((expected - 1.0).abs() < 1e-12, "{expected}");
        }
    }

    /// Between equal players who win both games or lose both, the chance that a match of 400 starts is ever decided,
    /// exactly, by the number of pairs won: below the 5 % that are promised, where looking at 1.96 standard errors would
    /// decide more than a third of all matches.
    #[test]
    fn equal_players_are_rarely_declared_different() {
        let decided_at = |rule: &dyn Fn(usize, usize) -> bool| {
            let (mut running, mut decided) = (vec![1.0], 0.0);
            for n in 1..=400 {
                let mut next = vec![0.0; n + 1];
                for (won, chance) in running.into_iter().enumerate() {
                    next[won] += chance / 2.0;
                    next[won + 1] += chance / 2.0;
                }
                for (_, chance) in next.iter_mut().enumerate().filter(|(won, _)| rule(*won, n)) {
                    decided += std::mem::take(chance);
                }
                running = next;
            }
            decided
        };
        let ours = decided_at(&|won, n| is_decided(&[(n - won) as u64, 0, 0, 0, won as u64]));
        let usual = decided_at(&|won, n| {
            let share = won as f64 / n as f64;
            n > 1 && (share - 0.5).abs() > 1.96 * (share * (1.0 - share) / (n - 1) as f64).sqrt()
        });
        assert!(ours < 0.05 && usual > 1.0 / 3.0, "{ours} {usual}");
    }

    #[test]
    fn intervals_contain_the_score_and_mirror_each_other() {
        for pairs in [[3, 0, 5, 1, 9], [0, 0, 0, 0, 30], [1, 1, 1, 1, 1], [300, 20, 400, 30, 500]] {
            let count: u64 = pairs.iter().sum();
            let points: u64 = pairs.iter().zip(0..).map(|(count, half_points)| count * half_points).sum();
            let score = points as f64 / (4 * count) as f64;
            let [low, high] = interval(&pairs);
            assert!(0.0 <= low && low < score && score <= high && high <= 1.0, "{low} {score} {high}");
            let [other_low, other_high] = interval(&reversed(pairs));
            assert!((low - (1.0 - other_high)).abs() < 1e-12 && (high - (1.0 - other_low)).abs() < 1e-12);
            assert_eq!(is_decided(&pairs), !(low..=high).contains(&0.5));
        }
        // More pairs alike make it narrower.
        let width = |times: u64| {
            let [low, high] = interval(&[3 * times, 0, 5 * times, times, 4 * times]);
            high - low
        };
        assert!(width(10) < width(1) && width(100) < width(10) / 2.0);
    }
}
