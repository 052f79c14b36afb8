//! Connect-Four on boards of any size that fits into 64 bits.
//!
//! A disc falls to the lowest free square of its column; four in a row, a column or a diagonal win; a full board is a
//! draw. Each column takes one bit more than it has rows, so that lines do not run from one column into the next.

mod evaluator;
pub mod solver;
mod text;

use thiserror::Error;

pub use self::evaluator::Evaluator;

use self::solver::Solver;
use crate::board::{About, Board, Size, Solving};
use crate::game::GameError;
use crate::play::Opening;
use crate::position::{Move, Moves, Outcome, Position, Side};

/// A position of Connect-Four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Connect4 {
    /// The discs of both sides.
    discs: [u64; 2],
    columns: u8,
    rows: u8,
    side: Side,
    evaluator: Evaluator,
    outcome: Option<Outcome>,
}

/// Why a board is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Connect4Error {
    /// Too small, or too large for 64 bits.
    #[error(
        "a board of {columns} columns and {rows} rows is not possible; there must be at least one of each, at most 9 \
         columns and 20 rows, and columns times (rows + 1) must not exceed 64 (the standard board has 7 columns and 6 \
         rows)"
    )]
    Size {
        /// The requested columns.
        columns: usize,
        /// The requested rows.
        rows: usize,
    },
}

impl Connect4 {
    /// The maximum number of columns.
    pub const MAX_COLUMNS: usize = 9;
    /// The maximum number of rows, so that twice the distance of neighbours is less than 64.
    pub const MAX_ROWS: usize = 20;
    /// Places of the solver's table for positions with few free squares, as a power of two.
    const TABLE_BITS: u32 = 18;

    /// The empty board.
    ///
    /// ```
    /// use prodmax_games::connect4::{Connect4, Evaluator};
    /// use prodmax_games::{Outcome, Position};
    /// // Four in the first column.
    /// let start = Connect4::start(7, 6, Evaluator::Lines)?;
    /// let end = [0, 1, 0, 1, 0, 1, 0].into_iter().fold(start, |position, column| position.play(column));
    /// assert_eq!(end.outcome(), Some(Outcome::First));
    /// # Ok::<(), prodmax_games::connect4::Connect4Error>(())
    /// ```
    pub fn start(columns: usize, rows: usize, evaluator: Evaluator) -> Result<Self, Connect4Error> {
        let possible = (1..=Self::MAX_COLUMNS).contains(&columns) && (1..=Self::MAX_ROWS).contains(&rows);
        if !possible || columns * (rows + 1) > 64 {
            return Err(Connect4Error::Size { columns, rows });
        }
        let (columns, rows) = (columns as u8, rows as u8);
        Ok(Self { discs: [0; 2], columns, rows, side: Side::First, evaluator, outcome: None })
    }

    /// Columns of the board.
    pub fn columns(&self) -> usize {
        self.columns.into()
    }

    /// Rows of the board.
    pub fn rows(&self) -> usize {
        self.rows.into()
    }

    /// Squares without a disc.
    pub fn empty_squares(&self) -> usize {
        self.columns() * self.rows() - (self.discs[0] | self.discs[1]).count_ones() as usize
    }

    /// Bits from one column to the next.
    #[inline]
    fn stride(&self) -> u32 {
        u32::from(self.rows) + 1
    }

    /// The lowest square of every column.
    #[inline]
    fn bottom(&self) -> u64 {
        bottom(self.columns, self.rows)
    }

    /// All squares.
    #[inline]
    fn board(&self) -> u64 {
        self.bottom() * ((1 << self.rows) - 1)
    }

    /// The distances of neighbours in the four directions: up, right, and both diagonals.
    #[inline]
    fn directions(&self) -> [u32; 4] {
        let stride = self.stride();
        [1, stride, stride - 1, stride + 1]
    }

    /// Whether either side would complete four with one more disc, were it its turn.
    pub fn has_threat(&self) -> bool {
        self.moves().any(|chosen| {
            let square = self.landing(chosen);
            self.discs.iter().any(|&discs| self.has_four(discs | square))
        })
    }

    /// Where a disc in a column would lie; the column must not be full.
    #[inline]
    fn landing(&self, chosen: Move) -> u64 {
        let taken = self.discs[0] | self.discs[1];
        let shift = u32::from(chosen) * self.stride();
        // Adding 1 at the bottom carries to the lowest free square.
        (taken + (1 << shift)) & (((1u64 << self.rows) - 1) << shift) & !taken
    }

    /// Whether four of these discs are in a line.
    #[inline]
    fn has_four(&self, discs: u64) -> bool {
        let mut found = 0;
        for direction in self.directions() {
            let pairs = discs & discs >> direction;
            found |= pairs & pairs >> (2 * direction);
        }
        found != 0
    }
}

