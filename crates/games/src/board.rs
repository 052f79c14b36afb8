//! What makes a game: one type that implements [`Board`], and its line in [`crate::game::GAMES`].

use crate::game::GameError;
use crate::play::Opening;
use crate::position::{Move, Position};

/// A size of a board that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Its name in files and as an option, `--stones`, which no other option may have; games may share it.
    pub name: &'static str,
    /// What it counts: `stones in each hole`.
    pub meaning: &'static str,
    /// What it is unless something else is chosen.
    pub usual: usize,
}

/// How a game is called, written and usually begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Its name in files and on the command line: `kalah`.
    pub name: &'static str,
    /// What readers call it: `Kalah`.
    pub title: &'static str,
    /// The sizes of its board, in the order in which they are written.
    pub sizes: &'static [Size],
    /// What stands between the sizes when they are written: `kalah:6:4`, `connect4:7x6`.
    pub separator: &'static str,
    /// The names of its evaluators, the usual one first; none if there is only one.
    pub evaluators: &'static [&'static str],
    /// Whether results name the usual evaluator, too: where none is the game's own.
    pub names_usual_evaluator: bool,
    /// How games of a match usually begin: as in the papers.
    pub opening: Opening,
}

impl About {
    /// How the game is written, with what may be left out in brackets: `kalah[:HOLES:STONES][:EVALUATOR]`.
    pub fn syntax(&self) -> String {
        let sizes: Vec<String> = self.sizes.iter().map(|size| size.name.to_uppercase()).collect();
        let sizes =
            if sizes.is_empty() { String::new() } else { format!("[:{}]", sizes.join(self.separator)) };
        format!("{}{sizes}{}", self.name, if self.evaluators.is_empty() { "" } else { "[:EVALUATOR]" })
    }

    /// The evaluators for readers: `lines or squares`.
    pub fn evaluator_names(&self) -> String {
        listed(&self.evaluators.iter().map(ToString::to_string).collect::<Vec<_>>(), "or")
    }
}

/// `a, b and c`, or with another last word.
pub(crate) fn listed(texts: &[String], last_word: &str) -> String {
    match texts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {last_word} {last}", rest.join(", ")),
        _ => texts.concat(),
    }
}

/// The best moves of a position, by a solver whose table is kept from one position to the next.
pub type BestMoves<P> = Box<dyn FnMut(&P) -> Vec<Move>>;

/// How the quality of decisions is measured in a game that can be solved.
#[derive(Clone, Copy, Debug)]
pub struct Solving<P> {
    /// A new solver.
    pub solver: fn() -> BestMoves<P>,
    /// The moves of the longest game from a position: the free squares of a board that is filled.
    pub longest: fn(&P) -> usize,
    /// Whether one more move of either side would end the game, were it its turn: every search finds or prevents that.
    pub is_urgent: fn(&P) -> bool,
}

/// A game that can be named: positions that can be begun.
pub trait Board: Position + 'static {
    /// Its names, sizes and usual settings.
    const ABOUT: About;

    /// Its solver, if there is one that is fast enough to solve thousands of positions.
    const SOLVING: Option<Solving<Self>> = None;

    /// The beginning of a game with as many sizes as [`Self::ABOUT`] has, and one of its evaluators if there are any. An
    /// error if there is no such board.
    fn begin(sizes: &[usize], evaluator: Option<&str>) -> Result<Self, GameError>;

    /// The game and its sizes for readers.
    fn title(sizes: &[usize]) -> String {
        let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        let title = Self::ABOUT.title;
        if sizes.is_empty() { title.to_owned() } else { format!("{title}, {}", sizes.join(" x ")) }
    }
}
