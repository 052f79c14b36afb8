//! The increment model in the PRISM language, so that a probabilistic model checker can confirm a figure
//! without trusting this project.
//!
//! Only two things are handed over: the numbers of the model (root, increments, line) and the values of the two
//! curves, which the language cannot compute. The checker does everything else itself: it draws the increments and
//! the truth of every leaf, backs up the truth by the rule of the game and the values by both rules, and compares.
//! None of the class tables, orders or sums of the other crates is used, except for one constant with rules other
//! than Minimax and Product: the difference below which two values count as equal.
//!
//! The model draws one node after another. Three things keep it small, and none of them changes a probability: a
//! value is forgotten as soon as all children have been drawn from it, the truth of a subtree is one bit, and
//! completed siblings are put in order, because neither rule looks at their order.

mod backup;
mod effort;
mod process;
mod rules;
mod ties;
mod values;

use std::fmt::Write;

use num_traits::Zero as _;
use prodmax_enumerate::{Model, ZeroMode};
use prodmax_mass::Curve;
use prodmax_rules::Rule;
use thiserror::Error;

pub use effort::effort;
pub use rules::MAX_EXPONENT;
use rules::Written;

/// The deepest model that is written: no checker could build the state space of a deeper one.
pub const MAX_DEPTH: usize = 5;

/// The maximum number of moves of a node in a written model.
pub const MAX_BRANCHING: usize = 6;

/// The maximum number of leaves below a move of the root, that of a binary model of the greatest depth.
pub const MAX_LEAVES: usize = 1 << (MAX_DEPTH - 1);

/// Why a model cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PrismError {
    /// Too many leaves for any model checker.
    #[error("a model of depth {0} has too many states for a model checker; write one of at most {MAX_DEPTH}")]
    TooDeep(usize),
    /// No choice, or too many moves for any model checker.
    #[error(
        "with {0} moves everywhere there is no choice, or there are too many states for a model checker; write a model \
         with 2 to {MAX_BRANCHING} moves"
    )]
    Branching(usize),
    /// Too many leaves below a move for any model checker.
    #[error(
        "{0} leaves below a move of the root are too many states for a model checker; write a model with at most {MAX_LEAVES}"
    )]
    Leaves(usize),
    /// A rule that the language cannot express.
    #[error(
        "{rule} sorts the moves by their hints, which takes more than a formula of the PRISM language; use minimax, \
         product, average:A, mean:P with P up to {MAX_EXPONENT}, or ideal"
    )]
    Rule {
        /// Its name.
        rule: String,
    },
    /// A generalised mean with too large an exponent.
    #[error(
        "{rule} has too large an exponent: powers are written out as products, and rounding errors are bounded for at most \
         {MAX_EXPONENT} factors; use P up to {MAX_EXPONENT}"
    )]
    Exponent {
        /// The name of the rule.
        rule: String,
    },
    /// Different values that doubles cannot tell apart.
    #[error(
        "in this model some different values of {rule} are {gap} apart, which a checker in doubles cannot tell from \
         a rounding error; use fewer levels, smaller increments or, for mean:P, a smaller P"
    )]
    TooNear {
        /// The name of the rule.
        rule: String,
        /// How far apart they are, e.g. `less than 1e-14`.
        gap: String,
    },
    /// Too many classes to compare all their values.
    #[error(
        "the model has too many classes of subtrees to prove how far apart their values are (and too many states \
         for a model checker); use smaller increments"
    )]
    TooManyClasses,
    /// The values could not be put in order.
    #[error("the values of the rules cannot be put in order: {0}")]
    Order(String),
}

