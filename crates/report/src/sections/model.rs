//! The model: the trees, the curves, and two trees as both rules see them.

use maud::{Markup, html};
use prodmax_enumerate::{Line as ValueLine, Mover, ZeroMode};
use prodmax_golden::{Published, Quantity};
use prodmax_mass::valued::{PaperFigure as Example, ValuedTree};
use prodmax_mass::{Contestant, Curve, CurveTable, khs_rules};
use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;
use serde_json::json;

use super::SectionKind;
use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::html::var;
use crate::plot::{Axis, Line, Plot, SIZE, root};
use crate::run::Findings;
use crate::section::Section;
use crate::tree;

pub(super) const H_MAX: i32 = ValueLine::DEFAULT_H_MAX as i32;
/// The greatest leaf of the example trees.
const REACH: i64 = 9;

/// The probability of losing at value -1, which is that of winning at +1, as KHS's text has it for Fig. 2.
pub(super) fn printed_at_minus_one(findings: &Findings) -> Option<&Published> {
    let is = |quantity: &Quantity| matches!(quantity, Quantity::CurveValue { h: 1, .. });
    let figure = findings.comparisons.iter().find(|figure| is(&figure.entry.quantity))?;
    Some(&figure.entry.published)
}

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let mut section = Section::new("model", "The model");
    section.p(html! {
        "A tree is binary and of uniform depth; MAX moves at the root, whose heuristic value is given. A move of MAX \
         adds an increment to the value, a move of MIN subtracts one; increments are whole numbers from 0 to "
        (var("a")) ", all equally likely, and " (var("a")) " may differ from level to level. Values run from −" (H_MAX)
        " to +" (H_MAX) " without 0: one step up from −1 is +1. A tree is therefore determined by its increments, and \
         the model is the set of all of them."
    });
    section.p(html! {
        "What a leaf of value " (var("h")) " is really worth is uncertain. It is won for MAX with probability " (w_c())
        "(" (var("h")) "), equation (2) of KHS:"
    });
    section.formula(html! {
        (w_c()) "(" (var("h")) ") = ½ + arctan(" (var("c h")) " / " (h_max()) ") / (2 arctan " (var("c")) "), \u{a0} "
        (h_max()) " = " (H_MAX)
    });
    section.p(html! {
        "The larger " (var("c")) ", the steeper the curve: as the truth, the better the evaluation. Truth follows " (var("c"))
        " = 4 (16 in the simulations), Product estimates with " (var("c")) " = 1. Leaves are independent; inner nodes \
         follow the rules of the game."
    });
    section.figures([equation_2()?, pearl()?]);
    section.data.push(("curves".to_owned(), curve_data()));
    section.p(html! {
        "Both rules choose one of the two moves at the root. If they choose differently, the tree is "
        em { "critical" } ": M is the node Minimax goes to, P the one Product goes to. Minimax errs with probability \
         Pr(M lost) Pr(P won), Product with Pr(M won) Pr(P lost). Summed over all trees these are the error masses \
         that everything below compares."
    });
    section.p(
        "KHS explain such errors with two small trees (Figs. 1 and 2). Their leaf values are not in the text; the two \
         shown here were found by a search for trees that behave as described.",
    );
    section.figures(examples(findings));
    Ok(Some(section))
}

fn w_c() -> Markup {
    html! { i { "w" sub { "c" } } }
}

fn h_max() -> Markup {
    html! { (var("h")) sub { "max" } }
}

/// A curve with its label, its colour and whether it is dashed.
struct Drawn {
    label: String,
    curve: Curve,
    ink: Ink,
    dashed: bool,
}

fn arctan(c: u32, label: String, ink: Ink) -> Drawn {
    Drawn { label, curve: Curve::arctan(c), ink, dashed: false }
}

/// Equation (2) as Product's estimate and as the two truths of the paper.
fn equation_2_curves() -> Vec<Drawn> {
    let constants = [(1, Ink::Product), (4, Ink::Minimax), (16, Ink::Third)];
    constants.into_iter().map(|(c, ink)| arctan(c, format!("c = {c}"), ink)).collect()
}

pub(super) fn pearl_curve(c: u32) -> Curve {
    Curve::Pearl(Fraction::from_integer(c.into()))
}

/// Equation (2) and Pearl's curve with the same constants.
fn pearl_curves() -> Vec<Drawn> {
    let pair = |(c, ink)| {
        let label = format!("Pearl, c = {c}");
        [
            arctan(c, format!("eq. (2), c = {c}"), ink),
            Drawn { label, curve: pearl_curve(c), ink, dashed: true },
        ]
    };
    [(1, Ink::Product), (4, Ink::Minimax)].into_iter().flat_map(pair).collect()
}

fn equation_2() -> Result<Figure, ReportError> {
    let caption = html! {
        "Equation (2) for " (var("c")) " = 1 (Product’s estimate), 4 and 16 (truth). Every curve reaches 0 and 1 at \
         the ends."
    };
    let alt = format!(
        "Three S-shaped curves of the probability of winning by heuristic value from -{H_MAX} to {H_MAX}; the larger \
         c, the steeper around 0; all run from 0 to 1."
    );
    curves("w-curves", &equation_2_curves(), caption, alt)
}

