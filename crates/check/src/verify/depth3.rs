//! Depth 3: N(type, draw position) times the polynomials of each.

use num_bigint::{BigInt, BigUint};
use prodmax_cases::depth3::{Analysis, DRAW_POSITIONS, OrderType, Tally};
use prodmax_mass::Critical;
use prodmax_mass::arithmetic::Symbolic;
use prodmax_number::Fraction;

use super::{Sides, Verification, VerifyError, Weights, leaves};

/// The numbers of critical trees by order type and position of the draw value. A tree with leaves on the draw
/// value is split evenly ([`prodmax_cases::zero`]), so the numbers may be fractions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderTypes {
    /// Order type, number of leaves below the draw value, number of trees, if it is not 0.
    pub counts: Vec<(OrderType, usize, Fraction)>,
    /// The types that occur although the analysis calls them impossible: there must be none.
    pub impossible: Vec<OrderType>,
}

impl OrderTypes {
    /// The numbers of critical trees with 0 to 8 leaves below the draw value.
    pub fn by_draw_position(&self) -> [Fraction; DRAW_POSITIONS] {
        let mut sums: [Fraction; DRAW_POSITIONS] = std::array::from_fn(|_| Fraction::default());
        for (_, below, count) in &self.counts {
            sums[*below] += count;
        }
        sums
    }

    /// The number of order types that occur.
    pub fn types(&self) -> usize {
        let mut types: Vec<_> = self.counts.iter().map(|(order, ..)| order).collect();
        types.dedup();
        types.len()
    }

    /// Whether every critical tree is of one possible type.
    pub(crate) fn hold(&self, critical: &BigUint) -> bool {
        let total: Fraction = self.counts.iter().map(|(.., count)| count).sum();
        total == Fraction::from_integer(critical.clone().into()) && self.impossible.is_empty()
    }
}

pub(crate) fn verify(critical: &Critical) -> Result<Verification, VerifyError> {
    let leaves = leaves::<4>(critical);
    let mut tally = Tally::default();
    critical.for_each_pair(|m, p, trees| {
        let ([m11, m12, m21, m22], [p11, p12, p21, p22]) = (leaves[m], leaves[p]);
        tally.add(&[m11, m12, m21, m22, p11, p12, p21, p22], &trees.into());
    })?;
    let unit = BigInt::from(Tally::UNIT);
    let share =
        |(order, below, weight): (_, _, &BigInt)| (order, below, Fraction::new(weight.clone(), unit.clone()));
    let types = OrderTypes {
        counts: tally.entries().map(share).collect(),
        impossible: tally.impossible_types(&Analysis::compute()),
    };
    let enumerated = critical.mass(&Symbolic, &critical.truth(&Symbolic));
    Ok(Verification {
        critical: critical.counts().critical,
        weights: Weights::OrderTypes(types),
        sides: Sides::new(tally.scaled_masses(), Tally::UNIT.ilog2(), enumerated),
    })
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::{Model, ZeroMode};
    use prodmax_mass::Curve;

    use super::*;
    use crate::verify::verify;

    #[test]
    fn an_impossible_type_and_a_lost_tree_are_noticed() {
        let model = Model::new(-1, &[1, 1, 3], ZeroMode::Skip, 42).unwrap();
        let good = verify(&model, &Curve::arctan(1)).unwrap();
        assert!(good.holds());
        let Weights::OrderTypes(types) = &good.weights else { panic!("not of depth 3") };
        assert_eq!(
            types.by_draw_position().iter().sum::<Fraction>(),
            Fraction::from_integer(good.critical.clone().into())
        );
        assert!(types.types() > 10, "{}", types.types());
        let with = |change: fn(&mut OrderTypes)| {
            let mut types = types.clone();
            change(&mut types);
            Verification { weights: Weights::OrderTypes(types), ..good.clone() }
        };
        assert!(with(|_| ()).holds());
        assert!(!with(|types| types.impossible = OrderType::all().take(1).collect()).holds());
        assert!(!with(|types| drop(types.counts.pop())).holds());
    }
}
