//! The formulas against the enumerated masses of models.

use num_bigint::BigInt;
use prodmax_cases::depth2::Interval;
use prodmax_cases::depth3::{DRAW_POSITIONS, OrderType};
use prodmax_check::verify::{self, Verification, VerifyError, Weights};
use prodmax_enumerate::Model;
use prodmax_jobs::Effort;
use prodmax_mass::arithmetic::ErrorPolynomial;
use prodmax_mass::{Curve, Mass};
use prodmax_number::Fraction;
use serde_json::{Value, json};

use crate::context::Context;
use crate::effort;
use crate::error::Error;
use crate::formula_text::{coefficients, exact, integer, optional, power_cells, power_columns, trees};
use crate::guard;
use crate::model_args::Models;
use crate::output::{Cell, Column, Output, Table};

/// Verifies all models, those of a spec with its own estimate unless one is given.
pub(super) fn output(context: &Context, models: &Models, estimate: Option<&Curve>) -> Result<Output, Error> {
    let estimate =
        estimate.or(models.settings().estimate.as_ref()).cloned().unwrap_or_else(|| Curve::arctan(1));
    // All models are checked before the first is enumerated, so that a refusal comes at once.
    for model in models.iter() {
        effort::check(model)?;
        verify::check(model).map_err(|source| named(model, source))?;
    }
    let all: Vec<&Model> = models.iter().collect();
    let effort = all.iter().map(|model| verify::effort(model)).fold(Effort::NONE, Effort::then);
    let meter = guard::admit(context, &effort::names(&all), effort, "use smaller increments")?;
    let one = |(number, model): (usize, &&Model)| {
        let verification = verify::verify(model, &estimate).map_err(|source| named(model, source))?;
        if all.len() > 1 {
            meter.show(number as u64 + 1, all.len() as u64);
        }
        Ok(Verified { model: (*model).clone(), verification })
    };
    let verified: Result<Vec<_>, Error> = all.iter().enumerate().map(one).collect();
    let verified = verified?;
    let value = models.json(verified.iter().map(|one| one.value(&estimate)));
    let holds = verified.iter().all(|one| one.verification.holds());
    Ok(Output { holds, ..Output::figures(value, tables(&verified, &estimate)) })
}

fn named(model: &Model, source: VerifyError) -> Error {
    let (root, increments) = effort::name(model);
    Error::Verify { root, increments, source }
}

struct Verified {
    model: Model,
    verification: Verification,
}

impl Verified {
    fn value(&self, estimate: &Curve) -> Value {
        let verification = &self.verification;
        let sides = &verification.sides;
        let mut value = json!({
            "root": self.model.root().get(),
            "increments": self.model.increments(),
            "zero": self.model.line().zero().to_string(),
            "h_max": self.model.line().h_max(),
            "estimate": estimate.to_string(),
            "holds": verification.holds(),
            "critical": integer(&BigInt::from(verification.critical.clone())),
            "formulas": mass(&sides.cases),
            "enumerated": mass(&sides.enumerated),
        });
        match &verification.weights {
            Weights::Intervals(intervals) => {
                value["intervals"] = intervals.counts.iter().map(trees).collect();
                value["intervals_enumerated"] = intervals.enumerated.iter().flatten().map(trees).collect();
                value["threshold"] = optional(intervals.condition7.threshold().as_ref());
            }
            Weights::OrderTypes(types) => {
                let count = |(order, below, count): &(OrderType, usize, Fraction)| json!({"type": order.index(), "below": below, "trees": trees(count)});
                value["draw_positions"] = types.by_draw_position().iter().map(trees).collect();
                value["impossible_types"] = types.impossible.iter().map(OrderType::index).collect();
                value["types"] = types.counts.iter().map(count).collect();
            }
        }
        value
    }

    /// Root, increments and zero: the first columns of every row.
    fn name(&self) -> Vec<Cell> {
        let (root, increments) = effort::name(&self.model);
        vec![root.into(), increments.into(), self.model.line().zero().into()]
    }

    /// The coefficients of both sides, mass by mass, one below the other.
    fn rows(&self, degree: usize) -> impl Iterator<Item = Vec<Cell>> {
        let sides = &self.verification.sides;
        let rows = [
            ("Minimax", "formulas", &sides.cases.first_error),
            ("Minimax", "enumerated", &sides.enumerated.first_error),
            ("Product", "formulas", &sides.cases.second_error),
            ("Product", "enumerated", &sides.enumerated.second_error),
        ];
        rows.into_iter().map(move |(rule, side, polynomial)| {
            let mut row = self.name();
            row.extend([rule.into(), side.into()]);
            row.extend(power_cells(polynomial.numerator(), &polynomial.denominator(), degree));
            row
        })
    }

