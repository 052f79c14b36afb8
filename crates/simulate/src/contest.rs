//! Game contests and move decisions in one stored tree, given the moves that both players choose at every node.
//!
//! A game starts at a node with a search to depth d, the players alternate, and it ends when such a search no longer
//! fits: at level d_g - d + 1 it is adjudicated by the true value. Let G_1(i) be the result of the game from node i
//! in which the first rule moves first, and G_2(i) that of the game in which the second does. Then G_1(i) = G_2(the
//! child that the first rule chooses at i), G_2(i) = G_1(the child that the second one chooses at i), and both are
//! the true value where games end: one pass from the leaves upwards plays the game pairs of all nodes. A pair is
//! *critical* if one player wins both games, that is iff G_1(i) != G_2(i).

use prodmax_enumerate::Mover;
use serde::{Deserialize, Serialize};

use crate::tree::{array_len, children, family, level};

/// The game pairs of one tree at one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairs {
    /// Pairs in which the first rule won both games.
    pub first_wins: u64,
    /// Pairs in which the second rule won both games.
    pub second_wins: u64,
}

impl Pairs {
    /// Pairs in which one player won both games.
    pub fn critical(&self) -> u64 {
        self.first_wins + self.second_wins
    }
}

/// Arrays for the results of games.
#[derive(Clone, Debug)]
pub struct GameResults {
    first_begins: Vec<u8>,
    second_begins: Vec<u8>,
}

impl GameResults {
    /// Arrays for trees of this depth.
    pub fn new(tree_depth: usize) -> Self {
        let games = || vec![0; array_len(tree_depth)];
        Self { first_begins: games(), second_begins: games() }
    }

    /// The size of the arrays.
    pub fn bytes(&self) -> usize {
        self.first_begins.len() + self.second_begins.len()
    }

    /// Plays the game pairs from all nodes of levels 0..=last, given the choices of both rules; games end at level
    /// last + 1.
    pub fn play(&mut self, truth: &[u8], first: &[u8], second: &[u8], last: usize) -> Pairs {
        let ends = 2 << last..4 << last;
        self.first_begins[ends.clone()].copy_from_slice(&truth[ends.clone()]);
        self.second_begins[ends.clone()].copy_from_slice(&truth[ends]);
        let mut pairs = Pairs::default();
        for l in (0..=last).rev() {
            // Results of games from the nodes, and from their left and right children.
            let (games_1, left_1, right_1) = family(&mut self.first_begins, l);
            let (games_2, left_2, right_2) = family(&mut self.second_begins, l);
            follow(games_1, level(first, l), left_2, right_2);
            follow(games_2, level(second, l), left_1, right_1);
            // Won by MAX in the first game and by MIN in the second, and the other way round.
            let only_1 = count(games_1, games_2, |a, b| a & !b);
            let only_2 = count(games_1, games_2, |a, b| b & !a);
            let (first_wins, second_wins) = match Mover::at(l) {
                Mover::Max => (only_1, only_2),
                Mover::Min => (only_2, only_1),
            };
            pairs.first_wins += first_wins;
            pairs.second_wins += second_wins;
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

/// The number of nodes at levels 0..=last where exactly one move wins: only there can a decision be wrong.
pub fn decisive(truth: &[u8], last: usize) -> u64 {
    let differ = |l| {
        let (first, second) = children(truth, l);
        count(first, second, |a, b| a ^ b)
    };
    (0..=last).map(differ).sum()
}

/// The number of wrong move decisions at levels 0..=last (Fig. 6): the chosen move loses and the other would win.
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
