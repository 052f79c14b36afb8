//! Depth 3, exhaustively: the analysis that KHS section IV estimates at "80 000 cases" and leaves aside.
//!
//! The root is a MAX node; its children M (preferred by Minimax) and P are MIN nodes; their children M1, M2 and
//! P1, P2 are MAX nodes with two leaves each: M11, M12, M21, M22, P11, P12, P21, P22.
//!
//! 1. An [`OrderType`] is a linear order of the eight leaves up to the symmetries of the tree: 8!/64 = 630.
//! 2. In half of them, 315, Minimax prefers M. For each of these a [`Possibility`] says whether Product can prefer P:
//!    a [`Witness`] of rational probabilities where yes (201 types), a [`Proof`] where no (114 types). None stays
//!    undecided.
//! 3. Each possible type has 9 positions of the draw value and 256 error patterns: 463,104 [`Case`]s, decided
//!    by the game rule; 227,934 are critical. Truth depends only on which leaves lie above the draw value, so
//!    balances and polynomials are cached by this set of leaves ([`Outcomes`]).
//!
//! As at depth 2 the totals are balanced, 63 : 63 for each type and draw position, and 1 - 2p divides every
//! difference of error masses. The whole analysis takes some 20 ms on one core.
//!
//! # Ties between leaves
//!
//! Equal leaves may be ranked either way, and nothing changes. *Which type is possible*: that Minimax strictly
//! prefers M and Product strictly prefers P is an open condition, so it survives moving equal leaves
//! infinitesimally apart in either direction; hence a critical tree lies in a possible type however its ties are
//! broken. *Which side is right*: no draw value separates equal leaves, so the positions of the draw value at
//! which two ways of breaking a tie differ do not occur, and at all others the same leaves lie above it. Leaves
//! on the draw value itself are the subject of [`crate::zero`].

mod analysis;
mod case;
mod leaf;
mod order_type;
mod outcome;
mod possibility;
mod proof;
mod tally;
mod witness;

pub use analysis::{Analysis, Summary};
pub use case::Case;
pub use leaf::{Leaf, Leaves};
pub use order_type::OrderType;
pub use outcome::Outcomes;
pub use possibility::Possibility;
pub use proof::{Argument, Proof};
pub use tally::Tally;
pub use witness::Witness;

/// The numbers of depth-3 cases that favour each side, by number of errors (0 to 8).
pub type Balance = crate::balance::Balance<9>;

/// The number of positions of the draw value among eight leaves: 0 to 8 of them lie below it.
pub const DRAW_POSITIONS: usize = 9;
