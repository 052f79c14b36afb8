//! What Luštrek, Gams and Bratko say about their tables and figures.

mod formulas;

use prodmax_golden::quantity::Figures;
use prodmax_number::fraction::to_f64;
use prodmax_number::{Approximate, Uncertainty};

use super::{Claim, Decision, Evidence, Range, Truth, all, not, over};
use crate::calculator::QuantityError;

type Decided = Result<Decision, QuantityError>;

/// All of them.
pub(super) fn claims() -> impl Iterator<Item = &'static Claim> {
    TABLES.iter().chain(formulas::CLAIMS)
}

/// Sections 3, 6 and 7.
const TABLES: &[Claim] = &[
    Claim { name: "lgb.not-pathological", decide: not_pathological },
    Claim { name: "lgb.table1-beneficial", decide: |e| falls(e, &TABLE_1) },
    Claim { name: "lgb.table2-shape", decide: shape },
    Claim { name: "lgb.table3-beneficial", decide: |e| falls(e, &TABLE_3) },
    Claim { name: "lgb.table3-bounds", decide: bounds },
    Claim { name: "lgb.table4-beneficial", decide: |e| falls(e, &TABLE_4) },
    Claim { name: "lgb.table4-less-pronounced", decide: less_pronounced },
    Claim { name: "lgb.table5-beneficial", decide: |e| falls(e, &TABLE_5) },
    Claim { name: "lgb.table6-19-grains", decide: nineteen_grains },
    Claim { name: "lgb.table6-dependent-stays", decide: stays },
    Claim { name: "lgb.table6-dependent-rises", decide: |e| grains_rise(e, "dependent") },
    Claim { name: "lgb.table6-independent-rises", decide: |e| grains_rise(e, "independent") },
    Claim { name: "lgb.table7-static-move-error", decide: static_move_error },
    Claim { name: "lgb.table8-differences", decide: differences },
    Claim { name: "lgb.table9-pathology", decide: constant_move_error },
    Claim { name: "lgb.table9-strengthens", decide: strengthens },
    Claim { name: "lgb.table10-beneficial", decide: |e| falls(e, &TABLE_10) },
    Claim { name: "lgb.table10-root-above-static", decide: root_above_static },
    Claim { name: "lgb.table11-pathology", decide: constant_two_value },
    Claim { name: "lgb.table11-stronger", decide: stronger },
    Claim { name: "lgb.two-values-alike", decide: alike },
];

/// A column of a table: the series and what is measured.
type Column = (u32, &'static str, &'static str);

const TABLE_1: [Column; 4] = [
    (1, "b=2", "position_error"),
    (1, "b=2", "move_error"),
    (1, "b=5", "position_error"),
    (1, "b=5", "move_error"),
];
const TABLE_2: [Column; 3] =
    [(2, "normal", "move_error"), (2, "triangular", "move_error"), (2, "uniform", "move_error")];
const TABLE_3: [Column; 6] = [
    (3, "m=1", "move_error"),
    (3, "m=2", "move_error"),
    (3, "m=3", "move_error"),
    (3, "m=4", "move_error"),
    (3, "m=5", "move_error"),
    (3, "m=infinite", "move_error"),
];
const TABLE_4: [Column; 4] = [
    (4, "sigma_e=1", "move_error"),
    (4, "sigma_e=0.5", "move_error"),
    (4, "sigma_e=0.2", "move_error"),
    (4, "sigma_e=0.1", "move_error"),
];
const TABLE_5: [Column; 2] = [(5, "independent", "position_error"), (5, "independent", "move_error")];
const TABLE_10: [Column; 2] = [(10, "dependent", "two_value_error"), (10, "independent", "two_value_error")];

/// The greatest depth of search.
const DEEPEST: usize = 10;

