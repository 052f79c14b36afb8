//! The reader of trees: a text that is one has b^depth leaves.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prodmax_enumerate::{Line, ZeroMode};
use prodmax_trees::Tree;

fuzz_target!(|text: &str| {
    let Ok(line) = Line::new(42, ZeroMode::Skip) else { return };
    if let Ok(tree) = Tree::parse(text, &line) {
        let shape = tree.shape();
        assert_eq!(tree.leaves().len(), shape.branching.pow(shape.depth as u32));
    }
});
