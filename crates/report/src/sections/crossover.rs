//! Formulas (5) to (7): the error rate at which Minimax overtakes Product.

pub(super) mod text;

use maud::{Markup, html};
use prodmax_cases::depth2::{Formulas, Interval};
use prodmax_golden::Quantity;
use prodmax_golden::quantity::Formula;
use prodmax_number::fraction::decimal;
use prodmax_number::fraction::to_f64;
use prodmax_number::{Fraction, Polynomial};
use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use super::SectionKind;
use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::html::{indexed, join, n_interval, var};
use crate::plot::{Axis, Label, Line, Plot, SIZE, percent, root};
use crate::results::{ExperimentResults, ModelResults, Rates};
use crate::run::{Comparison, Findings};
use crate::section::Section;
use crate::words::widths;

/// The root whose threshold is drawn.
const DRAWN: f64 = -3.0;

/// The experiment that is shown here.
pub(super) const EXPERIMENT: &str = "crossover";

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[EXPERIMENT], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let Some(results) = findings.experiment(EXPERIMENT) else { return Ok(None) };
    let mut section = Section::new("formulas", "Formulas (5) to (7): how good must the evaluation be?");
    derive(&mut section, findings);
    section.p(html! {
        (n_interval_k()) " counts the critical trees of a model whose draw value lies in " (indexed("I", "k")) ". The \
         threshold is checked against a second computation that knows nothing about intervals: the error masses of \
         both rules as polynomials in " (var("p")) ", summed over all trees, and the roots of their difference."
    });
    let published = PrintedThreshold::of(findings);
    if let Some((drawn, rates)) = find(results, DRAWN) {
        section.figures([sides(drawn, rates, published.as_ref())?, masses(drawn, rates)?]);
    }
    section.p(text::thresholds(results, published.as_ref()));
    section.figures([thresholds(results, published.as_ref())?]);
    section.p(text::claim(results));
    section.table(table(results, 2, published.as_ref()));
    section.folded_table("Thresholds of depth 3 in numbers", table(results, 3, None));
    section.data.push(("crossover".to_owned(), json!(results)));
    Ok(Some(section))
}

/// Formulas (5) to (7).
fn derive(section: &mut Section, findings: &Findings) {
    let formulas = Formulas::derive();
    let common = formulas.common_factor();
    let [five, six] = common.cofactors.each_ref().map(in_p);
    let is_formula = |figure: &&Comparison| {
        matches!(figure.entry.quantity, Quantity::Formula(Formula::Five | Formula::Six))
    };
    let printed: Vec<&Comparison> = findings.published("formulas").filter(is_formula).collect();
    let as_printed = !printed.is_empty() && printed.iter().all(|figure| figure.ours.verdict.is_reproduced());
    let factor = findings
        .published("formulas")
        .find(|figure| figure.entry.quantity == Quantity::Formula(Formula::CommonFactor));
    let terms = factor.and_then(|figure| expression_html(figure.entry.published.text()));
    let (remaining, cancelled): (Vec<Interval>, Vec<Interval>) =
        Interval::ALL.into_iter().partition(|interval| !formulas.masses(*interval).difference().is_zero());
    let remaining: Vec<Markup> =
        remaining.into_iter().rev().map(|interval| remainder(&formulas, interval)).collect();
    let cancelled: Vec<Markup> =
        cancelled.into_iter().map(|interval| indexed("I", interval.number())).collect();
    section.p(html! {
        "Suppose every leaf is misjudged with the same probability " (var("p")) ". Then a case with " (var("n"))
        " errors has the weight " i { "p" sup { "n" } } "(1−" (var("p")) ")" sup { "4−" (var("n")) } "."
        @if !cancelled.is_empty() {
            " What Table I has for a draw value in " (join(&cancelled, ", ")) " then cancels."
        }
        " What remains is " (join(&remaining, ", and ")) "."
        @if as_printed { " Both follow from the case list as printed." }
        " Both have the factor " (var("g")) "(" (var("p")) "):"
    });
    section.formula(html! {
        "(5) = (" (five) ") " (var("g")) "(" (var("p")) "), \u{a0} (6) = " (six) " " (var("g")) "(" (var("p")) "), \
         \u{a0} "
        (var("g")) "(" (var("p")) ") = "
        @if let Some(terms) = &terms { (terms) " = " }
        (in_p(&common.factor))
    });
    section.p(html! {
        @if terms.is_some() { "The paper leaves " (var("g")) " as a sum of powers; it" } @else { (var("g")) }
        " is simply " (in_p(&common.factor)) ", positive for every evaluation that is right more often than wrong. So \
         Minimax is superior if and only if"
    });
    section.formula(html! {
        "(1−" (var("p")) ") " (n_interval(4)) " > " (var("p")) " " (n_interval(2)) ", \u{a0} that is \u{a0} " (var("p"))
        " < " (p_star()) " = " (n_interval(4)) " / (" (n_interval(2)) " + " (n_interval(4)) ") \u{a0} (7)"
    });
}

