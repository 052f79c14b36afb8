//! Two static evaluators. Rivest's own is not printed in the review, so no result should depend on one of them.
//!
//! Both count something for each side and turn the difference s into E = (1 + s/(|s| + c))/2, which is 1/2 for a
//! balanced position and lies strictly between 0 and 1.

use super::Connect4;
use crate::position::Side;

/// How a position is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Evaluator {
    /// Lines of four squares with discs of only one side: 1 point for one disc, 4 for two, 16 for three; c = 16.
    #[default]
    Lines,
    /// Each disc counts the lines of four that run through its square, whether they are open or not; c = 24.
    Squares,
}

impl Evaluator {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Lines, Self::Squares];

    /// Its name in specs and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Squares => "squares",
        }
    }

    /// The names of both.
    pub(super) const NAMES: [&str; 2] = [Self::Lines.name(), Self::Squares.name()];

    /// The one with a name, if there is one.
    pub(super) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|evaluator| evaluator.name() == name)
    }

    /// The one with a name, or the default.
    pub fn named(name: Option<&str>) -> Self {
        name.and_then(Self::find).unwrap_or_default()
    }

    /// The estimated probability that a side wins.
    pub fn evaluate(self, position: &Connect4, side: Side) -> f64 {
        let [own, other] = [position.discs[side.index()], position.discs[side.opponent().index()]];
        let (difference, scale) = match self {
            Self::Lines => (open_lines(position, own, other) - open_lines(position, other, own), 16.0),
            Self::Squares => (lines_through(position, own) - lines_through(position, other), 24.0),
        };
        let s = f64::from(difference);
        (1.0 + s / (s.abs() + scale)) / 2.0
    }
}

/// A word shifted down, possibly by more than its length.
#[inline]
fn down(bits: u64, by: u32) -> u64 {
    bits.checked_shr(by).unwrap_or(0)
}

/// The lowest squares of all lines of four in a direction.
#[inline]
fn starts(board: u64, direction: u32) -> u64 {
    board & down(board, direction) & down(board, 2 * direction) & down(board, 3 * direction)
}

/// Points for lines without a disc of `other`: all lines of a direction at once, counting their discs in binary.
fn open_lines(position: &Connect4, own: u64, other: u64) -> i32 {
    let board = position.board();
    let mut points = 0;
    for d in position.directions() {
        let blocked = other | down(other, d) | down(other, 2 * d) | down(other, 3 * d);
        let open = starts(board, d) & !blocked;
        let [a, b, c, e] = [own, down(own, d), down(own, 2 * d), down(own, 3 * d)];
        let ones = a ^ b ^ c ^ e;
        let twos = (a & b) ^ (c & e) ^ ((a ^ b) & (c ^ e));
        let count = |lines: u64| (open & lines).count_ones() as i32;
        points += count(ones & !twos) + 4 * count(twos & !ones) + 16 * count(ones & twos);
    }
    points
}

/// The number of lines through the square of each disc, summed.
fn lines_through(position: &Connect4, discs: u64) -> i32 {
    let board = position.board();
    let mut sum = 0;
    for d in position.directions() {
        let starts = starts(board, d);
        for step in 0..4 {
            sum += (down(discs, step * d) & starts).count_ones() as i32;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    /// All lines, as lists of squares.
    fn all_lines(position: &Connect4) -> Vec<[u64; 4]> {
        let (columns, rows) = (position.columns() as i32, position.rows() as i32);
        let mut lines = Vec::new();
        for column in 0..columns {
            for row in 0..rows {
                for (across, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let squares = [0, 1, 2, 3].map(|step| (column + across * step, row + up * step));
                    if squares.iter().all(|&(c, r)| (0..columns).contains(&c) && (0..rows).contains(&r)) {
                        lines.push(squares.map(|(c, r)| 1u64 << (c * (rows + 1) + r)));
                    }
                }
            }
        }
        lines
    }

    #[test]
    fn both_evaluators_agree_with_a_count_line_by_line() {
        for (columns, rows) in [(7, 6), (4, 4), (5, 5), (9, 6), (3, 3), (1, 20), (3, 20)] {
            let mut position = Connect4::start(columns, rows, Evaluator::Lines).unwrap();
            let lines = all_lines(&position);
            if (columns, rows) == (7, 6) {
                assert_eq!(lines.len(), 69);
            }
            let mut state = 12345u64;
            while position.outcome().is_none() {
                for side in Side::BOTH {
                    let [own, other] =
                        [position.discs[side.index()], position.discs[side.opponent().index()]];
                    let count = |line: &[u64; 4], discs: u64| {
                        line.iter().filter(|&&square| discs & square != 0).count()
                    };
                    let points = |own, other| -> i32 {
                        let open = lines.iter().filter(|line| count(line, other) == 0);
                        open.map(|line| [0, 1, 4, 16][count(line, own)]).sum()
                    };
                    let through = |discs| -> i32 { lines.iter().map(|line| count(line, discs) as i32).sum() };
                    assert_eq!(open_lines(&position, own, other), points(own, other));
                    assert_eq!(lines_through(&position, own), through(own));
                    for evaluator in Evaluator::ALL {
                        let value = evaluator.evaluate(&position, side);
                        let both = value + evaluator.evaluate(&position, side.opponent());
                        assert!(value > 0.0 && value < 1.0 && (both - 1.0).abs() < 1e-15);
                    }
                }
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let moves: Vec<u8> = position.moves().collect();
                position = position.play(moves[(state >> 33) as usize % moves.len()]);
            }
        }
    }

    #[test]
    fn the_empty_board_is_balanced() {
        for evaluator in Evaluator::ALL {
            assert_eq!(Evaluator::named(Some(evaluator.name())), evaluator);
            let start = Connect4::start(7, 6, evaluator).unwrap();
            assert_eq!(start.evaluation(Side::First), 0.5);
            // The centre is worth more than the edge.
            let value = |column| start.play(column).evaluation(Side::First);
            assert!(value(3) > value(0) && value(0) > 0.5);
        }
    }
}
