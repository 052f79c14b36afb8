//! Convolutions of laws by a fast Fourier transform whose rounding error is bounded.
//!
//! Two real sequences are one complex one; the forward transform is decimation in frequency, the backward one
//! decimation in time, so that nothing ever needs to be reordered: the spectrum is in bit-reversed order, where the
//! partner -k of the frequency at place i differs from i in all bits below its highest.
//!
//! **The bound.** Let u = 2^-53. A pass of radix 4 is 2 times a unitary map. It rounds two additions (u each, relative to
//! the Euclidean norm) and one complex product (√5 u, Brent, Percival and Zimmermann) with a root of unity that is off by
//! 4.5 u (see `twiddle`), together less than 9 u. With P passes the norm of the error is at most θ = 9.1 P u of
//! the norm of the result, forward or backward (as in Higham, Accuracy and Stability, theorem 24.2).
//!
//! With z = a + ib and n the length, ‖Z‖² = n ‖z‖². Both spectra are off by at most (θ + 2u) ‖Z‖ and their norms
//! together at most √2 ‖Z‖. Let y = c + id be the other pair. Then the products ac and bd of the spectra are off, summed
//! over all frequencies, by 2 √2 (θ + 2u) ‖Z‖ ‖Y‖ and by 4u ‖Z‖ ‖Y‖ for rounding: (3θ + 10u) n ‖z‖ ‖y‖, which moves no
//! element of the result by more than (3θ + 10u) ‖z‖ ‖y‖. The way back adds an error of norm θ ‖result‖, whose sum of
//! magnitudes is at most √n as much. What lies below the normal range of doubles is off by 2^-1074 at most and covered
//! by a factor of 1.01 and 10^-290.

use std::sync::OnceLock;

use super::U;
use super::twiddle::{ERROR_UNITS, MAX_BITS, root};

/// The roots of one pass: w^k, w^2k, w^3k for k below a quarter of its length, real parts and imaginary parts.
struct Pass {
    re: [Vec<f64>; 3],
    im: [Vec<f64>; 3],
}

impl Pass {
    fn of(bits: u32) -> &'static Self {
        static PASSES: [OnceLock<Pass>; MAX_BITS as usize + 1] =
            [const { OnceLock::new() }; MAX_BITS as usize + 1];
        PASSES[bits as usize].get_or_init(|| {
            let roots = [1, 2, 3].map(|power| (0..1usize << (bits - 2)).map(move |k| root(power * k, bits)));
            let (re, im): (Vec<_>, Vec<_>) = roots
                .into_iter()
                .map(|roots| roots.map(|[re, im]| (re, im)).unzip::<f64, f64, Vec<_>, Vec<_>>())
                .unzip();
            let three = |parts: Vec<Vec<f64>>| parts.try_into().unwrap_or_default();
            Self { re: three(re), im: three(im) }
        })
    }
}

/// Four quarters of equal length.
fn quarters(all: &mut [f64]) -> [&mut [f64]; 4] {
    let quarter = all.len() / 4;
    let (low, high) = all.split_at_mut(2 * quarter);
    let (a, b) = low.split_at_mut(quarter);
    let (c, d) = high.split_at_mut(quarter);
    [a, b, c, d]
}

fn halves_of_two(re: &mut [f64], im: &mut [f64]) {
    for part in [re, im] {
        if let [a, b] = part {
            (*a, *b) = (*a + *b, *a - *b);
        }
    }
}

