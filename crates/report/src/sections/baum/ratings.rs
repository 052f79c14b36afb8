//! All rules against each other in Kalah: ratings by depth, and whether they agree with the exact quality of the rules.

use maud::{Markup, html};
use prodmax_games::player::Player;
use prodmax_games::ratings::{Meeting, Rating, ratings};
use prodmax_output::{Cell, Column, Table};
use prodmax_rules::Rule;

use super::tournament::{Played, Tournament};
use crate::error::ReportError;
use crate::figure::{Figure, Ink, with_minus};
use crate::plot::{Axis, Line, Plot, SIZE, Spread};
use crate::results::ModelResults;
use crate::run::Findings;
use crate::section::Section;
use crate::sections::finding::Finding;
use crate::sections::{rules, steepness};
use crate::words::{and, extremes};

/// The ratings of one depth, in the order of the players.
struct AtDepth {
    depth: usize,
    games: u64,
    ratings: Vec<Rating>,
}

/// All players in the order in which they occur, and their ratings at every depth.
fn all(tournament: &Tournament<'_>) -> (Vec<Player>, Vec<AtDepth>) {
    let mut players: Vec<Player> = Vec::new();
    let mut depths: Vec<(usize, Vec<Meeting>)> = Vec::new();
    for played in &tournament.round {
        let Some(depth) = played.depth() else { continue };
        let number = played.record.spec.players.each_ref().map(|player| {
            players.iter().position(|known| known == player).unwrap_or_else(|| {
                players.push(player.clone());
                players.len() - 1
            })
        });
        let meeting = Meeting { players: number, score: played.score };
        match depths.iter_mut().find(|(known, _)| *known == depth) {
            Some((_, meetings)) => meetings.push(meeting),
            None => depths.push((depth, vec![meeting])),
        }
    }
    let rated = depths.into_iter().filter_map(|(depth, meetings)| {
        let games = meetings.iter().map(|meeting| 2 * meeting.score.pairs).sum();
        Some(AtDepth { depth, games, ratings: ratings(players.len(), &meetings)? })
    });
    let rated = rated.collect();
    (players, rated)
}

/// The rank of every value, the greatest first; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let greater = values.iter().filter(|other| *other > value).count();
        let equal = values.iter().filter(|other| *other == value).count();
        greater as f64 + (equal as f64 + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

/// Spearman's rank correlation; `None` if all values of one list are equal.
fn rank_correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 + 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let scale = (product(&a, &a) * product(&b, &b)).sqrt();
    (scale > 0.0).then(|| product(&a, &b) / scale)
}

/// The exact mean efficiency of the players that have one at a depth, with their numbers.
fn exact(findings: &Findings, players: &[Player], depth: usize) -> Vec<(usize, f64)> {
    let Some(results) = findings.experiment(rules::ALL_RULES) else { return Vec::new() };
    let means = rules::means(results, depth);
    let of = |(number, player): (usize, &Player)| {
        let Player::Rule(rule) = player else { return None };
        let (_, mean, _) = means.iter().find(|(known, ..)| known == rule)?;
        Some((number, *mean))
    };
    players.iter().enumerate().filter_map(of).collect()
}

/// The depth of the searches of the finding: the deepest at which the exact efficiency of all rules is known over c.
const FINDING_DEPTH: usize = 3;

/// The values of c that are listed.
const LISTED: [f64; 8] = [1.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 1024.0];

/// How well the order of the rules in Kalah agrees with that in the trees of the model, over the steepness of the truth.
pub(super) struct Agreement {
    /// c, and the rank correlation of the ratings with the mean efficiency over the roots.
    pub(super) over_truth: Vec<(f64, f64)>,
    /// The rules by rating, best first.
    pub(super) order: Vec<(String, Rating)>,
    pub(super) games: u64,
}

/// The agreement at a depth.
pub(super) fn agreement(findings: &Findings, tournament: &Tournament<'_>, depth: usize) -> Option<Agreement> {
    let (players, depths) = all(tournament);
    let at = depths.iter().find(|at| at.depth == depth)?;
    let results = findings.experiment(steepness::TRUTHS)?;
    let known: Vec<(usize, &Rule)> = players
        .iter()
        .enumerate()
        .filter_map(|(number, player)| match player {
            Player::Rule(rule) => Some((number, rule)),
            _ => None,
        })
        .collect();
    let models: Vec<&ModelResults> = results.of_depth(depth).collect();
    let truths = models.first()?.truths.iter().filter_map(|found| steepness::steepness(&found.truth));
    let correlation = |c: f64| {
        let mean = |rule: &Rule| {
            let at_c = |model: &&ModelResults| {
                let found =
                    model.truths.iter().find(|found| steepness::steepness(&found.truth) == Some(c))?;
                found.efficiency_percent(rule)
            };
            let all: Option<Vec<f64>> = models.iter().map(at_c).collect();
            all.map(|all| all.iter().sum::<f64>() / all.len() as f64)
        };
        let (ratings, means): (Vec<f64>, Vec<f64>) =
            known.iter().filter_map(|(number, rule)| Some((at.ratings[*number].rating, mean(rule)?))).unzip();
        Some((c, rank_correlation(&means, &ratings)?))
    };
    let mut order: Vec<(String, Rating)> =
        players.iter().zip(&at.ratings).map(|(player, rating)| (player.to_string(), *rating)).collect();
    order.sort_by(|a, b| b.1.rating.total_cmp(&a.1.rating));
    Some(Agreement { over_truth: truths.filter_map(correlation).collect(), order, games: at.games })
}

