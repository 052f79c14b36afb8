//! What KHS say about their tables and figures.

use std::ops::RangeInclusive;

use prodmax_enumerate::{Line, Model, ZeroMode};
use prodmax_golden::Quantity;
use prodmax_golden::quantity::Figures;
use prodmax_number::fraction::{decimal, to_f64};
use prodmax_simulate::{DecisionErrors, Simulation, SimulationError};

use super::{Claim, Decision, Evidence, Range, Truth, all, any, not, over};
use crate::calculator::QuantityError;

type Decided = Result<Decision, QuantityError>;

/// Sections V and VI.
pub(super) const CLAIMS: &[Claim] = &[
    Claim { name: "khs.quiet-row", decide: quiet_row },
    Claim { name: "khs.balanced-rows", decide: balanced_rows },
    Claim { name: "khs.eight-points", decide: eight_points },
    Claim { name: "khs.quiet-mean", decide: quiet_mean },
    Claim { name: "khs.nonquiet-mean", decide: nonquiet_mean },
    Claim { name: "khs.increment-3", decide: third_increment },
    Claim { name: "khs.off-center", decide: off_center },
    Claim { name: "khs.center-favours-minimax", decide: center_favours_minimax },
    Claim { name: "khs.highest-at-center", decide: highest_at_center },
    Claim { name: "khs.depth2-product", decide: depth2_product },
    Claim { name: "khs.more-i2-than-i4", decide: more_i2_than_i4 },
    Claim { name: "khs.table3-winners", decide: table3_winners },
    Claim { name: "khs.table3-rising", decide: table3_rising },
    Claim { name: "khs.table3-mostly-worse", decide: table3_mostly_worse },
    Claim { name: "khs.depth-tendency", decide: depth_tendency },
    Claim { name: "khs.fig6-static-error", decide: fig6_static_error },
    Claim { name: "khs.table3-depth2-significant", decide: table3_depth2_significant },
    Claim { name: "khs.table4-product", decide: table4_product },
    Claim { name: "khs.table4-significance", decide: table4_significance },
    Claim { name: "khs.fig6-actual-best", decide: fig6_actual_best },
    Claim { name: "khs.fig6-crossing", decide: fig6_crossing },
    Claim { name: "khs.fig6-depth6-below-depth4", decide: fig6_depth6 },
    Claim { name: "khs.fig6-depth8-below-depth4", decide: fig6_depth8 },
    Claim { name: "khs.fig6-improves", decide: fig6_improves },
];

/// The rows of Table II: the maximum increments of levels 1 and 2, and of level 3.
const ROWS: [(i64, i64); 7] = [(4, 2), (3, 3), (2, 4), (1, 6), (1, 5), (1, 4), (1, 3)];

/// Its columns.
const ROOTS: [i64; 6] = [-4, -3, -2, -1, 1, 2];

/// The depths of Tables III and IV.
const DEPTHS: RangeInclusive<usize> = 2..=8;

/// One row of Table II.
struct Row {
    increments: (i64, i64),
    cells: Vec<(i64, Range)>,
}

impl Row {
    fn of(evidence: &Evidence<'_, '_>, increments: (i64, i64)) -> Result<Self, QuantityError> {
        let cell = |&root: &i64| {
            let id = format!("table2.{}-{}.root{root:+}", increments.0, increments.1);
            Ok((root, evidence.figure(&id)?))
        };
        Ok(Self { increments, cells: ROOTS.iter().map(cell).collect::<Result<_, QuantityError>>()? })
    }

    fn all(evidence: &Evidence<'_, '_>) -> Result<Vec<Self>, QuantityError> {
        ROWS.into_iter().map(|row| Self::of(evidence, row)).collect()
    }

    fn name(&self) -> String {
        format!("({},{})", self.increments.0, self.increments.1)
    }

    /// Twice the distance of a root from the middle of the leaf values: the third level moves them by half its increment
    /// on average, the first two cancel out. The column "Root Center" has the same values.
    fn distance(&self, root: i64) -> i64 {
        (2 * root + self.increments.1).abs()
    }

    /// The cells whose roots are nearest to the middle of the leaf values: one, or two at the same distance.
    fn central(&self) -> Vec<&(i64, Range)> {
        let nearest = ROOTS.into_iter().map(|root| self.distance(root)).min();
        self.cells.iter().filter(|(root, _)| Some(self.distance(*root)) == nearest).collect()
    }
}

