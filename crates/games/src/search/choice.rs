//! The moves that a full-width search chooses, without valuing every line.
//!
//! Some rules neglect children that are far worse than the best: minimaxing everything but the best, formula (2.6) all
//! whose odds are so much lower that no hint can make up for it. Once a node has a good child, the others need no exact
//! value as soon as they are known to be negligible, and they are as soon as the opponent is seen to have one good
//! enough reply: by these rules a node is worth at least its best child to its mover. The values of the chosen moves
//! are the same as in a full-width search, to the last bit.
//!
//! Alpha-beta goes further for minimaxing: it also compares with values further up, which other rules mix with others.

use prodmax_rules::numbers::Doubles;
use prodmax_rules::{Backup, Mover, Place, Prepared, Rule, RuleVisitor};

use super::{Ply, SearchError, Stop, check};
use crate::position::{Move, Position, Side};

/// A search by one rule to one depth that finds only the best moves.
#[derive(Clone, Debug)]
pub struct Choice {
    rule: Prepared<Doubles>,
    depth: usize,
    ply: Ply,
    leaves: u64,
}

impl Choice {
    /// A search for the best moves; `None` if every child counts by the rule, so that nothing could be saved.
    ///
    /// ```
    /// use prodmax_games::kalah::Kalah;
    /// use prodmax_games::search::{Choice, FullWidth, Ply, Stop, best};
    /// let (rule, start) = ("hints:9/10".parse()?, Kalah::start(6, 4)?);
    /// let mut full_width = FullWidth::new(&rule, 5, Ply::Whole)?;
    /// let first = best(&full_width.move_values(&start)?).unwrap();
    /// let mut choice = Choice::new(&rule, 5, Ply::Whole)?.unwrap();
    /// assert_eq!(choice.best_moves_until(&start, Stop::default())?, (vec![first.chosen], first.value));
    /// assert!(choice.leaves() < full_width.leaves());
    /// assert!(Choice::new(&"product".parse()?, 5, Ply::Whole)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(rule: &Rule, depth: usize, ply: Ply) -> Result<Option<Self>, SearchError> {
        check(rule, depth)?;
        let rule = rule.prepare(Doubles, depth);
        let neglects = rule.negligible(Place { mover: Mover::Max, height: depth }, 0.5).is_some();
        Ok(neglects.then_some(Self { rule, depth, ply, leaves: 0 }))
    }

    /// The moves with the greatest value, in order, and that value. Abandoned when `stop` says so.
    pub fn best_moves_until<P: Position>(
        &mut self,
        position: &P,
        stop: Stop<'_>,
    ) -> Result<(Vec<Move>, f64), SearchError> {
        if position.outcome().is_some() {
            return Err(SearchError::Over);
        }
        let found = self.rule.visit(Root { position, depth: self.depth, ply: self.ply, stop });
        self.leaves = found.leaves;
        if stop.now() { Err(SearchError::Interrupted) } else { Ok((found.moves, found.value)) }
    }

    /// The number of leaves that the last search evaluated.
    pub fn leaves(&self) -> u64 {
        self.leaves
    }
}

/// One search, compiled separately for each rule.
struct Root<'a, P> {
    position: &'a P,
    depth: usize,
    ply: Ply,
    stop: Stop<'a>,
}

struct Chosen {
    moves: Vec<Move>,
    value: f64,
    leaves: u64,
}

impl<P: Position> RuleVisitor<Doubles> for Root<'_, P> {
    type Output = Chosen;

    fn visit<R: Backup<Doubles>>(self, rule: &R) -> Chosen {
        let Self { position, depth, ply, stop } = self;
        let max = position.side();
        let mut walk = Walk { rule, ply, max, stop, leaves: 0, children: Vec::new(), values: Vec::new() };
        let mut first_moves = Vec::new();
        for chosen in position.moves() {
            walk.push_child(position, position.play(chosen));
            first_moves.resize(walk.children.len(), chosen);
        }
        let mut order: Vec<usize> = (0..first_moves.len()).collect();
        order.sort_by(|&a, &b| walk.children[b].estimate.total_cmp(&walk.children[a].estimate));
        let (mut moves, mut value) = (Vec::new(), f64::NEG_INFINITY);
        for index in order {
            let Child { position: child, .. } = walk.children[index];
            // A move that is as good as the best must be told from a worse one, so only worse ones are negligible.
            let found = walk.child_value(position, &child, depth, value);
            if found > value {
                (value, moves) = (found, Vec::new());
            }
            if found == value {
                moves.push(first_moves[index]);
            }
        }
        moves.sort_unstable();
        moves.dedup();
        Chosen { moves, value, leaves: walk.leaves }
    }
}

