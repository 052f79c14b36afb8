//! `prodmax contest`: every rule against every other, and which one decides best.

use clap::Args;
use prodmax_enumerate::{Model, Plan};
use prodmax_mass::deep::{SweepPlan, sweeps};
use prodmax_mass::effort::{MeasureWork, NumberCost, in_memory};
use prodmax_mass::{
    Counts, Curve, Curves, MassError, Match, Matches, Number, Numbered, Standings, Tournament,
};
use prodmax_mass::{MeasureError, is_deep};
use prodmax_rules::RuleList;
use prodmax_rules::minimax::Minimax;
use serde_json::{Map, Value, json};

use super::Run;
use crate::charts::{self, Efficiencies};
use crate::context::Context;
use crate::deep_args::DeepArgs;
use crate::effort::{self, Naming};
use crate::error::Error;
use crate::figures::{self, Figure, Placed, optional};
use crate::files::Files;
use crate::format_number::count_cell as count;
use crate::guard;
use crate::measure_args::{CurveArgs, NOT_DEEP, curves};
use crate::model_args::ModelArgs;
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
    tournament: Tournament,
}

impl Run for Contest {
    fn files(&self) -> Files {
        self.deep.files(self.models.files())
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let models = self.models.models()?;
        let rules = self.rules.as_ref().or(models.settings().rules.as_ref()).ok_or(Error::NoRules)?;
        for model in models.iter() {
            effort::check(model)?;
            self.deep.check_tournament(context, model, &rules.rules())?;
        }
        let (truth, estimate) = self.curves.choose(&models);
        match models.iter().filter(|model| is_deep(model)).count() {
            0 => self.deep.note_unused(context),
            models if models > 1 && self.deep.keeps() => return Err(Error::OneCheckpoint { models }),
            _ => {}
        }
        let find = |model: &Model| {
            let curves = Curves::new(truth.clone(), estimate.clone(), model.line().h_max());
            let failed = |source: MeasureError| {
                let (root, increments) = effort::name(model);
                Error::Measure { root, increments, source }
            };
            let tournament = if is_deep(model) {
                self.deep.tournament(context, &curves, model, &rules.rules(), self.number)?
            } else {
                let count = rules.rules().len();
                let numbers = NumberCost::of(self.number, &truth);
                let work =
                    MeasureWork { rankings: count + 1, contests: count * (count - 1) / 2 + 1, numbers };
                let effort = in_memory(model, &Plan::of(model), &work);
                let instead = "use doubles (--number f64), fewer rules or smaller increments";
                let _meter = guard::admit(context, &effort::names(&[model]), effort, instead)?;
                match curves.tournament(model, &rules.rules(), self.number) {
                    // Each rule can still be compared with one that has few values.
                    Err(MeasureError::Mass(refused @ MassError::TooFine { .. }))
                        if rules.rules().contains(&Minimax.into()) =>
                    {
                        context.note(&format!("rules are set against minimax only: {refused}"));
                        let matches = Matches::WithMinimax;
                        curves.tournament_of(model, &rules.rules(), self.number, matches).map_err(failed)?
                    }
                    tournament => tournament.map_err(failed)?,
                }
            };
            let names = rules.named().iter().map(|named| named.name.clone()).collect();
            let (truth, estimate) = (truth.clone(), estimate.clone());
            Ok(Found { model: model.clone(), truth, estimate, number: self.number, names, tournament })
        };
        let found = models.iter().map(find).collect::<Result<Vec<_>, Error>>()?;
        let value = models.json(found.iter().map(Found::json));
        let output = Output::figures(value, vec![qualities(&found), pairs(&found)]);
        let measured_by = curves(&truth, &estimate);
        let efficiencies = |found: &Found| -> Efficiencies {
            let rows = self::rows(&found.tournament.standings);
            let percent =
                |[_, efficiency]: &[Option<&dyn Figure>; 2]| efficiency.map(|part| 100.0 * part.double());
            let named = rules.named().iter().zip(&rows.quality);
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
        let rules = self.rules.as_ref().or(models.settings().rules.as_ref()).ok_or(Error::NoRules)?.rules();
        let deep = models.iter().filter(|model| is_deep(model));
        let plans: Vec<SweepPlan> =
            deep.flat_map(|model| vec![SweepPlan::of(model, shards); sweeps(&rules, true).len()]).collect();
        if plans.is_empty() {
            return Err(Error::DividedCommand { reason: NOT_DEEP.to_owned() });
        }
        Ok(WorkPlan::of_sweeps(&plans))
    }

    fn share(&self, context: &Context) -> Result<(), Error> {
        let models = self.models.models()?;
        let rules = self.rules.as_ref().or(models.settings().rules.as_ref()).ok_or(Error::NoRules)?.rules();
        let (truth, estimate) = self.curves.choose(&models);
        let deep: Vec<&Model> = models.iter().filter(|model| is_deep(model)).collect();
        for model in &deep {
            effort::check(model)?;
            self.deep.check_tournament(context, model, &rules)?;
        }
        for model in &deep {
            let curves = Curves::new(truth.clone(), estimate.clone(), model.line().h_max());
            self.deep.share(context, &curves, model, &sweeps(&rules, true))?;
        }
        if deep.is_empty() { Err(Error::NotDivided { why: NOT_DEEP }) } else { Ok(()) }
    }
}

/// The figures of a tournament, in any kind of number.
struct Rows<'a> {
    /// won, efficiency.
    quality: Vec<[Option<&'a dyn Figure>; 2]>,
    games: Vec<Game<'a>>,
    /// For the ideal rule and for a random choice.
    chances: [&'a dyn Figure; 2],
}

/// Two rules against each other.
struct Game<'a> {
    /// Their positions in the list of all.
    rules: [usize; 2],
    counts: &'a Counts,
    errors: [&'a dyn Figure; 2],
    share: Option<&'a dyn Figure>,
    difference: Option<&'a dyn Figure>,
    per_case: Option<&'a dyn Figure>,
}

fn rows(standings: &Numbered) -> Rows<'_> {
    match standings {
        Numbered::F64(standings) => rows_of(standings),
        Numbered::Certified(standings) => rows_of(standings),
        Numbered::Exact(standings) => rows_of(standings),
    }
}

fn rows_of<'a, N: Figure>(standings: &'a Standings<N>) -> Rows<'a> {
    let game = |game: &'a Match<N>| Game {
        rules: game.rules,
        counts: &game.counts,
        errors: [&game.mass.first_error, &game.mass.second_error],
        share: optional(&game.figures.share_first),
        difference: optional(&game.figures.difference_percent),
        per_case: optional(&game.figures.per_case_percent),
    };
    Rows {
        quality: standings
            .quality
            .iter()
            .map(|quality| [Some(&quality.won as &dyn Figure), optional(&quality.efficiency)])
            .collect(),
        games: standings.matches.iter().map(game).collect(),
        chances: [&standings.chances.ideal, &standings.chances.random],
    }
}

