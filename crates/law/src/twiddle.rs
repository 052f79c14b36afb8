//! Roots of unity for the transform, with a proven error: nothing here relies on the platform's sine and cosine.
//!
//! exp(-2πi J / 2^24) is the product of one of 4096 coarse and one of 4096 fine roots. These are products of at most
//! twelve of the 24 roots exp(-2πi / 2^j), in fixed point with 62 binary places. Each factor is within 3 · 2^-62 of
//! its value (half-angle formulas in enclosures, cut off), and so is each rounding, so a coarse or fine root is within
//! 12 · 6 · 2^-62 < 2^-55 before and, with u = 2^-53, within u after it is rounded to doubles. The product of the two
//! in doubles adds √5 u; all in all a root is within 4.5 u of its value.

use std::sync::OnceLock;

use num_traits::ToPrimitive;
use prodmax_number::{Enclosure, Fraction};

/// The maximum length of the transform is 2^24.
pub(super) const MAX_BITS: u32 = 24;
const HALF: u32 = MAX_BITS / 2;
const PLACES: u32 = 62;

/// How far a root is from its value, in units of 2^-53.
pub(super) const ERROR_UNITS: f64 = 4.5;

struct Roots {
    coarse: Vec<[f64; 2]>,
    fine: Vec<[f64; 2]>,
}

/// exp(-2πi `index` / 2^`bits`).
pub(super) fn root(index: usize, bits: u32) -> [f64; 2] {
    static ROOTS: OnceLock<Roots> = OnceLock::new();
    let Roots { coarse, fine } = ROOTS.get_or_init(roots);
    let index = (index << (MAX_BITS - bits)) & ((1 << MAX_BITS) - 1);
    let ([a, b], [c, d]) = (coarse[index >> HALF], fine[index & ((1 << HALF) - 1)]);
    [a * c - b * d, a * d + b * c]
}

fn roots() -> Roots {
    let first = first_roots();
    // exp(-2πi / 2^j) is first[j].
    let table = |last: usize| {
        let mut table = vec![[1i128 << PLACES, 0]; 1 << HALF];
        for index in 1..table.len() {
            let low = index.trailing_zeros() as usize;
            table[index] = times(table[index & (index - 1)], first[last - low]);
        }
        let double = |part: i128| part as f64 / (1u64 << PLACES) as f64;
        table.into_iter().map(|root| root.map(double)).collect()
    };
    Roots { coarse: table(HALF as usize), fine: table(MAX_BITS as usize) }
}

fn times([a, b]: [i128; 2], [c, d]: [i128; 2]) -> [i128; 2] {
    [(a * c - b * d) >> PLACES, (a * d + b * c) >> PLACES]
}

