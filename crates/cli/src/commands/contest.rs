//! `prodmax contest`: every rule against every other, and which one decides best.

use clap::Args;
use prodmax_enumerate::Model;
use prodmax_mass::deep::SweepPlan;
use prodmax_mass::{
    Certified, Curve, CurvesByLine, Doubles, Engine, Exact, MassError, Match, Measure, MeasureError,
    MeasurePlan, Measurement, Number, NumberKind, Pairs, Quality, is_deep,
};
use prodmax_number::Figure;
use prodmax_rules::RuleList;
use prodmax_rules::minimax::Minimax;
use serde_json::{Map, Value, json};

use super::Run;
use crate::charts::{self, Efficiencies};
use crate::context::Context;
use crate::deep_args::DeepArgs;
use crate::effort::{self, Naming};
use crate::error::Error;
use crate::figures::{self, Placed, path};
use crate::files::Files;
use crate::format_number::count_cell as count;
use crate::measure_args::{self, CurveArgs, NOT_DEEP, planned};
use crate::model_args::{ModelArgs, Models};
use crate::output::{Cell, Column, CommandResult, Output, Table};
use crate::shard::args::{ShardArg, ShardArgs};
use crate::shard::plan::WorkPlan;

/// Set every rule against every other over all trees of a model, and rank them.
///
/// The first table ranks the rules, best first. won is the probability, over all
/// ordered trees, that the move which a rule chooses is won (a tie is a toss-up);
/// efficiency is its gain over a random choice as a share of the ideal rule's. The
/// second table has a row for each pair: the critical trees, in which the two
/// choose different moves, and the difference in percent of the errors there
/// (positive: the first one errs less), as prodmax mass prints it.
///
/// Which trees are critical is proved for every pair. Where classes do not fit into
/// memory (depth 4 at full width), minimax must be among the rules, the others are
/// only set against it, and baum and hints are refused. Rules are also set against
/// minimax only where trees have many moves (--branching) and two rules have very
/// many different values.
///
/// Examples:
///
///     prodmax contest --root 1 --increments 8,8 --rules minimax,product,mean:4
///
/// shows that means and Product decide almost perfectly, and Minimax less well.
///
///     prodmax contest --root -1 --increments 3,3,3 --rules minimax,baum:3/4:3/4,product
///
/// goes from Minimax to Product by way of Baum's rule.
///
///     prodmax contest --root 1 --increments 8,8 --rules minimax,product,mean:4 \
///       --format svg -o rules.svg
///
/// draws the efficiency of each rule; with several roots, over the roots.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Contest {
    #[command(flatten)]
    models: ModelArgs,

    #[command(flatten)]
    curves: CurveArgs,

    /// The rules, at least two [default: those of the spec]; see prodmax rules
    #[arg(long, value_name = "RULE,RULE,…", required_unless_present = "spec")]
    rules: Option<RuleList>,

    /// The numbers in which masses are summed: f64; certified (every figure with an interval that is certain to
    /// contain it); exact (fractions, for --truth uniform:P)
    #[arg(long, value_name = "KIND", default_value_t)]
    number: Number,

    #[command(flatten)]
    deep: DeepArgs,

    #[command(flatten)]
    shard: ShardArgs,
}

/// A model and its results.
struct Found {
    model: Model,
    truth: Curve,
    estimate: Curve,
    number: Number,
    names: Vec<String>,
    measured: Measurement<Figure>,
}

impl Run for Contest {
    fn files(&self) -> Files {
        self.deep.files(self.models.files())
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let models = self.models.models()?;
        let rules = self.rules.as_ref().or(models.settings().rules.as_ref()).ok_or(Error::NoRules)?;
        let (truth, estimate) = self.curves.choose(&models);
        let all: Vec<&Model> = models.iter().collect();
        let curves = CurvesByLine::new(&truth, &estimate, &all);
        let measured = match self.number {
            Number::Certified => self.measure::<Certified>(context, &all, &curves, rules)?,
            Number::Exact => self.measure::<Exact>(context, &all, &curves, rules)?,
            _ => self.measure::<Doubles>(context, &all, &curves, rules)?,
        };
        let names: Vec<String> = rules.named().iter().map(|named| named.name.clone()).collect();
        let found = all.into_iter().zip(measured).map(|(model, measured)| Found {
            model: model.clone(),
            truth: truth.clone(),
            estimate: estimate.clone(),
            number: self.number,
            names: names.clone(),
            measured,
        });
        let found: Vec<Found> = found.collect();
        let value = models.json(found.iter().map(Found::json));
        let output = Output::figures(value, vec![qualities(&found), pairs(&found)]);
        let measured_by = measure_args::curves(&truth, &estimate);
        let efficiencies = |found: &Found| -> Efficiencies {
            let percent = |quality: &Quality<Figure>| {
                quality.efficiency.as_ref().map(|efficiency| 100.0 * efficiency.double())
            };
            let named = rules.named().iter().zip(&found.measured.quality);
            named.map(|(named, quality)| (named.name.clone(), named.rule.clone(), percent(quality))).collect()
        };
        let drawing = charts::efficiency(
            &measured_by,
            found.iter().map(|found| (&found.model, efficiencies(found))).collect(),
        );
        Ok(CommandResult::Figures(output.drawn(drawing)))
    }