/// What Table I leaves for a draw value in an interval: whom it favours if a quarter of the leaves is misjudged.
fn remainder(formulas: &Formulas, interval: Interval) -> Markup {
    let quarter = Fraction::new(1.into(), 4.into());
    let favoured = match formulas.masses(interval).difference().sign_at(&quarter) {
        1.. => "Minimax",
        _ => "Product",
    };
    html! {
        "the draw value in " (indexed("I", interval.number())) ", which favours " (favoured)
        @match interval {
            Interval::I4 => " by formula (5)",
            Interval::I2 => " by formula (6)",
            _ => "",
        }
    }
}

/// A printed formula, e.g. `(1-p)^3 + (1-p)^2*p`, with superscripts; `None` if it is empty.
fn expression_html(printed: &str) -> Option<Markup> {
    let mut characters = printed.chars().peekable();
    let mut pieces = Vec::new();
    while let Some(character) = characters.next() {
        pieces.push(match character {
            'p' => var("p"),
            '^' => {
                let mut digits = String::new();
                while let Some(digit) = characters.next_if(char::is_ascii_digit) {
                    digits.push(digit);
                }
                html! { sup { (digits) } }
            }
            '*' => html! {},
            '-' => html! { "−" },
            other => html! { (other) },
        });
    }
    (!pieces.is_empty()).then(|| join(&pieces, ""))
}

fn n_interval_k() -> Markup {
    html! { "N(" (indexed("I", "k")) ")" }
}

pub(super) fn p_star() -> Markup {
    html! { (var("p")) "*" }
}

/// The threshold and the ratio N(I2)/N(I4) that the papers print, without a root.
struct PrintedThreshold<'a> {
    threshold: &'a Comparison,
    ratio: Option<&'a Comparison>,
}

impl<'a> PrintedThreshold<'a> {
    fn of(findings: &'a Findings) -> Option<Self> {
        let find = |is: fn(&Quantity) -> bool| {
            findings
                .published("depth2")
                .find(|figure| is(&figure.entry.quantity) && !figure.entry.published.is_none())
        };
        Some(Self {
            threshold: find(|quantity| matches!(quantity, Quantity::ThresholdPercent(_)))?,
            ratio: find(|quantity| matches!(quantity, Quantity::IntervalRatio(_))),
        })
    }

    /// As printed.
    fn text(&self) -> &str {
        self.threshold.entry.published.text()
    }

