//! The model of LGB section 4: siblings whose true values always differ by 1, b = 2, normal noise; eqs (4)-(8).
//!
//! Let E_i be the error (heuristic minus true value) of a node at ply i; E_0 is normal (4). Of the two children of a
//! MAX node the better one has the node's true value and the other one a value lower by 1, so
//! E_{i+1} = max(E_i, E'_i - 1) with the distribution function F(x) F(x + 1) (5); at a MIN node it is
//! min(E_i, E'_i + 1) (6). The move is wrong if E'_i - 1 > E_i (7); the position error is E|E_i| (8). The integrals
//! are sums on lattices of spacing 1/n, extrapolated as in `integrate`.

use prodmax_number::possible::{ImpossibleFigure, Kind};
use thiserror::Error;

use crate::figures::TOLERANCE;
use crate::integrate::{Kernel, Marginal, romberg};
use prodmax_number::Approximate;

/// Who moves at the plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plies {
    /// MAX and MIN alternate.
    Alternating,
    /// MAX moves at all of them (Fig. 14).
    OnlyMax,
}

/// The errors at the root of a search to depth d.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section4Row {
    /// The depth of search.
    pub d: usize,
    /// PE_d, eq. (8).
    pub position_error: Approximate,
    /// ME_d, eq. (7); `None` for d = 0.
    pub move_error: Option<Approximate>,
    /// The mean of the heuristic minus the true value (the bias of Figs 10 and 11).
    pub bias: Approximate,
    /// The variance of the heuristic value (the width of the curves of Figs 10 and 11).
    pub variance: Approximate,
}

/// Why the integrals cannot be computed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Section4Error {
    /// Noise out of range.
    #[error("sigma_e is {0}; it must lie between 0.01 and 100 (siblings differ by 1)")]
    Deviation(f64),
    /// A figure that does not pass the gate.
    #[error(transparent)]
    Impossible(#[from] ImpossibleFigure),
    /// Too deep.
    #[error("the depth is {0}; it must be at most 100")]
    Depth(usize),
}

/// All rows for d = 0..`d_max`.
pub fn section4(sigma_e: f64, d_max: usize, plies: Plies) -> Result<Vec<Section4Row>, Section4Error> {
    if !(0.01..=100.0).contains(&sigma_e) {
        return Err(Section4Error::Deviation(sigma_e));
    }
    if d_max > 100 {
        return Err(Section4Error::Depth(d_max));
    }
    let coarsest = (4.0 / sigma_e).ceil().max(4.0) as usize;
    let lattices: Vec<Vec<OnLattice>> =
        (0..4).map(|halvings| on_lattice(sigma_e, d_max, plies, coarsest << halvings)).collect();
    // Siblings differ by 1; beyond that the noise is the scale of all lengths.
    let scale = sigma_e.max(1.0);
    let figure = |d: usize, name: &str, kind: Kind, tolerance: f64, each: fn(&OnLattice) -> f64| {
        let values: Vec<f64> = lattices.iter().map(|rows| each(&rows[d])).collect();
        // There are enough lattices; otherwise the gate would say so.
        let (value, error) = romberg::limit(&values).unwrap_or((f64::NAN, f64::NAN));
        let checked = Approximate::estimated(value, error).known_to(kind, tolerance);
        checked.map_err(|reason| reason.of(format!("{name} of a search to depth {d}")))
    };
    let row = |d: usize| {
        let length = |name, kind, each| figure(d, name, kind, TOLERANCE * scale, each);
        let choice = || figure(d, "the move error", Kind::Probability, TOLERANCE, |row| row.move_error);
        Ok(Section4Row {
            d,
            position_error: length("the position error", Kind::Size, |row| row.position_error)?,
            move_error: (d > 0).then(choice).transpose()?,
            bias: length("the bias", Kind::Score, |row| row.bias)?,
            variance: figure(d, "the variance", Kind::Size, TOLERANCE * scale * scale, |row| row.variance)?,
        })
    };
    (0..=d_max).map(row).collect()
}

