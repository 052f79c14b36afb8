//! The errors of several rules over the depth of search.

use prodmax_number::Approximate;
use prodmax_pathology::{Quantity, Row, SampleResults, Sampling};
use serde_json::{Map, Value, json};

use super::tables::{cells, row_json};
use crate::error::Error;
use crate::output::{Cell, Column, Output, Table};

/// The depths at which a curve is higher than one ply before by more than two standard errors. Both figures come from
/// the same trees, so this is on the safe side.
fn rises(rows: &[Row], quantity: Quantity) -> Vec<usize> {
    let figure = |row: &Row| row.get(quantity);
    let rise = |pair: &[Row]| -> Option<usize> {
        let (before, here): (Approximate, Approximate) = (figure(&pair[0])?, figure(&pair[1])?);
        let error = before.error().hypot(here.error());
        (here.value - before.value > 2.0 * error).then_some(pair[1].d)
    };
    rows.windows(2).filter_map(rise).collect()
}

const SHOWN: [Quantity; 2] = [Quantity::PositionError, Quantity::MoveError];

/// Tables and JSON; `asked` picks the depths to print.
pub(super) fn output(results: &SampleResults, asked: impl Fn(Vec<Row>) -> Vec<Row>) -> Result<Output, Error> {
    let Some(by_rules) = &results.spec.by_rules else { return Ok(Output::figures(Value::Null, Vec::new())) };
    let names: Vec<&str> = by_rules.rules.named().iter().map(|named| named.name.as_str()).collect();
    let curves = results.curves()?;
    let of_rule = |(name, rows): (&&str, &Vec<Row>)| {
        let rises: Map<String, Value> = SHOWN
            .map(|quantity| (quantity.name().to_owned(), json!(rises(rows, quantity))))
            .into_iter()
            .collect();
        let rows: Vec<Value> = asked(rows.clone()).iter().map(|row| row_json(row, &SHOWN)).collect();
        json!({ "rule": name, "rows": rows, "rises": rises })
    };
    let Sampling { trees, first_tree, seed, repetitions } = results.spec.sampling();
    let value = json!({
        "model": results.spec.model,
        "scale": by_rules.scale,
        "sample": { "trees": trees, "first_tree": first_tree, "seed": seed, "repetitions": repetitions },
        "rules": names.iter().zip(&curves).map(of_rule).collect::<Vec<_>>(),
    });
    let trees = results.finished.count();
    let scale = by_rules.scale;
    let errors = Table {
        id: "pathology-rules".to_owned(),
        title: format!(
            "Errors at the root by rule, {trees} trees sampled: b = {}, sigma_e = {}, {} values, probabilities 1/(1 + e^(-v/{scale}))",
            results.spec.model.b, results.spec.model.sigma_e, results.spec.model.values.name(),
        ),
        columns: vec![
            Column::left("rule"),
            Column::right("d"),
            Column::right("position error"),
            Column::right("position error: s.e.").with_terminal("s.e."),
            Column::right("move error"),
            Column::right("move error: s.e.").with_terminal("s.e."),
        ],
        rows: names
            .iter()
            .zip(&curves)
            .flat_map(|(name, rows)| {
                asked(rows.clone()).into_iter().map(|row| {
                    let figures = SHOWN.into_iter().flat_map(|quantity| cells(row.get(quantity)));
                    [Cell::from(*name), row.d.into()].into_iter().chain(figures).collect()
                })
            })
            .collect(),
        notes: vec![
            "The position error is measured on probabilities: between a rule's value of the root and the probability \
             that belongs to its true value."
                .to_owned(),
        ],
    };
    Ok(Output::figures(value, vec![errors, summary(&names, &curves)]))
}

/// Where deeper search hurts, rule by rule.
fn summary(names: &[&str], curves: &[Vec<Row>]) -> Table {
    let row = |(name, rows): (&&str, &Vec<Row>)| {
        let value = |row: Option<&Row>| {
            row.and_then(|row| row.get(Quantity::MoveError)).map_or("-".into(), |f| Cell::decimal(f.value, 6))
        };
        let moves = rows.iter().filter(|row| row.get(Quantity::MoveError).is_some());
        let of = |row: &Row| row.get(Quantity::MoveError).map_or(f64::NAN, |figure| figure.value);
        let best = moves.min_by(|one, two| of(one).total_cmp(&of(two)));
        let listed = |quantity| {
            let depths: Vec<String> = rises(rows, quantity).iter().map(usize::to_string).collect();
            Cell::from(if depths.is_empty() { "-".to_owned() } else { depths.join(",") })
        };
        vec![
            Cell::from(*name),
            value(rows.get(1)),
            value(rows.last()),
            best.map_or("-".into(), |row| row.d.into()),
            listed(Quantity::MoveError),
            listed(Quantity::PositionError),
        ]
    };
    Table {
        id: "pathology-rules-summary".to_owned(),
        title: "Where deeper search hurts".to_owned(),
        columns: vec![
            Column::left("rule"),
            Column::right("move error at 1"),
            Column::right("move error at d_max"),
            Column::right("least at"),
            Column::left("move error rises at"),
            Column::left("position error rises at"),
        ],
        rows: names.iter().zip(curves).map(row).collect(),
        notes: vec![
            "Depths are listed if the rise from the depth before exceeds two standard errors.".to_owned(),
        ],
    }
}