    fn draws(&self) -> bool {
        true
    }

    fn shard(&self) -> Option<ShardArg> {
        self.shard.shard
    }

    fn plan(&self, shards: u32) -> Result<WorkPlan, Error> {
        let models = self.models.models()?;
        let rules = self.rules.as_ref().or(models.settings().rules.as_ref()).ok_or(Error::NoRules)?;
        let mut sweeps: Vec<SweepPlan> = Vec::new();
        self.for_each_deep(&models, rules, |plan| {
            sweeps.extend(plan.shards(shards));
            Ok(())
        })?;
        if sweeps.is_empty() {
            return Err(Error::DividedCommand { reason: NOT_DEEP.to_owned() });
        }
        Ok(WorkPlan::of_sweeps(&sweeps))
    }

    fn share(&self, context: &Context) -> Result<(), Error> {
        let models = self.models.models()?;
        let rules = self.rules.as_ref().or(models.settings().rules.as_ref()).ok_or(Error::NoRules)?;
        let mut found = false;
        self.for_each_deep(&models, rules, |plan| {
            found = true;
            self.deep.share(context, plan)
        })?;
        if found { Ok(()) } else { Err(Error::NotDivided { why: NOT_DEEP }) }
    }
}

impl Contest {
    /// All classes of the models, in memory or block by block.
    fn measure<'m, K: NumberKind>(
        &self,
        context: &Context,
        models: &[&'m Model],
        curves: &'m CurvesByLine,
        rules: &RuleList,
    ) -> Result<Vec<Measurement<Figure>>, Error> {
        let most = self.deep.most_seconds(context);
        let plan = |model: &'m Model, pairs: Pairs| -> Result<MeasurePlan<'m, K>, Error> {
            effort::check(model)?;
            let measure = Measure::new(model, curves.of(model)).contest(rules.rules()).pairs(pairs);
            planned(measure.engine(Engine::sweeping(model)).within(most).number::<K>())
        };
        let plans = models.iter().map(|&model| plan(model, Pairs::All)).collect::<Result<Vec<_>, _>>()?;
        match plans.iter().filter(|plan| plan.engine() == Engine::Deep).count() {
            0 => self.deep.note_unused(context),
            models if models > 1 && self.deep.keeps() => return Err(Error::OneCheckpoint { models }),
            _ => {}
        }
        let measure = |(&model, planned): (&&'m Model, &MeasurePlan<'m, K>)| {
            match self.deep.measure(context, planned) {
                // Each rule can still be compared with one that has few values.
                Err(Error::Measure {
                    source: MeasureError::Mass(refused @ MassError::TooFine { .. }),
                    ..
                }) if rules.rules().contains(&Minimax.into()) => {
                    context.note(&format!("rules are set against minimax only: {refused}"));
                    self.deep.measure(context, &plan(model, Pairs::WithMinimax)?)
                }
                measured => measured,
            }
        };
        models.iter().zip(&plans).map(measure).collect()
    }

    /// All models that are swept block by block; none takes too long then. All are planned before the first is visited.
    fn for_each_deep(
        &self,
        models: &Models,
        rules: &RuleList,
        mut visit: impl FnMut(&MeasurePlan<'_, Doubles>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let all: Vec<&Model> = models.iter().collect();
        let (truth, estimate) = self.curves.choose(models);
        let curves = CurvesByLine::new(&truth, &estimate, &all);
        let mut plans = Vec::new();
        for model in all.into_iter().filter(|model| is_deep(model)) {
            effort::check(model)?;
            let measure = Measure::new(model, curves.of(model)).contest(rules.rules());
            plans.push(planned(measure.engine(Engine::Deep))?);
        }
        plans.iter().try_for_each(&mut visit)
    }
}

impl Found {
    /// The positions of the rules, best first; equally good ones keep their order.
    fn best_first(&self) -> Vec<usize> {
        let won = |place: usize| self.measured.quality[place].won.double();
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| won(b).total_cmp(&won(a)));
        order
    }

