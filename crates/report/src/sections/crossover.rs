//! Formulas (5) to (7): the error rate at which Minimax overtakes Product.

use prodmax_cases::depth2::Formulas;
use prodmax_number::arctan::to_f64;
use prodmax_number::fraction::decimal;
use prodmax_number::{Fraction, Polynomial};
use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::html::escape;
use crate::plot::{Axis, Label, Line, Plot, SIZE, percent, root};
use crate::results::{ExperimentResults, ModelResults, Rates};
use crate::run::Findings;
use crate::section::Section;

/// The root whose threshold is drawn: the one with the simplest fraction, 1/35.
const DRAWN: f64 = -3.0;
/// What the paper says, in percent.
const PUBLISHED: f64 = 4.8;

/// The section.
pub(super) fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let Some(results) = findings.experiment("crossover") else { return Ok(None) };
    let mut section = Section::new("formulas", "Formulas (5) to (7): how good must the evaluation be?");
    let formulas = Formulas::derive();
    let common = formulas.common_factor();
    let [five, six] = common.cofactors.each_ref().map(in_p);
    section.p(
        "Suppose every leaf is misjudged with the same probability <i>p</i>. Then a case with <i>n</i> errors has the \
         weight <i>p<sup>n</sup></i>(1−<i>p</i>)<sup>4−<i>n</i></sup>, and nearly everything in Table I cancels. What \
         remains is the draw value in I<sub>4</sub>, which favours Minimax by formula (5), and in I<sub>2</sub>, which \
         favours Product by formula (6). Both come out of the case list as printed, and both have the factor \
         <i>g</i>(<i>p</i>):",
    );
    section.formula(&format!(
        "(5) = ({five}) <i>g</i>(<i>p</i>), &nbsp; (6) = {six} <i>g</i>(<i>p</i>), &nbsp; <i>g</i>(<i>p</i>) = \
         (1−<i>p</i>)³ + (1−<i>p</i>)²<i>p</i> − (1−<i>p</i>)<i>p</i>² − <i>p</i>³ = {}",
        in_p(&common.factor)
    ));
    section.p(
        "The paper leaves <i>g</i> as a sum of four terms; it is simply 1 − 2<i>p</i>, positive for every evaluation \
         that is right more often than wrong. So Minimax is superior if and only if",
    );
    section.formula(
        "(1−<i>p</i>) N(I<sub>4</sub>) &gt; <i>p</i> N(I<sub>2</sub>), &nbsp; that is &nbsp; <i>p</i> &lt; <i>p</i>* = \
         N(I<sub>4</sub>) / (N(I<sub>2</sub>) + N(I<sub>4</sub>)) &nbsp; (7)",
    );
    section.p(
        "N(I<sub>k</sub>) counts the critical trees of a model whose draw value lies in I<sub>k</sub>. The threshold is \
         checked against a second computation that knows nothing of intervals: the error masses of both rules as \
         polynomials in <i>p</i>, summed over all trees, and the roots of their difference.",
    );
    if let Some((drawn, rates)) = find(results, DRAWN) {
        section.figures([sides(drawn, rates)?, masses(drawn, rates)?]);
    }
    section.p(
        "The paper reports a threshold of about 4.8&nbsp;% for increments up to 8 but does not say for which root. It \
         depends on the root strongly, and no root gives 4.8&nbsp;%: the value would lie between roots −3 and −2. At \
         depth 2 it grows with the root, from nothing (up to root −6 no critical tree has its draw value in \
         I<sub>4</sub>, and Product is superior for every <i>p</i>) to more than ½ (from root +5 on Minimax is superior \
         for every reasonable evaluation). One level deeper the picture is another: the threshold is highest around \
         root −2, where 28&nbsp;% of the leaves may be misjudged, and falls on both sides.",
    );
    section.figures([thresholds(results)?]);
    section.p(
        "The paper argues that N(I<sub>2</sub>) must exceed N(I<sub>4</sub>). A single critical tree indeed needs the \
         wider gap on the side of P<sub>1</sub>; but how often the draw value falls into either gap depends on the \
         root, and from root +5 on I<sub>4</sub> is the likelier one.",
    );
    section.table(table(results, 2));
    section.folded_table("Thresholds of depth 3 in numbers", table(results, 3));
    section.data.push(("crossover".to_owned(), json!(results)));
    Ok(Some(section))
}

