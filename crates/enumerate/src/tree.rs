//! A tree given by its leaves, and reading it from text.

use std::fmt;
use std::num::IntErrorKind;

use prodmax_rules::{HeuristicValue, Line, LineError};
use thiserror::Error;

/// The shape of a tree of uniform depth with the same number of moves everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Moves from the root to a leaf.
    pub depth: usize,
    /// Moves of every node.
    pub branching: usize,
}

/// The deepest tree that can be written down.
const MAX_DEPTH: u32 = 6;

/// The maximum number of leaves of a tree that can be written down.
const MAX_LEAVES: usize = 1 << 12;

/// A complete tree with the same number of moves at every node, given by its leaves from left to right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    leaves: Vec<HeuristicValue>,
    shape: Shape,
}

/// Why a text is not a tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TreeError {
    /// Not of the form `((1 2) (3 4))`.
    #[error(
        "at character {at}: expected {expected}; write a tree like ((8 -3) (1 2)), leaves from left to right"
    )]
    Syntax {
        /// 1-based.
        at: usize,
        /// What should be there.
        expected: &'static str,
    },
    /// Leaves at different depths.
    #[error("the leaves lie at different depths; all leaves must be equally deep")]
    Ragged,
    /// Nodes with different numbers of children.
    #[error(
        "the nodes have different numbers of children, {first} and {other}; every node must have equally many"
    )]
    Uneven {
        /// The number at the node that ends first.
        first: usize,
        /// The number at another node.
        other: usize,
    },
    /// Too many leaves.
    #[error("the tree has more than {MAX_LEAVES} leaves; use fewer moves or fewer levels")]
    Leaves,
    /// No move at all, or too many levels.
    #[error("the tree has depth {0}; it must have at least 1 and at most {MAX_DEPTH}")]
    Depth(u32),
    /// Two values that cannot be told apart.
    #[error("the {0} values of the root's moves are too close to be compared; use a smaller tree")]
    Unresolved(String),
    /// A leaf beyond every line.
    #[error("leaf {number}: the value {text} lies beyond any h_max")]
    TooLarge {
        /// Which leaf, from 1.
        number: usize,
        /// As written.
        text: String,
    },
    /// A leaf off the line.
    #[error("leaf {number}: {source}")]
    Leaf {
        /// Which leaf, from 1.
        number: usize,
        /// Why its value is impossible.
        source: LineError,
    },
}

impl Tree {
    /// The binary tree with these leaves.
    pub fn new(leaves: Vec<HeuristicValue>) -> Result<Self, TreeError> {
        let depth = leaves.len().checked_ilog2().unwrap_or(0);
        if !leaves.len().is_power_of_two() {
            return Err(TreeError::Ragged);
        }
        if depth == 0 || depth > MAX_DEPTH {
            return Err(TreeError::Depth(depth));
        }
        Ok(Self { leaves, shape: Shape { depth: depth as usize, branching: 2 } })
    }

    /// Reads `((8 -3) (1 2))`: a node is its children in parentheses, a leaf an integer; commas count as blanks. All
    /// nodes must have the same number of children.
    pub fn parse(text: &str, line: &Line) -> Result<Self, TreeError> {
        let mut parser =
            Parser { text: text.as_bytes(), at: 0, leaves: Vec::new(), depth: None, branching: None };
        parser.node(0)?;
        parser.blanks();
        if parser.at < text.len() {
            return Err(parser.expected("the end of the tree"));
        }
        let value = |(index, &value): (usize, &i64)| {
            line.value(value).map_err(|source| TreeError::Leaf { number: index + 1, source })
        };
        let leaves = parser.leaves.iter().enumerate().map(value).collect::<Result<_, _>>()?;
        match (parser.depth, parser.branching) {
            (Some(depth), Some(branching)) => {
                Ok(Self { leaves, shape: Shape { depth: depth as usize, branching } })
            }
            _ => Err(TreeError::Depth(0)),
        }
    }

    /// Its depth and the number of moves of its nodes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The leaves from left to right.
    pub fn leaves(&self) -> &[HeuristicValue] {
        &self.leaves
    }
}

/// As [`Tree::parse`] reads it.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_node(f, &self.leaves, self.shape)
    }
}

fn write_node(f: &mut fmt::Formatter<'_>, leaves: &[HeuristicValue], shape: Shape) -> fmt::Result {
    let Shape { depth, branching } = shape;
    if depth == 0 {
        return leaves.iter().try_for_each(|leaf| write!(f, "{}", leaf.get()));
    }
    for (place, child) in leaves.chunks(leaves.len() / branching).enumerate() {
        f.write_str(if place == 0 { "(" } else { " " })?;
        write_node(f, child, Shape { depth: depth - 1, branching })?;
    }
    f.write_str(")")
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    leaves: Vec<i64>,
    depth: Option<u32>,
    branching: Option<usize>,
}

impl Parser<'_> {
    fn expected(&self, expected: &'static str) -> TreeError {
        TreeError::Syntax { at: self.at + 1, expected }
    }

    fn blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b',') {
            self.at += 1;
        }
    }

    fn node(&mut self, level: u32) -> Result<(), TreeError> {
        self.blanks();
        if self.text.get(self.at) != Some(&b'(') {
            return self.leaf(level);
        }
        if level == MAX_DEPTH {
            return Err(TreeError::Depth(level + 1));
        }
        self.at += 1;
        let mut children = 0;
        loop {
            self.node(level + 1)?;
            children += 1;
            self.blanks();
            match self.text.get(self.at) {
                Some(b')') => break,
                Some(_) => {}
                None => return Err(self.expected("another child or `)`")),
            }
        }
        self.at += 1;
        match *self.branching.get_or_insert(children) {
            first if first != children => Err(TreeError::Uneven { first, other: children }),
            _ => Ok(()),
        }
    }

    fn leaf(&mut self, level: u32) -> Result<(), TreeError> {
        let start = self.at;
        let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+');
        while self.text.get(self.at).is_some_and(is_part) {
            self.at += 1;
        }
        let text = String::from_utf8_lossy(&self.text[start..self.at]);
        let number = match text.parse::<i64>() {
            Ok(number) => number,
            Err(error) if matches!(error.kind(), IntErrorKind::PosOverflow | IntErrorKind::NegOverflow) => {
                return Err(TreeError::TooLarge { number: self.leaves.len() + 1, text: text.into_owned() });
            }
            Err(_) => {
                self.at = start;
                return Err(self.expected("`(` or an integer"));
            }
        };
        if *self.depth.get_or_insert(level) != level {
            return Err(TreeError::Ragged);
        }
        if self.leaves.len() == MAX_LEAVES {
            return Err(TreeError::Leaves);
        }
        self.leaves.push(number);
        Ok(())
    }
}
