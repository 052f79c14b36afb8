//! What `mass` answers: the critical trees of a model and the error masses of two rules in them.

use num_bigint::BigInt;
use num_traits::{FromPrimitive as _, ToPrimitive as _};
use prodmax_enumerate::Model;
use prodmax_number::fraction::to_f64;
use prodmax_number::{Approximate, Count, Enclosure, Figure, Fraction};
use prodmax_output::answer::{Answer, Listed, Rows, View};
use prodmax_output::{Cell, Column, Table, large};
use prodmax_rules::ByRule;
use serde::Serialize;

use super::charts::{self, Point};
use super::naming::{Naming, count_cell, name};
use super::{ComparisonCounts, CurveKeys, ModelKeys, RuleQuality, by_rule, counted};
use crate::engine::Engine;
use crate::kind::CERTIFIED_BITS;
use crate::measure::{Measurement, Number, Sums};

/// The critical trees of a model and the error masses of two rules in them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MassAnswer {
    #[serde(flatten)]
    model: ModelKeys,
    #[serde(flatten)]
    curves: CurveKeys,
    /// the two rules, the one that chooses M first
    rules: [String; 2],
    /// `classes`, `deep` or `law`: what summed the masses
    engine: String,
    /// for the law: steps of the grid per unit of -ln p
    grid: Option<u32>,
    /// ordered trees
    trees: Count,
    /// depth-1 classes, if they were counted
    classes: Option<u64>,
    /// ordered trees in which the two rules choose different moves, if they were counted
    critical: Option<Count>,
    /// ordered trees in which both choose the same move, if they were counted
    agreeing: Option<Count>,
    /// ordered trees in which a rule has no preference, if they were counted
    tied: Option<Count>,
    /// the critical trees as a share of all trees, by the law
    critical_share: Option<Figure>,
    /// how well each rule decides
    quality: ByRule<RuleQuality>,
    /// what ties contribute to won of the first rule minus won of the second, in percentage points; the rest is (second errs - first
    /// errs) / trees
    ties_points: Option<Figure>,
    /// 100 (second errs - first errs) / their sum, positive if the first rule errs less
    difference_percent: Option<Figure>,
    /// the error mass of each rule over all trees
    errors: ByRule<Option<Figure>>,
    /// the error mass of each rule as a share of all trees, by the law
    error_shares: Option<ByRule<Figure>>,
    /// the first rule's share of both error masses, in percent
    share_percent: Option<Figure>,
    /// 100 (second errs - first errs) / critical trees
    per_case_percent: Option<Figure>,
    /// what the ideal rule wins, if it was asked for
    won_ideal: Option<Figure>,
    /// what a random choice wins, if it was asked for
    won_random: Option<Figure>,
    /// how the order of the classes was proved, if they were counted
    comparisons: Option<ComparisonCounts>,
    #[serde(skip)]
    of: Model,
    /// A proved bound on the error of each mass, where they were summed block by block.
    #[serde(skip)]
    bound: Option<f64>,
}

