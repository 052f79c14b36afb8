//! The resource of a search: calls of the move routine. A call is one child position generated. Searches that are bounded
//! by calls make children nowhere else.

use crate::position::{Move, Position};

/// How many children a search may still generate.
#[derive(Clone, Copy, Debug)]
pub struct Calls {
    bound: u64,
    left: u64,
}

impl Calls {
    /// A bound.
    pub fn new(bound: u64) -> Self {
        Self { bound, left: bound }
    }

    /// Makes a child; `None` if the bound is reached.
    #[inline]
    pub fn child<P: Position>(&mut self, position: &P, chosen: Move) -> Option<P> {
        self.left = self.left.checked_sub(1)?;
        Some(position.play(chosen))
    }

    /// How many may still be made.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// How many were made.
    pub fn used(&self) -> u64 {
        self.bound - self.left
    }
}