impl Found {
    /// The positions of the rules, best first; equally good ones keep their order.
    fn best_first(&self) -> Vec<usize> {
        let rows = rows(&self.tournament.standings);
        let won = |place: usize| rows.quality[place][0].map_or(0.0, Figure::double);
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| won(b).total_cmp(&won(a)));
        order
    }

    fn json(&self) -> Value {
        let rows = rows(&self.tournament.standings);
        let path = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
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
        put("classes", json!(self.tournament.classes));
        put("rules", json!(self.names));
        put("best_first", self.best_first().into_iter().map(|place| json!(self.names[place])).collect());
        let mut placed: Vec<Placed<'_>> = Vec::new();
        for (name, [won, efficiency]) in self.names.iter().zip(&rows.quality) {
            placed.push((path(&["quality", name, "won"]), *won));
            placed.push((path(&["quality", name, "efficiency"]), *efficiency));
        }
        placed.push((path(&["won_ideal"]), Some(rows.chances[0])));
        placed.push((path(&["won_random"]), Some(rows.chances[1])));
        figures::insert(&mut object, &placed);
        let game = |game: &Game<'_>| {
            let [first, second] = game.rules.map(|rule| self.names[rule].as_str());
            let mut object = Map::new();
            object.insert("rules".to_owned(), json!([first, second]));
            object.insert("critical".to_owned(), json!(game.counts.critical.to_string()));
            object.insert("agreeing".to_owned(), json!(game.counts.agreeing.to_string()));
            object.insert("tied".to_owned(), json!(game.counts.tied.to_string()));
            let placed: Vec<Placed<'_>> = vec![
                (path(&["errors", first]), Some(game.errors[0])),
                (path(&["errors", second]), Some(game.errors[1])),
                (path(&["share_first"]), game.share),
                (path(&["difference_percent"]), game.difference),
                (path(&["per_case_percent"]), game.per_case),
            ];
            figures::insert(&mut object, &placed);
            Value::Object(object)
        };
        object.insert("matches".to_owned(), rows.games.iter().map(game).collect());
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
        let rows = rows(&found.tournament.standings);
        let row = |(rank, place): (usize, usize)| {
            let [won, efficiency] = rows.quality[place];
            let mut row: Vec<Cell> = naming.cells(&found.model);
            row.extend([
                (rank + 1).into(),
                found.names[place].clone().into(),
                figures::percent(won, 6),
                figures::percent(efficiency, 6),
            ]);
            row
        };
        found.best_first().into_iter().enumerate().map(row).collect()
    };
    let note = |found: &Found| {
        let (root, increments) = effort::name(&found.model);
        let [ideal, random] = rows(&found.tournament.standings).chances.map(|figure| 100.0 * figure.double());
        format!(
            "Root {root}, increments {increments}: the ideal rule wins {ideal:.6} %, a random choice {random:.6} %."
        )
    };
    let curves = found.first().map(|found| format!("Truth {}, estimate {}.", found.truth, found.estimate));
    Table {
        id: "quality".to_owned(),
        title: "Rules by the probability that the move they choose is won".to_owned(),
        columns: head(naming, &[("rank", false), ("rule", true), ("won %", false), ("efficiency %", false)]),
        rows: found.iter().flat_map(of).collect(),
        notes: found.iter().map(note).chain(curves).collect(),
    }
}

fn pairs(found: &[Found]) -> Table {
    let naming = naming(found);
    let of = |found: &Found| -> Vec<Vec<Cell>> {
        let row = |game: &Game<'_>| {
            let mut row: Vec<Cell> = naming.cells(&found.model);
            row.extend(game.rules.map(|rule| Cell::from(found.names[rule].clone())));
            row.extend([
                count(&found.model, &game.counts.critical),
                figures::percent(game.share, 6),
                figures::cell(game.difference, 6),
            ]);
            row
        };
        rows(&found.tournament.standings).games.iter().map(row).collect()
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
