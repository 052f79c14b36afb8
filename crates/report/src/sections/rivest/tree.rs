//! One search tree as a drawing, and how deep the searches look.

use maud::{Markup, html};
use prodmax_games::board::BestMoves;
use prodmax_games::connect4::solver::Solver;
use prodmax_games::connect4::{Connect4, Evaluator};
use prodmax_games::game::{GameError, MoveList, play_all};
use prodmax_games::penalty::{Penalty, PenaltySearch, Scheme};
use prodmax_games::quality::{QualityError, QualitySpec};
use prodmax_games::search::deepening::deepen;
use prodmax_games::study::StudyResults;
use prodmax_games::{Move, Position};
use prodmax_output::DrawError;

use super::beyond::measured_over_calls;
use super::figures::{self, Words};
use crate::error::ReportError;
use crate::figure::{Figure, Ink, one, text};
use crate::section::Section;

/// The position that is drawn (columns from 0 on), and the calls.
const MOVES: [Move; 5] = [3, 4, 3, 3, 4];
const CALLS: u64 = 600;
/// Positions over which depths are averaged, and the calls.
const SAMPLE: u64 = 20;
const SAMPLE_CALLS: u64 = 1000;
/// The exponent of the matches.
const P: f64 = 10.0;

/// The drawing.
const WIDTH: f64 = 960.0;
const LEFT: f64 = 44.0;
const TOP: f64 = 30.0;
const LEVEL: f64 = 34.0;

type Connect4Search = PenaltySearch<Connect4>;

fn search(position: &Connect4, scheme: Scheme, calls: u64) -> Connect4Search {
    let mut search = PenaltySearch::new(Penalty { p: P, scheme }, position, calls);
    search.run();
    search
}

/// Where every node lies: tips side by side, parents over the middle of their children.
fn places(search: &Connect4Search) -> Vec<(f64, usize)> {
    let nodes = search.nodes();
    let mut places = vec![(0.0, 0); nodes.len()];
    for number in 1..nodes.len() {
        places[number].1 = places[nodes[number].parent as usize].1 + 1;
    }
    // Tips from left to right, by a walk that keeps its own stack.
    let (mut stack, mut tips) = (vec![0usize], 0u32);
    while let Some(number) = stack.pop() {
        let node = &nodes[number];
        if node.children == 0 {
            places[number].0 = f64::from(tips);
            tips += 1;
        }
        let first = node.first_child as usize;
        stack.extend((first..first + usize::from(node.children)).rev());
    }
    // Children are made after their parents.
    for number in (0..nodes.len()).rev() {
        let node = &nodes[number];
        if node.children > 0 {
            let (first, last) =
                (node.first_child as usize, node.first_child as usize + usize::from(node.children) - 1);
            places[number].0 = (places[first].0 + places[last].0) / 2.0;
        }
    }
    let scale = (WIDTH - LEFT - 12.0) / f64::from(tips.max(2) - 1);
    places.iter_mut().for_each(|(x, _)| *x = LEFT + *x * scale);
    places
}

/// The principal variation: best play by both sides, from the root on.
fn principal(search: &Connect4Search) -> Vec<usize> {
    let nodes = search.nodes();
    let (max, mut line) = (nodes[0].position.side(), vec![0]);
    let mut at = 0usize;
    while nodes[at].children > 0 {
        let sign = if nodes[at].position.side() == max { 1.0 } else { -1.0 };
        let first = nodes[at].first_child as usize;
        let children = first..first + usize::from(nodes[at].children);
        let better = |best: usize, next: usize| {
            if sign * nodes[next].value > sign * nodes[best].value { next } else { best }
        };
        at = children.reduce(better).unwrap_or(first);
        line.push(at);
    }
    line
}

fn y(depth: usize) -> f64 {
    TOP + LEVEL * depth as f64
}

fn edge(from: (f64, usize), to: (f64, usize), ink: Ink, width: &str) -> Markup {
    let (y1, y2) = (y(from.1), y(to.1));
    let middle = (y1 + y2) / 2.0;
    let path = format!(
        "M{} {}C{} {} {} {} {} {}",
        one(from.0),
        one(y1),
        one(from.0),
        one(middle),
        one(to.0),
        one(middle),
        one(to.0),
        one(y2)
    );
    html! { path d=(path) fill="none" stroke=(ink.css()) stroke-width=(width) {} "\n" }
}

