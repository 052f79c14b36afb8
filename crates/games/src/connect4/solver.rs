//! The exact value of a position: alpha-beta with a table of positions and move ordering, and the plain searches that
//! confirm it.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Connect4, Evaluator};
use crate::game::{GameError, MoveList, play_all};
use crate::position::{Move, Outcome, Position, Side};

/// The value of a position for the side to move if both sides play perfectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
pub enum GameValue {
    /// The side to move loses.
    Lost = -1,
    /// Nobody wins.
    Drawn = 0,
    /// The side to move wins.
    Won = 1,
}

impl GameValue {
    /// `won`, `drawn` or `lost`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Drawn => "drawn",
            Self::Lost => "lost",
        }
    }

    /// The value for the other side.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self::from_sign(-(self as i8))
    }

    fn from_sign(sign: i8) -> Self {
        match sign {
            1.. => Self::Won,
            0 => Self::Drawn,
            _ => Self::Lost,
        }
    }
}

/// The value of a finished game for the side that would be next.
fn finished(outcome: Outcome, position: &Connect4) -> i8 {
    outcome.half_points(position.side()) as i8 - 1
}

/// What is known of a position: bounds of its value.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The discs of the side to move plus those of both plus the bottom row: unique among positions of one size.
    key: u64,
    low: i8,
    high: i8,
    /// Discs on the board: the fewer, the more work a look at the entry saves.
    discs: u8,
}

/// The squares of a board of some size, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Shape {
    bottom: u64,
    board: u64,
    stride: u32,
    columns: u32,
}

impl Shape {
    fn of(position: &Connect4) -> Self {
        Self {
            bottom: position.bottom(),
            board: position.board(),
            stride: position.stride(),
            columns: position.columns.into(),
        }
    }

    /// Every square that would complete four of these discs, taken or not.
    #[inline]
    fn completing(self, discs: u64) -> u64 {
        let down = |bits: u64, by: u32| bits.checked_shr(by).unwrap_or(0);
        let up = |bits: u64, by: u32| bits.checked_shl(by).unwrap_or(0);
        let mut found = 0;
        for d in [1, self.stride, self.stride - 1, self.stride + 1] {
            let (below, above) = (up(discs, d), down(discs, d));
            let (two_below, two_above) = (below & up(discs, 2 * d), above & down(discs, 2 * d));
            found |= two_below & up(discs, 3 * d)
                | two_above & down(discs, 3 * d)
                | two_below & above
                | two_above & below;
        }
        found & self.board
    }

    /// Whether four of these squares are in a line.
    #[inline]
    fn has_four(self, squares: u64) -> bool {
        [1, self.stride, self.stride - 1, self.stride + 1].into_iter().any(|d| {
            let pairs = squares & squares >> d;
            pairs & pairs >> (2 * d) != 0
        })
    }

    /// The same squares seen from the other side of the board.
    fn mirrored(self, squares: u64) -> u64 {
        let column = (1u64 << (self.stride - 1)) - 1;
        (0..self.columns).fold(0, |mirrored, number| {
            let there = self.columns - 1 - number;
            mirrored | (squares >> (number * self.stride) & column) << (there * self.stride)
        })
    }

    /// Unique among positions with discs of the side to move and of both. A position and its mirror image have the same
    /// key as long as there are so few discs that both are likely to occur.
    #[inline]
    fn key(self, mine: u64, taken: u64, discs: u32) -> u64 {
        let key = mine + taken + self.bottom;
        if discs > MIRRORED_DISCS {
            return key;
        }
        key.min(self.mirrored(mine) + self.mirrored(taken) + self.bottom)
    }

    /// Twice the distance of a square from the middle column.
    fn eccentricity(self, square: u64) -> u32 {
        (2 * (square.trailing_zeros() / self.stride) + 1).abs_diff(self.columns)
    }
}

/// Positions with at most this many discs share a table entry with their mirror images. Deeper down mirror images
/// hardly occur, because only one of each pair is searched.
const MIRRORED_DISCS: u32 = 12;

/// Solves positions; the table is kept from one position to the next of the same size.
#[derive(Clone, Debug)]
pub struct Solver {
    /// Entries in pairs: the first of a pair keeps the position with fewer discs, the second the latest of the others.
    entries: Vec<[Entry; 2]>,
    shape: Shape,
    nodes: u64,
    stopped: bool,
}

/// A flag that is never set.
static NEVER: AtomicBool = AtomicBool::new(false);

impl Solver {
    /// Positions between two checks of the stop flag: a few milliseconds.
    const PER_CHECK: u64 = 1 << 15;

    /// A table of 2^bits positions of 16 bytes; at most 2^28.
    pub fn new(bits: u32) -> Self {
        let entries = vec![[Entry::default(); 2]; 1 << (bits.clamp(4, 28) - 1)];
        Self { entries, shape: Shape::default(), nodes: 0, stopped: false }
    }

    /// Positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a position for the side to move (of a finished game, for the side that would be next).
    pub fn solve(&mut self, position: &Connect4) -> GameValue {
        GameValue::from_sign(self.sign(position, &NEVER))
    }

    /// The same; `None` if `interrupt` became true before it was found.
    pub fn solve_unless(&mut self, position: &Connect4, interrupt: &AtomicBool) -> Option<GameValue> {
        let sign = self.sign(position, interrupt);
        (!self.stopped).then(|| GameValue::from_sign(sign))
    }

    fn sign(&mut self, position: &Connect4, interrupt: &AtomicBool) -> i8 {
        self.stopped = false;
        let shape = Shape::of(position);
        if shape != self.shape {
            self.entries.fill([Entry::default(); 2]);
            self.shape = shape;
        }
        if let Some(outcome) = position.outcome() {
            return finished(outcome, position);
        }
        let (mine, taken) = (position.discs[position.side().index()], position.discs[0] | position.discs[1]);
        self.search(mine, taken, [-1, 1], interrupt)
    }

