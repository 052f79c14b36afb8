//! The joint law of true and heuristic value on a lattice.
//!
//! The two values of a node differ by no more than the noise, so the law is a band along the diagonal: it is stored
//! by true value t and error e = h - t. In these coordinates a step, which moves both values alike, is a convolution
//! along t. MAX needs the joint distribution function G(t, h) = Pr(T <= t, H <= h): b independent children have the
//! distribution function G^b. Outside the band G depends on only one of the two values, so it is never needed there:
//! with G(t, e) written for G(t, h = t + e),
//!
//! - above the band, G(t, e_max + 1) = G(t, e_max): every true value up to t has its heuristic value below;
//! - below it, G(t, e_min - 1) = G(t - 1, e_min): with such a low heuristic value the true value cannot be t.
//!
//! Backing up never widens the band: the greatest heuristic value exceeds the greatest true value by no more than
//! e_max. MIN is MAX of the negated values, which is the table read backwards.
//!
//! Bounded true values are equal to a bound with positive probability. These have rows of their own, outside those of
//! the values between the bounds (`has_bounds`): the first two rows lie at the same place, and so do the last two.

use prodmax_jobs::stop;

use super::kernel::Kernel;
use super::marginal::{Marginal, interpolated, kept, normalize};

/// The probabilities of (t, e), row by row: t = first_t, first_t + 1, …, each with e = first_e, first_e + 1, ….
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Band {
    pub(crate) first_t: i64,
    pub(crate) first_e: i64,
    pub(crate) width: usize,
    /// Whether the first and the last row are values that are equal to a bound.
    pub(crate) has_bounds: bool,
    pub(crate) mass: Vec<f64>,
}

/// Two neighbouring rows of the joint distribution function, moving along the table.
struct Rows {
    before: Vec<f64>,
    here: Vec<f64>,
    /// The entries just below the band.
    below_before: f64,
    below_here: f64,
}

impl Rows {
    /// One entry more than the width of the band: the first entry above it.
    fn new(width: usize) -> Self {
        Self { before: vec![0.0; width + 1], here: vec![0.0; width + 1], below_before: 0.0, below_here: 0.0 }
    }

    /// Moves on to the row with these probabilities, `step` lattice points (0 or 1) above the one before.
    fn advance(&mut self, row: &[f64], step: usize) {
        std::mem::swap(&mut self.before, &mut self.here);
        let mut sum = 0.0;
        for ((here, before), mass) in self.here.iter_mut().zip(&self.before[step..]).zip(row) {
            sum += mass;
            *here = before + sum;
        }
        self.here[row.len()] = self.here[row.len() - 1];
        self.below_before = self.below_here;
        self.below_here = if step == 0 { self.below_before } else { self.before[0] };
    }
}

/// Raises every number to a power of at least 1.
fn raise(numbers: &mut [f64], spare: &mut Vec<f64>, exponent: u32) {
    spare.clear();
    spare.extend_from_slice(numbers);
    let bits = u32::BITS - exponent.leading_zeros();
    for bit in (0..bits.saturating_sub(1)).rev() {
        numbers.iter_mut().for_each(|x| *x *= *x);
        if exponent >> bit & 1 == 1 {
            numbers.iter_mut().zip(&*spare).for_each(|(x, base)| *x *= base);
        }
    }
}

impl Band {
    /// The law of (T, T + N) for an independent noise N.
    pub(crate) fn noisy(truth: &Marginal, noise: &Kernel) -> Self {
        Self::noisy_rows(truth.first, &truth.mass, false, noise).trimmed()
    }

    /// The same for a true value between bounds, whose first and last probability are those of the bounds.
    pub(crate) fn noisy_between_bounds(first_t: i64, truth: &[f64], noise: &Kernel) -> Self {
        Self::noisy_rows(first_t, truth, true, noise)
    }

    fn noisy_rows(first_t: i64, truth: &[f64], has_bounds: bool, noise: &Kernel) -> Self {
        assert_eq!(noise.stride, 1);
        let mut mass = Vec::with_capacity(truth.len() * noise.weights.len());
        truth.iter().for_each(|t| mass.extend(noise.weights.iter().map(|e| t * e)));
        Self { first_t, first_e: noise.first, width: noise.weights.len(), has_bounds, mass }
    }

