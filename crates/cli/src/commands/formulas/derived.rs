//! The formulas as they follow from the 80 cases, and their values at one p.

use prodmax_cases::depth2::{Formulas, Interval, PatternForm, Position};
use prodmax_number::{Fraction, Polynomial};
use serde_json::{Map, Value, json};

use crate::formula_text::{coefficients, exact, fraction, odds, optional, polynomial, rounded};
use crate::output::{Cell, Column, Output, Table};

const LEAVES: usize = Position::ALL.len();

/// The formulas, with their values at p if one is given.
pub(super) fn output(p: Option<&Fraction>) -> Output {
    let formulas = Formulas::derive();
    let mut value = value(&formulas);
    let mut tables = vec![formula_table(&formulas), interval_table(&formulas)];
    if let Some(p) = p {
        value.insert("at".to_owned(), values_at(&formulas, p));
        tables.push(value_table(&formulas, p));
    }
    Output::figures(Value::Object(value), tables)
}

fn value(formulas: &Formulas) -> Map<String, Value> {
    let common = formulas.common_factor();
    let intervals = Interval::ALL.map(|interval| {
        let masses = formulas.masses(interval);
        json!({
            "interval": interval.number(),
            "minimax_errs": coefficients(&masses.minimax_errs),
            "product_errs": coefficients(&masses.product_errs),
            "difference": coefficients(&masses.difference()),
        })
    });
    let condition = json!({
        "text": condition(&common.cofactors),
        "left": {"factor": coefficients(&common.cofactors[0]), "interval": Interval::I4.number()},
        "right": {"factor": coefficients(&common.cofactors[1]), "interval": Interval::I2.number()},
        "threshold": "N(I4) / (N(I2) + N(I4))",
    });
    Map::from_iter([
        ("formula5".to_owned(), coefficients(&formulas.formula5())),
        ("formula6".to_owned(), coefficients(&formulas.formula6())),
        ("g".to_owned(), coefficients(&common.factor)),
        ("cofactors".to_owned(), common.cofactors.iter().map(coefficients).collect()),
        ("condition7".to_owned(), condition),
        ("intervals".to_owned(), Value::from(intervals.to_vec())),
    ])
}

/// `(1 - p) N(I4) > p N(I2)`, from the cofactors of (5) and (6).
fn condition([of_5, of_6]: &[Polynomial; 2]) -> String {
    format!("{} N(I4) > {} N(I2)", factor(of_5), factor(of_6))
}

/// A polynomial as a factor: in brackets if it has several terms.
fn factor(polynomial: &Polynomial) -> String {
    let text = polynomial.to_string();
    if text.contains(' ') { format!("({})", text.replace(' ', "")) } else { text }
}

fn formula_table(formulas: &Formulas) -> Table {
    let common = formulas.common_factor();
    let [of_5, of_6] = common.cofactors.each_ref().map(|cofactor| format!("{} g(p)", factor(cofactor)));
    let row = |name: Cell, what: Cell, whole: &Polynomial, leaves: usize, factored: Cell| {
        vec![name, what, pattern(whole, leaves), polynomial(whole), factored]
    };
    let math = |text: String| Cell::with_latex(text.clone(), format!("${text}$"));
    let condition_7 = condition(&common.cofactors);
    let condition_latex = format!("${}$", condition_7.replace("I4", "I_4").replace("I2", "I_2"));
    let within = |text: &str, number: usize| {
        Cell::with_latex(format!("{text} I{number}"), format!("{text} $I_{number}$"))
    };
    let rows = vec![
        row("(5)".into(), within("advantage of Minimax in", 4), &formulas.formula5(), LEAVES, math(of_5)),
        row("(6)".into(), within("advantage of Product in", 2), &formulas.formula6(), LEAVES, math(of_6)),
        row(
            math("g(p)".to_owned()),
            "common factor of (5) and (6)".into(),
            &common.factor,
            LEAVES - 1,
            "".into(),
        ),
        vec![
            "(7)".into(),
            Cell::with_latex("Minimax is superior, p < 1/2", "Minimax is superior, $p < 1/2$"),
            Cell::with_latex(condition_7, condition_latex),
            "".into(),
            "".into(),
        ],
    ];
    Table {
        id: "formulas".to_owned(),
        title: "Formulas (5) to (7) under a uniform error p".to_owned(),
        columns: ["formula", "what", "by number of errors", "expanded", "factored"].map(Column::left).into(),
        rows,
        notes: vec![
            "N(I2) and N(I4) are the numbers of critical trees with the draw value in I2 and in I4; the threshold \
             of (7) is p* = N(I4) / (N(I2) + N(I4))."
                .to_owned(),
        ],
    }
}

