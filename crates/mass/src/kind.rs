//! The kinds of numbers that a measurement can have.

use std::fmt;

use prodmax_enumerate::Model;
use prodmax_law::{Laws, Options};
use prodmax_number::{Approximate, Certain, Enclosure, Figure, Fraction};
use prodmax_rules::{Curve, Curves};

use crate::arithmetic::{self, Field};
use crate::deep;
use crate::forest::Forest;
use crate::measure::{Measure, MeasureError, Measurement, Number};
use crate::ranking::Ranking;

/// Binary places of certified figures: their widths are some 10^-40 of the figures.
pub(crate) const CERTIFIED_BITS: u32 = 160;

/// A kind of numbers: how masses are summed, and what is known of the result. An enum would have values of other kinds
/// that no caller asked for; so it is a type, and a program that learns the kind when it runs names it once (see
/// [`Number`]).
pub trait NumberKind: Copy + Send + Sync + 'static {
    /// Its name.
    const NUMBER: Number;
    /// A number of a measurement.
    type Number: Clone + fmt::Debug + PartialEq + Send + Sync + Into<Figure>;
    /// The same in the arithmetic of the classes.
    type Sum: Clone + Send + Sync;
    /// The arithmetic of the classes.
    type Field<'c>: Field<Number = Self::Sum>;

    /// The arithmetic on a truth; an error if it has none in numbers of this kind.
    fn field(curves: &Curves) -> Result<Self::Field<'_>, MeasureError>;
    /// A number of the classes.
    fn of(sum: Self::Sum) -> Self::Number;
    /// A double within a proved bound, which a sweep block by block gives; `None` if it is no number of this kind.
    fn enclosing(double: f64, bound: f64) -> Option<Self::Sum>;
    /// A number of a sweep with its bound.
    fn within(sum: Self::Sum, bound: f64) -> Self::Number;
    /// The law of values.
    fn law(model: &Model, curves: &Curves, options: &Options<'_>)
    -> Result<Laws<Self::Number>, MeasureError>;
    /// Sums over all classes, in the order of each rule and, for the quality, of the ideal one. Every kind has this function itself, so
    /// that it is compiled, and optimised, with this crate and not with those that ask for it.
    fn sums(
        measure: &Measure<'_, Self>,
        forest: &Forest,
        rankings: &[Ranking],
        ideal: Option<&Ranking>,
    ) -> Result<Measurement<Self::Number>, MeasureError>;
}

/// Doubles. Of those that the classes give nothing is stated, the masses of a sweep have a proved bound, and those of a law
/// an estimated margin.
#[derive(Clone, Copy, Debug)]
pub struct Doubles;

/// Numbers that are certain to lie in an interval.
#[derive(Clone, Copy, Debug)]
pub struct Certified;

/// Fractions, for a rational truth.
#[derive(Clone, Copy, Debug)]
pub struct Exact;

impl NumberKind for Doubles {
    const NUMBER: Number = Number::F64;
    type Number = Approximate;
    type Sum = f64;
    type Field<'c> = arithmetic::Float<'c>;

    fn field(curves: &Curves) -> Result<Self::Field<'_>, MeasureError> {
        Ok(arithmetic::Float(&curves.truth))
    }
    fn of(sum: f64) -> Approximate {
        Approximate::unstated(sum)
    }
    fn enclosing(double: f64, _: f64) -> Option<f64> {
        Some(double)
    }
    fn within(sum: f64, bound: f64) -> Approximate {
        Approximate::within(sum, bound)
    }
    fn law(model: &Model, curves: &Curves, options: &Options<'_>) -> Result<Laws<Approximate>, MeasureError> {
        Ok(prodmax_law::estimate(model, curves, options)?)
    }
    fn sums(
        measure: &Measure<'_, Self>,
        forest: &Forest,
        rankings: &[Ranking],
        ideal: Option<&Ranking>,
    ) -> Result<Measurement<Approximate>, MeasureError> {
        measure.of_rankings(forest, rankings, ideal)
    }
}

impl NumberKind for Certified {
    const NUMBER: Number = Number::Certified;
    type Number = Certain;
    type Sum = Enclosure;
    type Field<'c> = arithmetic::Certified<'c>;

    fn field(curves: &Curves) -> Result<Self::Field<'_>, MeasureError> {
        Ok(arithmetic::Certified { curve: &curves.truth, bits: CERTIFIED_BITS })
    }
    fn of(sum: Enclosure) -> Certain {
        Certain::Enclosed(sum)
    }
    fn enclosing(double: f64, bound: f64) -> Option<Enclosure> {
        Some(deep::within(bound, double, CERTIFIED_BITS))
    }
    fn within(sum: Enclosure, _: f64) -> Certain {
        Certain::Enclosed(sum)
    }
    fn law(model: &Model, curves: &Curves, options: &Options<'_>) -> Result<Laws<Certain>, MeasureError> {
        Ok(prodmax_law::bounds(model, curves, options)?.map(Certain::Between))
    }
    fn sums(
        measure: &Measure<'_, Self>,
        forest: &Forest,
        rankings: &[Ranking],
        ideal: Option<&Ranking>,
    ) -> Result<Measurement<Certain>, MeasureError> {
        measure.of_rankings(forest, rankings, ideal)
    }
}

impl NumberKind for Exact {
    const NUMBER: Number = Number::Exact;
    type Number = Fraction;
    type Sum = Fraction;
    type Field<'c> = arithmetic::Exact;

    fn field(curves: &Curves) -> Result<Self::Field<'_>, MeasureError> {
        match curves.truth.curve() {
            Curve::Uniform(error) => Ok(arithmetic::Exact { error: error.clone() }),
            irrational => Err(MeasureError::Irrational(irrational.clone())),
        }
    }
    fn of(sum: Fraction) -> Fraction {
        sum
    }
    fn enclosing(_: f64, _: f64) -> Option<Fraction> {
        None
    }
    fn within(sum: Fraction, _: f64) -> Fraction {
        sum
    }
    fn law(_: &Model, _: &Curves, _: &Options<'_>) -> Result<Laws<Fraction>, MeasureError> {
        Err(MeasureError::LawExact)
    }
    fn sums(
        measure: &Measure<'_, Self>,
        forest: &Forest,
        rankings: &[Ranking],
        ideal: Option<&Ranking>,
    ) -> Result<Measurement<Fraction>, MeasureError> {
        measure.of_rankings(forest, rankings, ideal)
    }
}