    /// The moves that keep the value of a position.
    pub fn best_moves(&mut self, position: &Connect4) -> (GameValue, Vec<Move>) {
        let value = self.solve(position);
        let keeps =
            |solver: &mut Self, chosen: Move| solver.solve(&position.play(chosen)) as i8 == -(value as i8);
        let best = position.moves().filter(|&chosen| keeps(self, chosen)).collect();
        (value, best)
    }

    /// The value of a position in which nobody has four, if it lies between alpha and beta; otherwise a bound on the same
    /// side of both. The result is meaningless if the search was stopped.
    fn search(
        &mut self,
        mine: u64,
        taken: u64,
        [mut alpha, mut beta]: [i8; 2],
        interrupt: &AtomicBool,
    ) -> i8 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(Self::PER_CHECK) && interrupt.load(Ordering::Relaxed) {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let (shape, theirs) = (self.shape, taken ^ mine);
        let landing = (taken + shape.bottom) & shape.board;
        if landing == 0 {
            return 0;
        }
        // Win at once if possible. Otherwise the opponent's threat must be met; two threats cannot be.
        if shape.completing(mine) & landing != 0 {
            return 1;
        }
        let danger = shape.completing(theirs) & !taken;
        let to_meet = danger & landing;
        let moves = if to_meet == 0 { landing } else { to_meet };
        // Nor may a disc lie just below a square where the opponent completes four.
        let moves = moves & !(danger >> 1);
        if moves == 0 || to_meet & to_meet.wrapping_sub(1) != 0 {
            return -1;
        }
        // A side without an open line cannot win.
        if !shape.has_four(shape.board & !theirs) {
            beta = beta.min(0);
        }
        if !shape.has_four(shape.board & !mine) {
            alpha = alpha.max(0);
        }
        if alpha >= beta {
            return alpha;
        }
        let discs = taken.count_ones();
        let key = shape.key(mine, taken, discs);
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & (self.entries.len() - 1);
        let (mut low, mut high) = (-1, 1);
        if let Some(entry) = self.entries[place].iter().find(|entry| entry.key == key) {
            (low, high) = (entry.low, entry.high);
            alpha = alpha.max(low);
            beta = beta.min(high);
            if alpha >= beta {
                return alpha;
            }
        }
        let (mut order, mut count) = ([(0u32, 0u64); Connect4::MAX_COLUMNS], 0);
        let mut left = moves;
        while left != 0 {
            let square = left & left.wrapping_neg();
            left ^= square;
            // First the moves that create the most threats, the centre before the edge.
            let threats = (shape.completing(mine | square) & !taken).count_ones();
            order[count] = (64 * (64 - threats) + shape.eccentricity(square), square);
            count += 1;
        }
        order[..count].sort_unstable();
        let (old_alpha, mut best) = (alpha, -1);
        for &(_, square) in &order[..count] {
            let value = -self.search(theirs, taken | square, [-beta, -alpha], interrupt);
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if self.stopped {
            return 0;
        }
        // A value within the window is exact, one outside is a bound.
        if best > old_alpha {
            low = low.max(best);
        }
        if best < beta {
            high = high.min(best);
        }
        self.keep(place, Entry { key, low, high, discs: discs as u8 });
        best
    }

    fn keep(&mut self, place: usize, entry: Entry) {
        let two = &mut self.entries[place];
        let first = two[0].key == entry.key || two[0].key == 0 || entry.discs <= two[0].discs;
        two[usize::from(!first)] = entry;
    }
}

/// The value of a board for the first player after some moves, and how many positions were looked at; `None` if
/// `interrupt` became true before. 7 x 6 with one disc takes a gigabyte of memory and some minutes.
pub fn solve_board(
    [columns, rows]: [usize; 2],
    moves: &MoveList,
    interrupt: &AtomicBool,
) -> Result<Option<(GameValue, u64)>, GameError> {
    let position = play_all(Connect4::start(columns, rows, Evaluator::Lines)?, moves)?;
    let mut solver = Solver::new(if position.empty_squares() > 30 { 26 } else { 20 });
    let Some(value) = solver.solve_unless(&position, interrupt) else { return Ok(None) };
    let of_first = if position.side() == Side::First { value } else { value.reversed() };
    Ok(Some((of_first, solver.nodes())))
}

/// Minimax by its definition: every line to its end.
pub fn plain_minimax(position: &Connect4) -> GameValue {
    fn sign(position: &Connect4) -> i8 {
        match position.outcome() {
            Some(outcome) => finished(outcome, position),
            None => position.moves().map(|chosen| -sign(&position.play(chosen))).max().unwrap_or(0),
        }
    }
    GameValue::from_sign(sign(position))
}

/// Alpha-beta without a table, centre first.
pub fn plain_alpha_beta(position: &Connect4) -> GameValue {
    fn sign(position: &Connect4, order: &[Move], mut alpha: i8, beta: i8) -> i8 {
        if let Some(outcome) = position.outcome() {
            return finished(outcome, position);
        }
        let is_legal = |chosen: &&Move| position.moves().any(|legal| legal == **chosen);
        for &chosen in order.iter().filter(is_legal) {
            alpha = alpha.max(-sign(&position.play(chosen), order, -beta, -alpha));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }
    let mut order: Vec<Move> = (0..position.columns).collect();
    order.sort_by_key(|&column| (2 * i32::from(column) + 1 - i32::from(position.columns)).abs());
    GameValue::from_sign(sign(position, &order, -1, 1))
}
