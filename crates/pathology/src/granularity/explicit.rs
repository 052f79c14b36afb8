//! Independent uniform values with any number of grains, and with none: move errors from an explicit formula.
//!
//! If leaves are independent, so are the children of any node, and the joint distribution function G(t, h) of a node's
//! true and heuristic value follows from its children's at the same point (t, h). At a MAX node it is G^b; at a MIN node
//! the probability S that both values lie above, which is 1 less G(t, ∞) and G(∞, h) plus G, becomes S^b. So G is needed
//! only where the children of the root can be, not on a table of all pairs of grains. At high branching factors these
//! values lie in a narrow interval, and tens of thousands of grains become possible. For the deepest search the leaves' G
//! is a sum of normal distribution functions over grains, for a search to depth 1 the true values are those of the root's
//! children.
//!
//! Many grains approach real values. With grains, heuristic values beyond the range of the leaves belong to the outermost
//! grains; for real values ([`with_real_values`]) there are grains beyond the range, too.

use std::ops::RangeInclusive;

use prodmax_jobs::stop;
use prodmax_number::possible::Kind;
use rayon::prelude::*;

use super::{GrainError, RUN, normal};
use crate::figures::TOLERANCE;
use crate::model::{Grains, RealModel, Steps, Values, is_max};
use prodmax_number::Approximate;

/// Probabilities below this are left out.
const NEGLIGIBLE: f64 = 1e-16;

/// The maximum number of grains: the work grows with their square.
pub const MAX_GRAINS_EXPLICIT: u32 = 1 << 20;

/// The move errors of a search to depth 1 and of the deepest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ends {
    /// Of a search to depth 1.
    pub first: Approximate,
    /// Of a search to the leaves.
    pub last: Approximate,
}

impl Ends {
    /// Both, if they are possible and known to [`TOLERANCE`].
    fn new(d_max: usize, first: Approximate, last: Approximate) -> Result<Self, GrainError> {
        let check = |d: usize, figure: Approximate| {
            let checked = figure.known_to(Kind::Probability, TOLERANCE);
            checked.map_err(|reason| reason.of(format!("the move error of a search to depth {d}")))
        };
        Ok(Self { first: check(1, first)?, last: check(d_max, last)? })
    }

    /// By how much the deepest search is worse.
    pub fn rise(&self) -> f64 {
        self.last.value - self.first.value
    }

    /// The error of the rise.
    pub fn error(&self) -> f64 {
        self.first.error() + self.last.error()
    }
}

/// Probabilities of a node's values at a point: true value at most t, heuristic value at most h, both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) truth: f64,
    pub(crate) heuristic: f64,
    pub(crate) both: f64,
}

/// 0 for what rounding took below it. Unlike `max` it keeps what is not a number, so that the gate sees it.
pub(crate) fn not_negative(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x }
}

fn above(b: i32, below: f64) -> f64 {
    not_negative(1.0 - below).powi(b)
}

impl Point {
    /// The same one ply higher.
    pub(crate) fn backed_up(self, b: i32, max: bool) -> Self {
        if max {
            return Self {
                truth: self.truth.powi(b),
                heuristic: self.heuristic.powi(b),
                both: self.both.powi(b),
            };
        }
        let (t, h) = (above(b, self.truth), above(b, self.heuristic));
        let both_above = not_negative(1.0 - self.truth - self.heuristic + self.both).powi(b);
        Self { truth: 1.0 - t, heuristic: 1.0 - h, both: not_negative(1.0 - t - h + both_above) }
    }
}

/// A leaf model: where the leaves are, and how the plies between a depth and the root's children go.
#[derive(Clone, Copy, Debug)]
struct LeafTree {
    b: u32,
    d_max: usize,
    /// The leaves lie between -half and half.
    half: f64,
    sigma_e: f64,
}

impl LeafTree {
    fn new(model: &RealModel) -> Result<Self, GrainError> {
        model.check()?;
        if model.values != Values::Independent || model.steps != Steps::Uniform || model.m.is_some() {
            return Err(GrainError::Explicit);
        }
        let half = 3f64.sqrt() * model.sigma_v;
        Ok(Self { b: model.b, d_max: model.d_max, half, sigma_e: model.sigma_e })
    }

    /// From a leaf to a child of the root.
    fn to_first(self, leaf: Point) -> Point {
        (1..self.d_max).rev().fold(leaf, |point, depth| point.backed_up(self.b as i32, is_max(depth)))
    }

    /// Pr(true value of a child of the root <= t), where this share of the leaves is at most t.
    fn truth(self, leaves: f64) -> f64 {
        self.to_first(Point { truth: leaves, heuristic: 1.0, both: leaves }).truth
    }
}

