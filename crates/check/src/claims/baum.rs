//! What Baum says of his tournament of Kalah and of his theory.

use num_traits::One;
use prodmax_golden::quantity::{Figures, MatchFigure};
use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;
use prodmax_number::margin::with_error;
use prodmax_schruefer::claim::smallest_counterexample;
use prodmax_schruefer::revised::{Revised, both_formulas, value};
use prodmax_schruefer::{
    Basin, ClaimComparison, EvaluationErrors, Fate, Reliability, Schruefer, Setting, Superscripts, World,
};

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
    Claim { name: "baum.e-stronger", decide: e_stronger },
    Claim { name: "baum.reduction", decide: reduction },
    Claim { name: "baum.exact-in-schruefers-model", decide: exact_in_schruefers_model },
    Claim { name: "baum.one-loss-pathological", decide: one_loss },
    Claim { name: "baum.more-losses-converge", decide: more_losses },
];

/// The games of Baum's three matches together.
const GAMES: u64 = 60_000;

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
    Ok(Range::of(&recorded::figure(id, ANY_NUMBER, MatchFigure::DecidedPercent)?.into()))
}

fn shown(share: &Range) -> String {
    format!("{:.1} %", to_f64(&share.middle()))
}

/// Whether a player wins more than half of the decided games.
fn more_than_half(share: Option<Range>) -> Decision {
    share.map_or_else(
        || Decision::new(None, "no decided games"),
        |share| Decision::new(half().is_less(&share), shown(&share)),
    )
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
    Ok(more_than_half(share))
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

/// "The side on move" is read as the side that moves first after the opening, in the decided games of all three matches;
/// 53 % as 52.5 to 53.5 %, by as many games as Baum's.
/// E against the difference of the stores, both with alpha-beta to depth 6.
fn e_stronger(_: &Evidence<'_, '_>) -> Decided {
    Ok(more_than_half(share("e-against-stores-move")?))
}

fn side_on_move(evidence: &Evidence<'_, '_>) -> Decided {
    let ids = ["hints-minimax", "minimax-product", "hints-product"]
        .map(|players| format!("published-{players}-{}", evidence.reading));
    let found = recorded::first_side_percent(&ids, GAMES)?;
    let Some(share) = Range::of(&found.into()) else { return Ok(Decision::new(None, "no decided games")) };
    let [low, high] = [525, 535].map(|tenths| Range::from(tenths).over(10));
    let truth = all([low.is_less(&share), share.is_less(&high)]);
    Ok(Decision::new(truth, format!("{} %", with_error(found.value, found.error()))))
}

/// (3.3) is (2.6) if a hint revises every estimate to one of two values, (2.4) and (2.5): compared in fractions for one, two
/// and three moves, each with a probability and a hint of its own.
fn reduction(_: &Evidence<'_, '_>) -> Decided {
    type Move = (Fraction, Reliability);
    let moves = |probabilities: &[i64], hints: &[i64]| {
        let mut all: Vec<Move> = Vec::new();
        for x in probabilities {
            for won in hints {
                for lost in hints.iter().filter(|lost| won + **lost >= 4) {
                    let hint = Reliability { won: fraction(*won, 4), lost: fraction(*lost, 4) };
                    all.push((fraction(*x, 4), hint));
                }
            }
        }
        all
    };
    let (fine, coarse) = (moves(&[0, 1, 2, 3, 4], &[1, 2, 3, 4]), moves(&[1, 2, 3], &[2, 4]));
    let with_one_more = |nodes: &[Vec<Move>], moves: &[Move]| -> Vec<Vec<Move>> {
        let more = |node: &Vec<Move>| {
            let node = node.clone();
            moves.iter().map(move |one| node.iter().chain([one]).cloned().collect()).collect::<Vec<_>>()
        };
        nodes.iter().flat_map(more).collect()
    };
    let none = [Vec::new()];
    let one = with_one_more(&none, &fine);
    let two = with_one_more(&one, &fine);
    let three = with_one_more(&with_one_more(&with_one_more(&none, &coarse), &coarse), &coarse);
    let nodes = [one, two, three].concat();
    let equal = nodes.iter().filter(|node| {
        let [by_3_3, by_2_6] = both_formulas(node);
        by_3_3 == by_2_6
    });
    let count = equal.count();
    Ok(Decision::new(Some(count == nodes.len()), format!("equal at {count} of {} nodes", nodes.len())))
}

/// (2.6) with the hints (3.5) to (3.8) in Schruefer's model, whose moves are not independent; whether their e+ and e- are
/// those of a move or, as in (3.4), of the position to which it leads.
fn exact_in_schruefers_model(_: &Evidence<'_, '_>) -> Decided {
    let leaves = EvaluationErrors::new(fraction(1, 10), fraction(1, 10));
    let found = [Superscripts::Move, Superscripts::Position].map(|superscripts| {
        smallest_counterexample(World::Schruefer, &leaves, &fraction(1, 2), superscripts)
    });
    let shown = |(setting, row): &(Setting, ClaimComparison)| {
        format!(
            "b = {}, n = {}, searches of height {} and {}: {:.6} by (2.6), {:.6} exactly",
            setting.model.branching,
            setting.model.losses,
            setting.shallow,
            setting.deep,
            to_f64(&row.formula),
            to_f64(&row.exact)
        )
    };
    let [of_move, of_position] = &found;
    let because = match (of_move, of_position) {
        (Some(one), Some(other)) => {
            format!("{}; {:.6} with the errors of positions", shown(one), to_f64(&other.1.formula))
        }
        _ => "no difference up to three moves and height 2".to_owned(),
    };
    Ok(Decision::new(Some(found.iter().any(Option::is_none)), because))
}

/// The greatest branching factor for which the dichotomy is decided.
const MOST_MOVES: u32 = 6;

/// Whether the errors of these models have a fate for certain in a rectangle around 0, and the least such rectangle.
fn all_have_fate(models: impl Iterator<Item = Schruefer>, fate: Fate, says: &str) -> Decision {
    let mut truths = Vec::new();
    let mut shown = Vec::new();
    for model in models {
        let Schruefer { branching: b, losses: n } = model;
        let basin = model.basin();
        truths.push((format!("b = {b}, n = {n}"), basin.as_ref().map(|basin| basin.fate == fate)));
        if let Some(Basin { plus, minus, .. }) = basin.filter(|_| n <= 2) {
            shown.push(format!("{:.3} and {:.3} (b = {b})", to_f64(&plus[0]), to_f64(&minus[0])));
        }
    }
    let Decision { truth, because } = over(&truths, "model");
    Decision::new(truth, format!("{because}; with e+ and e- below {} {says}", shown.join(", ")))
}

/// n = 1: below the bounds e+ grows with every two plies.
fn one_loss(_: &Evidence<'_, '_>) -> Decided {
    let models = (2..=MOST_MOVES).map(|branching| Schruefer { branching, losses: 1 });
    Ok(all_have_fate(models, Fate::Grow, "two plies more make e+ greater"))
}

/// n > 1: below the bounds both errors tend to 0. Shown are those for n = 2.
fn more_losses(_: &Evidence<'_, '_>) -> Decided {
    let models = (2..=MOST_MOVES)
        .flat_map(|branching| (2..=branching).map(move |losses| Schruefer { branching, losses }));
    Ok(all_have_fate(models, Fate::Vanish, "both tend to 0 if n = 2"))
}
