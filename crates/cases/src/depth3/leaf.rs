//! The eight leaves and sets of them.

use std::fmt;

/// A leaf: `M12` is the second child of the first child of M.
///
/// In an [`super::OrderType`] the names are given by value, as the paper names the leaves of depth 2: the first
/// of two siblings is the greater one, and the first of two nodes is the one with the greatest leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // The names say it all.
pub enum Leaf {
    M11,
    M12,
    M21,
    M22,
    P11,
    P12,
    P21,
    P22,
}

impl Leaf {
    /// The eight leaves, in the order of the tree.
    pub const ALL: [Self; 8] =
        [Self::M11, Self::M12, Self::M21, Self::M22, Self::P11, Self::P12, Self::P21, Self::P22];

    /// The four leaves below M.
    pub const OF_M: [Self; 4] = [Self::M11, Self::M12, Self::M21, Self::M22];

    /// The four leaves below P.
    pub const OF_P: [Self; 4] = [Self::P11, Self::P12, Self::P21, Self::P22];

    /// `M11`, …, `P22`.
    pub fn name(self) -> &'static str {
        match self {
            Self::M11 => "M11",
            Self::M12 => "M12",
            Self::M21 => "M21",
            Self::M22 => "M22",
            Self::P11 => "P11",
            Self::P12 => "P12",
            Self::P21 => "P21",
            Self::P22 => "P22",
        }
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of leaves: those that are won, or those that are evaluated wrongly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Leaves(u8);

impl Leaves {
    /// The 256 sets, ascending by [`Self::bits`].
    pub fn subsets() -> impl Iterator<Item = Self> {
        (0..=u8::MAX).map(Self)
    }

    /// The set whose bit i says whether it contains the i-th of [`Leaf::ALL`].
    pub fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The set as a byte: bit i says whether it contains the i-th of [`Leaf::ALL`].
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether the leaf is in the set.
    pub fn contains(self, leaf: Leaf) -> bool {
        self.0 >> leaf as u8 & 1 == 1
    }

    /// The number of leaves in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no leaf is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The leaves in exactly one of the two sets: those that are truly won, if one set contains the leaves that are
    /// evaluated as won and the other those that are evaluated wrongly.
    pub(crate) fn symmetric_difference(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// The leaves of the set, in the order of [`Leaf::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Leaf> {
        Leaf::ALL.into_iter().filter(move |&leaf| self.contains(leaf))
    }

    /// Whether M and P are won if exactly these leaves are: a MAX node of depth 2 is won iff one of its leaves is,
    /// the MIN nodes M and P iff both their children are.
    pub(crate) fn nodes_won(self) -> (bool, bool) {
        let won = |leaves: u8| leaves & 0b0011 != 0 && leaves & 0b1100 != 0;
        (won(self.0 & 0b1111), won(self.0 >> 4))
    }
}

impl FromIterator<Leaf> for Leaves {
    fn from_iter<T: IntoIterator<Item = Leaf>>(leaves: T) -> Self {
        Self(leaves.into_iter().fold(0, |bits, leaf| bits | 1 << leaf as u8))
    }
}

impl fmt::Display for Leaves {
    /// The names, separated by commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().map(Leaf::name).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_named_twice_is_in_the_set_once() {
        let set: Leaves = [Leaf::P12, Leaf::M21, Leaf::P12].into_iter().collect();
        assert_eq!(set.to_string(), "M21, P12");
    }

    #[test]
    fn the_game_rule_is_min_of_max() {
        for set in Leaves::subsets() {
            let [m11, m12, m21, m22, p11, p12, p21, p22] = Leaf::ALL.map(|leaf| set.contains(leaf));
            let expected = (m11.max(m12).min(m21.max(m22)), p11.max(p12).min(p21.max(p22)));
            assert_eq!(set.nodes_won(), expected, "{set}");
        }
    }

    #[test]
    fn sets_collect_and_print() {
        let set = Leaves::from_iter([Leaf::P22, Leaf::M12]);
        assert_eq!((set.to_string().as_str(), set.len(), set.bits()), ("M12, P22", 2, 0b1000_0010));
        assert_eq!(Leaves::from_bits(set.bits()), set);
        assert!(!set.is_empty() && Leaves::default().is_empty());
        assert_eq!(Leaves::subsets().count(), 256);
    }
}
