//! `prodmax mass`: the critical trees of a model and the error mass of two rules in them.

use clap::Args;
use prodmax_enumerate::Model;
use prodmax_mass::{Engine, Measurement, Number};
use prodmax_number::Figure;
use serde_json::{Map, Value, json};

use super::{Run, mass_law, mass_reading};
use crate::charts::{self, Point};
use crate::context::Context;
use crate::effort::{self, Naming};
use crate::error::Error;
use crate::figures::{self, Keys, Placed};
use crate::files::Files;
use crate::format_number::count_cell;
use crate::measure_args::{MeasureArgs, Measured, curves};
use crate::model_args::ModelArgs;
use crate::output::{Cell, Column, CommandResult, Output, Table};
use crate::shard::args::{ShardArg, ShardArgs};
use crate::shard::plan::WorkPlan;

/// Sum the errors of two rules, Minimax and Product unless named, over all critical trees of a model.
///
/// A tree is critical if the two rules choose different moves: M by Minimax, P
/// by Product. Minimax errs there with probability Pr(M lost) Pr(P won), Product
/// with Pr(M won) Pr(P lost); both are summed over all ordered trees (KHS section
/// V). The figures:
///
///   critical            ordered trees in which the rules disagree, exactly
///   won                 the probability, over all trees, that the move which a rule
///                       chooses is won; it settles ties by chance
///   ties                what trees in which a rule ties contribute to won of Minimax
///                       minus won of Product, in percentage points
///   difference          100 (product error - minimax error) / (their sum), as in
///                       KHS's Table II: above 0 Minimax errs less in critical trees
///   minimax error       error mass of Minimax
///   product error       error mass of Product
///   share               Minimax's part of both errors, in percent
///   per case            100 (product error - minimax error) / critical
///
/// The difference is relative to the errors in critical trees and leaves ties out. So
/// it can be large where little is won or lost, and its sign can differ from that of
/// what is won; a note says where it does.
///
/// Which trees are critical is decided exactly whatever numbers are used: where
/// doubles cannot tell two product values apart, higher precision or an algebraic
/// identity does. With --number certified every figure comes with an interval that
/// is certain to contain it.
///
/// --rules sets any two rules against each other (prodmax rules lists them); the
/// first one takes the place of Minimax, the second one that of Product. Then, or
/// with --quality, there is also the efficiency of each rule: the part of what the
/// ideal rule wins beyond chance.
///
/// --branching B gives every node B moves instead of two. A tree is critical then if
/// each rule has a unique best move and these differ; errors are those of the two
/// moves, as before, and a rule with several best moves takes one of them at random.
///
/// A binary model with more than 2 million depth-1 classes is swept block by block in
/// bounded memory: counts stay exact, masses come with a proven error bound. There
/// Minimax can be set against product, average, mean and ideal.
///
/// Where that would take more than 30 minutes, the law of the values is computed on
/// a grid instead, for Minimax against Product or the ideal rule at any depth and
/// with any number of moves: estimates with a margin, or with --number certified
/// intervals that are certain to contain each figure. --engine names one of the
/// three; prodmax enumerate --plan says what each would take.
///
/// Examples:
///
///     prodmax mass --root -1 --increments 3,3,3
///
/// is one cell of Table II: published +0.8, the stated model gives -4.76.
///
///     prodmax mass --root -4..2 --increments 8,8 --increments 8,8,8
///
/// does the roots of Table II at full width, first depth 2 and then depth 3.
///
///     prodmax mass --root 1 --increments 8,8 --number certified --format json
///
/// gives depth 2 at full width with certified figures.
///
///     prodmax mass --root -3 --increments 8,8 --truth uniform:1/35 --number exact
///
/// shows that both rules err equally often there: the threshold of formula (7).
///
///     prodmax mass --root -1 --increments 3,3,3 --reading sign-wise
///
/// takes the paper's text in another way (see prodmax readings --help): +0.33, with
/// the sign of the published cell.
///
///     prodmax mass --root 1 --increments 8,8 --rules minimax,mean:4
///
/// sets Rivest's generalised means against Minimax: they win 34.55 % of their
/// decisions, Minimax 34.29 %.
///
///     prodmax mass --root 1 --increments 8,8 --branching 8
///
/// does all 9^72 trees with eight moves everywhere.
///
///     prodmax mass --root 1 --increments 8,8,8,8 --checkpoint depth4.ckpt
///
/// does all 4.2e28 trees of depth 4; interrupted, the same command goes on.
///
///     prodmax mass --root 1 --increments 8,8,8,8 --engine law --number certified --width 0.5
///
/// encloses the same difference in an interval of less than half a point, in seconds.
///
///     prodmax mass --root -8..8 --increments 8,8 --format svg -o difference.svg
///
/// draws the difference over the roots.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Mass {
    #[command(flatten)]
    models: ModelArgs,

    #[command(flatten)]
    measure: MeasureArgs,

    #[command(flatten)]
    shard: ShardArgs,

    /// Measure the efficiency of each rule, too; --rules implies it, and so does the law of the values.
    #[arg(long)]
    quality: bool,

    /// Read the paper's text in another way: stated, per-case, sign-wise, error-product or a file like those in
    /// specs/readings. Summed in doubles.
    #[arg(
        long,
        value_name = "NAME|FILE",
        conflicts_with_all = [
            "truth", "estimate", "number", "ties", "zero", "h_max", "checkpoint",
        ]
    )]
    reading: Option<String>,
}

