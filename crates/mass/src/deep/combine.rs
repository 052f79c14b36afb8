//! Combines the sums of the blocks in block order.

use prodmax_number::CompensatedSum;

use super::DeepWon;
use super::bound::Bound;
use super::running::{BlockSums, MASSES};
use crate::critical::{Counts, Mass};
use crate::ranking::Comparisons;

/// The sums over all pairs of blocks.
#[derive(Debug)]
pub(super) struct Combined {
    pub(super) counts: Counts,
    pub(super) mass: Mass<f64>,
    pub(super) bound: f64,
    pub(super) won: DeepWon,
    pub(super) comparisons: Comparisons,
    /// Pairs that some depth-1 node has.
    pub(super) pairs: u64,
}

/// Adds the sums within blocks and the contributions of pairs of different blocks: there, a pair of the later block
/// is compared with the totals of all earlier blocks.
pub(super) fn combine<'a>(
    ranks: usize,
    blocks: impl IntoIterator<Item = &'a BlockSums>,
    bound: &Bound,
) -> Combined {
    let (mut critical, mut agreeing, mut product_tied) = (0u128, 0u128, 0u128);
    let mut masses = [CompensatedSum::default(); MASSES];
    let mut count = vec![0u128; ranks];
    let mut won = vec![CompensatedSum::default(); ranks];
    let mut comparisons = Comparisons::default();
    for block in blocks {
        critical += block.critical;
        agreeing += block.agreeing;
        product_tied += block.product_tied;
        masses.iter_mut().zip(block.masses).for_each(|(sum, mass)| sum.add(mass));
        comparisons.total += block.pairs;
        comparisons.escalated += block.escalated;
        comparisons.unresolved += block.unresolved;
        let below: u128 = count.iter().sum();
        let (mut above, mut won_above) = (0u128, 0.0);
        for rank in (0..ranks).rev() {
            critical += block.count[rank] * above;
            agreeing += block.count[rank] * (below - above - count[rank]);
            masses[0].add(block.won[rank] * above as f64);
            masses[1].add(block.won[rank] * won_above);
            masses[2].add(block.count[rank] as f64 * won_above);
            masses[3].add(block.won[rank] * below as f64);
            above += count[rank];
            won_above += won[rank].value();
        }
        for rank in 0..ranks {
            count[rank] += block.count[rank];
            won[rank].add(block.won[rank]);
        }
    }
    let pairs = comparisons.total;
    comparisons.total = pairs.saturating_sub(1);
    let minimax_tied: u128 = count.iter().map(|sum| sum * sum).sum();
    // Each pair of depth-1 classes occurs in two orders of the root's moves.
    let critical = 2 * critical;
    let counts = Counts::from([critical, 2 * agreeing, minimax_tied + product_tied]);
    let [a, b, c, chosen] = masses.map(|sum| 2.0 * sum.value());
    let mass = Mass { first_error: (a - b).max(0.0), second_error: (c - b).max(0.0) };
    let won: Vec<f64> = won.iter().map(CompensatedSum::value).collect();
    let won = DeepWon::of(&count, &won, chosen, bound.of_won());
    Combined { counts, mass, bound: bound.of_masses(critical), won, comparisons, pairs }
}

impl DeepWon {
    /// From the numbers of trees and won trees by minimax value, and what the second rule wins over all ordered
    /// trees.
    fn of(count: &[u128], won: &[f64], chosen: f64, bound: f64) -> Self {
        let trees = count.iter().sum::<u128>() as f64;
        let (mut below, mut by_minimax) = (0u128, 0.0);
        for (&count, &won) in count.iter().zip(won) {
            by_minimax += won * (2 * below + count) as f64;
            below += count;
        }
        let each = [by_minimax, chosen].map(|sum| sum / trees / trees);
        Self { rules: each, random: won.iter().sum::<f64>() / trees, bound }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_of_all_blocks_are_added() {
        let block = |pairs, escalated, unresolved| BlockSums {
            pairs,
            escalated,
            unresolved,
            count: vec![0],
            won: vec![0.0],
            ..BlockSums::default()
        };
        let combined =
            combine(1, &[block(5, 3, 1), block(4, 2, 2)], &Bound { depth: 2, node_values: 1, levels: 1 });
        assert_eq!(combined.comparisons, Comparisons { total: 8, escalated: 5, unresolved: 3 });
        assert_eq!(combined.pairs, 9);
    }
}
