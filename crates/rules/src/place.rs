//! The place of a node: who moves there, and how high it is above the leaves.

/// Who moves at a node: in the synthetic trees levels alternate, MAX at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mover {
    /// The player from whose point of view values are given.
    Max,
    /// The opponent.
    Min,
}

impl Mover {
    /// Who moves at level `level` (the root is level 0) if the players alternate.
    pub fn at(level: usize) -> Self {
        if level.is_multiple_of(2) { Self::Max } else { Self::Min }
    }

    /// Where a move of this size leads from a position: up for MAX, down for MIN.
    ///
    /// ```
    /// use prodmax_rules::Mover;
    /// assert_eq!((Mover::Max.step(5, 3), Mover::Min.step(5, 3)), (8, 2));
    /// ```
    #[inline]
    pub fn step(self, position: i32, increment: i32) -> i32 {
        match self {
            Self::Max => position + increment,
            Self::Min => position - increment,
        }
    }

    /// The first and the last position that moves up to this size lead to.
    ///
    /// ```
    /// use prodmax_rules::Mover;
    /// assert_eq!((Mover::Max.reached(5, 3), Mover::Min.reached(5, 3)), ([5, 8], [2, 5]));
    /// ```
    #[inline]
    pub fn reached(self, position: i32, greatest: i32) -> [i32; 2] {
        let farthest = self.step(position, greatest);
        [position.min(farthest), position.max(farthest)]
    }

    /// The first and the last position from which moves up to this size lead into a window.
    ///
    /// ```
    /// use prodmax_rules::Mover;
    /// assert_eq!((Mover::Max.origins([5, 9], 3), Mover::Min.origins([5, 9], 3)), ([2, 9], [5, 12]));
    /// ```
    #[inline]
    pub fn origins(self, [first, last]: [i32; 2], greatest: i32) -> [i32; 2] {
        [self.opponent().reached(first, greatest)[0], self.opponent().reached(last, greatest)[1]]
    }

    /// The other player.
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::Max => Self::Min,
            Self::Min => Self::Max,
        }
    }
}

/// What a rule may know about a node besides its children's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Who moves.
    pub mover: Mover,
    /// Plies above the leaves: 1 for a node whose children are leaves.
    pub height: usize,
}

impl Place {
    /// A node at level `level` of a tree of uniform depth, with MAX to move at the root.
    ///
    /// ```
    /// use prodmax_rules::{Mover, Place};
    /// assert_eq!(Place::in_tree(1, 3), Place { mover: Mover::Min, height: 2 });
    /// ```
    pub fn in_tree(level: usize, depth: usize) -> Self {
        Self { mover: Mover::at(level), height: depth.saturating_sub(level) }
    }
}
