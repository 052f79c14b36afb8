//! What both rules make of the leaves, and the events that are asked for.

use std::fmt::Write;

use prodmax_enumerate::{Model, Mover};

use crate::process::last_step;
use crate::{BRANCHES, leaf, leaves};

/// The value of each move of the root by both rules, and their choices.
pub(crate) fn formulas(model: &Model) -> String {
    let mut text = String::from("// Minimax backs up by min and max.\n");
    for (branch, name) in BRANCHES.iter().enumerate() {
        let names: Vec<String> = (0..leaves(model)).map(|index| leaf(branch, index)).collect();
        let _ = writeln!(text, "formula minimax_{name} = {};", minimax(&names, 1));
    }
    text.push_str(
        "\n// Product backs up by products, of the probabilities to win or, at a MAX node, to lose.\n",
    );
    for (branch, name) in BRANCHES.iter().enumerate() {
        let names: Vec<String> =
            (0..leaves(model)).map(|index| format!("estimate_{}", leaf(branch, index))).collect();
        let _ = writeln!(text, "formula product_{name} = {};", product(&names, 1));
    }
    text.push_str(
        "\n// The rules choose different moves; a tie is not a choice.\n\
         formula minimax_a_product_b = minimax_a > minimax_b & product_b > product_a + tie;\n\
         formula minimax_b_product_a = minimax_b > minimax_a & product_a > product_b + tie;\n\n",
    );
    text
}

fn minimax(leaves: &[String], level: usize) -> String {
    back_up(leaves, level, &|mover, left, right| match mover {
        Mover::Max => format!("max({left}, {right})"),
        Mover::Min => format!("min({left}, {right})"),
    })
}

fn product(leaves: &[String], level: usize) -> String {
    back_up(leaves, level, &|mover, left, right| match mover {
        Mover::Max => format!("(1 - (1 - {left}) * (1 - {right}))"),
        Mover::Min => format!("({left} * {right})"),
    })
}

fn back_up(leaves: &[String], level: usize, node: &dyn Fn(Mover, &str, &str) -> String) -> String {
    match leaves {
        [leaf] => leaf.clone(),
        _ => {
            let (left, right) = leaves.split_at(leaves.len() / 2);
            node(Mover::at(level), &back_up(left, level + 1, node), &back_up(right, level + 1, node))
        }
    }
}

/// The events. `won1` is the truth of the first move, `won` that of the second.
pub(crate) fn labels(model: &Model) -> String {
    let done = format!("step={}", last_step(model));
    format!(
        "label \"critical\" = {done} & (minimax_a_product_b | minimax_b_product_a);\n\
         label \"minimax_errs\" = {done} & ((minimax_a_product_b & !won1 & won) | \
         (minimax_b_product_a & won1 & !won));\n\
         label \"product_errs\" = {done} & ((minimax_a_product_b & won1 & !won) | \
         (minimax_b_product_a & !won1 & won));\n"
    )
}
