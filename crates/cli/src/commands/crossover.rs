//! `prodmax crossover`: the uniform error rate at which one rule overtakes the other.

use clap::Args;
use num_bigint::{BigInt, BigUint};
use prodmax_enumerate::{Model, Plan};
use prodmax_jobs::Effort;
use prodmax_mass::arithmetic::ErrorPolynomial;
use prodmax_mass::effort::{MeasureWork, NumberCost, in_memory};
use prodmax_mass::{Contestant, Critical, Crossover as Rates, Curve, CurveTable, Forest, IntervalCounts};
use prodmax_number::Fraction;
use prodmax_number::fraction::{decimal, outwards, to_f64};
use prodmax_number::roots::Root;
use prodmax_rules::{Leaves, RuleList, RulePair};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::Run;
use crate::context::Context;
use crate::effort::{self, Naming};
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::model_args::ModelArgs;
use crate::output::{Cell, Column, CommandResult, Output, Table};
use prodmax_mass::answer::charts;

/// Decimals of a threshold.
const PLACES: u32 = 12;

/// Decimals of an irrational threshold that are certain.
const CERTAIN_PLACES: u32 = 20;

/// Find the error rate at which one rule overtakes the other, Minimax and Product unless named, exactly.
///
/// If every leaf is evaluated wrongly with the same probability p, the error mass
/// of each rule is a polynomial in p with whole coefficients. Minimax is superior
/// where Product's is greater. This command prints both, their difference, and
/// every p between 0 and 1/2 at which they are equal: as a fraction where it is
/// rational, else in an interval that contains it alone. Where the rules never
/// choose differently (at depth 1, say), they are equally good at every p.
///
/// In binary trees of depth 2 it also counts in which interval I1 … I5 of P2 <= M2 <= M1 <= P1 the
/// draw value lies, over all critical trees. Formula (7) of KHS says that Minimax
/// is superior if (1-p) N(I4) > p N(I2), so the threshold is
/// p* = N(I4) / (N(I2) + N(I4)). The command fails (exit status 1) if that is not
/// the root of the polynomials, which know nothing about intervals. A leaf of value 0
/// (--zero allow) counts half above and half below the draw value.
///
/// --branching B gives every node B moves; the polynomials have a degree of up to twice
/// the leaves below a move of the root, and formula (7) is about two moves only.
///
/// --rules sets any two rules against each other; the first one takes the place of
/// Minimax. Formula (7) is about Minimax and Product only. The ideal rule is
/// refused: its choices change with p.
///
/// Examples:
///
///     prodmax crossover --root -3 --increments 8,8
///
/// gives 1/35; KHS report about 4.8 % without naming the root.
///
///     prodmax crossover --root -1 --increments 3,3,3
///
/// does the same at depth 3.
///
///     prodmax crossover --root -3 --increments 8,8 --rules minimax,mean:4
///
/// puts means in the place of Product.
///
///     prodmax crossover --root -8..8 --increments 8,8 --format svg -o thresholds.svg
///
/// draws the thresholds over the roots.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Crossover {
    #[command(flatten)]
    models: ModelArgs,

    /// Product's estimate of the probability of winning [default: arctan:1, or what the spec says]
    #[arg(long, value_name = "CURVE")]
    estimate: Option<Curve>,

    /// The two rules [default: minimax,product, or those of the spec]; see prodmax rules
    #[arg(long, value_name = "FIRST,SECOND")]
    rules: Option<RulePair>,
}

struct Found {
    /// The names of the rules if they were named.
    rules: Option<[String; 2]>,
    model: Model,
    critical: BigUint,
    rates: Rates,
}

impl Run for Crossover {
    fn files(&self) -> Files {
        self.models.files()
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let models = self.models.models()?;
        let named = self.rules.clone().or_else(|| models.settings().rules.as_ref().map(RuleList::pair));
        let is_named = named.is_some();
        let pair = named.unwrap_or_default();
        if let Some(named) = pair.named().iter().find(|named| named.rule.leaves() == Leaves::Truth) {
            return Err(Error::RuleSeesTruth { rule: named.name.clone() });
        }
        for model in models.iter() {
            effort::check(model)?;
        }
        let estimate = self.estimate.as_ref().or(models.settings().estimate.as_ref());
        let estimate = estimate.cloned().unwrap_or_else(|| Curve::arctan(1));
        let all: Vec<&Model> = models.iter().collect();
        let work = MeasureWork { rankings: 2, contests: 1, numbers: NumberCost::Polynomials };
        let efforts = all.iter().map(|model| in_memory(model, &Plan::of(model), &work));
        let effort = Effort::in_parallel(efforts, rayon::current_num_threads());
        let instead = "use smaller increments, or ask for one error rate, e.g. prodmax mass --truth uniform:1/20, which \
                       works block by block";
        let _meter = guard::admit(context, &effort::names(&all), effort, instead)?;
        let found = all
            .par_iter()
            .map(|model| find(model, &estimate, &pair, is_named))
            .collect::<Result<Vec<_>, _>>()?;
        let value = models.json(found.iter().map(Found::json));
        let holds = found.iter().all(|found| found.formula_7() != Some(false));
        let output = Output { holds, ..Output::figures(value, tables(&found)) };
        let thresholds =
            |found: &Found| found.rates.thresholds.iter().map(|root| to_f64(&root.middle())).collect();
        let drawing = charts::thresholds(found.iter().map(|found| (&found.model, thresholds(found))));
        Ok(CommandResult::Figures(output.drawn(drawing)))
    }

