//! What the model is: the trees, the curves, and one tree as both rules see it.

use prodmax_enumerate::{Line as Values, Mover, Zero};
use prodmax_mass::measure::khs_rules;
use prodmax_mass::{Contestant, Curve, CurveTable};
use prodmax_trees::{Figure as Example, Valued};
use serde_json::json;

use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::plot::{Axis, Line, Plot, SIZE, root};
use crate::run::Findings;
use crate::section::Section;
use crate::tree;

const H_MAX: i32 = 42;
/// The greatest leaf of the example trees.
const REACH: i64 = 9;

/// The section.
pub(super) fn section(_: &Findings) -> Result<Option<Section>, ReportError> {
    let mut section = Section::new("model", "The model");
    section.p(
        "A tree is binary and of uniform depth; MAX moves at the root, whose heuristic value is given. A move of MAX \
         adds an increment to the value, a move of MIN subtracts one; increments are whole numbers from 0 to \
         <i>a</i>, all equally likely, and <i>a</i> may differ from level to level. Values run from −42 to +42 \
         without 0: one step up from −1 is +1. A tree is therefore determined by its increments, and the model is \
         the set of all of them.",
    );
    section
        .p("What a leaf of value <i>h</i> is really worth is uncertain. It is won for MAX with probability \
         <i>w<sub>c</sub></i>(<i>h</i>), equation (2) of KHS:");
    section.formula(
        "<i>w<sub>c</sub></i>(<i>h</i>) = ½ + arctan(<i>c h</i> / <i>h</i><sub>max</sub>) / (2 arctan <i>c</i>), \
         &nbsp; <i>h</i><sub>max</sub> = 42",
    );
    section.p(
        "The larger <i>c</i>, the steeper the curve and the better the evaluation. Truth follows <i>c</i> = 4 (16 in \
         the simulations), Product estimates with <i>c</i> = 1. Leaves are independent; inner nodes follow the rules \
         of the game.",
    );
    section.figures([
        curves("w-curves", CURVES, CAPTION, ALT)?,
        curves("pearl-curves", PEARL, PEARL_CAPTION, PEARL_ALT)?,
    ]);
    section.data.push(("curves".to_owned(), curve_data()));
    section.p(
        "Both rules choose one of the two moves at the root. Where they choose differently, the tree is \
         <em>critical</em>: M is the node Minimax goes to, P the one Product goes to. Minimax errs with probability \
         Pr(M lost) Pr(P won), Product with Pr(M won) Pr(P lost). Summed over all trees these are the error masses \
         that everything below compares.",
    );
    section.p(
        "KHS explain such errors with two small trees (Fig. 1 and 2). Their leaf values are not in the text; these \
         two were found by a search for trees that behave as described.",
    );
    section.figures(examples());
    Ok(Some(section))
}

type Named = (&'static str, &'static str, Ink, bool);

const CURVES: &[Named] = &[
    ("c = 1", "arctan:1", Ink::Product, false),
    ("c = 4", "arctan:4", Ink::Minimax, false),
    ("c = 16", "arctan:16", Ink::Third, false),
];
const CAPTION: &str = "Equation (2) for <i>c</i> = 1 (Product’s estimate), 4 and 16 (truth). Every curve reaches 0 \
                       and 1 at the ends.";
const ALT: &str = "Three S-shaped curves of the probability to win over heuristic values from -42 to 42; the larger \
                   c, the steeper around 0; all run from 0 to 1.";
const PEARL: &[Named] = &[
    ("eq. (2), c = 1", "arctan:1", Ink::Product, false),
    ("Pearl, c = 1", "pearl:1", Ink::Product, true),
    ("eq. (2), c = 4", "arctan:4", Ink::Minimax, false),
    ("Pearl, c = 4", "pearl:4", Ink::Minimax, true),
];
const PEARL_CAPTION: &str = "Equation (2) beside Pearl’s curve ½ + arctan(<i>c h</i> / <i>h</i><sub>max</sub>) / π, \
                             which is not normalised. KHS call the two the same for <i>c</i> = 1; they are not.";
const PEARL_ALT: &str = "Equation (2) and Pearl's curve for c = 1 and c = 4: Pearl's are flatter and stay away from 0 \
                         and 1; for c = 1 from 0.25 to 0.75.";

