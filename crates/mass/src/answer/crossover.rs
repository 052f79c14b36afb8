//! What `crossover` answers: the uniform error rates at which two rules are equally good.

use num_bigint::{BigInt, BigUint};
use prodmax_enumerate::Model;
use prodmax_number::fraction::{decimal, to_f64};
use prodmax_number::roots::Root;
use prodmax_number::{Count, Enclosure, Figure, Fraction};
use prodmax_output::answer::{Answer, Checks, Listed, Rows, View};
use prodmax_output::{Cell, Column, Table};
use prodmax_rules::ByRule;
use serde::Serialize;

use super::naming::{Naming, name};
use super::{ModelKeys, by_rule, charts};
use crate::arithmetic::ErrorPolynomial;
use crate::crossover::{Crossover, IntervalCounts};
use crate::kind::CERTIFIED_BITS;

/// Decimals of a threshold.
const PLACES: u32 = 12;

/// Decimals that the interval of an irrational threshold fixes.
const CERTAIN_PLACES: u32 = 20;

/// The error rates at which two rules err equally often on a model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CrossoverAnswer {
    #[serde(flatten)]
    model: ModelKeys,
    /// ordered trees
    trees: Count,
    /// the two rules, the one that chooses M first
    rules: [String; 2],
    /// ordered trees in which the two rules choose different moves
    critical: Count,
    /// the error mass of each rule as a polynomial in the error rate p
    errors: ByRule<PolynomialAnswer>,
    /// the second rule's error mass minus the first rule's
    difference: PolynomialAnswer,
    /// whether both err equally often at every p
    always_equal: bool,
    /// the error rates strictly between 0 and 1/2 at which both err equally often
    thresholds: Vec<ThresholdAnswer>,
    /// where the draw value lies in the critical trees, at depth 2
    intervals: Option<Intervals>,
    /// N(I2) / N(I4), at depth 2
    ratio: Option<Figure>,
    /// p* = N(I4) / (N(I2) + N(I4)), formula (7), at depth 2
    threshold: Option<Figure>,
    /// whether p* is the root of the polynomials between 0 and 1/2, or there is none in either way; null at other depths
    formula_7: Option<bool>,
    #[serde(skip)]
    of: Model,
    #[serde(skip)]
    rates: Crossover,
}

/// A polynomial in the error rate.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PolynomialAnswer {
    /// its integer coefficients, by ascending powers: decimal strings, as doubles cannot hold them
    coefficients: Vec<String>,
    /// what they are divided by, a decimal string
    denominator: String,
}

impl From<&ErrorPolynomial> for PolynomialAnswer {
    fn from(polynomial: &ErrorPolynomial) -> Self {
        Self {
            coefficients: polynomial.numerator().coefficients().iter().map(ToString::to_string).collect(),
            denominator: polynomial.denominator().to_string(),
        }
    }
}

/// An error rate at which both rules are equally good.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThresholdAnswer {
    /// the error rate
    p: Figure,
}

impl From<&Root> for ThresholdAnswer {
    fn from(root: &Root) -> Self {
        let p = match root.exact() {
            Some(exact) => Figure::Fraction(exact.clone()),
            None => {
                let radius = (&root.high - &root.low) / BigInt::from(2);
                let [middle, radius] =
                    [root.middle(), radius].map(|number| Enclosure::of(&number, CERTIFIED_BITS));
                Figure::Enclosed(middle.widened(&radius))
            }
        };
        Self { p }
    }
}

/// N(I1) to N(I5): leaves on the draw value count half to either side, so they may be fractions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(non_snake_case, reason = "the papers' names")]
pub struct Intervals {
    /// critical trees with the draw value in I1
    I1: Figure,
    /// critical trees with the draw value in I2
    I2: Figure,
    /// critical trees with the draw value in I3
    I3: Figure,
    /// critical trees with the draw value in I4
    I4: Figure,
    /// critical trees with the draw value in I5
    I5: Figure,
}

