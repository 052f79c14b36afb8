//! What it takes to count and to build the classes of a model.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use prodmax_jobs::Effort;

use crate::model::Model;
use crate::plan::Plan;
use crate::reach::reaching_values;

/// The number of counting steps that take about ten seconds.
pub const MAX_STEPS: f64 = 3e7;

/// Counting steps per second.
const STEPS_PER_SECOND: f64 = 3e6;

/// Pairs of classes examined per second, and vector entries computed per second.
const PAIRS_PER_SECOND: f64 = 2e7;

/// A row of pairs is built separately and then appended, so that for a moment everything exists twice.
const COPIES: f64 = 2.0;

fn double(number: &BigUint) -> f64 {
    number.to_f64().unwrap_or(f64::INFINITY)
}

/// The effort of [`Plan::of`]; beyond [`MAX_STEPS`] only a lower bound, see [`planning_steps`].
pub fn planning(model: &Model) -> Effort {
    Effort { bytes: 0.0, seconds: planning_steps(model) / STEPS_PER_SECOND }
}

/// The steps that [`Plan::of`] takes; counting stops once they exceed [`MAX_STEPS`]. Level by level, the plan pairs
/// the windows of node values that classes can have and multiplies the class counts of each pair; here only the
/// windows are followed. With each level up, the counts get about b times as many digits.
pub fn planning_steps(model: &Model) -> f64 {
    let [low, high] = model.position_range(model.depth());
    let mut windows: BTreeSet<[i32; 2]> = (low..=high).map(|position| [position, position]).collect();
    let (mut steps, mut bits) = (0.0, 1.0);
    let moves = model.branching() as f64;
    for level in (1..model.depth()).rev() {
        let reach: BTreeSet<_> =
            windows.iter().map(|&window| reaching_values(model, level + 1, window)).collect();
        let pairs = reach.len() as f64 * (reach.len() as f64 + 1.0) / 2.0;
        // A product of long numbers costs more than the bookkeeping from about 20 words of 64 bits on.
        steps += pairs * (moves - 1.0).max(1.0) * (1.0 + (bits / 64.0 / 20.0_f64).powf(1.6));
        if steps > MAX_STEPS || level == 1 {
            break;
        }
        bits = moves * bits + (pairs + 1.0).log2();
        windows.clear();
        // Row by row: all pairs at once would take too much memory.
        for b in &reach {
            windows.extend(reach.range(*b..).filter_map(|c| common(*b, *c)));
        }
    }
    steps
}

fn common(b: [i32; 2], c: [i32; 2]) -> Option<[i32; 2]> {
    let window = [b[0].max(c[0]), b[1].min(c[1])];
    (window[0] <= window[1]).then_some(window)
}

/// The effort of [`crate::ClassTable::build`]: the levels below the depth-1 classes.
pub fn table(plan: &Plan) -> Effort {
    let stored = plan.bytes() - plan.depth_one_bytes();
    let entries: f64 = plan.levels[1..].iter().map(|level| double(&level.entries)).sum();
    // A class of level l is a pair of classes of the level below; pairs that are not classes are examined, too. With
    // more than two moves, hardly anything is examined besides the beginnings of classes.
    let looked_at: f64 = match plan.branching() {
        2 => plan.levels[1..].iter().skip(1).map(|level| double(&level.classes).powi(2) / 2.0).sum(),
        moves => plan.levels[1..].iter().map(|level| double(&level.classes) * moves as f64).sum(),
    };
    Effort { bytes: COPIES * double(&stored), seconds: (entries + looked_at) / PAIRS_PER_SECOND }
}

/// What it takes to go through all depth-1 classes once, one after the other.
pub fn stream(plan: &Plan) -> Effort {
    Effort { bytes: 0.0, seconds: double(plan.depth_one_classes()) / PAIRS_PER_SECOND }
}