/// Whether the order of the rules in Kalah is that of the model.
pub(super) fn finding(findings: &Findings, tournament: &Tournament<'_>) -> Option<Finding> {
    let Agreement { over_truth, order, games } = agreement(findings, tournament, FINDING_DEPTH)?;
    let at = |c: f64| over_truth.iter().find(|point| point.0 == c).map(|point| point.1);
    let stated = at(4.0)?;
    let (most, best) = *over_truth.last()?;
    let from = over_truth.iter().rev().take_while(|point| point.1 == best).last()?.0;
    let signed = |value: f64| with_minus(&format!("{value:+.2}"));
    let rated: Vec<String> = order
        .iter()
        .map(|(name, Rating { rating, standard_error })| {
            format!("{name} {} ± {standard_error:.0}", with_minus(&format!("{rating:+.0}")))
        })
        .collect();
    let listed = |all: &[(f64, f64)]| {
        let shown = all.iter().filter(|(c, _)| LISTED.contains(c));
        and(&shown.map(|(c, value)| format!("{} at c = {c}", signed(*value))).collect::<Vec<_>>())
    };
    let clear = order.windows(2).filter(|pair| {
        let [a, b] = [pair[0].1, pair[1].1];
        a.rating - b.rating > 2.0 * a.standard_error.hypot(b.standard_error)
    });
    let shallow = agreement(findings, tournament, FINDING_DEPTH - 1);
    Some(Finding {
        sentence: html! {
            "Kalah ranks " (order.len()) " rules unlike the model with the truth w" sub { "4" } " (rank correlation " (signed(stated))
            ") and like the model with a steep one (" (signed(best)) " from c = " (from) " to " (most) "): searches to depth "
            (FINDING_DEPTH) ", every sowing a ply, estimate w" sub { "1" } "."
        },
        holds_for: html! {
            "Ratings from " (games) " games: " (and(&rated)) ". The model: mean efficiency over 16 roots, increments 8,8,8; rank correlation " (listed(&over_truth)) "."
        },
        otherwise: html! {
            "Only " (clear.count()) " of " (order.len() - 1) " steps of Kalah’s order exceed two standard errors, and c is chosen after the fact. "
            @if let Some(shallow) = shallow {
                "At depth " (FINDING_DEPTH - 1) ": " (listed(&shallow.over_truth)) ". "
            }
            "So it is open whether Kalah contradicts the model or has an evaluation that is far better than w" sub { "4" }
            ". What would decide it: Product in Kalah with calibrated probabilities (the evaluation turned into the share of wins measured in other games), against Minimax as in Baum’s tournament."
        },
        command: "prodmax play study --spec specs/study/baum.ron --known golden/play/baum.json".to_owned(),
        more: "baum",
    })
}

/// Adds text, table and figure.
pub(super) fn add(
    section: &mut Section,
    findings: &Findings,
    tournament: &Tournament<'_>,
) -> Result<(), ReportError> {
    let (players, depths) = all(tournament);
    if depths.is_empty() {
        return Ok(());
    }
    section.p(paragraph(findings, tournament, &players, &depths));
    section.table(table(&players, &depths));
    section.figures([figure(&players, &depths)?]);
    Ok(())
}

fn paragraph(
    findings: &Findings,
    tournament: &Tournament<'_>,
    players: &[Player],
    depths: &[AtDepth],
) -> Markup {
    let ply = tournament.round.first().map_or("", Played::ply);
    let best = |at: &AtDepth| {
        let rated = players.iter().zip(&at.ratings);
        let best = rated.max_by(|a, b| a.1.rating.total_cmp(&b.1.rating));
        best.map(|(player, _)| format!("{player} at depth {}", at.depth))
    };
    let best: Vec<String> = depths.iter().filter_map(best).collect();
    // The same rules in synthetic trees, where quality is exact.
    let agreement: Vec<String> = [2, 3]
        .into_iter()
        .filter_map(|depth| {
            let at = depths.iter().find(|at| at.depth == depth)?;
            let exact = exact(findings, players, depth);
            let games: Vec<f64> = exact.iter().map(|(number, _)| at.ratings[*number].rating).collect();
            let exact: Vec<f64> = exact.into_iter().map(|(_, mean)| mean).collect();
            let correlation = rank_correlation(&exact, &games)?;
            Some(with_minus(&format!("{correlation:+.2} at depth {depth} ({} rules)", exact.len())))
        })
        .collect();
    let steep: Vec<String> = [2, 3]
        .into_iter()
        .filter_map(|depth| {
            let (c, value) = *self::agreement(findings, tournament, depth)?.over_truth.last()?;
            Some(with_minus(&format!("{value:+.2} at depth {depth} (c = {c})")))
        })
        .collect();
    html! {
        "Every rule plays every other, " (depths.first().map_or(0, |at| at.games)) " games per depth in all, " (ply) "; \
         ratings are fitted to all results of a depth. The best are " (and(&best)) "."
        @if !agreement.is_empty() {
            " Does the order agree with the exact efficiency of the same rules in the trees of KHS’s model? With the truth w"
            sub { "4" } " the rank correlation is " (and(&agreement)) ", where +1 would be the same order and −1 the reverse"
            @if !steep.is_empty() {
                "; with the steepest truth that was tried it is " (and(&steep))
            }
            "."
        }
    }
}

