//! The classes of a level and how a level is built: every multiset of children once.
//!
//! A class of an inner level is a multiset of b classes of the level below, written as an ascending tuple. The tuples
//! that share their first child are a *row*; rows are built independently of each other and put together in order, so
//! that classes are ordered lexicographically. Within a row the tuples are found depth first: the product of the
//! children's vectors is carried along, and a branch ends where they have no node value in common.

use prodmax_rules::HeuristicValue;

use crate::reach::{Common, Vectors};

/// Tuples of classes of the level below, all of the same length, end to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Children {
    branching: usize,
    flat: Vec<u32>,
}

impl Children {
    pub(crate) fn new(branching: usize) -> Self {
        Self { branching, flat: Vec::new() }
    }

    #[inline]
    pub(crate) fn push(&mut self, first: &[u32], last: u32) {
        match first {
            &[first] => self.flat.extend([first, last]),
            _ => {
                self.flat.extend_from_slice(first);
                self.flat.push(last);
            }
        }
    }

    pub(crate) fn concat(branching: usize, parts: &[Self]) -> Self {
        let parts: Vec<&[u32]> = parts.iter().map(Self::flat).collect();
        Self { branching, flat: parts.concat() }
    }

    /// The number of children of each class.
    pub fn branching(&self) -> usize {
        self.branching
    }

    /// The children of one class, ascending.
    pub fn get(&self, class: usize) -> &[u32] {
        &self.flat[class * self.branching..][..self.branching]
    }

    /// The children of all classes in order.
    pub fn iter(&self) -> std::slice::ChunksExact<'_, u32> {
        self.flat.chunks_exact(self.branching)
    }

    /// The children of all classes end to end.
    pub fn flat(&self) -> &[u32] {
        &self.flat
    }
}

/// What the classes of a level are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nodes {
    /// The leaf level: class i is the i-th value, ascending.
    Leaves(Vec<HeuristicValue>),
    /// An inner level: class i is the i-th multiset of classes of the level below; ordered lexicographically.
    Inner(Children),
}

#[allow(clippy::len_without_is_empty, reason = "every level of a model has a class")]
impl Nodes {
    /// The number of classes.
    pub fn len(&self) -> usize {
        match self {
            Self::Leaves(values) => values.len(),
            Self::Inner(children) => children.flat.len() / children.branching,
        }
    }

    /// The children of all classes end to end, and how many children each class has; a leaf is listed as itself.
    pub fn names(&self) -> (usize, std::borrow::Cow<'_, [u32]>) {
        match self {
            Self::Leaves(values) => (1, (0..values.len() as u32).collect()),
            Self::Inner(children) => (children.branching, (&children.flat).into()),
        }
    }
}

/// The value of a node from those of its children, without a heap allocation in binary trees.
#[inline]
pub(crate) fn node_value<P, V>(place: P, children: &[u32], below: &[V], node: impl Fn(P, &[&V]) -> V) -> V {
    match children {
        &[b, c] => node(place, &[&below[b as usize], &below[c as usize]]),
        _ => node(place, &children.iter().map(|&child| &below[child as usize]).collect::<Vec<_>>()),
    }
}

/// A multiplicity does not fit into 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overflow;

/// One class of a row as it is found.
pub(crate) struct Found<'a> {
    /// All children except the last.
    pub(crate) first: &'a [u32],
    /// The last child.
    pub(crate) last: u32,
    /// The number of different orders of the children.
    pub(crate) orders: u128,
    /// The node values at which the class occurs, each with the number of ways to reach all children but the last,
    /// and to reach the last.
    pub(crate) common: Common<'a>,
}

impl Found<'_> {
    /// The multiplicities of the class per node value.
    #[inline]
    pub(crate) fn multiplicities(&self) -> impl Iterator<Item = Option<u128>> {
        self.common.iter().map(|(b, c)| b.checked_mul(c)?.checked_mul(self.orders))
    }
}

