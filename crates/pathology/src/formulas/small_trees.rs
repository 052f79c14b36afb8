//! The errors of eqs (2) and (3) from all small trees instead of formulas: slow and obviously right.

use num_traits::{One, Zero};
use prodmax_number::Fraction;

use super::PlyErrors;

/// The errors at the root of all trees with b moves at `plies` plies: each leaf is lost or won, and evaluated rightly or
/// wrongly; nodes follow by the game rule. There are 4^(b^plies) trees, so this is for at most a dozen leaves.
pub fn enumerated(b: u32, plies: usize, lowest: &PlyErrors<Fraction>) -> PlyErrors<Fraction> {
    let one = Fraction::one();
    let b = b as usize;
    let leaves = b.pow(plies as u32);
    let mut masses = [[(); 2]; 2].map(|row| row.map(|()| Fraction::zero()));
    for tree in 0..4usize.pow(leaves as u32) {
        let states: Vec<(bool, bool)> =
            (0..leaves).map(|leaf| (tree >> (2 * leaf) & 1 == 1, tree >> (2 * leaf + 1) & 1 == 1)).collect();
        let weight = states.iter().fold(one.clone(), |weight, (won, seen)| {
            let (share, wrong) = if *won {
                (&one - &lowest.losses, &lowest.false_losses)
            } else {
                (lowest.losses.clone(), &lowest.false_wins)
            };
            weight * share * if won == seen { &one - wrong } else { wrong.clone() }
        });
        let mut nodes = states;
        while nodes.len() > 1 {
            let parent = |children: &[(bool, bool)]| {
                (children.iter().any(|child| !child.0), children.iter().any(|child| !child.1))
            };
            nodes = nodes.chunks(b).map(parent).collect();
        }
        // With one move per node there is one leaf, and every ply changes the side to move.
        let turned = b == 1 && plies % 2 == 1;
        let (won, seen) = (nodes[0].0 != turned, nodes[0].1 != turned);
        masses[usize::from(won)][usize::from(seen)] += weight;
    }
    let [[lost_lost, lost_won], [won_lost, won_won]] = masses;
    let losses = &lost_lost + &lost_won;
    let wins = &won_lost + &won_won;
    let share =
        |part: Fraction, whole: &Fraction| if whole.is_zero() { Fraction::zero() } else { part / whole };
    PlyErrors { false_wins: share(lost_won, &losses), false_losses: share(won_lost, &wins), losses }
}