/// The effort of [`crate::ClassTable::depth_one`]: all depth-1 classes in memory.
pub fn depth_one(plan: &Plan) -> Effort {
    let bytes = COPIES * double(&plan.depth_one_bytes());
    Effort { bytes, ..stream(plan) }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use prodmax_rules::ZeroMode;

    use super::*;

    fn model(increments: &[i64], h_max: i64) -> Model {
        Model::new(1, increments, ZeroMode::Skip, h_max).unwrap()
    }

    #[test]
    fn only_hopeless_models_take_more_than_the_maximum_number_of_steps() {
        let many = |increments: &[i64], h_max| planning_steps(&model(increments, h_max)) > MAX_STEPS;
        assert!(!many(&[8; 5], 42));
        assert!(!many(&[5; 16], 42));
        assert!(!many(&[1000, 1000], 10_000));
        assert!(!many(&[300, 300, 300], 10_000));
        assert!(many(&[100; 6], 400));
        assert!(many(&[9000, 9000], 10_000));
    }

    /// Counted by hand. With increments 2 and 3, the nodes of level 1 are at 0, 1, 2 and the leaves from -3 to 2; these are reached
    /// from [0, 0], [0, 1], [0, 2], [1, 2] or [2, 2]: 15 pairs of windows. With three increments of 1, the leaves from -1 to 2
    /// are reached from 4 windows of the nodes -1, 0, 1 (10 pairs); what two of them have in common is [-1, -1], [-1, 0],
    /// [0, 0], [0, 1] or [1, 1], reached from [0, 0], [0, 1] or [1, 1] (6 pairs), with numbers of 2 + log2(11) bits. With
    /// four increments of 1, there are 5 windows (15 pairs), then [-1, -1], [-1, 0], [-1, 1], [0, 1] and [1, 1] (15 pairs, 2 + 4
    /// bits), then [0, 0], [0, 1] and [1, 1] (6 pairs, 2 * 6 + 4 bits).
    #[test]
    fn steps_are_pairs_of_windows_weighed_by_the_length_of_numbers() {
        let long = |bits: f64| 1.0 + (bits / 1280.0).powf(1.6);
        let steps = |increments: &[i64]| planning_steps(&model(increments, 42));
        assert_relative_eq!(steps(&[2, 3]), 15.0 * long(1.0), max_relative = 1e-12);
        let deeper = 10.0 * long(1.0) + 6.0 * long(2.0 + 11f64.log2());
        assert_relative_eq!(steps(&[1, 1, 1]), deeper, max_relative = 1e-12);
        let deepest = 15.0 * long(1.0) + 15.0 * long(6.0) + 6.0 * long(16.0);
        assert_relative_eq!(steps(&[1, 1, 1, 1]), deepest, max_relative = 1e-12);
        let four = model(&[2, 3], 42).with_branching(4).unwrap();
        assert_relative_eq!(planning_steps(&four), 3.0 * 15.0 * long(1.0), max_relative = 1e-12);
        assert_relative_eq!(
            planning(&four).seconds,
            45.0 * long(1.0) / STEPS_PER_SECOND,
            max_relative = 1e-12
        );
    }

    /// 7 leaves and 22 classes of level 2 with 16 and 42 entries, 205 depth-1 classes (counted by hand in `plan`).
    #[test]
    fn memory_is_twice_that_of_the_plan() {
        let plan = Plan::of(&model(&[2, 1, 3], 42));
        assert_eq!(table(&plan).bytes, 2.0 * (20.0 * 29.0 + 16.0 * 58.0));
        assert_eq!(depth_one(&plan).bytes, 2.0 * 24.0 * 205.0);
        assert_eq!(table(&plan).seconds, (58.0 + 24.5) / PAIRS_PER_SECOND);
        assert_eq!(stream(&plan).seconds, 205.0 / PAIRS_PER_SECOND);
        assert_eq!(depth_one(&plan).seconds, stream(&plan).seconds);
    }

    /// The leaves are at -1, 0 and 1, reached from 0, from 0 and 1, and from 1: 4 entries, and 3 classes of 3 moves each.
    #[test]
    fn with_more_moves_the_beginnings_of_classes_are_examined() {
        let plan = Plan::of(&model(&[1, 1], 42).with_branching(3).unwrap());
        assert_eq!(table(&plan).seconds, (4.0 + 3.0 * 3.0) / PAIRS_PER_SECOND);
    }
}
