//! The symbolic case analysis of minimaxing versus product propagation: integers and polynomials, no tree
//! model and no floating point.
//!
//! Minimax picks the depth-1 node M, Product the node P. If one node is won and the other is lost, whoever picks the
//! won node is right; if M and P are both won or both lost, the choice is irrelevant. A leaf at or above the draw
//! value is evaluated WIN, one below LOSS, and the true value of a wrongly evaluated leaf is the opposite.
//!
//! - [`depth2`] derives the 80 cases of KHS section IV, Table I, and the formulas (5) to (7).
//! - [`depth3`] does the same exhaustively for depth 3: every order of the eight leaves, every position of the
//!   draw value, every error pattern.
//! - [`zero`] is the convention for leaves that lie exactly on the draw value.
//!
//! # What the balance of Table I says, and what it does not
//!
//! For a fixed evaluation the error patterns permute the truths of the leaves: every truth occurs exactly once.
//! As many truths make M won and P lost as the other way round, because M and P are nodes of the same shape. So
//! the balance 15 : 15 of Table I is not a property of the two rules; it holds in every single interval (3 : 3)
//! and likewise at every depth. It also explains the factor g(p) = 1 - 2p: at p = 1/2 all patterns have the same
//! weight, so every difference of error masses vanishes there.

mod balance;
mod decision;
pub mod depth2;
pub mod depth3;
pub mod zero;

pub use balance::{Balance, Masses};
pub use decision::{Decision, Side};
