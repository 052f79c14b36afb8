//! What LGB say about eqs (1) to (8): two values (section 2) and siblings that differ by 1 (section 4).

use prodmax_golden::quantity::Figures;
use prodmax_number::Approximate;
use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;
use prodmax_pathology::formulas::{Plies, Section4Row, enclosed_errors, losses_below, section4};

use super::{Claim, DEEPEST, Decided, Decision, Evidence, Range, Truth, all, counted, known, not};

/// Sections 2 and 4.
pub(super) const CLAIMS: &[Claim] = &[
    Claim { name: "lgb.two-values-converge", decide: two_values_converge },
    Claim { name: "lgb.terminations-5-percent", decide: |e| terminations(e, 5) },
    Claim { name: "lgb.terminations-20-percent", decide: |e| terminations(e, 20) },
    Claim { name: "lgb.variance-falls", decide: variance_falls },
    Claim { name: "lgb.bias-positive", decide: bias_positive },
    Claim { name: "lgb.bias-from-lowest-ply", decide: bias_from_lowest_ply },
    Claim { name: "lgb.difference1-beneficial", decide: difference_1 },
    Claim { name: "lgb.only-max", decide: only_max },
];

/// The model of section 4 as in its figures: the true values of siblings differ by 1, and sigma_e is 1.
fn rows(plies: Plies) -> Vec<Section4Row> {
    // Its arguments are those of the paper's figures, which are in range.
    section4(1.0, DEEPEST, plies).unwrap_or_default()
}

/// Steps from each depth to the next, decided by one figure.
fn over_steps(rows: &[Section4Row], of: impl Fn(&Section4Row) -> Option<Approximate>) -> Vec<Truth> {
    let ranges: Vec<Range> = rows.iter().filter_map(|row| known(of(row)?)).collect();
    ranges.windows(2).map(|pair| pair[1].is_less(&pair[0])).collect()
}

fn ours_only(decision: impl FnOnce() -> Decision, evidence: &Evidence<'_, '_>) -> Decided {
    Ok(match evidence.by {
        Figures::Ours => decision(),
        Figures::Printed => Decision::new(None, "the paper draws curves and prints no figures"),
    })
}

fn variance_falls(evidence: &Evidence<'_, '_>) -> Decided {
    ours_only(
        || {
            let rows = rows(Plies::Alternating);
            let steps = over_steps(&rows, |row| Some(row.variance));
            let shown: Vec<String> = rows.iter().map(|row| format!("{:.3}", row.variance.value)).collect();
            Decision::new(all(steps), format!("variance at plies 0 to 10: {}", shown.join(" ")))
        },
        evidence,
    )
}

fn shown_bias(rows: &[Section4Row]) -> String {
    // A bias of nothing has no sign.
    let shown: Vec<String> = rows.iter().map(|row| format!("{:.3}", row.bias.value + 0.0)).collect();
    format!("bias at plies 1 to 10: {}", shown[1..].join(" "))
}

fn bias_positive(evidence: &Evidence<'_, '_>) -> Decided {
    ours_only(
        || {
            let rows = rows(Plies::Alternating);
            let positive = rows[1..].iter().map(|row| known(row.bias).and_then(|bias| bias.is_positive()));
            Decision::new(all(positive), shown_bias(&rows))
        },
        evidence,
    )
}

/// "Most of it is accrued at the lowest ply": after one ply it is more than half of that after ten.
fn bias_from_lowest_ply(evidence: &Evidence<'_, '_>) -> Decided {
    ours_only(
        || {
            let rows = rows(Plies::Alternating);
            let ends = rows.get(1).zip(rows.last());
            let biases = ends.and_then(|(first, last)| known(first.bias).zip(known(last.bias)));
            let truth = biases.and_then(|(first, last)| last.is_less(&first.times(2)));
            Decision::new(truth, shown_bias(&rows))
        },
        evidence,
    )
}

fn difference_1(evidence: &Evidence<'_, '_>) -> Decided {
    ours_only(
        || {
            let rows = rows(Plies::Alternating);
            let (moves, positions) =
                (over_steps(&rows, |row| row.move_error), over_steps(&rows, |row| Some(row.position_error)));
            let because =
                format!("move error falls at {}, position error at {}", counted(&moves), counted(&positions));
            Decision::new(all(moves.into_iter().chain(positions)), because)
        },
        evidence,
    )
}

