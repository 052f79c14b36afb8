//! Kalah: holes, stones and two stores.
//!
//! Each player has a row of holes and a store. A move takes all stones from one of the player's own holes and sows
//! them one by one counterclockwise: into the player's holes, the player's store, the opponent's holes, the player's
//! holes again; the opponent's store is skipped, the hole they came from is not. If the last stone falls into the
//! player's store, the player moves again. If it falls into an empty hole of the player's and there are stones in the
//! hole opposite, the last stone and those go to the player's store. When one row is empty after a move, the stones
//! of the other go to their owner's store and the game is over; whoever has more stones wins.
//!
//! Holes are numbered towards the owner's store: the stones of hole 1 have the longest way to go.

mod evaluator;
mod sowing;
mod text;

use thiserror::Error;

pub use self::evaluator::Evaluator;

use self::sowing::{Sown, sow};
use crate::board::{About, Board, Size};
use crate::game::GameError;
use crate::play::Opening;
use crate::position::{Move, Moves, Outcome, Position, Side};

/// A row of up to seven holes in the low bytes of a word, and the store in the highest byte.
type Row = u64;

const STORE_SHIFT: u32 = 56;
const HOLES: Row = (1 << STORE_SHIFT) - 1;
const ONES: Row = 0x0101_0101_0101_0101;

/// A position of Kalah.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kalah {
    rows: [Row; 2],
    side: Side,
    holes: u8,
    evaluator: Evaluator,
}

/// Why a board is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KalahError {
    /// Too few or too many holes.
    #[error("{0} holes are not possible; Kalah is played with 1 to {most} holes per side, usually 6", most = Kalah::MAX_HOLES)]
    Holes(usize),
    /// Too few or too many stones.
    #[error("{stones} stones in each of {holes} holes are not possible; use between 1 and {most} stones")]
    Stones {
        /// Holes per side.
        holes: usize,
        /// The requested stones.
        stones: usize,
        /// The maximum that one store can hold in a byte.
        most: usize,
    },
}

impl Kalah {
    /// The maximum number of holes per side.
    pub const MAX_HOLES: usize = 7;

    /// The beginning of a game.
    ///
    /// ```
    /// use prodmax_games::kalah::Kalah;
    /// use prodmax_games::position::{Position, Side};
    /// let start = Kalah::start(6, 4)?;
    /// // The last of the four stones of hole 3 falls into the store: the same side moves again.
    /// let again = start.play(2);
    /// assert_eq!((again.side(), again.store(Side::First)), (Side::First, 1));
    /// assert_eq!(again.stones(Side::First), vec![4, 4, 0, 5, 5, 5]);
    /// # Ok::<(), prodmax_games::kalah::KalahError>(())
    /// ```
    pub fn start(holes: usize, stones: usize) -> Result<Self, KalahError> {
        Self::start_with(holes, stones, Evaluator::default())
    }

    /// The same with an evaluator.
    pub fn start_with(holes: usize, stones: usize, evaluator: Evaluator) -> Result<Self, KalahError> {
        if !(1..=Self::MAX_HOLES).contains(&holes) {
            return Err(KalahError::Holes(holes));
        }
        let most = 255 / (2 * holes);
        if !(1..=most).contains(&stones) {
            return Err(KalahError::Stones { holes, stones, most });
        }
        let row = (ONES & ((1 << (8 * holes)) - 1)) * stones as Row;
        Ok(Self { rows: [row; 2], side: Side::First, holes: holes as u8, evaluator })
    }

    /// Holes per side.
    pub fn holes(&self) -> usize {
        self.holes.into()
    }

    /// The stones in the holes of a side, in the order of their numbers.
    pub fn stones(&self, side: Side) -> Vec<u8> {
        (0..self.holes).map(|hole| byte(self.rows[side.index()], hole.into())).collect()
    }

    /// The stones in the store of a side.
    #[inline]
    pub fn store(&self, side: Side) -> u8 {
        (self.rows[side.index()] >> STORE_SHIFT) as u8
    }

