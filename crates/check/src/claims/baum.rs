//! What Baum says of his tournament of Kalah and of his theory.

use num_traits::One;
use prodmax_games::play::Score;
use prodmax_golden::quantity::{Figures, MatchFigure};
use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;
use prodmax_schruefer::claim::smallest_counterexample;
use prodmax_schruefer::revised::{Revised, value};
use prodmax_schruefer::{EvaluationErrors, Schruefer, World};

use super::{Claim, Decision, Evidence, Range, Truth, all, over};
use crate::calculator::QuantityError;
use crate::recorded;

type Decided = Result<Decision, QuantityError>;

/// Sections 1, 3 and 5.
pub(super) const CLAIMS: &[Claim] = &[
    Claim { name: "baum.game-2", decide: game_2 },
    Claim { name: "baum.edge", decide: edge },
    Claim { name: "baum.standard-error", decide: standard_error },
    Claim { name: "baum.five-sigma", decide: five_sigma },
    Claim { name: "baum.edge-for-each-e", decide: edge_for_each_e },
    Claim { name: "baum.product-loses", decide: product_loses },
    Claim { name: "baum.side-on-move", decide: side_on_move },
    Claim { name: "baum.exact-in-schruefers-model", decide: exact_in_schruefers_model },
    Claim { name: "baum.one-loss-pathological", decide: one_loss },
    Claim { name: "baum.more-losses-converge", decide: more_losses },
];

/// So many games that our own games alone decide the standard error.
const ANY_NUMBER: u64 = 1 << 40;

fn fraction(numerator: i64, denominator: i64) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

/// The payoffs of the example: what each of B's replies to each of A's moves is worth to B.
fn payoffs() -> [[Fraction; 2]; 2] {
    [[fraction(1, 2), fraction(1, 2)], [fraction(3, 5), fraction(1, 10)]]
}

/// In game 1 player A prefers move 1, because B's best reply is worth less; in game 2, where B learns the outcomes before
/// replying, B wins with .75 and .64, so A prefers move 2.
fn game_2(_: &Evidence<'_, '_>) -> Decided {
    let uninformed = payoffs().map(|replies| replies.into_iter().max());
    let informed = payoffs().map(|replies| {
        let outcome = |won: Fraction| -> Revised {
            let lost = Fraction::one() - &won;
            vec![(fraction(1, 1), won), (fraction(0, 1), lost)]
        };
        value(&replies.map(outcome))
    });
    let printed = [fraction(75, 100), fraction(64, 100)];
    let truth = uninformed[0] < uninformed[1] && informed == printed && informed[1] < informed[0];
    Ok(Decision::new(Some(truth), format!("{:.2} and {:.2}", to_f64(&informed[0]), to_f64(&informed[1]))))
}

/// The first player's share of the decided games of a recorded match, in percent, with our own error.
fn share(id: &str) -> Result<Option<Range>, QuantityError> {
    Ok(Range::of(&recorded::figure(id, ANY_NUMBER, MatchFigure::DecidedPercent)?))
}

fn shown(share: &Range) -> String {
    format!("{:.1} %", to_f64(&share.middle()))
}

fn half() -> Range {
    Range::from(50)
}

/// Wins, losses and draws as printed: they are those of the entries of any reading.
fn printed(evidence: &Evidence<'_, '_>, players: &str) -> Result<[f64; 3], QuantityError> {
    let count = |figure: &str| -> Result<f64, QuantityError> {
        let printed =
            Evidence { calculator: evidence.calculator, by: Figures::Printed, reading: evidence.reading };
        Ok(to_f64(&printed.figure(&format!("baum.move.{players}.{figure}"))?.middle()))
    };
    Ok([count("wins")?, count("losses")?, count("draws")?])
}

fn edge(evidence: &Evidence<'_, '_>) -> Decided {
    if evidence.by == Figures::Printed {
        let [wins, losses, _] = printed(evidence, "hints-minimax")?;
        return Ok(Decision::new(Some(wins > losses), format!("{:.2} %", 100.0 * wins / (wins + losses))));
    }
    let share = share(&format!("published-hints-minimax-{}", evidence.reading))?;
    Ok(share.map_or_else(
        || Decision::new(None, "no decided games"),
        |share| Decision::new(half().is_less(&share), shown(&share)),
    ))
}

