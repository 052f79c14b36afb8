//! The rules that the language can express, and their names in it.

use num_traits::{One, Zero as _};
use prodmax_enumerate::Mover;
use prodmax_number::Fraction;
use prodmax_rules::mean::Mean;
use prodmax_rules::{Leaves, Rule};

use crate::{PrismError, branch_name, leaf};

/// The greatest exponent of `mean:P` that is written. The powers are written out as products, and the bound on
/// rounding errors in `ties.rs` allows for at most this many factors.
pub const MAX_EXPONENT: u32 = 8;

/// A rule that the checker can compute entirely by itself.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    rule: Rule,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Minimax,
    Product,
    Ideal,
    /// The weight of minimaxing.
    Average(Fraction),
    /// The exponent.
    Mean(u32),
}

impl Written {
    /// The rule, or why it cannot be written.
    pub(crate) fn new(rule: &Rule) -> Result<Self, PrismError> {
        let kind = match rule {
            Rule::Minimax(_) => Kind::Minimax,
            Rule::Product(_) => Kind::Product,
            Rule::Ideal(_) => Kind::Ideal,
            Rule::Average(average) => Kind::Average(average.minimax().clone()),
            Rule::Mean(mean) if mean.exponent() <= MAX_EXPONENT => Kind::Mean(mean.exponent()),
            Rule::Mean(_) => return Err(PrismError::Exponent { rule: rule.to_string() }),
            _ => return Err(PrismError::Rule { rule: rule.to_string() }),
        };
        Ok(Self { rule: rule.clone(), kind })
    }

    /// The rule itself.
    pub(crate) fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Whether it is Minimax or Product, the paper's rules.
    pub(crate) fn is_of_the_paper(&self) -> bool {
        matches!(self.kind, Kind::Minimax | Kind::Product)
    }

    /// The rule's name as an identifier: letters, digits and underscores.
    pub(crate) fn identifier(&self) -> String {
        self.rule.to_string().replace(|c: char| !c.is_ascii_alphanumeric(), "_")
    }

    /// The rule's name in a sentence.
    pub(crate) fn name(&self) -> String {
        match self.kind {
            Kind::Minimax => "Minimax".to_owned(),
            Kind::Product => "Product".to_owned(),
            _ => self.rule.to_string(),
        }
    }

    /// Whether its values are real numbers, which a checker may round.
    pub(crate) fn has_real_values(&self) -> bool {
        self.rule.leaves() != Leaves::Heuristic
    }

    /// The exponent P if the rule backs up powers x^P.
    pub(crate) fn exponent(&self) -> Option<u32> {
        match self.kind {
            Kind::Mean(exponent) => Some(exponent),
            _ => None,
        }
    }

    /// How it backs up, as a comment.
    pub(crate) fn comment(&self) -> String {
        match &self.kind {
            Kind::Minimax => "Minimax backs up by min and max.".to_owned(),
            Kind::Product => {
                "Product backs up by products of the probabilities of winning or, at a MAX node, of losing."
                    .to_owned()
            }
            Kind::Ideal => "The ideal rule backs up the truth by products.".to_owned(),
            Kind::Average(_) => {
                format!("{} mixes min and max with products, at every node.", self.rule)
            }
            Kind::Mean(p) => format!(
                "{} backs up the powers x^{p}: their arithmetic mean at a MAX node, their harmonic mean at a MIN node.",
                self.rule
            ),
        }
    }

    /// What the rule starts from at a leaf.
    pub(crate) fn leaf(&self, branch: usize, index: usize) -> String {
        let leaf = leaf(branch, index);
        match self.kind {
            Kind::Minimax => leaf,
            Kind::Product | Kind::Average(_) => format!("estimate_{leaf}"),
            Kind::Ideal => format!("truth_{leaf}"),
            Kind::Mean(_) => format!("{}_{leaf}", self.identifier()),
        }
    }

    /// The value of a node from those of its children. `zeros` says whether they can be 0.
    pub(crate) fn node(&self, mover: Mover, children: &[String], zeros: bool) -> String {
        let minimax = || match mover {
            Mover::Max => format!("max({})", children.join(", ")),
            Mover::Min => format!("min({})", children.join(", ")),
        };
        let product = || match mover {
            Mover::Max => {
                let lost: Vec<String> = children.iter().map(|child| format!("(1 - {child})")).collect();
                format!("(1 - {})", lost.join(" * "))
            }
            Mover::Min => format!("({})", children.join(" * ")),
        };
        match &self.kind {
            Kind::Minimax => minimax(),
            Kind::Product | Kind::Ideal => product(),
            Kind::Average(part) if part.is_zero() => product(),
            Kind::Average(part) if part.is_one() => minimax(),
            Kind::Average(part) => {
                format!("({part} * {} + {} * {})", minimax(), Fraction::one() - part, product())
            }
            Kind::Mean(_) => match mover {
                Mover::Max => format!("(({}) / {})", children.join(" + "), children.len()),
                Mover::Min => harmonic_mean(children, zeros),
            },
        }
    }

    /// The name of the rule's value for a move of the root.
    pub(crate) fn value(&self, branch: usize) -> String {
        format!("{}_{}", self.identifier(), branch_name(branch))
    }
}

/// n / Σ 1/x_i without dividing by 0: n Π x_i / Σ Π of all others.
fn harmonic_mean(children: &[String], zeros: bool) -> String {
    let others = |left_out: usize| {
        let others = children.iter().enumerate().filter(|(place, _)| *place != left_out);
        others.map(|(_, child)| child.as_str()).collect::<Vec<_>>().join(" * ")
    };
    let below = (0..children.len()).rev().map(others).collect::<Vec<_>>().join(" + ");
    let mean = format!("{} * {} / ({below})", children.len(), children.join(" * "));
    // A child of value 0 makes the node 0; of two, the quotient would not exist.
    if zeros { format!("({below} = 0 ? 0 : {mean})") } else { format!("({mean})") }
}

const _: () = assert!(MAX_EXPONENT <= Mean::MAX_EXPONENT);
