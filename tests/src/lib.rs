//! Models whose figures are known, shared by the behaviour tests. Every crate that computes something about a model
//! is tested with the same list.

use prodmax_enumerate::{Model, ModelError, ZeroMode};

/// A model and its known figures.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The value of the root.
    pub root: i64,
    /// The greatest increment per level.
    pub increments: &'static [i64],
    /// Whether 0 is on the line.
    pub zero: ZeroMode,
    /// Ordered trees.
    pub trees: u128,
    /// Classes from level 1 down to the leaves.
    pub classes: &'static [u64],
    /// Where the figures come from.
    pub source: &'static str,
}

impl Known {
    /// The model, on the line of the papers (h_max = 42).
    pub fn model(&self) -> Result<Model, ModelError> {
        Model::new(self.root, self.increments, self.zero, 42)
    }
}

// The number of trees of every model is the product of (a + 1)^(number of edges) over its levels.
const BY_HAND: &str = "classes counted by hand";
const GIVEN: &str = "classes given as a requirement before the program was written";
const PARTLY_GIVEN: &str =
    "depth-1 classes given as a requirement; the levels below as this program counts them";
const STORED_GIVEN: &str =
    "levels 2 to 4 given as a requirement; depth-1 classes as this program counts them";

/// Models with known counts, the small ones first.
pub const KNOWN: &[Known] = &[
    Known { root: 1, increments: &[0], zero: ZeroMode::Skip, trees: 1, classes: &[1], source: BY_HAND },
    Known { root: -1, increments: &[8], zero: ZeroMode::Skip, trees: 81, classes: &[9], source: BY_HAND },
    // The leaf values are -2, -1 and +1; of their 6 pairs only {-2, +1} cannot have a common parent.
    Known {
        root: -1,
        increments: &[1, 1],
        zero: ZeroMode::Skip,
        trees: 64,
        classes: &[5, 3],
        source: BY_HAND,
    },
    Known {
        root: 0,
        increments: &[8, 8],
        zero: ZeroMode::Allow,
        trees: 531_441,
        classes: &[117, 17],
        source: GIVEN,
    },
    Known {
        root: -1,
        increments: &[3, 3, 3],
        zero: ZeroMode::Skip,
        trees: 268_435_456,
        classes: &[499, 34, 10],
        source: PARTLY_GIVEN,
    },
    Known {
        root: -1,
        increments: &[8, 8, 8],
        zero: ZeroMode::Allow,
        trees: 22_876_792_454_961,
        classes: &[15_039, 189, 25],
        source: GIVEN,
    },
    Known {
        root: 1,
        increments: &[8, 8, 8, 8],
        zero: ZeroMode::Skip,
        trees: 42_391_158_275_216_203_514_294_433_201,
        classes: &[231_317_496, 23_175, 261, 33],
        source: STORED_GIVEN,
    },
];