/// The binomial standard error of the share of the decided games, printed as .03 %.
fn standard_error(evidence: &Evidence<'_, '_>) -> Decided {
    let [wins, losses, _] = printed(evidence, "hints-minimax")?;
    let decided = wins + losses;
    let error = 100.0 * (wins * losses / decided.powi(3)).sqrt();
    Ok(Decision::new(Some((0.025..0.035).contains(&error)), format!("{error:.2} %")))
}

fn five_sigma(evidence: &Evidence<'_, '_>) -> Decided {
    let [wins, losses, _] = printed(evidence, "hints-minimax")?;
    let deviation = (wins - losses) / (wins + losses).sqrt();
    Ok(Decision::new(Some(deviation > 5.0), format!("{deviation:.2} standard errors")))
}

/// Formula 2.6 is ahead of Minimax for each E, and most for .9.
fn edge_for_each_e(evidence: &Evidence<'_, '_>) -> Decided {
    let reading = evidence.reading;
    let ids = [
        ("E = .8", format!("tuning-4/5-{reading}")),
        ("E = .85", format!("tuning-17/20-{reading}")),
        ("E = .9", format!("published-hints-minimax-{reading}")),
        ("E = .95", format!("tuning-19/20-{reading}")),
    ];
    let shares = ids.iter().map(|(name, id)| Ok(share(id)?.map(|share| (*name, share))));
    let Some(shares) = shares.collect::<Result<Option<Vec<_>>, QuantityError>>()? else {
        return Ok(Decision::new(None, "no decided games"));
    };
    let ahead = shares.iter().map(|(_, share)| half().is_less(share));
    let (_, best) = &shares[2];
    let others = shares.iter().filter(|(name, _)| *name != "E = .9");
    let most = others.map(|(_, share)| share.is_less(best));
    let because: Vec<String> =
        shares.iter().map(|(name, share)| format!("{name} {}", shown(share))).collect();
    Ok(Decision::new(all(ahead.chain(most)), because.join(", ")))
}

/// Product loses to Minimax and to formula 2.6.
fn product_loses(evidence: &Evidence<'_, '_>) -> Decided {
    let against = |players: &'static str| {
        let share = match evidence.by {
            Figures::Printed => {
                let [wins, losses, _] = printed(evidence, players)?;
                Range::sampled(100.0 * wins / (wins + losses), 0.0)
            }
            Figures::Ours => share(&format!("published-{players}-{}", evidence.reading))?,
        };
        let truth = share.as_ref().and_then(|share| half().is_less(share));
        Ok((share.as_ref().map_or_else(String::new, shown), truth))
    };
    let matches = ["minimax-product", "hints-product"].map(against);
    let matches = matches.into_iter().collect::<Result<Vec<(String, Truth)>, QuantityError>>()?;
    let because: Vec<&str> = matches.iter().map(|(share, _)| share.as_str()).collect();
    Ok(Decision::new(all(matches.iter().map(|(_, truth)| *truth)), because.join(" and ")))
}

/// "The side on move" is read as the side that moves first after the opening, in all games of the tournament; 53 % as 52.5
/// to 53.5 % of the decided games.
fn side_on_move(evidence: &Evidence<'_, '_>) -> Decided {
    let study = recorded::study().map_err(recorded::RecordedError::from)?;
    let (mut first, mut decided) = (0, 0);
    for players in ["hints-minimax", "minimax-product", "hints-product"] {
        let id = format!("published-{players}-{}", evidence.reading);
        let record = study.find_match(&id).ok_or(recorded::RecordedError::NoMatch(id))?;
        let pairs = record.results.iter().flat_map(|games| games.games.0.iter().copied());
        if let Some(score) = Score::of_outcomes(pairs) {
            first += score.won_by_first_side;
            decided += score.wins + score.losses;
        }
    }
    let (first, decided) = (first as f64, decided as f64);
    let error = 100.0 * (first * (decided - first) / decided.powi(3)).sqrt();
    let Some(share) = Range::sampled(100.0 * first / decided, error) else {
        return Ok(Decision::new(None, "no decided games"));
    };
    let [low, high] = [525, 535].map(|tenths| Range::from(tenths).over(10));
    let truth = all([low.is_less(&share), share.is_less(&high)]);
    Ok(Decision::new(truth, format!("{} ± {error:.1} %", shown(&share))))
}