impl Evidence<'_, '_> {
    /// A figure of a table.
    fn lgb(&self, (table, series, figure): Column, row: usize) -> Result<Range, QuantityError> {
        let rows = match table {
            6 => "b",
            8 => "ply",
            _ => "d",
        };
        let id = format!("lgb.table{table}.{series}.{figure}.{rows}{row}");
        if self.by == Figures::Printed {
            return self.figure(&id);
        }
        let ours = self.calculator.lgb(table as usize, (series, figure, row))?;
        ours.and_then(known).ok_or(QuantityError::NoEntry(id))
    }

    /// The figures at the least depth that is printed, and at the greatest.
    fn ends(&self, column: Column) -> Result<[Range; 2], QuantityError> {
        let first = usize::from(!matches!(column.2, "position_error" | "two_value_error"));
        Ok([self.lgb(column, first)?, self.lgb(column, DEEPEST)?])
    }
}

/// A computed figure with its error, or a sampled one with two standard errors.
fn known(figure: Approximate) -> Option<Range> {
    let error = match figure.uncertainty {
        Uncertainty::StandardError(error) => error,
        _ => figure.error() / 2.0,
    };
    Range::sampled(figure.value, error)
}

fn name((table, series, figure): Column) -> String {
    format!("Table {table} {series} {}", figure.replace('_', " "))
}

/// Deeper search is beneficial: the error at the greatest depth is less than at the least.
fn falls(evidence: &Evidence<'_, '_>, columns: &[Column]) -> Decided {
    let one = |&column: &Column| {
        let [first, last] = evidence.ends(column)?;
        Ok((name(column), last.is_less(&first)))
    };
    Ok(over(&columns.iter().map(one).collect::<Result<Vec<_>, QuantityError>>()?, "column"))
}

/// No column of the model of section 3 is pathological, whatever its parameters.
fn not_pathological(evidence: &Evidence<'_, '_>) -> Decided {
    falls(evidence, &[&TABLE_1[..], &TABLE_2, &TABLE_3, &TABLE_4].concat())
}

/// "Very little effect" is read as: at each depth the three shapes differ by less than a tenth.
fn shape(evidence: &Evidence<'_, '_>) -> Decided {
    let at = |d| {
        let figure = |series| evidence.lgb((2, series, "move_error"), d);
        let figures = [figure("normal")?, figure("triangular")?, figure("uniform")?];
        let pairs = [(0, 1), (0, 2), (1, 2)];
        let close = pairs.map(|(a, b)| {
            let (one, other): (&Range, &Range) = (&figures[a], &figures[b]);
            let close = |difference: Range| difference.times(10).is_less(other);
            all([close(one.minus(other)), close(other.minus(one))])
        });
        Ok((format!("d = {d}"), all(close)))
    };
    Ok(over(&(1..=DEEPEST).map(at).collect::<Result<Vec<_>, QuantityError>>()?, "depth"))
}

/// "When m is small, move error is large": at each depth it falls from each m to the next.
fn bounds(evidence: &Evidence<'_, '_>) -> Decided {
    let at = |d| {
        let figures = TABLE_3
            .iter()
            .map(|&column| evidence.lgb(column, d))
            .collect::<Result<Vec<_>, QuantityError>>()?;
        let falls = figures.windows(2).map(|pair| pair[1].is_less(&pair[0]));
        Ok((format!("d = {d}"), all(falls)))
    };
    Ok(over(&(1..=DEEPEST).map(at).collect::<Result<Vec<_>, QuantityError>>()?, "depth"))
}

/// What remains of the error at the greatest depth.
fn remaining(evidence: &Evidence<'_, '_>, column: Column) -> Result<Option<Range>, QuantityError> {
    let [first, last] = evidence.ends(column)?;
    Ok(last.divided_by(&first))
}

fn percent(range: &Range) -> String {
    format!("{:.1} %", 100.0 * to_f64(&range.middle()))
}

