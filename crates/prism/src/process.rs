//! The random process: nodes are drawn one after another, from the left, each branch down to its leaves.

use std::fmt::Write;

use prodmax_enumerate::{Model, Mover, ZeroMode};

use crate::{leaf, leaves};

/// One step of the process. Nodes of a level are numbered from the left within the whole tree.
enum Step {
    /// Draw the value of a node from its parent's.
    Value { level: usize, index: usize },
    /// Draw whether a leaf is won.
    Truth { index: usize },
    /// Put two neighbouring children of a node, of `level`, in order: the one at this place and the next.
    Order { level: usize, index: usize, place: usize },
    /// Back up the truth of all children; put two in order if they are not leaves.
    Complete { level: usize, index: usize },
}

/// All steps in order.
fn steps(model: &Model) -> Vec<Step> {
    let mut steps = Vec::new();
    for branch in 0..model.branching() {
        subtree(model, 1, branch, &mut steps);
    }
    steps
}

fn subtree(model: &Model, level: usize, index: usize, steps: &mut Vec<Step>) {
    let (depth, moves) = (model.depth(), model.branching());
    steps.push(Step::Value { level, index });
    let children = moves * index..moves * (index + 1);
    // Neighbours exchanged until all are in order.
    let order = || {
        let places = (1..moves).rev().flat_map(|end| 0..end);
        places.map(|place| Step::Order { level, index, place })
    };
    match depth - level {
        0 => return steps.push(Step::Truth { index }),
        // Truths are drawn only after the node's own value is forgotten: fewer states than leaf by leaf.
        1 => {
            steps.extend(children.clone().map(|index| Step::Value { level: depth, index }));
            steps.extend(order());
            steps.extend(children.map(|index| Step::Truth { index }));
        }
        _ => {
            children.for_each(|child| subtree(model, level + 1, child, steps));
            // Two are put in order when they are completed.
            if moves > 2 {
                steps.extend(order());
            }
        }
    }
    steps.push(Step::Complete { level, index });
}

/// The value of `step` when the whole tree has been drawn.
pub(crate) fn last_step(model: &Model) -> usize {
    steps(model).len()
}

/// The module with all variables and commands.
pub(crate) fn module(model: &Model) -> String {
    let steps = steps(model);
    let mut text = String::from("module tree\n");
    variables(&mut text, model, steps.len());
    for (number, step) in steps.iter().enumerate() {
        match *step {
            Step::Value { level, index } => value(&mut text, model, number, level, index),
            Step::Truth { index } => truth(&mut text, model, number, index),
            Step::Order { level, index, place } => order(&mut text, model, number, [level, index, place]),
            Step::Complete { level, index } => complete(&mut text, model, number, level, index),
        }
    }
    let _ = writeln!(text, "\n  // The tree is complete.\n  [] step={} -> true;\nendmodule\n", steps.len());
    text
}

fn variables(text: &mut String, model: &Model, steps: usize) {
    let depth = model.depth();
    let _ = writeln!(text, "  step : [0..{steps}] init 0;");
    let ends = |level: usize| model.position_range(level).map(|position| model.value_at(position).get());
    text.push_str("  // The values of the nodes on the way to the leaf that is drawn next.\n");
    for level in 1..depth {
        let [low, high] = ends(level);
        let _ = writeln!(text, "  v{level} : [{low}..{high}] init {low};");
    }
    let below = if model.is_binary() { "the first and the second move" } else { "each move" };
    let _ = writeln!(text, "  // The values of the leaves below {below} of the root.");
    let [low, high] = ends(depth);
    for branch in 0..model.branching() {
        for index in 0..leaves(model) {
            let _ = writeln!(text, "  {} : [{low}..{high}] init {low};", leaf(branch, index));
        }
    }
    text.push_str(if model.is_binary() {
        "  // Whether the first of two siblings of a level is won for MAX; whether the second is, which is\n  \
         // backed up at once and so needs no level.\n"
    } else {
        "  // Whether each of the siblings of a level but the last is won for MAX; whether the last is, which is\n  \
         // backed up at once and so needs no level.\n"
    });
    for level in 1..=depth {
        for place in 0..model.branching() - 1 {
            let _ = writeln!(text, "  {} : bool init false;", won(model, level, place));
        }
    }
    text.push_str("  won : bool init false;\n");
}

/// The variable that holds the truth of a node.
pub(crate) fn won(model: &Model, level: usize, index: usize) -> String {
    match index % model.branching() {
        0 => format!("won{level}"),
        place if place + 1 < model.branching() => format!("won{level}_{}", place + 1),
        _ => "won".to_owned(),
    }
}

/// The variable of a leaf, by its number in the whole tree.
fn leaf_of(model: &Model, index: usize) -> String {
    leaf(index / leaves(model), index % leaves(model))
}