/// (x^b - y^b) / (x - y), b times the mean of t^(b-1) between y and x.
fn mean_power(b: i32, x: f64, y: f64) -> f64 {
    let difference = x - y;
    if difference.abs() > 1e-4 * x.abs().max(y.abs()) {
        return (x.powi(b) - y.powi(b)) / difference;
    }
    // Simpson's rule: exact to the fourth order of the difference.
    f64::from(b) * (x.powi(b - 1) + 4.0 * (0.5 * (x + y)).powi(b - 1) + y.powi(b - 1)) / 6.0
}

/// Rows that one thread does at a time; every block begins with a row that is computed twice.
const BLOCK: usize = 64;

/// The move error of MAX, choosing at random among the children with the greatest heuristic grain. Row i holds
/// Pr(T below edge i, H below edge j) for every relevant edge j of the heuristic values; see `Joint::move_error`.
fn move_error(rows: usize, b: u32, row: impl Fn(usize) -> Vec<f64> + Sync) -> f64 {
    let of_block = |block: usize| {
        let first = block * BLOCK;
        let mut before = row(first);
        let mut right = 0.0;
        for index in first + 1..rows.min(first + BLOCK + 1) {
            stop::check();
            let here = row(index);
            for j in 1..here.len() {
                let mass = (here[j] - here[j - 1]) - (before[j] - before[j - 1]);
                if mass <= 0.0 {
                    continue;
                }
                right += mass * mean_power(b as i32, here[j], here[j - 1]);
            }
            before = here;
        }
        right
    };
    let blocks = (rows - 1).div_ceil(BLOCK);
    let sums: Vec<f64> = (0..blocks).into_par_iter().with_max_len(1).map(of_block).collect();
    1.0 - sums.iter().sum::<f64>()
}

/// The edges k from 0 to n at which a distribution function is neither negligible nor as good as 1, with one more at
/// either end.
fn relevant(n: usize, distribution: impl Fn(usize) -> f64) -> RangeInclusive<usize> {
    let first_where = |above: f64| {
        let (mut low, mut high) = (0, n);
        while low < high {
            let middle = low + (high - low) / 2;
            if distribution(middle) > above { high = middle } else { low = middle + 1 }
        }
        low
    };
    first_where(NEGLIGIBLE).saturating_sub(1)..=first_where(1.0 - NEGLIGIBLE).min(n)
}

/// The probability that a grain is seen below an edge, which depends only on their distance, and its sums.
struct Noise {
    /// Grains of true values.
    count: usize,
    /// Further grains of heuristic values on either side.
    margin: usize,
    /// Φ((n - 1/2) w / σ_e) by the distance n of edge and grain.
    below: Vec<f64>,
    /// The sums of all up to each.
    sums: Vec<f64>,
}

impl Noise {
    fn new(count: usize, margin: usize, grain: f64) -> Self {
        let half = (count + margin) as f64 - 0.5;
        let distances = (0..2 * (count + margin)).into_par_iter();
        let below: Vec<f64> = distances.map(|n| normal((n as f64 - half) * grain)).collect();
        let mut sum = 0.0;
        let mut sums = vec![0.0];
        sums.extend(below.iter().map(|mass| {
            sum += mass;
            sum
        }));
        Self { count, margin, below, sums }
    }

    /// The last edge of heuristic values, beyond which there are none.
    fn last(&self) -> usize {
        self.count + 2 * self.margin
    }

    /// Pr(seen below edge `edge`) for grain `grain`; the outermost grains include everything beyond.
    fn below(&self, edge: usize, grain: usize) -> f64 {
        match edge {
            0 => 0.0,
            edge if edge == self.last() => 1.0,
            edge => self.below[self.count - 1 + edge - grain],
        }
    }

    /// The sum of that over the first `grains` grains.
    fn summed(&self, edge: usize, grains: usize) -> f64 {
        match edge {
            0 => 0.0,
            edge if edge == self.last() => grains as f64,
            edge => self.sums[self.count + edge] - self.sums[self.count + edge - grains],
        }
    }
}

/// The move errors at both ends with a number of grains that cover all values of a leaf.
pub fn with_grains(model: &RealModel, count: u32) -> Result<Ends, GrainError> {
    ends(model, count, false)
}

