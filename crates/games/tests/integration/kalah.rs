//! Kalah against a twin that moves one stone at a time, and properties that hold in every game.

use prodmax_games::kalah::Kalah;
use prodmax_games::perft::perft;
use prodmax_games::{Outcome, Position, Side};
use proptest::prelude::*;

/// All holes and stores in one list: the holes of the first player, their store, the holes of the second, their
/// store.
#[derive(Clone, Debug, PartialEq)]
struct Slow {
    holes: usize,
    pits: Vec<u32>,
    side: usize,
}

impl Slow {
    fn start(holes: usize, stones: u32) -> Self {
        let mut pits = vec![stones; 2 * holes + 2];
        (pits[holes], pits[2 * holes + 1]) = (0, 0);
        Self { holes, pits, side: 0 }
    }

    fn row(&self, side: usize) -> std::ops::Range<usize> {
        let first = side * (self.holes + 1);
        first..first + self.holes
    }

    fn is_over(&self) -> bool {
        (0..2).any(|side| self.pits[self.row(side)].iter().all(|&stones| stones == 0))
    }

    fn moves(&self) -> Vec<u8> {
        if self.is_over() {
            return Vec::new();
        }
        (0..self.holes)
            .filter(|&hole| self.pits[self.row(self.side).start + hole] > 0)
            .map(|h| h as u8)
            .collect()
    }

    fn play(&mut self, hole: u8) {
        let (own, other) = (self.row(self.side), self.row(1 - self.side));
        let (store, other_store) = (own.end, other.end);
        let mut place = own.start + usize::from(hole);
        let stones = std::mem::take(&mut self.pits[place]);
        for _ in 0..stones {
            place = (place + 1) % self.pits.len();
            if place == other_store {
                place = (place + 1) % self.pits.len();
            }
            self.pits[place] += 1;
        }
        if own.contains(&place) && self.pits[place] == 1 {
            let opposite = other.end - 1 - (place - own.start);
            if self.pits[opposite] > 0 {
                self.pits[store] += 1 + std::mem::take(&mut self.pits[opposite]);
                self.pits[place] = 0;
            }
        }
        if self.is_over() {
            for side in 0..2 {
                let row = self.row(side);
                let left: u32 = self.pits[row.clone()].iter().sum();
                self.pits[row.clone()].fill(0);
                self.pits[row.end] += left;
            }
        }
        if place != store {
            self.side = 1 - self.side;
        }
    }

    fn agrees(&self, fast: &Kalah) -> bool {
        Side::BOTH.iter().enumerate().all(|(index, &side)| {
            let row = self.row(index);
            let same_holes =
                fast.stones(side).iter().map(|&n| u32::from(n)).eq(self.pits[row.clone()].iter().copied());
            same_holes && u32::from(fast.store(side)) == self.pits[row.end]
        }) && fast.side().index() == self.side
    }
}

/// Plays a random game on both boards; returns the number of moves.
fn random_game(holes: usize, stones: usize, choices: impl Iterator<Item = usize>) -> usize {
    let (mut fast, mut slow) = (Kalah::start(holes, stones).unwrap(), Slow::start(holes, stones as u32));
    let all = 2 * holes * stones;
    let mut length = 0;
    for choice in choices {
        let moves: Vec<u8> = fast.moves().collect();
        assert_eq!(moves, slow.moves());
        assert_eq!(moves.is_empty(), fast.outcome().is_some());
        assert_eq!(moves.len(), fast.moves().count());
        let Some(&chosen) = moves.get(choice % moves.len().max(1)) else { break };
        (fast, length) = (fast.play(chosen), length + 1);
        slow.play(chosen);
        assert!(slow.agrees(&fast), "{fast}\n{slow:?}");
        let kept: usize = Side::BOTH
            .iter()
            .map(|&side| {
                fast.stones(side).iter().map(|&n| usize::from(n)).sum::<usize>()
                    + usize::from(fast.store(side))
            })
            .sum();
        assert_eq!(kept, all, "stones are conserved");
        if fast.outcome().is_none() {
            let both = fast.evaluation(Side::First) + fast.evaluation(Side::Second);
            assert!((both - 1.0).abs() < 1e-15 && (0.0..=1.0).contains(&fast.evaluation(Side::First)));
        }
    }
    let outcome = fast.outcome().expect("the game has ended");
    let (a, b) = (fast.store(Side::First), fast.store(Side::Second));
    assert_eq!(
        outcome,
        [Outcome::Second, Outcome::Draw, Outcome::First][1 + usize::from(a > b) - usize::from(a < b)]
    );
    length
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn stones_are_conserved_and_every_game_ends(
        holes in 1usize..=7, stones in 1usize..=18, choices in proptest::collection::vec(0usize..420, 8000),
    ) {
        random_game(holes, stones.min(255 / (2 * holes)), choices.into_iter());
    }
}

#[test]
fn move_sequences_with_four_stones_are_counted_as_by_openspiel() {
    // The counts of OpenSpiel 2.0.2's mancala.
    let start = Kalah::start(6, 4).unwrap();
    let counts: Vec<u64> = (1..=7).map(|depth| perft(&start, depth).unwrap()).collect();
    assert_eq!(counts, [6, 35, 185, 942, 4690, 23233, 114430]);
    assert_eq!(perft(&start, 0), Some(1));
}

#[test]
fn move_sequences_are_counted_as_by_the_slow_board() {
    fn slow(position: &Slow, depth: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        let children = position.moves().into_iter().map(|chosen| {
            let mut child = position.clone();
            child.play(chosen);
            slow(&child, depth - 1)
        });
        children.sum()
    }
    for (holes, stones) in [(6, 6), (3, 3), (1, 1), (2, 1), (7, 5), (4, 12)] {
        let fast = Kalah::start(holes, stones).unwrap();
        for depth in 1..=6 {
            assert_eq!(
                perft(&fast, depth),
                Some(slow(&Slow::start(holes, stones as u32), depth)),
                "{holes} {stones}"
            );
        }
    }
}