    fn draws(&self) -> bool {
        true
    }
}

fn find(model: &Model, estimate: &Curve, pair: &RulePair, is_named: bool) -> Result<Found, Error> {
    let estimate = CurveTable::new(estimate.clone(), model.line().h_max());
    let failed = |source: prodmax_mass::MassError| {
        let (root, increments) = effort::name(model);
        Error::Measure { root, increments, source: source.into() }
    };
    let [first, second] = pair.rules().map(|rule| Contestant::through(rule, &estimate));
    let forest = Forest::of(model).map_err(|error| failed(error.into()))?;
    let critical = Critical::between(forest, [&first, &second]).map_err(failed)?;
    let rates = if pair.is_khs() { Rates::of(&critical) } else { Rates::between(&critical) };
    let rules = is_named.then(|| pair.names().map(str::to_owned));
    Ok(Found { rules, model: model.clone(), critical: critical.counts().critical, rates })
}

impl Found {
    /// Whether formula (7) gives the root of the polynomials; `None` if there are no intervals. Its p* must be the
    /// only threshold if it lies strictly between 0 and 1/2, and there must be none otherwise.
    fn formula_7(&self) -> Option<bool> {
        let by_counts = self.rates.intervals.as_ref()?.threshold();
        let half = Fraction::new(1.into(), 2.into());
        let zero = Fraction::from_integer(0.into());
        let expected: Vec<_> = by_counts.iter().filter(|p| zero < **p && **p < half).collect();
        let by_roots: Vec<_> = self.rates.thresholds.iter().map(Root::exact).collect();
        // If N(I2) = N(I4) = 0, or the masses are equal for every p, there is nothing to find.
        let found: Option<Vec<_>> = by_roots.into_iter().collect();
        Some(found.is_some_and(|found| found == expected))
    }

    fn json(&self) -> Value {
        let rates = &self.rates;
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        put("root", json!(self.model.root().get()));
        put("increments", json!(self.model.increments()));
        put("zero", json!(self.model.line().zero().to_string()));
        put("h_max", json!(self.model.line().h_max()));
        put("trees", json!(self.model.trees().to_string()));
        if let Some(rules) = &self.rules {
            put("rules", json!(rules));
        }
        put("critical", json!(self.critical.to_string()));
        let (first, second) =
            (polynomial_json(&rates.mass.first_error), polynomial_json(&rates.mass.second_error));
        match &self.rules {
            None => {
                put("minimax_error", first);
                put("product_error", second);
            }
            Some(names) => {
                let errors = names.iter().cloned().zip([first, second]).collect();
                put("errors", Value::Object(errors));
            }
        }
        put("difference", polynomial_json(&rates.difference));
        put("always_equal", json!(rates.always_equal()));
        put("thresholds", rates.thresholds.iter().map(root_json).collect());
        let intervals = rates.intervals.as_ref();
        let by_interval = |counts: &IntervalCounts| {
            let counted = (1..=5).map(|k| (format!("I{k}"), number(counts.get(k))));
            Value::Object(counted.collect())
        };
        put("intervals", json!(intervals.map(by_interval)));
        put("ratio", json!(intervals.and_then(IntervalCounts::ratio).as_ref().map(fraction_json)));
        put("threshold", json!(intervals.and_then(IntervalCounts::threshold).as_ref().map(fraction_json)));
        put("formula_7", json!(self.formula_7()));
        effort::put_branching(&mut object, &self.model);
        Value::Object(object)
    }

    /// The names of both rules.
    fn names(&self) -> [&str; 2] {
        self.rules.as_ref().map_or(["minimax", "product"], |names| names.each_ref().map(String::as_str))
    }

    fn name(&self, naming: Naming) -> Vec<Cell> {
        naming.cells(&self.model)
    }
}

/// A whole number as a number, any other as `p/q`.
fn number(value: &Fraction) -> Value {
    match i64::try_from(value.numer()) {
        Ok(small) if value.is_integer() => json!(small),
        _ => json!(value.to_string()),
    }
}

fn fraction_json(value: &Fraction) -> Value {
    json!({ "fraction": value.to_string(), "decimal": prodmax_number::fraction::to_f64(value) })
}

fn root_json(root: &Root) -> Value {
    let [low, high] = outwards(&root.low, &root.high, 20);
    json!({
        "fraction": root.exact().map(ToString::to_string),
        "low": low,
        "high": high,
        "decimal": prodmax_number::fraction::to_f64(&root.middle()),
    })
}

/// Coefficients ascending, as decimal strings: they do not fit into doubles.
fn polynomial_json(polynomial: &ErrorPolynomial) -> Value {
    let coefficients: Vec<_> =
        polynomial.numerator().coefficients().iter().map(ToString::to_string).collect();
    json!({ "coefficients": coefficients, "denominator": polynomial.denominator().to_string() })
}

