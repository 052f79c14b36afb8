//! The increment model of synthetic game trees and the exact enumeration of all its trees.
//!
//! A [`Model`] consists of a root value, the greatest increment of each level and the number of moves of a node, two
//! by default. Three enumerators produce the same trees, each with one more reduction, so that each checks the next:
//!
//! 1. [`Naive`] visits every ordered tree;
//! 2. [`Unordered`] visits every tree once up to the order of siblings, with its multiplicity;
//! 3. [`Merged`] visits every multiset (in a binary model: pair) of depth-1 classes of the [`ClassTable`], in which
//!    equal subtrees are one class wherever they hang. The table is the engine that the mass crate sweeps over.
//!
//! Nothing here knows about curves, backup rules or probabilities.

mod children;
mod classes;
mod counted;
pub mod effort;
mod model;
mod plan;
mod reach;
mod tree;
mod trees;

pub use children::{Children, Nodes};
pub use classes::{ClassTable, DepthOne, EnumerateError, Level};
pub use counted::{Checked, count_classes};
pub use model::{Model, ModelError};
pub use plan::{LevelPlan, Plan};
pub use prodmax_rules::{HeuristicValue, Line, LineError, Mover, Place, ZeroMode};
pub use tree::{Shape, Tree, TreeError};
pub use trees::{Enumerator, Merged, Naive, Unordered, WeightedTree, canonicalize};