    /// The law of a node that is one of several kinds, each with a weight; all laws are kept on the same rows.
    pub(crate) fn mixed(weights: &[f64], laws: &[Self]) -> Option<Self> {
        let mut mixed = Self { mass: vec![0.0; laws.first()?.mass.len()], ..laws.first()?.clone() };
        add_rows(&mut mixed.mass, weights, |k| &laws[k].mass);
        Some(mixed)
    }

    fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.mass.chunks_exact(self.width)
    }

    /// Whether a row holds values equal to a bound.
    fn is_bound(&self, row: usize) -> bool {
        self.has_bounds && (row == 0 || (row + 1) * self.width == self.mass.len())
    }

    /// By how many lattice points a row lies above the one before.
    fn step(&self, row: usize) -> usize {
        usize::from(!(self.has_bounds && (row == 1 || self.is_bound(row))))
    }

    /// The law seen from the parent: both values are moved by the same independent step.
    pub(crate) fn shifted(&self, kernel: &Kernel) -> Self {
        let rows = self.mass.len() / self.width;
        let reach = (kernel.last() - kernel.first) as usize;
        let mut mass = vec![0.0; (rows + reach) * self.width];
        for (index, to) in mass.chunks_exact_mut(self.width).enumerate() {
            stop::check();
            // Row `index` gets row index - k stride, for every k for which there is one.
            let from = (index + 1).saturating_sub(rows).div_ceil(kernel.stride);
            let until = (index / kernel.stride + 1).min(kernel.weights.len());
            if from >= until {
                continue;
            }
            let row = |k: usize| {
                let at = (index - k * kernel.stride) * self.width;
                &self.mass[at..at + self.width]
            };
            add_rows(to, &kernel.weights[from..until], |k| row(from + k));
        }
        Self { first_t: self.first_t + kernel.first, mass, ..*self }.trimmed()
    }

    fn negate(&mut self) {
        let rows = (self.mass.len() / self.width) as i64;
        let places = if self.has_bounds { rows - 2 } else { rows };
        self.mass.reverse();
        self.first_t = -(self.first_t + places - 1);
        self.first_e = -(self.first_e + self.width as i64 - 1);
    }

    /// The law of (greatest T, greatest H) of b independent nodes with this law, or of the least values.
    pub(crate) fn backed_up(mut self, b: u32, max: bool) -> Self {
        if !max {
            self.negate();
        }
        let mut rows = Rows::new(self.width);
        let (mut before, mut here) = (vec![0.0; self.width + 1], vec![0.0; self.width + 1]);
        let mut spare = Vec::new();
        let steps: Vec<usize> = (0..self.mass.len() / self.width).map(|row| self.step(row)).collect();
        for (row, step) in self.mass.chunks_exact_mut(self.width).zip(steps) {
            stop::check();
            rows.advance(row, step);
            std::mem::swap(&mut before, &mut here);
            here.copy_from_slice(&rows.here);
            raise(&mut here, &mut spare, b);
            // The probability of a point is the mixed difference of the distribution function.
            row[0] = here[0] - before[step];
            for e in 1..row.len() {
                row[e] = (here[e] - before[e + step]) - (here[e - 1] - before[e + step - 1]);
            }
        }
        if !max {
            self.negate();
        }
        if self.has_bounds { self } else { self.trimmed() }
    }

    /// The probability that among b independent nodes with this law the one with the greatest (for MIN: least)
    /// heuristic value is not the one with the greatest (least) true value, for the smooth law that the lattice
    /// represents: inside a point's cell the distribution function is taken at the centre, as the mean of the four
    /// corners. Moves to values that are equal to the same bound are equally good.
    pub(crate) fn move_error(&mut self, b: u32, max: bool) -> f64 {
        if b == 1 {
            return 0.0;
        }
        if !max {
            self.negate();
        }
        let mut rows = Rows::new(self.width);
        let (mut middle, mut spare) = (vec![0.0; self.width], Vec::new());
        let mut right = 0.0;
        for (index, row) in self.rows().enumerate() {
            let step = self.step(index);
            rows.advance(row, step);
            let (here, before) = (&rows.here, &rows.before);
            let below_before = if step == 0 { rows.below_before } else { before[0] };
            if self.is_bound(index) {
                middle[0] = 0.5 * (here[0] + rows.below_here);
                for e in 1..self.width {
                    middle[e] = 0.5 * (here[e] + here[e - 1]);
                }
            } else {
                middle[0] = 0.25 * (here[0] + rows.below_here + before[step] + below_before);
                for e in 1..self.width {
                    middle[e] = 0.25 * (here[e] + here[e - 1] + before[e + step] + before[e + step - 1]);
                }
            }
            raise(&mut middle, &mut spare, b - 1);
            right += row.iter().zip(&middle).map(|(mass, below)| mass * below).sum::<f64>();
        }
        if !max {
            self.negate();
        }
        1.0 - f64::from(b) * right
    }

    /// E|H - T|, in lattice spacings.
    pub(crate) fn position_error(&self) -> f64 {
        let distance = |e: usize| (self.first_e + e as i64).abs() as f64;
        self.errors().iter().enumerate().map(|(e, mass)| distance(e) * mass).sum()
    }

    /// The law of the error alone.
    fn errors(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.width];
        self.rows().for_each(|row| sums.iter_mut().zip(row).for_each(|(sum, mass)| *sum += mass));
        sums
    }

    /// The probability that true and heuristic value lie on different sides of `threshold` (in lattice spacings),
    /// for the smooth law that the lattice represents.
    pub(crate) fn two_value_error(&self, threshold: f64) -> f64 {
        // Between the points i and i + 1 the threshold is i + 1/2.
        let x = threshold - 0.5;
        let above = x.floor() as i64 + 1;
        interpolated(3, x - (above - 3) as f64, |i| self.separated(above - 3 + i))
    }

    /// The probability that exactly one of the two values is at most `last`.
    fn separated(&self, last: i64) -> f64 {
        let mut sum = 0.0;
        for (row, t) in self.rows().zip(self.first_t..) {
            // The heuristic value is at most `last` for errors up to this one.
            let low = (last - t - self.first_e + 1).clamp(0, self.width as i64) as usize;
            let crossing = if t <= last { &row[low..] } else { &row[..low] };
            sum += crossing.iter().sum::<f64>();
        }
        sum
    }

    /// Cuts off rows and columns with negligible probability and normalises the rest to sum to 1: b children would
    /// multiply the missing probability by b at every ply.
    fn trimmed(self) -> Self {
        let rows: Vec<f64> = self.rows().map(|row| row.iter().map(|mass| mass.abs()).sum()).collect();
        let (skip_t, keep_t) = kept(&rows);
        let (skip_e, keep_e) = kept(&self.errors());
        let mut mass = Vec::with_capacity(keep_t * keep_e);
        for row in self.rows().skip(skip_t).take(keep_t) {
            mass.extend_from_slice(&row[skip_e..skip_e + keep_e]);
        }
        normalize(&mut mass);
        Self {
            first_t: self.first_t + skip_t as i64,
            first_e: self.first_e + skip_e as i64,
            width: keep_e,
            mass,
            ..self
        }
    }
}

/// Adds the rows, each times its weight, four at a time.
pub(super) fn add_rows<'a>(to: &mut [f64], weights: &[f64], row: impl Fn(usize) -> &'a [f64]) {
    let fours = weights.chunks_exact(4);
    let rest = fours.remainder();
    let whole = weights.len() - rest.len();
    for (index, four) in fours.enumerate() {
        let k = 4 * index;
        let rows = row(k).iter().zip(row(k + 1)).zip(row(k + 2)).zip(row(k + 3));
        for (to, (((a, b), c), d)) in to.iter_mut().zip(rows) {
            *to += four[0] * a + four[1] * b + (four[2] * c + four[3] * d);
        }
    }
    for (k, weight) in rest.iter().enumerate() {
        to.iter_mut().zip(row(whole + k)).for_each(|(to, from)| *to += weight * from);
    }
}
