//! How both rules back up the leaves, and the events whose probabilities are wanted.

use std::fmt::Write;

use prodmax_enumerate::{Model, Mover};

use crate::leaves;
use crate::process::{last_step, won};
use crate::rules::Written;
use crate::ties::Tie;

/// The value of each move of the root by both rules, and their choices. `zeros` says whether leaves can be 0.
pub(crate) fn formulas(model: &Model, rules: &[Written; 2], ties: &[Option<Tie>; 2], zeros: bool) -> String {
    let mut text = String::new();
    for rule in rules {
        let _ = writeln!(text, "// {}", rule.comment());
        for branch in 0..model.branching() {
            let names: Vec<String> = (0..leaves(model)).map(|index| rule.leaf(branch, index)).collect();
            let node = |mover, children: &[String]| rule.node(mover, children, zeros);
            let value = back_up(model, &names, 1, &node);
            let _ = writeln!(text, "formula {} = {value};", rule.value(branch));
        }
        text.push('\n');
    }
    text.push_str("// The rules choose different moves; a tie is not a choice.\n");
    for [a, b] in different_moves(model) {
        let prefers = |rule: usize, move_: usize| {
            let tie = ties[rule].as_ref().map_or(String::new(), |tie| format!(" + {}", tie.name));
            let to =
                |other: usize| format!("{} > {}{tie}", rules[rule].value(move_), rules[rule].value(other));
            let others = (0..model.branching()).filter(|&other| other != move_);
            others.map(to).collect::<Vec<_>>().join(" & ")
        };
        let _ =
            writeln!(text, "formula {} = {} & {};", disagree(rules, [a, b]), prefers(0, a), prefers(1, b));
    }
    text.push('\n');
    text
}

/// All pairs of two different moves of the root.
fn different_moves(model: &Model) -> impl Iterator<Item = [usize; 2]> {
    let moves = model.branching();
    (0..moves).flat_map(move |a| (0..moves).filter(move |&b| b != a).map(move |b| [a, b]))
}

/// The name of the event that the first rule chooses one move and the second the other.
fn disagree(rules: &[Written; 2], [first, second]: [usize; 2]) -> String {
    format!("{}_{}", rules[0].value(first), rules[1].value(second))
}

fn back_up(
    model: &Model,
    leaves: &[String],
    level: usize,
    node: &dyn Fn(Mover, &[String]) -> String,
) -> String {
    match leaves {
        [leaf] => leaf.clone(),
        _ => {
            let children = leaves.chunks(leaves.len() / model.branching());
            let children: Vec<String> =
                children.map(|child| back_up(model, child, level + 1, node)).collect();
            node(Mover::at(level), &children)
        }
    }
}

/// The events.
pub(crate) fn labels(model: &Model, rules: &[Written; 2]) -> String {
    let done = format!("step={}", last_step(model));
    let [first, second] = rules.each_ref().map(Written::identifier);
    let any = |event: &dyn Fn([usize; 2]) -> String| {
        different_moves(model).map(event).collect::<Vec<_>>().join(" | ")
    };
    let critical = any(&|moves| disagree(rules, moves));
    // Of two moves, in the order in which they are drawn, whether each is won.
    let event = |moves: [usize; 2], [first, second]: [bool; 2]| {
        let mut truths = [(moves[0], first), (moves[1], second)];
        truths.sort_unstable();
        let truths = truths
            .map(|(move_, is_won)| format!("{}{}", if is_won { "" } else { "!" }, won(model, 1, move_)));
        format!("({} & {})", disagree(rules, moves), truths.join(" & "))
    };
    let first_errs = any(&|moves| event(moves, [false, true]));
    let second_errs = any(&|moves| event(moves, [true, false]));
    format!(
        "label \"critical\" = {done} & ({critical});\n\
         label \"{first}_errs\" = {done} & ({first_errs});\n\
         label \"{second}_errs\" = {done} & ({second_errs});\n"
    )
}
