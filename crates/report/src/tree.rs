//! A small tree as a drawing: every node with its values, and the move each rule chooses.

use prodmax_enumerate::Mover;
use prodmax_trees::{Node, Valued};

use crate::figure::{Ink, text, with_minus};

/// The size of the drawing.
pub const SIZE: (u32, u32) = (480, 340);

/// A, B, … in preorder, as in KHS's figures.
pub fn name(number: usize) -> char {
    u8::try_from(number).ok().filter(|&number| number < 26).map_or('?', |number| char::from(b'A' + number))
}

/// The inside of an SVG of [`SIZE`]; for trees of depth 2.
pub fn draw(valued: &Valued) -> String {
    let mut edges = String::new();
    let mut boxes = String::new();
    for (number, node) in valued.nodes.iter().enumerate() {
        let (x, y) = place(node);
        if node.level > 0 {
            edges += &edge(valued, node, (x, y));
        }
        boxes += &draw_box(number, node, (x, y));
    }
    edges + &boxes
}

fn place(node: &Node) -> (f64, f64) {
    let slots = f64::from(1 << node.level.min(4) as u32);
    let x = f64::from(SIZE.0) * (node.index as f64 + 0.5) / slots;
    (x, 40.0 + 122.0 * node.level as f64)
}

fn edge(valued: &Valued, node: &Node, (x, y): (f64, f64)) -> String {
    let parent = Node { level: node.level - 1, index: node.index / 2, ..node.clone() };
    let (px, py) = place(&parent);
    let by = |choice: Option<usize>| node.level == 1 && choice == Some(node.index);
    let (ink, width, rule) = match (by(valued.choices[0]), by(valued.choices[1])) {
        (true, false) => (Ink::Minimax, 4, "Minimax"),
        (false, true) => (Ink::Product, 4, "Product"),
        (true, true) => (Ink::Text, 4, "both"),
        (false, false) => (Ink::Faint, 1, ""),
    };
    let mut svg = format!(
        "<line x1=\"{px:.1}\" y1=\"{py:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\" stroke=\"{}\" stroke-width=\"{width}\"/>\n",
        ink.css()
    );
    if !rule.is_empty() {
        let (anchor, shift) = if x < px { ("end", -14.0) } else { ("start", 14.0) };
        svg += &text((x + px) / 2.0 + shift, (y + py) / 2.0 - 8.0, 14, anchor, ink, rule);
    }
    svg
}

fn draw_box(number: usize, node: &Node, (x, y): (f64, f64)) -> String {
    let (width, height) = (106.0, 64.0);
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    let mover = match node.mover {
        Some(Mover::Max) => " · MAX",
        Some(Mover::Min) => " · MIN",
        None => "",
    };
    let mut svg = format!(
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{}\" \
         stroke=\"{}\"/>\n",
        Ink::Card.css(),
        Ink::Faint.css()
    );
    let minimax = with_minus(&format!("{:+}", node.values[0] as i32));
    svg += &text(x, top + 19.0, 14, "middle", Ink::Text, &format!("{}{mover}", name(number)));
    svg += &text(x, top + 37.0, 13, "middle", Ink::Minimax, &format!("value {minimax}"));
    svg += &text(x, top + 54.0, 13, "middle", Ink::Product, &format!("product {:.3}", node.values[1]));
    svg
}
