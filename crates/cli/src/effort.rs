//! Refuses models that could not even be counted in reasonable time, before any work is done.

use prodmax_enumerate::Model;

use crate::error::Error;

/// About as many elementary steps as a minute has room for.
const MOST_STEPS: f64 = 1e10;

/// An error if planning the enumeration would take too long.
pub(crate) fn check(model: &Model) -> Result<(), Error> {
    let steps = planning_steps(model);
    if steps <= MOST_STEPS {
        return Ok(());
    }
    let (root, increments) = name(model);
    Err(Error::Hopeless { root, increments, steps })
}

/// How a model is called in messages: its root and increments.
pub(crate) fn name(model: &Model) -> (String, String) {
    let increments: Vec<_> = model.increments().iter().map(ToString::to_string).collect();
    (model.root().to_string(), increments.join(","))
}

/// An upper estimate: the plan pairs, level by level, the windows of node values that classes can have, and
/// multiplies the class counts of each pair. The counts have twice as many digits on every level up.
fn planning_steps(model: &Model) -> f64 {
    let mut windows = model.values(model.depth()) as f64;
    let mut bits = 1.0;
    let mut steps = 0.0;
    for level in (1..model.depth()).rev() {
        let pairs = windows * (windows + 1.0) / 2.0;
        let limbs = f64::max(bits / 64.0, 1.0);
        steps += pairs * (30.0 + limbs.powf(1.6));
        bits = 2.0 * bits + pairs.log2();
        let values = model.values(level) as f64;
        windows = pairs.min(values * (values + 1.0) / 2.0);
    }
    steps
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::Zero;

    use super::*;

    fn refused(increments: &[i64], h_max: i64) -> bool {
        check(&Model::new(1, increments, Zero::Skip, h_max).unwrap()).is_err()
    }

    #[test]
    fn only_hopeless_models_are_refused() {
        assert!(!refused(&[8, 8, 8, 8, 8], 42));
        assert!(!refused(&[2; 10], 42));
        assert!(!refused(&[1000, 1000], 10_000));
        assert!(refused(&[5; 16], 42));
        assert!(refused(&[1000, 1000, 1000], 10_000));
    }
}