fn value(text: &mut String, model: &Model, step: usize, level: usize, index: usize) {
    let parent = if level == 1 { "root".to_owned() } else { format!("v{}", level - 1) };
    let variable = if level == model.depth() { leaf_of(model, index) } else { format!("v{level}") };
    let greatest = model.increment(level);
    // Nothing is drawn from the parent after its last child. Forgetting it lets states coincide.
    let forget = if level > 1 && (index + 1).is_multiple_of(model.branching()) {
        let [low, _] = model.position_range(level - 1);
        format!(" & (v{}'={})", level - 1, model.value_at(low).get())
    } else {
        String::new()
    };
    let kind = if level == model.depth() { "leaf" } else { "node" };
    let _ = write!(text, "\n  // The value of {kind} {} of level {level}.\n  [] step={step} ->", index + 1);
    for increment in 0..=greatest {
        let sum = moved(&parent, increment, Mover::at(level - 1), model.line().zero());
        let plus = if increment == 0 { "" } else { " +" };
        let _ = write!(
            text,
            "{plus}\n    1/{} : ({variable}'={sum}){forget} & (step'={})",
            greatest + 1,
            step + 1
        );
    }
    text.push_str(";\n");
}

/// A value moved by an increment: up after a move of MAX, down after one of MIN, skipping 0 if there is none.
fn moved(parent: &str, increment: i32, mover: Mover, zero: ZeroMode) -> String {
    let (sign, before, after) = match mover {
        Mover::Max => ('+', '<', ">="),
        Mover::Min => ('-', '>', "<="),
    };
    let sum = format!("{parent}{sign}{increment}");
    match zero {
        ZeroMode::Allow => sum,
        ZeroMode::Skip => format!("{sum}{sign}({parent}{before}0 & {sum}{after}0 ? 1 : 0)"),
    }
}

fn truth(text: &mut String, model: &Model, step: usize, index: usize) {
    let (leaf, won, next) = (leaf_of(model, index), won(model, model.depth(), index), step + 1);
    let _ = write!(
        text,
        "\n  // Whether leaf {} is won.\n  [] step={step} ->\n    \
         truth_{leaf} : ({won}'=true) & (step'={next}) +\n    \
         1-truth_{leaf} : ({won}'=false) & (step'={next});\n",
        index + 1
    );
}

/// The leaves of a child of a node.
fn leaves_of(model: &Model, level: usize, child: usize) -> Vec<String> {
    let span = model.leaves_below(level);
    (child * span..(child + 1) * span).map(|leaf| leaf_of(model, leaf)).collect()
}

/// Exchanges two neighbouring children of a node if they are not in order. Truths of leaves are drawn later; of inner
/// nodes they are only backed up together, so that they need not be exchanged.
fn order(text: &mut String, model: &Model, step: usize, [level, index, place]: [usize; 3]) {
    let child = model.branching() * index + place;
    let [left, right] = [child, child + 1].map(|child| leaves_of(model, level + 1, child));
    text.push_str("\n  // The order of siblings makes no difference to either rule.\n");
    in_order(text, step, &left, &right, "");
}

fn complete(text: &mut String, model: &Model, step: usize, level: usize, index: usize) {
    let (rule, operator) = match Mover::at(level) {
        Mover::Max => ("MAX moves there: it is won if one of its moves is", '|'),
        Mover::Min if model.is_binary() => ("MIN moves there: it is won if both of its moves are", '&'),
        Mover::Min => ("MIN moves there: it is won if all of its moves are", '&'),
    };
    let target = won(model, level, index);
    let children: Vec<String> = (0..model.branching()).map(|child| won(model, level + 1, child)).collect();
    let mut update = format!("({target}'={})", children.join(&operator.to_string()));
    for child in &children[..children.len() - 1] {
        let _ = write!(update, " & ({child}'=false)");
    }
    if target != "won" {
        update.push_str(" & (won'=false)");
    }
    let _ = writeln!(text, "\n  // Node {} of level {level} is complete. {rule}.", index + 1);
    if level + 1 == model.depth() || !model.is_binary() {
        let _ = writeln!(text, "  [] step={step} -> {update} & (step'={});", step + 1);
        return;
    }
    let [left, right] = [2 * index, 2 * index + 1].map(|child| leaves_of(model, level + 1, child));
    in_order(text, step, &left, &right, &format!(" & {update}"));
}

/// Commands that swap two lists of leaves if the first is greater.
fn in_order(text: &mut String, step: usize, left: &[String], right: &[String], update: &str) {
    let swap: Vec<String> = left.iter().zip(right).map(|(l, r)| format!("({l}'={r}) & ({r}'={l})")).collect();
    let _ = write!(
        text,
        "  [] step={step} & ({greater}) -> {swap}{update} & (step'={next});\n  \
         [] step={step} & !({greater}) -> (step'={next}){update};\n",
        greater = greater(left, right),
        swap = swap.join(" & "),
        next = step + 1,
    );
}

/// The condition that one list comes after the other in lexicographic order.
fn greater(left: &[String], right: &[String]) -> String {
    match (left, right) {
        ([l], [r]) => format!("{l}>{r}"),
        ([l, left @ ..], [r, right @ ..]) => format!("{l}>{r} | ({l}={r} & ({}))", greater(left, right)),
        _ => "false".to_owned(),
    }
}
