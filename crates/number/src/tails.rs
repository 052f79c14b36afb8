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

/// Pr(χ² > x). Two degrees of freedom more add (x/2)^(k/2) e^(-x/2) / Γ(k/2 + 1) to that of k, so for an even number it is
/// a finite Poisson sum, and for an odd one begins with both tails of the normal distribution. 1 without any degrees.
pub fn chi_square_tail(x: f64, degrees: usize) -> f64 {
    if degrees == 0 || x <= 0.0 {
        return 1.0;
    }
    let decay = (-x / 2.0).exp();
    let (mut k, mut sum, mut term) = if degrees.is_multiple_of(2) {
        (2, decay, decay * x / 2.0)
    } else {
        (1, 2.0 * normal_tail(x.sqrt()), decay * (2.0 * x / std::f64::consts::PI).sqrt())
    };
    while k < degrees {
        sum += term;
        k += 2;
        term *= x / k as f64;
    }
    sum
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
        assert!(close(chi_square_tail(19.6751, 11), 0.05, 2e-5));
        assert!(close(chi_square_tail(3.84146, 1), 0.05, 1e-5));
        assert_eq!((chi_square_tail(0.0, 14), chi_square_tail(3.0, 0)), (1.0, 1.0));
    }

    /// The density, x^(k/2 - 1) e^(-x/2) up to a factor, integrated by Simpson's rule beyond x and from 0 on. With x = y² the
    /// integrand is smooth at 0: y^(k - 1) e^(-y²/2).
    #[test]
    fn tails_of_chi_square_by_integration() {
        const STEPS: usize = 20_000;
        const END: f64 = 14.0;
        for degrees in 1..=24 {
            let density = |y: f64| y.powi(degrees as i32 - 1) * (-y * y / 2.0).exp();
            let integral = |from: f64| {
                let step = (END - from) / STEPS as f64;
                let inner = |i: usize| if i % 2 == 1 { 4.0 } else { 2.0 };
                let between: f64 = (1..STEPS).map(|i| inner(i) * density(from + i as f64 * step)).sum();
                (density(from) + between + density(END)) * step / 3.0
            };
            for x in [0.1, 1.0, 5.0, 12.0, 30.0, 60.0] {
                let (ours, tail) = (chi_square_tail(x, degrees), integral(f64::sqrt(x)) / integral(0.0));
                assert!((ours - tail).abs() < 1e-9, "{degrees} {x}: {ours} {tail}");
            }
        }
    }
}
