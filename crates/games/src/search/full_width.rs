//! The search by any rule.

use prodmax_rules::numbers::Doubles;
use prodmax_rules::{Backup, Mover, Place, Prepared, Rule};

use super::merging::MergeTable;
use super::{MoveValue, Ply, SearchError, Stop, check};
use crate::position::{Position, Side};

/// The most children of a node.
const MAX_CHILDREN: usize = 16;

/// A search by one rule to one depth. The table that merges equal positions, if any, is kept from search to search.
#[derive(Clone, Debug)]
pub struct FullWidth<P> {
    rule: Prepared<Doubles>,
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
        Ok(Self { rule: rule.prepare(Doubles, depth), depth, ply, table: None, leaves: 0, nodes: 0 })
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
        let (max, depth) = (position.side(), self.depth);
        if let Some(table) = &mut self.table {
            table.forget();
        }
        let table = self.table.as_mut();
        let mut walk = Walk { rule: &self.rule, ply: self.ply, max, table, leaves: 0, nodes: 1, stop };
        let value = |chosen| {
            let child = position.play(chosen);
            let height = walk.ply.height_below(position, &child, depth);
            MoveValue { chosen, value: walk.value(&child, height) }
        };
        let values = position.moves().map(value).collect();
        (self.leaves, self.nodes) = (walk.leaves, walk.nodes);
        if stop.now() { Err(SearchError::Interrupted) } else { Ok(values) }
    }

    /// A value in the form readers expect: a probability.
    pub fn shown(&self, value: f64) -> f64 {
        self.rule.shown(value)
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

/// What one search carries from node to node.
struct Walk<'a, P> {
    rule: &'a Prepared<Doubles>,
    ply: Ply,
    max: Side,
    table: Option<&'a mut MergeTable<P>>,
    leaves: u64,
    nodes: u64,
    stop: Stop<'a>,
}

impl<P: Position> Walk<'_, P> {
    fn value(&mut self, position: &P, height: usize) -> f64 {
        if let Some(outcome) = position.outcome() {
            self.leaves += 1;
            return self.rule.leaf(outcome.worth(self.max));
        }
        if height == 0 {
            self.leaves += 1;
            return self.rule.leaf(position.evaluation(self.max));
        }
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
        let mut values = [0.0; MAX_CHILDREN];
        let mut count = 0;
        for (value, chosen) in values.iter_mut().zip(position.moves()) {
            let child = position.play(chosen);
            *value = self.value(&child, self.ply.height_below(position, &child, height));
            count += 1;
        }
        let mover = if position.side() == self.max { Mover::Max } else { Mover::Min };
        let value = self.rule.node(Place { mover, height }, &values[..count]);
        if merged && let Some(table) = &mut self.table {
            table.put(position, height, value);
        }
        value
    }
}
