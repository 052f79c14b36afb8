//! Matches between players of real games: their figures beside those of the papers, and recorded games played again.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use prodmax_games::connect4::solver::solve_board;
use prodmax_games::game::MoveList;
use prodmax_games::play::{MatchResults, MatchSpec, Score, play_match};
use prodmax_games::player::Resource;
use prodmax_golden::Finding;
use prodmax_golden::quantity::MatchFigure;
use prodmax_jobs::Checksum;
use prodmax_jobs::ron_file::{self, RonError};
use prodmax_number::{Approximate, Figure};
use serde::Deserialize;

use crate::calculator::QuantityError;

/// The matches that golden entries are computed from, by id: the spec, and the recorded games of some of its starts.
fn matches() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let spec = |id: &str| {
        let path = format!("specs/play/{id}.ron");
        prodmax_data::FILES.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
    };
    prodmax_data::folder("golden/play").filter_map(move |(name, games)| {
        let id = name.strip_suffix(".jsonl")?;
        Some((id, spec(id)?, games))
    })
}

const RIVEST: &str = prodmax_data::text("golden/play/rivest.ron");

/// The resource that was bounded for both players of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PublishedResource {
    /// Calls of the move routine.
    Calls,
    /// Processor time in seconds.
    Seconds,
}

/// A row of Rivest's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedMatch {
    /// What was bounded.
    pub resource: PublishedResource,
    /// The bound per move.
    pub bound: u64,
    /// Games won by the min/max approximation.
    pub approximation: u64,
    /// Games won by alpha-beta.
    pub alpha_beta: u64,
    /// Games that nobody won.
    pub ties: u64,
}

impl PublishedMatch {
    /// The table as printed, bound by bound.
    pub fn table() -> Result<Vec<Self>, RonError> {
        ron_file::parse(RIVEST, "built-in/play/rivest.ron")
    }
}

/// The ids of all matches, for messages.
pub(crate) fn names() -> String {
    let mut ids: Vec<&str> = matches().map(|(id, _, _)| id).collect();
    ids.sort_unstable();
    ids.join(", ")
}

fn find(id: &str) -> Result<(&'static str, &'static str), QuantityError> {
    let found = matches().find(|(name, _, _)| *name == id);
    let (_, spec, games) = found.ok_or_else(|| QuantityError::NoMatch(id.to_owned()))?;
    Ok((spec, games))
}

/// The spec of a match by its id.
pub fn spec(id: &str) -> Result<MatchSpec, QuantityError> {
    Ok(ron_file::parse(find(id)?.0, &format!("built-in/play/{id}.ron"))?)
}

/// The recorded games of some starts of a match.
pub fn recorded(id: &str) -> Result<MatchResults, QuantityError> {
    Ok(MatchResults::read(find(id)?.1)?)
}

/// Matches that were played, by their ids.
#[derive(Debug, Default)]
pub(crate) struct Matches(Mutex<HashMap<String, Arc<MatchResults>>>);

impl Matches {
    /// The games of a match, played if they were not before.
    pub(crate) fn games(&self, id: &str, interrupt: &AtomicBool) -> Result<Arc<MatchResults>, QuantityError> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(results) = kept().get(id) {
            return Ok(Arc::clone(results));
        }
        let results = Arc::new(play(spec(id)?, interrupt)?);
        kept().insert(id.to_owned(), Arc::clone(&results));
        Ok(results)
    }
}

fn play(spec: MatchSpec, interrupt: &AtomicBool) -> Result<MatchResults, QuantityError> {
    let results = play_match(MatchResults::new(spec), interrupt, &mut |_, _| {})?;
    if results.missing().is_empty() { Ok(results) } else { Err(QuantityError::Interrupted) }
}

/// A figure of a match with one bound of calls, or with all.
pub(crate) fn figure(results: &MatchResults, calls: Option<u64>, figure: MatchFigure) -> Finding {
    if figure == MatchFigure::Moves {
        return Finding::Word(checksum(results));
    }
    results.score(calls.map(Resource::Calls)).map(|score| counted(&score, figure)).into()
}

/// A count of games, and the standard error of a sample of as many games with our shares.
pub fn counted(score: &Score, figure: MatchFigure) -> Approximate {
    let games = 2.0 * score.pairs as f64;
    let [wins, losses, draws] = [score.wins, score.losses, score.draws].map(|count| count as f64);
    let (value, variance) = match figure {
        MatchFigure::Losses => (losses, binomial(losses, games)),
        MatchFigure::Draws => (draws, binomial(draws, games)),
        // A game adds 1, 0 or -1.
        MatchFigure::Lead => (wins - losses, wins + losses - (wins - losses).powi(2) / games),
        MatchFigure::DecidedPercent => {
            let decided = wins + losses;
            (100.0 * wins / decided, 1e4 * binomial(wins, decided) / decided.powi(2))
        }
        MatchFigure::Wins | MatchFigure::Moves => (wins, binomial(wins, games)),
    };
    Approximate::sampled(value, variance.max(0.0).sqrt())
}

/// n p (1 - p) with p = count / n.
fn binomial(count: f64, games: f64) -> f64 {
    count * (1.0 - count / games)
}

