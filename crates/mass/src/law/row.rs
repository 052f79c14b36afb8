//! Rows: the law of a product value on the grid, within one event, with and without the truth.

use std::sync::Arc;

use super::LawError;
use super::fft::convolve;
use super::grid::{Grid, Rounding};

const U: f64 = f64::EPSILON / 2.0;

/// The mass that is dropped at each end of a row; it is added to the error.
const TINY: f64 = 1e-16;

/// Masses at consecutive indices of the grid: in total, and of the subtrees that are won (in the coordinate of p) or
/// lost (in that of 1 - p).
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    /// The first index.
    pub(super) offset: usize,
    /// The total mass.
    pub(super) mass: Vec<f64>,
    /// The part of it that is won or lost.
    pub(super) truth: Vec<f64>,
}

/// A row and how far it can be from the exact one: bounds on the sums of the magnitudes of all differences, where the
/// exact one is the law of values that were rounded like those of this row.
#[derive(Clone, Debug)]
pub(super) struct Law {
    pub(super) row: Arc<Row>,
    /// For the mass and for the truth.
    pub(super) error: [f64; 2],
}

impl Law {
    /// The law without any mass.
    pub(super) fn nothing() -> Self {
        Self { row: Arc::default(), error: [0.0; 2] }
    }

    /// Whether it is exactly nothing.
    pub(super) fn is_nothing(&self) -> bool {
        self.row.mass.is_empty() && self.error == [0.0; 2]
    }

    /// Whether it is the identical law.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.row, &other.row)
    }

    /// The convolution with another law or with itself, with everything beyond the cap at the cap.
    fn times(&self, other: Option<&Self>, grid: &Grid) -> Result<Self, LawError> {
        let second = other.unwrap_or(self);
        let rows = [&self.row, &second.row];
        let [sums, other_sums] = rows.map(|row| [&row.mass, &row.truth].map(|part| part.iter().sum::<f64>()));
        let mut error = [0.0; 2];
        for part in 0..2 {
            // (x + e) (y + f) - x y, where x and y are sums of numbers that are not negative.
            let [x, y] = [1.01 * sums[part], 1.01 * other_sums[part]];
            let [e, f] = [self.error[part], second.error[part]];
            error[part] = 1.01 * (e * y + f * x + e * f);
        }
        if rows.iter().any(|row| row.mass.is_empty()) {
            // Everything there was has been dropped.
            return Ok(Self { row: Arc::default(), error });
        }
        let convolved =
            convolve([&self.row.mass, &self.row.truth], other.map(|law| [&law.row.mass[..], &law.row.truth]))
                .ok_or(LawError::TooFine)?;
        let [mass, truth] = convolved.parts;
        let offset = self.row.offset + second.row.offset;
        let error = error.map(|error| error + 1.01 * convolved.error);
        let mut product = Building { row: Row { offset, mass, truth }, error };
        product.fold(grid.cap());
        product.settle(0.0);
        Ok(product.trimmed().finish())
    }
}

/// A row being filled.
#[derive(Clone, Debug, Default)]
pub(super) struct Building {
    pub(super) row: Row,
    pub(super) error: [f64; 2],
}

impl Building {
    /// An empty row for indices from `low` to `high`.
    pub(super) fn over(low: usize, high: usize) -> Self {
        let length = (high + 1).saturating_sub(low);
        let row = Row { offset: low, mass: vec![0.0; length], truth: vec![0.0; length] };
        Self { row, error: [0.0; 2] }
    }

    /// Adds mass at an index within the row.
    pub(super) fn put(&mut self, index: usize, mass: f64, truth: f64) {
        let place = index - self.row.offset;
        self.row.mass[place] += mass;
        self.row.truth[place] += truth;
    }

    /// Adds a law times `factor`, with or without complementing the truth.
    pub(super) fn add(&mut self, law: &Law, factor: f64, contrary: bool) {
        if law.row.mass.is_empty() {
            return self.add_errors(law, factor, contrary);
        }
        let from = law.row.offset - self.row.offset;
        let to = from + law.row.mass.len();
        let (mass, truth) = (&mut self.row.mass[from..to], &mut self.row.truth[from..to]);
        for (((own, own_truth), m), t) in mass.iter_mut().zip(truth).zip(&law.row.mass).zip(&law.row.truth) {
            *own += factor * m;
            *own_truth += factor * if contrary { m - t } else { *t };
        }
        self.add_errors(law, factor, contrary);
    }

    fn add_errors(&mut self, law: &Law, factor: f64, contrary: bool) {
        let [mass, truth] = law.error;
        self.error[0] += factor.abs() * mass;
        self.error[1] += factor.abs() * if contrary { mass + truth } else { truth };
    }