/// Natural to bit-reversed order.
fn forward(re: &mut [f64], im: &mut [f64]) {
    let n = re.len();
    if n <= 2 {
        return halves_of_two(re, im);
    }
    let pass = Pass::of(n.trailing_zeros());
    let q = n / 4;
    {
        let [r0, r1, r2, r3] = quarters(re).map(|quarter| &mut quarter[..q]);
        let [i0, i1, i2, i3] = quarters(im).map(|quarter| &mut quarter[..q]);
        let [wr1, wr2, wr3] = pass.re.each_ref().map(|part| &part[..q]);
        let [wi1, wi2, wi3] = pass.im.each_ref().map(|part| &part[..q]);
        for k in 0..q {
            let (sr, si, er, ei) = (r0[k] + r2[k], i0[k] + i2[k], r0[k] - r2[k], i0[k] - i2[k]);
            let (tr, ti, fr, fi) = (r1[k] + r3[k], i1[k] + i3[k], r1[k] - r3[k], i1[k] - i3[k]);
            // e - i f and e + i f.
            let (ar, ai, br, bi) = (er + fi, ei - fr, er - fi, ei + fr);
            let (dr, di) = (sr - tr, si - ti);
            r0[k] = sr + tr;
            i0[k] = si + ti;
            r1[k] = dr * wr2[k] - di * wi2[k];
            i1[k] = dr * wi2[k] + di * wr2[k];
            r2[k] = ar * wr1[k] - ai * wi1[k];
            i2[k] = ar * wi1[k] + ai * wr1[k];
            r3[k] = br * wr3[k] - bi * wi3[k];
            i3[k] = br * wi3[k] + bi * wr3[k];
        }
    }
    if q > 1 {
        for (re, im) in re.chunks_exact_mut(q).zip(im.chunks_exact_mut(q)) {
            forward(re, im);
        }
    }
}

/// Bit-reversed to natural order, times the length.
fn backward(re: &mut [f64], im: &mut [f64]) {
    let n = re.len();
    if n <= 2 {
        return halves_of_two(re, im);
    }
    let pass = Pass::of(n.trailing_zeros());
    let q = n / 4;
    if q > 1 {
        for (re, im) in re.chunks_exact_mut(q).zip(im.chunks_exact_mut(q)) {
            backward(re, im);
        }
    }
    let [r0, r1, r2, r3] = quarters(re).map(|quarter| &mut quarter[..q]);
    let [i0, i1, i2, i3] = quarters(im).map(|quarter| &mut quarter[..q]);
    let [wr1, wr2, wr3] = pass.re.each_ref().map(|part| &part[..q]);
    let [wi1, wi2, wi3] = pass.im.each_ref().map(|part| &part[..q]);
    for k in 0..q {
        // By the conjugate roots.
        let (br, bi) = (r1[k] * wr2[k] + i1[k] * wi2[k], i1[k] * wr2[k] - r1[k] * wi2[k]);
        let (cr, ci) = (r2[k] * wr1[k] + i2[k] * wi1[k], i2[k] * wr1[k] - r2[k] * wi1[k]);
        let (dr, di) = (r3[k] * wr3[k] + i3[k] * wi3[k], i3[k] * wr3[k] - r3[k] * wi3[k]);
        let (sr, si, tr, ti) = (r0[k] + br, i0[k] + bi, r0[k] - br, i0[k] - bi);
        // e = c + d, f = i (c - d).
        let (er, ei, fr, fi) = (cr + dr, ci + di, di - ci, cr - dr);
        r0[k] = sr + er;
        i0[k] = si + ei;
        r2[k] = sr - er;
        i2[k] = si - ei;
        r1[k] = tr + fr;
        i1[k] = ti + fi;
        r3[k] = tr - fr;
        i3[k] = ti - fi;
    }
}

