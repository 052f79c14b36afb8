//! The slow twin: every rule by its definition in the papers, every ordered tree visited. It shares no code with the
//! rules or the engine.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    reason = "not every test uses all of it; test helpers"
)]

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_traits::Num;
use prodmax_enumerate::{Enumerator, HeuristicValue, Model, Naive};
use prodmax_mass::Counts;
use prodmax_number::Fraction;
use prodmax_number::fraction::parse;

/// Doubles or fractions.
pub trait Exactish: Num + Clone + PartialOrd {
    /// A constant.
    fn of(value: &Fraction) -> Self;
    /// The order; doubles that differ only by rounding are equal. In the small models of the tests, different values
    /// are much further apart.
    fn order(&self, other: &Self) -> Ordering;
}

impl Exactish for f64 {
    fn of(value: &Fraction) -> Self {
        prodmax_number::fraction::to_f64(value)
    }
    fn order(&self, other: &Self) -> Ordering {
        if (self - other).abs() <= 1e-13 * self.abs().max(other.abs()) {
            Ordering::Equal
        } else {
            self.total_cmp(other)
        }
    }
}

impl Exactish for Fraction {
    fn of(value: &Fraction) -> Self {
        value.clone()
    }
    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
}

/// A rule by its name, with the values it sees at the leaves.
pub struct Twin<'a, T> {
    pub rule: &'a str,
    pub leaf: &'a dyn Fn(HeuristicValue) -> T,
    pub depth: usize,
    pub branching: usize,
}

fn constant<T: Exactish>(text: &str) -> T {
    T::of(&parse(text).unwrap())
}

fn power<T: Exactish>(x: &T, exponent: u32) -> T {
    (0..exponent).fold(T::one(), |product, _| product * x.clone())
}

impl<T: Exactish> Twin<'_, T> {
    fn parts(&self) -> Vec<&str> {
        self.rule.split(':').collect()
    }

    /// The value of a subtree whose root is at `level`. Means back up powers, which have the same order.
    pub fn value(&self, leaves: &[HeuristicValue], level: usize) -> T {
        let parts = self.parts();
        if level == self.depth {
            let leaf = &leaves[0];
            let x = (self.leaf)(*leaf);
            return match parts[0] {
                "minimax" => T::of(&Fraction::from_integer(leaf.get().into())),
                "mean" => power(&x, parts[1].parse().unwrap()),
                _ => x,
            };
        }
        let children: Vec<T> =
            leaves.chunks(leaves.len() / self.branching).map(|side| self.value(side, level + 1)).collect();
        let is_max = level.is_multiple_of(2);
        match parts[0] {
            "minimax" => extreme(&children, is_max),
            "product" | "ideal" => product(&children, is_max),
            "average" => {
                let a: T = constant(parts[1]);
                a.clone() * extreme(&children, is_max) + (T::one() - a) * product(&children, is_max)
            }
            "mean" => mean(&children, is_max),
            "baum" => hinted(&children, is_max, &constant(parts[1]), &constant(parts[2])),
            "hints" => {
                // l is the height of the children.
                let l = self.depth - level - 1;
                let two = T::one() + T::one();
                let p = T::one() - power::<T>(&constant(parts[1]), (self.depth - l) as u32) / two;
                hinted(&children, is_max, &p, &p)
            }
            other => panic!("no rule {other}"),
        }
    }
}

fn extreme<T: Exactish>(children: &[T], is_max: bool) -> T {
    let better = |a: T, b: &T| if (a < *b) == is_max { b.clone() } else { a };
    children[1..].iter().fold(children[0].clone(), better)
}

fn product<T: Exactish>(children: &[T], is_max: bool) -> T {
    let all = |factor: &dyn Fn(&T) -> T| children.iter().fold(T::one(), |all, child| all * factor(child));
    if is_max { T::one() - all(&|child| T::one() - child.clone()) } else { all(&|child| child.clone()) }
}

fn mean<T: Exactish>(children: &[T], is_max: bool) -> T {
    let n = children.iter().fold(T::zero(), |n, _| n + T::one());
    let sum = |term: &dyn Fn(&T) -> T| children.iter().fold(T::zero(), |sum, child| sum + term(child));
    if is_max {
        return sum(&|child| child.clone()) / n;
    }
    if children.iter().any(T::is_zero) {
        return T::zero();
    }
    n / sum(&|child| T::one() / child.clone())
}