impl Run for Mass {
    fn files(&self) -> Files {
        let files = self.measure.files(self.models.files());
        files.reads("--reading", &mass_reading::file(self.reading.as_deref()))
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let models = self.models.models()?;
        if let Some(reading) = &self.reading {
            if self.quality || self.measure.names_rules() || models.settings().rules.is_some() {
                return Err(Error::ReadingOfRules);
            }
            return mass_reading::run(context, reading, &models);
        }
        let measured = self.measure.measure(context, &models, self.quality)?;
        let value = |(model, measurement): &(Model, Measurement<Figure>)| match measurement.engine {
            Engine::Law => mass_law::json(&measured, model, measurement),
            Engine::Classes | Engine::Deep => json(model, &measured, measurement),
        };
        let values: Vec<Value> = measured.measurements.iter().map(value).collect();
        let (swept, by_law) = (measured.by_law(false), measured.by_law(true));
        let mut tables = Vec::new();
        if !swept.is_empty() {
            tables.push(table(&measured, &swept));
        }
        if !by_law.is_empty() {
            let id = if swept.is_empty() { "mass" } else { "mass-law" };
            tables.push(Table { id: id.to_owned(), ..mass_law::table(&measured, &by_law) });
        }
        let second = if measured.named { measured.rules.names()[1] } else { "Product" };
        let output = Output::figures(models.json(values), tables);
        let points = measured.measurements.iter().map(|(model, measurement)| {
            let difference = measurement.matches[0].figures.difference_percent.as_ref();
            (model, difference.map(Point::from))
        });
        let title = curves(&measured.truth, &measured.estimate);
        let drawing = charts::difference("difference", second, &title, points);
        Ok(CommandResult::Figures(output.drawn(drawing)))
    }

    fn draws(&self) -> bool {
        true
    }

    fn shard(&self) -> Option<ShardArg> {
        self.shard.shard
    }

    fn plan(&self, shards: u32) -> Result<WorkPlan, Error> {
        self.measure.plan(&self.models.models()?, self.quality, shards)
    }

    fn share(&self, context: &Context) -> Result<(), Error> {
        if self.reading.is_some() {
            return Err(Error::NotDivided { why: "a reading of one model is measured at once" });
        }
        self.measure.share(context, &self.models.models()?, self.quality)
    }
}

/// Everything about one model.
fn json(model: &Model, measured: &Measured, measurement: &Measurement<Figure>) -> Value {
    let mut object = head_json(model, measured);
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("trees", json!(model.trees().to_string()));
    put("classes", json!(measurement.classes));
    if let Some(counts) = measurement.matches[0].counts() {
        put("critical", json!(counts.critical.to_string()));
        put("agreeing", json!(counts.agreeing.to_string()));
        put("tied", json!(counts.tied.to_string()));
    }
    effort::put_branching(&mut object, model);
    figures::insert(&mut object, &placed(measured, measurement));
    if let Some(bound) = measurement.matches[0].bound {
        object.insert("error_bound".to_owned(), json!(bound));
    }
    if let (Number::Certified, Some(comparisons)) = (measured.number, measurement.comparisons) {
        object.insert(
            "comparisons".to_owned(),
            json!({
                "total": comparisons.total,
                "escalated": comparisons.escalated,
                "unresolved": comparisons.unresolved,
            }),
        );
    }
    Value::Object(object)
}

/// The model, the curves and the rules.
pub(super) fn head_json(model: &Model, measured: &Measured) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("root", json!(model.root().get()));
    put("increments", json!(model.increments()));
    put("zero", json!(model.line().zero().to_string()));
    put("h_max", json!(model.line().h_max()));
    put("truth", json!(measured.truth.to_string()));
    put("estimate", json!(measured.estimate.to_string()));
    put("number", json!(measured.number.to_string()));
    if measured.named {
        put("rules", json!(measured.rules.names()));
    }
    object
}

fn placed<'a>(measured: &Measured, measurement: &'a Measurement<Figure>) -> Vec<Placed<'a>> {
    let names = measured.rules.names();
    let keys = if measured.named { Keys::Rules(names) } else { Keys::Khs };
    figures::placed(measurement, names, keys)
}

