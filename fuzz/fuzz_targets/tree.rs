//! The reader of trees: a text that is one has 2^depth leaves.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prodmax_enumerate::{Line, Zero};
use prodmax_trees::Tree;

fuzz_target!(|text: &str| {
    let Ok(line) = Line::new(42, Zero::Skip) else { return };
    if let Ok(tree) = Tree::parse(text, &line) {
        assert!(tree.leaves().len().is_power_of_two());
    }
});