fn less_pronounced(evidence: &Evidence<'_, '_>) -> Decided {
    let remain = TABLE_4.iter().map(|&column| remaining(evidence, column));
    let Some(remain) = remain.collect::<Result<Option<Vec<_>>, QuantityError>>()? else {
        return Ok(Decision::new(None, "an error of 0"));
    };
    let truth = all(remain.windows(2).map(|pair| pair[0].is_less(&pair[1])));
    let shown: Vec<String> = remain.iter().map(percent).collect();
    Ok(Decision::new(truth, format!("of the error at d = 1 remain {}", shown.join(", "))))
}

const BRANCHING: std::ops::RangeInclusive<usize> = 2..=10;

fn grains(evidence: &Evidence<'_, '_>, series: &'static str) -> Result<Vec<(usize, Range)>, QuantityError> {
    BRANCHING.map(|b| Ok((b, evidence.lgb((6, series, "required_grains"), b)?))).collect()
}

fn shown_grains(grains: &[(usize, Range)]) -> String {
    let shown: Vec<String> =
        grains.iter().map(|(_, range)| format!("{:.0}", to_f64(&range.middle()))).collect();
    format!("b = 2 to 10: {}", shown.join(" "))
}

fn nineteen_grains(evidence: &Evidence<'_, '_>) -> Decided {
    let grains = grains(evidence, "dependent")?;
    // Counts: a printed one is known to half a unit.
    let truth = all(grains.iter().map(|(_, range)| range.is_less(&Range::from(20))));
    Ok(Decision::new(truth, shown_grains(&grains)))
}

/// The required number does not rise after b = 4.
fn stays(evidence: &Evidence<'_, '_>) -> Decided {
    let grains = grains(evidence, "dependent")?;
    let later = grains.iter().filter(|(b, _)| *b >= 4).collect::<Vec<_>>();
    let truth = all(later.windows(2).map(|pair| not(rises(&pair[0].1, &pair[1].1))));
    Ok(Decision::new(truth, shown_grains(&grains)))
}

/// The conclusion says "dependent" where section 6.2 says "independent".
fn grains_rise(evidence: &Evidence<'_, '_>, series: &'static str) -> Decided {
    let grains = grains(evidence, series)?;
    let truth = all(grains.windows(2).map(|pair| rises(&pair[0].1, &pair[1].1)));
    Ok(Decision::new(truth, shown_grains(&grains)))
}

/// Whether a figure is greater than the one before; equal printed figures do not rise.
fn rises(before: &Range, after: &Range) -> Truth {
    if before.middle() == after.middle() { Some(false) } else { before.is_less(after) }
}

fn steps(
    evidence: &Evidence<'_, '_>,
    column: Column,
    rows: std::ops::RangeInclusive<usize>,
) -> Result<Vec<Truth>, QuantityError> {
    let figures = rows.map(|row| evidence.lgb(column, row)).collect::<Result<Vec<_>, _>>()?;
    Ok(figures.windows(2).map(|pair| rises(&pair[0], &pair[1])).collect())
}

fn counted(truths: &[Truth]) -> String {
    let count = truths.iter().filter(|truth| **truth == Some(true)).count();
    format!("{count} of {} steps", truths.len())
}

/// It rises with the depth if values are dependent and falls if they are not.
fn static_move_error(evidence: &Evidence<'_, '_>) -> Decided {
    opposite(evidence, 7, "static_move_error", 1..=DEEPEST)
}

/// The other way round over the plies, from the leaves up.
fn differences(evidence: &Evidence<'_, '_>) -> Decided {
    opposite(evidence, 8, "sibling_difference", 0..=9)
}

fn opposite(
    evidence: &Evidence<'_, '_>,
    table: u32,
    figure: &'static str,
    rows: std::ops::RangeInclusive<usize>,
) -> Decided {
    let rising = steps(evidence, (table, "dependent", figure), rows.clone())?;
    let falling: Vec<Truth> =
        steps(evidence, (table, "independent", figure), rows)?.into_iter().map(not).collect();
    let because =
        format!("dependent rises at {}, independent falls at {}", counted(&rising), counted(&falling));
    Ok(Decision::new(all(rising.into_iter().chain(falling)), because))
}