/// A child that is waiting to be searched, and what it looks worth without a search.
#[derive(Clone, Copy)]
struct Child<P> {
    position: P,
    estimate: f64,
}

/// What one search carries from node to node. The lists hold what belongs to the nodes between the root and here.
struct Walk<'a, P, R> {
    rule: &'a R,
    ply: Ply,
    max: Side,
    stop: Stop<'a>,
    leaves: u64,
    children: Vec<Child<P>>,
    values: Vec<f64>,
}

impl<P: Position, R: Backup<Doubles>> Walk<'_, P, R> {
    /// Adds a child to the list; if a turn is a single move, all positions after complete turns through it instead.
    fn push_child(&mut self, parent: &P, child: P) {
        if self.ply.goes_on(parent, &child) {
            child.moves().for_each(|next| self.push_child(&child, child.play(next)));
        } else {
            self.children.push(Child { position: child, estimate: child.static_value(self.max) });
        }
    }

    /// The value of a child of a node of height `height`. If the mover of that node would see less than `negligible`,
    /// any value of which the same is true.
    #[inline]
    fn child_value(&mut self, parent: &P, child: &P, height: usize, negligible: f64) -> f64 {
        let height = self.ply.height_below(parent, child, height);
        if child.outcome().is_some() || height == 0 {
            self.leaves += 1;
            return self.rule.leaf(child.static_value(self.max));
        }
        // Only the opponent's replies can show that a child is worse.
        let replies = child.side() != parent.side();
        self.value(child, height, if replies { negligible } else { f64::NEG_INFINITY })
    }

    /// The value of a node where the game is not over. If the opponent would see less than `negligible`, any value of which
    /// the same is true.
    fn value(&mut self, position: &P, height: usize, negligible: f64) -> f64 {
        if height >= Stop::HEIGHT && self.stop.now() {
            return 0.0;
        }
        let mover = if position.side() == self.max { Mover::Max } else { Mover::Min };
        let place = Place { mover, height };
        let (first_child, first_value) = (self.children.len(), self.values.len());
        let refuted = if height == 1 {
            self.push_leaves(position, mover, negligible)
        } else {
            position.moves().for_each(|chosen| self.push_child(position, position.play(chosen)));
            self.push_values(position, place, first_child, negligible)
        };
        let value = refuted.unwrap_or_else(|| self.rule.node(place, &self.values[first_value..]));
        self.children.truncate(first_child);
        self.values.truncate(first_value);
        value
    }

    /// Adds the values of the children in the list from `first` on, unless one of them refutes the move that led here:
    /// then its value.
    fn push_values(&mut self, parent: &P, place: Place, first: usize, negligible: f64) -> Option<f64> {
        // The better the first, the more of the others are negligible.
        self.children[first..].sort_unstable_by(|a, b| match place.mover {
            Mover::Max => b.estimate.total_cmp(&a.estimate),
            Mover::Min => a.estimate.total_cmp(&b.estimate),
        });
        let (mut best, mut worse) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for index in first..self.children.len() {
            let child = self.children[index].position;
            let value = self.child_value(parent, &child, place.height, worse);
            let (seen, by_opponent) = views(place.mover, value);
            if by_opponent < negligible {
                return Some(value);
            }
            if seen > best {
                best = seen;
                worse = self.rule.negligible(place, best).unwrap_or(f64::NEG_INFINITY);
            }
            self.values.push(value);
        }
        None
    }

    /// The same for a node of height 1, whose children are not worth a list.
    fn push_leaves(&mut self, position: &P, mover: Mover, negligible: f64) -> Option<f64> {
        for chosen in position.moves() {
            let child = position.play(chosen);
            if self.ply.goes_on(position, &child) {
                let refuted = self.push_leaves(&child, mover, negligible);
                if refuted.is_some() {
                    return refuted;
                }
                continue;
            }
            let value = self.child_value(position, &child, 1, f64::NEG_INFINITY);
            if views(mover, value).1 < negligible {
                return Some(value);
            }
            self.values.push(value);
        }
        None
    }
}

/// A value as the mover and as the opponent sees it.
#[inline]
fn views(mover: Mover, value: f64) -> (f64, f64) {
    match mover {
        Mover::Max => (value, 1.0 - value),
        Mover::Min => (1.0 - value, value),
    }
}
