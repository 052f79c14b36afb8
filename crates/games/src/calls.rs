//! The resource of a search: calls of the move routine. A call generates one child position. Searches that are
//! bounded by calls generate children only here.

use crate::position::{Move, Position};

/// How many children a search may still generate.
#[derive(Clone, Copy, Debug)]
pub struct Calls {
    bound: u64,
    left: u64,
}

impl Calls {
    /// With a bound on the number of children.
    pub fn new(bound: u64) -> Self {
        Self { bound, left: bound }
    }

    /// Generates a child; `None` if the bound is reached.
    #[inline]
    pub fn child<P: Position>(&mut self, position: &P, chosen: Move) -> Option<P> {
        self.left = self.left.checked_sub(1)?;
        Some(position.play(chosen))
    }

    /// How many children may still be generated.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// How many children were generated.
    pub fn used(&self) -> u64 {
        self.bound - self.left
    }
}
