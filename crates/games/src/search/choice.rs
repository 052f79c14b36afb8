//! The moves that a full-width search chooses, without valuing every line.
//!
//! Some rules neglect children that are far worse than the others: minimaxing everything but the best, formula (2.6) all
//! whose odds are so much lower that no hint can make up for it, product propagation what is lost in rounding errors. Once
//! a node has good children, the others need no exact value as soon as they are known to be negligible, and they are as
//! soon as the opponent is seen to have good enough replies: more replies never make a node worth less to its mover. The
//! values of the chosen moves are the same as in a full-width search, to the last bit; those of product propagation up to
//! the order in which they are rounded.
//!
//! Alpha-beta goes further for minimaxing: it also compares with values further up the tree, which other rules mix with
//! other values.

use prodmax_rules::{Mover, Place, Rule, SearchBackup, SearchVisitor};

use super::{Ply, SearchError, SearchRule, Stop, check, single};
use crate::position::{Move, Position, Side};

/// The moves of one side until the other moves or the game is over.
pub type Turn = Vec<Move>;

/// A search by one rule to one depth that finds only the best moves.
#[derive(Clone, Debug)]
pub struct Choice {
    rule: SearchRule,
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
    /// assert!(Choice::new(&"mean:4".parse()?, 5, Ply::Whole)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(rule: &Rule, depth: usize, ply: Ply) -> Result<Option<Self>, SearchError> {
        check(rule, depth)?;
        let rule = SearchRule::new(rule, depth);
        let neglects = rule.rule().negligible(Place { mover: Mover::Max, height: depth }, 0.5).is_some();
        Ok(neglects.then_some(Self { rule, depth, ply, leaves: 0 }))
    }

    /// The same in single precision: only products vanish early enough to save anything.
    pub fn in_single(rule: &Rule, depth: usize, ply: Ply) -> Result<Option<Self>, SearchError> {
        check(rule, depth)?;
        let rule = SearchRule::in_single(rule, depth);
        Ok(rule.vanishes().then_some(Self { rule, depth, ply, leaves: 0 }))
    }

    /// The moves with the greatest value, in order, and that value. Abandoned when `stop` says so.
    pub fn best_moves_until<P: Position>(
        &mut self,
        position: &P,
        stop: Stop<'_>,
    ) -> Result<(Vec<Move>, f64), SearchError> {
        let (turns, value) = self.best_turns_until(position, stop)?;
        let mut moves: Vec<Move> = turns.into_iter().filter_map(|turn| turn.first().copied()).collect();
        moves.dedup();
        Ok((moves, value))
    }

    /// The same with the moves that follow where a turn is a single move: in the positions in between, a search would
    /// find the rest of the same turns.
    pub fn best_turns_until<P: Position>(
        &mut self,
        position: &P,
        stop: Stop<'_>,
    ) -> Result<(Vec<Turn>, f64), SearchError> {
        if position.outcome().is_some() {
            return Err(SearchError::Over);
        }
        self.rule.check_values(position)?;
        let found = if self.rule.vanishes() {
            single::best_turns(position, self.depth, self.ply, stop)
        } else {
            self.rule.visit(Root { position, depth: self.depth, ply: self.ply, stop })
        };
        self.leaves = found.leaves;
        if stop.now() { Err(SearchError::Interrupted) } else { Ok((found.turns, found.value)) }
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

/// What a search for the best moves finds.
pub(super) struct Chosen {
    pub(super) turns: Vec<Turn>,
    pub(super) value: f64,
    pub(super) leaves: u64,
}

impl<P: Position> SearchVisitor for Root<'_, P> {
    type Output = Chosen;

    fn visit<R: SearchBackup>(self, rule: &R) -> Chosen {
        let Self { position, depth, ply, stop } = self;
        let max = position.side();
        let mut walk = Walk { rule, ply, max, stop, leaves: 0, children: Vec::new(), values: Vec::new() };
        let mut ends = Vec::new();
        push_turns(position, ply, &mut Turn::new(), &mut ends);
        // The better the first, the sooner the others are known to be worse.
        let mut order: Vec<(f64, usize)> =
            (0..ends.len()).map(|index| (walk.estimate(position, &ends[index].1, depth), index)).collect();
        order.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let mut values: Vec<Option<f64>> = vec![None; ends.len()];
        let mut greatest = f64::NEG_INFINITY;
        for (_, index) in order {
            let end = &ends[index].1;
            // Different turns can end in the same position.
            let known = (0..ends.len()).find_map(|other| values[other].filter(|_| ends[other].1 == *end));
            // A move that is as good as the best must be told from a worse one, so only worse ones are negligible.
            let value = known.unwrap_or_else(|| walk.child_value(position, end, depth, greatest.max(0.0)));
            values[index] = Some(value);
            greatest = greatest.max(value);
        }
        let is_best = |value: &Option<f64>| value.is_some_and(|value| rule.same(value, greatest));
        let best = values.iter().zip(ends).filter(|(value, _)| is_best(value));
        Chosen { turns: best.map(|(_, (turn, _))| turn).collect(), value: greatest, leaves: walk.leaves }
    }
}