impl From<&IntervalCounts> for Intervals {
    fn from(counts: &IntervalCounts) -> Self {
        let of = |k: usize| match counts.get(k) {
            whole if whole.is_integer() => Figure::Integer(whole.to_integer()),
            part => Figure::Fraction(part.clone()),
        };
        Self { I1: of(1), I2: of(2), I3: of(3), I4: of(4), I5: of(5) }
    }
}

impl CrossoverAnswer {
    /// The answer for a model and two rules by their names.
    pub fn new(model: &Model, rules: [String; 2], critical: BigUint, rates: Crossover) -> Self {
        let intervals = rates.intervals.as_ref();
        let mass = [&rates.mass.first_error, &rates.mass.second_error];
        Self {
            model: model.into(),
            trees: model.trees().into(),
            critical: critical.into(),
            errors: by_rule(&rules, mass),
            difference: (&rates.difference).into(),
            always_equal: rates.always_equal(),
            thresholds: rates.thresholds.iter().map(Into::into).collect(),
            intervals: intervals.map(Into::into),
            ratio: intervals.and_then(IntervalCounts::ratio).map(Figure::Fraction),
            threshold: intervals.and_then(IntervalCounts::threshold).map(Figure::Fraction),
            formula_7: formula_7(&rates),
            rules,
            of: model.clone(),
            rates,
        }
    }
}

/// Whether formula (7) gives the root of the polynomials; `None` if there are no intervals. Its p* must be the
/// only threshold if it lies strictly between 0 and 1/2, and there must be none otherwise.
fn formula_7(rates: &Crossover) -> Option<bool> {
    let by_counts = rates.intervals.as_ref()?.threshold();
    let half = Fraction::new(1.into(), 2.into());
    let zero = Fraction::from_integer(0.into());
    let expected: Vec<_> = by_counts.iter().filter(|p| zero < **p && **p < half).collect();
    // If N(I2) = N(I4) = 0, or the masses are equal for every p, there is nothing to find.
    let found: Option<Vec<_>> = rates.thresholds.iter().map(Root::exact).collect();
    Some(found.is_some_and(|found| found == expected))
}

/// The answers of `crossover` for one model or several.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct CrossoverAnswers(pub Listed<CrossoverAnswer>);

impl Answer for CrossoverAnswers {
    fn view(&self) -> View {
        let all = self.0.all();
        let naming = Naming::of(all.iter().map(|answer| &answer.of));
        let mut tables = vec![thresholds(all, naming)];
        tables.extend(intervals(all, naming));
        tables.push(polynomials(all, naming));
        let roots = |answer: &CrossoverAnswer| {
            answer.rates.thresholds.iter().map(|root| to_f64(&root.middle())).collect()
        };
        let drawing = charts::thresholds(all.iter().map(|answer| (&answer.of, roots(answer))));
        let holds = all.iter().all(|answer| answer.formula_7 != Some(false));
        View { tables, drawing: Some(drawing), checks: Some(Checks { holds, junit: None }) }
    }
}