/// A truth for every row, and the rows that are not true.
fn over_rows(rows: &[Row], decide: impl Fn(&Row) -> Truth) -> Decision {
    let truths: Vec<(String, Truth)> = rows.iter().map(|row| (row.name(), decide(row))).collect();
    over(&truths, "row")
}

fn quiet_row(evidence: &Evidence<'_, '_>) -> Decided {
    let row = Row::of(evidence, ROWS[0])?;
    let truths: Vec<_> =
        row.cells.iter().map(|(root, cell)| (format!("root {root:+}"), cell.is_negative())).collect();
    Ok(over(&truths, "cell"))
}

/// "Almost the same" is read as: in no row do the numbers of cells differ by more than two.
fn balanced_rows(evidence: &Evidence<'_, '_>) -> Decided {
    let rows = Row::all(evidence)?;
    let counted = |row: &Row, of: fn(&Range) -> Truth| {
        row.cells.iter().filter(|(_, cell)| of(cell) == Some(true)).count()
    };
    let sides = |row: &Row| [counted(row, Range::is_positive), counted(row, Range::is_negative)];
    let others = &rows[1..];
    let truths = others.iter().map(|row| {
        let [minimax, product] = sides(row);
        Some(minimax.abs_diff(product) <= 2)
    });
    let counts: Vec<String> = others
        .iter()
        .map(|row| {
            let [minimax, product] = sides(row);
            format!("{} {minimax}:{product}", row.name())
        })
        .collect();
    Ok(Decision::new(all(truths), format!("Minimax:Product {}", counts.join(" "))))
}

fn eight_points(evidence: &Evidence<'_, '_>) -> Decided {
    let rows = Row::all(evidence)?;
    let cells = || rows.iter().flat_map(|row| row.cells.iter().map(|(_, cell)| cell));
    let middle = |cell: &&Range| cell.middle();
    let (Some(most), Some(least)) = (cells().max_by_key(middle), cells().min_by_key(middle)) else {
        return Ok(Decision::new(None, "no cells"));
    };
    let spread = most.minus(least);
    let because = format!("{} points", decimal(&spread.middle(), 2));
    Ok(Decision::new(Range::from(8).is_less(&spread), because))
}

/// The mean of a row, of its cells: two of the seven printed means do not follow from the printed cells.
fn mean(row: &Row) -> Range {
    let sum = row.cells.iter().fold(Range::from(0), |sum, (_, cell)| sum.plus(cell));
    sum.over(row.cells.len())
}

fn described(row: &Row) -> String {
    format!("{} {}", row.name(), decimal(&mean(row).middle(), 2))
}

fn quiet_mean(evidence: &Evidence<'_, '_>) -> Decided {
    let row = Row::of(evidence, ROWS[0])?;
    Ok(Decision::new(mean(&row).is_negative(), format!("mean of {}", described(&row))))
}

/// The row with the greatest increment at level 3.
fn nonquiet_mean(evidence: &Evidence<'_, '_>) -> Decided {
    let row = Row::of(evidence, (1, 6))?;
    Ok(Decision::new(mean(&row).is_positive(), format!("mean of {}", described(&row))))
}

fn third_increment(evidence: &Evidence<'_, '_>) -> Decided {
    let mut rows = Row::all(evidence)?;
    rows.sort_by_key(|row| row.increments.1);
    let pairs = rows.iter().flat_map(|a| rows.iter().map(move |b| (a, b)));
    let risen = pairs.filter(|(a, b)| a.increments.1 < b.increments.1);
    let truth = all(risen.map(|(a, b)| mean(a).is_less(&mean(b))));
    let means: Vec<String> = rows.iter().map(described).collect();
    Ok(Decision::new(truth, format!("means of the cells {}", means.join(" "))))
}

fn off_center(evidence: &Evidence<'_, '_>) -> Decided {
    let rows = Row::all(evidence)?;
    Ok(over_rows(&rows, |row| {
        let farther = row.cells.windows(2).filter_map(|pair| {
            let [(left, of_left), (right, of_right)] = pair else { return None };
            // Neighbours on the same side of the centre.
            if 2 * right + row.increments.1 <= 0 {
                Some(not(of_right.is_less(of_left)))
            } else if 2 * left + row.increments.1 >= 0 {
                Some(not(of_left.is_less(of_right)))
            } else {
                None
            }
        });
        all(farther)
    }))
}

fn center_favours_minimax(evidence: &Evidence<'_, '_>) -> Decided {
    let rows = Row::all(evidence)?;
    Ok(over_rows(&rows, |row| any(row.central().iter().map(|(_, cell)| cell.is_positive()))))
}

