//! Balance and polynomials by the set of leaves above the draw value: 256 sets instead of 630 x 9 pairs of an
//! order type and a draw position.

use std::sync::LazyLock;

use super::Balance;
use super::leaf::Leaves;
use crate::balance::Masses;
use crate::decision::Decision;

/// The outcomes of the 256 error patterns, for each set of leaves that are evaluated WIN.
#[derive(Debug)]
pub struct Outcomes {
    balances: Vec<Balance>,
    masses: Vec<Masses>,
}

impl Outcomes {
    /// The table, computed on first use.
    pub fn table() -> &'static Self {
        static TABLE: LazyLock<Outcomes> = LazyLock::new(Outcomes::compute);
        &TABLE
    }

    fn compute() -> Self {
        let balances: Vec<Balance> = Leaves::subsets().map(balance).collect();
        let masses = balances.iter().map(Balance::masses).collect();
        Self { balances, masses }
    }

    /// Which backup rule is right, given the leaves that are evaluated WIN and those that are evaluated wrongly.
    pub fn decision(evaluated_won: Leaves, errors: Leaves) -> Decision {
        let (m_won, p_won) = evaluated_won.symmetric_difference(errors).nodes_won();
        Decision::from_truth(m_won, p_won)
    }

    /// How many of the 256 error patterns favour each side, by number of errors.
    pub fn balance(&self, evaluated_won: Leaves) -> &Balance {
        &self.balances[usize::from(evaluated_won.bits())]
    }

    /// The error masses of one tree under a uniform error.
    pub fn masses(&self, evaluated_won: Leaves) -> &Masses {
        &self.masses[usize::from(evaluated_won.bits())]
    }
}

fn balance(evaluated_won: Leaves) -> Balance {
    let mut balance = Balance::default();
    for errors in Leaves::subsets() {
        balance.record(Outcomes::decision(evaluated_won, errors), errors.len());
    }
    balance
}

#[cfg(test)]
mod tests {
    use prodmax_number::Polynomial;

    use super::*;
    use crate::decision::Side;
    use crate::depth3::Leaf;

    #[test]
    fn masses_are_the_products_of_the_two_nodes() {
        // Slow twin, without error patterns: backed-up win probabilities as polynomials in p.
        let not = |x: &Polynomial| &Polynomial::constant(1) - x;
        for set in Leaves::subsets() {
            let win = |leaf| if set.contains(leaf) { Polynomial::one_minus_p() } else { Polynomial::p() };
            let max = |a: Leaf, b: Leaf| not(&(&not(&win(a)) * &not(&win(b))));
            let m = &max(Leaf::M11, Leaf::M12) * &max(Leaf::M21, Leaf::M22);
            let p = &max(Leaf::P11, Leaf::P12) * &max(Leaf::P21, Leaf::P22);
            let masses = Outcomes::table().masses(set);
            assert_eq!(masses.minimax_errs, &not(&m) * &p, "{set}");
            assert_eq!(masses.product_errs, &m * &not(&p), "{set}");
        }
    }

    #[test]
    fn masses_are_the_sum_over_the_256_patterns() {
        for set in Leaves::subsets().step_by(7) {
            let mut direct = Masses::default();
            for errors in Leaves::subsets() {
                let truth = |leaf| set.contains(leaf) != errors.contains(leaf);
                let node = |a, b, c, d| (truth(a) || truth(b)) && (truth(c) || truth(d));
                let m = node(Leaf::M11, Leaf::M12, Leaf::M21, Leaf::M22);
                let p = node(Leaf::P11, Leaf::P12, Leaf::P21, Leaf::P22);
                let frequency = Polynomial::pattern(errors.len() as u32, 8);
                if p && !m {
                    direct.minimax_errs += &frequency;
                }
                if m && !p {
                    direct.product_errs += &frequency;
                }
            }
            assert_eq!(Outcomes::table().masses(set), &direct, "{set}");
        }
    }

    #[test]
    fn every_set_is_balanced_and_even_at_one_half() {
        let factor = Polynomial::new([1, -2]);
        for set in Leaves::subsets() {
            let balance = Outcomes::table().balance(set);
            // 9 of 16 truths win a node and 7 lose it.
            assert_eq!(Side::BOTH.map(|side| balance.total(side)), [63, 63], "{set}");
            let difference = Outcomes::table().masses(set).difference();
            assert!(difference.divide_exact(&factor).is_some(), "{set}: {difference}");
        }
    }
}
