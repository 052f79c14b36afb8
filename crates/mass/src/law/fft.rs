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

use super::twiddle::{ERROR_UNITS, MAX_BITS, root};

const U: f64 = f64::EPSILON / 2.0;

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
}