/// A checksum of the moves of all games.
fn checksum(results: &MatchResults) -> String {
    let mut sum = Checksum::default();
    for pair in &results.pairs {
        let parts = [pair.resource.to_string(), pair.opening.to_string()];
        let games = pair.games.iter().map(|game| game.moves.to_string());
        sum = parts.into_iter().chain(games).fold(sum, |sum, part| sum.part(part.as_bytes()));
    }
    sum.text()
}

/// Plays the recorded games of a match again; the number of those whose moves are all the same.
pub(crate) fn replayed_games(id: &str, interrupt: &AtomicBool) -> Result<Finding, QuantityError> {
    let recorded = recorded(id)?;
    if !recorded.spec.same_games(&spec(id)?) {
        return Err(QuantityError::OtherGames(id.to_owned()));
    }
    let again = play(recorded.spec.clone(), interrupt)?;
    let pairs = recorded.pairs.iter().zip(&again.pairs);
    let same = pairs.map(|(was, is)| was.games.iter().zip(&is.games).filter(|(was, is)| was == is).count());
    Ok(Finding::Figure(Figure::Integer(same.sum::<usize>().into())))
}

/// The value of a Connect-Four board for the first player after some moves.
pub(crate) fn connect4_value(
    size: [usize; 2],
    moves: &str,
    interrupt: &AtomicBool,
) -> Result<Finding, QuantityError> {
    let moves: MoveList = moves.parse()?;
    let (value, _) = solve_board(size, &moves, interrupt)?.ok_or(QuantityError::Interrupted)?;
    Ok(Finding::Word(value.name().to_owned()))
}

#[cfg(test)]
mod tests {
    use prodmax_games::search::Ply;

    use super::*;

    /// Worked out by hand: 98 games, 49 won, 40 lost, 9 drawn.
    #[test]
    fn the_errors_of_counts() {
        let score = Score {
            pairs: 49,
            wins: 49,
            losses: 40,
            draws: 9,
            score: 0.5,
            standard_error: None,
            pairs_won: 0,
            pairs_lost: 0,
            won_by_first_side: 0,
            by_half_points: [0; 5],
        };
        let of = |figure| {
            let counted = counted(&score, figure);
            (counted.value, counted.error())
        };
        // 98/4 and 40 * 58/98.
        assert_eq!(of(MatchFigure::Wins), (49.0, 24.5f64.sqrt()));
        assert!((of(MatchFigure::Losses).1.powi(2) - 40.0 * 58.0 / 98.0).abs() < 1e-12);
        // 89 decided games, a mean of 9/98.
        let (lead, error) = of(MatchFigure::Lead);
        assert!(lead == 9.0 && (error.powi(2) - (89.0 - 81.0 / 98.0)).abs() < 1e-12);
    }

    #[test]
    fn every_recorded_game_is_one_of_its_match() {
        for (id, _, _) in matches() {
            let (spec, games) = (spec(id).unwrap(), recorded(id).unwrap());
            assert_eq!(spec.id, id);
            assert!(games.spec.same_games(&spec), "{id}");
            // Whole turns as plies take seconds for a game.
            let expected = if spec.ply == Ply::Move { 10 } else { 2 };
            assert!(games.missing().is_empty() && games.games() == expected, "{id}");
        }
        assert_eq!(
            spec("chess").unwrap_err().to_string(),
            "there is no match `chess`; the matches are connect4-calls-means, connect4-calls-means-squares, \
             connect4-calls-reverse, connect4-calls-reverse-squares, kalah-hints-minimax-move, \
             kalah-hints-minimax-turn, kalah-hints-minimax-whole, kalah-hints-product-move, \
             kalah-hints-product-turn, kalah-hints-product-whole, kalah-minimax-product-move, \
             kalah-minimax-product-turn, kalah-minimax-product-whole, kalah-minimax-single-move, \
             kalah-minimax-single-turn, kalah-minimax-single-unclamped-move, \
             kalah-minimax-single-unclamped-turn, kalah-minimax-single-unclamped-whole, kalah-minimax-single-whole"
        );
    }

    #[test]
    fn a_game_that_is_played_differently_counts_as_different() {
        let never = AtomicBool::new(false);
        let id = "connect4-calls-means";
        assert_eq!(replayed_games(id, &never).unwrap(), Finding::Figure(Figure::Integer(10.into())));
        let mut changed = recorded(id).unwrap();
        let sum = checksum(&changed);
        changed.pairs[0].games[0].moves.0.pop();
        assert_ne!(checksum(&changed), sum);
        assert!(matches!(play(changed.spec, &AtomicBool::new(true)), Err(QuantityError::Interrupted)));
    }

    #[test]
    fn the_sums_of_the_table_are_the_published_totals() {
        let table = PublishedMatch::table().unwrap();
        for (resource, expected) in
            [(PublishedResource::Calls, [249, 190, 51]), (PublishedResource::Seconds, [186, 239, 65])]
        {
            let rows: Vec<_> = table.iter().filter(|row| row.resource == resource).collect();
            assert!(rows.len() == 5 && rows.iter().all(|r| r.approximation + r.alpha_beta + r.ties == 98));
            let sum = |of: fn(&PublishedMatch) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
            assert_eq!(
                [sum(|row| row.approximation), sum(|row| row.alpha_beta), sum(|row| row.ties)],
                expected
            );
        }
    }
}
