//! What `show` answers: one tree as rules see it.

use num_bigint::BigInt;
use prodmax_enumerate::{Mover, Tree};
use prodmax_number::{Approximate, Figure};
use prodmax_output::answer::{Answer, Rows, View};
use prodmax_output::{Cell, Column};
use prodmax_rules::{ByRule, Curves, Leaves, NamedRule};
use serde::Serialize;

use super::by_rule;
use crate::valued::{Node, ValuedTree};

/// One tree as rules see it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShowAnswer {
    /// the leaves from left to right
    leaves: Vec<i32>,
    /// the curve of the true probabilities
    truth: String,
    /// the curve through which rules see the leaves
    estimate: String,
    /// the rules, as they were named
    rules: Vec<String>,
    /// the nodes in preorder, the root first
    nodes: Vec<NodeAnswer>,
    /// the name of the move that each rule chooses; null if it has no unique best move
    choices: ByRule<Option<String>>,
    /// whether the first two rules choose different moves
    critical: bool,
    /// the probability that each of the first two errs, if they choose different moves
    errors: Option<ByRule<f64>>,
    #[serde(skip)]
    named: Vec<NamedRule>,
    #[serde(skip)]
    branching: usize,
    /// Whether the rules are those of KHS, which were not named: the table calls them by their initials.
    #[serde(skip)]
    is_khs: bool,
}

/// A node of a tree.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NodeAnswer {
    /// its name: A, B, …, Z, N27, …
    name: String,
    /// its level, 0 for the root
    level: usize,
    /// `MAX` or `MIN`; null for a leaf
    mover: Option<&'static str>,
    /// its value by each rule: a heuristic value or a probability
    values: ByRule<Figure>,
    /// the probability that it is won for MAX
    won: f64,
    #[serde(skip)]
    index: usize,
}

impl NodeAnswer {
    fn new(number: usize, node: &Node, named: &[NamedRule], names: &[String]) -> Self {
        let value = |(named, &value): (&NamedRule, &f64)| match named.rule.leaves() {
            Leaves::Heuristic => Figure::Integer(BigInt::from(value as i64)),
            Leaves::Estimate | Leaves::Truth => Approximate::unstated(value).into(),
        };
        Self {
            name: node_name(number),
            level: node.level,
            mover: node.mover.map(mover),
            values: by_rule(names, named.iter().zip(&node.values).map(value)),
            won: node.won,
            index: node.index,
        }
    }
}

impl ShowAnswer {
    /// The answer for a tree and rules; `is_khs` says that these were not named.
    pub fn new(tree: &Tree, valued: &ValuedTree, curves: &Curves, named: &[NamedRule], is_khs: bool) -> Self {
        let rules: Vec<String> = named.iter().map(|named| named.name.clone()).collect();
        let node = |(number, node): (usize, &Node)| NodeAnswer::new(number, node, named, &rules);
        let choices = valued.choices.iter().map(|&child| choice(valued, child));
        let errors = valued.errors().map(|(first, second)| by_rule(&rules, [first, second]));
        Self {
            leaves: tree.leaves().iter().map(|h| h.get()).collect(),
            truth: curves.truth.curve().to_string(),
            estimate: curves.estimate.curve().to_string(),
            nodes: valued.nodes.iter().enumerate().map(node).collect(),
            choices: by_rule(&rules, choices),
            critical: valued.is_critical(),
            errors,
            rules,
            named: named.to_vec(),
            branching: tree.shape().branching,
            is_khs,
        }
    }

    /// The name of a rule in sentences.
    fn player(&self, rule: &str) -> String {
        match (self.is_khs, rule) {
            (true, "minimax") => "Minimax".to_owned(),
            (true, "product") => "Product".to_owned(),
            (_, name) => name.to_owned(),
        }
    }

    /// The head of a rule's column: KHS's two rules by their initials.
    fn head(&self, rule: &str) -> String {
        match (self.is_khs, rule) {
            (true, "minimax") => "MM".to_owned(),
            (true, "product") => "PP".to_owned(),
            (_, name) => name.to_owned(),
        }
    }

