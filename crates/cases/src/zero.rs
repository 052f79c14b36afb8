//! Leaves that lie exactly on the draw value: the convention that makes the interval formulas cover them.
//!
//! With the value 0 allowed, a leaf may be neither above nor below the draw value, and to evaluate it as WIN or as
//! LOSS would be arbitrary. Such a tree is split into equally weighted copies in which every leaf of value 0 lies
//! infinitesimally above or infinitesimally below the draw value, independently of the others. Under a uniform error
//! p a leaf above is truly won with probability 1 - p and a leaf below with probability p, so a leaf of value 0 is
//! won with probability (1-p)/2 + p/2 = 1/2: a coin toss, whatever p is. An error mass is a product of factors of
//! independent leaves, so the mean over the copies is the mass of the tree itself.
//!
//! To keep integers, weights are counted in units of 1/2^leaves: a tree without zeros is one copy of weight
//! 2^leaves, each zero halves the weight and doubles the copies.

/// The copies of a tree: for each, the set of leaves above the draw value (bit i for leaf i) and its weight in
/// units of 1/2^`LEAVES`. Ascending by the set. At most 8 leaves.
///
/// ```
/// use prodmax_cases::zero::copies;
/// assert_eq!(copies(&[3, -1]).collect::<Vec<_>>(), [(0b01, 4)]);
/// assert_eq!(copies(&[0, 5]).collect::<Vec<_>>(), [(0b10, 2), (0b11, 2)]);
/// ```
pub fn copies<const LEAVES: usize>(values: &[i64; LEAVES]) -> impl Iterator<Item = (u8, u32)> + use<LEAVES> {
    const { assert!(LEAVES <= 8, "a set of leaves is one byte") };
    let mask = |wanted: fn(i64) -> bool| {
        values.iter().enumerate().fold(0u8, |mask, (leaf, &value)| mask | u8::from(wanted(value)) << leaf)
    };
    let (above, zero) = (mask(|v| v > 0), mask(|v| v == 0));
    let weight = 1u32 << (LEAVES as u32 - zero.count_ones());
    subsets(zero).map(move |raised| (above | raised, weight))
}

/// The subsets of a set of bits, ascending.
fn subsets(set: u8) -> impl Iterator<Item = u8> {
    std::iter::successors(Some(0u8), move |&subset| (subset != set).then(|| subset.wrapping_sub(set) & set))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_those_found_by_trying_every_byte() {
        for set in 0..=255u8 {
            let naive: Vec<u8> = (0..=255).filter(|byte| byte & !set == 0).collect();
            assert_eq!(subsets(set).collect::<Vec<_>>(), naive, "{set:08b}");
        }
    }

    #[test]
    fn the_weights_of_the_copies_add_up_to_the_whole() {
        for values in [[1, 2, 3, 4], [0, 2, -3, 0], [0, 0, 0, 0], [-1, -1, 0, 1]] {
            assert_eq!(copies(&values).map(|(_, weight)| weight).sum::<u32>(), 16, "{values:?}");
        }
        assert_eq!(copies(&[0; 8]).count(), 256);
        assert_eq!(copies(&[0; 8]).map(|(_, weight)| weight).sum::<u32>(), 256);
    }
}