/// The expectation, over all hints, of the greatest joint probability that a child is won and the hints are these. At a
/// MIN node the hints are about MIN's wins, and it is the least: nothing is subtracted from 1, so that small values keep
/// their digits.
fn hinted<T: Exactish>(children: &[T], is_max: bool, won: &T, lost: &T) -> T {
    let mut sum = T::zero();
    for hints in 0u32..1 << children.len() {
        let says_won = |i: usize| hints >> i & 1 == 1;
        let if_won = |i| if says_won(i) { won.clone() } else { T::one() - won.clone() };
        let if_lost = |i| if says_won(i) { T::one() - lost.clone() } else { lost.clone() };
        // The probability of the hint on a child that is won for MAX, and of that on one that is lost.
        let hint = |i| if is_max { (if_won(i), if_lost(i)) } else { (if_lost(i), if_won(i)) };
        let joint = |i: usize| {
            (0..children.len()).fold(T::one(), |product, j| {
                let (x, (up, down)) = (children[j].clone(), hint(j));
                let here = x.clone() * up;
                product * if i == j { here } else { here + (T::one() - x) * down }
            })
        };
        let joints: Vec<T> = (0..children.len()).map(joint).collect();
        sum = sum + extreme(&joints, is_max);
    }
    sum
}

/// The result of visiting every ordered tree.
pub struct Visited<T> {
    pub counts: Counts,
    /// Error masses of the first and of the second rule.
    pub errors: [T; 2],
    /// Trees won by the move that each rule chooses, ties shared evenly, and by a random move.
    pub won: [T; 2],
    pub random: T,
    /// How much less than the first rule the second one wins where at least one of them has no unique best move.
    pub tied: T,
}

/// Visits every ordered tree.
pub fn visit<T: Exactish>(
    model: &Model,
    first: &Twin<'_, T>,
    second: &Twin<'_, T>,
    truth: &dyn Fn(HeuristicValue) -> T,
) -> Visited<T> {
    let (depth, branching) = (model.depth(), model.branching());
    let truth = Twin { rule: "product", leaf: truth, depth, branching };
    let zero = || T::zero();
    let mut visited = Visited {
        counts: Counts::from([0, 0, 0]),
        errors: [zero(), zero()],
        won: [zero(), zero()],
        random: zero(),
        tied: zero(),
    };
    let mut trees = Naive::new(model);
    // The same branch is valued once.
    let mut known: BTreeMap<Vec<HeuristicValue>, [T; 3]> = BTreeMap::new();
    while let Some(tree) = trees.next_tree() {
        let mut moves: Vec<[T; 3]> = Vec::new();
        for branch in tree.leaves.chunks(model.leaves_below(1)) {
            if !known.contains_key(branch) {
                known.insert(branch.to_vec(), [first, second, &truth].map(|rule| rule.value(branch, 1)));
            }
            moves.push(known[branch].clone());
        }
        let chosen = [0, 1].map(|rule| best(&moves, rule));
        let won = chosen.each_ref().map(|moves_chosen| mean_won(&moves, moves_chosen));
        let all: Vec<usize> = (0..moves.len()).collect();
        visited.random = visited.random + mean_won(&moves, &all);
        let [m, p] = won.clone();
        for (sum, won) in visited.won.iter_mut().zip(won) {
            *sum = sum.clone() + won;
        }
        match chosen.each_ref().map(Vec::as_slice) {
            [[one], [other]] if one == other => visited.counts.agreeing += 1u32,
            [[_], [_]] => {
                visited.counts.critical += 1u32;
                let [first_error, second_error] = &mut visited.errors;
                *first_error = first_error.clone() + (T::one() - m.clone()) * p.clone();
                *second_error = second_error.clone() + m * (T::one() - p);
            }
            _ => {
                visited.counts.tied += 1u32;
                visited.tied = visited.tied + m - p;
            }
        }
    }
    visited
}

/// The moves to which a rule gives the greatest value.
fn best<T: Exactish>(moves: &[[T; 3]], rule: usize) -> Vec<usize> {
    let is_best = |&place: &usize| {
        moves.iter().all(|other| other[rule].order(&moves[place][rule]) != Ordering::Greater)
    };
    (0..moves.len()).filter(is_best).collect()
}

/// The probability that a move chosen uniformly from `some` is won.
fn mean_won<T: Exactish>(moves: &[[T; 3]], some: &[usize]) -> T {
    let (sum, count) = some.iter().fold((T::zero(), T::zero()), |(sum, count), &place| {
        (sum + moves[place][2].clone(), count + T::one())
    });
    sum / count
}
