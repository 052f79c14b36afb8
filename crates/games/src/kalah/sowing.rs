//! Where the stones from a hole fall: two words from a table, to be added to the rows.

use super::{Kalah, Row, STORE_SHIFT};

/// What sowing adds to both rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sown {
    /// Added to the row of the mover, store included.
    pub(super) own: Row,
    /// Added to the row of the opponent.
    pub(super) other: Row,
    /// Where the last stone falls: a hole of the mover (less than the number of holes), the mover's store (equal to
    /// it) or a hole of the opponent (greater).
    pub(super) last: u8,
}

const NOTHING: Sown = Sown { own: 0, other: 0, last: 0 };
const MAX_HOLES: usize = Kalah::MAX_HOLES;

/// By holes per side, hole and stones that are left after whole rounds.
static TABLE: [[[Sown; 2 * MAX_HOLES + 1]; MAX_HOLES]; MAX_HOLES + 1] = table();

/// The stones in one round: the mover's holes, the mover's store and the opponent's holes.
const fn round(holes: usize) -> usize {
    2 * holes + 1
}

const fn table() -> [[[Sown; 2 * MAX_HOLES + 1]; MAX_HOLES]; MAX_HOLES + 1] {
    let mut table = [[[NOTHING; 2 * MAX_HOLES + 1]; MAX_HOLES]; MAX_HOLES + 1];
    let mut holes = 1;
    while holes <= MAX_HOLES {
        let mut hole = 0;
        while hole < holes {
            let mut sown = Sown { own: 0, other: 0, last: hole as u8 };
            let mut stones = 0;
            while stones < round(holes) {
                if stones > 0 {
                    sown = with_one_more(sown, holes);
                }
                table[holes][hole][stones] = sown;
                stones += 1;
            }
            hole += 1;
        }
        holes += 1;
    }
    table
}

const fn with_one_more(sown: Sown, holes: usize) -> Sown {
    let last = (sown.last as usize + 1) % round(holes);
    let (mut own, mut other) = (sown.own, sown.other);
    if last < holes {
        own += 1 << (8 * last);
    } else if last == holes {
        own += 1 << STORE_SHIFT;
    } else {
        other += 1 << (8 * (last - holes - 1));
    }
    Sown { own, other, last: last as u8 }
}

/// Sows the stones of a hole.
#[inline]
pub(super) fn sow(holes: u8, hole: u8, stones: u8) -> Sown {
    let of_hole = &TABLE[usize::from(holes)][usize::from(hole)];
    let length = 2 * holes + 1;
    if stones < length {
        return of_hole[usize::from(stones)];
    }
    let rounds = Row::from(stones / length);
    let rest = of_hole[usize::from(stones % length)];
    let every_hole = super::ONES & ((1 << (8 * u32::from(holes))) - 1);
    Sown {
        own: rest.own + rounds * (every_hole | 1 << STORE_SHIFT),
        other: rest.other + rounds * every_hole,
        last: rest.last,
    }
}