fn pearl() -> Result<Figure, ReportError> {
    let caption = html! {
        "Equation (2) and Pearl’s curve ½ + arctan(" (var("c h")) " / " (h_max()) ") / π, which is not normalised. \
         KHS call the two the same for " (var("c")) " = 1; at " (var("h")) " = +1 they are "
        (format!("{:.5}", value_at(&Curve::arctan(1), 1))) " and " (format!("{:.5}", value_at(&pearl_curve(1), 1))) "."
    };
    let [low, high] = [-H_MAX, H_MAX].map(|h| value_at(&pearl_curve(1), h));
    let alt = format!(
        "Equation (2) and Pearl's curve for c = 1 and c = 4: Pearl's are flatter and stay away from 0 and 1; for c = 1 \
         from {low:.2} to {high:.2}."
    );
    curves("pearl-curves", &pearl_curves(), caption, alt)
}

fn curves(name: &'static str, drawn: &[Drawn], caption: Markup, alt: String) -> Result<Figure, ReportError> {
    let line = |drawn: &Drawn| Line {
        name: drawn.label.clone(),
        ink: drawn.ink,
        dashed: drawn.dashed,
        dots: false,
        points: points(&drawn.curve),
    };
    let reach = f64::from(H_MAX);
    let plot = Plot {
        x: Axis {
            label: "heuristic value h".into(),
            range: -reach..reach,
            ticks: 9,
            format: |h| if h == 0.0 { "0".into() } else { root(h) },
        },
        y: Axis {
            label: "probability of winning".into(),
            range: 0.0..1.0,
            ticks: 6,
            format: |y| format!("{y:.1}"),
        },
        lines: drawn.iter().map(line).collect(),
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure { name, alt, caption, size: SIZE, body: plot.draw(name)? })
}

/// The probability of winning at a value.
pub(super) fn value_at(curve: &Curve, h: i32) -> f64 {
    to_f64(&curve.enclose(h, H_MAX, 64).middle())
}

/// The value at every h, 0 included, where the curves are continuous.
fn points(curve: &Curve) -> Vec<(f64, f64)> {
    (-H_MAX..=H_MAX).map(|h| (f64::from(h), value_at(curve, h))).collect()
}

fn curve_data() -> serde_json::Value {
    let pearl = pearl_curves().into_iter().filter(|drawn| matches!(drawn.curve, Curve::Pearl(_)));
    let one = |drawn: Drawn| {
        let points: Vec<_> =
            points(&drawn.curve).iter().map(|(h, w)| json!([h, format!("{w:.12}")])).collect();
        json!({ "curve": drawn.curve, "points": points })
    };
    equation_2_curves().into_iter().chain(pearl).map(one).collect()
}

fn examples(findings: &Findings) -> Vec<Figure> {
    let Ok(line) = ValueLine::new(H_MAX.into(), ZeroMode::Skip) else { return Vec::new() };
    let truth = CurveTable::new(Curve::arctan(4), H_MAX);
    let estimate = CurveTable::new(pearl_curve(1), H_MAX);
    let [minimax, product] = khs_rules().map(|rule| Contestant::through(rule, &estimate));
    let find = |example: Example| {
        ValuedTree::of(&example.search(&line, &estimate, REACH)?, &truth, &[&minimax, &product]).ok()
    };
    let first = find(Example::MinimaxErrs).map(|tree| {
        let caption = html! {
            "Like Fig. 1. D looks lost. If it is won, a gross error of the evaluation, then B is won, and E, which \
             Minimax prefers, is lost."
        };
        example("tree-minimax-errs", &tree, caption)
    });
    let second = find(Example::ProductErrs).map(|tree| {
        let [by_pearl, by_equation_2] = [pearl_curve(1), Curve::arctan(1)].map(|curve| value_at(&curve, 1));
        let f = tree.nodes.get(5).map_or(f64::NAN, |node| node.values[1]);
        let caption = html! {
            "Like Fig. 2. No leaf need be misjudged: F is lost, yet the high value of G makes Product prefer E. The \
             product value of F is " (format!("{f:.5}")) "."
            @if let Some(printed) = printed_at_minus_one(findings) {
                " KHS’s text prints " (printed.text()) " as the probability of losing at −1: Pearl’s curve gives "
                (format!("{by_pearl:.5}")) ", equation (2) " (format!("{by_equation_2:.5}")) "."
            }
        };
        example("tree-product-errs", &tree, caption)
    });
    first.into_iter().chain(second).collect()
}

fn example(name: &'static str, tree: &ValuedTree, caption: Markup) -> Figure {
    Figure { name, alt: describe(tree), caption, size: tree::SIZE, body: tree::draw(tree) }
}

/// The tree in words.
fn describe(valued: &ValuedTree) -> String {
    let node = |(number, node): (usize, &prodmax_mass::valued::Node)| {
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