fn curves(name: &'static str, named: &[Named], caption: &str, alt: &str) -> Result<Figure, ReportError> {
    let line = |&(label, curve, ink, dashed): &Named| Line {
        name: label.to_owned(),
        ink,
        dashed,
        dots: false,
        points: points(curve),
    };
    let plot = Plot {
        x: Axis {
            label: "heuristic value h",
            range: -42.0..42.0,
            ticks: 9,
            format: |h| if h == 0.0 { "0".into() } else { root(h) },
        },
        y: Axis { label: "probability to win", range: 0.0..1.0, ticks: 6, format: |y| format!("{y:.1}") },
        lines: named.iter().map(line).collect(),
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure { name, alt: alt.to_owned(), caption: caption.to_owned(), size: SIZE, body: plot.draw(name)? })
}

/// The value at every h, 0 included, where the curves are continuous.
fn points(curve: &str) -> Vec<(f64, f64)> {
    let Ok(curve) = curve.parse::<Curve>() else { return Vec::new() };
    let value = |h: i32| prodmax_number::arctan::to_f64(&curve.enclose(h, H_MAX, 64).middle());
    (-H_MAX..=H_MAX).map(|h| (f64::from(h), value(h))).collect()
}

fn curve_data() -> serde_json::Value {
    let all = CURVES.iter().chain(PEARL.iter().filter(|(_, curve, ..)| curve.starts_with("pearl")));
    let one = |&(_, curve, ..): &Named| {
        let points: Vec<_> = points(curve).iter().map(|(h, w)| json!([h, format!("{w:.12}")])).collect();
        json!({ "curve": curve, "points": points })
    };
    all.map(one).collect()
}

fn examples() -> Vec<Figure> {
    let Ok(line) = Values::new(H_MAX.into(), Zero::Skip) else { return Vec::new() };
    let truth = CurveTable::new(Curve::arctan(4), H_MAX);
    let Ok(pearl) = "pearl:1".parse() else { return Vec::new() };
    let estimate = CurveTable::new(pearl, H_MAX);
    let [minimax, product] = khs_rules().map(|rule| Contestant::through(rule, &estimate));
    let find =
        |example: Example| example.search(&line, &estimate, REACH)?.value(&truth, &[&minimax, &product]).ok();
    let first = find(Example::MinimaxErrs).map(|valued| Figure {
        name: "tree-minimax-errs",
        alt: describe(&valued),
        caption:
            "Like Fig. 1. D looks lost. If it is won, a gross error of the evaluation, then B is won and E, \
                  which Minimax prefers, is lost."
                .to_owned(),
        size: tree::SIZE,
        body: tree::draw(&valued),
    });
    let second = find(Example::ProductErrs).map(|valued| Figure {
        name: "tree-product-errs",
        alt: describe(&valued),
        caption: "Like Fig. 2. No leaf need be misjudged: F is lost, yet the high value of G makes Product prefer E. \
                  The product value of F is 0.49242 = 1 − 0.50758. The latter, cut off to 0.50757, is the figure in KHS’s \
                  text, which belongs to Pearl’s curve; equation (2) would give 0.51515."
            .to_owned(),
        size: tree::SIZE,
        body: tree::draw(&valued),
    });
    first.into_iter().chain(second).collect()
}

/// The tree in words.
fn describe(valued: &Valued) -> String {
    let node = |(number, node): (usize, &prodmax_trees::Node)| {
        let kind = match node.mover {
            Some(Mover::Max) => "MAX node",
            Some(Mover::Min) => "MIN node",
            None => "leaf",
        };
        format!(
            "{kind} {}: minimax {:+}, product {:.3}",
            tree::name(number),
            node.values[0] as i32,
            node.values[1]
        )
    };
    let nodes: Vec<String> = valued.nodes.iter().enumerate().map(node).collect();
    let chosen = |choice: Option<usize>| if choice == Some(0) { "B" } else { "E" };
    format!(
        "A tree of depth 2. {}. Minimax chooses {}, Product {}.",
        nodes.join("; "),
        chosen(valued.choices[0]),
        chosen(valued.choices[1])
    )
}