/// A row on one lattice.
struct OnLattice {
    position_error: f64,
    move_error: f64,
    bias: f64,
    variance: f64,
}

impl OnLattice {
    fn of(law: &Marginal, delta: f64, move_error: f64) -> Self {
        let mean = |of: &dyn Fn(f64) -> f64| -> f64 {
            law.mass.iter().zip(law.first..).map(|(mass, x)| mass * of(x as f64 * delta)).sum()
        };
        let bias = mean(&|x| x);
        Self { position_error: mean(&f64::abs), move_error, bias, variance: mean(&|x| (x - bias).powi(2)) }
    }
}

/// The rows for every d on the lattice of spacing 1/n.
fn on_lattice(sigma_e: f64, d_max: usize, plies: Plies, n: usize) -> Vec<OnLattice> {
    let delta = 1.0 / n as f64;
    let mut law = Marginal::zero().shifted(&Kernel::normal(sigma_e, delta, 1));
    let mut rows = vec![OnLattice::of(&law, delta, f64::NAN)];
    for ply in 1..=d_max {
        let lower = Marginal { first: law.first - n as i64, mass: law.mass.clone() };
        let move_error = greater(&lower, &law);
        // MAX moves at the lowest ply, as in Fig. 10. Otherwise the bias would have the other sign: the noise is symmetric.
        let max = plies == Plies::OnlyMax || ply % 2 == 1;
        law =
            if max { greatest(&law, &lower) } else { greatest(&law.negated(), &lower_of(&law, n)).negated() };
        rows.push(OnLattice::of(&law, delta, move_error));
    }
    rows
}

/// The sibling of a MIN node's better child, negated: -(E + 1).
fn lower_of(law: &Marginal, n: usize) -> Marginal {
    let negated = law.negated();
    Marginal { first: negated.first - n as i64, ..negated }
}

/// Pr(X > Y) + Pr(X = Y) / 2 of independent values.
fn greater(x: &Marginal, y: &Marginal) -> f64 {
    let distribution = y.distribution();
    let below = |at: i64| match usize::try_from(at - y.first) {
        Err(_) => 0.0,
        Ok(i) => distribution.get(i).copied().unwrap_or(1.0),
    };
    x.mass.iter().zip(x.first..).map(|(mass, at)| 0.5 * mass * (below(at) + below(at - 1))).sum()
}

