//! Ties by identities between arctans, compared with a twin that computes with 70 decimal places.

use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;

use num_bigint::BigInt;
use num_traits::Signed;
use prodmax_enumerate::{Enumerator, HeuristicValue, Line, Model, Naive, Shape, ZeroMode};
use prodmax_jobs::Work;
use prodmax_mass::deep::{self, Options};
use prodmax_mass::{Contestant, Counts, Critical, CurveTable, compare_subtrees};

/// Decimal places of the twin's fixed-point numbers.
const PLACES: u32 = 70;

/// A curve by its definition, in integers times 10^-70.
struct Decimals {
    normalised: bool,
    /// The constant C as a fraction.
    c: [i64; 2],
    h_max: i64,
}

fn one() -> BigInt {
    BigInt::from(10).pow(PLACES)
}

/// arctan(n / d) by Euler's series: the sum of the products of 2k / (2k + 1) · x² / (1 + x²), times x / (1 + x²).
fn arctan(n: i64, d: i64) -> BigInt {
    if n < 0 {
        return -arctan(-n, d);
    }
    if n > d {
        return 2 * arctan(1, 1) - arctan(d, n);
    }
    let norm = BigInt::from(n).pow(2) + BigInt::from(d).pow(2);
    let mut term: BigInt = one() * n * d / &norm;
    let mut sum = BigInt::from(0);
    for k in 1.. {
        if term == BigInt::from(0) {
            break;
        }
        sum += &term;
        term = term * (2 * k) * BigInt::from(n).pow(2) / (&norm * (2 * k + 1));
    }
    sum
}

impl Decimals {
    fn new(curve: &str, h_max: i64) -> Self {
        let (kind, c) = curve.split_once(':').unwrap();
        let (n, d) = c.split_once('/').unwrap_or((c, "1"));
        Self { normalised: kind == "arctan", c: [n, d].map(|part| part.parse().unwrap()), h_max }
    }

    fn at(&self, h: i64) -> BigInt {
        let [n, d] = self.c;
        let norm = if self.normalised { 2 * arctan(n, d) } else { 4 * arctan(1, 1) };
        one() / 2 + one() * arctan(n * h, d * self.h_max) / norm
    }
}

/// Products that agree to 60 places count as equal: different ones of two leaves are much further apart.
fn order(a: &BigInt, b: &BigInt) -> Ordering {
    let unit = BigInt::from(10).pow(PLACES - 60);
    if (a - b).abs() < unit { Ordering::Equal } else { a.cmp(b) }
}

/// The ranks of all products of two values on the line, by `(a + h_max) (2 h_max + 1) + b + h_max`.
fn ranks(curve: &str, h_max: i64) -> Vec<u32> {
    let decimals = Decimals::new(curve, h_max);
    let leaves: Vec<BigInt> = (-h_max..=h_max).map(|h| decimals.at(h)).collect();
    let products: Vec<BigInt> =
        leaves.iter().flat_map(|x| leaves.iter().map(move |y| x * y / one())).collect();
    let mut sorted: Vec<usize> = (0..products.len()).collect();
    sorted.sort_by_key(|&pair| &products[pair]);
    let mut ranks = vec![0; products.len()];
    for neighbours in sorted.windows(2) {
        let is_above = order(&products[neighbours[0]], &products[neighbours[1]]) == Ordering::Less;
        ranks[neighbours[1]] = ranks[neighbours[0]] + u32::from(is_above);
    }
    ranks
}

/// Every ordered tree of a model of depth 2 visited: MAX over MIN over leaves.
fn visit(model: &Model, curve: &str) -> Counts {
    let h_max = model.line().h_max();
    let ranks = ranks(curve, h_max.into());
    let product = |a: HeuristicValue, b: HeuristicValue| {
        ranks[((a.get() + h_max) * (2 * h_max + 1) + b.get() + h_max) as usize]
    };
    let mut counts = Counts::from([0, 0, 0]);
    let mut trees = Naive::new(model);
    while let Some(tree) = trees.next_tree() {
        let &[a, b, c, d] = tree.leaves else { unreachable!("a tree of depth 2 has four leaves") };
        match [a.min(b).cmp(&c.min(d)), product(a, b).cmp(&product(c, d))] {
            [Ordering::Equal, _] | [_, Ordering::Equal] => counts.tied += 1u32,
            [m, p] if m == p => counts.agreeing += 1u32,
            _ => counts.critical += 1u32,
        }
    }
    counts
}