/// The model as a discrete-time Markov chain with the label `critical` and a label for the errors of each rule, e.g.
/// `minimax_errs` and `mean_2_errs`.
///
/// ```
/// use prodmax_enumerate::{Model, ZeroMode};
/// use prodmax_mass::Curve;
/// let model = Model::new(1, &[2, 1], ZeroMode::Skip, 42)?;
/// let rules = ["minimax".parse()?, "mean:2".parse()?];
/// let text = prodmax_prism::write(&model, &Curve::arctan(4), &Curve::arctan(1), &rules)?;
/// assert!(text.contains("label \"minimax_errs\"") && text.contains("label \"mean_2_errs\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(
    model: &Model,
    truth: &Curve,
    estimate: &Curve,
    rules: &[Rule; 2],
) -> Result<String, PrismError> {
    if !(2..=MAX_BRANCHING).contains(&model.branching()) {
        return Err(PrismError::Branching(model.branching()));
    }
    if model.depth() > MAX_DEPTH {
        return Err(PrismError::TooDeep(model.depth()));
    }
    if leaves(model) > MAX_LEAVES {
        return Err(PrismError::Leaves(leaves(model)));
    }
    let rules = [Written::new(&rules[0])?, Written::new(&rules[1])?];
    let ties = ties::ties(model, truth, estimate, &rules)?;
    let zeros = values::leaf_values(model)
        .any(|h| estimate.exact(h.get(), model.line().h_max()).is_some_and(|value| value.is_zero()));
    let mut text = header(model, truth, estimate, &rules);
    text.push_str("dtmc\n\n");
    text.push_str(&values::constants(model, truth, estimate, &rules, &ties));
    text.push_str(&backup::formulas(model, &rules, &ties, zeros));
    text.push_str(&process::module(model));
    text.push_str(&backup::labels(model, &rules));
    Ok(text)
}

fn header(model: &Model, truth: &Curve, estimate: &Curve, rules: &[Written; 2]) -> String {
    let increments: Vec<String> = model.increments().iter().map(ToString::to_string).collect();
    let zero = match model.line().zero() {
        ZeroMode::Skip => "there is no value 0: one step up from -1 is +1",
        ZeroMode::Allow => "the value 0 exists",
    };
    let [first, second] = rules.each_ref().map(Written::name);
    let labels = rules.each_ref().map(|rule| format!("\"{}_errs\" ]", rule.identifier()));
    let width = labels.iter().map(String::len).max().unwrap_or(0);
    // The probabilities are named after the rules if their first letters differ.
    let [m, p] = rules.each_ref().map(|rule| rule.identifier().chars().next().unwrap_or('x'));
    let [m, p] = if m == p { ['f', 's'] } else { [m, p] };
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "// Root {root}, increments {increments}{moves}, h_max {h_max}; {zero}.\n\
         // Truth {truth}, estimate {estimate}. {trees} ordered trees, all equally likely.\n\
         //\n\
         //   {m} = P=? [ F {first_label:width$}   the rules disagree, {first}'s move is lost and {second}'s is won\n\
         //   {p} = P=? [ F {second_label:width$}   the rules disagree, {second}'s move is lost and {first}'s is won\n\
         //\n\
         // The difference in percent is 100 ({p} - {m}) / ({p} + {m}), positive if {first} errs less. Times the number of\n\
         // trees, {m} and {p} are the error masses and P=? [ F \"critical\" ] is the number of critical trees.\n\n",
        root = model.root(),
        increments = increments.join(","),
        moves = if model.is_binary() { String::new() } else { format!(", {} moves", model.branching()) },
        h_max = model.line().h_max(),
        trees = model.trees(),
        first_label = labels[0],
        second_label = labels[1],
    );
    text
}

/// The name of a move of the root: `a`, `b`, … Its leaves are `a1`, `a2`, …
fn branch_name(branch: usize) -> char {
    char::from(b'a' + branch as u8)
}

/// The number of leaves below each move of the root.
fn leaves(model: &Model) -> usize {
    model.leaves_below(1)
}

/// The name of a leaf, numbered from 1.
fn leaf(branch: usize, index: usize) -> String {
    format!("{}{}", branch_name(branch), index + 1)
}