    fn verdict(&self) -> String {
        let [first, second] = [0, 1].map(|index| self.player(&self.rules[index]));
        let Some(errors) = &self.errors else {
            return match self.rules.len() {
                2 => "The tree is not critical: the rules do not choose different moves.".to_owned(),
                _ => format!("The tree is not critical for {first} and {second}."),
            };
        };
        let chosen = |index: usize| self.choices.0.get(index).and_then(|(_, name)| name.clone());
        let [m, p] = [0, 1].map(|index| chosen(index).unwrap_or_default());
        let [first_error, second_error] =
            [0, 1].map(|index| errors.0.get(index).map_or(0.0, |(_, error)| *error));
        format!(
            "Critical: {first} chooses {m}, {second} {p}. {first} errs with probability Pr({m} lost) Pr({p} won) = \
             {first_error:.5}, {second} with Pr({m} won) Pr({p} lost) = {second_error:.5}."
        )
    }

    /// The lines that lead to a node in the drawing.
    fn branch(&self, node: &NodeAnswer) -> String {
        // The ancestors of a node are found by dividing its position by the number of moves.
        let is_last = |level: usize| {
            let index = node.index / self.branching.pow((node.level - level) as u32);
            index % self.branching == self.branching - 1
        };
        let bars: String = (1..node.level).map(|level| if is_last(level) { "   " } else { "│  " }).collect();
        match node.level {
            0 => String::new(),
            level if is_last(level) => format!("{bars}└─ "),
            _ => format!("{bars}├─ "),
        }
    }
}

impl Answer for ShowAnswer {
    fn view(&self) -> View {
        let whose = if self.is_khs { "both rules see" } else { "the rules see" };
        let mut rows = Rows::new("tree", format!("A tree as {whose} it"), self.nodes.iter().collect());
        rows.column(Column::left("node"), |node: &NodeAnswer| {
            Cell::with_terminal(node.name.clone(), format!("{}{}", self.branch(node), node.name))
        });
        rows.column(Column::right("level"), |node| node.level.into());
        rows.column(Column::left("to move"), |node| node.mover.unwrap_or("leaf").into());
        for (place, named) in self.named.iter().enumerate() {
            rows.column(Column::right(self.head(&named.name)), |node| {
                let Some((_, value)) = node.values.0.get(place) else { return Cell::dash() };
                match value {
                    Figure::Integer(whole) if *whole == BigInt::from(0) => "0".into(),
                    Figure::Integer(whole) => format!("{whole:+}").into(),
                    other => Cell::of(Some(other), 5),
                }
            });
        }
        rows.column(Column::right("won"), |node| Cell::decimal(node.won, 5));
        rows.column(Column::left("chosen by"), |node| {
            let chose = |(_, choice): &&(String, Option<String>)| choice.as_ref() == Some(&node.name);
            let by: Vec<String> =
                self.choices.0.iter().filter(chose).map(|(rule, _)| self.player(rule)).collect();
            by.join(", ").into()
        });
        rows.notes([format!("Truth {}, estimate {}.", self.truth, self.estimate), self.verdict()]);
        vec![rows.table()].into()
    }
}

/// The name of a chosen child of the root.
fn choice(valued: &ValuedTree, child: Option<usize>) -> Option<String> {
    let child = valued.nodes.iter().position(|node| node.level == 1 && Some(node.index) == child)?;
    Some(node_name(child))
}

fn mover(mover: Mover) -> &'static str {
    match mover {
        Mover::Max => "MAX",
        Mover::Min => "MIN",
    }
}

/// A, B, …, Z, then N27, N28, … in preorder, as in KHS's figures.
fn node_name(number: usize) -> String {
    match u8::try_from(number) {
        Ok(small) if small < 26 => char::from(b'A' + small).to_string(),
        _ => format!("N{}", number + 1),
    }
}