fn tables(found: &[Found]) -> Vec<Table> {
    let naming = Naming::of(found.iter().map(|found| &found.model));
    let mut tables = vec![thresholds(found, naming)];
    if found.iter().any(|found| found.rates.intervals.is_some()) {
        tables.push(intervals(found, naming));
    }
    tables.push(polynomials(found, naming));
    tables
}

fn head(naming: Naming, numbers: &[&str]) -> Vec<Column> {
    naming.columns().into_iter().chain(numbers.iter().map(|&name| Column::right(name))).collect()
}

fn thresholds(found: &[Found], naming: Naming) -> Table {
    let row = |found: &Found, cells: [Cell; 3]| {
        let mut row = found.name(naming);
        row.extend(cells);
        row
    };
    let at = |root: &Root| {
        let percent = root.middle() * BigInt::from(100);
        let fraction = root.exact().map_or_else(|| "irrational".to_owned(), ToString::to_string);
        // The interval of an irrational threshold is narrow, but does not fix every digit that can be asked for.
        let certain = |part: Fraction, most: u32| {
            let is_exact = root.exact().is_some();
            move |places: usize| {
                decimal(&part, if is_exact { places as u32 } else { most.min(places as u32) })
            }
        };
        [
            fraction.into(),
            Cell::figure(PLACES as usize, certain(root.middle(), CERTAIN_PLACES)),
            Cell::figure(6, certain(percent, CERTAIN_PLACES - 2)),
        ]
    };
    let rows = |found: &Found| -> Vec<_> {
        if found.rates.always_equal() {
            return vec![row(found, ["every", "-", "-"].map(Cell::from))];
        }
        found.rates.thresholds.iter().map(|root| row(found, at(root))).collect()
    };
    let note = |found: &Found| {
        let (root, increments) = effort::name(&found.model);
        let what = match (found.rates.always_equal(), found.rates.thresholds.is_empty()) {
            (true, _) => "both rules are equally good at every p",
            (false, true) => "there is none",
            (false, false) => return None,
        };
        Some(format!("Root {root}, increments {increments}: {what}."))
    };
    Table {
        id: "thresholds".to_owned(),
        title: "Error rates strictly between 0 and 1/2 at which both rules err equally often".to_owned(),
        columns: head(naming, &["p", "decimal", "percent"]),
        rows: found.iter().flat_map(rows).collect(),
        notes: found.iter().filter_map(note).collect(),
    }
}

fn intervals(found: &[Found], naming: Naming) -> Table {
    let row = |found: &Found| {
        let counts = found.rates.intervals.as_ref()?;
        let mut row = found.name(naming);
        row.extend(counts.all().iter().map(Cell::from));
        row.push(counts.ratio().map_or_else(|| "-".into(), |ratio| Cell::of(Some(&ratio.into()), 4)));
        row.push(counts.threshold().map_or_else(|| "-".into(), Cell::from));
        row.push(if found.formula_7() == Some(true) { "holds" } else { "does not hold" }.into());
        Some(row)
    };
    let mut columns = head(naming, &[]);
    columns.extend(
        (1..=5).map(|k| Column::right(format!("N(I{k})")).at(["intervals".to_owned(), format!("I{k}")])),
    );
    columns.extend([
        Column::right("N(I2)/N(I4)").at(["ratio", "decimal"]),
        Column::right("p*").at(["threshold", "decimal"]),
        Column::right("formula (7)").at(["formula_7"]),
    ]);
    Table {
        id: "intervals".to_owned(),
        title:
            "Formula (7): where the draw value lies in the critical trees, and p* = N(I4) / (N(I2) + N(I4))"
                .to_owned(),
        columns,
        rows: found.iter().filter_map(row).collect(),
        notes: Vec::new(),
    }
}

fn polynomials(found: &[Found], naming: Naming) -> Table {
    let show = |polynomial: &ErrorPolynomial| match polynomial.denominator() {
        one if one == BigInt::from(1) => polynomial.numerator().to_string(),
        power => format!("({}) / {power}", polynomial.numerator()),
    };
    let rows = found.iter().flat_map(|found| {
        let mass = &found.rates.mass;
        let [first, second] = found.names();
        let named = [
            (format!("{first} error"), &mass.first_error),
            (format!("{second} error"), &mass.second_error),
            ("difference".to_owned(), &found.rates.difference),
        ];
        named.map(|(name, polynomial)| {
            let mut row = found.name(naming);
            row.extend([Cell::from(name), show(polynomial).into()]);
            row
        })
    });
    let named = found.first().and_then(|found| found.rules.as_ref());
    let favoured = named.map_or("Minimax", |[first, _]| first);
    let mut columns = head(naming, &[]);
    columns.extend([Column::left("what"), Column::left("polynomial in p")]);
    Table {
        id: "polynomials".to_owned(),
        title: format!(
            "Error masses over all ordered trees at a uniform error rate p (difference above 0: {favoured} errs less)"
        ),
        columns,
        rows: rows.collect(),
        notes: Vec::new(),
    }
}