/// exp(-2πi / 2^j) for j = 0..=24.
fn first_roots() -> Vec<[i128; 2]> {
    const BITS: u32 = 200;
    let one = Enclosure::integer(1, BITS);
    let fixed = |number: &Enclosure| (number.low_end() >> (BITS - PLACES)).to_i128().unwrap_or(0);
    // A full, a half and a quarter turn; then cos(x/2) = √((1 + cos x)/2), sin(x/2) = √((1 - cos x)/2).
    let unit = 1i128 << PLACES;
    let mut first = vec![[unit, 0], [-unit, 0], [0, -unit]];
    let mut cosine = Enclosure::of(&Fraction::from_integer(0.into()), BITS);
    while first.len() <= MAX_BITS as usize {
        let sine = one.sub(&cosine).halve(1).sqrt();
        cosine = one.add(&cosine).halve(1).sqrt();
        first.push([fixed(&cosine), -fixed(&sine)]);
    }
    first
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;

    #[test]
    fn roots_are_those_of_the_formula() {
        for (index, bits) in [(0, 4), (1, 3), (3, 3), (5, 4), (12345, 20), ((1 << 24) - 1, 24)] {
            let angle = -std::f64::consts::TAU * index as f64 / f64::from(1u32 << bits);
            let [re, im] = root(index, bits);
            assert_abs_diff_eq!(re, angle.cos(), epsilon = 1e-15);
            assert_abs_diff_eq!(im, angle.sin(), epsilon = 1e-15);
        }
    }

    /// The root by the platform's cosine and sine of an angle within the first quadrant, where the angle itself is
    /// accurate; a quarter turn clockwise is (x, y) to (y, -x).
    fn direct(index: usize, bits: u32) -> [f64; 2] {
        let turn = 1usize << bits;
        let (quadrant, rest) = (4 * (index % turn) / turn, 4 * (index % turn) % turn);
        let (sin, cos) = (std::f64::consts::FRAC_PI_2 * (rest as f64 / turn as f64)).sin_cos();
        (0..quadrant).fold([cos, -sin], |[x, y], _| [y, -x])
    }

    fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
        (a[0] - b[0]).hypot(a[1] - b[1])
    }

    /// 4.5 units of 2^-53 are 5.0e-16; the other side is off by no more than 3e-16.
    #[test]
    fn roots_of_every_index_are_within_the_error() {
        for bits in 0..=12 {
            for index in 0..1 << bits {
                let off = distance(root(index, bits), direct(index, bits));
                assert!(off < 8e-16, "{index} of 2^{bits}: {off}");
            }
        }
        for index in (0..1 << 24).step_by(4099) {
            let off = distance(root(index, 24), direct(index, 24));
            assert!(off < 8e-16, "{index} of 2^24: {off}");
        }
    }

    #[test]
    fn quarters_of_a_turn_are_exact_and_turns_repeat() {
        assert_eq!(root(0, 24), [1.0, 0.0]);
        assert_eq!(root(1, 2), [0.0, -1.0]);
        assert_eq!(root(1, 1), [-1.0, 0.0]);
        assert_eq!(root(3 << 22, 24), [0.0, 1.0]);
        assert_eq!(root(5 + (7 << 4), 4), root(5, 4));
    }

    /// Coarse roots in steps of 2^-12 of a turn, fine ones of 2^-24: each within 2^-53, except for the error of the
    /// other side.
    #[test]
    fn both_tables_are_accurate_at_every_index() {
        let Roots { coarse, fine } = roots();
        assert_eq!([coarse.len(), fine.len()], [1 << 12; 2]);
        for index in 0..1 << 12 {
            assert!(distance(coarse[index], direct(index, 12)) < 4e-16, "coarse {index}");
            assert!(distance(fine[index], direct(index, 24)) < 2.3e-16, "fine {index}");
        }
    }

    /// Each first root squared is the one before it: two factors within 3 units of the last place and one rounding.
    #[test]
    fn first_roots_halve_the_angle() {
        let first = first_roots();
        assert_eq!(first.len(), 25);
        for j in 1..first.len() {
            let square = times(first[j], first[j]);
            for (found, before) in square.into_iter().zip(first[j - 1]) {
                assert!((found - before).abs() <= 8, "{j}: {found}, not {before}");
            }
        }
        // An eighth of a turn is (√½, -√½), and its sign is not lost in squaring.
        let [re, im] = first[3].map(|part| part as f64 / 2f64.powi(62));
        assert_abs_diff_eq!(re, 0.5f64.sqrt(), epsilon = 2e-16);
        assert_abs_diff_eq!(im, -(0.5f64.sqrt()), epsilon = 2e-16);
        assert!(first[4..].iter().all(|&[re, im]| re > 0 && im < 0));
    }

    /// (3/4 - i/2) (1/4 + i/8) = 3/16 + 1/16 + i (3/32 - 1/8) = 1/4 - i/32.
    #[test]
    fn products_in_fixed_point_are_complex_products() {
        let fixed = |number: f64| (number * 2f64.powi(62)) as i128;
        let product = times([fixed(0.75), fixed(-0.5)], [fixed(0.25), fixed(0.125)]);
        assert_eq!(product, [fixed(0.25), fixed(-0.03125)]);
    }
}