/// With MAX plies only: the move error falls, the position error rises from depth 3 on.
fn only_max(evidence: &Evidence<'_, '_>) -> Decided {
    ours_only(
        || {
            let rows = rows(Plies::OnlyMax);
            let moves = over_steps(&rows, |row| row.move_error);
            let positions = over_steps(&rows, |row| Some(row.position_error));
            let rising: Vec<Truth> = positions.iter().skip(3).map(|&truth| not(truth)).collect();
            let falling = positions.iter().take(3).copied();
            let because = format!(
                "move error falls at {}, position error rises at {} from d = 3 on",
                counted(&moves),
                counted(&rising)
            );
            Decision::new(all(moves.iter().copied().chain(falling).chain(rising.iter().copied())), because)
        },
        evidence,
    )
}

/// Eqs (1) to (3) with b = 2, p_0 = q_0 = 1/10 and an even game at the root: the error comes closer to 1/2 with every ply of
/// depth, to less than a thousandth at d = 20. Every number lies in a certain interval.
fn two_values_converge(evidence: &Evidence<'_, '_>) -> Decided {
    const BITS: u32 = 256;
    const PLIES: usize = 20;
    let fraction = |denominator: i64| Fraction::new(1.into(), denominator.into());
    let error = |d: usize| -> Option<Range> {
        let losses = losses_below(2, &fraction(2), d, BITS).ok()?;
        let plies = enclosed_errors(2, &losses, &fraction(10), &fraction(10)).ok()?;
        let error = plies.last()?.error();
        Some(Range::from([error.low(), error.high()]))
    };
    let decided = || {
        let errors = (0..=PLIES).map(error).collect::<Option<Vec<Range>>>();
        let Some(errors) = errors else { return Decision::new(None, "the intervals are too wide") };
        let half = Range::from(1).over(2);
        let rising = errors.windows(2).map(|pair| pair[0].is_less(&pair[1]));
        let last = &errors[PLIES];
        let close = [last.is_less(&half), half.minus(last).times(1000).is_less(&Range::from(1))];
        let shown = [0, 5, 10, 15, PLIES].map(|d| format!("{:.4}", to_f64(&errors[d].middle())));
        let because = format!("errors at d = 0, 5, 10, 15, 20: {}", shown.join(" "));
        Decision::new(all(rising.chain(close)), because)
    };
    ours_only(decided, evidence)
}

/// Early terminations, b = 2, with as many losses at every ply: k = (1 - k)^2, so k = (3 - √5)/2. Where errors are small, a
/// lost node, whose children are both won, is evaluated wrongly with p' = 2 q; a won node, of whose children just one is
/// lost with 2 k (1 - k)/(1 - k) = 2 k, with q' = 2 k p. So two plies multiply an error by 4 k. If a share t of all nodes
/// ends the game and is evaluated rightly, small errors do not grow just if 4 k (1 - t)^2 <= 1.
fn terminations(evidence: &Evidence<'_, '_>, percent: i64) -> Decided {
    ours_only(
        || {
            // In integers, with u = 100 - percent: 2 (3 - √5) u^2 <= 100^2, so 6 u^2 - 100^2 <= 2 √5 u^2, both sides
            // squared if the left one is positive.
            let u = i128::from(100 - percent);
            let left = 6 * u * u - 10_000;
            let stable = left <= 0 || left * left <= 20 * u.pow(4);
            let factor = 2.0 * (1.0 - percent as f64 / 100.0).powi(2) * (3.0 - 5f64.sqrt());
            Decision::new(Some(stable), format!("two plies multiply a small error by {factor:.4}"))
        },
        evidence,
    )
}

#[cfg(test)]
mod tests {
    /// Eqs (2) and (3) ply by ply, where a share of the nodes ends the game and is evaluated rightly, from errors of 10^-6.
    #[test]
    fn small_errors_grow_with_5_percent_of_terminations_and_not_with_20() {
        let losses: f64 = (3.0 - 5f64.sqrt()) / 2.0;
        let wins = 1.0 - losses;
        let after = |share: f64, plies: usize| {
            let (mut false_wins, mut false_losses): (f64, f64) = (1e-6, 1e-6);
            for _ in 0..plies {
                let right = wins * (1.0 - false_losses);
                let seen = losses * false_wins + right;
                let below = (1.0 - (1.0 - false_losses).powi(2), (seen * seen - right * right) / wins);
                (false_wins, false_losses) = ((1.0 - share) * below.0, (1.0 - share) * below.1);
            }
            (false_wins, false_losses)
        };
        // The factor of the claim, by two plies.
        for (share, factor) in [(0.05, 1.3789), (0.2, 0.9778)] {
            let (before, later) = (after(share, 10), after(share, 12));
            assert!((later.0 / before.0 - factor).abs() < 1e-3 && (later.1 / before.1 - factor).abs() < 1e-3);
        }
        let greater = |(one, other): (f64, f64)| one.max(other);
        assert!(greater(after(0.05, 200)) > 0.8 && greater(after(0.2, 200)) < 2e-7);
    }
}
