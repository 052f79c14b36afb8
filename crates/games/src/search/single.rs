//! Values backed up in single precision, as a program of 1992 may have done it.
//!
//! Product propagation then loses what is close to 0 and 1: one minus 2^-25 is 1, and with whole turns of Kalah, six plies
//! deep, the best value is exactly 0 or 1 in about half of the positions of a game. Values are compared as they come out, so
//! moves that share it are ties.
//!
//! That values vanish also saves work: a product in which a factor is 0 is 0, and one that has fallen to 2^-25 and is
//! subtracted from 1 gives 1, whatever the other factors are. [`best_turns`] leaves every node as soon as its value is
//! settled in this way. The factors are multiplied in the order of the moves, so the values are those of a full-width
//! search, to the last bit. Scores below 0 or above 1 make products that rise again; only zeros settle them.

use std::borrow::Borrow;

use prodmax_rules::numbers::{Doubles, Singles};
use prodmax_rules::{Backup, Place, Prepared, Rule, SearchBackup};

use super::choice::{Chosen, push_turns};
use super::{Ply, Stop, Turn};
use crate::position::{Position, Side};

/// A rule in single precision.
#[derive(Clone, Debug)]
pub struct InSingle(Prepared<Singles>);

impl InSingle {
    pub(super) fn new(rule: &Rule, depth: usize) -> Self {
        Self(rule.prepare(Singles, depth))
    }
}

impl Backup<Doubles> for InSingle {
    fn leaf(&self, seen: f64) -> f64 {
        self.0.leaf(Singles::rounded(seen))
    }

    fn node<C: Borrow<f64>>(&self, place: Place, children: &[C]) -> f64 {
        self.0.node(place, children)
    }

    fn shown(&self, value: f64) -> f64 {
        self.0.shown(value)
    }
}

impl SearchBackup for InSingle {}

/// One minus anything between 0 and this is 1.
const LOST: f32 = 1.0 / (1u32 << 25) as f32;

/// The turns of greatest value by product propagation.
pub(super) fn best_turns<P: Position>(position: &P, depth: usize, ply: Ply, stop: Stop<'_>) -> Chosen {
    let mut walk = Walk { ply, max: position.side(), probable: position.is_probability(), stop, leaves: 0 };
    let mut ends = Vec::new();
    push_turns(position, ply, &mut Turn::new(), &mut ends);
    let mut values: Vec<f32> = Vec::with_capacity(ends.len());
    let mut greatest = f32::NEG_INFINITY;
    for (_, end) in &ends {
        // Different turns can end in the same position.
        let known = values.iter().zip(&ends).find(|(_, (_, other))| other == end).map(|(value, _)| *value);
        let value = known.unwrap_or_else(|| walk.child_value(position, end, depth, Settled::Below(greatest)));
        values.push(value);
        greatest = greatest.max(value);
    }
    let best = ends.into_iter().zip(values).filter(|(_, value)| *value == greatest);
    let turns = best.map(|((turn, _), _)| turn).collect();
    Chosen { turns, value: greatest.into(), leaves: walk.leaves }
}

/// From when on a product of probabilities may stand for the smaller one that more factors would make of it.
#[derive(Clone, Copy)]
enum Settled {
    /// When it is subtracted from 1 and too small to change it.
    Lost,
    /// When it is less than this.
    Below(f32),
}

impl Settled {
    #[inline]
    fn at(self, product: f32) -> bool {
        match self {
            Self::Lost => product <= LOST,
            Self::Below(bound) => product < bound,
        }
    }
}

/// What one search carries from node to node.
struct Walk<'a> {
    ply: Ply,
    max: Side,
    /// Whether all values lie between 0 and 1, so that products only fall.
    probable: bool,
    stop: Stop<'a>,
    leaves: u64,
}

impl Walk<'_> {
    /// The value of a child of a node of height `height`. If it is a product, it may be any other one that is settled.
    fn child_value<P: Position>(&mut self, parent: &P, child: &P, height: usize, settled: Settled) -> f32 {
        let height = self.ply.height_below(parent, child, height);
        if height == 0 || child.outcome().is_some() {
            self.leaves += 1;
            return child.static_value(self.max) as f32;
        }
        if height >= Stop::HEIGHT && self.stop.now() {
            return 0.0;
        }
        let mut product = 1.0;
        if child.side() == self.max {
            self.multiply(child, height, Settled::Lost, &mut product);
            1.0 - product
        } else {
            self.multiply(child, height, settled, &mut product);
            product
        }
    }

    /// Multiplies by the factors of a node, in the order of its moves, until the product is settled.
    fn multiply<P: Position>(
        &mut self,
        position: &P,
        height: usize,
        settled: Settled,
        product: &mut f32,
    ) -> bool {
        let maximizing = position.side() == self.max;
        // What a MAX node subtracts from 1 may be settled in its children.
        let below = if maximizing { Settled::Lost } else { Settled::Below(0.0) };
        for chosen in position.moves() {
            let child = position.play(chosen);
            if self.ply.goes_on(position, &child) {
                if self.multiply(&child, height, settled, product) {
                    return true;
                }
                continue;
            }
            let value = self.child_value(position, &child, height, below);
            let factor = if maximizing { 1.0 - value } else { value };
            *product = if factor == 0.0 { 0.0 } else { *product * factor };
            if *product == 0.0 || self.probable && settled.at(*product) {
                return true;
            }
        }
        false
    }
}