fn highest_at_center(evidence: &Evidence<'_, '_>) -> Decided {
    let rows = Row::all(evidence)?;
    Ok(over_rows(&rows, |row| {
        let central = row.central();
        let others = || row.cells.iter().filter(|cell| !central.contains(cell));
        any(central.iter().map(|(_, cell)| all(others().map(|(_, other)| not(cell.is_less(other))))))
    }))
}

/// The root is not stated: the sentence is decided for each root of Table II and for 0 on ordinary integers.
fn depth2_product(evidence: &Evidence<'_, '_>) -> Decided {
    let roots = ROOTS.map(|root| format!("root{root:+}")).into_iter().chain(["root0".to_owned()]);
    let difference = |root: String| {
        let difference = evidence.figure(&format!("depth2.difference.{root}"))?;
        Ok((root, difference.is_negative()))
    };
    let truths = roots.map(difference).collect::<Result<Vec<_>, QuantityError>>()?;
    Ok(over(&truths, "root"))
}

/// Claimed without condition; decided for roots from -4 to +8.
fn more_i2_than_i4(evidence: &Evidence<'_, '_>) -> Decided {
    let ratio = |root: i64| {
        let model = Model::new(root, &[8, 8], ZeroMode::Skip, Line::DEFAULT_H_MAX)?;
        let ratio =
            evidence.calculator.compute(&Quantity::IntervalRatio(model))?.figure().and_then(Range::of);
        Ok((format!("root {root:+}"), ratio.and_then(|ratio| Range::from(1).is_less(&ratio))))
    };
    let roots = (-4..=8).filter(|&root| root != 0);
    let truths = roots.map(ratio).collect::<Result<Vec<_>, QuantityError>>()?;
    Ok(over(&truths, "root"))
}

/// Minimax's share of the critical pairs, in percent: printed, or what the simulation expects.
fn share(evidence: &Evidence<'_, '_>, table: u32, d: usize) -> Result<Range, QuantityError> {
    if evidence.by == Figures::Printed {
        return evidence.figure(&format!("table{table}.d{d}.percent-critical"));
    }
    let simulated = evidence.simulation()?;
    let row = simulated.tables[usize::from(table == 4)].rows.iter().find(|row| row.d == d);
    let share = row.and_then(|row| Range::ratio(row.share?.ours)).ok_or(QuantityError::NoRow(d))?;
    Ok(share.times(100))
}

/// What a share is compared with.
fn half() -> Range {
    Range::from(50)
}

fn shares(evidence: &Evidence<'_, '_>, table: u32) -> Result<String, QuantityError> {
    let shown = |d| Ok(decimal(&share(evidence, table, d)?.middle(), 1));
    Ok(DEPTHS.map(shown).collect::<Result<Vec<_>, QuantityError>>()?.join(" "))
}

fn table3_winners(evidence: &Evidence<'_, '_>) -> Decided {
    let won = |d| -> Result<Option<(String, Truth)>, QuantityError> {
        let share = share(evidence, 3, d)?;
        let truth = match d {
            2 => share.is_less(&half()),
            4 => return Ok(None),
            _ => half().is_less(&share),
        };
        Ok(Some((format!("d = {d}"), truth)))
    };
    let truths = DEPTHS.filter_map(|d| won(d).transpose()).collect::<Result<Vec<_>, _>>()?;
    let Decision { truth, because } = over(&truths, "depth");
    Ok(Decision::new(truth, format!("{because}; shares of Minimax {}", shares(evidence, 3)?)))
}

/// "With increasing search depths starting at depth 5, more and more pronounced": the share of Minimax rises from each
/// depth to the next.
fn table3_rising(evidence: &Evidence<'_, '_>) -> Decided {
    let step = |d| {
        let [shallow, deep] = [share(evidence, 3, d)?, share(evidence, 3, d + 1)?];
        Ok((format!("d = {d} to {}", d + 1), shallow.is_less(&deep)))
    };
    let truths = (5..8).map(step).collect::<Result<Vec<_>, QuantityError>>()?;
    let Decision { truth, because } = over(&truths, "step");
    Ok(Decision::new(truth, format!("{because}; shares of Minimax {}", shares(evidence, 3)?)))
}