fn thresholds(all: &[CrossoverAnswer], naming: Naming) -> Table {
    let lines: Vec<(&CrossoverAnswer, Option<&Root>)> = all
        .iter()
        .flat_map(|answer| {
            let every = answer.always_equal.then_some(None);
            every.into_iter().chain(answer.rates.thresholds.iter().map(Some)).map(move |root| (answer, root))
        })
        .collect();
    let title = "Error rates strictly between 0 and 1/2 at which both rules err equally often";
    let mut rows = Rows::new("thresholds", title, lines.iter().collect());
    rows.columns(naming.columns(), |(answer, _)| naming.cells(&answer.of));
    // The interval of an irrational threshold is narrow, but does not fix every digit that can be asked for.
    let certain = |root: &Root, part: Fraction, places: u32, most: u32| {
        let is_exact = root.exact().is_some();
        Cell::figure(places as usize, move |places| {
            decimal(&part, if is_exact { places as u32 } else { most.min(places as u32) })
        })
    };
    rows.column(Column::right("p"), |(_, root)| match root {
        None => "every".into(),
        Some(root) => root.exact().map_or_else(|| "irrational".to_owned(), ToString::to_string).into(),
    });
    rows.column(Column::right("decimal"), |(_, root)| {
        root.map_or_else(|| "-".into(), |root| certain(root, root.middle(), PLACES, CERTAIN_PLACES))
    });
    rows.column(Column::right("percent"), |(_, root)| {
        let percent = |root: &Root| certain(root, root.middle() * BigInt::from(100), 6, CERTAIN_PLACES - 2);
        root.map_or_else(|| "-".into(), percent)
    });
    rows.notes(all.iter().filter_map(|answer| {
        let (root, increments) = name(&answer.of);
        let what = match (answer.always_equal, answer.thresholds.is_empty()) {
            (true, _) => "both rules are equally good at every p",
            (false, true) => "there is none",
            (false, false) => return None,
        };
        Some(format!("Root {root}, increments {increments}: {what}."))
    }));
    rows.table()
}

/// Formula (7), for the models for which it is stated.
fn intervals(all: &[CrossoverAnswer], naming: Naming) -> Option<Table> {
    let counted: Vec<(&CrossoverAnswer, &IntervalCounts)> =
        all.iter().filter_map(|answer| Some((answer, answer.rates.intervals.as_ref()?))).collect();
    if counted.is_empty() {
        return None;
    }
    let title =
        "Formula (7): where the draw value lies in the critical trees, and p* = N(I4) / (N(I2) + N(I4))";
    let mut rows = Rows::new("intervals", title, counted.iter().collect());
    rows.columns(naming.columns(), |(answer, _)| naming.cells(&answer.of));
    for k in 1..=5 {
        let column = Column::right(format!("N(I{k})")).at(["intervals".to_owned(), format!("I{k}")]);
        rows.column(column, |(_, counts)| counts.get(k).into());
    }
    rows.column(Column::right("N(I2)/N(I4)").at(["ratio"]), |(answer, _)| {
        answer.ratio.as_ref().map_or_else(|| "-".into(), |ratio| Cell::of(Some(ratio), 4))
    });
    rows.column(Column::right("p*").at(["threshold"]), |(_, counts)| {
        counts.threshold().map_or_else(|| "-".into(), Cell::from)
    });
    rows.column(Column::right("formula (7)").at(["formula_7"]), |(answer, _)| {
        if answer.formula_7 == Some(true) { "holds" } else { "does not hold" }.into()
    });
    Some(rows.table())
}

fn polynomials(all: &[CrossoverAnswer], naming: Naming) -> Table {
    let lines: Vec<(&CrossoverAnswer, String, &ErrorPolynomial)> = all
        .iter()
        .flat_map(|answer| {
            let [first, second] = &answer.rules;
            let mass = &answer.rates.mass;
            [
                (answer, format!("{first} error"), &mass.first_error),
                (answer, format!("{second} error"), &mass.second_error),
                (answer, "difference".to_owned(), &answer.rates.difference),
            ]
        })
        .collect();
    let favoured = all.first().map_or("minimax", |first| &first.rules[0]);
    let title = format!(
        "Error masses over all ordered trees at a uniform error rate p (difference above 0: {favoured} errs less)"
    );
    let mut rows = Rows::new("polynomials", title, lines.iter().collect());
    rows.columns(naming.columns(), |(answer, ..)| naming.cells(&answer.of));
    rows.column(Column::left("what"), |(_, what, _)| what.clone().into());
    rows.column(Column::left("polynomial in p"), |(.., polynomial)| match polynomial.denominator() {
        one if one == BigInt::from(1) => polynomial.numerator().to_string().into(),
        power => format!("({}) / {power}", polynomial.numerator()).into(),
    });
    rows.table()
}
