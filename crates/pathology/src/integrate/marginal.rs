//! The law of one value on a lattice.

use super::kernel::Kernel;

/// The probability that may be cut off at each end of a law.
pub(crate) const NEGLIGIBLE: f64 = 1e-15;

/// The probabilities of the lattice points first, first + 1, …
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Marginal {
    pub(crate) first: i64,
    pub(crate) mass: Vec<f64>,
}

impl Marginal {
    /// The law of a value that is certainly 0.
    pub(crate) fn zero() -> Self {
        Self { first: 0, mass: vec![1.0] }
    }

    /// The law of the sum with an independent step.
    pub(crate) fn shifted(&self, kernel: &Kernel) -> Self {
        let span = (kernel.last() - kernel.first) as usize;
        let mut mass = vec![0.0; self.mass.len() + span];
        for (k, weight) in kernel.weights.iter().enumerate() {
            let to = &mut mass[k * kernel.stride..];
            to.iter_mut().zip(&self.mass).for_each(|(to, from)| *to += weight * from);
        }
        Self { first: self.first + kernel.first, mass }.trimmed()
    }

    /// The law of the greatest (`max`) or least of b independent values.
    pub(crate) fn backed_up(&self, b: u32, max: bool) -> Self {
        if !max {
            return self.negated().backed_up(b, true).negated();
        }
        let (mut sum, mut before) = (0.0, 0.0);
        let mass = self.mass.iter().map(|mass| {
            sum += mass;
            let power = f64::powi(sum, b as i32);
            power - std::mem::replace(&mut before, power)
        });
        Self { first: self.first, mass: mass.collect() }.trimmed()
    }

    /// The law of the negated value.
    pub(crate) fn negated(&self) -> Self {
        let last = self.first + self.mass.len() as i64 - 1;
        Self { first: -last, mass: self.mass.iter().rev().copied().collect() }
    }

    /// Cuts off ends with negligible probability and normalises the rest to sum to 1.
    pub(crate) fn trimmed(self) -> Self {
        let (skip, keep) = kept(&self.mass);
        let mut mass = self.mass[skip..skip + keep].to_vec();
        normalize(&mut mass);
        Self { first: self.first + skip as i64, mass }
    }

    /// Pr(value <= first + i) for every i.
    pub(crate) fn distribution(&self) -> Vec<f64> {
        let mut sum = 0.0;
        let add = |mass: &f64| {
            sum += mass;
            sum
        };
        self.mass.iter().map(add).collect()
    }

    /// The standard deviation, in lattice spacings.
    pub(crate) fn deviation(&self) -> f64 {
        let moment = |about: f64, power: i32| -> f64 {
            self.mass.iter().zip(0..).map(|(mass, i)| mass * (f64::from(i) - about).powi(power)).sum()
        };
        moment(moment(0.0, 1), 2).max(0.0).sqrt()
    }

    /// E|x - y| of two independent values, in lattice spacings: 2 Σ F (1 - F).
    pub(crate) fn mean_difference(&self) -> f64 {
        2.0 * self.distribution().iter().map(|f| f * (1.0 - f)).sum::<f64>()
    }

    /// The median, in lattice spacings, of the smooth distribution that the lattice represents: its distribution
    /// function at i + 1/2 is the lattice's at i.
    pub(crate) fn median(&self) -> f64 {
        let distribution = self.distribution();
        let above = distribution.partition_point(|f| *f < 0.5);
        let at = |x: f64| interpolated(above, x, |i| value_at(&distribution, i));
        let (mut low, mut high) = (above as f64 - 1.0, above as f64);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if at(middle) < 0.5 { low = middle } else { high = middle }
        }
        self.first as f64 + 0.5 * (low + high) + 0.5
    }
}

fn value_at(distribution: &[f64], i: i64) -> f64 {
    match usize::try_from(i) {
        Err(_) => 0.0,
        Ok(i) => distribution.get(i).or(distribution.last()).copied().unwrap_or(0.0),
    }
}

/// The value at x of the polynomial through the six points above - 3, …, above + 2; x lies between above - 1 and
/// above.
pub(crate) fn interpolated(above: usize, x: f64, at: impl Fn(i64) -> f64) -> f64 {
    let points = (above as i64 - 3)..=(above as i64 + 2);
    points
        .clone()
        .map(|i| {
            let others = points.clone().filter(|j| *j != i);
            at(i) * others.map(|j| (x - j as f64) / (i - j) as f64).product::<f64>()
        })
        .sum()
}

/// The law of the greatest (`max`) or least of b independent values with this law, on any ordered points.
pub(crate) fn extreme(law: &[f64], b: u32, max: bool) -> Vec<f64> {
    let mut ordered: Vec<f64> = law.to_vec();
    if !max {
        ordered.reverse();
    }
    let whole: f64 = ordered.iter().sum();
    let (mut sum, mut before) = (0.0, 0.0);
    for mass in &mut ordered {
        sum += *mass;
        let power = f64::powi(sum / whole, b as i32);
        *mass = power - std::mem::replace(&mut before, power);
    }
    if !max {
        ordered.reverse();
    }
    ordered
}

/// Makes probabilities sum to 1.
pub(crate) fn normalize(mass: &mut [f64]) {
    let factor = 1.0 / mass.iter().sum::<f64>();
    mass.iter_mut().for_each(|mass| *mass *= factor);
}

/// How many entries to skip and how many to keep, so that the probability cut off at each end is negligible; at least
/// one is kept.
pub(crate) fn kept(mass: &[f64]) -> (usize, usize) {
    let cut = |masses: &mut dyn Iterator<Item = &f64>| {
        let mut sum = 0.0;
        masses
            .take_while(|mass| {
                sum += mass.abs();
                sum < NEGLIGIBLE
            })
            .count()
    };
    let skip = cut(&mut mass.iter()).min(mass.len() - 1);
    let keep = mass.len() - skip - cut(&mut mass[skip..].iter().rev()).min(mass.len() - skip - 1);
    (skip, keep)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_of_two_dice() {
        let die = Marginal { first: 1, mass: vec![1.0 / 6.0; 6] };
        let max = die.backed_up(2, true);
        let min = die.backed_up(2, false);
        for (i, odds) in [1.0, 3.0, 5.0, 7.0, 9.0, 11.0].iter().enumerate() {
            assert!((max.mass[i] - odds / 36.0).abs() < 1e-15);
            assert!((min.mass[5 - i] - odds / 36.0).abs() < 1e-15);
        }
        assert!((die.mean_difference() - 70.0 / 36.0).abs() < 1e-14);
    }

    #[test]
    fn the_median_of_a_normal_law_is_its_mean() {
        let law = Marginal::zero().shifted(&Kernel::normal(1.0, 0.1, 1));
        assert!(law.median().abs() < 1e-9);
        let moved = Marginal { first: law.first + 7, ..law };
        assert!((moved.median() - 7.0).abs() < 1e-9);
    }

    #[test]
    fn negligible_ends_are_cut_off() {
        assert_eq!(kept(&[1e-17, 0.5, 0.5, 1e-17, 1e-17]), (1, 2));
        assert_eq!(kept(&[1.0]), (0, 1));
        assert_eq!(kept(&[1e-20]), (0, 1));
    }
}