/// "Mostly" is read as: at more than half of the depths.
fn table3_mostly_worse(evidence: &Evidence<'_, '_>) -> Decided {
    let ahead = |d| Ok(half().is_less(&share(evidence, 3, d)?));
    let truths = DEPTHS.map(ahead).collect::<Result<Vec<Truth>, QuantityError>>()?;
    let count = |wanted: Truth| truths.iter().filter(|&&truth| truth == wanted).count();
    let (ahead, open, all) = (count(Some(true)), count(None), truths.len());
    let truth = match () {
        () if 2 * ahead > all => Some(true),
        () if 2 * (ahead + open) <= all => Some(false),
        () => None,
    };
    Ok(Decision::new(
        truth,
        format!("{ahead} of {all} depths, {open} undecided; shares of Minimax {}", shares(evidence, 3)?),
    ))
}

/// The differences of single decisions at full width, root -1, by depth.
fn tendency(evidence: &Evidence<'_, '_>) -> Result<Vec<(usize, Range)>, QuantityError> {
    let ids: Vec<(usize, String)> = if evidence.reading == "simulation-curves" {
        (2..=8).map(|depth| (depth, format!("curves.depth{depth}.root-1.difference"))).collect()
    } else {
        let enumerated = [
            (2, "depth2.difference.root-1"),
            (3, "beyond.depth3.root-1.difference"),
            (4, "beyond.depth4.root-1.difference"),
        ];
        let by_law = (5..=8).map(|depth| (depth, format!("depths.depth{depth}.root-1.difference")));
        enumerated.map(|(depth, id)| (depth, id.to_owned())).into_iter().chain(by_law).collect()
    };
    ids.into_iter().map(|(depth, id)| Ok((depth, evidence.figure(&id)?))).collect()
}

/// "Product is better for depth 2, but with increasingly deeper search, Minimax tends to become better": read as the sign at
/// depth 2, and from each depth to the next but one, because MAX moves once more at odd depths.
fn depth_tendency(evidence: &Evidence<'_, '_>) -> Decided {
    let at = tendency(evidence)?;
    let mut truths: Vec<(String, Truth)> =
        at.iter().take(1).map(|(depth, first)| (format!("depth {depth}"), first.is_negative())).collect();
    truths.extend(at.windows(3).filter_map(|window| {
        let [(shallow, before), _, (deep, after)] = window else { return None };
        Some((format!("{shallow} to {deep}"), before.is_less(after)))
    }));
    let shown: Vec<String> = at.iter().map(|(_, difference)| decimal(&difference.middle(), 1)).collect();
    let Decision { truth, because } = over(&truths, "condition");
    Ok(Decision::new(truth, format!("{because}; differences at depths 2 to 8 {}", shown.join(" "))))
}

/// The figure itself has the value of e; the text does not, so there is nothing to compare ours with.
fn fig6_static_error(evidence: &Evidence<'_, '_>) -> Decided {
    const TREES: u64 = 50;
    let spec = evidence.spec()?;
    let simulation = Simulation::new(&spec).map_err(SimulationError::Work)?;
    let because = simulation.static_error(TREES).map_or_else(
        || "no trees".to_owned(),
        |error| format!("{:.2} ± {:.2} %", 100.0 * error.value, 100.0 * error.standard_error),
    );
    Ok(Decision::new(None, because))
}

/// The sign test of the printed counts; ours for as many pairs.
fn table3_depth2_significant(evidence: &Evidence<'_, '_>) -> Decided {
    significance(evidence, 3, 2..=2, 0.0001)
}

fn table4_product(evidence: &Evidence<'_, '_>) -> Decided {
    let won = |d| Ok((format!("d = {d}"), share(evidence, 4, d)?.is_less(&half())));
    let truths = DEPTHS.map(won).collect::<Result<Vec<_>, QuantityError>>()?;
    let Decision { truth, because } = over(&truths, "depth");
    Ok(Decision::new(truth, format!("{because}; shares of Minimax {}", shares(evidence, 4)?)))
}

fn table4_significance(evidence: &Evidence<'_, '_>) -> Decided {
    significance(evidence, 4, DEPTHS, 0.000_05)
}

/// Whether the sign test of the wins falls below a bound at each of these depths.
fn significance(
    evidence: &Evidence<'_, '_>,
    table: u32,
    depths: RangeInclusive<usize>,
    bound: f64,
) -> Decided {
    let mut worst: Option<(usize, f64)> = None;
    let mut truths = Vec::new();
    for d in depths {
        let count = |player: &str| -> Result<f64, QuantityError> {
            Ok(to_f64(&evidence.figure(&format!("table{table}.d{d}.{player}"))?.middle()))
        };
        let wins = [count("minimax-wins")?, count("product-wins")?].map(|wins| wins.round().max(0.0) as u64);
        let Some(significance) = prodmax_simulate::sign_test(wins[0], wins[1]) else { continue };
        truths.push((format!("d = {d}"), Some(significance < bound)));
        if worst.is_none_or(|(_, most)| significance > most) {
            worst = Some((d, significance));
        }
    }
    let Decision { truth, because } = over(&truths, "depth");
    let worst =
        worst.map_or_else(String::new, |(d, most)| format!("; greatest {:.4} % at d = {d}", 100.0 * most));
    Ok(Decision::new(truth, format!("{because}{worst}")))
}

