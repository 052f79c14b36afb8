//! Depth 2: N(I1) to N(I5) times the polynomials behind formulas (5) and (6).

use num_bigint::{BigInt, BigUint};
use prodmax_cases::depth2::{Condition7, Formulas, Tally};
use prodmax_mass::{Critical, Crossover};
use prodmax_number::Fraction;

use super::{Sides, Verification, VerifyError, Weights, leaves};

/// The numbers of critical trees with the draw value in each interval. A tree with leaves on the draw value is
/// split evenly ([`prodmax_cases::zero`]), so the numbers may be fractions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intervals {
    /// N(I1) to N(I5), tree by tree.
    pub counts: [Fraction; 5],
    /// The same from `prodmax-mass`, which only counts leaves below the draw value.
    pub enumerated: Option<[Fraction; 5]>,
    /// Condition (7) for these numbers; N(I2) and N(I4) are counted in sixteenths of a tree.
    pub condition7: Condition7,
}

impl Intervals {
    /// Whether every critical tree is in one interval, and in the same one as by `prodmax-mass`.
    pub(crate) fn hold(&self, critical: &BigUint) -> bool {
        let total: Fraction = self.counts.iter().sum();
        total == Fraction::from_integer(critical.clone().into())
            && self.enumerated.as_ref() == Some(&self.counts)
    }
}

pub(crate) fn verify(critical: &Critical) -> Result<Verification, VerifyError> {
    let leaves = leaves::<2>(critical);
    let mut tally = Tally::default();
    let mut outside = None;
    critical.for_each_pair(|m, p, trees| {
        if let Err(error) = tally.add(leaves[m], leaves[p], &trees.into()) {
            outside.get_or_insert(error);
        }
    })?;
    if let Some(error) = outside {
        return Err(error.into());
    }
    let formulas = Formulas::derive();
    let crossover = Crossover::of(critical);
    let [_, n2, _, n4, _] = tally.sixteenths();
    let unit = BigInt::from(Tally::UNIT);
    let intervals = Intervals {
        counts: tally.sixteenths().each_ref().map(|count| Fraction::new(count.clone(), unit.clone())),
        enumerated: crossover.intervals.map(|intervals| intervals.all().clone()),
        condition7: formulas.condition7(n2.clone(), n4.clone()),
    };
    Ok(Verification {
        critical: critical.counts().critical,
        weights: Weights::Intervals(Box::new(intervals)),
        sides: Sides::new(tally.scaled_masses(&formulas), Tally::UNIT.ilog2(), crossover.mass),
    })
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::{Model, ZeroMode};
    use prodmax_mass::Curve;
    use prodmax_number::fraction::parse;

    use super::*;
    use crate::verify::verify;

    fn verification(root: i64, zero: ZeroMode) -> (Verification, Intervals) {
        let verification = verify(&Model::new(root, &[8, 8], zero, 42).unwrap(), &Curve::arctan(1)).unwrap();
        let Weights::Intervals(intervals) = verification.weights.clone() else { panic!("not of depth 2") };
        (verification, *intervals)
    }

    #[test]
    fn the_threshold_at_root_minus_3_is_1_35() {
        let (_, intervals) = verification(-3, ZeroMode::Skip);
        assert_eq!(intervals.condition7.threshold(), Some(parse("1/35").unwrap()));
    }

    #[test]
    fn one_tree_more_in_one_interval_is_noticed() {
        let (good, intervals) = verification(0, ZeroMode::Allow);
        assert!(good.holds());
        let mut wrong = intervals;
        wrong.counts[0] += Fraction::from_integer(1.into());
        assert!(!Verification { weights: Weights::Intervals(Box::new(wrong)), ..good }.holds());
    }

    #[test]
    fn a_wrong_coefficient_is_noticed() {
        let (good, _) = verification(-1, ZeroMode::Skip);
        let mut wrong = good.clone();
        wrong.sides.cases.first_error = good.sides.cases.second_error.clone();
        assert!(good.holds() && !wrong.holds());
    }
}
