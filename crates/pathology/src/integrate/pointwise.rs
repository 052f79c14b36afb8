//! Independent values with any number of moves: laws point by point instead of on one lattice.
//!
//! If leaves are independent, the joint distribution function G(t, h) of a node's true and heuristic value follows from
//! its children's at the same point (t, h) (`granularity::explicit`). With many moves the values of nodes near the root
//! lie so close together that no single lattice resolves them and the leaves; but every law can be computed on a window
//! of its own, n cells wide. At the lowest ply of search G(t, h) is an integral over true values up to t of the
//! probability that noise leads to at most h. All errors are series in the squared width of the cells, so `romberg`
//! extrapolates them.

use prodmax_jobs::stop;
use prodmax_number::tails::normal_tail;

use super::LatticeFigures;
use crate::granularity::explicit::{Point, not_negative};
use crate::granularity::step_distribution;
use crate::model::{RealModel, is_max};

/// Probabilities below this are left out.
const NEGLIGIBLE: f64 = 1e-14;

/// The windows have this many cells on the first lattice.
const FIRST_CELLS: usize = 32;

/// A search to depth d, with windows of `cells` cells.
pub(super) struct Pointwise<'a> {
    model: &'a RealModel,
    d: usize,
    sigma_e: f64,
    cells: usize,
    /// Where the true values at depth d lie.
    lowest: Window,
}

/// An interval, divided evenly.
#[derive(Clone, Copy, Debug)]
struct Window {
    low: f64,
    high: f64,
}

impl Window {
    /// The edges of its cells.
    fn edges(self, cells: usize) -> Vec<f64> {
        let width = (self.high - self.low) / cells as f64;
        (0..=cells).map(|k| self.low + k as f64 * width).collect()
    }

    /// The trapezoidal rule.
    fn integral(self, cells: usize, f: impl Fn(f64) -> f64) -> f64 {
        let edges = self.edges(cells);
        let inner: f64 = edges[1..cells].iter().map(|x| f(*x)).sum();
        (inner + 0.5 * (f(self.low) + f(self.high))) * (self.high - self.low) / cells as f64
    }

    /// Where a distribution function is neither negligible nor as good as 1, within this interval.
    fn narrowed(self, distribution: impl Fn(f64) -> f64) -> Self {
        let first_where = |level: f64| {
            let (mut low, mut high) = (self.low, self.high);
            for _ in 0..100 {
                let middle = 0.5 * (low + high);
                if distribution(middle) > level { high = middle } else { low = middle }
            }
            0.5 * (low + high)
        };
        Self { low: first_where(NEGLIGIBLE), high: first_where(1.0 - NEGLIGIBLE) }
    }
}

/// True values in cells, by their centres and probabilities.
type Cells = Vec<(f64, f64)>;

impl<'a> Pointwise<'a> {
    /// On lattice 0, 1, 2, …, each with twice as many cells as the one before.
    pub(super) fn new(model: &'a RealModel, d: usize, sigma_e: f64, lattice: usize) -> Self {
        let mut searched =
            Self { model, d, sigma_e, cells: FIRST_CELLS << lattice, lowest: Window { low: 0.0, high: 0.0 } };
        searched.lowest = searched.truths(d);
        searched
    }

    /// Pr(true value of a node at this depth <= x).
    fn truth(&self, depth: usize, x: f64) -> f64 {
        let leaf = step_distribution(self.model.steps, x / self.model.sigma_v);
        let point = Point { truth: leaf, heuristic: 1.0, both: leaf };
        self.backed_up(point, self.model.d_max, depth).truth
    }

    /// The probabilities at a point, from nodes at depth `from` to their ancestors at depth `to`.
    fn backed_up(&self, point: Point, from: usize, to: usize) -> Point {
        (to..from).rev().fold(point, |point, depth| point.backed_up(self.model.b as i32, is_max(depth)))
    }

    /// Where the true values at a depth lie.
    fn truths(&self, depth: usize) -> Window {
        let reach = self.model.steps.half_width().unwrap_or(9.0) * self.model.sigma_v;
        Window { low: -reach, high: reach }.narrowed(|x| self.truth(depth, x))
    }

    /// The true values at the lowest ply of search in an interval.
    fn masses(&self, window: Window) -> Cells {
        let edges = window.edges(self.cells);
        let below: Vec<f64> = edges.iter().map(|x| self.truth(self.d, *x)).collect();
        let cell = |k: usize| (0.5 * (edges[k] + edges[k + 1]), below[k + 1] - below[k]);
        (0..self.cells).map(cell).collect()
    }

    /// Pr(true value in these cells, heuristic value <= h) at the lowest ply of search.
    fn seen(&self, cells: &[(f64, f64)], h: f64) -> f64 {
        cells.iter().map(|(x, mass)| mass * normal_tail((x - h) / self.sigma_e)).sum()
    }

