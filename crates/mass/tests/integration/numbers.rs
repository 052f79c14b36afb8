//! One set of checks for every kind of number that can be divided, on small whole numbers.

use std::cmp::Ordering;

use prodmax_mass::arithmetic::{Certified, Compare, ErrorPolynomial, Exact, Field, Float};
use prodmax_mass::{Curve, CurveTable, Mass, percentages};
use prodmax_number::Polynomial;
use prodmax_number::fraction::parse;

fn behaves<F: Field + Compare>(name: &str, field: &F) {
    let number = |value: u128| field.integer(value);
    let same = |a: &F::Number, b: &F::Number| field.compare(a, b) == Some(Ordering::Equal);
    assert!(same(&number(7), &number(7)), "{name}");
    assert_eq!(field.compare(&number(2), &number(3)), Some(Ordering::Less), "{name}");
    assert_eq!(field.compare(&number(3), &number(2)), Some(Ordering::Greater), "{name}");
    assert!(same(&field.sub(&number(7), &number(3)), &number(4)), "{name}: 7 - 3");
    assert!(same(&field.div(&number(12), &number(4)).unwrap(), &number(3)), "{name}: 12 / 4");
    assert!(field.div(&number(1), &number(0)).is_none(), "{name}: 1 / 0");
    assert!(same(&field.scale(5, &number(3)), &number(15)), "{name}: 5 · 3");
    assert!(same(&field.complement(&number(1)), &number(0)), "{name}: 1 - 1");
    let mut sum = field.zero();
    assert!(same(&field.total(&sum), &number(0)), "{name}: the empty sum");
    field.add(&mut sum, &number(2));
    let mut other = field.zero();
    field.add(&mut other, &number(3));
    field.merge(&mut sum, &other);
    assert!(same(&field.total(&sum), &number(5)), "{name}: 2 + 3");

    // Out of 16 errors Minimax makes 12 and Product 4, in 20 critical trees.
    let figures =
        percentages(field, &Mass { first_error: number(12), second_error: number(4) }, &20u32.into())
            .unwrap();
    assert!(same(&field.scale(4, &figures.share_first.unwrap()), &number(3)), "{name}: 12 / 16");
    let minus = |value: u128| field.sub(&number(0), &number(value));
    assert!(same(&figures.difference_percent.unwrap(), &minus(50)), "{name}: -8 / 16");
    assert!(same(&figures.per_case_percent.unwrap(), &minus(40)), "{name}: -8 / 20");
    let nothing =
        percentages(field, &Mass { first_error: number(0), second_error: number(0) }, &0u32.into()).unwrap();
    assert!(nothing.share_first.is_none() && nothing.per_case_percent.is_none(), "{name}");
}

#[test]
fn every_kind_of_number_behaves() {
    let curve = CurveTable::new(Curve::arctan(4), 42);
    behaves("doubles", &Float(&curve));
    behaves("enclosures", &Certified { curve: &curve, bits: 96 });
    behaves("fractions", &Exact { error: parse("1/5").unwrap() });
}

#[test]
fn enclosures_that_overlap_are_not_compared() {
    let curve = CurveTable::new(Curve::arctan(4), 42);
    let field = Certified { curve: &curve, bits: 96 };
    let third = field.div(&field.integer(1), &field.integer(3)).unwrap();
    assert_eq!(field.compare(&third, &third), None, "either could be anywhere within");
}

#[test]
fn polynomials_with_halves_are_added() {
    // (1 + p) / 2 + (1 - p) / 4 = (3 + p) / 4, and their difference is (1 + 3p) / 4.
    let [a, b] = [(Polynomial::new([1, 1]), 1), (Polynomial::new([1, -1]), 2)]
        .map(|(numerator, halvings)| ErrorPolynomial::new(numerator, halvings));
    assert_eq!(a.add(&b), ErrorPolynomial::new(Polynomial::new([3, 1]), 2));
    assert_eq!(a.sub(&b), ErrorPolynomial::new(Polynomial::new([1, 3]), 2));
    assert_eq!(a.add(&a), ErrorPolynomial::new(Polynomial::new([1, 1]), 0));
}
