//! The 630 linear orders of the eight leaves up to the symmetries of the tree.

use std::fmt;

use super::leaf::{Leaf, Leaves};

/// A linear order of the eight leaves, up to swapping the leaves of a depth-2 node and the depth-2 nodes of M
/// and of P (M and P themselves keep their roles): 8!/(2^3 * 2^3) = 630 types.
///
/// The names are chosen so that M11 > M12, M21 > M22, M11 > M21, and likewise below P.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderType {
    /// The rank of each leaf, in the order of [`Leaf::ALL`]; 0 is the lowest.
    ranks: [u8; 8],
}

/// The sets of four out of eight ranks, ascending as bytes: the ranks that M's leaves can have.
const RANKS_OF_M: [u8; 70] = {
    let mut sets = [0; 70];
    let (mut count, mut byte) = (0, 0);
    while byte < 256 {
        if (byte as u8).count_ones() == 4 {
            sets[count] = byte as u8;
            count += 1;
        }
        byte += 1;
    }
    sets
};

/// The index of each byte in [`RANKS_OF_M`], for bytes with four bits.
const PLACE_OF_RANKS: [u8; 256] = {
    let mut places = [0; 256];
    let mut place = 0;
    while place < RANKS_OF_M.len() {
        places[RANKS_OF_M[place] as usize] = place as u8;
        place += 1;
    }
    places
};

/// The ways to pair four leaves off: the greatest with the second, third or fourth.
const PAIRINGS: usize = 3;

impl OrderType {
    /// The number of order types.
    pub const COUNT: usize = RANKS_OF_M.len() * PAIRINGS * PAIRINGS;

    /// All order types, by index.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).filter_map(Self::from_index)
    }

    /// The order type with this index; `None` from [`Self::COUNT`] on.
    pub fn from_index(index: usize) -> Option<Self> {
        let of_m = *RANKS_OF_M.get(index / (PAIRINGS * PAIRINGS))?;
        let m = paired(of_m, 1 + index / PAIRINGS % PAIRINGS);
        let p = paired(!of_m, 1 + index % PAIRINGS);
        Some(Self { ranks: [m[0], m[1], m[2], m[3], p[0], p[1], p[2], p[3]] })
    }

    /// The index, from 0 to 629: by the ranks of M's leaves, then by the mates of M11 and of P11.
    pub fn index(&self) -> usize {
        let of_m = self.ranks[..4].iter().fold(0u8, |set, rank| set | 1 << rank);
        // How many of the lesser node's leaves are greater than the mate of the greatest leaf.
        let pairing = |ranks: &[u8]| ranks[2..].iter().filter(|&&rank| rank > ranks[1]).count();
        let place = usize::from(PLACE_OF_RANKS[usize::from(of_m)]);
        (place * PAIRINGS + pairing(&self.ranks[..4])) * PAIRINGS + pairing(&self.ranks[4..])
    }

    /// The order type of eight leaf values, given in the order of [`Leaf::ALL`] with any naming of siblings.
    /// Equal leaves are ranked in this order, the later one higher; [`crate::depth3`] shows that this choice makes no
    /// difference.
    ///
    /// ```
    /// use prodmax_cases::depth3::OrderType;
    /// let order = OrderType::of_values(&[3, 5, 7, 1, 2, 8, 4, 6]);
    /// assert_eq!(order.to_string(), "M12 < P12 < M22 < P22 < M21 < P21 < M11 < P11");
    /// ```
    pub fn of_values<T: Ord>(values: &[T; 8]) -> Self {
        let mut ranks = [0u8; 8];
        for (i, value) in values.iter().enumerate() {
            let lower = values.iter().enumerate().filter(|&(j, other)| (other, j) < (value, i));
            ranks[i] = lower.count() as u8;
        }
        let [m11, m12, m21, m22, p11, p12, p21, p22] = ranks;
        let m = named([m11, m12], [m21, m22]);
        let p = named([p11, p12], [p21, p22]);
        Self { ranks: [m[0], m[1], m[2], m[3], p[0], p[1], p[2], p[3]] }
    }

    /// The order type of a copy of a tree in which leaves of value 0 are moved off the draw value: those in
    /// `above` lie above it, the others below (see [`crate::zero`]).
    pub(crate) fn of_copy(values: &[i64; 8], above: Leaves) -> Self {
        let side = |leaf: Leaf| above.contains(leaf);
        Self::of_values(&Leaf::ALL.map(|leaf| (values[leaf as usize], side(leaf))))
    }

    /// The rank of a leaf, 0 being the lowest.
    pub fn rank(&self, leaf: Leaf) -> usize {
        usize::from(self.ranks[leaf as usize])
    }

    /// The leaves from the lowest to the greatest.
    pub fn ascending(&self) -> [Leaf; 8] {
        let mut leaves = Leaf::ALL;
        leaves.sort_by_key(|&leaf| self.rank(leaf));
        leaves
    }

    /// Whether Minimax prefers M: the minimax value of M is M21, the greatest leaf of its lesser node, that of
    /// P is P21.
    pub fn minimax_prefers_m(&self) -> bool {
        self.rank(Leaf::M21) > self.rank(Leaf::P21)
    }

    /// The leaves that are evaluated WIN if `below` leaves lie below the draw value.
    pub fn evaluated_won(&self, below: usize) -> Leaves {
        Leaf::ALL.into_iter().filter(|&leaf| self.rank(leaf) >= below).collect()
    }
}