/// Multiplies the spectra of both real parts by those of another pair, or by themselves.
fn multiply_spectra(re: &mut [f64], im: &mut [f64], other: Option<[&[f64]; 2]>) {
    // Of a: (Z + conj Y) / 2; of b: (Z - conj Y) / 2i, where Y is Z at the partner.
    let parts = |[zr, zi]: [f64; 2], [yr, yi]: [f64; 2]| {
        [[(zr + yr) / 2.0, (zi - yi) / 2.0], [(zi + yi) / 2.0, (yr - zr) / 2.0]]
    };
    let times = |[ar, ai]: [f64; 2], [cr, ci]: [f64; 2]| [ar * cr - ai * ci, ar * ci + ai * cr];
    let n = re.len();
    let mut multiply = |i: usize, j: usize| {
        let own = [[re[i], im[i]], [re[j], im[j]]];
        let [z, y] = other.map_or(own, |[re, im]| [[re[i], im[i]], [re[j], im[j]]]);
        let ([a, b], [c, d]) = (parts(own[0], own[1]), parts(z, y));
        let ([pr, pi], [qr, qi]) = (times(a, c), times(b, d));
        [re[j], im[j]] = [pr + qi, qr - pi];
        [re[i], im[i]] = [pr - qi, pi + qr];
    };
    for i in 0..n.min(2) {
        multiply(i, i);
    }
    let mut block = 2;
    while block < n {
        for i in block..block + block / 2 {
            multiply(i, i ^ (block - 1));
        }
        block *= 2;
    }
}

/// The convolutions of two pairs of sequences.
pub(super) struct Convolved {
    /// The results; rounding leaves no element below 0.
    pub(super) parts: [Vec<f64>; 2],
    /// A bound on the sum of the magnitudes of all rounding errors in either.
    pub(super) error: f64,
}

/// Two sequences of the same length, of non-negative numbers.
pub(super) type Pair<'a> = [&'a [f64]; 2];

/// The first sequence of one pair convolved with the first of the other, and the second with the second; without
/// another pair, each with itself. `None` if they are too long for the transform.
pub(super) fn convolve(pair: Pair<'_>, other: Option<Pair<'_>>) -> Option<Convolved> {
    let length = (pair[0].len() + other.unwrap_or(pair)[0].len()).saturating_sub(1);
    let n = length.max(1).next_power_of_two();
    if n > 1 << MAX_BITS {
        return None;
    }
    let norm = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>();
    let squared_norm = |[a, b]: Pair<'_>| norm(a) + norm(b);
    let spectrum = |pair: Pair<'_>| {
        let [mut re, mut im] = pair.map(|part| {
            let mut all = vec![0.0; n];
            all[..part.len()].copy_from_slice(part);
            all
        });
        forward(&mut re, &mut im);
        [re, im]
    };
    let size = match other {
        Some(other) => (squared_norm(pair) * squared_norm(other)).sqrt(),
        None => squared_norm(pair),
    };
    let [mut re, mut im] = spectrum(pair);
    let other = other.map(spectrum);
    multiply_spectra(&mut re, &mut im, other.as_ref().map(|[re, im]| [&re[..], &im[..]]));
    backward(&mut re, &mut im);
    let scale = 1.0 / n as f64;
    for part in [&mut re, &mut im] {
        part.truncate(length);
        for x in part {
            *x = (*x * scale).max(0.0);
        }
    }
    let theta = theta(n);
    let count = length as f64;
    let pointwise = (3.0 * theta + 10.0 * U) * size;
    let result = (norm(&re) + norm(&im)).sqrt() + count.sqrt() * pointwise;
    let error = 1.01 * (count * pointwise + count.sqrt() * theta * result) + 1e-290;
    Some(Convolved { parts: [re, im], error })
}

