//! Models for which all moves of the root can be listed: no grid, only the order of their product values.
//!
//! The place of a move is the rank of its product value, from the greatest down. Values that are too close for
//! doubles to tell which is greater share a rank.

use prodmax_enumerate::Model;

use super::atoms::{Atom, Atoms};
use super::row::{Building, Law};
use super::sums::{Around, Equal, Sum, critical};

/// The root's moves by rank of their product value.
pub(super) struct Ranked {
    /// The laws within {m >= k} for k from the least minimax value on; the last one is nothing.
    laws: Vec<Law>,
    /// The moves, by rank from the greatest value down.
    pub(super) ranks: Vec<Vec<Atom>>,
    branching: usize,
    /// A bound on the relative error of every mass.
    pub(super) mass_error: f64,
    /// How far a truth can be from the exact one.
    pub(super) value_error: f64,
}

impl Ranked {
    /// `None` if the moves are not listed.
    pub(super) fn of(model: &Model, atoms: &Atoms) -> Option<Self> {
        if atoms.level != 1 {
            return None;
        }
        let (mut moves, merged) = atoms.moves(model, model.line().position(model.root()));
        moves.sort_by(|a, b| b.product[0].total_cmp(&a.product[0]));
        let mut ranks: Vec<Vec<Atom>> = Vec::new();
        let mut before = f64::INFINITY;
        for atom in &moves {
            let value = atom.product[0];
            match ranks.last_mut() {
                Some(rank) if before - value <= 2.0 * atoms.value_error => rank.push(*atom),
                _ => ranks.push(vec![*atom]),
            }
            before = value;
        }
        let [low, high] = model.position_range(model.depth());
        let roundings = (moves.len() + merged + 8) as f64 * f64::EPSILON;
        let error = atoms.mass_error + roundings;
        let within = |k: i32| {
            let mut law = Building::over(0, ranks.len().saturating_sub(1));
            for (rank, atoms) in ranks.iter().enumerate() {
                for atom in atoms.iter().filter(|atom| atom.minimax >= k) {
                    law.put(rank, atom.mass, atom.mass * atom.truth[0]);
                }
            }
            law.error = [error, error + atoms.value_error];
            law.finish()
        };
        let mut laws: Vec<Law> = (low..=high).map(within).collect();
        laws.push(Law::empty());
        let (branching, value_error) = (model.branching(), atoms.value_error);
        Some(Self { laws, ranks, branching, mass_error: error, value_error })
    }

