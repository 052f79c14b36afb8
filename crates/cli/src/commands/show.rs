//! `prodmax show`: one tree as both rules see it.

use clap::{ArgGroup, Args, ValueEnum};
use prodmax_enumerate::{Line, Mover};
use prodmax_mass::example::{Figure, Node, Tree, Valued};
use prodmax_mass::{Curve, CurveTable};
use serde_json::{Value, json};

use super::Run;
use crate::context::Context;
use crate::error::Error;
use crate::model_args::ZeroArg;
use crate::output::{Cell, Column, Outcome, Output, Table};
use crate::whole_number::whole;

/// The greatest leaf value of a searched example.
const REACH: i64 = 9;

/// Draw one tree with the values of every node, the move each rule chooses and what errors weigh.
///
/// KHS explain move decision errors with two small trees (Fig. 1 and 2), whose
/// leaf values are not in the text. --example searches for such a tree:
///
///   fig1   Minimax errs: one gross evaluation error (D looks lost, but is won)
///          makes it leave the won B for the lost E
///   fig2   Product errs without any evaluation error: it prefers E, with F = -1
///          and G far above, to the safely won B
///
/// Any other tree is written with --tree: a node is a pair in parentheses, a leaf
/// an integer, the root is a MAX node.
///
/// Columns: level is 0 at the root, MM and PP are the values of Minimax and Product, won is the
/// probability that the node is won for MAX under the truth curve. Nodes are named
/// as in the figures: A is the root, B and E its moves.
///
/// Examples:
///
///     prodmax show --example fig2
///
/// has 1 - PP = 0.50758 at F, which KHS print cut off as 0.50757: Pearl's curve, not
/// eq. (2).
///
///     prodmax show --tree "((8 -3) (1 2))" --estimate arctan:1
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, group(ArgGroup::new("shown").required(true).args(["example", "tree"])))]
pub(crate) struct Show {
    /// A tree like one of the figures.
    #[arg(long, value_enum, value_name = "FIGURE")]
    example: Option<Example>,

    /// A tree by its leaves, e.g. "((8 -3) (1 2))".
    #[arg(long, value_name = "TREE", allow_hyphen_values = true)]
    tree: Option<String>,

    /// The probability that a leaf is won.
    #[arg(long, value_name = "CURVE", default_value = "arctan:4")]
    truth: Curve,

    /// What Product takes for it.
    #[arg(long, value_name = "CURVE", default_value = "pearl:1")]
    estimate: Curve,

    /// Whether the value 0 exists.
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    zero: ZeroArg,

    /// The greatest heuristic value.
    #[arg(
        long,
        value_name = "VALUE",
        default_value_t = Line::DEFAULT_H_MAX,
        allow_negative_numbers = true,
        value_parser = whole::<i64>
    )]
    h_max: i64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Example {
    /// Minimax errs
    Fig1,
    /// Product errs
    Fig2,
}

impl Run for Show {
    fn run(&self, _context: &Context) -> Result<Outcome, Error> {
        let line = Line::new(self.h_max, self.zero.into()).map_err(prodmax_enumerate::ModelError::from)?;
        let [truth, estimate] =
            [&self.truth, &self.estimate].map(|curve| CurveTable::new(curve.clone(), line.h_max()));
        let tree = match (&self.tree, self.example) {
            (Some(text), _) => Tree::parse(text, &line).map_err(Error::Tree)?,
            (None, Some(Example::Fig2)) => found(Figure::ProductErrs.search(&line, &estimate, REACH))?,
            (None, _) => found(Figure::MinimaxErrs.search(&line, &estimate, REACH))?,
        };
        let valued = tree.value(&truth, &estimate).map_err(Error::Tree)?;
        let value = self.json(&tree, &valued);
        Ok(Outcome::Figures(Output::figures(value, vec![self.table(&valued)])))
    }
}

fn found(tree: Option<Tree>) -> Result<Tree, Error> {
    tree.ok_or(Error::NoExample)
}

