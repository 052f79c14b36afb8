//! The search by any rule.

use prodmax_rules::{Mover, Place, Rule, SearchBackup, SearchVisitor};

use super::merging::MergeTable;
use super::{MoveValue, Ply, SearchError, SearchRule, Stop, best, check};
use crate::position::{Move, Position, Side};

/// So many children of a node are valued without a list.
const FEW_CHILDREN: usize = 16;

/// A search by one rule to one depth. The table that merges equal positions, if any, is kept from search to search.
#[derive(Clone, Debug)]
pub struct FullWidth<P> {
    rule: SearchRule,
    depth: usize,
    ply: Ply,
    table: Option<MergeTable<P>>,
    leaves: u64,
    nodes: u64,
}

impl<P: Position> FullWidth<P> {
    /// A search that values every line separately.
    ///
    /// ```
    /// use prodmax_games::kalah::Kalah;
    /// use prodmax_games::search::{FullWidth, Ply, best};
    /// let start = Kalah::start(6, 4)?;
    /// let mut search = FullWidth::new(&"minimax".parse()?, 1, Ply::Move)?;
    /// let values = search.move_values(&start)?;
    /// // Hole 3 reaches the store: one stone ahead, 47 in play. Holes 4 to 6 do too, but hole 3 comes first.
    /// assert_eq!(best(&values).map(|best| best.chosen), Some(2));
    /// assert_eq!(values[2].value, (1.0 + 1.0 / 47.0) / 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(rule: &Rule, depth: usize, ply: Ply) -> Result<Self, SearchError> {
        check(rule, depth)?;
        Ok(Self { rule: SearchRule::new(rule, depth), depth, ply, table: None, leaves: 0, nodes: 0 })
    }

    /// The same in single precision: probabilities, products too.
    pub fn in_single(rule: &Rule, depth: usize, ply: Ply) -> Result<Self, SearchError> {
        Ok(Self { rule: SearchRule::in_single(rule, depth), ..Self::new(rule, depth, ply)? })
    }

    /// A search that values equal positions of equal height only once: the same values, but faster in deep searches.
    pub fn merging(rule: &Rule, depth: usize, ply: Ply) -> Result<Self, SearchError> {
        Ok(Self { table: Some(MergeTable::new(depth)), ..Self::new(rule, depth, ply)? })
    }

    /// The values of all moves, in the order of the moves.
    pub fn move_values(&mut self, position: &P) -> Result<Vec<MoveValue>, SearchError> {
        self.move_values_until(position, Stop::default())
    }

    /// The same, abandoned when `stop` says so.
    pub fn move_values_until(&mut self, position: &P, stop: Stop<'_>) -> Result<Vec<MoveValue>, SearchError> {
        if position.outcome().is_some() {
            return Err(SearchError::Over);
        }
        self.rule.check_values(position)?;
        let (max, depth) = (position.side(), self.depth);
        if let Some(table) = &mut self.table {
            table.forget();
        }
        let table = self.table.as_mut();
        let found = self.rule.visit(Valuation { position, depth, ply: self.ply, max, table, stop });
        (self.leaves, self.nodes) = (found.leaves, found.nodes);
        if stop.now() { Err(SearchError::Interrupted) } else { Ok(found.values) }
    }

    /// The moves of greatest value, as far as rounding errors tell.
    pub fn best_moves(&self, values: &[MoveValue]) -> Vec<MoveValue> {
        let Some(greatest) = best(values) else { return Vec::new() };
        values.iter().copied().filter(|each| self.rule.rule().same(each.value, greatest.value)).collect()
    }

    /// A value in the form readers expect: a probability.
    pub fn shown(&self, value: f64) -> f64 {
        self.rule.rule().shown(value)
    }

    /// The number of leaves that the last search evaluated.
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    /// The number of inner nodes that it backed up.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// One search, compiled separately for each rule.
struct Valuation<'a, P> {
    position: &'a P,
    depth: usize,
    ply: Ply,
    max: Side,
    table: Option<&'a mut MergeTable<P>>,
    stop: Stop<'a>,
}