/// The board in a corner.
fn board(position: &Connect4, left: f64, top: f64) -> Markup {
    let text = position.to_string();
    let discs = text.lines().take(position.rows()).enumerate().flat_map(|(row, line)| {
        line.split(' ')
            .enumerate()
            .map(move |(column, disc)| (row, column, disc.to_owned()))
            .collect::<Vec<_>>()
    });
    html! {
        @for (row, column, disc) in discs {
            @let (fill, stroke) = match disc.as_str() {
                "x" => (Ink::Text, Ink::Text),
                "o" => (Ink::Card, Ink::Text),
                _ => (Ink::Card, Ink::Rule),
            };
            circle cx=(one(left + 14.0 * column as f64)) cy=(one(top + 14.0 * row as f64)) r="5.5" fill=(fill.css())
                stroke=(stroke.css()) {}
        }
        "\n"
    }
}

fn draw(search: &Connect4Search, uniform: usize) -> (Markup, u32) {
    let (nodes, places, line) = (search.nodes(), places(search), principal(search));
    let deepest = places.iter().map(|place| place.1).max().unwrap_or(0);
    let max = nodes[0].position.side();
    let below = |number: usize| (places[nodes[number].parent as usize], places[number]);
    let mover = |number: usize| {
        if nodes[nodes[number].parent as usize].position.side() == max { Ink::Third } else { Ink::Sixth }
    };
    let height = y(deepest) + 24.0;
    let body = html! {
        @for depth in (0..=deepest).step_by(2) {
            (text(LEFT - 14.0, y(depth) + 4.0, 13, "end", Ink::Faint, &depth.to_string()))
        }
        line x1=(one(LEFT - 6.0)) y1=(one(y(uniform))) x2=(one(WIDTH)) y2=(one(y(uniform))) stroke=(Ink::Minimax.css())
            stroke-width="1.5" stroke-dasharray="6 5" {}
        "\n"
        @for number in 1..nodes.len() {
            @let (from, to) = below(number);
            (edge(from, to, mover(number), "0.8"))
        }
        @for &number in line.iter().skip(1) {
            @let (from, to) = below(number);
            (edge(from, to, Ink::Text, "2.6"))
        }
        @for (node, place) in nodes.iter().zip(&places).filter(|(node, _)| node.position.outcome().is_some()) {
            @let winner = node.position.outcome().and_then(prodmax_games::Outcome::winner);
            @let ink = winner.map_or(Ink::Faint, |side| if side == max { Ink::Third } else { Ink::Sixth });
            circle cx=(one(place.0)) cy=(one(y(place.1))) r="3.2" fill=(ink.css()) {}
        }
        "\n"
        // In the free corner, above the board: next to the line it would lie over the tree.
        line x1=(one(LEFT + 6.0)) y1=(one(height - 128.0)) x2=(one(LEFT + 34.0)) y2=(one(height - 128.0))
            stroke=(Ink::Minimax.css()) stroke-width="1.5" stroke-dasharray="6 5" {}
        (text(LEFT + 42.0, height - 123.5, 13, "start", Ink::Minimax, "alpha-beta looks this deep everywhere"))
        (board(&nodes[0].position, LEFT + 12.0, height - 100.0))
    };
    (body, height.ceil() as u32)
}

fn figure() -> Result<Figure, GameError> {
    let start = Connect4::start(7, 6, Evaluator::Lines)?;
    let position = play_all(start, &MoveList(MOVES.to_vec()))?;
    let found = search(&position, Scheme::Means, CALLS);
    let uniform = deepen(&position, CALLS).map_or(0, |found| found.depth);
    let by_depth = found.by_depth();
    let deepest = by_depth.len() - 1;
    let deeper: u64 = by_depth.iter().skip(uniform + 1).sum();
    let over = found.nodes().iter().filter(|node| node.position.outcome().is_some()).count();
    let line = principal(&found).len() - 1;
    let (body, height) = draw(&found, uniform);
    Ok(Figure {
        name: "rivest-tree",
        alt: format!(
            "The tree that the penalty search has grown after {} calls, its tips side by side: a few narrow bundles of lines reach \
             depth {deepest}, while alpha-beta with as many calls searches all lines to depth {uniform}.",
            found.calls()
        ),
        caption: html! {
            "What " code { "penalty:" (P) } " looks at with " (found.calls()) " calls after the moves "
            (MoveList(MOVES.to_vec())) " (the board in the corner; x is filled). Every line is a move, green ones those of the side to \
             move, yellow ones those of its opponent. "
            @if over > 0 { (over) " dots are finished games, in the colour of the winner. " }
            "The heavy line is best play by both sides, " (line) " moves long. With as many calls alpha-beta completes \
             depth " (uniform)
            "; " (deeper) " of the " (found.nodes().len()) " positions here lie deeper, the deepest at depth " (deepest) "."
        },
        size: (WIDTH as u32, height),
        body,
    })
}