    /// The sum over the critical trees if moves that share a rank count like this.
    pub(super) fn sum(&self, equal: Equal) -> Sum {
        let last = self.ranks.len().saturating_sub(1);
        let sums: Vec<Sum> = self
            .laws
            .windows(2)
            .map(|pair| {
                let around = Around { all: &self.laws[0], at_least: &pair[0], more: &pair[1] };
                critical(around, around, self.branching, last, equal)
            })
            .collect();
        Sum::total(sums.iter())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use approx::assert_relative_eq;
    use prodmax_enumerate::ZeroMode;
    use prodmax_rules::Curve;

    use super::*;
    use crate::Shares;
    use prodmax_rules::Curves;

    const U: f64 = f64::EPSILON / 2.0;

    fn model(root: i64, increments: &[i64], branching: i64) -> Model {
        Model::new(root, increments, ZeroMode::Skip, 10).unwrap().with_branching(branching).unwrap()
    }

    fn curves(estimate: u32) -> Curves {
        Curves::new(Curve::arctan(4), Curve::arctan(estimate), 10)
    }

    /// The values of +1 to +5 by arctan:20 are 0.864, 0.936, 0.962, 0.976 and 0.984. If each may be off by 0.007, those
    /// within 0.014 of the next one are not told apart: +5, +4 and +3, though +5 and +3 differ by more.
    #[test]
    fn close_values_share_a_rank() {
        let model = model(1, &[4], 2);
        let mut atoms = Atoms::of(&model, &curves(20), 1 << 20);
        let ranks = |atoms: &Atoms| -> Vec<Vec<i32>> {
            let ranked = Ranked::of(&model, atoms).unwrap();
            ranked.ranks.iter().map(|rank| rank.iter().map(|atom| atom.minimax + 1).collect()).collect()
        };
        assert_eq!(ranks(&atoms), [[5], [4], [3], [2], [1]]);
        atoms.value_error = 0.007;
        assert_eq!(ranks(&atoms), [vec![5, 4, 3], vec![2], vec![1]]);
    }

    /// A root at +1 with increments of 0 and 1 and then the same: its moves have the leaves -1 and +1, or +1 and +2,
    /// so there are five different ones, and (+1, +1) is found twice. 5 + 2 + 8 roundings of 2 U and the error of the
    /// masses, here 7 U, make 37 U; the truth has the error of the values on top, 3 U.
    #[test]
    fn laws_and_errors_are_counted_by_hand() {
        let model = model(1, &[1, 1], 2);
        let mut atoms = Atoms::of(&model, &curves(1), 1 << 20);
        (atoms.mass_error, atoms.value_error) = (7.0 * U, 3.0 * U);
        let ranked = Ranked::of(&model, &atoms).unwrap();
        assert_eq!((ranked.mass_error, ranked.value_error, ranked.branching), (37.0 * U, 3.0 * U, 2));
        // From the greatest product: (2, 2), (2, 1) twice, (1, 1) of both nodes, (1, -1) twice, (-1, -1).
        let truth = |h: f64| 0.5 + (0.4 * h).atan() / (2.0 * 4f64.atan());
        let [a, b, c] = [2.0, 1.0, -1.0].map(truth);
        let moves = [(1, 1.0, a * a), (0, 2.0, a * b), (0, 2.0, b * b), (-1, 2.0, b * c), (-1, 1.0, c * c)];
        // Minimax values are -1, 0 and 1; nothing is greater.
        assert_eq!(ranked.laws.len(), 4);
        for (k, law) in (-1..=1).zip(&ranked.laws) {
            assert_eq!(law.error, [37.0 * U, 40.0 * U]);
            assert_eq!((law.row.offset, law.row.mass.len()), (0, 5));
            for (rank, &(minimax, count, truth)) in moves.iter().enumerate() {
                let mass = if minimax >= k { count / 8.0 } else { 0.0 };
                assert_relative_eq!(law.row.mass[rank], mass, max_relative = 1e-14);
                assert_relative_eq!(law.row.truth[rank], mass * truth, max_relative = 1e-14);
            }
        }
        assert!(ranked.laws[3].is_empty());
    }

    #[test]
    fn only_listed_moves_are_ranked() {
        let model = model(1, &[1, 1], 2);
        assert!(Ranked::of(&model, &Atoms::of(&model, &curves(1), 0)).is_none());
    }

    /// All trees of two levels, one by one: critical, Minimax errs, Product errs. Leaves are multiplied in ascending
    /// order, so equal products are equal doubles.
    fn all_trees(model: &Model, estimate: u32) -> Shares<f64> {
        let w = |c: f64, position: i32| {
            let h = f64::from(if position >= 0 { position + 1 } else { position });
            0.5 + (c * h / 10.0).atan() / (2.0 * c.atan())
        };
        let branching = model.branching();
        let mut moves: BTreeMap<Vec<i32>, f64> = BTreeMap::new();
        let mut total = 0.0;
        let first = model.line().position(model.root());
        for node in first..=first + model.increment(1) {
            let mut chosen = vec![Vec::new()];
            for _ in 0..branching {
                let longer = |some: &Vec<i32>| -> Vec<Vec<i32>> {
                    let leaves = node - model.increment(2)..=node;
                    leaves.map(|leaf| [&some[..], &[leaf]].concat()).collect()
                };
                chosen = chosen.iter().flat_map(longer).collect();
            }
            for mut leaves in chosen {
                leaves.sort_unstable();
                *moves.entry(leaves).or_default() += 1.0;
                total += 1.0;
            }
        }
        let values = |(leaves, count): (&Vec<i32>, &f64)| {
            let product = |c: f64| leaves.iter().map(|&leaf| w(c, leaf)).product::<f64>();
            (leaves[0], product(f64::from(estimate)), product(4.0), count / total)
        };
        let moves: Vec<(i32, f64, f64, f64)> = moves.iter().map(values).collect();
        let mut roots = vec![Vec::new()];
        for _ in 0..branching {
            let longer = |some: &Vec<usize>| -> Vec<Vec<usize>> {
                (0..moves.len()).map(|next| [&some[..], &[next]].concat()).collect()
            };
            roots = roots.iter().flat_map(longer).collect();
        }
        let mut shares = Shares::default();
        for root in roots {
            // The only one that is greater than all others.
            let best = |value: &dyn Fn(usize) -> f64| {
                (0..branching).find(|&i| (0..branching).all(|j| i == j || value(root[i]) > value(root[j])))
            };
            let (m, p) = (best(&|place| f64::from(moves[place].0)), best(&|place| moves[place].1));
            if let (Some(m), Some(p)) = (m, p)
                && m != p
            {
                let chance: f64 = root.iter().map(|&place| moves[place].3).product();
                let [m, p] = [m, p].map(|place| moves[root[place]].2);
                shares.critical += chance;
                shares.first_error += chance * (1.0 - m) * p;
                shares.second_error += chance * m * (1.0 - p);
            }
        }
        shares
    }

    /// (-2, -2) is better than (-3, +1) for Minimax but not for Product.
    #[test]
    fn sums_are_those_of_a_list_of_all_trees() {
        for branching in [2, 3] {
            let model = model(-1, &[1, 3], branching);
            let expected = all_trees(&model, 1);
            assert!(expected.critical > 0.0);
            let ranked = Ranked::of(&model, &Atoms::of(&model, &curves(1), 1 << 20)).unwrap();
            assert!(ranked.ranks.iter().all(|rank| rank.len() == 1));
            // A third move may be the same as P, but M never is. So with two moves ties make no difference.
            let same = if branching == 2 { &[Equal::NEVER, Equal::ALWAYS][..] } else { &[Equal::NEVER] };
            for &equal in same {
                let Sum { shares, error } = ranked.sum(equal);
                assert_relative_eq!(shares.critical, expected.critical, max_relative = 1e-12);
                assert_relative_eq!(shares.first_error, expected.first_error, max_relative = 1e-12);
                assert_relative_eq!(shares.second_error, expected.second_error, max_relative = 1e-12);
                assert!(0.0 < error && error < 1e-11);
            }
        }
    }

    /// Of +1 to +5, +3 to +5 share a rank. No tree is critical, because both rules prefer the greatest leaf; if ties
    /// could go either way, any two different leaves of that rank may be in the wrong order: 3 pairs in both orders,
    /// of 25.
    #[test]
    fn moves_that_share_a_rank_may_be_critical() {
        let model = model(1, &[4], 2);
        let mut atoms = Atoms::of(&model, &curves(20), 1 << 20);
        atoms.value_error = 0.007;
        let ranked = Ranked::of(&model, &atoms).unwrap();
        assert_eq!(ranked.sum(Equal::NEVER).shares, Shares::default());
        assert_relative_eq!(ranked.sum(Equal::ALWAYS).shares.critical, 6.0 / 25.0, max_relative = 1e-12);
    }
}
