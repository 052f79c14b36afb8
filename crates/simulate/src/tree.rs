//! A stored tree in flat arrays.
//!
//! Node j of level l (0 <= j < 2^l) is element 2^l + j of every array. Its first child is node j of level l + 1,
//! its second child node 2^l + j: the first children of a whole level are contiguous, and so are the second
//! ones, in the order of their parents. So a pass over a level runs over three parallel slices, without shuffling.

/// What is stored for every node.
#[derive(Clone, Debug)]
pub struct StoredTree {
    depth: usize,
    /// The place of the heuristic value on the scale.
    pub places: Vec<u16>,
    /// 1 for WIN (of MAX), 0 for LOSS.
    pub truth: Vec<u8>,
}

impl StoredTree {
    /// An empty tree of this depth.
    pub fn new(depth: usize) -> Self {
        Self { depth, places: vec![0; array_len(depth)], truth: vec![0; array_len(depth)] }
    }

    /// d_g.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The size of the arrays.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.places[..]) + self.truth.len()
    }
}

/// The length of an array over the nodes of levels 0..=depth (element 0 is not used).
pub fn array_len(depth: usize) -> usize {
    2usize << depth
}

/// The nodes of a level, writable, and their first and second children.
pub fn family<T>(array: &mut [T], level: usize) -> (&mut [T], &[T], &[T]) {
    let nodes = 1usize << level;
    let (upper, lower) = array.split_at_mut(2 * nodes);
    (&mut upper[nodes..], &lower[..nodes], &lower[nodes..2 * nodes])
}

/// The nodes of a level.
pub fn level<T>(array: &[T], level: usize) -> &[T] {
    let nodes = 1usize << level;
    &array[nodes..2 * nodes]
}

/// The first and second children of the nodes of a level.
pub fn children<T>(array: &[T], parents: usize) -> (&[T], &[T]) {
    level(array, parents + 1).split_at(1 << parents)
}

/// The elements of the first and second child of a node, for walking a tree one node at a time.
pub fn child_elements(element: usize) -> [usize; 2] {
    let nodes = 1usize << element.ilog2();
    [element + nodes, element + 2 * nodes]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_below_the_root_has_exactly_one_parent() {
        let mut parents = vec![0; array_len(4)];
        for element in 1..array_len(3) {
            for child in child_elements(element) {
                parents[child] += 1;
                assert_eq!(child.ilog2(), element.ilog2() + 1);
            }
        }
        assert_eq!(parents[..2], [0, 0]);
        assert!(parents[2..].iter().all(|&count| count == 1), "{parents:?}");
    }

    #[test]
    fn slices_and_single_nodes_agree() {
        let mut array: Vec<usize> = (0..array_len(4)).collect();
        let copy = array.clone();
        for level_number in 0..4 {
            let (nodes, first, second) = family(&mut array, level_number);
            assert_eq!(nodes, level(&copy, level_number));
            assert_eq!((first, second), children(&copy, level_number));
            for (j, &node) in nodes.iter().enumerate() {
                assert_eq!(child_elements(node), [first[j], second[j]]);
            }
        }
    }
}