/// Fig. 6 by a simulation: the paper prints curves, no figures.
fn fig6(evidence: &Evidence<'_, '_>, decide: impl Fn(&[DecisionErrors]) -> Option<Decision>) -> Decided {
    let unread = || Decision::new(None, "the values of Fig. 6 are not printed");
    if evidence.by == Figures::Printed {
        return Ok(unread());
    }
    let errors = &evidence.simulation()?.errors;
    Ok(decide(errors).unwrap_or_else(unread))
}

/// Whether Minimax errs more often at a depth than Product-est (0) or Product-actual (1), in the same trees.
fn errs_more(errors: &[DecisionErrors], d: usize, than: usize) -> Option<Truth> {
    let at = errors.iter().find(|errors| errors.d == d)?;
    Some(Range::ratio(at.excess[than])?.is_positive())
}

/// Minimax, Product-est and Product-actual at a depth.
fn curves(errors: &[DecisionErrors], d: usize) -> Option<[Range; 3]> {
    let at = errors.iter().find(|errors| errors.d == d)?;
    let [minimax, estimated] = at.estimated;
    Some([Range::ratio(minimax)?, Range::ratio(estimated)?, Range::ratio(at.actual[1])?])
}

/// A frequency in percent.
fn percent(range: &Range) -> String {
    format!("{:.3} %", 100.0 * to_f64(&range.middle()))
}

fn fig6_actual_best(evidence: &Evidence<'_, '_>) -> Decided {
    fig6(evidence, |errors| {
        let at = |d| Some((format!("d = {d}"), errs_more(errors, d, 1)?));
        Some(over(&DEPTHS.map(at).collect::<Option<Vec<_>>>()?, "depth"))
    })
}

/// From some depth on Minimax errs less often than Product-est, before it more often.
fn fig6_crossing(evidence: &Evidence<'_, '_>) -> Decided {
    fig6(evidence, |errors| {
        let more: Vec<Truth> = DEPTHS.map(|d| errs_more(errors, d, 0)).collect::<Option<_>>()?;
        let crossing = (1..more.len()).map(|at| {
            let (lower, higher) = more.split_at(at);
            all(lower.iter().copied().chain(higher.iter().map(|&truth| not(truth))))
        });
        let [minimax, estimated, _] = curves(errors, 8)?;
        let because = format!(
            "d = 2 to 8, Minimax errs more often: {}; d = 8 {} against {}",
            more.iter().map(|truth| word(*truth)).collect::<Vec<_>>().join(" "),
            percent(&minimax),
            percent(&estimated)
        );
        Some(Decision::new(any(crossing), because))
    })
}

fn word(truth: Truth) -> &'static str {
    match truth {
        Some(true) => "yes",
        Some(false) => "no",
        None => "undecided",
    }
}

fn fig6_depth6(evidence: &Evidence<'_, '_>) -> Decided {
    fig6(evidence, |errors| {
        let ([minimax, ..], [_, estimated, _]) = (curves(errors, 6)?, curves(errors, 4)?);
        let because = format!("{} against {}", percent(&minimax), percent(&estimated));
        Some(Decision::new(minimax.is_less(&estimated), because))
    })
}

fn fig6_depth8(evidence: &Evidence<'_, '_>) -> Decided {
    fig6(evidence, |errors| {
        let ([minimax, ..], [.., actual]) = (curves(errors, 8)?, curves(errors, 4)?);
        let because = format!("{} against {}", percent(&minimax), percent(&actual));
        Some(Decision::new(minimax.is_less(&actual), because))
    })
}

fn fig6_improves(evidence: &Evidence<'_, '_>) -> Decided {
    fig6(evidence, |errors| {
        let step = |d| {
            let ([shallow, ..], [deep, ..]) = (curves(errors, d)?, curves(errors, d + 1)?);
            Some((format!("d = {d} to {}", d + 1), deep.is_less(&shallow)))
        };
        Some(over(&(2..8).map(step).collect::<Option<Vec<_>>>()?, "step"))
    })
}
