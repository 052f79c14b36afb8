//! Squares of laws under convolution, by a fast Fourier transform whose rounding error is bounded.
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
//! together at most √2 ‖Z‖; so the squares are off, summed over all frequencies, by 2 √2 (θ + 2u) ‖Z‖² and by 4u ‖Z‖²
//! for rounding: (3θ + 10u) n ‖z‖², which moves no element of the result by more than (3θ + 10u) ‖z‖². The
//! way back adds an error of norm θ ‖result‖, whose sum of magnitudes is at most √n as much. What lies below the normal
//! range of doubles is off by 2^-1074 at most and covered by a factor of 1.01 and 10^-290.

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

/// Squares the spectra of both real parts.
fn square_spectra(re: &mut [f64], im: &mut [f64]) {
    let pair = |zr: f64, zi: f64, yr: f64, yi: f64| {
        // Of a: (Z + conj Y) / 2; of b: (Z - conj Y) / 2i.
        let (ar, ai, br, bi) = ((zr + yr) / 2.0, (zi - yi) / 2.0, (zi + yi) / 2.0, (yr - zr) / 2.0);
        let (pr, pi) = (ar * ar - ai * ai, 2.0 * ar * ai);
        let (qr, qi) = (br * br - bi * bi, 2.0 * br * bi);
        ([pr - qi, pi + qr], [pr + qi, qr - pi])
    };
    for i in 0..re.len().min(2) {
        let (own, _) = pair(re[i], im[i], re[i], im[i]);
        [re[i], im[i]] = own;
    }
    let mut block = 2;
    while block < re.len() {
        for i in block..block + block / 2 {
            let j = i ^ (block - 1);
            let (own, partner) = pair(re[i], im[i], re[j], im[j]);
            [re[i], im[i]] = own;
            [re[j], im[j]] = partner;
        }
        block *= 2;
    }
}

/// The convolution of each of two sequences of the same length with itself.
pub(super) struct Squares {
    /// The results; rounding leaves no element below 0.
    pub(super) parts: [Vec<f64>; 2],
    /// A bound on the sum of the magnitudes of all rounding errors in either.
    pub(super) error: f64,
}

/// The squares of two sequences of non-negative numbers; `None` if they are too long for the transform.
pub(super) fn squares([a, b]: [&[f64]; 2]) -> Option<Squares> {
    let length = (2 * a.len()).saturating_sub(1);
    let n = length.max(1).next_power_of_two();
    if n > 1 << MAX_BITS {
        return None;
    }
    let norm = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>();
    let size = norm(a) + norm(b);
    let padded = |part: &[f64]| {
        let mut all = vec![0.0; n];
        all[..part.len()].copy_from_slice(part);
        all
    };
    let (mut re, mut im) = (padded(a), padded(b));
    forward(&mut re, &mut im);
    square_spectra(&mut re, &mut im);
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
    Some(Squares { parts: [re, im], error })
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

    fn naive(a: &[f64]) -> Vec<f64> {
        let mut square = vec![0.0; 2 * a.len() - 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in a.iter().enumerate() {
                square[i + j] += x * y;
            }
        }
        square
    }

    proptest! {
        /// Whole numbers below 2^20, at most 100 of them: the slow twin is exact.
        #[test]
        fn squares_are_those_of_the_slow_twin_within_the_bound(
            pairs in prop::collection::vec((0u32..1 << 20, 0u32..1 << 20), 1..100),
        ) {
            let parts: [Vec<f64>; 2] = [
                pairs.iter().map(|pair| f64::from(pair.0)).collect(),
                pairs.iter().map(|pair| f64::from(pair.1)).collect(),
            ];
            let Squares { parts: squares, error } = squares([&parts[0], &parts[1]]).unwrap();
            let total: f64 = parts.iter().flatten().sum();
            prop_assert!(error < 1e-9 * (total * total + 1.0));
            for (square, part) in squares.iter().zip(&parts) {
                let off: f64 = square.iter().zip(naive(part)).map(|(x, y)| (x - y).abs()).sum();
                prop_assert!(off <= error, "{off} {error}");
            }
        }
    }

    #[test]
    fn long_sequences_are_refused_not_cut() {
        assert!(squares([&vec![0.0; (1 << 23) + 1], &vec![0.0; (1 << 23) + 1]]).is_none());
        assert_eq!(squares([&[3.0], &[0.5]]).unwrap().parts, [vec![9.0], vec![0.25]]);
    }
}