impl From<Connect4Error> for GameError {
    fn from(error: Connect4Error) -> Self {
        Self::Board(error.to_string())
    }
}

impl Board for Connect4 {
    /// All openings of two moves, as in Rivest's study. His evaluator is not known, so none is the game's own.
    const ABOUT: About = About {
        name: "connect4",
        title: "Connect-Four",
        sizes: &[
            Size { name: "columns", meaning: "columns of the board", usual: 7 },
            Size { name: "rows", meaning: "rows of the board", usual: 6 },
        ],
        separator: "x",
        evaluators: &Evaluator::NAMES,
        names_usual_evaluator: true,
        opening: Opening::All(2),
    };

    const SOLVING: Option<Solving<Self>> = Some(Solving {
        solver: || {
            let mut solver = Solver::new(Self::TABLE_BITS);
            Box::new(move |position| solver.best_moves(position).1)
        },
        longest: Self::empty_squares,
        is_urgent: Self::has_threat,
    });

    fn begin(sizes: &[usize], evaluator: Option<&str>) -> Result<Self, GameError> {
        Ok(Self::start(sizes[0], sizes[1], Evaluator::named(evaluator))?)
    }
}

const fn make_bottom(columns: u8, rows: u8) -> u64 {
    let mut bits = 0u64;
    let mut column = 0;
    while column < columns {
        let at = column as u32 * (rows as u32 + 1);
        if at < 64 {
            bits |= 1 << at;
        }
        column += 1;
    }
    bits
}

/// The lowest square of every column, by numbers of columns and rows.
static BOTTOMS: [[u64; Connect4::MAX_ROWS + 1]; Connect4::MAX_COLUMNS + 1] = {
    let mut table = [[0; Connect4::MAX_ROWS + 1]; Connect4::MAX_COLUMNS + 1];
    let mut columns = 0;
    while columns <= Connect4::MAX_COLUMNS {
        let mut rows = 1;
        while rows <= Connect4::MAX_ROWS {
            table[columns][rows] = make_bottom(columns as u8, rows as u8);
            rows += 1;
        }
        columns += 1;
    }
    table
};

#[inline]
fn bottom(columns: u8, rows: u8) -> u64 {
    BOTTOMS[usize::from(columns)][usize::from(rows)]
}

impl Position for Connect4 {
    type Moves = Moves;

    const MAX_MOVES: usize = Self::MAX_COLUMNS;

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    #[inline]
    fn moves(&self) -> Moves {
        if self.outcome.is_some() {
            return Moves::from_bits(0);
        }
        let free = !(self.discs[0] | self.discs[1]);
        let (top, stride) = (u32::from(self.rows) - 1, self.stride());
        let mut bits = 0;
        for column in 0..u32::from(self.columns) {
            bits |= (free >> (column * stride + top) & 1) << column;
        }
        Moves::from_bits(bits as u16)
    }

    #[inline]
    fn play(&self, chosen: Move) -> Self {
        let taken = self.discs[0] | self.discs[1];
        let square = self.landing(chosen);
        let mut next = *self;
        let mine = &mut next.discs[self.side.index()];
        *mine |= square;
        let mine = *mine;
        next.side = self.side.opponent();
        next.outcome = if self.has_four(mine) {
            Some(Outcome::win_of(self.side))
        } else if taken | square == self.board() {
            Some(Outcome::Draw)
        } else {
            None
        };
        next
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn evaluation(&self, side: Side) -> f64 {
        self.evaluator.evaluate(self, side)
    }

    fn evaluated(self, evaluator: &str) -> Option<Self> {
        Some(Self { evaluator: Evaluator::find(evaluator)?, ..self })
    }

    #[inline]
    fn hash64(&self) -> u64 {
        let [a, b] = self.discs;
        let mixed =
            a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.rotate_left(32).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_boards_are_explained_in_a_sentence() {
        let message =
            |columns, rows| Connect4::start(columns, rows, Evaluator::Lines).unwrap_err().to_string();
        assert!(
            message(0, 6)
                .starts_with("a board of 0 columns and 6 rows is not possible; there must be at least one")
        );
        for (columns, rows) in [(10, 4), (7, 0), (9, 7), (1, 21), (usize::MAX, usize::MAX)] {
            assert!(message(columns, rows).contains("is not possible"));
        }
        for (columns, rows) in [(8, 7), (1, 20), (9, 6), (4, 4)] {
            assert!(Connect4::start(columns, rows, Evaluator::Lines).is_ok());
        }
    }
}
