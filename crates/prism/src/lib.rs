//! The increment model in the PRISM language, so that a probabilistic model checker can confirm a figure
//! without trusting this project.
//!
//! Only two things are handed over: the numbers of the model (root, increments, line) and the values of the two
//! curves, which the language cannot compute. Everything else the checker does itself: it draws the increments,
//! draws the truth of every leaf, backs the truth up by the rule of the game and the values by min and max and
//! by products, and compares. None of the class tables, orders or sums of the other crates is used.
//!
//! The model draws one node after the other. Three things keep it small, and none of them changes a probability:
//! a value is forgotten as soon as both children have been drawn from it, the truth of a subtree is one bit, and
//! siblings that have been completed are put in order, because neither rule looks at their order.

mod backup;
mod process;
mod values;

use std::fmt::Write;

use prodmax_enumerate::{Model, Zero};
use prodmax_mass::Curve;
use thiserror::Error;

/// The deepest model that is written: beyond it no checker builds the state space.
pub const MAX_DEPTH: usize = 5;

/// Why a model is not written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PrismError {
    /// Too many leaves for any model checker.
    #[error("a model of depth {0} has too many states for a model checker; write one of at most {MAX_DEPTH}")]
    TooDeep(usize),
}

/// The model as a discrete-time Markov chain with the labels `minimax_errs`, `product_errs` and `critical`.
///
/// ```
/// use prodmax_enumerate::{Model, Zero};
/// use prodmax_mass::Curve;
/// let model = Model::new(1, &[2, 1], Zero::Skip, 42)?;
/// let text = prodmax_prism::write(&model, &Curve::arctan(4), &Curve::arctan(1))?;
/// assert!(text.contains("label \"minimax_errs\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(model: &Model, truth: &Curve, estimate: &Curve) -> Result<String, PrismError> {
    if model.depth() > MAX_DEPTH {
        return Err(PrismError::TooDeep(model.depth()));
    }
    let mut text = header(model, truth, estimate);
    text.push_str("dtmc\n\n");
    text.push_str(&values::constants(model, truth, estimate));
    text.push_str(&backup::formulas(model));
    text.push_str(&process::module(model));
    text.push_str(&backup::labels(model));
    Ok(text)
}

fn header(model: &Model, truth: &Curve, estimate: &Curve) -> String {
    let increments: Vec<String> = model.increments().iter().map(ToString::to_string).collect();
    let zero = match model.line().zero() {
        Zero::Skip => "there is no value 0: one step up from -1 is +1",
        Zero::Allow => "the value 0 exists",
    };
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "// Root {root}, increments {increments}, h_max {h_max}; {zero}.\n\
         // Truth {truth}, estimate {estimate}. {trees} ordered trees, all equally likely.\n\
         //\n\
         //   m = P=? [ F \"minimax_errs\" ]   the rules disagree, Minimax's move is lost and Product's is won\n\
         //   p = P=? [ F \"product_errs\" ]   the rules disagree, Product's move is lost and Minimax's is won\n\
         //\n\
         // The difference in percent is 100 (p - m) / (p + m): positive favours Minimax. Times the number of\n\
         // trees, m and p are the error masses and P=? [ F \"critical\" ] is the number of critical trees.\n\n",
        root = model.root(),
        increments = increments.join(","),
        h_max = model.line().h_max(),
        trees = model.trees(),
    );
    text
}

/// The two moves of the root. Their leaves are `a1`, `a2`, … and `b1`, `b2`, …
const BRANCHES: [char; 2] = ['a', 'b'];

/// The number of leaves below each move of the root.
fn leaves(model: &Model) -> usize {
    1 << (model.depth() - 1)
}

/// The name of a leaf; leaves count from 1.
fn leaf(branch: usize, index: usize) -> String {
    format!("{}{}", BRANCHES[branch], index + 1)
}
