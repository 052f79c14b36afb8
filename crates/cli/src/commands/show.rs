//! `prodmax show`: one tree as the rules see it.

use clap::{ArgGroup, Args, ValueEnum};
use prodmax_enumerate::Line;
use prodmax_enumerate::Tree;
use prodmax_mass::answer::ShowAnswer;
use prodmax_mass::valued::{PaperFigure, ValuedTree};
use prodmax_mass::{Contestant, Curve, CurveTable, Curves};
use prodmax_number::Fraction;
use prodmax_rules::{NamedRule, RuleList, RulePair};

use super::Run;
use crate::context::Context;
use crate::error::Error;
use crate::model_args::ZeroArg;
use crate::output::{CommandResult, Output};
use crate::whole_number::whole;

/// The greatest leaf value in the search for an example.
const REACH: i64 = 9;

/// Draw one tree with the values of every node, the move each rule chooses and the weight of errors.
///
/// KHS explain move decision errors with two small trees (Fig. 1 and 2), whose
/// leaf values are not in the text. --example searches for such a tree:
///
///   fig1   Minimax errs: one gross evaluation error (D looks lost, but is won)
///          makes it leave the won B for the lost E
///   fig2   Product errs without any evaluation error: it prefers E, with F = -1
///          and G far above, to the safely won B
///
/// Any other tree is written with --tree: a node is written as its children in
/// parentheses, the same number everywhere, a leaf as an integer. The root is a MAX
/// node.
///
/// Columns: level is 0 at the root, MM and PP are the values of Minimax and Product
/// (or there is one column for each rule of --rules), won is the probability that
/// the node is won for MAX under the truth curve. Nodes are named as in the figures:
/// A is the root, B and E its moves. Which move a rule chooses is proved.
///
/// Examples:
///
///     prodmax show --example fig2
///
/// has 1 - PP = 0.50758 at F, which KHS print truncated to 0.50757: by Pearl's curve,
/// not eq. (2), so the figures are drawn with it unless --estimate names another.
///
///     prodmax show --tree "((8 -3) (1 2))"
///
/// uses the curves of prodmax mass.
///
///     prodmax show --tree "((8 -3) (1 2))" --rules minimax,product,mean:4,hints:9/10
///
///     prodmax show --tree "((8 -3 5) (1 2 3) (9 -1 -1))"
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

    /// Product's estimate of it [default: arctan:1, as in other commands; pearl:1 for the figures]
    #[arg(long, value_name = "CURVE")]
    estimate: Option<Curve>,

    /// The rules, each with a column of its own [default: minimax,product].
    #[arg(long, value_name = "RULE,RULE,…")]
    rules: Option<RuleList>,

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
    fn run(&self, _context: &Context) -> Result<CommandResult, Error> {
        let line = Line::new(self.h_max, self.zero.into()).map_err(prodmax_enumerate::ModelError::from)?;
        let curves = Curves::new(self.truth.clone(), self.estimate(), line.h_max());
        let estimate: &CurveTable = &curves.estimate;
        let tree = match (&self.tree, self.example) {
            (Some(text), _) => Tree::parse(text, &line).map_err(Error::Tree)?,
            (None, Some(Example::Fig2)) => found(PaperFigure::ProductErrs.search(&line, estimate, REACH))?,
            (None, _) => found(PaperFigure::MinimaxErrs.search(&line, estimate, REACH))?,
        };
        let rules = self.rules();
        let contestants: Vec<Contestant<'_>> =
            rules.iter().map(|named| Contestant::new(named.rule.clone(), &curves)).collect();
        let contestants: Vec<&Contestant<'_>> = contestants.iter().collect();
        let valued = ValuedTree::of(&tree, &curves.truth, &contestants).map_err(Error::Tree)?;
        let answer = ShowAnswer::new(&tree, &valued, &curves, &rules, self.rules.is_none());
        Ok(CommandResult::Figures(Output::answer(&answer)))
    }
}

fn found(tree: Option<Tree>) -> Result<Tree, Error> {
    tree.ok_or(Error::NoExample)
}

impl Show {
    /// The figures use the curve that gives their printed values, Pearl's.
    fn estimate(&self) -> Curve {
        let default = match self.example {
            Some(_) => Curve::Pearl(Fraction::from_integer(1.into())),
            None => Curve::arctan(1),
        };
        self.estimate.clone().unwrap_or(default)
    }

    fn rules(&self) -> Vec<NamedRule> {
        match &self.rules {
            Some(rules) => rules.named().to_vec(),
            None => RulePair::default().named().to_vec(),
        }
    }
}
