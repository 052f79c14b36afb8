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
}
