//! The blocks' sums put together in block order.

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

/// Adds what lies inside the blocks and what pairs of different blocks contribute: there a pair of the later
/// block stands against the totals of all blocks before it.
pub(super) fn combine<'a>(
    levels: usize,
    blocks: impl IntoIterator<Item = &'a BlockSums>,
    bound: &Bound,
) -> Combined {
    let (mut critical, mut agreeing, mut product_tied) = (0u128, 0u128, 0u128);
    let mut masses = [CompensatedSum::default(); MASSES];
    let mut count = vec![0u128; levels];
    let mut won = vec![CompensatedSum::default(); levels];
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
        for level in (0..levels).rev() {
            critical += block.count[level] * above;
            agreeing += block.count[level] * (below - above - count[level]);
            masses[0].add(block.won[level] * above as f64);
            masses[1].add(block.won[level] * won_above);
            masses[2].add(block.count[level] as f64 * won_above);
            masses[3].add(block.won[level] * below as f64);
            above += count[level];
            won_above += won[level].value();
        }
        for level in 0..levels {
            count[level] += block.count[level];
            won[level].add(block.won[level]);
        }
    }
    let pairs = comparisons.total;
    comparisons.total = pairs.saturating_sub(1);
    let minimax_tied: u128 = count.iter().map(|sum| sum * sum).sum();
    // Each pair of depth-1 classes is met by two orders of the root's moves.
    let critical = 2 * critical;
    let counts = Counts::from([critical, 2 * agreeing, minimax_tied + product_tied]);
    let [a, b, c, chosen] = masses.map(|sum| 2.0 * sum.value());
    let mass = Mass { first_error: (a - b).max(0.0), second_error: (c - b).max(0.0) };
    let won: Vec<f64> = won.iter().map(CompensatedSum::value).collect();
    let won = DeepWon::of(&count, &won, chosen, bound.of_won());
    Combined { counts, mass, bound: bound.of_masses(critical), won, comparisons, pairs }
}

impl DeepWon {
    /// From the number of trees and of won trees by minimax value, and what the second rule wins over all ordered trees.
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
