//! How both rules back up the leaves, and the events whose probabilities are wanted.

use std::fmt::Write;

use prodmax_enumerate::{Model, Mover};

use crate::process::last_step;
use crate::rules::Written;
use crate::ties::Tie;
use crate::{BRANCHES, leaves};

/// The value of each move of the root by both rules, and their choices. `zeros` says whether leaves can be 0.
pub(crate) fn formulas(model: &Model, rules: &[Written; 2], ties: &[Option<Tie>; 2], zeros: bool) -> String {
    let mut text = String::new();
    for rule in rules {
        let _ = writeln!(text, "// {}", rule.comment());
        for branch in 0..BRANCHES.len() {
            let names: Vec<String> = (0..leaves(model)).map(|index| rule.leaf(branch, index)).collect();
            let node = |mover, left: &str, right: &str| rule.node(mover, left, right, zeros);
            let _ = writeln!(text, "formula {} = {};", rule.value(branch), back_up(&names, 1, &node));
        }
        text.push('\n');
    }
    text.push_str("// The rules choose different moves; a tie is not a choice.\n");
    for [a, b] in [[0, 1], [1, 0]] {
        let prefers = |rule: usize, move_: usize| {
            let other = rules[rule].value(1 - move_);
            let tie = ties[rule].as_ref().map_or(String::new(), |tie| format!(" + {}", tie.name));
            format!("{} > {other}{tie}", rules[rule].value(move_))
        };
        let _ =
            writeln!(text, "formula {} = {} & {};", disagree(rules, [a, b]), prefers(0, a), prefers(1, b));
    }
    text.push('\n');
    text
}

/// The name of the event that the first rule chooses one move and the second the other.
fn disagree(rules: &[Written; 2], [first, second]: [usize; 2]) -> String {
    format!("{}_{}", rules[0].value(first), rules[1].value(second))
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
pub(crate) fn labels(model: &Model, rules: &[Written; 2]) -> String {
    let done = format!("step={}", last_step(model));
    let [first, second] = rules.each_ref().map(Written::identifier);
    let [a_b, b_a] = [[0, 1], [1, 0]].map(|moves| disagree(rules, moves));
    format!(
        "label \"critical\" = {done} & ({a_b} | {b_a});\n\
         label \"{first}_errs\" = {done} & (({a_b} & !won1 & won) | ({b_a} & won1 & !won));\n\
         label \"{second}_errs\" = {done} & (({a_b} & won1 & !won) | ({b_a} & !won1 & won));\n"
    )
}
