//! A small tree as a drawing: every node with its values, and the move each rule chooses.

use maud::{Markup, html};
use prodmax_enumerate::Mover;
use prodmax_mass::valued::{Node, ValuedTree};

use crate::figure::{Ink, one, text, with_minus};

/// The size of the drawing.
pub const SIZE: (u32, u32) = (480, 340);

/// A, B, … in preorder, as in KHS's figures.
pub fn name(number: usize) -> char {
    u8::try_from(number).ok().filter(|&number| number < 26).map_or('?', |number| char::from(b'A' + number))
}

/// The contents of an SVG of [`SIZE`]; for trees of depth 2.
pub fn draw(tree: &ValuedTree) -> Markup {
    html! {
        @for node in tree.nodes.iter().filter(|node| node.level > 0) { (edge(tree, node)) }
        @for (number, node) in tree.nodes.iter().enumerate() { (draw_box(number, node)) }
    }
}

fn place(node: &Node) -> (f64, f64) {
    let slots = f64::from(1 << node.level.min(4) as u32);
    let x = f64::from(SIZE.0) * (node.index as f64 + 0.5) / slots;
    (x, 40.0 + 122.0 * node.level as f64)
}

fn edge(tree: &ValuedTree, node: &Node) -> Markup {
    let (x, y) = place(node);
    let parent = Node { level: node.level - 1, index: node.index / 2, ..node.clone() };
    let (px, py) = place(&parent);
    let by = |choice: Option<usize>| node.level == 1 && choice == Some(node.index);
    let (ink, width, rule) = match (by(tree.choices[0]), by(tree.choices[1])) {
        (true, false) => (Ink::Minimax, 4, "Minimax"),
        (false, true) => (Ink::Product, 4, "Product"),
        (true, true) => (Ink::Text, 4, "both"),
        (false, false) => (Ink::Faint, 1, ""),
    };
    let (anchor, shift) = if x < px { ("end", -14.0) } else { ("start", 14.0) };
    html! {
        line x1=(one(px)) y1=(one(py)) x2=(one(x)) y2=(one(y)) stroke=(ink.css()) stroke-width=(width) {} "\n"
        @if !rule.is_empty() {
            (text((x + px) / 2.0 + shift, (y + py) / 2.0 - 8.0, 14, anchor, ink, rule))
        }
    }
}

fn draw_box(number: usize, node: &Node) -> Markup {
    let (x, y) = place(node);
    let (width, height) = (106.0, 64.0);
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    let mover = match node.mover {
        Some(Mover::Max) => " · MAX",
        Some(Mover::Min) => " · MIN",
        None => "",
    };
    let minimax = with_minus(&format!("{:+}", node.values[0] as i32));
    html! {
        rect x=(one(left)) y=(one(top)) width=(width) height=(height) rx="6" fill=(Ink::Card.css())
            stroke=(Ink::Faint.css()) {}
        "\n"
        (text(x, top + 19.0, 14, "middle", Ink::Text, &format!("{}{mover}", name(number))))
        (text(x, top + 37.0, 13, "middle", Ink::Minimax, &format!("value {minimax}")))
        (text(x, top + 54.0, 13, "middle", Ink::Product, &format!("product {:.3}", node.values[1])))
    }
}