    /// Accounts for this number of successive roundings, relative to a mass of 1, and clamps the mass to at least 0
    /// and the truth to at most the mass.
    pub(super) fn settle(&mut self, roundings: f64) {
        for (m, t) in self.row.mass.iter_mut().zip(&mut self.row.truth) {
            *m = m.max(0.0);
            *t = t.clamp(0.0, *m);
        }
        // An element of the truth that is clamped to that of the mass is no further from the exact one than both are.
        self.error[0] += 1.01 * roundings * U;
        self.error[1] += self.error[0] + 1.01 * roundings * U;
    }

    /// The same in the other coordinate.
    pub(super) fn turned(self, grid: &Grid, rounding: Rounding) -> Self {
        let Self { row, error } = self;
        if row.mass.is_empty() {
            return Self { row, error };
        }
        let last = row.offset + row.mass.len() - 1;
        // A greater index becomes a smaller one.
        let low = grid.turn(last, rounding).0;
        let high = (grid.turn(row.offset, rounding).0 + 1).min(grid.cap());
        let mut turned = Self::over(low, high);
        turned.error = error;
        let (mut run, mut longest, mut before) = (0usize, 0usize, usize::MAX);
        for (index, (&m, &t)) in (row.offset..).zip(row.mass.iter().zip(&row.truth)) {
            let (to, part) = grid.turn(index, rounding);
            run = if to == before { run + 1 } else { 1 };
            (longest, before) = (longest.max(run), to);
            let place = to - low;
            turned.row.mass[place] += part * m;
            turned.row.truth[place] += part * t;
            if part < 1.0 {
                turned.row.mass[place + 1] += (1.0 - part) * m;
                turned.row.truth[place + 1] += (1.0 - part) * t;
            }
        }
        let sums = 1.01 * (2 * longest + 4) as f64 * U;
        turned.error = turned.error.map(|error| error + sums);
        turned
    }

    /// Drops the ends that hold almost no mass.
    pub(super) fn trimmed(mut self) -> Self {
        let row = &mut self.row;
        let mut lost = 0.0;
        let mut end = row.mass.len();
        let mut sum = 0.0;
        while end > 0 && sum + row.mass[end - 1] <= TINY {
            sum += row.mass[end - 1];
            end -= 1;
        }
        lost += sum;
        let mut begin = 0;
        sum = 0.0;
        while begin < end && sum + row.mass[begin] <= TINY {
            sum += row.mass[begin];
            begin += 1;
        }
        lost += sum;
        for part in [&mut row.mass, &mut row.truth] {
            part.truncate(end);
            part.drain(..begin);
        }
        row.offset += begin;
        // The truth is not greater than the mass.
        self.error = self.error.map(|error| error + 1.01 * lost);
        self
    }

    /// The law of this number of independent values combined, with everything beyond the cap at the cap.
    pub(super) fn power(self, exponent: usize, grid: &Grid) -> Result<Law, LawError> {
        let base = self.finish();
        // The usual way, from the highest bit of the exponent down; its square needs one transform less.
        let mut power = base.clone();
        for bit in (0..exponent.max(1).ilog2()).rev() {
            power = power.times(None, grid)?;
            if exponent >> bit & 1 == 1 {
                power = power.times(Some(&base), grid)?;
            }
        }
        Ok(power)
    }

    /// Moves everything beyond the cap to the cap.
    fn fold(&mut self, cap: usize) {
        let row = &mut self.row;
        if row.offset + row.mass.len() <= cap + 1 {
            return;
        }
        let beyond = row.mass.len();
        let keep = (cap + 1).saturating_sub(row.offset).max(1);
        for part in [&mut row.mass, &mut row.truth] {
            let sum: f64 = part[keep - 1..].iter().sum();
            part.truncate(keep);
            part[keep - 1] = sum;
        }
        row.offset = row.offset.min(cap);
        self.error = self.error.map(|error| error + 1.01 * (beyond as f64) * U);
    }

    /// Finishes the row.
    pub(super) fn finish(self) -> Law {
        Law { row: Arc::new(self.row), error: self.error }
    }
}

/// The range of indices that the laws of a list cover; `None` if they are all empty.
pub(super) fn span<'a>(laws: impl Iterator<Item = &'a Law>) -> Option<[usize; 2]> {
    let ends = |law: &Law| [law.row.offset, law.row.offset + law.row.mass.len() - 1];
    laws.filter(|law| !law.row.mass.is_empty()).map(ends).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}