fn pattern(whole: &Polynomial, leaves: usize) -> Cell {
    let form = PatternForm::of(whole, leaves);
    form.map_or_else(
        || polynomial(whole),
        |form| Cell::with_latex(form.to_string(), format!("${}$", form.latex())),
    )
}

fn interval_table(formulas: &Formulas) -> Table {
    let row = |interval: Interval| {
        let masses = formulas.masses(interval);
        vec![
            name(interval),
            polynomial(&masses.minimax_errs),
            polynomial(&masses.product_errs),
            polynomial(&masses.difference()),
        ]
    };
    Table {
        id: "intervals".to_owned(),
        title: "Error masses of one tree by the interval of its draw value".to_owned(),
        columns: ["interval", "Minimax errs", "Product errs", "difference"].map(Column::left).into(),
        rows: Interval::ALL.map(row).into(),
        notes: vec![
            "The difference is Product's mass minus Minimax's: positive values favour Minimax.".to_owned(),
        ],
    }
}

fn name(interval: Interval) -> Cell {
    Cell::with_latex(interval.to_string(), format!("$I_{}$", interval.number()))
}

fn values_at(formulas: &Formulas, p: &Fraction) -> Value {
    let at = |polynomial: &Polynomial| fraction(&polynomial.evaluate(p));
    let intervals = Interval::ALL.map(|interval| {
        let masses = formulas.masses(interval);
        json!({
            "interval": interval.number(),
            "minimax_errs": at(&masses.minimax_errs),
            "product_errs": at(&masses.product_errs),
            "difference": at(&masses.difference()),
        })
    });
    json!({
        "p": fraction(p),
        "formula5": at(&formulas.formula5()),
        "formula6": at(&formulas.formula6()),
        "g": at(&formulas.common_factor().factor),
        "break_even": optional(odds(p).as_ref()),
        "intervals": intervals,
    })
}

fn value_table(formulas: &Formulas, p: &Fraction) -> Table {
    let mut values: Vec<(Cell, Fraction)> = vec![
        ("(5)".into(), formulas.formula5().evaluate(p)),
        ("(6)".into(), formulas.formula6().evaluate(p)),
        (Cell::with_latex("g(p)", "$g(p)$"), formulas.common_factor().factor.evaluate(p)),
    ];
    for interval in Interval::ALL {
        let masses = formulas.masses(interval);
        for (rule, mass) in [("Minimax", &masses.minimax_errs), ("Product", &masses.product_errs)] {
            let Cell { text, latex, .. } = name(interval);
            let latex = latex.map(|latex| format!("{rule} errs in {latex}"));
            let what = Cell::from(format!("{rule} errs in {text}")).typeset(latex);
            values.push((what, mass.evaluate(p)));
        }
    }
    let break_even = Cell::with_latex(
        "N(I2) / N(I4) at which (7) is an equality",
        "$N(I_2) / N(I_4)$ at which (7) is an equality",
    );
    values.extend(odds(p).map(|odds| (break_even, odds)));
    Table {
        id: "values".to_owned(),
        title: format!("Values at p = {p}"),
        columns: vec![Column::left("what"), Column::right("exact"), Column::right("decimal")],
        rows: values.into_iter().map(|(what, value)| vec![what, exact(&value), rounded(&value)]).collect(),
        notes: beyond_half(p),
    }
}

fn beyond_half(p: &Fraction) -> Vec<String> {
    let half = Fraction::new(1.into(), 2.into());
    match p.cmp(&half) {
        std::cmp::Ordering::Less => vec![],
        std::cmp::Ordering::Equal => vec!["At p = 1/2 both rules are equally good.".to_owned()],
        std::cmp::Ordering::Greater => {
            vec!["Beyond p = 1/2 the sign of g(p) changes: (7) says when Product is superior.".to_owned()]
        }
    }
}