/// Four ranks, given as a set of bits, with the greatest paired with the `mate`-th after it.
fn paired(ranks: u8, mate: usize) -> [u8; 4] {
    let mut descending = [0; 4];
    let members = (0..8u8).rev().filter(|rank| ranks >> rank & 1 == 1);
    for (place, rank) in descending.iter_mut().zip(members) {
        *place = rank;
    }
    // Bring the mate forward; the other two keep their order.
    descending[1..=mate].rotate_right(1);
    descending
}

/// Names the leaves of two sibling nodes: the greater first, the node with the greatest leaf first.
fn named(first: [u8; 2], second: [u8; 2]) -> [u8; 4] {
    let sorted = |[a, b]: [u8; 2]| [a.max(b), a.min(b)];
    let (first, second) = (sorted(first), sorted(second));
    let (greater, lesser) = if first > second { (first, second) } else { (second, first) };
    [greater[0], greater[1], lesser[0], lesser[1]]
}

impl fmt::Display for OrderType {
    /// The chain from the lowest to the greatest leaf.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.ascending().map(Leaf::name).join(" < "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_number_the_types() {
        assert_eq!(OrderType::COUNT, 630);
        for index in 0..OrderType::COUNT {
            let order = OrderType::from_index(index).unwrap();
            assert_eq!(order.index(), index);
            // The type of its own ranks is the type itself.
            assert_eq!(OrderType::of_values(&Leaf::ALL.map(|leaf| order.rank(leaf))), order);
        }
        assert_eq!(OrderType::from_index(OrderType::COUNT), None);
        assert_eq!(OrderType::all().count(), 630);
    }

    #[test]
    fn leaves_are_named_by_value() {
        for order in OrderType::all() {
            for [a, b, c, d] in [Leaf::OF_M, Leaf::OF_P].map(|leaves| leaves.map(|leaf| order.rank(leaf))) {
                assert!(a > b && c > d && a > c, "{order}");
            }
        }
    }

    #[test]
    fn ties_go_to_the_later_leaf() {
        let order = OrderType::of_values(&[0; 8]);
        assert_eq!(order, OrderType::of_values(&[0, 1, 2, 3, 4, 5, 6, 7]));
        assert_eq!(order.to_string(), "M22 < M21 < M12 < M11 < P22 < P21 < P12 < P11");
    }

    #[test]
    fn zeros_of_a_copy_are_moved_to_their_side() {
        let values = [0, 0, 1, -1, 2, -2, 3, -3];
        // M12 above the draw value, M11 below: M12 is now the greater of the two.
        let copy = OrderType::of_copy(&values, Leaves::from_iter([Leaf::M12]));
        assert_eq!(copy, OrderType::of_values(&[-1, 1, 10, -10, 20, -20, 30, -30]));
    }

    #[test]
    fn the_draw_value_cuts_the_order() {
        let order = OrderType::of_values(&[3, 5, 7, 1, 2, 8, 4, 6]);
        for below in 0..=8 {
            let won = order.evaluated_won(below);
            assert_eq!(won.len(), 8 - below);
            assert_eq!(won, order.ascending()[below..].iter().copied().collect());
        }
    }
}
