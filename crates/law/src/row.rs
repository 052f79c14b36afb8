//! Rows: the law of a product value on the grid, within one event, with and without the truth.

use std::sync::Arc;

use super::LawError;
use super::U;
use super::fft::convolve;
use super::grid::{Grid, Rounding};

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
    pub(super) fn empty() -> Self {
        Self { row: Arc::default(), error: [0.0; 2] }
    }

    /// Whether it has neither mass nor error.
    pub(super) fn is_empty(&self) -> bool {
        self.row.mass.is_empty() && self.error == [0.0; 2]
    }

    /// Whether both share one row.
    pub(super) fn shares_row(&self, other: &Self) -> bool {
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

#[cfg(test)]
pub(super) mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use super::*;

    /// Half the distance from 1 to the next double.
    const UNIT: f64 = 1.0 / (1u64 << 53) as f64;

    pub(in super::super) fn row(offset: usize, mass: &[f64], truth: &[f64]) -> Row {
        Row { offset, mass: mass.to_vec(), truth: truth.to_vec() }
    }

    pub(in super::super) fn law(offset: usize, mass: &[f64], truth: &[f64], error: [f64; 2]) -> Law {
        Building { row: row(offset, mass, truth), error }.finish()
    }

    /// The coarsest grid: q = 15/16 and 16 (4 + 6) 0.694 = 111.04, so that the cap is 111.
    fn grid() -> Grid {
        let grid = Grid::new(16).unwrap();
        assert_eq!(grid.cap(), 111);
        grid
    }

    fn assert_row(found: &Row, offset: usize, mass: &[f64], truth: &[f64]) {
        assert_eq!((found.offset, found.mass.len(), found.truth.len()), (offset, mass.len(), truth.len()));
        for (found, expected) in found.mass.iter().zip(mass).chain(found.truth.iter().zip(truth)) {
            assert_abs_diff_eq!(found, expected, epsilon = 1e-14);
        }
    }

    /// However small they are: nothing is equal because it is almost 0.
    fn assert_errors(found: [f64; 2], expected: [f64; 2]) {
        for (found, expected) in found.iter().zip(expected) {
            assert_relative_eq!(*found, expected, epsilon = 0.0, max_relative = 1e-12);
        }
    }

    #[test]
    fn only_the_law_without_mass_and_error_is_empty() {
        let nothing = Law::empty();
        assert!(nothing.is_empty() && nothing.row.mass.is_empty() && nothing.error == [0.0; 2]);
        assert!(!law(0, &[], &[], [0.0, 1e-20]).is_empty(), "all that is known is that it is small");
        assert!(!law(0, &[0.5], &[0.25], [0.0; 2]).is_empty());
    }

    #[test]
    fn laws_are_the_same_only_if_they_share_a_row() {
        let [one, other] = [(); 2].map(|()| law(4, &[0.5], &[0.25], [0.0; 2]));
        assert_eq!(one.row, other.row);
        assert!(one.shares_row(&one.clone()) && !one.shares_row(&other));
    }

    /// (0.2, 0.5) from 3 on with (0.25, 0.15, 0.35) from 5 on, and (0.1, 0.3) with (0.05, 0.1, 0.2) for the truth.
    #[test]
    fn a_product_of_two_laws_is_a_convolution() {
        let one = law(3, &[0.2, 0.5], &[0.1, 0.3], [0.01, 0.003]);
        let other = law(5, &[0.25, 0.15, 0.35], &[0.05, 0.1, 0.2], [0.02, 0.007]);
        let product = one.times(Some(&other), &grid()).unwrap();
        let mass = [0.2 * 0.25, 0.03 + 0.125, 0.07 + 0.075, 0.5 * 0.35];
        assert_row(&product.row, 8, &mass, &[0.005, 0.01 + 0.015, 0.02 + 0.03, 0.06]);
        // Sums of 0.7 and 0.75, taken 1 % greater, are off by 0.01 and 0.02:
        // 0.01 · 0.7575 + 0.02 · 0.707 + 0.01 · 0.02 = 0.007575 + 0.01414 + 0.0002 = 0.021915.
        let of_mass = 1.01 * 0.021_915;
        // Likewise 0.003 · 0.3535 + 0.007 · 0.404 + 0.003 · 0.007 = 0.0010605 + 0.002828 + 0.000021 = 0.0039095, and
        // the error of the mass once more, because the truth is clamped to the mass.
        assert_errors(product.error, [of_mass, 1.01 * 0.003_909_5 + of_mass]);
    }

    /// Without errors of the factors, that of the transform is all there is; once more for the clamped truth.
    #[test]
    fn a_product_of_exact_laws_has_the_error_of_the_transform() {
        let (mass, truth) = ([0.2, 0.5, 0.1], [0.1, 0.3, 0.05]);
        let transform = convolve([&mass, &truth], None).unwrap().error;
        assert!(transform > UNIT);
        let square = law(3, &mass, &truth, [0.0; 2]).times(None, &grid()).unwrap();
        assert_eq!(square.row.offset, 6);
        assert_errors(square.error, [1.01 * transform, 2.02 * transform]);
    }

    /// Only e and f are left of (x + e) (y + f) - x y where x is 0: e y + e f.
    #[test]
    fn a_product_with_a_law_that_was_dropped_is_an_error() {
        let dropped = law(0, &[], &[], [0.02, 0.03]);
        let other = law(5, &[0.25, 0.5], &[0.2, 0.3], [0.004, 0.006]);
        let expected = [1.01 * (0.02 * 0.7575 + 0.02 * 0.004), 1.01 * (0.03 * 0.505 + 0.03 * 0.006)];
        for product in [dropped.times(Some(&other), &grid()), other.times(Some(&dropped), &grid())] {
            let product = product.unwrap();
            assert!(product.row.mass.is_empty() && product.row.truth.is_empty());
            assert_errors(product.error, expected);
        }
        let square = dropped.times(None, &grid()).unwrap();
        assert_errors(square.error, [1.01 * 0.0004, 1.01 * 0.0009]);
    }

    /// 55 + 55 = 110 lies on the grid, 111 is its cap, and 56 + 56 = 112 goes there, too.
    #[test]
    fn products_beyond_the_cap_are_at_the_cap() {
        let square = law(55, &[0.25, 0.5], &[0.125, 0.25], [0.0; 2]).times(None, &grid()).unwrap();
        assert_row(&square.row, 110, &[0.0625, 0.5], &[0.015_625, 0.125]);
        let square = law(60, &[0.25, 0.5], &[0.125, 0.25], [0.0; 2]).times(None, &grid()).unwrap();
        assert_row(&square.row, 111, &[0.5625], &[0.140_625]);
    }

    #[test]
    fn an_empty_row_covers_both_ends() {
        let Building { row, error } = Building::over(5, 7);
        assert_eq!((row, error), (self::row(5, &[0.0; 3], &[0.0; 3]), [0.0; 2]));
        assert_eq!(Building::over(5, 5).row, self::row(5, &[0.0], &[0.0]));
        assert_eq!(Building::over(5, 3).row.mass.len(), 0);
    }

    #[test]
    fn masses_at_one_index_add_up() {
        let mut building = Building::over(5, 7);
        building.put(6, 0.25, 0.125);
        building.put(6, 0.5, 0.0625);
        building.put(7, 0.375, 0.25);
        assert_eq!(building.row, row(5, &[0.0, 0.75, 0.375], &[0.0, 0.1875, 0.25]));
        assert_eq!(building.error, [0.0; 2]);
    }

    /// Once 0.3 of a law and then -0.2 of another, whose truth is complemented: of 0.7 and 0.4 remain 0.7 - 0.1 and
    /// 0.4 - 0.35.
    #[test]
    fn laws_are_added_with_their_factors_and_errors() {
        let mut building = Building::over(4, 7);
        building.row.mass.fill(0.9);
        building.row.truth.fill(0.6);
        building.error = [0.05, 0.03];
        building.add(&law(5, &[0.5, 0.8], &[0.2, 0.7], [0.01, 0.003]), 0.3, false);
        assert_row(&building.row, 4, &[0.9, 1.05, 1.14, 0.9], &[0.6, 0.66, 0.81, 0.6]);
        // 0.05 + 0.3 · 0.01 and 0.03 + 0.3 · 0.003.
        assert_errors(building.error, [0.053, 0.0309]);
        building.add(&law(6, &[0.7, 0.4], &[0.1, 0.35], [0.02, 0.007]), -0.2, true);
        assert_row(&building.row, 4, &[0.9, 1.05, 1.0, 0.82], &[0.6, 0.66, 0.69, 0.59]);
        // The complement is off by as much as both: 0.053 + 0.2 · 0.02 and 0.0309 + 0.2 · (0.02 + 0.007).
        assert_errors(building.error, [0.057, 0.0363]);
    }

    #[test]
    fn of_a_law_that_was_dropped_only_errors_are_added() {
        let mut building = Building::over(4, 4);
        building.put(4, 0.25, 0.125);
        building.error = [0.05, 0.03];
        let dropped = law(0, &[], &[], [0.01, 0.003]);
        building.add(&dropped, 0.3, false);
        assert_errors(building.error, [0.053, 0.0309]);
        building.add(&dropped, -0.3, true);
        // 0.3 · (0.01 + 0.003) = 0.0039.
        assert_errors(building.error, [0.056, 0.0348]);
        assert_eq!(building.row, row(4, &[0.25], &[0.125]));
    }

    /// Neither is below 0, and the truth is not above the mass.
    #[test]
    fn settled_rows_are_possible_ones() {
        let mut building = Building {
            row: row(3, &[-0.1, 0.2, 0.3, 0.4], &[0.05, 0.25, -0.01, 0.15]),
            ..Building::default()
        };
        building.settle(0.0);
        assert_eq!(building.row, row(3, &[0.0, 0.2, 0.3, 0.4], &[0.0, 0.2, 0.0, 0.15]));
        assert_eq!(building.error, [0.0; 2]);
    }

    /// The truth has its own error and roundings, and those of the mass that it is clamped to.
    #[test]
    fn settling_accounts_for_roundings() {
        let mut building = Building { error: [5e-16, 7e-16], ..Building::default() };
        building.settle(3.0);
        let roundings = 3.03 * UNIT;
        assert_errors(building.error, [5e-16 + roundings, 12e-16 + 2.0 * roundings]);
    }

    /// With q = 15/16, 1 - q^i lies between these powers of q: i = 16, 17 between the 6th and the 7th, i = 18, 19
    /// between the 5th and the 6th, i = 20, 21, 22 between the 4th and the 5th.
    #[test]
    fn a_row_rounded_up_is_rounded_down_in_the_other_coordinate() {
        let mass = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.35];
        let truth = [0.005, 0.01, 0.03, 0.06, 0.1, 0.2, 0.3];
        let building = Building { row: row(16, &mass, &truth), error: [3e-16, 5e-16] };
        let turned = building.turned(&grid(), Rounding::Ceil);
        assert_row(&turned.row, 4, &[0.83, 0.12, 0.03, 0.0], &[0.6, 0.09, 0.015, 0.0]);
        // At most three at one place: 2 · 3 + 4 roundings.
        assert_errors(turned.error, [3e-16 + 10.1 * UNIT, 5e-16 + 10.1 * UNIT]);
    }

    /// 1 - q^0 = 0 is at the cap, 1 - q is less than the 42nd power of q and 1 - q^2 less than the 32nd.
    #[test]
    fn a_row_rounded_down_is_rounded_up_in_the_other_coordinate() {
        let building = Building { row: row(0, &[0.2, 0.3, 0.5], &[0.1, 0.25, 0.4]), error: [3e-16, 5e-16] };
        let turned = building.turned(&grid(), Rounding::Floor);
        let (mut mass, mut truth) = ([0.0; 79], [0.0; 79]);
        [mass[0], mass[10], mass[78]] = [0.5, 0.3, 0.2];
        [truth[0], truth[10], truth[78]] = [0.4, 0.25, 0.1];
        assert_row(&turned.row, 33, &mass, &truth);
        // No two at one place: 2 · 1 + 4 roundings.
        assert_errors(turned.error, [3e-16 + 6.06 * UNIT, 5e-16 + 6.06 * UNIT]);
    }

    /// 1 - q^9 lies between the 12th and the 13th power of q, 1 - q^10 and 1 - q^11 between the two before: each is
    /// the mean of both powers, with these weights.
    #[test]
    fn a_split_row_is_split_in_the_other_coordinate() {
        let q = |exponent: i32| (15f64 / 16.0).powi(exponent);
        let part = |index: i32, lower: i32| (1.0 - q(index) - q(lower + 1)) / (q(lower) - q(lower + 1));
        let [a, b, c] = [part(9, 12), part(10, 11), part(11, 10)];
        assert!([a, b, c].iter().all(|part| (0.2..0.6).contains(part)));
        let building = Building { row: row(9, &[0.2, 0.3, 0.5], &[0.1, 0.25, 0.4]), error: [0.0; 2] };
        let turned = building.turned(&grid(), Rounding::Split);
        let split =
            |[x, y, z]: [f64; 3]| [c * z, (1.0 - c) * z + b * y, (1.0 - b) * y + a * x, (1.0 - a) * x];
        assert_row(&turned.row, 10, &split([0.2, 0.3, 0.5]), &split([0.1, 0.25, 0.4]));
        assert_errors(turned.error, [6.06 * UNIT; 2]);
    }

    #[test]
    fn nothing_is_turned_if_there_is_nothing() {
        let turned = Building { row: row(7, &[], &[]), error: [0.01, 0.02] }.turned(&grid(), Rounding::Ceil);
        assert_eq!((turned.row, turned.error), (row(7, &[], &[]), [0.01, 0.02]));
    }

    /// At most 10^-16 is dropped at each end: 4 + 5 and 6 + 2 units of 10^-17, but not the next 3.
    #[test]
    fn ends_with_almost_no_mass_are_dropped() {
        let mass = [6e-17, 2e-17, 3e-17, 0.4, 0.3, 5e-17, 4e-17];
        let truth = [1e-17, 2e-17, 1e-17, 0.2, 0.25, 3e-17, 2e-17];
        let trimmed = Building { row: row(20, &mass, &truth), error: [2e-16, 7e-16] }.trimmed();
        assert_eq!(trimmed.row, row(22, &[3e-17, 0.4, 0.3], &[1e-17, 0.2, 0.25]));
        assert_errors(trimmed.error, [2e-16 + 1.01 * 17e-17, 7e-16 + 1.01 * 17e-17]);
    }

    #[test]
    fn a_row_with_almost_no_mass_is_dropped() {
        let trimmed =
            Building { row: row(20, &[3e-17, 2e-17, 4e-17], &[1e-17; 3]), error: [0.0; 2] }.trimmed();
        assert!(trimmed.row.mass.is_empty() && trimmed.row.truth.is_empty());
        assert_errors(trimmed.error, [1.01 * 9e-17; 2]);
    }

    /// Each power is that of the slow way: one factor after the other.
    #[test]
    fn powers_are_repeated_convolutions() {
        let base = row(2, &[0.5, 0.3, 0.2], &[0.4, 0.1, 0.15]);
        let times = |a: &[f64], b: &[f64]| {
            let mut product = vec![0.0; a.len() + b.len() - 1];
            for (i, x) in a.iter().enumerate() {
                for (j, y) in b.iter().enumerate() {
                    product[i + j] += x * y;
                }
            }
            product
        };
        let (mut mass, mut truth) = (base.mass.clone(), base.truth.clone());
        for exponent in 1..=7 {
            let power = Building { row: base.clone(), error: [0.0; 2] }.power(exponent, &grid()).unwrap();
            assert_row(&power.row, 2 * exponent, &mass, &truth);
            (mass, truth) = (times(&mass, &base.mass), times(&truth, &base.truth));
        }
    }

    /// Three factors of 0.5 that are off by 0.01: their square 0.25 by 0.01 · 0.505 twice and 0.01², and then their
    /// cube by this times 0.505 and by 0.01 · 0.2525, too.
    #[test]
    fn errors_grow_with_each_factor() {
        let cube = Building { row: row(2, &[0.5], &[0.5]), error: [0.01, 0.0] }.power(3, &grid()).unwrap();
        let square = 1.01 * (0.0101 + 0.0001);
        assert_relative_eq!(
            cube.error[0],
            1.01 * (square * 0.505 + 0.01 * 0.2525 + square * 0.01),
            max_relative = 1e-12
        );
    }

    /// The last index that is kept holds the sum of all from there on; as many numbers as there were may be rounded.
    #[test]
    fn everything_beyond_the_cap_is_moved_to_the_cap() {
        let whole =
            Building { row: row(4, &[0.1, 0.2, 0.3, 0.4], &[0.05, 0.1, 0.2, 0.15]), error: [3e-16, 5e-16] };
        let folded = |cap: usize| {
            let mut folded = whole.clone();
            folded.fold(cap);
            folded
        };
        let errors = [3e-16 + 4.04 * UNIT, 5e-16 + 4.04 * UNIT];
        for (cap, mass, truth) in [
            (6, &[0.1, 0.2, 0.7][..], &[0.05, 0.1, 0.35][..]),
            (5, &[0.1, 0.9], &[0.05, 0.45]),
            (4, &[1.0], &[0.5]),
        ] {
            assert_row(&folded(cap).row, 4, mass, truth);
            assert_errors(folded(cap).error, errors);
        }
        // Even the first index lies beyond.
        for cap in [1, 2, 3] {
            assert_row(&folded(cap).row, cap, &[1.0], &[0.5]);
            assert_errors(folded(cap).error, errors);
        }
        // 4 to 7 is within caps from 7 on, and nothing changes.
        for cap in [7, 8, 30] {
            assert_eq!((folded(cap).row, folded(cap).error), (whole.row.clone(), whole.error));
        }
    }

    #[test]
    fn the_span_of_laws_leaves_out_those_without_mass() {
        let laws = [
            law(0, &[], &[], [0.1, 0.1]),
            law(7, &[0.1, 0.2, 0.3], &[0.0; 3], [0.0; 2]),
            law(5, &[0.1, 0.2], &[0.0; 2], [0.0; 2]),
            law(30, &[], &[], [0.0; 2]),
        ];
        assert_eq!(span(laws.iter()), Some([5, 9]));
        assert_eq!(span(laws[..2].iter()), Some([7, 9]));
        assert_eq!(span(laws[2..].iter()), Some([5, 6]));
        assert_eq!(span(laws[..1].iter()), None);
    }
}