/// Visits every class whose least child is `first`, in order. `reach` are the vectors of the level below.
pub(crate) fn visit_row<E: From<Overflow>>(
    reach: &Vectors,
    branching: usize,
    first: usize,
    visit: &mut impl FnMut(&Found<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let (start, ways) = reach.get(first);
    if branching == 1 {
        // A single child: there is nothing to multiply.
        let ones = vec![1; ways.len()];
        let common = Common { start, ways: [&ones, ways] };
        return visit(&Found { first: &[], last: first as u32, orders: 1, common });
    }
    let mut row = Row { reach, branching, children: vec![first as u32], products: Vec::new() };
    row.products.resize(branching - 2, Vec::new());
    row.descend((start, ways), 0, 1, 1, visit)
}

struct Row<'a> {
    reach: &'a Vectors,
    branching: usize,
    /// The children chosen so far.
    children: Vec<u32>,
    /// Buffers for the products of two children, of three and so on.
    products: Vec<Vec<u128>>,
}

impl Row<'_> {
    /// Visits the classes that begin with the children chosen so far, which have `orders` different orders and of
    /// which the last `run` are equal. `so_far` is the product of their vectors.
    fn descend<E: From<Overflow>>(
        &mut self,
        so_far: (i32, &[u128]),
        depth: usize,
        orders: u128,
        run: u128,
        visit: &mut impl FnMut(&Found<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let chosen = self.children.len();
        let least = self.children[chosen - 1];
        for next in least..self.reach.len() as u32 {
            let Some(common) = Common::of(so_far, self.reach.get(next as usize)) else { continue };
            // The k-th child can go into k places; places next to equal children give the same order.
            let (mut orders, mut equals) = (orders.checked_mul(chosen as u128 + 1).ok_or(Overflow)?, 1);
            if next == least {
                equals = run + 1;
                orders /= equals;
            }
            if chosen + 1 == self.branching {
                visit(&Found { first: &self.children, last: next, orders, common })?;
                continue;
            }
            let mut product = std::mem::take(&mut self.products[depth]);
            product.clear();
            for (b, c) in common.iter() {
                product.push(b.checked_mul(c).ok_or(Overflow)?);
            }
            self.children.push(next);
            self.descend((common.start, &product), depth + 1, orders, equals, visit)?;
            self.children.pop();
            self.products[depth] = product;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ascending triples of three classes whose vectors are 1, 2 and 3 at one node value: products and orders by
    /// hand.
    #[test]
    fn multisets_come_with_their_orders_and_products() {
        let mut reach = Vectors::default();
        (1..=3).for_each(|ways| reach.push(0, [ways]));
        let mut found = Vec::new();
        for first in 0..3 {
            let mut visit = |class: &Found<'_>| {
                let ways: Vec<_> = class.multiplicities().collect();
                found.push(([class.first, &[class.last]].concat(), class.orders, ways));
                Ok::<(), Overflow>(())
            };
            visit_row(&reach, 3, first, &mut visit).unwrap();
        }
        let expected = [
            (vec![0, 0, 0], 1, 1),
            (vec![0, 0, 1], 3, 2),
            (vec![0, 0, 2], 3, 3),
            (vec![0, 1, 1], 3, 4),
            (vec![0, 1, 2], 6, 6),
            (vec![0, 2, 2], 3, 9),
            (vec![1, 1, 1], 1, 8),
            (vec![1, 1, 2], 3, 12),
            (vec![1, 2, 2], 3, 18),
            (vec![2, 2, 2], 1, 27),
        ];
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(children, orders, ways)| (children, orders, vec![Some(orders * ways)]))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn classes_keep_their_children_apart() {
        let mut children = Children::new(3);
        children.push(&[0, 1], 2);
        children.push(&[1, 1], 1);
        assert_eq!((children.branching(), children.get(1)), (3, &[1, 1, 1][..]));
        assert_eq!(children.iter().collect::<Vec<_>>(), [[0, 1, 2], [1, 1, 1]]);
        let mut pairs = Children::new(2);
        pairs.push(&[4], 5);
        assert_eq!((pairs.branching(), pairs.flat()), (2, &[4, 5][..]));
    }

    #[test]
    fn a_product_beyond_128_bits_is_noticed() {
        let mut reach = Vectors::default();
        reach.push(0, [1 << 100]);
        let visit = |branching| visit_row(&reach, branching, 0, &mut |_| Ok::<(), Overflow>(()));
        assert_eq!([visit(1), visit(2), visit(3)], [Ok(()), Ok(()), Err(Overflow)]);
    }
}
