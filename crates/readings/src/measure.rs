//! One model under one reading.

use prodmax_enumerate::{ClassTable, Model, Nodes, Plan};
use prodmax_mass::{Critical, CurveTable, threshold};
use prodmax_number::possible::Kind;

use crate::branches::Branches;
use crate::dimension::{ScaledCurve, Sharing, Statistic, ZeroReading};
use crate::pairing::Pairing;
use crate::reading::{Reading, ReadingError};
use crate::shared;
use crate::truth::NodeTruth;

/// The maximum number of depth-1 classes of a model: readings keep them per first increment.
const MAX_CLASSES: u32 = 1 << 22;

/// The maximum number of depth-1 classes if pairs have to be visited.
const MAX_CLASSES_FOR_PAIRS: u32 = 1 << 14;

/// Beyond this depth a tree can have more than 16 leaves, too many for all assignments of a shared truth.
const MAX_SHARED_DEPTH: usize = 4;

/// Smaller differences of error probabilities are rounding errors, not a preference.
const NO_PREFERENCE: f64 = 1e-12;

/// Sums over the critical trees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Σ Pr(M lost and P won): eM.
    pub minimax_error: f64,
    /// Σ Pr(M won and P lost): eP.
    pub product_error: f64,
    /// Critical trees; halves where ties count half.
    pub critical: f64,
    /// All trees.
    pub trees: f64,
    /// The number of critical trees in which Minimax is less likely to err, minus that of those in which Product is;
    /// only if it was requested.
    pub majority: Option<f64>,
}

impl Sums {
    /// Minimax's share of all errors in percent.
    pub fn share_minimax_percent(&self) -> Option<f64> {
        let whole = self.minimax_error + self.product_error;
        (whole > 0.0).then(|| 100.0 * self.minimax_error / whole)
    }
}

/// The figures of a model under a reading.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadingFigures {
    /// The model on the reading's line.
    pub model: Model,
    /// Depth-1 classes.
    pub classes: usize,
    /// The sums.
    pub sums: Sums,
    /// The reading's statistic; `None` if its denominator is 0.
    pub statistic: Option<f64>,
    /// At depth 2, formula (7): the error rate in percent below which Minimax is superior.
    pub threshold_percent: Option<f64>,
    /// At depth 2, N(I2) / N(I4).
    pub interval_ratio: Option<f64>,
}

impl Reading {
    /// Measures a model, after moving it to the reading's line.
    pub fn measure(&self, model: &Model) -> Result<ReadingFigures, ReadingError> {
        self.check()?;
        let model = self.model(model)?;
        self.check_size(&model)?;
        let critical = classes(&model, self.zero, &self.estimate)?;
        let branches = Branches::of(critical.table(), critical.classes(), self.zero, self.weights)?;
        let pairing = Pairing::new(&critical, &branches, self.weights, self.ties, self.same_increment);
        let truth = CurveTable::new(self.truth.curve.clone(), self.truth.h_max);
        let majority = self.statistic == Statistic::Majority;
        let sums = sums(&pairing, NodeTruth::from(self), &truth, true, majority);
        let intervals = (model.depth() == 2).then(|| intervals(&pairing));
        let classes = critical.classes().len();
        let possible = |kind: Kind, figure: Option<f64>, name: &str| {
            let check = |figure| kind.check_rounded(figure, NO_PREFERENCE);
            figure.map(check).transpose().map_err(|reason| reason.of(name))
        };
        let statistic =
            possible(self.statistic.kind(), self.statistic.of(&sums), "the statistic of the reading")?;
        let threshold = intervals.and_then(threshold_percent);
        Ok(ReadingFigures {
            classes,
            sums,
            statistic,
            threshold_percent: possible(Kind::Percentage, threshold, "the threshold by formula (7)")?,
            interval_ratio: intervals.and_then(interval_ratio),
            model,
        })
    }

    /// An error if a model is too large or too deep for this reading.
    pub fn check_size(&self, model: &Model) -> Result<(), ReadingError> {
        let by_pairs = self.sharing == Sharing::Tree || self.statistic == Statistic::Majority;
        let most = if by_pairs { MAX_CLASSES_FOR_PAIRS } else { MAX_CLASSES };
        let plan = Plan::of(model);
        if plan.depth_one_classes() > &most.into() {
            return Err(ReadingError::TooManyClasses { classes: plan.depth_one_classes().to_string(), most });
        }
        let shared = matches!(self.sharing, Sharing::Branch | Sharing::Tree);
        if shared && model.depth() > MAX_SHARED_DEPTH {
            return Err(ReadingError::TooDeep(model.depth()));
        }
        Ok(())
    }
}

