//! The exact value of a position: alpha-beta with a table of positions and move ordering, and the plain searches that
//! confirm it.

use super::Connect4;
use crate::position::{Move, Outcome, Position};

/// The value of a position for the side to move if both sides play perfectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
pub enum Value {
    /// The side to move loses.
    Lost = -1,
    /// Nobody wins.
    Drawn = 0,
    /// The side to move wins.
    Won = 1,
}

impl Value {
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

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The discs of the side to move plus those of both plus the bottom row: unique among positions of one size.
    key: u64,
    low: i8,
    high: i8,
}

/// Solves positions; the table is kept from one position to the next of the same size.
#[derive(Clone, Debug)]
pub struct Solver {
    entries: Vec<Entry>,
    size: (usize, usize),
    nodes: u64,
}

impl Solver {
    /// A table of 2^bits positions of 16 bytes; at most 2^28.
    pub fn new(bits: u32) -> Self {
        Self { entries: vec![Entry::default(); 1 << bits.clamp(4, 28)], size: (0, 0), nodes: 0 }
    }

    /// Positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a position for the side to move (of a finished game, for the side that would be next).
    pub fn solve(&mut self, position: &Connect4) -> Value {
        let size = (position.columns(), position.rows());
        if size != self.size {
            self.entries.fill(Entry::default());
            self.size = size;
        }
        match position.outcome() {
            Some(outcome) => Value::from_sign(finished(outcome, position)),
            None => Value::from_sign(self.search(position, -1, 1)),
        }
    }

    /// The moves that keep the value of a position.
    pub fn best_moves(&mut self, position: &Connect4) -> (Value, Vec<Move>) {
        let value = self.solve(position);
        let keeps =
            |solver: &mut Self, chosen: Move| solver.solve(&position.play(chosen)) as i8 == -(value as i8);
        let best = position.moves().filter(|&chosen| keeps(self, chosen)).collect();
        (value, best)
    }

    fn search(&mut self, position: &Connect4, mut alpha: i8, mut beta: i8) -> i8 {
        self.nodes += 1;
        let mine = position.discs[position.side().index()];
        let theirs = position.discs[position.side().opponent().index()];
        // Win at once if possible. Otherwise the opponent's threat must be met; two threats cannot be.
        if position.moves().any(|chosen| position.has_four(mine | position.landing(chosen))) {
            return 1;
        }
        let threatened = |chosen: &Move| position.has_four(theirs | position.landing(*chosen));
        let mut to_meet = position.moves().filter(threatened);
        let forced = to_meet.next();
        if to_meet.next().is_some() {
            return -1;
        }
        let key = mine + (mine | theirs) + position.bottom();
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & (self.entries.len() - 1);
        let entry = self.entries[place];
        let (mut low, mut high) = (-1, 1);
        if entry.key == key {
            (low, high) = (entry.low, entry.high);
            alpha = alpha.max(low);
            beta = beta.min(high);
            if alpha >= beta {
                return alpha;
            }
        }
        let (mut order, mut count) = ([(0i32, 0u8); Connect4::MOST_COLUMNS], 0);
        for chosen in position.moves() {
            if forced.is_none_or(|only| only == chosen) {
                // First the moves that create the most threats, the centre before the edge.
                let next = mine | position.landing(chosen);
                let centre = 2 * i32::from(chosen) + 1 - i32::from(position.columns);
                order[count] = (-(threats(position, next, theirs) * 16 - centre.abs()), chosen);
                count += 1;
            }
        }
        order[..count].sort_unstable();
        let (old_alpha, mut best) = (alpha, -1);
        for &(_, chosen) in &order[..count] {
            let child = position.play(chosen);
            let value = match child.outcome() {
                Some(outcome) => -finished(outcome, &child),
                None => -self.search(&child, -beta, -alpha),
            };
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        // A value within the window is exact, one outside is a bound.
        if best > old_alpha {
            low = low.max(best);
        }
        if best < beta {
            high = high.min(best);
        }
        self.entries[place] = Entry { key, low, high };
        best
    }
}

/// The number of free squares that would complete four.
fn threats(position: &Connect4, mine: u64, theirs: u64) -> i32 {
    let free = position.board() & !(mine | theirs);
    let mut found = 0;
    let down = |bits: u64, by: u32| bits.checked_shr(by).unwrap_or(0);
    let up = |bits: u64, by: u32| bits.checked_shl(by).unwrap_or(0);
    for d in position.directions() {
        let (below, above) = (up(mine, d), down(mine, d));
        let (two_below, two_above) = (below & up(mine, 2 * d), above & down(mine, 2 * d));
        found |= two_below & up(mine, 3 * d)
            | two_above & down(mine, 3 * d)
            | two_below & above
            | two_above & below;
    }
    (found & free).count_ones() as i32
}

/// Minimax by its definition: every line to its end.
pub fn plain_minimax(position: &Connect4) -> Value {
    fn sign(position: &Connect4) -> i8 {
        match position.outcome() {
            Some(outcome) => finished(outcome, position),
            None => position.moves().map(|chosen| -sign(&position.play(chosen))).max().unwrap_or(0),
        }
    }
    Value::from_sign(sign(position))
}

/// Alpha-beta without a table, centre first.
pub fn plain_alpha_beta(position: &Connect4) -> Value {
    fn sign(position: &Connect4, order: &[Move], mut alpha: i8, beta: i8) -> i8 {
        if let Some(outcome) = position.outcome() {
            return finished(outcome, position);
        }
        let moves = position.moves();
        for &chosen in order.iter().filter(|&&chosen| moves.contains(chosen)) {
            alpha = alpha.max(-sign(&position.play(chosen), order, -beta, -alpha));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }
    let mut order: Vec<Move> = (0..position.columns).collect();
    order.sort_by_key(|&column| (2 * i32::from(column) + 1 - i32::from(position.columns)).abs());
    Value::from_sign(sign(position, &order, -1, 1))
}
