//! Baum's formula (2.6): the value of a node whose mover will get a hint on each child before choosing.
//!
//! Child i is won with probability x_i. Before the choice a later, imperfect evaluation says "won" or "lost"
//! of each child: it says "won" of a won child with probability P_W and "lost" of a lost one with P_L. The
//! mover then takes the child with the greatest posterior probability, P(i,1) after a "won" and P(i,0) after a "lost":
//!
//! P(i,1) = P_W x_i / u_i with u_i = P_W x_i + (1 - P_L)(1 - x_i), the probability of a "won", and
//! P(i,0) = (1 - P_W) x_i / z_i with z_i = 1 - u_i.
//!
//! With the children in descending order of P(i,1), the mover takes the first child whose hint is "won"; from some
//! child on even a "won" is worth less than P(i0,0), the best posterior after a "lost", so that
//!
//! V = Σ_{j<=c} x_j P_W Π_{i<j} z_i + P(i0,0) Π_{i<=c} z_i,
//!
//! where c is the least number with P(i0,0) >= P(c+1,1). Posteriors are compared by cross-multiplication, and the
//! denominator z_i0 of P(i0,0) is a factor of the product that follows it, so nothing is divided: V is a polynomial
//! on either side of every comparison, and where two posteriors are equal both sides give the same value.

use std::borrow::Borrow;
use std::cmp::Ordering;

use num_traits::One;
use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;
use smallvec::SmallVec;

use crate::numbers::{Numbers, Ordered};
use crate::place::Mover;

/// How reliable the hint on a child is.
#[derive(Clone, Debug)]
pub struct Hint<T> {
    /// P_W: "won" of a won child.
    won: T,
    /// 1 - P_W: "lost" of a won child.
    missed: T,
    /// P_L: "lost" of a lost child.
    lost: T,
    /// 1 - P_L: "won" of a lost child.
    false_alarm: T,
    /// The odds of the worst child that still counts if the best one has even odds; NaN if hints carry no information.
    least_odds: f64,
}

impl<T> Hint<T> {
    /// From P_W and P_L.
    pub fn new<N: Numbers<Number = T>>(numbers: N, won: &Fraction, lost: &Fraction) -> Self {
        let one = Fraction::one();
        Self {
            won: numbers.constant(won),
            missed: numbers.constant(&(&one - won)),
            lost: numbers.constant(lost),
            false_alarm: numbers.constant(&(&one - lost)),
            least_odds: to_f64(&(&one - won)) * to_f64(&(&one - lost)) / (to_f64(won) * to_f64(lost)),
        }
    }

    /// The x below which a child no longer counts next to one with `best`: even after a "won" it is worth no more than
    /// that one after a "lost". P(i,1) has the odds of x times P_W/(1 - P_L), and P(i0,0) those of `best` times
    /// (1 - P_W)/P_L.
    #[inline]
    pub(crate) fn negligible(&self, best: f64) -> Option<f64> {
        // Far more than the rounding errors of both comparisons, which add and multiply positive numbers only.
        const MARGIN: f64 = 1e-9;
        let odds = self.least_odds * best;
        let bound = odds / (odds + (1.0 - best)) * (1.0 - MARGIN);
        (!bound.is_nan()).then_some(bound)
    }
}

/// Formula (2.6) at a MAX node, or its mirror image at a MIN node, with the same hint on every child.
///
/// ```
/// use prodmax_rules::formula_2_6::{Hint, value};
/// use prodmax_rules::{Mover, numbers::Doubles};
/// let fraction = |p: i32, q: i32| prodmax_number::Fraction::new(p.into(), q.into());
/// let best = |mover, won, lost| value(Doubles, mover, &[0.5, 0.25], &Hint::new(Doubles, won, lost));
/// // Useless hints give the value of the greatest child, perfect ones the probability that any child is won.
/// let (half, one) = (fraction(1, 2), fraction(1, 1));
/// assert_eq!((best(Mover::Max, &half, &half), best(Mover::Max, &one, &one)), (0.5, 0.625));
/// assert_eq!((best(Mover::Min, &half, &half), best(Mover::Min, &one, &one)), (0.25, 0.125));
/// ```
pub fn value<N: Numbers, C: Borrow<N::Number>>(
    numbers: N,
    mover: Mover,
    children: &[C],
    hint: &Hint<N::Number>,
) -> N::Number {
    let own = |child: &C| match mover {
        Mover::Max => child.borrow().clone(),
        Mover::Min => numbers.complement(child.borrow()),
    };
    let best_of = |children: &mut [N::Number]| {
        // With one hint for all, both posteriors grow with x, so sorting by x sorts by both.
        numbers.sort_descending(children);
        of_sorted(numbers, children, hint)
    };
    let best = match children {
        // Room for more would be copied at every node of a binary tree.
        [first, second] => best_of(&mut [own(first), own(second)]),
        _ => best_of(&mut children.iter().map(own).collect::<SmallVec<[N::Number; 16]>>()),
    };
    match mover {
        Mover::Max => best,
        Mover::Min => numbers.complement(&best),
    }
}