/// The law of the greater of two independent values.
fn greatest(x: &Marginal, y: &Marginal) -> Marginal {
    let first = x.first.min(y.first);
    let last = (x.first + x.mass.len() as i64).max(y.first + y.mass.len() as i64);
    let at = |law: &Marginal, distribution: &[f64], point: i64| match usize::try_from(point - law.first) {
        Err(_) => 0.0,
        Ok(i) => distribution.get(i).copied().unwrap_or(1.0),
    };
    let (of_x, of_y) = (x.distribution(), y.distribution());
    let mut before = 0.0;
    let mass = (first..last).map(|point| {
        let product = at(x, &of_x, point) * at(y, &of_y, point);
        product - std::mem::replace(&mut before, product)
    });
    Marginal { first, mass: mass.collect() }.trimmed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_12_and_13() {
        // Values from an independent computation (numpy).
        let choice = [0.2398, 0.2080, 0.1738, 0.1464, 0.1215, 0.1021, 0.0858, 0.0731, 0.0627, 0.0543];
        let position =
            [0.7979, 0.7082, 0.6028, 0.5477, 0.4891, 0.4558, 0.4223, 0.4016, 0.3813, 0.3677, 0.3546];
        let rows = section4(1.0, 10, Plies::Alternating).unwrap();
        for (row, position) in rows.iter().zip(position) {
            assert!((row.position_error.value - position).abs() < 0.6e-4, "{row:?}");
            assert!(row.position_error.error() < 1e-6, "{row:?}");
        }
        for (row, choice) in rows[1..].iter().zip(choice) {
            let ours = row.move_error.unwrap();
            assert!((ours.value - choice).abs() < 0.6e-4 && ours.error() < 1e-6, "{row:?}");
        }
        assert_eq!(rows[0].move_error, None);
        // P(N - N' > 1) = P(Z > 1/√2).
        let tail = prodmax_number::tails::normal_tail(0.5f64.sqrt());
        assert!((rows[1].move_error.unwrap().value - tail).abs() < 1e-8);
    }

    /// The greater of two normal values of deviation 1 whose means are 0 and -1: its mean and variance are known in closed
    /// form (Clark 1961), with t = 1/√2, the density f and the distribution function F of the normal law.
    #[test]
    fn bias_and_variance_after_one_ply() {
        let t = 0.5f64.sqrt();
        let density = (-t * t / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let below = 1.0 - prodmax_number::tails::normal_tail(t);
        let mean = -(1.0 - below) + 2f64.sqrt() * density;
        let square = below + 2.0 * (1.0 - below) - 2f64.sqrt() * density;
        let rows = section4(1.0, 1, Plies::Alternating).unwrap();
        assert!(
            (rows[0].bias.value).abs() < 1e-9 && (rows[0].variance.value - 1.0).abs() < 1e-6,
            "{:?}",
            rows[0]
        );
        assert!((rows[1].bias.value - mean).abs() < 1e-7, "{:?} {mean}", rows[1].bias);
        assert!((rows[1].variance.value - (square - mean * mean)).abs() < 1e-6, "{:?}", rows[1].variance);
    }

    /// The errors of the root of trees with three plies, drawn leaf by leaf.
    #[test]
    fn bias_and_variance_are_those_of_sampled_trees() {
        use rand_chacha::ChaCha8Rng;
        use rand_core::{Rng, SeedableRng};

        fn error(random: &mut ChaCha8Rng, ply: usize) -> f64 {
            if ply == 0 {
                let mut uniform = || ((random.next_u64() >> 11) as f64 + 1.0) / (1u64 << 53) as f64;
                let (a, b) = (uniform(), uniform());
                return (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos();
            }
            let (better, worse) = (error(random, ply - 1), error(random, ply - 1));
            if ply % 2 == 1 { better.max(worse - 1.0) } else { better.min(worse + 1.0) }
        }
        const TREES: usize = 40_000;
        let mut random = ChaCha8Rng::seed_from_u64(4);
        for row in section4(1.0, 4, Plies::Alternating).unwrap() {
            let errors: Vec<f64> = (0..TREES).map(|_| error(&mut random, row.d)).collect();
            let mean = errors.iter().sum::<f64>() / TREES as f64;
            let squares: Vec<f64> = errors.iter().map(|error| (error - mean).powi(2)).collect();
            let variance = squares.iter().sum::<f64>() / TREES as f64;
            let of_variance =
                squares.iter().map(|square| (square - variance).powi(2)).sum::<f64>() / TREES as f64;
            let within = |ours: f64, sampled: f64, variance: f64| {
                assert!((ours - sampled).abs() < 4.0 * (variance / TREES as f64).sqrt(), "{row:?} {sampled}");
            };
            within(row.bias.value, mean, variance);
            within(row.variance.value, variance, of_variance);
        }
    }

    #[test]
    fn with_only_max_plies_position_error_has_its_minimum_at_3() {
        let rows = section4(1.0, 8, Plies::OnlyMax).unwrap();
        let least = rows.iter().min_by(|a, b| a.position_error.value.total_cmp(&b.position_error.value));
        assert_eq!(least.map(|row| row.d), Some(3));
        let errors: Vec<f64> = rows[1..].iter().map(|row| row.move_error.unwrap().value).collect();
        assert!(errors.is_sorted_by(|a, b| a > b), "{errors:?}");
    }

    #[test]
    fn noise_out_of_range_is_refused() {
        assert_eq!(
            section4(0.0, 3, Plies::Alternating).unwrap_err().to_string(),
            "sigma_e is 0; it must lie between 0.01 and 100 (siblings differ by 1)"
        );
        assert_eq!(section4(1.0, 101, Plies::Alternating), Err(Section4Error::Depth(101)));
    }
}