fn table(players: &[Player], depths: &[AtDepth]) -> Table {
    let row = |(number, player): (usize, &Player)| -> Vec<Cell> {
        let cell = |at: &AtDepth| {
            let Rating { rating, standard_error } = at.ratings[number];
            Cell::with_latex(
                format!("{rating:+.0} ± {standard_error:.0}"),
                format!("${rating:+.0} \\pm {standard_error:.0}$"),
            )
        };
        [player.to_string().into()].into_iter().chain(depths.iter().map(cell)).collect()
    };
    Table {
        id: "baum-ratings".to_owned(),
        title: "Ratings of the rules in Kalah, by depth".to_owned(),
        columns: [Column::left("rule")]
            .into_iter()
            .chain(depths.iter().map(|at| Column::right(format!("depth {}", at.depth))))
            .collect(),
        rows: players.iter().enumerate().map(row).collect(),
        notes: vec![
            "Elo points above the mean of all rules at that depth: 100 points more are expected to score 64 %. ± is one standard \
             error, from those of the matches over starts."
                .to_owned(),
        ],
    }
}

const INKS: [Ink; 6] = [Ink::Minimax, Ink::Product, Ink::Third, Ink::Fourth, Ink::Fifth, Ink::Sixth];

fn figure(players: &[Player], depths: &[AtDepth]) -> Result<Figure, ReportError> {
    let ends = |rating: &Rating| {
        [rating.rating - 2.0 * rating.standard_error, rating.rating + 2.0 * rating.standard_error]
    };
    let (low, high) =
        extremes(depths.iter().flat_map(|at| at.ratings.iter().flat_map(ends))).unwrap_or((0.0, 1.0));
    let (first, last) = extremes(depths.iter().map(|at| at.depth as f64)).unwrap_or((0.0, 1.0));
    let ink = |number: usize| INKS[number % INKS.len()];
    let points = |number: usize| depths.iter().map(move |at| (at.depth as f64, &at.ratings[number]));
    let line = |(number, player): (usize, &Player)| Line {
        name: player.to_string(),
        ink: ink(number),
        dashed: false,
        dots: true,
        points: points(number).map(|(depth, rating)| (depth, rating.rating)).collect(),
    };
    let spread = |number: usize| Spread {
        ink: ink(number),
        filled: false,
        points: points(number)
            .map(|(depth, rating)| {
                let [low, high] = ends(rating);
                (depth, low, high)
            })
            .collect(),
    };
    let plot = Plot {
        x: Axis {
            label: "depth of the search".into(),
            range: first - 0.2..last + 1.2,
            ticks: 8,
            format: |depth| if depth.fract() == 0.0 { format!("{depth:.0}") } else { String::new() },
        },
        y: Axis {
            label: "Elo points above the mean".into(),
            range: (low / 50.0).floor() * 50.0..(high / 50.0).ceil() * 50.0,
            ticks: 7,
            format: |points| format!("{points:+.0}"),
        },
        lines: players.iter().enumerate().map(line).collect(),
        spreads: (0..players.len()).map(spread).collect(),
        labels: Vec::new(),
    };
    let name = "baum-ratings";
    Ok(Figure {
        name,
        alt: "Ratings of the rules in Kalah over the depth of the search".to_owned(),
        caption: html! { "Ratings of the rules in Kalah over the depth of the search, with bars of two standard errors." },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: orders 1 2 3 4 and 1 3 2 4 differ by 1 in two places, so 1 - 6 * 2 / (4 * 15) = 0.8.
    #[test]
    fn rank_correlations() {
        let rising = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(rank_correlation(&rising, &[10.0, 30.0, 20.0, 40.0]), Some(0.8));
        assert_eq!(rank_correlation(&rising, &[4.0, 3.0, 2.0, 1.0]), Some(-1.0));
        assert_eq!(rank_correlation(&rising, &[5.0; 4]), None);
        assert_eq!(ranks(&[7.0, 9.0, 7.0]), [2.5, 1.0, 2.5]);
    }
}
