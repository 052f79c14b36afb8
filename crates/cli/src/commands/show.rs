//! `prodmax show`: one tree as the rules see it.

use clap::{ArgGroup, Args, ValueEnum};
use prodmax_enumerate::Tree;
use prodmax_enumerate::{Line, Mover};
use prodmax_mass::valued::{Node, PaperFigure, ValuedTree};
use prodmax_mass::{Contestant, Curve, CurveTable, Curves};
use prodmax_number::Fraction;
use prodmax_rules::{Leaves, NamedRule, RuleList, RulePair};
use serde_json::{Map, Value, json};

use super::Run;
use crate::context::Context;
use crate::error::Error;
use crate::model_args::ZeroArg;
use crate::output::{Cell, Column, CommandResult, Output, Table};
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
        let value = self.json(&tree, &valued);
        Ok(CommandResult::Figures(Output::figures(value, vec![self.table(&valued, tree.shape().branching)])))
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

    fn json(&self, tree: &Tree, valued: &ValuedTree) -> Value {
        let rules = self.rules();
        let leaves: Vec<i32> = tree.leaves().iter().map(|h| h.get()).collect();
        let node = |(number, node): (usize, &Node)| {
            let mut object = Map::new();
            object.insert("name".to_owned(), json!(name(number)));
            object.insert("level".to_owned(), json!(node.level));
            object.insert("mover".to_owned(), json!(node.mover.map(mover)));
            for (named, &value) in rules.iter().zip(&node.values) {
                let whole = named.rule.leaves() == Leaves::Heuristic;
                object.insert(named.name.clone(), if whole { json!(value as i64) } else { json!(value) });
            }
            object.insert("won".to_owned(), json!(node.won));
            Value::Object(object)
        };
        let nodes = valued.nodes.iter().enumerate().map(node).collect::<Vec<_>>();
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        put("leaves", json!(leaves));
        put("truth", json!(self.truth.to_string()));
        put("estimate", json!(self.estimate().to_string()));
        put("nodes", json!(nodes));
        let chosen = |index: usize| json!(choice(valued, valued.choices[index]));
        let errors = valued.errors();
        if self.rules.is_none() {
            put("minimax_choice", chosen(0));
            put("product_choice", chosen(1));
            put("critical", json!(valued.is_critical()));
            put("minimax_error", json!(errors.map(|errors| errors.0)));
            put("product_error", json!(errors.map(|errors| errors.1)));
        } else {
            let by_name = |(index, named): (usize, &NamedRule)| (named.name.clone(), chosen(index));
            put("rules", json!(rules.iter().map(|named| &named.name).collect::<Vec<_>>()));
            put("choices", Value::Object(rules.iter().enumerate().map(by_name).collect()));
            put("critical", json!(valued.is_critical()));
            let errors = errors.map(|(first, second)| {
                Map::from_iter([
                    (rules[0].name.clone(), json!(first)),
                    (rules[1].name.clone(), json!(second)),
                ])
            });
            put("errors", json!(errors));
        }
        Value::Object(object)
    }

    /// The name of a rule in the table: KHS's two rules by their initials.
    fn title(&self, named: &NamedRule) -> String {
        match (&self.rules, named.name.as_str()) {
            (None, "minimax") => "MM".to_owned(),
            (None, "product") => "PP".to_owned(),
            (_, name) => name.to_owned(),
        }
    }

    fn table(&self, valued: &ValuedTree, branching: usize) -> Table {
        let rules = self.rules();
        let rows = valued.nodes.iter().enumerate().map(|(number, node)| {
            let chosen: Vec<String> = rules
                .iter()
                .zip(&valued.choices)
                .filter(|(_, choice)| node.level == 1 && **choice == Some(node.index))
                .map(|(named, _)| self.player(named))
                .collect();
            let mut row: Vec<Cell> = vec![
                Cell::with_terminal(
                    name(number),
                    format!("{}{}", branch(valued, branching, number), name(number)),
                ),
                node.level.into(),
                node.mover.map_or("leaf", mover).into(),
            ];
            for (named, value) in rules.iter().zip(&node.values) {
                row.push(match named.rule.leaves() {
                    Leaves::Heuristic if *value == 0.0 => "0".into(),
                    Leaves::Heuristic => format!("{value:+.0}").into(),
                    _ => Cell::decimal(*value, 5),
                });
            }
            row.extend([Cell::decimal(node.won, 5), chosen.join(", ").into()]);
            row
        });
        let mut columns = vec![Column::left("node"), Column::right("level"), Column::left("to move")];
        columns.extend(rules.iter().map(|named| Column::right(self.title(named))));
        columns.extend([Column::right("won"), Column::left("chosen by")]);
        Table {
            id: "tree".to_owned(),
            title: if self.rules.is_none() {
                "A tree as both rules see it"
            } else {
                "A tree as the rules see it"
            }
            .to_owned(),
            columns,
            rows: rows.collect(),
            notes: vec![format!("Truth {}, estimate {}.", self.truth, self.estimate()), self.verdict(valued)],
        }
    }

    /// The name of a rule in sentences.
    fn player(&self, named: &NamedRule) -> String {
        match (&self.rules, named.name.as_str()) {
            (None, "minimax") => "Minimax".to_owned(),
            (None, "product") => "Product".to_owned(),
            (_, name) => name.to_owned(),
        }
    }

    fn verdict(&self, valued: &ValuedTree) -> String {
        let rules = self.rules();
        let [first, second] = [0, 1].map(|index| self.player(&rules[index]));
        let Some((first_error, second_error)) = valued.errors() else {
            return match rules.len() {
                2 => "The tree is not critical: the rules do not choose different moves.".to_owned(),
                _ => format!("The tree is not critical for {first} and {second}."),
            };
        };
        let [m, p] = [0, 1].map(|index| choice(valued, valued.choices[index]).unwrap_or_default());
        format!(
            "Critical: {first} chooses {m}, {second} {p}. {first} errs with probability Pr({m} lost) Pr({p} won) = \
             {first_error:.5}, {second} with Pr({m} won) Pr({p} lost) = {second_error:.5}."
        )
    }
}

/// The name of a chosen child of the root.
fn choice(valued: &ValuedTree, child: Option<usize>) -> Option<String> {
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

/// The lines that lead to a node in the drawing.
fn branch(valued: &ValuedTree, branching: usize, number: usize) -> String {
    let node = &valued.nodes[number];
    // The ancestors of a node are found by dividing its position by the number of moves.
    let is_last = |level: usize| {
        let index = node.index / branching.pow((node.level - level) as u32);
        index % branching == branching - 1
    };
    let bars: String = (1..node.level).map(|level| if is_last(level) { "   " } else { "│  " }).collect();
    match node.level {
        0 => String::new(),
        level if is_last(level) => format!("{bars}└─ "),
        _ => format!("{bars}├─ "),
    }
}