/// The relative error of one transform of this length.
fn theta(n: usize) -> f64 {
    let passes = f64::from(n.trailing_zeros().div_ceil(2));
    (ERROR_UNITS + 4.6) * passes * U
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};
    use proptest::prelude::*;

    use super::*;

    fn naive(a: &[f64], b: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; a.len() + b.len() - 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                product[i + j] += x * y;
            }
        }
        product
    }

    /// Whole numbers below 2^20, at most 100 of them: the slow twin is exact.
    fn pairs() -> impl Strategy<Value = [Vec<f64>; 2]> {
        let pairs = prop::collection::vec((0u32..1 << 20, 0u32..1 << 20), 1..100);
        pairs.prop_map(|pairs| {
            let (a, b): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            [a, b]
        })
    }

    proptest! {
        #[test]
        fn convolutions_are_those_of_the_slow_twin_within_the_bound(left in pairs(), right in pairs(), same: bool) {
            let right = if same { left.clone() } else { right };
            let both = |parts: &[Vec<f64>; 2]| parts.clone();
            let [[a, b], [c, d]] = [both(&left), both(&right)];
            let other: Pair<'_> = [&c, &d];
            let Convolved { parts, error } = convolve([&a, &b], (!same).then_some(other)).unwrap();
            let sum = |parts: &[Vec<f64>; 2]| parts.iter().flatten().sum::<f64>();
            prop_assert!(error < 1e-9 * (sum(&left) * sum(&right) + 1.0));
            for (found, exact) in parts.iter().zip([naive(&a, &c), naive(&b, &d)]) {
                prop_assert_eq!(found.len(), exact.len());
                let off: f64 = found.iter().zip(exact).map(|(x, y)| (x - y).abs()).sum();
                prop_assert!(off <= error, "{off} {error}");
            }
        }
    }

    #[test]
    fn long_sequences_are_refused_not_cut() {
        let long = vec![0.0; (1 << 23) + 1];
        assert!(convolve([&long, &long], None).is_none());
        assert_eq!(convolve([&[3.0], &[0.5]], None).unwrap().parts, [vec![9.0], vec![0.25]]);
    }

    /// Whole numbers of both signs that follow no simple pattern.
    fn sample(n: usize, seed: usize) -> Vec<f64> {
        (0..n).map(|j| ((5 * j * j + 7 * j + 11 * seed) % 19) as f64 - 6.0).collect()
    }

    /// The definition: Σ over j of z_j exp(sign 2πi jk / n) for every k.
    fn direct([re, im]: Pair<'_>, sign: f64) -> [Vec<f64>; 2] {
        let n = re.len();
        let at = |k: usize| {
            let mut sum = (0.0, 0.0);
            for j in 0..n {
                let angle = sign * std::f64::consts::TAU * (j * k % n) as f64 / n as f64;
                let (sin, cos) = angle.sin_cos();
                sum.0 += re[j] * cos - im[j] * sin;
                sum.1 += re[j] * sin + im[j] * cos;
            }
            sum
        };
        let (re, im) = (0..n).map(at).unzip();
        [re, im]
    }

    /// Every number at the place whose bits are those of its own place in reversed order.
    fn bit_reversed(part: &[f64]) -> Vec<f64> {
        let bits = part.len().trailing_zeros();
        let reversed = |place: usize| (0..bits).fold(0, |other, bit| 2 * other + place / (1 << bit) % 2);
        (0..part.len()).map(|place| part[reversed(place)]).collect()
    }

    fn assert_close(found: Pair<'_>, expected: &[Vec<f64>; 2], epsilon: f64) {
        for (found, expected) in found.into_iter().zip(expected) {
            assert_eq!(found.len(), expected.len());
            for (x, y) in found.iter().zip(expected) {
                assert_abs_diff_eq!(*x, *y, epsilon = epsilon);
            }
        }
    }

    #[test]
    fn transforms_are_those_of_the_definition_in_bit_reversed_order() {
        for bits in 0..=8 {
            let n = 1 << bits;
            let [re, im] = [sample(n, 1), sample(n, 2)];
            let (mut found_re, mut found_im) = (re.clone(), im.clone());
            forward(&mut found_re, &mut found_im);
            let expected = direct([&re, &im], -1.0).map(|part| bit_reversed(&part));
            assert_close([&found_re, &found_im], &expected, 1e-10);
            // The way back reads its input in that order.
            let (mut found_re, mut found_im) = (bit_reversed(&re), bit_reversed(&im));
            backward(&mut found_re, &mut found_im);
            assert_close([&found_re, &found_im], &direct([&re, &im], 1.0), 1e-10);
        }
    }

    /// With A, B, C and D the transforms of four real sequences, A + iB becomes AC + iBD, or A² + iB² by itself.
    #[test]
    fn spectra_of_both_parts_are_multiplied_frequency_by_frequency() {
        for bits in 0..=6 {
            let n = 1 << bits;
            let zero = vec![0.0; n];
            let parts = [1, 2, 3, 4].map(|seed| sample(n, seed));
            let [a, b, c, d] = parts.each_ref().map(|part| direct([part, &zero], -1.0));
            let joined = |a: &[Vec<f64>; 2], b: &[Vec<f64>; 2]| {
                let re: Vec<f64> = (0..n).map(|k| a[0][k] - b[1][k]).collect();
                let im: Vec<f64> = (0..n).map(|k| a[1][k] + b[0][k]).collect();
                [bit_reversed(&re), bit_reversed(&im)]
            };
            let times = |a: &[Vec<f64>; 2], c: &[Vec<f64>; 2]| {
                let re = (0..n).map(|k| a[0][k] * c[0][k] - a[1][k] * c[1][k]).collect();
                let im = (0..n).map(|k| a[0][k] * c[1][k] + a[1][k] * c[0][k]).collect();
                [re, im]
            };
            let other = joined(&c, &d);
            let [mut re, mut im] = joined(&a, &b);
            multiply_spectra(&mut re, &mut im, Some([&other[0], &other[1]]));
            assert_close([&re, &im], &joined(&times(&a, &c), &times(&b, &d)), 1e-8);
            let [mut re, mut im] = joined(&a, &b);
            multiply_spectra(&mut re, &mut im, None);
            assert_close([&re, &im], &joined(&times(&a, &a), &times(&b, &b)), 1e-8);
        }
    }

    #[test]
    fn convolutions_of_every_length_are_products_of_polynomials() {
        for lengths in [[1, 1], [1, 2], [2, 2], [3, 2], [3, 3], [5, 4], [5, 5], [7, 11], [16, 17], [33, 1]] {
            let [first, second] = lengths;
            let positive = |n: usize, seed: usize| sample(n, seed).into_iter().map(|x| x + 7.0).collect();
            let [a, b]: [Vec<f64>; 2] = [positive(first, 1), positive(first, 2)];
            let [c, d]: [Vec<f64>; 2] = [positive(second, 3), positive(second, 4)];
            let [ac, bd] = convolve([&a, &b], Some([&c, &d])).unwrap().parts;
            assert_close([&ac, &bd], &[naive(&a, &c), naive(&b, &d)], 1e-10);
            let [aa, bb] = convolve([&a, &b], None).unwrap().parts;
            assert_close([&aa, &bb], &[naive(&a, &a), naive(&b, &b)], 1e-10);
        }
    }

    /// Half of the bits of the length, rounded up, are the passes; each is 9.1 units of 2^-53.
    #[test]
    fn the_error_of_a_transform_grows_with_the_number_of_passes() {
        let unit = 2f64.powi(-53);
        for (n, passes) in [(1, 0.0), (2, 1.0), (4, 1.0), (8, 2.0), (16, 2.0), (32, 3.0), (1 << 24, 12.0)] {
            assert_relative_eq!(theta(n), 9.1 * passes * unit, epsilon = 0.0, max_relative = 1e-14);
        }
    }

    /// (3, 1, 4) and (2, 7, 1) have the squared norm 26 + 54 = 80, (1, 5, 9, 2) and (6, 5, 3, 5) have 111 + 95 = 206.
    /// The products (3, 16, 36, 35, 38, 8) and (12, 52, 47, 36, 38, 5) have 4294 + 7822 = 12116. Six elements take a
    /// transform of eight, so two passes: θ is 18.2 units of 2^-53. No element moves by more than 3 · 18.2 + 10 =
    /// 64.6 units of √(80 · 206) before the way back, which adds √6 · 18.2 units of √12116.
    #[test]
    fn the_bound_of_a_product_is_the_one_counted_by_hand() {
        let Convolved { parts, error } = convolve(
            [&[3.0, 1.0, 4.0], &[2.0, 7.0, 1.0]],
            Some([&[1.0, 5.0, 9.0, 2.0], &[6.0, 5.0, 3.0, 5.0]]),
        )
        .unwrap();
        let product = [vec![3.0, 16.0, 36.0, 35.0, 38.0, 8.0], vec![12.0, 52.0, 47.0, 36.0, 38.0, 5.0]];
        assert_close([&parts[0], &parts[1]], &product, 1e-12);
        let units = 6.0 * 64.6 * f64::sqrt(80.0 * 206.0) + f64::sqrt(6.0) * 18.2 * f64::sqrt(12116.0);
        assert_relative_eq!(error, 1.01 * units * 2f64.powi(-53), epsilon = 0.0, max_relative = 1e-12);
    }

    /// The squares (9, 6, 25, 8, 16) and (4, 28, 53, 14, 1) have the squared norm 1062 + 3806 = 4868. Five elements
    /// take a transform of eight, too.
    #[test]
    fn the_bound_of_squares_is_the_one_counted_by_hand() {
        let Convolved { parts, error } = convolve([&[3.0, 1.0, 4.0], &[2.0, 7.0, 1.0]], None).unwrap();
        let squares = [vec![9.0, 6.0, 25.0, 8.0, 16.0], vec![4.0, 28.0, 53.0, 14.0, 1.0]];
        assert_close([&parts[0], &parts[1]], &squares, 1e-12);
        let units = 5.0 * 64.6 * 80.0 + f64::sqrt(5.0) * 18.2 * f64::sqrt(4868.0);
        assert_relative_eq!(error, 1.01 * units * 2f64.powi(-53), epsilon = 0.0, max_relative = 1e-12);
    }

    /// A transform of one element is no transform: only the 10 units of the product are left, of 3² + 0.5². Without
    /// anything, only what covers numbers below the normal range.
    #[test]
    fn the_bound_of_single_numbers_has_no_share_of_transforms() {
        let error = convolve([&[3.0], &[0.5]], None).unwrap().error;
        assert_relative_eq!(error, 1.01 * 10.0 * 9.25 * 2f64.powi(-53), epsilon = 0.0, max_relative = 1e-12);
        assert_relative_eq!(convolve([&[0.0; 3], &[0.0; 3]], None).unwrap().error, 1e-290, epsilon = 0.0);
    }

    /// Only the first sequence of one pair and only the second of the other: both products are 0, but the norms of
    /// the pairs, 3 and 5, are not. The result may then be as large as its own error, √1024 · 15 (3θ + 10u), of which
    /// the way back adds a share of √1024 θ. So the whole is 1024 · 15 (3θ + 10u) (1 + θ), where θ is 5 · 9.1 u:
    /// large enough among the digits of a double.
    #[test]
    fn the_bound_allows_for_a_result_that_is_itself_off() {
        let impulse = |length: usize, height: f64| {
            let mut part = vec![0.0; length];
            part[0] = height;
            part
        };
        let [a, zeros, d] = [impulse(512, 3.0), impulse(512, 0.0), impulse(513, 5.0)];
        let Convolved { parts, error } = convolve([&a, &zeros], Some([&impulse(513, 0.0), &d])).unwrap();
        assert_eq!(parts, [vec![0.0; 1024], vec![0.0; 1024]]);
        let unit = 2f64.powi(-53);
        let first_order = 1.01 * 1024.0 * 15.0 * (3.0 * 45.5 + 10.0) * unit;
        assert_abs_diff_eq!(error / first_order - 1.0, 45.5 * unit, epsilon = 1.5e-15);
    }
}