/// The results of depth 2 for a root.
fn find(results: &ExperimentResults, root: f64) -> Option<(&ModelResults, &Rates)> {
    let model = results.models.iter().find(|model| model.root() == root && model.model.depth() == 2)?;
    Some((model, model.crossover.as_ref()?))
}

fn mark(at: f64, top: f64, ink: Ink) -> Line {
    Line { name: String::new(), ink, dashed: true, dots: false, points: vec![(at, 0.0), (at, top)] }
}

/// Both sides of (7).
fn sides(model: &ModelResults, rates: &Rates) -> Result<Figure, ReportError> {
    let name = "formula7";
    let [n2, n4] = [1, 3].map(|k| rates.intervals.as_ref().map_or(0.0, |counts| to_f64(&counts[k])));
    let threshold = 100.0 * n4 / (n2 + n4);
    let line = |name: &str, ink, side: &dyn Fn(f64) -> f64| Line {
        name: name.to_owned(),
        ink,
        dashed: false,
        dots: false,
        points: (0..=100).map(|tenth| f64::from(tenth) / 10.0).map(|p| (p, side(p / 100.0))).collect(),
    };
    let top = (0.1 * n2).max(n4) * 1.05;
    let plot = Plot {
        x: Axis { label: "error rate p (%)", range: 0.0..10.0, ticks: 6, format: percent },
        y: Axis { label: "critical trees", range: 0.0..top, ticks: 6, format: |y| format!("{y:.0}") },
        lines: vec![
            line("(1\u{2212}p) N(I4)", Ink::Minimax, &|p| (1.0 - p) * n4),
            line("p N(I2)", Ink::Product, &|p| p * n2),
            mark(threshold, top * 0.8, Ink::Text),
            mark(PUBLISHED, top * 0.66, Ink::Faint),
        ],
        spreads: Vec::new(),
        labels: vec![
            Label {
                at: (threshold + 0.15, top * 0.77),
                ink: Ink::Text,
                text: format!("p* = {threshold:.2} %"),
            },
            Label {
                at: (PUBLISHED + 0.15, top * 0.12),
                ink: Ink::Faint,
                text: "published: about 4.8 %".into(),
            },
        ],
    };
    let root = root(model.root());
    Ok(Figure {
        name,
        alt: format!(
            "Both sides of formula (7) over the error rate for root {root}: (1-p) N(I4) is nearly level, p N(I2) rises \
             from 0; they meet at p = {threshold:.2} percent."
        ),
        caption: format!(
            "Both sides of (7) for root {root}, depth 2, increments up to 8: N(I<sub>2</sub>) = {n2}, \
             N(I<sub>4</sub>) = {n4}. Left of <i>p</i>* = {} Minimax is superior.",
            rates
                .thresholds
                .first()
                .and_then(|t| t.fraction.as_ref())
                .map_or_else(String::new, ToString::to_string)
        ),
        size: SIZE,
        body: plot.draw(name)?,
    })
}

/// Both error masses per critical tree.
fn masses(model: &ModelResults, rates: &Rates) -> Result<Figure, ReportError> {
    let name = "error-masses";
    let line = |name: &str, ink, polynomial| Line {
        name: name.to_owned(),
        ink,
        dashed: false,
        dots: false,
        points: (0..=100i32)
            .map(|step| {
                let p = Fraction::new(step.into(), 200.into());
                (f64::from(step) / 2.0, rates.percent_at(polynomial, &p))
            })
            .collect(),
    };
    let lines = vec![
        line("Minimax errs", Ink::Minimax, &rates.minimax_error),
        line("Product errs", Ink::Product, &rates.product_error),
    ];
    let root = root(model.root());
    let plot = Plot {
        x: Axis { label: "error rate p (%)", range: 0.0..50.0, ticks: 6, format: percent },
        y: Axis { label: "wrong decisions (%)", range: 0.0..22.0, ticks: 6, format: percent },
        lines,
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: format!(
            "The probability of a wrong decision in a critical tree for root {root} over the error rate: both curves \
             rise and stay close; Product's is higher only below about three percent; they meet again at 50 percent."
        ),
        caption: format!(
            "How often each rule goes wrong in a critical tree while the other is right, root {root}, depth 2. The \
             curves meet at <i>p</i>* and, necessarily, at 50 %, where an evaluation says nothing."
        ),
        size: SIZE,
        body: plot.draw(name)?,
    })
}