    /// In percent.
    fn percent(&self) -> f64 {
        self.threshold.published_f64().unwrap_or(f64::NAN)
    }
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
fn sides(
    model: &ModelResults,
    rates: &Rates,
    published: Option<&PrintedThreshold<'_>>,
) -> Result<Figure, ReportError> {
    let name = "formula7";
    let [n2, n4] = [1, 3].map(|k| rates.intervals.as_ref().map_or(0.0, |counts| to_f64(&counts[k])));
    let threshold = 100.0 * prodmax_mass::threshold(n2, n4).unwrap_or(f64::NAN);
    let line = |name: &str, ink, side: &dyn Fn(f64) -> f64| Line {
        name: name.to_owned(),
        ink,
        dashed: false,
        dots: false,
        points: (0..=100).map(|tenth| f64::from(tenth) / 10.0).map(|p| (p, side(p / 100.0))).collect(),
    };
    let top = (0.1 * n2).max(n4) * 1.05;
    let mut lines = vec![
        line("(1\u{2212}p) N(I4)", Ink::Minimax, &|p| (1.0 - p) * n4),
        line("p N(I2)", Ink::Product, &|p| p * n2),
        mark(threshold, top * 0.8, Ink::Text),
    ];
    let mut labels = vec![Label {
        at: (threshold + 0.15, top * 0.77),
        ink: Ink::Text,
        text: format!("p* = {threshold:.2} %"),
    }];
    if let Some(published) = published {
        lines.push(mark(published.percent(), top * 0.66, Ink::Faint));
        labels.push(Label {
            at: (published.percent() + 0.15, top * 0.12),
            ink: Ink::Faint,
            text: format!("published: about {} %", published.text()),
        });
    }
    let plot = Plot {
        x: Axis { label: "error rate p (%)".into(), range: 0.0..10.0, ticks: 6, format: percent },
        y: Axis { label: "critical trees".into(), range: 0.0..top, ticks: 6, format: |y| format!("{y:.0}") },
        lines,
        spreads: Vec::new(),
        labels,
    };
    let root = root(model.root());
    Ok(Figure {
        name,
        alt: format!(
            "Both sides of formula (7) by error rate for root {root}: (1-p) N(I4) falls, p N(I2) rises from 0; they \
             meet at p = {threshold:.2} percent."
        ),
        caption: html! {
            "Both sides of (7) for root " (root) ", depth 2, " (widths([&model.model])) ": " (n_interval(2)) " = " (n2) ", "
            (n_interval(4)) " = " (n4) ". Left of " (p_star())
            @if let Some(fraction) = rates.thresholds.first().and_then(|t| t.fraction.as_ref()) {
                " = " (fraction.to_string())
            }
            " Minimax is superior."
        },
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
        line("Minimax errs", Ink::Minimax, &rates.first_error),
        line("Product errs", Ink::Product, &rates.second_error),
    ];
    let root = root(model.root());
    let plot = Plot {
        x: Axis { label: "error rate p (%)".into(), range: 0.0..50.0, ticks: 6, format: percent },
        y: Axis { label: "wrong decisions (%)".into(), range: 0.0..22.0, ticks: 6, format: percent },
        lines,
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: format!(
            "The probability of a wrong decision in a critical tree for root {root} by error rate; the curves \
             meet at {} percent and at 50 percent.",
            rates
                .thresholds
                .first()
                .map_or_else(|| "no".to_owned(), |t| format!("{:.2}", 100.0 * t.decimal.to_f64()))
        ),
        caption: html! {
            "How often each rule goes wrong in a critical tree while the other is right, root " (root) ", depth 2. The \
             curves meet at " (p_star()) " and, necessarily, at 50 %, where an evaluation carries no information."
        },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

fn thresholds(
    results: &ExperimentResults,
    published: Option<&PrintedThreshold<'_>>,
) -> Result<Figure, ReportError> {
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
    let horizontal = |published: &PrintedThreshold<'_>| Line {
        name: "published (root not stated)".to_owned(),
        ink: Ink::Faint,
        dashed: true,
        dots: false,
        points: [-9.0, 9.0].map(|x| (x, published.percent())).to_vec(),
    };
    let ours = [line("depth 2", Ink::Third, points(2)), line("depth 3", Ink::Fourth, points(3))];
    let plot = Plot {
        x: Axis { label: "root value".into(), range: -9.0..9.0, ticks: 10, format: root },
        y: Axis { label: "threshold p* (%)".into(), range: 0.0..50.0, ticks: 6, format: percent },
        lines: ours.into_iter().chain(published.map(horizontal)).collect(),
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: text::describe(results, published),
        caption: html! {
            "The error rate below which Minimax is superior, " (results.widths()) " at every level. A root without a point \
             has no threshold between 0 and 50 %."
        },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

fn table(results: &ExperimentResults, depth: usize, published: Option<&PrintedThreshold<'_>>) -> Table {
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
    let note = |published: &PrintedThreshold<'_>| {
        let ratio = published.ratio.map_or_else(String::new, |ratio| {
            format!(", N(I2)/N(I4) almost {}", ratio.entry.published.text())
        });
        format!("Published: p* about {} %{ratio}.", published.text())
    };
    Table {
        id: format!("thresholds-depth{depth}"),
        title: format!(
            "Thresholds of depth {depth}, {}",
            widths(results.of_depth(depth).map(|model| &model.model))
        ),
        columns,
        rows: results.of_depth(depth).filter_map(row).collect(),
        notes: published.map(note).into_iter().collect(),
    }
}

/// A polynomial in p.
fn in_p(polynomial: &Polynomial) -> Markup {
    let text = polynomial.to_string().replace(" - ", " − ");
    let pieces: Vec<Markup> = text.split('p').map(|piece| html! { (piece) }).collect();
    html! {
        @for (index, piece) in pieces.iter().enumerate() {
            @if index > 0 { (var("p")) }
            (piece)
        }
    }
}