    /// Stones that are not in a store.
    #[inline]
    fn in_play(&self) -> u8 {
        sum((self.rows[0] & HOLES) + (self.rows[1] & HOLES))
    }
}

impl From<KalahError> for GameError {
    fn from(error: KalahError) -> Self {
        Self::Board(error.to_string())
    }
}

impl Board for Kalah {
    /// Openings are those of Baum's tournament.
    const ABOUT: About = About {
        name: "kalah",
        title: "Kalah",
        sizes: &[
            Size { name: "holes", meaning: "holes a side", usual: 6 },
            Size { name: "stones", meaning: "stones in each hole", usual: 6 },
        ],
        separator: ":",
        evaluators: &Evaluator::NAMES,
        names_usual_evaluator: false,
        opening: Opening::Random(6),
    };

    fn begin(sizes: &[usize], evaluator: Option<&str>) -> Result<Self, GameError> {
        Ok(Self::start_with(sizes[0], sizes[1], Evaluator::named(evaluator))?)
    }

    fn title(sizes: &[usize]) -> String {
        format!("Kalah, {} holes of {} stones", sizes[0], sizes[1])
    }
}

#[inline]
fn byte(row: Row, index: u32) -> u8 {
    (row >> (8 * index)) as u8
}

/// The sum of the bytes. It is below 256 because there are no more stones than that.
#[inline]
fn sum(row: Row) -> u8 {
    (row.wrapping_mul(ONES) >> 56) as u8
}

impl Position for Kalah {
    type Moves = Moves;

