//! Game contests and move decisions in one stored tree, given the moves both players choose everywhere.
//!
//! A game starts at a node with a search to depth d, the players alternate, and it ends when such a search no
//! longer fits: at level d_g - d + 1 it is adjudicated by the true value. Let G_M(i) be the result of the game
//! from node i in which Minimax moves first, G_P(i) that in which Product does. Then
//! G_M(i) = G_P(the child that Minimax chooses at i), G_P(i) = G_M(the child that Product chooses at i), and both
//! are the true value where games end: one pass from the leaves upwards plays the game pairs of all nodes. A pair
//! is *critical* if one player wins both games, that is iff G_M(i) != G_P(i).

use prodmax_enumerate::Mover;
use serde::{Deserialize, Serialize};

use crate::tree::{array_len, children, family, level};

/// The game pairs of one tree at one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairs {
    /// Pairs in which Minimax won both games.
    pub minimax_wins: u64,
    /// Pairs in which Product won both games.
    pub product_wins: u64,
}

impl Pairs {
    /// Pairs in which one player won both games.
    pub fn critical(&self) -> u64 {
        self.minimax_wins + self.product_wins
    }
}

/// Room for the results of games.
#[derive(Clone, Debug)]
pub struct Contest {
    minimax_first: Vec<u8>,
    product_first: Vec<u8>,
}

impl Contest {
    /// Room for trees of this depth.
    pub fn new(tree_depth: usize) -> Self {
        let games = || vec![0; array_len(tree_depth)];
        Self { minimax_first: games(), product_first: games() }
    }

    /// The size of the arrays.
    pub fn bytes(&self) -> usize {
        self.minimax_first.len() + self.product_first.len()
    }

    /// Plays the game pairs from all nodes of levels 0..=last; games end at level last + 1.
    pub fn play(&mut self, truth: &[u8], minimax: &[u8], product: &[u8], last: usize) -> Pairs {
        let ends = 2 << last..4 << last;
        self.minimax_first[ends.clone()].copy_from_slice(&truth[ends.clone()]);
        self.product_first[ends.clone()].copy_from_slice(&truth[ends]);
        let mut pairs = Pairs::default();
        for l in (0..=last).rev() {
            let (m_games, m_first, m_second) = family(&mut self.minimax_first, l);
            let (p_games, p_first, p_second) = family(&mut self.product_first, l);
            follow(m_games, level(minimax, l), p_first, p_second);
            follow(p_games, level(product, l), m_first, m_second);
            // Won by MAX in the first game and by MIN in the second, and the other way round.
            let only_m = count(m_games, p_games, |m, p| m & !p);
            let only_p = count(m_games, p_games, |m, p| p & !m);
            let (minimax_wins, product_wins) = match Mover::at(l) {
                Mover::Max => (only_m, only_p),
                Mover::Min => (only_p, only_m),
            };
            pairs.minimax_wins += minimax_wins;
            pairs.product_wins += product_wins;
        }
        pairs
    }
}

/// The result of each game is that of the game from the chosen child.
fn follow(games: &mut [u8], choices: &[u8], first: &[u8], second: &[u8]) {
    for ((game, choice), (a, b)) in games.iter_mut().zip(choices).zip(first.iter().zip(second)) {
        *game = a ^ ((a ^ b) & choice);
    }
}

/// How often a formula of two bits is 1.
fn count(a: &[u8], b: &[u8], formula: impl Fn(u8, u8) -> u8) -> u64 {
    // Sums of up to 255 bits fit a byte.
    let chunk = |(a, b): (&[u8], &[u8])| {
        u64::from(a.iter().zip(b).map(|(&a, &b)| formula(a, b)).fold(0u8, u8::wrapping_add))
    };
    a.chunks(128).zip(b.chunks(128)).map(chunk).sum()
}

/// Nodes of levels 0..=last in which exactly one move wins: only there a decision can be wrong.
pub fn decisive(truth: &[u8], last: usize) -> u64 {
    let differ = |l| {
        let (first, second) = children(truth, l);
        count(first, second, |a, b| a ^ b)
    };
    (0..=last).map(differ).sum()
}

/// Wrong move decisions at the nodes of levels 0..=last (Fig. 6): the chosen move loses and the other would win.
pub fn errors(truth: &[u8], choices: &[u8], last: usize) -> u64 {
    let wrong = |l| {
        let (first, second) = children(truth, l);
        let moves = level(choices, l).chunks(128);
        let losing = match Mover::at(l) {
            Mover::Max => 0,
            Mover::Min => 1,
        };
        let chunk = |((a, b), c): ((&[u8], &[u8]), &[u8])| {
            let wrong = |((&a, &b), &c): ((&u8, &u8), &u8)| (a ^ b) & (c ^ b ^ losing);
            u64::from(a.iter().zip(b).zip(c).map(wrong).fold(0u8, u8::wrapping_add))
        };
        first.chunks(128).zip(second.chunks(128)).zip(moves).map(chunk).sum::<u64>()
    };
    (0..=last).map(wrong).sum()
}