/// `beyond`: heuristic values beyond the range of the leaves have grains of their own.
fn ends(model: &RealModel, count: u32, beyond: bool) -> Result<Ends, GrainError> {
    /// How far noise reaches, in its standard deviations.
    const REACH: f64 = 9.0;
    let tree = LeafTree::new(model)?;
    if !(2..=MAX_GRAINS_EXPLICIT).contains(&count) {
        return Err(GrainError::TooManyHere(count));
    }
    let grains = Grains { count, range: tree.half };
    let count = count as usize;
    let grain = grains.width() / tree.sigma_e;
    let noise = Noise::new(count, if beyond { (REACH / grain).ceil() as usize } else { 0 }, grain);
    let share = |k: usize| k as f64 / count as f64;
    let rows: Vec<usize> = relevant(count, |k| tree.truth(share(k))).collect();
    let figure = |value: f64| Approximate::estimated(value, ROUNDING);

    // Depth 1: the true values of the root's children, each seen through noise. A row is a sum over the rows before it,
    // so the table is summed column by column.
    let masses: Vec<(usize, f64)> = rows
        .windows(2)
        .map(|pair| (pair[0], tree.truth(share(pair[1])) - tree.truth(share(pair[0]))))
        .collect();
    let column = |edge: usize| {
        stop::check();
        let (mut left, mut here, mut right) = (0.0, 0.0, 0.0);
        for &(grain, mass) in &masses {
            let (low, high) = (noise.below(edge, grain), noise.below(edge + 1, grain));
            left += mass * low;
            here += mass * high;
            right += mass * (high - low) * mean_power(tree.b as i32, here, left);
        }
        right
    };
    let marginal = |edge: usize| masses.iter().map(|(grain, mass)| mass * noise.below(edge, *grain)).sum();
    let columns = relevant(noise.last(), marginal);
    let sums: Vec<f64> =
        (*columns.start()..*columns.end()).into_par_iter().with_min_len(BLOCK).map(column).collect();
    let first = 1.0 - sums.iter().sum::<f64>();

    // The deepest search: the leaves, each seen through noise.
    let seen = |edge: usize| noise.summed(edge, count) / count as f64;
    let heuristic = |edge: usize| {
        let seen = seen(edge);
        tree.to_first(Point { truth: 1.0, heuristic: seen, both: seen }).heuristic
    };
    let columns: Vec<usize> = relevant(noise.last(), heuristic).collect();
    let row = |index: usize| {
        let k = rows[index];
        let point = |edge: &usize| {
            let both = noise.summed(*edge, k) / count as f64;
            tree.to_first(Point { truth: share(k), heuristic: seen(*edge), both }).both
        };
        columns.iter().map(point).collect()
    };
    let last = move_error(rows.len(), tree.b, row);
    Ends::new(tree.d_max, figure(first), figure(last))
}

/// The least number of grains that is not pathological and is followed by [`RUN`] more that are not; `None` if there is
/// none up to `most`. Numbers that leave hardly anything to choose between (move errors below 10^-6: nearly all moves are
/// equally good) do not count.
pub fn required(model: &RealModel, most: u32) -> Result<Option<u32>, GrainError> {
    const NEGLIGIBLE_ERROR: f64 = 1e-6;
    let mut found = None;
    for count in 2..=most + RUN {
        let ends = with_grains(model, count)?;
        if ends.rise() > ROUNDING || ends.last.value < NEGLIGIBLE_ERROR {
            found = None;
            continue;
        }
        let first = *found.get_or_insert(count);
        if count == first + RUN {
            break;
        }
    }
    Ok(found.filter(|found| *found <= most))
}

/// A bound for errors of rounding and of what is left out.
const ROUNDING: f64 = 1e-9;

/// How many grains the limit is extrapolated from: the more moves, the closer together the values of the root's children,
/// and the fewer of all grains they need.
fn grains_for_limit(b: u32) -> u32 {
    match b {
        0..8 => 1600,
        8..16 => 6400,
        _ => 51_200,
    }
}

/// The move errors at both ends for real values, extrapolated from a number of grains, its half, quarter and eighth.
///
/// With `bounded`, heuristic values beyond the range of the leaves are as good as its ends: the limit of
/// [`with_grains`].
///
/// Two true values in the same grain count as equally good, so the error is of first order in the width of a grain. The
/// stated error is the distance of the last two extrapolations.
pub fn with_real_values(model: &RealModel, bounded: bool) -> Result<Ends, GrainError> {
    let most = grains_for_limit(model.b);
    let all: Vec<Ends> =
        [8, 4, 2, 1].iter().map(|part| ends(model, most / part, !bounded)).collect::<Result<_, _>>()?;
    let limit = |of: fn(&Ends) -> Approximate| {
        let mut values: Vec<f64> = all.iter().map(|ends| of(ends).value).collect();
        let mut before = f64::INFINITY;
        for order in 1..values.len() {
            let factor = f64::from(1 << order);
            before = values[values.len() - 1];
            values = values.windows(2).map(|pair| (factor * pair[1] - pair[0]) / (factor - 1.0)).collect();
        }
        Approximate::estimated(values[0], (values[0] - before).abs() + ROUNDING)
    };
    Ends::new(model.d_max, limit(|ends| ends.first), limit(|ends| ends.last))
}

#[cfg(test)]
mod tests;