/// The classes of a model, with leaves at 0 as the reading takes them, in the order of both rules.
pub fn classes(model: &Model, zero: ZeroReading, estimate: &ScaledCurve) -> Result<Critical, ReadingError> {
    let table = ClassTable::build(model)?.map_leaves(|h| zero.leaf(model.line(), h));
    Ok(Critical::from_table(table, &CurveTable::new(estimate.curve.clone(), estimate.h_max))?)
}

/// The sums over all critical trees. Without `errors` only the difference eP - eM is meaningful: eM may be left at 0.
pub fn sums(
    pairing: &Pairing<'_>,
    node: NodeTruth,
    truth: &CurveTable,
    errors: bool,
    majority: bool,
) -> Sums {
    let mut sums = Sums { critical: pairing.critical_trees(), trees: pairing.trees(), ..Sums::default() };
    if node.sharing == Sharing::Tree || majority {
        by_pairs(pairing, node, truth, &mut sums);
        return sums;
    }
    let won = node.of_classes(pairing.critical(), truth);
    let difference = pairing.difference(&won);
    if errors {
        let total = pairing.total(&won);
        sums.minimax_error = (total - difference) / 2.0;
        sums.product_error = (total + difference) / 2.0;
    } else {
        sums.product_error = difference;
    }
    sums
}

fn by_pairs(pairing: &Pairing<'_>, node: NodeTruth, truth: &CurveTable, sums: &mut Sums) {
    let critical = pairing.critical();
    let leaves: Vec<_> = match node.sharing {
        Sharing::Tree => (0..critical.classes().len()).map(|class| critical.leaves(class)).collect(),
        _ => Vec::new(),
    };
    let won = match node.sharing {
        Sharing::Tree => Vec::new(),
        _ => node.of_classes(critical, truth),
    };
    let mut majority = 0.0;
    pairing.for_each_pair(|m, p, trees| {
        let (minimax, product) = if node.sharing == Sharing::Tree {
            shared::errors(&leaves[m], &leaves[p], &|h| truth.double(h))
        } else {
            ((1.0 - won[m]) * won[p], won[m] * (1.0 - won[p]))
        };
        sums.minimax_error += trees * minimax;
        sums.product_error += trees * product;
        if (product - minimax).abs() > NO_PREFERENCE {
            majority += trees * (product - minimax).signum();
        }
    });
    sums.majority = Some(majority);
}

/// N(I1) … N(I5) of a model of depth 2: the number of trees by the interval that contains the draw value. A leaf at 0
/// counts half as above and half as below it (as in `prodmax_mass::IntervalCounts`).
pub fn intervals(pairing: &Pairing<'_>) -> [f64; 5] {
    let critical = pairing.critical();
    let (Nodes::Leaves(leaves), Nodes::Inner(pairs)) =
        (critical.table().top().nodes(), critical.classes().nodes())
    else {
        return [0.0; 5];
    };
    let below = |leaf: u32| f64::from(1 - leaves[leaf as usize].get().signum()) / 2.0;
    let mut columns: [Vec<f64>; 3] = Default::default();
    for &[b, c] in pairs.flat().as_chunks::<2>().0 {
        let (b, c) = (below(b), below(c));
        columns[0].push((1.0 - b) * (1.0 - c));
        columns[1].push(b * (1.0 - c) + c * (1.0 - b));
        columns[2].push(b * c);
    }
    let mut counts = [0.0; 5];
    for (of_m, x) in columns.iter().enumerate() {
        for (of_p, y) in columns.iter().enumerate() {
            counts[4 - of_m - of_p] += pairing.sum(x, y);
        }
    }
    counts
}

/// The threshold of formula (7) in percent.
pub fn threshold_percent([_, i2, _, i4, _]: [f64; 5]) -> Option<f64> {
    threshold(i2, i4).map(|p| 100.0 * p)
}

/// N(I2) / N(I4).
pub fn interval_ratio([_, i2, _, i4, _]: [f64; 5]) -> Option<f64> {
    (i4 > 0.0).then(|| i2 / i4)
}