    fn verdict(&self) -> Cell {
        if self.verification.holds() { "holds" } else { "FAILS" }.into()
    }
}

fn mass(mass: &Mass<ErrorPolynomial>) -> Value {
    let polynomial = |polynomial: &ErrorPolynomial| {
        json!({
            "coefficients": coefficients(polynomial.numerator()),
            "denominator": integer(&polynomial.denominator()),
        })
    };
    json!({"minimax_errs": polynomial(&mass.first_error), "product_errs": polynomial(&mass.second_error)})
}

fn tables(verified: &[Verified], estimate: &Curve) -> Vec<Table> {
    let degree = verified.iter().map(|one| 1 << one.model.depth()).max().unwrap_or_default();
    let mut tables = Vec::from_iter(interval_table(verified, estimate));
    tables.extend(type_table(verified, estimate));
    let columns =
        name_columns().chain([Column::left("errs"), Column::left("side")]).chain(power_columns(degree));
    let fails = verified.iter().filter(|one| !one.verification.holds()).count();
    tables.push(Table {
        id: "coefficients".to_owned(),
        title: "Error masses as polynomials in p: the weighted formulas and the enumeration".to_owned(),
        columns: columns.collect(),
        rows: verified.iter().flat_map(|one| one.rows(degree)).collect(),
        notes: vec![match fails {
            0 => "Both sides are equal in every coefficient.".to_owned(),
            _ => format!("The two sides contradict each other in {fails} of {} models.", verified.len()),
        }],
    });
    tables
}

fn name_columns() -> impl Iterator<Item = Column> {
    [Column::right("root"), Column::left("increments"), Column::left("zero")].into_iter()
}

/// N(I1) to N(I5) of the models of depth 2, and the threshold of condition (7).
fn interval_table(verified: &[Verified], estimate: &Curve) -> Option<Table> {
    let row = |one: &Verified| {
        let Weights::Intervals(intervals) = &one.verification.weights else { return None };
        let mut row = one.name();
        row.push(one.verification.critical.clone().into());
        row.extend(intervals.counts.iter().map(exact));
        row.push(intervals.condition7.threshold().as_ref().map_or_else(|| "".into(), exact));
        row.push(one.verdict());
        Some(row)
    };
    let rows: Vec<_> = verified.iter().filter_map(row).collect();
    let counts = Interval::ALL.map(|interval| {
        Column::right(format!("N({interval})")).with_latex(format!("$N(I_{})$", interval.number()))
    });
    let columns = name_columns().chain([Column::right("critical")]).chain(counts);
    let last = [Column::right("threshold p*").with_latex("threshold $p^*$"), Column::left("verdict")];
    (!rows.is_empty()).then(|| Table {
        id: "intervals".to_owned(),
        title: format!("Critical trees by the interval of the draw value, estimate {estimate}"),
        columns: columns.chain(last).collect(),
        rows,
        notes: Vec::new(),
    })
}

/// The critical trees of the models of depth 3 by number of leaves below the draw value.
fn type_table(verified: &[Verified], estimate: &Curve) -> Option<Table> {
    let row = |one: &Verified| {
        let Weights::OrderTypes(types) = &one.verification.weights else { return None };
        let mut row = one.name();
        row.extend([
            one.verification.critical.clone().into(),
            types.types().into(),
            types.impossible.len().into(),
        ]);
        row.extend(types.by_draw_position().iter().map(exact));
        row.push(one.verdict());
        Some(row)
    };
    let rows: Vec<_> = verified.iter().filter_map(row).collect();
    let columns = name_columns().chain(["critical", "types met", "impossible"].map(Column::right));
    let positions = (0..DRAW_POSITIONS).map(|below| Column::right(format!("{below} below")));
    (!rows.is_empty()).then(|| Table {
        id: "types".to_owned(),
        title: format!("Critical trees by number of leaves below the draw value, estimate {estimate}"),
        columns: columns.chain(positions).chain([Column::left("verdict")]).collect(),
        rows,
        notes: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::ZeroMode;

    use super::*;

    #[test]
    fn a_contradiction_is_reported_in_every_format() {
        let model = Model::new(-3, &[8, 8], ZeroMode::Skip, 42).unwrap();
        let estimate = Curve::arctan(1);
        let mut verification = verify::verify(&model, &estimate).unwrap();
        verification.sides.cases.first_error = verification.sides.cases.second_error.clone();
        let wrong = [Verified { model, verification }];
        assert_eq!(wrong[0].value(&estimate)["holds"], json!(false));
        let tables = tables(&wrong, &estimate);
        assert_eq!(tables[0].rows[0].last().unwrap().text, "FAILS");
        assert_eq!(tables[1].notes, ["The two sides contradict each other in 1 of 1 models."]);
    }
}