/// All turns that begin with the given moves, in order, and the positions after them. Where a turn is not a single move, it
/// is taken to end after each.
pub(super) fn push_turns<P: Position>(position: &P, ply: Ply, begun: &mut Turn, ends: &mut Vec<(Turn, P)>) {
    for chosen in position.moves() {
        let child = position.play(chosen);
        begun.push(chosen);
        if ply.goes_on(position, &child) {
            push_turns(&child, ply, begun, ends);
        } else {
            ends.push((begun.clone(), child));
        }
        begun.pop();
    }
}

/// The children of nodes of this height and above are searched in the order that a shallower search finds: it costs less
/// than it saves.
const SEARCHED_FIRST: usize = 5;

/// By how much it is shallower.
const SHALLOWER: usize = 3;

/// A child that is waiting to be searched, and what it looks worth.
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

impl<P: Position, R: SearchBackup> Walk<'_, P, R> {
    /// Adds a child to the list; if a turn is a single move, all positions after complete turns through it instead.
    fn push_child(&mut self, parent: &P, child: P) {
        if self.ply.goes_on(parent, &child) {
            child.moves().for_each(|next| self.push_child(&child, child.play(next)));
        } else {
            self.children.push(Child { position: child, estimate: child.static_value(self.max) });
        }
    }

    /// What a child of a node of height `height` looks worth: its order among its siblings.
    fn estimate(&mut self, parent: &P, child: &P, height: usize) -> f64 {
        if height >= SEARCHED_FIRST {
            self.child_value(parent, child, height - SHALLOWER, 0.0)
        } else {
            child.static_value(self.max)
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
        self.value(child, height, if replies { negligible } else { 0.0 })
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
        let so_far = if height == 1 {
            let mut so_far = 0.0;
            let refuted = self.push_leaves(position, mover, &mut so_far, negligible);
            (refuted || self.rule.is_associative()).then_some(so_far)
        } else {
            position.moves().for_each(|chosen| self.push_child(position, position.play(chosen)));
            self.push_values(position, place, first_child, negligible)
        };
        let value = match so_far {
            Some(so_far) => self.seen(mover, so_far),
            None => self.rule.node(place, &self.values[first_value..]),
        };
        self.children.truncate(first_child);
        self.values.truncate(first_value);
        value
    }

    /// Converts a value to the mover's view, or back.
    #[inline]
    fn seen(&self, mover: Mover, value: f64) -> f64 {
        match mover {
            Mover::Max => value,
            Mover::Min => self.rule.opposite(value),
        }
    }

    /// Adds the values of the children in the list from `first` on, unless they refute the move that led here: then what the
    /// mover sees in them.
    fn push_values(&mut self, parent: &P, place: Place, first: usize, negligible: f64) -> Option<f64> {
        if place.height >= SEARCHED_FIRST {
            for index in first..self.children.len() {
                let child = self.children[index].position;
                self.children[index].estimate = self.estimate(parent, &child, place.height);
            }
        }
        // The better the first, the more of the others are negligible.
        self.children[first..].sort_unstable_by(|a, b| match place.mover {
            Mover::Max => b.estimate.total_cmp(&a.estimate),
            Mover::Min => a.estimate.total_cmp(&b.estimate),
        });
        let first_value = self.values.len();
        let (mut best, mut worse) = (0.0, 0.0);
        for index in first..self.children.len() {
            let child = self.children[index].position;
            let value = self.child_value(parent, &child, place.height, worse);
            self.values.push(value);
            best = self.rule.at_least(best, self.seen(place.mover, value));
            let so_far = if negligible == 0.0 || self.rule.is_associative() {
                best
            } else {
                self.seen(place.mover, self.rule.node(place, &self.values[first_value..]))
            };
            if self.rule.refutes(so_far, negligible) {
                return Some(so_far);
            }
            worse = self.rule.negligible(place, best).unwrap_or(0.0);
        }
        None
    }

    /// The same for a node of height 1, whose children are not worth a list: what the mover sees in them so far, and whether
    /// it refutes the move that led here. By associative rules that is all there is to know.
    fn push_leaves(&mut self, position: &P, mover: Mover, so_far: &mut f64, negligible: f64) -> bool {
        for chosen in position.moves() {
            let child = position.play(chosen);
            if self.ply.goes_on(position, &child) {
                if self.push_leaves(&child, mover, so_far, negligible) {
                    return true;
                }
                continue;
            }
            if self.ply.height_below(position, &child, 1) > 0 && child.outcome().is_none() {
                // An extra move that belongs to the same ply, as a node of its own.
                let value = self.value(&child, 1, 0.0);
                *so_far = self.rule.at_least(*so_far, self.seen(mover, value));
                self.values.push(value);
            } else {
                self.leaves += 1;
                let x = child.static_value(self.max);
                *so_far = self.rule.at_least(*so_far, self.rule.leaf_seen(mover, x));
                if !self.rule.is_associative() {
                    self.values.push(self.rule.leaf(x));
                }
            }
            if self.rule.refutes(*so_far, negligible) {
                return true;
            }
        }
        false
    }
}