/// Not pathological with dependent values, pathological with independent ones.
fn constant_move_error(evidence: &Evidence<'_, '_>) -> Decided {
    let [first, last] = evidence.ends((9, "dependent", "move_error"))?;
    let [first_independent, last_independent] = evidence.ends((9, "independent", "move_error"))?;
    let truths = [
        ("dependent".to_owned(), last.is_less(&first)),
        ("independent".to_owned(), first_independent.is_less(&last_independent)),
    ];
    Ok(over(&truths, "column"))
}

/// The benefit is what remains of the error, compared with that of a constant position error (Table 1).
fn strengthens(evidence: &Evidence<'_, '_>) -> Decided {
    let constant = remaining(evidence, (9, "dependent", "move_error"))?;
    let plain = remaining(evidence, TABLE_1[1])?;
    let Some((constant, plain)) = constant.zip(plain) else {
        return Ok(Decision::new(None, "an error of 0"));
    };
    let because = format!("{} of the error remains against {}", percent(&constant), percent(&plain));
    Ok(Decision::new(constant.is_less(&plain), because))
}

/// "Mostly": at more than half of the depths from 1 on, in each column.
fn root_above_static(evidence: &Evidence<'_, '_>) -> Decided {
    let column = |series: &'static str| {
        let above = |d| {
            let root = evidence.lgb((10, series, "two_value_error"), d)?;
            Ok(evidence.lgb((10, series, "static_two_value_error"), d)?.is_less(&root))
        };
        let above = (1..=DEEPEST).map(above).collect::<Result<Vec<Truth>, QuantityError>>()?;
        let [yes, no] = [Some(true), Some(false)].map(|truth| above.iter().filter(|t| **t == truth).count());
        let truth = match () {
            () if 2 * yes > above.len() => Some(true),
            () if 2 * no >= above.len() => Some(false),
            () => None,
        };
        Ok((format!("{series} {yes}"), truth))
    };
    let columns = ["dependent", "independent"].map(column);
    let columns = columns.into_iter().collect::<Result<Vec<_>, QuantityError>>()?;
    let counts: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    let because = format!("depths of 10 at which the root's is greater: {}", counts.join(", "));
    Ok(Decision::new(all(columns.iter().map(|(_, truth)| *truth)), because))
}

fn rise(evidence: &Evidence<'_, '_>, series: &'static str) -> Result<Range, QuantityError> {
    let [first, last] = evidence.ends((11, series, "two_value_error"))?;
    Ok(last.minus(&first))
}

fn constant_two_value(evidence: &Evidence<'_, '_>) -> Decided {
    let one = |series: &'static str| Ok((series.to_owned(), rise(evidence, series)?.is_positive()));
    let columns = ["dependent", "independent"].map(one);
    Ok(over(&columns.into_iter().collect::<Result<Vec<_>, QuantityError>>()?, "column"))
}

fn stronger(evidence: &Evidence<'_, '_>) -> Decided {
    let [dependent, independent] = [rise(evidence, "dependent")?, rise(evidence, "independent")?];
    let shown = |range: &Range| format!("{:.4}", to_f64(&range.middle()));
    let because = format!("the error rises by {} against {}", shown(&independent), shown(&dependent));
    Ok(Decision::new(dependent.is_less(&independent), because))
}

/// Whether both columns of Table 10 are pathological or neither is, and likewise those of Table 11.
fn alike(evidence: &Evidence<'_, '_>) -> Decided {
    let table = |number: u32| {
        let pathological = |series| {
            let [first, last] = evidence.ends((number, series, "two_value_error"))?;
            Ok(first.is_less(&last))
        };
        let [dependent, independent]: [Result<Truth, QuantityError>; 2] =
            ["dependent", "independent"].map(pathological);
        let (dependent, independent) = (dependent?, independent?);
        Ok((format!("Table {number}"), dependent.zip(independent).map(|(a, b)| a == b)))
    };
    Ok(over(&[10, 11].into_iter().map(table).collect::<Result<Vec<_>, QuantityError>>()?, "table"))
}