/// Shares of the calls by depth, the mean depth and the deepest line, as means over positions.
struct Profile {
    shares: Vec<f64>,
    mean: f64,
    deepest: f64,
}

fn profile(counts: impl Iterator<Item = Vec<u64>>) -> Profile {
    let (mut shares, mut mean, mut deepest, mut positions) = (Vec::new(), 0.0, 0.0, 0.0);
    for counts in counts {
        let all: u64 = counts.iter().sum();
        positions += 1.0;
        for (depth, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            if shares.len() <= depth {
                shares.resize(depth + 1, 0.0);
            }
            let share = count as f64 / all as f64;
            shares[depth] += share;
            mean += share * depth as f64;
        }
        deepest += counts.iter().rposition(|&count| count > 0).unwrap_or(0) as f64;
    }
    shares.iter_mut().for_each(|share| *share /= positions);
    Profile { shares, mean: mean / positions, deepest: deepest / positions }
}

/// The positions of a measurement.
fn positions(spec: &QualitySpec) -> Result<Vec<Connect4>, QualityError> {
    let Some(start) = spec.game.begin_as::<Connect4>().transpose()? else { return Ok(Vec::new()) };
    let mut solver = Solver::new(18);
    let mut best_moves: BestMoves<Connect4> = Box::new(move |position| solver.best_moves(position).1);
    (0..spec.positions).map(|number| Ok(spec.position(&start, number, &mut best_moves)?.position)).collect()
}

/// Adds the drawing, the profile and sentences about them.
pub(super) fn add(section: &mut Section, study: &StudyResults) -> Result<(), ReportError> {
    let failed = |reason: String| ReportError::from(DrawError { name: "rivest-tree".to_owned(), reason });
    section.figures([figure().map_err(|error| failed(error.to_string()))?]);
    let Some(&results) = measured_over_calls(study, Evaluator::Lines).first() else { return Ok(()) };
    let spec = QualitySpec { positions: SAMPLE, ..results.spec.clone() };
    let positions = positions(&spec).map_err(|error| failed(error.to_string()))?;
    let penalty = |scheme| {
        profile(positions.iter().map(|position| {
            let mut counts = search(position, scheme, SAMPLE_CALLS).by_depth();
            // The root is not a call.
            counts[0] = 0;
            counts
        }))
    };
    let alpha_beta = profile(
        positions.iter().filter_map(|position| Some(deepen(position, SAMPLE_CALLS)?.by_depth.to_vec())),
    );
    let profiles = [
        (format!("penalty:{P}"), Ink::Third, penalty(Scheme::Means)),
        (format!("penalty:{P}:reverse"), Ink::Fourth, penalty(Scheme::Reverse)),
        ("alphabeta".to_owned(), Ink::Minimax, alpha_beta),
    ];
    let words = |(name, _, profile): &(String, Ink, Profile)| {
        format!("{name} {:.1} on average and {:.1} at most", profile.mean, profile.deepest)
    };
    section.p(html! {
        "Over the first " (SAMPLE) " positions of the quality measurement, with " (SAMPLE_CALLS) " calls, the depth of \
         the positions generated, in plies, as means over the searches, is: "
        (crate::words::and(&profiles.iter().map(words).collect::<Vec<_>>())) "."
    });
    let curves: Vec<(String, Ink, Vec<f64>)> =
        profiles.into_iter().map(|(name, ink, profile)| (name, ink, profile.shares)).collect();
    section.figures([figures::depths(
        Words {
            name: "rivest-depths",
            x: "depth",
            y: "positions generated (%)",
            alt: "Shares of the generated positions by their depth, for both penalty searches and alpha-beta.".to_owned(),
            caption: html! {
                "How deep the calls of a search lie: means over " (SAMPLE) " positions, " (SAMPLE_CALLS) " calls each. Alpha-beta \
                 deepens step by step, so its calls of shallower iterations are counted, too."
            },
        },
        &curves,
    )?]);
    Ok(())
}
