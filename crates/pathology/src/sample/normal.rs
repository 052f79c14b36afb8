//! Normal random numbers by the ziggurat of Marsaglia and Tsang: 256 layers of equal area under the density.

use rand_core::Rng;

/// Where the tail begins, for 256 layers.
const TAIL: f64 = 3.654_152_885_361_009;

/// A number in [0, 1) from the top 53 bits.
pub(crate) fn uniform(random: &mut impl Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp()
}

/// The tables.
#[derive(Clone, Debug)]
pub(crate) struct Normal {
    /// The right ends of the layers, from the lowest (which includes the tail) to 0, and the density there.
    ends: [(f64, f64); 257],
}

impl Normal {
    pub(crate) fn new() -> Self {
        // The area of a layer: the box below the density where the tail begins, plus the tail, by a continued
        // fraction.
        let tail = density(TAIL) / (1..=100).rev().fold(TAIL, |rest, k| TAIL + f64::from(k) / rest);
        let area = TAIL * density(TAIL) + tail;
        let mut ends = [(0.0, 1.0); 257];
        ends[0] = (area / density(TAIL), 0.0);
        ends[1] = (TAIL, density(TAIL));
        for layer in 2..256 {
            let (x, y) = ends[layer - 1];
            let higher: f64 = area / x + y;
            ends[layer] = ((-2.0 * higher.ln()).sqrt(), higher);
        }
        Self { ends }
    }

    /// A standard normal number.
    #[inline]
    pub(crate) fn draw(&self, random: &mut impl Rng) -> f64 {
        loop {
            let bits = random.next_u64();
            let layer = (bits & 255) as usize;
            // The top 53 bits as a number in [-1, 1).
            let x = ((bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0) * self.ends[layer].0;
            if x.abs() < self.ends[layer + 1].0 {
                return x;
            }
            if let Some(x) = self.at_the_edge(layer, x, random) {
                return x;
            }
        }
    }

    #[cold]
    fn at_the_edge(&self, layer: usize, x: f64, random: &mut impl Rng) -> Option<f64> {
        if layer > 0 {
            let (low, high) = (self.ends[layer].1, self.ends[layer + 1].1);
            return (low + uniform(random) * (high - low) < density(x)).then_some(x);
        }
        loop {
            // 1 - u is greater than 0.
            let beyond = -(1.0 - uniform(random)).ln() / TAIL;
            let height = -(1.0 - uniform(random)).ln();
            if 2.0 * height >= beyond * beyond {
                return Some((TAIL + beyond).copysign(x));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use prodmax_number::tails::{chi_square_tail, normal_tail};

    use super::*;
    use crate::sample::tree::stream;

    #[test]
    fn the_layers_close_at_the_top() {
        let normal = Normal::new();
        let (x, y) = normal.ends[255];
        let area = TAIL * density(TAIL) + normal_tail(TAIL) * std::f64::consts::TAU.sqrt();
        assert!((x * (1.0 - y) - area).abs() < 1e-9, "{} {area}", x * (1.0 - y));
    }

    #[test]
    fn the_numbers_are_normal() {
        let (normal, mut random) = (Normal::new(), stream(5, 0));
        // 32 cells of width 1/4, the outermost with the tails.
        let (draws, mut counts) = (2_000_000, [0u32; 32]);
        for _ in 0..draws {
            let cell = ((normal.draw(&mut random) + 4.0) * 4.0).floor().clamp(0.0, 31.0) as usize;
            counts[cell] += 1;
        }
        let above = |cell: usize| normal_tail(cell as f64 / 4.0 - 4.0);
        let chi_square: f64 = (0..32)
            .map(|cell| {
                let below = if cell == 0 { 1.0 } else { above(cell) };
                let share = below - if cell == 31 { 0.0 } else { above(cell + 1) };
                let expected = share * f64::from(draws);
                (f64::from(counts[cell]) - expected).powi(2) / expected
            })
            .sum();
        assert!(chi_square_tail(chi_square, 32) > 0.001, "{chi_square} on 31: {counts:?}");
    }
}
