//! The depth-3 analysis against naive twins: all 8! orders, exact inequalities without the library's proofs and
//! witnesses, random points, broken ties, and masses of concrete trees.

use std::collections::BTreeMap;

use proptest::prelude::*;

use prodmax_cases::depth3::{Analysis, Case, Leaf, Leaves, OrderType, Outcomes, Possibility, Tally};
use prodmax_cases::{Decision, Masses, Side};
use prodmax_number::Polynomial;

/// Minimax values of M and P.
fn minimax<T: Ord + Copy>(x: &[T; 8]) -> (T, T) {
    (x[0].max(x[1]).min(x[2].max(x[3])), x[4].max(x[5]).min(x[6].max(x[7])))
}

/// Product values of M and P for the probabilities x / whole, times whole^4.
fn product(x: &[i64; 8], whole: i64) -> (i64, i64) {
    let max = |a: i64, b: i64| whole * whole - (whole - a) * (whole - b);
    (max(x[0], x[1]) * max(x[2], x[3]), max(x[4], x[5]) * max(x[6], x[7]))
}

/// All orders of 0..8.
fn permutations() -> Vec<[i64; 8]> {
    fn extend(prefix: &mut Vec<i64>, all: &mut Vec<[i64; 8]>) {
        if let Ok(complete) = <[i64; 8]>::try_from(prefix.as_slice()) {
            all.push(complete);
            return;
        }
        for next in 0..8 {
            if !prefix.contains(&next) {
                prefix.push(next);
                extend(prefix, all);
                prefix.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend(&mut Vec::new(), &mut all);
    all
}

/// The tree with two children swapped: those of the k-th depth-2 node for k < 4, then those of M and of P.
fn swapped(x: &[i64; 8], swap: usize) -> [i64; 8] {
    let [a, b, c, d, e, f, g, h] = *x;
    match swap {
        0 => [b, a, c, d, e, f, g, h],
        1 => [a, b, d, c, e, f, g, h],
        2 => [a, b, c, d, f, e, g, h],
        3 => [a, b, c, d, e, f, h, g],
        4 => [c, d, a, b, e, f, g, h],
        _ => [a, b, c, d, g, h, e, f],
    }
}

#[test]
fn the_orders_fall_into_630_types_of_64() {
    let mut sizes = vec![0; OrderType::COUNT];
    let mut preferring_m = 0;
    for x in permutations() {
        let order = OrderType::of_values(&x);
        sizes[order.index()] += 1;
        for swap in 0..6 {
            assert_eq!(OrderType::of_values(&swapped(&x, swap)), order, "{x:?}, swap {swap}");
        }
        let (m, p) = minimax(&x);
        assert_eq!(order.minimax_prefers_m(), m > p, "{x:?}");
        preferring_m += usize::from(m > p);
    }
    assert!(sizes.iter().all(|&size| size == 64));
    assert_eq!(preferring_m, 315 * 64);
}

/// A homogeneous polynomial in the nine gaps below, between and above the eight leaves (the gaps add up to 1).
type Gaps = BTreeMap<[u8; 9], i64>;

fn times(a: &Gaps, b: &Gaps) -> Gaps {
    let mut result = Gaps::new();
    for (i, x) in a {
        for (j, y) in b {
            let mut exponents = *i;
            exponents.iter_mut().zip(j).for_each(|(mine, theirs)| *mine += theirs);
            *result.entry(exponents).or_default() += x * y;
        }
    }
    result
}

fn minus(a: &Gaps, b: &Gaps) -> Gaps {
    let mut result = a.clone();
    for (exponents, coefficient) in b {
        *result.entry(*exponents).or_default() -= coefficient;
    }
    result
}

/// The sum of the gaps from the given one on: 1 for the first, and 1 - x for the gap above the leaf x.
fn gaps_from(first: usize) -> Gaps {
    let unit = |gap: usize| std::array::from_fn(|k| u8::from(k == gap));
    (first..9).map(|gap| (unit(gap), 1)).collect()
}

/// The Product value of a node with leaves of these ranks, as a polynomial in the gaps.
fn product_in_gaps(ranks: [usize; 4]) -> Gaps {
    let one = times(&gaps_from(0), &gaps_from(0));
    let max = |a: usize, b: usize| minus(&one, &times(&gaps_from(a + 1), &gaps_from(b + 1)));
    times(&max(ranks[0], ranks[1]), &max(ranks[2], ranks[3]))
}

/// Some leaf values in multiples of 1/whole, ties and bounds allowed, for which Product strictly prefers P.
/// Such a point exists iff one with strictly ordered values inside (0, 1) does.
fn grid_point(order: &OrderType, whole: i64) -> Option<[i64; 8]> {
    let levels = usize::try_from(whole).unwrap_or_default() + 1;
    (0..levels.pow(8)).find_map(|code| {
        let ascending: Vec<i64> = (0..8).map(|k| (code / levels.pow(k) % levels) as i64).collect();
        if !ascending.is_sorted() {
            return None;
        }
        let x = Leaf::ALL.map(|leaf| ascending[order.rank(leaf)]);
        let (m, p) = product(&x, whole);
        (p > m).then_some(x)
    })
}

/// Plays all 9 x 256 cases of an order type and counts by number of errors where Minimax and where Product is right.
fn count_right(order: &OrderType, right: &mut [[u64; 9]; 2]) {
    for below in 0..=8 {
        for errors in 0..256u32 {
            let truth: [bool; 8] =
                std::array::from_fn(|k| (order.rank(Leaf::ALL[k]) >= below) != (errors >> k & 1 == 1));
            match minimax(&truth) {
                (true, false) => right[0][errors.count_ones() as usize] += 1,
                (false, true) => right[1][errors.count_ones() as usize] += 1,
                _ => {}
            }
        }
    }
}

#[test]
fn verdicts_agree_with_signs_of_coefficients_and_a_coarse_grid() {
    // If PP(M) - PP(P) has no negative coefficient in the gaps, Product can never prefer P; a point of the grid shows
    // that it can. For every type exactly one of the two tests must succeed and agree with the verdict, which is
    // reached without gaps and grid.
    let analysis = Analysis::compute();
    let (mut possible, mut impossible) = (0, 0);
    let mut right = [[0u64; 9]; 2];
    for (order, verdict) in analysis.possibilities().iter().filter(|(order, _)| order.minimax_prefers_m()) {
        let m = product_in_gaps(Leaf::OF_M.map(|leaf| order.rank(leaf)));
        let p = product_in_gaps(Leaf::OF_P.map(|leaf| order.rank(leaf)));
        let never = minus(&m, &p).values().all(|&coefficient| coefficient >= 0);
        let point = (2..=3).find_map(|whole| grid_point(order, whole));
        assert_eq!(never, point.is_none(), "{order}: {point:?}");
        assert_eq!(verdict.is_possible(), point.is_some(), "{order}");
        assert_eq!(matches!(verdict, Possibility::Impossible(_)), never, "{order}");
        impossible += usize::from(never);
        if point.is_some() {
            possible += 1;
            count_right(order, &mut right);
        }
    }
    assert_eq!((possible, impossible), (201, 114));
    // The depth-3 Table I, by number of errors.
    let summary = analysis.summary();
    assert_eq!(&right[0], summary.balance.favouring(Side::Minimax));
    assert_eq!(&right[1], summary.balance.favouring(Side::Product));
    assert_eq!(right[0], [384, 3043, 11838, 26872, 34543, 25021, 9898, 2148, 220]);
    assert_eq!(right[1], [0, 1315, 9141, 25912, 36526, 27589, 11023, 2268, 193]);
}

#[test]
fn witnesses_hold_for_their_own_values() {
    let analysis = Analysis::compute();
    let mut witnesses = 0;
    for (order, verdict) in analysis.possibilities() {
        let Possibility::Possible(witness) = verdict else { continue };
        let x = Leaf::ALL.map(|leaf| witness.probability(leaf));
        assert_eq!(OrderType::of_values(&x), *order);
        let (m, p) = minimax(&x.each_ref());
        assert!(m > p, "{order}");
        let (m, p) = witness.product_values();
        assert!(p > m, "{order}");
        witnesses += 1;
    }
    assert_eq!(witnesses, 201);
}

#[test]
fn streamed_decisions_agree_with_playing_the_game() {
    let analysis = Analysis::compute();
    let mut critical = 0;
    for Case { order_type, below, errors } in analysis.cases().step_by(101) {
        let truth = Leaf::ALL.map(|leaf| {
            let evaluated_won = 2 * order_type.rank(leaf) + 1 > 2 * below;
            evaluated_won != errors.contains(leaf)
        });
        let expected = match minimax(&truth) {
            (true, false) => Decision::MinimaxRight,
            (false, true) => Decision::ProductRight,
            _ => Decision::Irrelevant,
        };
        assert_eq!(
            Case { order_type, below, errors }.decision(),
            expected,
            "{order_type}, {below}, {errors}"
        );
        critical += usize::from(expected.is_critical());
    }
    assert!(critical > 1000, "{critical}");
}

/// Twice the probability that a leaf is won, the draw value being 0.
fn twice_win(value: i64) -> Polynomial {
    match value.signum() {
        1 => Polynomial::new([2, -2]),
        -1 => Polynomial::new([0, 2]),
        _ => Polynomial::constant(1),
    }
}

/// The error masses of one tree, times 256, from the backed-up win probabilities.
fn direct_masses(x: &[i64; 8]) -> Masses {
    let lost = |value| &Polynomial::constant(2) - &twice_win(value);
    let max = |a, b| &Polynomial::constant(4) - &(&lost(a) * &lost(b));
    let (m, p) = (&max(x[0], x[1]) * &max(x[2], x[3]), &max(x[4], x[5]) * &max(x[6], x[7]));
    let not = |node: &Polynomial| &Polynomial::constant(16) - node;
    Masses { minimax_errs: &not(&m) * &p, product_errs: &m * &not(&p) }
}

/// Whether Minimax strictly prefers M and Product, by the probabilities (value + 4) / 8, strictly prefers P.
fn is_critical(x: &[i64; 8]) -> bool {
    let (minimax_m, minimax_p) = minimax(x);
    let (product_m, product_p) = product(&x.map(|value| value + 4), 8);
    minimax_m > minimax_p && product_p > product_m
}

#[test]
fn tallied_trees_have_the_masses_of_the_trees() {
    // Every tree with leaf values -2, 0, 1, 3: ties and leaves on the draw value abound.
    let analysis = Analysis::compute();
    let values = [-2, 0, 1, 3];
    let mut tally = Tally::default();
    let mut direct = Masses::default();
    let (mut trees, mut with_zero) = (0u32, 0);
    for code in 0..4usize.pow(8) {
        let x: [i64; 8] = std::array::from_fn(|k| values[code >> (2 * k) & 3]);
        if is_critical(&x) {
            tally.add(&x, &1.into());
            direct.add_scaled(&direct_masses(&x), &1.into());
            trees += 1;
            with_zero += u32::from(x.contains(&0));
            // Ties broken towards the later leaf, as by default, and towards the earlier one.
            let earlier = OrderType::of_values(&std::array::from_fn(|k| (x[k], std::cmp::Reverse(k))));
            assert!(analysis.possibility(&OrderType::of_values(&x)).is_possible(), "{x:?}");
            assert!(analysis.possibility(&earlier).is_possible(), "{x:?}");
        }
    }
    assert!(trees > 1000 && with_zero > 500, "{trees} trees, {with_zero} with leaves on the draw value");
    assert_eq!(tally.scaled_masses(), direct);
    assert_eq!(tally.entries().map(|(.., weight)| weight).sum::<num_bigint::BigInt>(), (256 * trees).into());
    assert_eq!(tally.impossible_types(&analysis), []);
}

#[test]
fn tallies_merge_and_multiply() {
    let (x, y) = ([1, -2, 2, -1, 5, 4, -1, -4], [0, 0, 2, -1, 5, 4, -1, -4]);
    let mut separately = [Tally::default(), Tally::default()];
    separately[0].add(&x, &3.into());
    separately[1].add(&y, &1.into());
    let mut together = Tally::default();
    for tree in [x, y, x, x] {
        together.add(&tree, &1.into());
    }
    let [mut first, second] = separately;
    first.merge(&second);
    assert_eq!(first, together);
}

#[test]
fn a_type_that_cannot_be_critical_is_reported() {
    let mut tally = Tally::default();
    tally.add(&[8, 7, 6, 5, 4, 3, 2, 1], &1.into());
    let types = tally.impossible_types(&Analysis::compute());
    assert_eq!(types, [OrderType::of_values(&[8, 7, 6, 5, 4, 3, 2, 1])]);
}

/// The verdicts, computed once for all random points.
fn analysis() -> &'static Analysis {
    static ANALYSIS: std::sync::OnceLock<Analysis> = std::sync::OnceLock::new();
    ANALYSIS.get_or_init(Analysis::compute)
}

fn some_values() -> impl Strategy<Value = [i64; 8]> {
    prop::array::uniform8(-3i64..=3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn no_point_contradicts_a_proof(x in prop::array::uniform8(1i64..1000)) {
        // M and P are swapped if Minimax prefers P, so that no random point is wasted.
        let (m, p) = minimax(&x);
        let [a, b, c, d, e, f, g, h] = x;
        let x = if m > p { x } else { [e, f, g, h, a, b, c, d] };
        let (m, p) = product(&x, 1000);
        let verdict = analysis().possibility(&OrderType::of_values(&x));
        if matches!(verdict, Possibility::Impossible(_)) {
            prop_assert!(m >= p, "{x:?} contradicts {verdict:?}");
        }
        if p > m && minimax(&x).0 > minimax(&x).1 {
            prop_assert!(verdict.is_possible(), "{x:?} contradicts {verdict:?}");
        }
    }

    #[test]
    fn no_ordered_point_contradicts_a_proof(
        mut x in prop::array::uniform8(1i64..1000),
        index in 0..OrderType::COUNT,
    ) {
        // Every type is hit, not only those that random values favour.
        let order = OrderType::from_index(index).unwrap();
        x.sort_unstable();
        let x = Leaf::ALL.map(|leaf| x[order.rank(leaf)]);
        let (m, p) = product(&x, 1000);
        if matches!(analysis().possibility(&order), Possibility::Impossible(_)) {
            prop_assert!(m >= p, "{x:?} contradicts the proof for {order}");
        }
    }

    #[test]
    fn ties_may_be_broken_either_way(
        x in some_values(),
        first in Just(Leaf::ALL).prop_shuffle(),
        second in Just(Leaf::ALL).prop_shuffle(),
    ) {
        let place = |leaf: Leaf, order: &[Leaf; 8]| order.iter().position(|&other| other == leaf);
        let broken = |by: &[Leaf; 8]| {
            OrderType::of_values(&Leaf::ALL.map(|leaf| (x[leaf as usize], place(leaf, by))))
        };
        let (one, other) = (broken(&first), broken(&second));
        // Any draw value that is not a leaf value leaves the same number of leaves below and the same masses.
        for twice_draw_value in [-7, -5, -3, -1, 1, 3, 5, 7] {
            let below = x.iter().filter(|&&value| 2 * value < twice_draw_value).count();
            prop_assert_eq!(Analysis::masses(&one, below), Analysis::masses(&other, below));
            let won = Leaf::ALL.into_iter().filter(|&leaf| 2 * x[leaf as usize] > twice_draw_value);
            prop_assert_eq!(Analysis::masses(&one, below), Outcomes::table().masses(Leaves::from_iter(won)));
        }
        // And a critical tree lies in a possible type.
        if is_critical(&x) {
            prop_assert!(analysis().possibility(&one).is_possible() && analysis().possibility(&other).is_possible());
        }
    }

    #[test]
    fn rebalancing_raises_the_product_value(q in prop::array::uniform4(0i64..1000)) {
        // The lemma behind the proofs, for losing probabilities in thousandths.
        let mut q = q;
        q.sort_unstable();
        let value = |a: usize, b: usize, c: usize, d: usize| (1_000_000 - q[a] * q[b]) * (1_000_000 - q[c] * q[d]);
        prop_assert!(value(0, 1, 2, 3) <= value(0, 2, 1, 3));
        prop_assert!(value(0, 2, 1, 3) <= value(0, 3, 1, 2));
    }
}