impl MassAnswer {
    /// The answer for a model and two rules by their names.
    pub fn new(model: &Model, curves: CurveKeys, rules: [String; 2], measured: Measurement<Figure>) -> Self {
        let trees = model.trees();
        let pair = &measured.matches[0];
        let [critical, agreeing, tied] = counted(pair);
        let (critical_share, error_shares) = match &pair.sums {
            Sums::Counted { .. } => (None, None),
            Sums::Shares { critical, errors } => {
                (Some(critical.clone()), Some(by_rule(&rules, errors.iter().cloned())))
            }
        };
        let error = |error: &Figure| match pair.sums {
            Sums::Counted { .. } => Some(error.clone()),
            Sums::Shares { .. } => of_all(error, &trees),
        };
        Self {
            model: model.into(),
            curves,
            engine: measured.engine.to_string(),
            grid: measured.steps,
            classes: measured.classes,
            critical,
            agreeing,
            tied,
            critical_share,
            ties_points: pair.ties_points.clone(),
            difference_percent: pair.figures.difference_percent.clone(),
            errors: by_rule(&rules, pair.errors().iter().map(error)),
            error_shares,
            share_percent: pair.figures.share_first.as_ref().map(Figure::percent),
            per_case_percent: pair.figures.per_case_percent.clone(),
            won_ideal: measured.chances.as_ref().map(|chances| chances.ideal.clone()),
            won_random: measured.chances.as_ref().map(|chances| chances.random.clone()),
            comparisons: measured.comparisons.map(Into::into),
            bound: pair.bound,
            quality: by_rule(&rules, measured.quality),
            trees: trees.into(),
            rules,
            of: model.clone(),
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.of
    }

    /// 100 (second errs - first errs) / their sum.
    pub fn difference_percent(&self) -> Option<&Figure> {
        self.difference_percent.as_ref()
    }

    /// How well the rule at a place decides.
    fn quality_of(&self, place: usize) -> Option<&RuleQuality> {
        self.quality.0.get(place).map(|(_, quality)| quality)
    }

    fn is_by_law(&self) -> bool {
        self.engine == Engine::Law.name()
    }

    fn is_certified(&self) -> bool {
        self.curves.number == Number::Certified.to_string()
    }

    /// A note if one rule wins more and the other one errs less: the difference leaves ties out. Only signs that the margins
    /// allow are compared.
    fn disagreement(&self) -> Option<String> {
        let ends = |figure: &Figure| figure.margin_ends().unwrap_or([figure.double(); 2]);
        let difference = self.difference_percent.as_ref()?;
        let [(first, a), (second, b)] = &self.quality.0[..] else { return None };
        let ([a0, a1], [b0, b1]) = (ends(&a.won), ends(&b.won));
        let certain = |[low, high]: [f64; 2]| low * high > 0.0;
        if !certain(ends(difference)) || !certain([a0 - b1, a1 - b0]) {
            return None;
        }
        let (difference, lead) = (difference.double(), a.won.double() - b.won.double());
        if lead * difference >= 0.0 {
            return None;
        }
        let (root, increments) = name(&self.of);
        let [fewer_errors, more_won] = if difference > 0.0 { [first, second] } else { [second, first] };
        Some(format!(
            "Root {root}, increments {increments}: the measures disagree. In critical trees {fewer_errors} errs less; over all trees, \
             where ties are settled by chance, {more_won} wins more."
        ))
    }

    /// How the figures were found, if that is not a matter of course.
    fn method(&self) -> Option<String> {
        let (root, increments) = name(&self.of);
        if let Some(bound) = self.bound {
            return Some(format!(
                "Root {root}, increments {increments}: summed block by block; counts are exact, each mass is proven to be within \
                 {bound:.1e} of the exact one."
            ));
        }
        let steps = self.grid?;
        Some(if self.is_certified() {
            format!(
                "Root {root}, increments {increments}: certified by the law of values, rounded down and up on a grid of {steps} \
                 steps per unit; every interval is certain to contain the figure."
            )
        } else {
            format!(
                "Root {root}, increments {increments}: estimates by the law of values, extrapolated from grids of {}, {} and \
                 {steps} steps per unit; the margins are estimates, too.",
                steps / 4,
                steps / 2
            )
        })
    }
}

/// A share of all trees as a sum over them; `None` if it is an estimate beyond doubles.
fn of_all(share: &Figure, trees: &num_bigint::BigUint) -> Option<Figure> {
    let number = Fraction::from_integer(BigInt::from(trees.clone()));
    match share {
        Figure::Between(ends) => {
            let [low, high] = ends.map(|end| Fraction::from_f64(end).map(|end| end * &number));
            let (low, high) = (low?, high?);
            let two = BigInt::from(2);
            let [middle, radius] = [(&low + &high) / &two, (high - low) / two];
            let [middle, radius] = [middle, radius].map(|number| Enclosure::of(&number, CERTIFIED_BITS));
            Some(Figure::Enclosed(middle.widened(&radius)))
        }
        Figure::Approximate(share) => {
            let trees = trees.to_f64().filter(|trees| trees.is_finite())?;
            let (value, margin) = (share.value * trees, (share.error() * trees).next_up());
            Some(Approximate::estimated(value, margin).into())
        }
        exact => exact.middle().map(|share| Figure::Fraction(share * number)),
    }
}

/// The answers of `mass` for one model or several.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct MassAnswers(pub Listed<MassAnswer>);

impl Answer for MassAnswers {
    fn view(&self) -> View {
        let all = self.0.all();
        let (by_law, swept): (Vec<&MassAnswer>, Vec<&MassAnswer>) =
            all.iter().partition(|answer| answer.is_by_law());
        let mut tables = Vec::new();
        if !swept.is_empty() {
            tables.push(swept_table(&swept));
        }
        if !by_law.is_empty() {
            tables.push(law_table(&by_law, if swept.is_empty() { "mass" } else { "mass-law" }));
        }
        let drawing = all.first().map(|first| {
            let points = all.iter().map(|one| (&one.of, one.difference_percent.as_ref().map(Point::from)));
            charts::difference("difference", &first.rules[1], &first.curves.sentence(), points)
        });
        View { tables, drawing, checks: None }
    }
}

/// How the figures of a table are written.
struct Shown {
    /// A part of 1, in percent.
    part: fn(Option<&Figure>) -> Cell,
    /// A figure that is in percent already.
    points: fn(Option<&Figure>) -> Cell,
    /// The errors of a rule.
    error: fn(&MassAnswer, usize) -> Cell,
    /// What follows the name of a rule in the head of its errors.
    error_head: &'static str,
}

/// The figures of two rules, in the order of both tables.
fn figures(rows: &mut Rows<'_, MassAnswer>, rules: &[String; 2], shown: &Shown) {
    let Shown { part, points, error, error_head } = *shown;
    // What is won comes first: the difference is relative to the errors, and leaves ties out.
    for (place, rule) in rules.iter().enumerate() {
        let column = Column::right(format!("{rule} won %")).at(["quality", rule, "won"]);
        rows.column(column, |answer| part(answer.quality_of(place).map(|quality| &quality.won)));
    }
    rows.column(Column::right("ties, points").at(["ties_points"]), |answer| {
        points(answer.ties_points.as_ref())
    });
    rows.column(Column::right("difference %"), |answer| points(answer.difference_percent.as_ref()));
    for (place, rule) in rules.iter().enumerate() {
        let column = Column::right(format!("{rule} {error_head}")).at(["errors", rule]);
        rows.column(column, |answer| error(answer, place));
    }
    rows.column(Column::right("share %"), |answer| points(answer.share_percent.as_ref()));
    rows.column(Column::right("per case %"), |answer| points(answer.per_case_percent.as_ref()));
    if rows.elements().iter().all(|answer| answer.won_ideal.is_none()) {
        return;
    }
    for (place, rule) in rules.iter().enumerate() {
        let column = Column::right(format!("{rule} efficiency %")).at(["quality", rule, "efficiency"]);
        rows.column(column, |answer| {
            part(answer.quality_of(place).and_then(|quality| quality.efficiency.as_ref()))
        });
    }
    rows.column(Column::right("ideal won %").at(["won_ideal"]), |answer| part(answer.won_ideal.as_ref()));
    rows.column(Column::right("random won %").at(["won_random"]), |answer| part(answer.won_random.as_ref()));
}

/// The title of a table of masses, with the unit of the masses.
fn title(first: &str, unit: &str) -> String {
    format!(
        "What both rules win over all trees, and their errors in critical trees{unit} (difference above 0: {first} errs less \
         there)"
    )
}

/// Models whose classes were summed over.
fn swept_table(swept: &[&MassAnswer]) -> Table {
    let Some(first) = swept.first() else { return Table::default() };
    let mut rows = named_rows("mass", title(&first.rules[0], ""), swept);
    rows.column(Column::right("trees"), |answer| count_cell(&answer.of, &answer.trees.0));
    rows.column(Column::right("classes"), |answer| answer.classes.map_or_else(Cell::dash, Cell::from));
    rows.column(Column::right("critical"), |answer| {
        answer.critical.as_ref().map_or_else(Cell::dash, |count| count_cell(&answer.of, &count.0))
    });
    let shown = Shown {
        part: |figure| Cell::percent(figure, 6),
        points: |figure| Cell::of(figure, 6),
        error: |answer, rule| Cell::of(answer.errors.0.get(rule).and_then(|(_, error)| error.as_ref()), 8),
        error_head: "error",
    };
    figures(&mut rows, &first.rules, &shown);
    rows.notes([first.curves.note()]);
    rows.notes(swept.iter().filter_map(|answer| answer.disagreement()));
    rows.notes(certificate(swept));
    rows.notes(swept.iter().filter_map(|answer| answer.method()));
    rows.table()
}

/// A multiple of a figure with its margin.
fn margin(figure: Option<&Figure>, factor: f64) -> Cell {
    figure.map_or_else(Cell::dash, |figure| figure.with_margin(factor).into())
}

/// Models that were measured by the law of their values.
fn law_table(by_law: &[&MassAnswer], id: &str) -> Table {
    let Some(first) = by_law.first() else { return Table::default() };
    let mut rows = named_rows(id, title(&first.rules[0], ", in percent of all trees"), by_law);
    rows.column(Column::right("trees"), |answer| large::cell(&answer.trees.0));
    rows.column(Column::right("critical %").at(["critical_share"]), |answer| {
        margin(answer.critical_share.as_ref(), 100.0)
    });
    let shown = Shown {
        part: |figure| margin(figure, 100.0),
        points: |figure| margin(figure, 1.0),
        error: |answer, rule| {
            let share = answer.error_shares.as_ref().and_then(|shares| shares.0.get(rule));
            margin(share.map(|(_, share)| share), 100.0)
        },
        error_head: "error %",
    };
    figures(&mut rows, &first.rules, &shown);
    rows.notes([first.curves.note()]);
    rows.notes(by_law.iter().filter_map(|answer| answer.disagreement()));
    rows.notes(by_law.iter().filter_map(|answer| answer.method()));
    rows.table()
}

/// Rows that begin with the names of the models.
fn named_rows<'a>(id: &str, title: String, answers: &[&'a MassAnswer]) -> Rows<'a, MassAnswer> {
    let naming = Naming::of(answers.iter().map(|answer| &answer.of));
    let mut rows = Rows::new(id, title, answers.to_vec());
    rows.columns(naming.columns(), |answer| naming.cells(&answer.of));
    rows
}

/// What certified figures are based on.
fn certificate(swept: &[&MassAnswer]) -> Option<String> {
    let first = swept.first().filter(|answer| answer.is_certified())?;
    let (mut total, mut escalated, mut widest) = (0, 0, 0f64);
    for answer in swept {
        let comparisons = answer.comparisons?;
        total += comparisons.total;
        escalated += comparisons.escalated;
        let ends = answer.difference_percent.as_ref().and_then(Figure::ends);
        widest = widest.max(ends.map_or(0.0, |[low, high]| to_f64(&(high - low))));
    }
    let values = if first.rules == ["minimax", "product"] { "product" } else { "the rules'" };
    (total > 0).then(|| {
        format!(
            "Certified: every difference lies within an interval no wider than {widest:.1e} percentage points; \
             {total} comparisons of {values} values proved, {escalated} of them beyond doubles, 0 unresolved."
        )
    })
}