/// (2.6) in Schruefer's model, whose moves are not independent.
fn exact_in_schruefers_model(_: &Evidence<'_, '_>) -> Decided {
    let leaves = EvaluationErrors::new(fraction(1, 10), fraction(1, 10));
    let found = smallest_counterexample(World::Schruefer, &leaves, &fraction(1, 2));
    let because = found.as_ref().map_or_else(
        || "no difference up to three moves and height 2".to_owned(),
        |(setting, row)| {
            format!(
                "b = {}, n = {}, searches of height {} and {}: {} by (2.6), {} exactly",
                setting.model.branching,
                setting.model.losses,
                setting.shallow,
                setting.deep,
                row.formula,
                row.exact
            )
        },
    );
    Ok(Decision::new(Some(found.is_none()), because))
}

/// The greatest branching factor for which the dichotomy is checked.
const MOST_MOVES: u32 = 6;

/// n = 1: where errors are small, two plies multiply e+ by b: e-' = 1 - (1 - e+)^b and e+'' = e-' (1 - e+')^(b-1). Errors
/// that are not 0 cannot converge to 0, because near 0 they grow; shown from e+ = e- = 10^-6 for b = 2 to 6.
fn one_loss(_: &Evidence<'_, '_>) -> Decided {
    let small = fraction(1, 1_000_000);
    let grows = |branching| {
        let model = Schruefer { branching, losses: 1 };
        let leaves = EvaluationErrors::new(small.clone(), small.clone());
        let above = model.at_height(&leaves, 2);
        // More than (2b - 1)/2 of e+, so by a factor greater than 1.
        let factor = to_f64(&(&above.plus / &leaves.plus));
        (format!("b = {branching}"), Some(above.plus > leaves.plus && above.minus > leaves.minus), factor)
    };
    let found: Vec<_> = (2..=MOST_MOVES).map(grows).collect();
    let factors: Vec<String> = found.iter().map(|(_, _, factor)| format!("{factor:.2}")).collect();
    let truths: Vec<_> = found.into_iter().map(|(name, truth, _)| (name, truth)).collect();
    let Decision { truth, because } = over(&truths, "branching factor");
    Ok(Decision::new(truth, format!("{because}; two plies multiply a small e+ by {}", factors.join(" "))))
}

/// n > 1: e-' <= b e+ and e+' <= (e-)^n, so two plies take e+ to at most (b e+)^n and e- to at most b (e-)^n. Both fall, the
/// faster the smaller they are, where b^n (e+)^(n-1) < 1 and b (e-)^(n-1) < 1: a basin of convergence. It is checked in
/// fractions just inside that corner, for b = 2 to 6 and n = 2 to b.
fn more_losses(_: &Evidence<'_, '_>) -> Decided {
    let models =
        (2..=MOST_MOVES).flat_map(|branching| (2..=branching).map(move |losses| (branching, losses)));
    let converges = |(branching, losses): (u32, u32)| {
        // b^(-n/(n-1)) >= b^-2 and b^(-1/(n-1)) >= 1/b: inside the basin for every n.
        let b = i64::from(branching);
        let leaves = EvaluationErrors::new(fraction(9, 10 * b * b), fraction(9, 10 * b));
        let model = Schruefer { branching, losses };
        let above = model.at_height(&leaves, 2);
        let falls = above.plus < leaves.plus && above.minus < leaves.minus;
        (format!("b = {branching}, n = {losses}"), Some(falls))
    };
    Ok(over(&models.map(converges).collect::<Vec<_>>(), "model"))
}