fn of_sorted<N: Numbers>(numbers: N, descending: &[N::Number], hint: &Hint<N::Number>) -> N::Number {
    let (add, mul) =
        (|a: &N::Number, b: &N::Number| numbers.add(a, b), |a: &N::Number, b: &N::Number| numbers.mul(a, b));
    let said_lost = |x: &N::Number| add(&mul(x, &hint.missed), &mul(&numbers.complement(x), &hint.lost));
    let first = &descending[0];
    let first_said_lost = said_lost(first);
    // i0 is the first child, which is always among the first c: c = 0 would need a hint that says nothing, and then
    // c = 1 gives the same.
    let mut chosen = mul(first, &hint.won);
    let first_missed = mul(first, &hint.missed);
    let mut fallback = first_missed.clone();
    let mut all_said_lost = first_said_lost.clone();
    // The value if we stopped at a child where the comparison does not settle whether to stop.
    let mut undecided: Option<N::Number> = None;
    for x in &descending[1..] {
        let said_won = add(&mul(x, &hint.won), &mul(&numbers.complement(x), &hint.false_alarm));
        let next_won = mul(x, &hint.won);
        // P(i0,0) >= P(c+1,1), cross-multiplied.
        match numbers.compare(&mul(&first_missed, &said_won), &mul(&next_won, &first_said_lost)) {
            Some(Ordering::Less) => {}
            Some(Ordering::Equal | Ordering::Greater) => break,
            None => {
                let stopped = add(&chosen, &fallback);
                undecided = Some(match undecided {
                    None => stopped,
                    Some(other) => numbers.either(other, stopped),
                });
            }
        }
        let z = said_lost(x);
        chosen = add(&chosen, &mul(&next_won, &all_said_lost));
        all_said_lost = mul(&all_said_lost, &z);
        fallback = mul(&fallback, &z);
    }
    let value = add(&chosen, &fallback);
    match undecided {
        None => value,
        Some(other) => numbers.either(value, other),
    }
}

/// Formula (2.6) at a MAX node with a different hint on each child, as Baum's theory of searches to different depths
/// requires. The hints of each child must satisfy P_W + P_L >= 1.
pub fn value_with_hints<N: Ordered>(numbers: N, children: &[(N::Number, Hint<N::Number>)]) -> N::Number {
    struct Child<'a, T> {
        x: &'a T,
        /// x P_W and x (1 - P_W).
        won: T,
        missed: T,
        /// u and z, the denominators of the posteriors; 1 where they are 0, because the numerator is 0 too.
        said_won: T,
        said_lost: T,
        z: T,
    }
    let (add, mul) =
        (|a: &N::Number, b: &N::Number| numbers.add(a, b), |a: &N::Number, b: &N::Number| numbers.mul(a, b));
    let or_one = |value: N::Number| if numbers.is_zero(&value) { numbers.integer(1) } else { value };
    let mut descending: Vec<Child<'_, N::Number>> = children
        .iter()
        .map(|(x, hint)| {
            let y = numbers.complement(x);
            let (won, missed) = (mul(x, &hint.won), mul(x, &hint.missed));
            let z = add(&missed, &mul(&y, &hint.lost));
            let said_won = or_one(add(&won, &mul(&y, &hint.false_alarm)));
            Child { x, won, missed, said_won, said_lost: or_one(z.clone()), z }
        })
        .collect();
    // Compares a/b with c/d.
    let compare_quotients =
        |a: &N::Number, b: &N::Number, c: &N::Number, d: &N::Number| numbers.order(&mul(a, d), &mul(c, b));
    descending.sort_by(|a, b| compare_quotients(&b.won, &b.said_won, &a.won, &a.said_won));
    let mut best = 0;
    for (index, child) in descending.iter().enumerate() {
        let so_far = &descending[best];
        if compare_quotients(&child.missed, &child.said_lost, &so_far.missed, &so_far.said_lost).is_gt() {
            best = index;
        }
    }
    let i0 = &descending[best];
    let is_last = |next: &Child<'_, N::Number>| {
        compare_quotients(&i0.missed, &i0.said_lost, &next.won, &next.said_won).is_ge()
    };
    let c = descending.iter().position(is_last).unwrap_or(descending.len());
    let (mut chosen, mut all_said_lost) = (numbers.integer(0), numbers.integer(1));
    // P(i0,0) Π z: z_i0 cancels. Where i0 is not among the first c, its hint says nothing and P(i0,0) = x_i0.
    let mut fallback = if best < c { i0.missed.clone() } else { i0.x.clone() };
    for (index, child) in descending[..c].iter().enumerate() {
        chosen = add(&chosen, &mul(&child.won, &all_said_lost));
        all_said_lost = mul(&all_said_lost, &child.z);
        if index != best {
            fallback = mul(&fallback, &child.z);
        }
    }
    add(&chosen, &fallback)
}
