//! Tails of distributions: how probable a deviation at least as large is.

/// Pr(Z > z) of a standard normal variable, to about 14 digits.
pub fn normal_tail(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - normal_tail(-z);
    }
    let density = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if z < 3.0 {
        // Φ(z) - 1/2 = φ(z) (z + z³/3 + z⁵/(3·5) + …)
        let (mut term, mut sum, mut odd) = (z, z, 1.0);
        while term > sum * 1e-17 {
            odd += 2.0;
            term *= z * z / odd;
            sum += term;
        }
        0.5 - density * sum
    } else {
        // The continued fraction φ(z) / (z + 1/(z + 2/(z + 3/(z + …)))), evaluated backwards.
        density / (1..=100).rev().fold(z, |rest, k| z + f64::from(k) / rest)
    }
}

/// Pr(χ² > x) for an even number of degrees of freedom: a Poisson sum.
pub fn chi_square_tail(x: f64, even_degrees: usize) -> f64 {
    assert!(even_degrees.is_multiple_of(2) && even_degrees > 0);
    let half = x / 2.0;
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..even_degrees / 2 {
        term *= half / k as f64;
        sum += term;
    }
    (-half).exp() * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, relative: f64) -> bool {
        (a - b).abs() <= relative * b.abs()
    }

    #[test]
    fn tails_of_the_normal_distribution() {
        // Abramowitz and Stegun, table 26.1 and 26.2.
        for (z, tail) in [
            (0.0, 0.5),
            (1.0, 0.158_655_253_931_457),
            (2.0, 0.022_750_131_948_179),
            (3.0, 1.349_898_031_630_09e-3),
            (5.0, 2.866_515_718_791_94e-7),
        ] {
            assert!(close(normal_tail(z), tail, 1e-12), "{z}: {}", normal_tail(z));
        }
        assert!(close(normal_tail(-1.0), 0.841_344_746_068_543, 1e-12));
        // Both formulas agree where they meet.
        assert!(close(normal_tail(3.0 - 1e-9), normal_tail(3.0), 1e-7));
    }

    #[test]
    fn tails_of_chi_square() {
        // Abramowitz and Stegun, table 26.8.
        assert!(close(chi_square_tail(23.6848, 14), 0.05, 1e-5));
        assert!(close(chi_square_tail(5.99146, 2), 0.05, 1e-5));
        assert_eq!(chi_square_tail(0.0, 14), 1.0);
    }
}