impl Show {
    fn json(&self, tree: &Tree, valued: &Valued) -> Value {
        let leaves: Vec<i32> = tree.leaves().iter().map(|h| h.get()).collect();
        let node = |(number, node): (usize, &Node)| {
            json!({
                "name": name(number),
                "level": node.level,
                "mover": node.mover.map(mover),
                "minimax": node.minimax.get(),
                "product": node.product,
                "won": node.won,
            })
        };
        let errors = valued.errors();
        json!({
            "leaves": leaves,
            "truth": self.truth.to_string(),
            "estimate": self.estimate.to_string(),
            "nodes": valued.nodes.iter().enumerate().map(node).collect::<Vec<_>>(),
            "minimax_choice": choice(valued, valued.minimax_choice),
            "product_choice": choice(valued, valued.product_choice),
            "critical": valued.is_critical(),
            "minimax_error": errors.map(|errors| errors.0),
            "product_error": errors.map(|errors| errors.1),
        })
    }

    fn table(&self, valued: &Valued) -> Table {
        let rows = valued.nodes.iter().enumerate().map(|(number, node)| {
            let chosen_by = |choice: Option<usize>, rule: &str| {
                (node.level == 1 && choice == Some(node.index)).then(|| rule.to_owned())
            };
            let chosen =
                [chosen_by(valued.minimax_choice, "Minimax"), chosen_by(valued.product_choice, "Product")];
            let chosen: Vec<_> = chosen.into_iter().flatten().collect();
            vec![
                Cell::with_terminal(name(number), format!("{}{}", branch(valued, number), name(number))),
                node.level.into(),
                node.mover.map_or("leaf", mover).into(),
                node.minimax.into(),
                format!("{:.5}", node.product).into(),
                format!("{:.5}", node.won).into(),
                chosen.join(", ").into(),
            ]
        });
        Table {
            id: "tree".to_owned(),
            title: "A tree as both rules see it".to_owned(),
            columns: vec![
                Column::left("node"),
                Column::right("level"),
                Column::left("to move"),
                Column::right("MM"),
                Column::right("PP"),
                Column::right("won"),
                Column::left("chosen by"),
            ],
            rows: rows.collect(),
            notes: vec![format!("Truth {}, estimate {}.", self.truth, self.estimate), verdict(valued)],
        }
    }
}

fn verdict(valued: &Valued) -> String {
    let Some((minimax, product)) = valued.errors() else {
        return "The tree is not critical: the rules do not choose different moves.".to_owned();
    };
    let [m, p] =
        [valued.minimax_choice, valued.product_choice].map(|child| choice(valued, child).unwrap_or_default());
    format!(
        "Critical: Minimax chooses {m}, Product {p}. Minimax errs with probability Pr({m} lost) Pr({p} won) = \
         {minimax:.5}, Product with Pr({m} won) Pr({p} lost) = {product:.5}."
    )
}

/// The name of a chosen child of the root.
fn choice(valued: &Valued, child: Option<usize>) -> Option<String> {
    let child = valued.nodes.iter().position(|node| node.level == 1 && Some(node.index) == child)?;
    Some(name(child))
}

fn mover(mover: Mover) -> &'static str {
    match mover {
        Mover::Max => "MAX",
        Mover::Min => "MIN",
    }
}

/// A, B, …, Z, then N27, N28, … in preorder, as in KHS's figures.
fn name(number: usize) -> String {
    match u8::try_from(number) {
        Ok(small) if small < 26 => char::from(b'A' + small).to_string(),
        _ => format!("N{}", number + 1),
    }
}

/// The lines that lead to a node.
fn branch(valued: &Valued, number: usize) -> String {
    let node = &valued.nodes[number];
    // The ancestors of a node are found by halving its position.
    let bars = (1..node.level)
        .map(|level| if (node.index >> (node.level - level)).is_multiple_of(2) { "│  " } else { "   " });
    let bars: String = bars.collect();
    match (node.level, node.index % 2) {
        (0, _) => String::new(),
        (_, 0) => format!("{bars}├─ "),
        _ => format!("{bars}└─ "),
    }
}