fn counts(root: i64, increments: &[i64], h_max: i64, estimate: &str) -> Counts {
    let model = Model::new(root, increments, ZeroMode::Skip, h_max).unwrap();
    let [truth, table] =
        ["arctan:4", estimate].map(|curve| CurveTable::new(curve.parse().unwrap(), h_max as i32));
    let critical = Critical::of(&model, &table).unwrap();
    assert_eq!(critical.comparisons().unresolved, 0);
    let counts = critical.counts();
    assert_eq!(counts, visit(&model, estimate), "root {root}, increments {increments:?}");
    let options = Options {
        memory_bytes: 1 << 28,
        block_pairs: Some(10),
        checkpoint: None,
        work: Work::Whole,
        interrupt: &AtomicBool::new(false),
        progress: &|_, _| {},
    };
    let product = Contestant::through("product".parse().unwrap(), &table);
    let deep = deep::mass(&model, &truth, &product, &options).unwrap();
    assert!(deep.blocks > 1);
    assert_eq!((&deep.counts, deep.comparisons.unresolved), (&counts, 0), "block by block");
    counts
}

/// w(-14) w(-6) = w(-21) w(6) on the usual line.
#[test]
fn root_6_increments_0_26() {
    let expected = Counts::from([64_040, 441_158, 26_243]);
    assert_eq!(counts(6, &[0, 26], 42, "arctan:1"), expected);
}

#[test]
fn root_1_increments_5_26() {
    let expected = Counts::from([2_194_348, 16_094_562, 842_966]);
    assert_eq!(counts(1, &[5, 26], 42, "arctan:1"), expected);
}

#[test]
fn root_3_increments_0_8_on_a_short_line() {
    let expected = Counts::from([536, 5_048, 977]);
    assert_eq!(counts(3, &[0, 8], 12, "arctan:2"), expected);
}

/// Neighbours in the order of all products of two leaves: exactly the equal ones are proved to be equal, and none is
/// left open.
#[test]
fn products_of_two_leaves_are_ordered_as_their_decimals() {
    let mut found = Vec::new();
    for (curve, h_max) in [
        ("arctan:1", 42),
        ("arctan:2", 12),
        ("arctan:3", 18),
        ("arctan:4", 24),
        ("arctan:1/2", 20),
        ("arctan:3/4", 18),
        ("pearl:1", 24),
        ("pearl:2", 24),
        ("pearl:3", 18),
        ("pearl:3/2", 18),
        ("pearl:5/2", 20),
    ] {
        let decimals = Decimals::new(curve, h_max);
        let table = CurveTable::new(curve.parse().unwrap(), h_max as i32);
        let product = Contestant::through("product".parse().unwrap(), &table);
        let line = Line::new(h_max, ZeroMode::Allow).unwrap();
        let leaves: Vec<(i64, BigInt)> = (-h_max..=h_max).map(|h| (h, decimals.at(h))).collect();
        let mut pairs: Vec<(BigInt, [i64; 2])> = Vec::new();
        for (place, (a, x)) in leaves.iter().enumerate() {
            // An end of an arctan curve is 0, and so are all products with it.
            pairs.extend(
                leaves[place..].iter().filter(|_| x > &one().sqrt()).map(|(b, y)| (x * y / one(), [*a, *b])),
            );
        }
        pairs.sort();
        let mut ties = 0;
        for neighbours in pairs.windows(2) {
            let [(x, [a, b]), (y, [c, d])] = neighbours else { continue };
            let leaves = [a, b, c, d].map(|&h| line.value(h).unwrap());
            let proved =
                compare_subtrees(&product, [&leaves[..2], &leaves[2..]], 1, Shape { depth: 2, branching: 2 });
            let expected = order(x, y);
            assert_eq!(proved, Some(expected), "{curve} {h_max}: {leaves:?}");
            ties += u32::from(expected == Ordering::Equal);
        }
        found.push((curve, h_max, ties));
    }
    assert!(found.iter().filter(|(.., ties)| *ties > 0).count() >= 9, "{found:?}");
}
