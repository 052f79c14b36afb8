//! Product propagation (KHS Definition 2): values are probabilities of winning, and children are independent.
//!
//! A MIN node is won if all its children are won; a MAX node is lost if all its children are lost:
//!
//! ```
//! use prodmax_rules::numbers::Doubles;
//! use prodmax_rules::{Backup, BackupRule, Mover, Place};
//! # use prodmax_rules::product::Product;
//! let rule = Product.prepare(Doubles, 2);
//! let value = |mover, children: &[f64]| rule.node(Place { mover, height: 1 }, children);
//! assert_eq!(value(Mover::Min, &[0.5, 0.25]), 0.125);
//! assert_eq!(value(Mover::Max, &[0.5, 0.25]), 0.625);
//! // Certain outcomes are backed up as by minimaxing.
//! assert_eq!(value(Mover::Max, &[1.0, 0.25]), 1.0);
//! assert_eq!(value(Mover::Min, &[0.0, 0.25]), 0.0);
//! // The value of a single child is unchanged at MIN nodes and, up to rounding, at MAX nodes.
//! assert_eq!(value(Mover::Max, &[0.25]), 0.25);
//! ```

mod odds;

use std::borrow::Borrow;

pub use self::odds::ProductOfOdds;

use crate::numbers::Numbers;
use crate::place::{Mover, Place};
use crate::rule::{Backup, BackupRule, PairShape, ParameterError, none};

/// The product of the children at MIN nodes, of their complements at MAX nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Product;

impl BackupRule for Product {
    const SYNTAX: &'static str = "product";
    const FORMULA: &'static str = "MAX: 1 - prod (1 - x_i); MIN: prod x_i";
    const SOURCE: &'static str = "KHS Definition 2";

    type In<N: Numbers> = ProductIn<N>;
    type Search = ProductOfOdds;

    fn read(parameters: &[&str]) -> Result<Self, ParameterError> {
        none(parameters, Self::SYNTAX).map(|()| Self)
    }

    fn prepare<N: Numbers>(&self, numbers: N, _: usize) -> ProductIn<N> {
        ProductIn(numbers)
    }

    fn pair_shape(&self) -> Option<PairShape> {
        Some(PairShape::Product)
    }
}

impl std::fmt::Display for Product {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(Self::SYNTAX)
    }
}

/// Product propagation in numbers of one kind.
#[derive(Clone, Copy, Debug)]
pub struct ProductIn<N>(pub(crate) N);

impl<N: Numbers> Backup<N> for ProductIn<N> {
    #[inline]
    fn node<C: Borrow<N::Number>>(&self, place: Place, children: &[C]) -> N::Number {
        let numbers = self.0;
        match place.mover {
            Mover::Min => {
                let (first, rest) = (children[0].borrow().clone(), &children[1..]);
                rest.iter().fold(first, |product, child| numbers.mul(&product, child.borrow()))
            }
            Mover::Max => {
                let (first, rest) = (numbers.complement(children[0].borrow()), &children[1..]);
                let lost = rest
                    .iter()
                    .fold(first, |product, child| numbers.mul(&product, &numbers.complement(child.borrow())));
                numbers.complement(&lost)
            }
        }
    }
}
