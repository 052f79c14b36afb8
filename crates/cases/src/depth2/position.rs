//! The four leaves of the basic situation (KHS Fig. 3) and sets of them.

use std::fmt;

/// A leaf of the basic situation: M1, M2 are the children of M, P1, P2 those of P.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// The greater child of M.
    M1,
    /// The smaller child of M.
    M2,
    /// The greater child of P.
    P1,
    /// The smaller child of P.
    P2,
}

impl Position {
    /// The four leaves, in the order in which the paper names them.
    pub const ALL: [Self; 4] = [Self::M1, Self::M2, Self::P1, Self::P2];

    /// The order (4) of the four values, lowest first: P2 <= M2 <= M1 <= P1.
    pub(crate) const ASCENDING: [Self; 4] = [Self::P2, Self::M2, Self::M1, Self::P1];

    /// `M1`, `M2`, `P1` or `P2`.
    pub fn name(self) -> &'static str {
        match self {
            Self::M1 => "M1",
            Self::M2 => "M2",
            Self::P1 => "P1",
            Self::P2 => "P2",
        }
    }

    /// The name with a subscript, as LaTeX math: `M_1`.
    pub fn latex(self) -> &'static str {
        match self {
            Self::M1 => "M_1",
            Self::M2 => "M_2",
            Self::P1 => "P_1",
            Self::P2 => "P_2",
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of leaves: those that are won, or those that are evaluated wrongly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Positions(u8);

impl Positions {
    /// No leaf.
    pub const NONE: Self = Self(0);

    /// The 16 sets.
    pub fn subsets() -> impl Iterator<Item = Self> {
        (0..16).map(Self)
    }

    /// The set whose bit i says whether it contains the i-th of [`Position::ALL`].
    pub(super) fn from_bits(bits: u8) -> Self {
        Self(bits & 0b1111)
    }

    /// Whether the leaf is in the set.
    pub fn contains(self, position: Position) -> bool {
        self.0 >> position as u8 & 1 == 1
    }

    /// The number of leaves in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no leaf is in the set.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// The leaves that are not in the set.
    pub fn complement(self) -> Self {
        Self::from_bits(!self.0)
    }

    /// The leaves in exactly one of the two sets: those that are truly won, if one set contains the leaves that are
    /// evaluated as won and the other those that are evaluated wrongly.
    pub(crate) fn symmetric_difference(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// The leaves of the set, in the order of [`Position::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Position> {
        Position::ALL.into_iter().filter(move |&position| self.contains(position))
    }
}

impl FromIterator<Position> for Positions {
    fn from_iter<T: IntoIterator<Item = Position>>(positions: T) -> Self {
        Self(positions.into_iter().fold(0, |bits, position| bits | 1 << position as u8))
    }
}

impl fmt::Display for Positions {
    /// The names, separated by commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().map(Position::name).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_named_twice_is_in_the_set_once() {
        let set: Positions = [Position::M2, Position::P1, Position::M2].into_iter().collect();
        assert_eq!(set.to_string(), "M2, P1");
    }
}