fn table(measured: &Measured, swept: &[(&Model, &Measurement<Figure>)]) -> Table {
    let names = measured.rules.names();
    let naming = Naming::of(swept.iter().map(|(model, _)| *model));
    let mut columns = naming.columns();
    columns.extend(["trees", "classes", "critical"].map(Column::right));
    // Models that do not fit into memory have figures without efficiencies.
    let all = swept.iter().map(|(_, measurement)| placed(measured, measurement));
    let paths = all.max_by_key(Vec::len).unwrap_or_default().into_iter().map(|(path, _)| path);
    columns.extend(paths.map(|path| Column::right(head(&path)).at(path)));
    let width = columns.len();
    let mut notes = vec![format!("Truth {}, estimate {}.", measured.truth, measured.estimate)];
    notes.extend(swept.iter().filter_map(|(model, measurement)| {
        let won = [0, 1].map(|rule| measurement.quality[rule].won.double());
        let difference = measurement.matches[0].figures.difference_percent.as_ref()?;
        disagreement(model, names, won, difference.double())
    }));
    notes.extend(certificate(measured, swept));
    notes.extend(swept.iter().filter_map(|(model, measurement)| bound(model, measurement)));
    Table {
        id: "mass".to_owned(),
        title: title(names[0], ""),
        columns,
        rows: swept
            .iter()
            .map(|(model, measurement)| row(measured, naming, model, measurement, width))
            .collect(),
        notes,
    }
}

/// The title of a table of masses, with the unit of the masses.
pub(crate) fn title(first: &str, unit: &str) -> String {
    format!(
        "What both rules win over all trees, and their errors in critical trees{unit} (difference above 0: {first} errs less \
         there)"
    )
}

/// A note if one rule wins more and the other one errs less: the difference leaves ties out.
pub(crate) fn disagreement(
    model: &Model,
    names: [&str; 2],
    won: [f64; 2],
    difference: f64,
) -> Option<String> {
    let lead = won[0] - won[1];
    if lead * difference >= 0.0 {
        return None;
    }
    let (root, increments) = effort::name(model);
    let [fewer_errors, more_won] = if difference > 0.0 { names } else { [names[1], names[0]] };
    Some(format!(
        "Root {root}, increments {increments}: the measures disagree. In critical trees {fewer_errors} errs less; over all trees, \
         where ties are settled by chance, {more_won} wins more."
    ))
}

/// The head of the column of a figure.
fn head(path: &[String]) -> String {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    match path[..] {
        ["quality", name, "won"] => format!("{name} won %"),
        ["quality", name, _] => format!("{name} efficiency %"),
        ["ties_points"] => "ties, points".to_owned(),
        ["minimax_error"] => "minimax error".to_owned(),
        ["product_error"] => "product error".to_owned(),
        ["errors", name] => format!("{name} error"),
        ["difference_percent"] => "difference %".to_owned(),
        ["per_case_percent"] => "per case %".to_owned(),
        ["won_ideal"] => "ideal won %".to_owned(),
        ["won_random"] => "random won %".to_owned(),
        _ => "share %".to_owned(),
    }
}

fn row(
    measured: &Measured,
    naming: Naming,
    model: &Model,
    measurement: &Measurement<Figure>,
    width: usize,
) -> Vec<Cell> {
    let mut row: Vec<Cell> = naming.cells(model);
    row.push(count_cell(model, &model.trees()));
    row.push(measurement.classes.map_or_else(Cell::dash, Cell::from));
    let counts = measurement.matches[0].counts();
    row.push(counts.map_or_else(Cell::dash, |counts| count_cell(model, &counts.critical)));
    for (path, figure) in placed(measured, measurement) {
        row.push(match path[0].as_str() {
            "minimax_error" | "product_error" | "errors" => Cell::of(figure, 8),
            "difference_percent" | "per_case_percent" | "ties_points" => Cell::of(figure, 6),
            _ => Cell::percent(figure, 6),
        });
    }
    row.resize_with(width, Cell::dash);
    row
}

/// How far the masses of a deep model can be from the exact ones.
fn bound(model: &Model, measurement: &Measurement<Figure>) -> Option<String> {
    let (root, increments) = effort::name(model);
    let bound = measurement.matches[0].bound?;
    Some(format!(
        "Root {root}, increments {increments}: summed block by block; counts are exact, each mass is proven to be within \
         {bound:.1e} of the exact one."
    ))
}

/// What certified figures are based on.
fn certificate(measured: &Measured, swept: &[(&Model, &Measurement<Figure>)]) -> Option<String> {
    if measured.number != Number::Certified {
        return None;
    }
    let (mut total, mut escalated, mut widest) = (0, 0, 0f64);
    for (_, measurement) in swept {
        let comparisons = measurement.comparisons?;
        total += comparisons.total;
        escalated += comparisons.escalated;
        let ends = measurement.matches[0].figures.difference_percent.as_ref().and_then(Figure::ends);
        let width = ends.map_or(0.0, |[low, high]| prodmax_number::fraction::to_f64(&(high - low)));
        widest = widest.max(width);
    }
    (total > 0).then(|| {
        format!(
            "Certified: every difference lies within an interval no wider than {widest:.1e} percentage points; \
             {total} comparisons of {} values proved, {escalated} of them beyond doubles, 0 unresolved.",
            if measured.named { "the rules'" } else { "product" }
        )
    })
}