fn thresholds(results: &ExperimentResults) -> Result<Figure, ReportError> {
    let name = "thresholds";
    let points = |depth: usize| {
        let models = results.models.iter().filter(move |model| model.model.depth() == depth);
        let threshold = |model: &ModelResults| {
            let threshold = model.crossover.as_ref()?.thresholds.first()?;
            Some((model.root(), 100.0 * threshold.decimal.to_f64()))
        };
        models.filter_map(threshold).collect::<Vec<_>>()
    };
    let line =
        |name: &str, ink, points| Line { name: name.to_owned(), ink, dashed: false, dots: true, points };
    let published = Line {
        name: "published (root not stated)".to_owned(),
        ink: Ink::Faint,
        dashed: true,
        dots: false,
        points: vec![(-9.0, PUBLISHED), (9.0, PUBLISHED)],
    };
    let plot = Plot {
        x: Axis { label: "root value", range: -9.0..9.0, ticks: 10, format: root },
        y: Axis { label: "threshold p* (%)", range: 0.0..50.0, ticks: 6, format: percent },
        lines: vec![
            line("depth 2", Ink::Third, points(2)),
            line("depth 3", Ink::Fourth, points(3)),
            published,
        ],
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: "The threshold error rate over root values from -8 to 8, at depth 2 and 3: it rises with the root; the \
              published 4.8 percent is met between roots -3 and -2 at depth 2."
            .to_owned(),
        caption: "The error rate below which Minimax is superior, increments up to 8 at every level. A root without a \
                  point has no threshold between 0 and 50 %."
            .to_owned(),
        size: SIZE,
        body: plot.draw(name)?,
    })
}

fn table(results: &ExperimentResults, depth: usize) -> Table {
    let row = |model: &ModelResults| {
        let rates = model.crossover.as_ref()?;
        let dash = || Cell::with_latex("–", "--");
        let mut row = vec![Cell::from(model.model.root()), rates.critical.to_string().into()];
        if depth == 2 {
            let count =
                |k: usize| rates.intervals.as_ref().map_or_else(dash, |counts| counts[k].to_string().into());
            row.extend([count(1), count(3)]);
            row.push(rates.ratio.as_ref().map_or_else(dash, |ratio| decimal(ratio.number(), 3).into()));
        }
        let first = rates.thresholds.first();
        row.push(first.map_or_else(dash, |t| {
            t.fraction.as_ref().map_or_else(|| "irrational".into(), |p| p.to_string().into())
        }));
        row.push(first.map_or_else(dash, |t| format!("{:.4}", 100.0 * t.decimal.to_f64()).into()));
        Some(row)
    };
    let mut columns = vec![Column::right("root"), Column::right("critical trees")];
    if depth == 2 {
        columns.extend(["N(I2)", "N(I4)", "N(I2)/N(I4)"].map(Column::right));
    }
    columns.extend(["p*", "p* (%)"].map(Column::right));
    let note = "Published: p* about 4.8 %, N(I2)/N(I4) almost 20.";
    Table {
        id: format!("thresholds-depth{depth}"),
        title: format!("Thresholds of depth {depth}, increments up to 8"),
        columns,
        rows: results.models.iter().filter(|model| model.model.depth() == depth).filter_map(row).collect(),
        notes: if depth == 2 { vec![note.to_owned()] } else { Vec::new() },
    }
}

/// A polynomial in p, as HTML.
fn in_p(polynomial: &Polynomial) -> String {
    escape(&polynomial.to_string()).replace(" - ", " − ").replace('p', "<i>p</i>")
}