    fn json(&self) -> Value {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        put("root", json!(self.model.root().get()));
        put("increments", json!(self.model.increments()));
        put("zero", json!(self.model.line().zero().to_string()));
        put("h_max", json!(self.model.line().h_max()));
        put("truth", json!(self.truth.to_string()));
        put("estimate", json!(self.estimate.to_string()));
        put("number", json!(self.number.to_string()));
        put("trees", json!(self.model.trees().to_string()));
        put("classes", json!(self.measured.classes));
        put("rules", json!(self.names));
        put("best_first", self.best_first().into_iter().map(|place| json!(self.names[place])).collect());
        let mut placed: Vec<Placed<'_>> = Vec::new();
        for (name, quality) in self.names.iter().zip(&self.measured.quality) {
            placed.push((path(&["quality", name, "won"]), Some(&quality.won)));
            placed.push((path(&["quality", name, "efficiency"]), quality.efficiency.as_ref()));
        }
        if let Some(chances) = &self.measured.chances {
            placed.push((path(&["won_ideal"]), Some(&chances.ideal)));
            placed.push((path(&["won_random"]), Some(&chances.random)));
        }
        figures::insert(&mut object, &placed);
        let game = |game: &Match<Figure>| {
            let [first, second] = game.rules.map(|rule| self.names[rule].as_str());
            let mut object = Map::new();
            object.insert("rules".to_owned(), json!([first, second]));
            if let Some(counts) = game.counts() {
                object.insert("critical".to_owned(), json!(counts.critical.to_string()));
                object.insert("agreeing".to_owned(), json!(counts.agreeing.to_string()));
                object.insert("tied".to_owned(), json!(counts.tied.to_string()));
            }
            let [first_error, second_error] = game.errors();
            let placed: Vec<Placed<'_>> = vec![
                (path(&["errors", first]), Some(first_error)),
                (path(&["errors", second]), Some(second_error)),
                (path(&["share_first"]), game.figures.share_first.as_ref()),
                (path(&["difference_percent"]), game.figures.difference_percent.as_ref()),
                (path(&["per_case_percent"]), game.figures.per_case_percent.as_ref()),
            ];
            figures::insert(&mut object, &placed);
            Value::Object(object)
        };
        object.insert("matches".to_owned(), self.measured.matches.iter().map(game).collect());
        effort::put_branching(&mut object, &self.model);
        Value::Object(object)
    }
}

fn naming(found: &[Found]) -> Naming {
    Naming::of(found.iter().map(|found| &found.model))
}

fn head(naming: Naming, columns: &[(&str, bool)]) -> Vec<Column> {
    let named =
        columns.iter().map(|&(name, left)| if left { Column::left(name) } else { Column::right(name) });
    naming.columns().into_iter().chain(named).collect()
}

fn qualities(found: &[Found]) -> Table {
    let naming = naming(found);
    let of = |found: &Found| -> Vec<Vec<Cell>> {
        let row = |(rank, place): (usize, usize)| {
            let quality = &found.measured.quality[place];
            let mut row: Vec<Cell> = naming.cells(&found.model);
            row.extend([
                (rank + 1).into(),
                found.names[place].clone().into(),
                Cell::percent(Some(&quality.won), 6),
                Cell::percent(quality.efficiency.as_ref(), 6),
            ]);
            row
        };
        found.best_first().into_iter().enumerate().map(row).collect()
    };
    let note = |found: &Found| {
        let (root, increments) = effort::name(&found.model);
        let chances = found.measured.chances.as_ref()?;
        let [ideal, random] = [&chances.ideal, &chances.random].map(|figure| 100.0 * figure.double());
        Some(format!(
            "Root {root}, increments {increments}: the ideal rule wins {ideal:.6} %, a random choice {random:.6} %."
        ))
    };
    let curves = found.first().map(|found| format!("Truth {}, estimate {}.", found.truth, found.estimate));
    Table {
        id: "quality".to_owned(),
        title: "Rules by the probability that the move they choose is won".to_owned(),
        columns: head(naming, &[("rank", false), ("rule", true), ("won %", false), ("efficiency %", false)]),
        rows: found.iter().flat_map(of).collect(),
        notes: found.iter().filter_map(note).chain(curves).collect(),
    }
}

fn pairs(found: &[Found]) -> Table {
    let naming = naming(found);
    let of = |found: &Found| -> Vec<Vec<Cell>> {
        let row = |game: &Match<Figure>| {
            let mut row: Vec<Cell> = naming.cells(&found.model);
            row.extend(game.rules.map(|rule| Cell::from(found.names[rule].clone())));
            row.extend([
                game.counts().map_or_else(Cell::dash, |counts| count(&found.model, &counts.critical)),
                Cell::percent(game.figures.share_first.as_ref(), 6),
                Cell::of(game.figures.difference_percent.as_ref(), 6),
            ]);
            row
        };
        found.measured.matches.iter().map(row).collect()
    };
    Table {
        id: "matches".to_owned(),
        title: "Every rule against every other in their critical trees (difference above 0: the first one errs less)".to_owned(),
        columns: head(
            naming,
            &[
                ("first", true),
                ("second", true),
                ("critical", false),
                ("share of first %", false),
                ("difference %", false),
            ],
        ),
        rows: found.iter().flat_map(of).collect(),
        notes: Vec::new(),
    }
}