    const MAX_MOVES: usize = Self::MAX_HOLES;

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    #[inline]
    fn moves(&self) -> Moves {
        let holes = self.rows[self.side.index()] & HOLES;
        // The high bit of every byte that is not 0, then one bit per byte gathered by a multiplication.
        let low = !(0x80 * ONES);
        let filled = (((holes & low) + low) | holes) & (0x80 * ONES);
        Moves::from_bits(((filled >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u16)
    }

    #[inline]
    fn play(&self, chosen: Move) -> Self {
        let (me, you) = (self.side.index(), self.side.opponent().index());
        let hole = u32::from(chosen);
        let stones = byte(self.rows[me], hole);
        let Sown { own, other, last } = sow(self.holes, chosen, stones);
        let mut mine = (self.rows[me] & !(0xff << (8 * hole))) + own;
        let mut yours = self.rows[you] + other;
        let holes = self.holes;
        if last < holes {
            let (here, opposite) = (u32::from(last), u32::from(holes - 1 - last));
            let captured = byte(yours, opposite);
            if byte(mine, here) == 1 && captured > 0 {
                mine &= !(0xff << (8 * here));
                yours &= !(0xff << (8 * opposite));
                mine += Row::from(captured + 1) << STORE_SHIFT;
            }
        }
        if mine & HOLES == 0 || yours & HOLES == 0 {
            for row in [&mut mine, &mut yours] {
                let left = sum(*row & HOLES);
                *row = (*row & !HOLES) + (Row::from(left) << STORE_SHIFT);
            }
        }
        let mut rows = [0; 2];
        rows[me] = mine;
        rows[you] = yours;
        let side = if last == holes { self.side } else { self.side.opponent() };
        Self { rows, side, ..*self }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if (self.rows[0] | self.rows[1]) & HOLES != 0 {
            return None;
        }
        Some(match self.store(Side::First).cmp(&self.store(Side::Second)) {
            std::cmp::Ordering::Greater => Outcome::First,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Less => Outcome::Second,
        })
    }

    /// Baum's E = (1 + S)/2, where S is the difference of the stores divided by the stones still in play. By stores it is the
    /// Kalah advantage, KA: that difference divided by all stones.
    #[inline]
    fn evaluation(&self, side: Side) -> f64 {
        let (mine, yours) = (f64::from(self.store(side)), f64::from(self.store(side.opponent())));
        (1.0 + self.evaluator.of(mine, yours, f64::from(self.in_play()))) / 2.0
    }

    #[inline]
    fn is_probability(&self) -> bool {
        self.evaluator != Evaluator::Unclamped
    }

    fn evaluated(self, evaluator: &str) -> Option<Self> {
        Some(Self { evaluator: Evaluator::find(evaluator)?, ..self })
    }

    #[inline]
    fn hash64(&self) -> u64 {
        let [a, b] = self.rows;
        let mixed = (a ^ (self.side as u64) << 63).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ b.rotate_left(32).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_boards_are_explained_in_a_sentence() {
        let message = |holes, stones| Kalah::start(holes, stones).unwrap_err().to_string();
        assert_eq!(
            message(8, 4),
            "8 holes are not possible; Kalah is played with 1 to 7 holes per side, usually 6"
        );
        assert_eq!(
            message(6, 0),
            "0 stones in each of 6 holes are not possible; use between 1 and 21 stones"
        );
        assert_eq!(
            message(6, 22),
            "22 stones in each of 6 holes are not possible; use between 1 and 21 stones"
        );
        assert!(Kalah::start(7, 18).is_ok() && Kalah::start(1, 127).is_ok());
    }

    #[test]
    fn a_capture_takes_both_holes() {
        let start = Kalah::start(6, 1).unwrap();
        // Hole 1 of the first player: its stone falls into hole 2, which is not empty.
        let next = start.play(0);
        assert_eq!(next.stones(Side::First), [0, 2, 1, 1, 1, 1]);
        assert_eq!(next.side(), Side::Second);
        // The stone of the second player's hole 6 falls into the store, so the player moves again. Then the stone of
        // hole 5 falls into the empty hole 6, opposite the first player's empty hole 1: nothing to capture.
        let again = next.play(5);
        assert_eq!((again.side(), again.store(Side::Second)), (Side::Second, 1));
        let quiet = again.play(4);
        assert_eq!((quiet.store(Side::Second), quiet.side()), (1, Side::First));
        // The stone of the first player's hole 6 goes to the store.
        let turn = quiet.play(5);
        assert_eq!((turn.side(), turn.store(Side::First)), (Side::First, 1));
        // The stone of hole 5 falls into the empty hole 6; opposite is the second player's hole 1 with one stone:
        // both are captured.
        let captured = turn.play(4);
        assert_eq!(captured.store(Side::First), 3);
        assert_eq!(captured.stones(Side::First), [0, 2, 1, 1, 0, 0]);
        assert_eq!(captured.stones(Side::Second), [0, 1, 1, 1, 0, 1]);
    }

    #[test]
    fn the_evaluation_is_that_of_baum() {
        let start = Kalah::start(6, 4).unwrap();
        assert_eq!(start.evaluation(Side::First), 0.5);
        // One stone in the store, 47 in play.
        let again = start.play(2);
        assert_eq!(again.evaluation(Side::First), (1.0 + 1.0 / 47.0) / 2.0);
        assert_eq!(again.evaluation(Side::Second), (1.0 - 1.0 / 47.0) / 2.0);
        // By stores: of 48 stones one; it stays so after moves.
        let by_stores = start.evaluated("stores").unwrap().play(2);
        assert_eq!(by_stores.evaluation(Side::First), (1.0 + 1.0 / 48.0) / 2.0);
    }

    #[test]
    fn a_long_sowing_does_not_skip_the_hole_it_came_from() {
        // 13 stones from hole 1 go all the way round: one into every hole, one into the store, the last one into hole
        // 1, which is empty: it and the stones opposite are captured.
        let mut position = Kalah::start(6, 4).unwrap();
        position.rows[0] = 13;
        position.rows[1] = 0x0000_0101_0101_0101;
        let next = position.play(0);
        assert_eq!(next.stones(Side::First), [0, 1, 1, 1, 1, 1]);
        // One sown, two captured, and the capturing stone.
        assert_eq!(next.store(Side::First), 1 + 2 + 1);
        assert_eq!(next.stones(Side::Second), [2, 2, 2, 2, 2, 0]);
    }
}