struct SearchResult {
    values: Vec<MoveValue>,
    leaves: u64,
    nodes: u64,
}

impl<P: Position> SearchVisitor for Valuation<'_, P> {
    type Output = SearchResult;

    fn visit<R: SearchBackup>(self, rule: &R) -> SearchResult {
        let Self { position, depth, ply, max, table, stop } = self;
        let mut walk = Walk { rule, ply, max, table, leaves: 0, nodes: 1, turns: Vec::new(), stop };
        let value = |chosen| MoveValue { chosen, value: walk.move_value(position, chosen, depth) };
        let values = position.moves().map(value).collect();
        SearchResult { values, leaves: walk.leaves, nodes: walk.nodes }
    }
}

/// What one search carries from node to node.
struct Walk<'a, P, R> {
    rule: &'a R,
    ply: Ply,
    max: Side,
    table: Option<&'a mut MergeTable<P>>,
    leaves: u64,
    nodes: u64,
    /// The values after complete turns, of all nodes between the root and here: only where a turn is a single move, or where
    /// there can be many moves.
    turns: Vec<f64>,
    stop: Stop<'a>,
}

impl<P: Position, R: SearchBackup> Walk<'_, P, R> {
    /// The value of a move in the searched position. If a turn is a single move, it is the best turn that begins so.
    fn move_value(&mut self, position: &P, chosen: Move, depth: usize) -> f64 {
        let child = position.play(chosen);
        if self.ply != Ply::Whole {
            return self.child_value(position, &child, depth);
        }
        self.push_turns(position, &child, depth);
        self.turns.drain(..).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The values after all complete turns that lead through a child of a node of height `height`.
    fn push_turns(&mut self, parent: &P, child: &P, height: usize) {
        if self.ply.goes_on(parent, child) {
            child.moves().for_each(|next| self.push_turns(child, &child.play(next), height));
        } else {
            let value = self.child_value(parent, child, height);
            self.turns.push(value);
        }
    }

    /// The value of a child of a node of height `height`.
    #[inline]
    fn child_value(&mut self, parent: &P, child: &P, height: usize) -> f64 {
        let seen = if let Some(outcome) = child.outcome() {
            outcome.worth(self.max)
        } else {
            let height = self.ply.height_below(parent, child, height);
            if height > 0 {
                return self.value(child, height);
            }
            child.evaluation(self.max)
        };
        self.leaves += 1;
        self.rule.leaf(seen)
    }

    /// The value of a node where the game is not over.
    fn value(&mut self, position: &P, height: usize) -> f64 {
        if height >= Stop::HEIGHT && self.stop.now() {
            return 0.0;
        }
        // Looking up a node above leaves costs about as much as valuing it.
        let merged = height > 1;
        if merged
            && let Some(table) = &self.table
            && let Some(value) = table.get(position, height)
        {
            return value;
        }
        self.nodes += 1;
        let mover = if position.side() == self.max { Mover::Max } else { Mover::Min };
        let place = Place { mover, height };
        let moves = position.moves();
        let value = if self.ply == Ply::Whole || P::MAX_MOVES > FEW_CHILDREN {
            let first = self.turns.len();
            moves.for_each(|chosen| self.push_turns(position, &position.play(chosen), height));
            let value = self.rule.node(place, &self.turns[first..]);
            self.turns.truncate(first);
            value
        } else {
            let mut values = [0.0; FEW_CHILDREN];
            let values = &mut values[..moves.clone().count()];
            for (value, chosen) in values.iter_mut().zip(moves) {
                *value = self.child_value(position, &position.play(chosen), height);
            }
            self.rule.node(place, values)
        };
        if merged && let Some(table) = &mut self.table {
            table.put(position, height, value);
        }
        value
    }
}