    /// The true values below, in and above a window at the lowest ply of search.
    fn around(&self, window: Window) -> [Cells; 3] {
        let all = self.lowest;
        let (low, high) = (window.low.clamp(all.low, all.high), window.high.clamp(all.low, all.high));
        let part =
            |low: f64, high: f64| if low < high { self.masses(Window { low, high }) } else { Vec::new() };
        [part(all.low, low), part(low, high), part(high, all.high)]
    }

    /// Where the heuristic values at a depth up to d lie.
    fn heuristics(&self, depth: usize, parts: &[Cells; 3]) -> Window {
        let all = self.lowest;
        let reach = 9.0 * self.sigma_e;
        Window { low: all.low - reach, high: all.high + reach }.narrowed(|h| {
            let seen = parts.iter().map(|part| self.seen(part, h)).sum::<f64>();
            self.backed_up(Point { truth: 1.0, heuristic: seen, both: seen }, self.d, depth).heuristic
        })
    }

    /// The move error of a node at depth - 1: see `Band::move_error`.
    fn move_error(&self, depth: usize) -> f64 {
        let b = self.model.b as i32;
        let max = is_max(depth - 1);
        let window = self.truths(depth);
        let parts = self.around(window);
        let t_below: Vec<f64> = window.edges(self.cells).iter().map(|t| self.truth(self.d, *t)).collect();
        // Down a column t grows: Pr(all children but one are on the right side of the cell's centre) from its corners.
        let column = |h: f64| -> Vec<(f64, f64)> {
            stop::check();
            let below_window = self.seen(&parts[0], h);
            let all = below_window + self.seen(&parts[1], h) + self.seen(&parts[2], h);
            let mut both = below_window;
            let mut points = Vec::with_capacity(self.cells + 1);
            for (k, truth) in t_below.iter().enumerate() {
                if k > 0 {
                    both += parts[1].get(k - 1).map_or(0.0, |cell| self.seen(&[*cell], h));
                }
                let point = Point { truth: *truth, heuristic: all, both };
                let point = self.backed_up(point, self.d, depth);
                let above = 1.0 - point.truth - point.heuristic + point.both;
                points.push((point.both, if max { point.both } else { above }));
            }
            points
        };
        let mut right = 0.0;
        let mut before: Option<Vec<(f64, f64)>> = None;
        for h in self.heuristics(depth, &parts).edges(self.cells) {
            let here = column(h);
            if let Some(before) = &before {
                for (old, new) in before.windows(2).zip(here.windows(2)) {
                    let mass = (new[1].0 - new[0].0) - (old[1].0 - old[0].0);
                    let side = 0.25 * (new[1].1 + new[0].1 + old[1].1 + old[0].1);
                    right += mass * not_negative(side).powi(b - 1);
                }
            }
            before = Some(here);
        }
        1.0 - f64::from(b) * right
    }

    /// Pr(a node's two values lie on different sides of x), at a depth up to d.
    fn separated_at(&self, depth: usize, x: f64) -> f64 {
        let [below, _, above] = self.around(Window { low: x, high: x });
        let both = self.seen(&below, x);
        let point = Point { truth: self.truth(self.d, x), heuristic: both + self.seen(&above, x), both };
        let point = self.backed_up(point, self.d, depth);
        point.truth + point.heuristic - 2.0 * point.both
    }

    /// E|H - T| at the root: the integral over x of the probability that x lies between them.
    fn position_error(&self) -> f64 {
        let truths = self.truths(0);
        let parts = self.around(truths);
        let heuristics = self.heuristics(0, &parts);
        let below = Window { low: heuristics.low.min(truths.low), high: truths.low };
        let above = Window { low: truths.high, high: heuristics.high.max(truths.high) };
        [below, truths, above].iter().map(|part| part.integral(self.cells, |x| self.separated_at(0, x))).sum()
    }

    /// The median of the root's true value.
    pub(super) fn median(&self) -> f64 {
        let Window { mut low, mut high } = self.truths(0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if self.truth(0, middle) < 0.5 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }

    /// The figures, in the order of `Quantity::ALL`.
    pub(super) fn figures(&self) -> LatticeFigures {
        let (d, median) = (self.d, self.median());
        let of_moves = if d == 0 {
            [None; 3]
        } else {
            let fixed = self.move_error(d);
            let difference = |x: f64| self.truth(d, x) * (1.0 - self.truth(d, x));
            let difference = 2.0 * self.truths(d).integral(self.cells, difference);
            [if d == 1 { fixed } else { self.move_error(1) }, fixed, difference].map(Some)
        };
        let [move_error, static_move_error, difference] = of_moves;
        [
            Some(self.position_error()),
            move_error,
            static_move_error,
            difference,
            Some(self.separated_at(0, median)),
            Some(self.separated_at(d, median)),
        ]
    }
}
