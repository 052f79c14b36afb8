//! What `contest` answers: every rule against every other, and which one decides best.

use prodmax_enumerate::Model;
use prodmax_number::{Count, Figure};
use prodmax_output::answer::{Answer, Listed, Rows, View};
use prodmax_output::{Cell, Column, Table};
use prodmax_rules::{ByRule, NamedRule};
use serde::Serialize;

use super::charts::{self, Efficiencies};
use super::naming::{Naming, count_cell, name};
use super::{CurveKeys, ModelKeys, RuleQuality, by_rule, counted};
use crate::measure::{Match, Measurement};

/// Rules against each other on a model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContestAnswer {
    #[serde(flatten)]
    model: ModelKeys,
    #[serde(flatten)]
    curves: CurveKeys,
    /// `classes` or `deep`: what summed the masses
    engine: String,
    /// ordered trees
    trees: Count,
    /// depth-1 classes
    classes: Option<u64>,
    /// the rules, as they were named
    rules: Vec<String>,
    /// the rules by what they win, best first
    best_first: Vec<String>,
    /// how well each rule decides
    quality: ByRule<RuleQuality>,
    /// what the ideal rule wins
    won_ideal: Option<Figure>,
    /// what a random choice wins
    won_random: Option<Figure>,
    /// two rules against each other
    matches: Vec<MatchAnswer>,
    #[serde(skip)]
    of: Model,
    #[serde(skip)]
    named: Vec<NamedRule>,
}

/// Two rules against each other.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchAnswer {
    /// the two rules
    rules: [String; 2],
    /// ordered trees in which they choose different moves
    critical: Option<Count>,
    /// ordered trees in which they choose the same move
    agreeing: Option<Count>,
    /// ordered trees in which one of them has no preference
    tied: Option<Count>,
    /// the error mass of each rule over all trees
    errors: ByRule<Figure>,
    /// the first rule's share of both error masses, in percent
    share_percent: Option<Figure>,
    /// 100 (second errs - first errs) / their sum, positive if the first rule errs less
    difference_percent: Option<Figure>,
    /// 100 (second errs - first errs) / critical trees
    per_case_percent: Option<Figure>,
}

impl MatchAnswer {
    fn new(names: &[String], game: Match<Figure>) -> Self {
        let rules = game.rules.map(|rule| names[rule].clone());
        let [critical, agreeing, tied] = counted(&game);
        Self {
            critical,
            agreeing,
            tied,
            errors: by_rule(&rules, game.errors().iter().cloned()),
            share_percent: game.figures.share_first.as_ref().map(Figure::percent),
            difference_percent: game.figures.difference_percent,
            per_case_percent: game.figures.per_case_percent,
            rules,
        }
    }
}

impl ContestAnswer {
    /// The answer for a model and rules.
    pub fn new(model: &Model, curves: CurveKeys, named: &[NamedRule], measured: Measurement<Figure>) -> Self {
        let rules: Vec<String> = named.iter().map(|named| named.name.clone()).collect();
        let mut order: Vec<usize> = (0..rules.len()).collect();
        // Equally good ones keep their order.
        let won = |place: usize| measured.quality[place].won.double();
        order.sort_by(|&a, &b| won(b).total_cmp(&won(a)));
        let (ideal, random) = measured.chances.map(|chances| (chances.ideal, chances.random)).unzip();
        Self {
            model: model.into(),
            curves,
            engine: measured.engine.to_string(),
            trees: model.trees().into(),
            classes: measured.classes,
            best_first: order.into_iter().map(|place| rules[place].clone()).collect(),
            quality: by_rule(&rules, measured.quality),
            won_ideal: ideal,
            won_random: random,
            matches: measured.matches.into_iter().map(|game| MatchAnswer::new(&rules, game)).collect(),
            rules,
            of: model.clone(),
            named: named.to_vec(),
        }
    }

    fn quality_of(&self, rule: &str) -> Option<&RuleQuality> {
        self.quality.0.iter().find(|(name, _)| name == rule).map(|(_, quality)| quality)
    }

    /// The efficiency of each rule in percent, for a drawing.
    fn efficiencies(&self) -> Efficiencies {
        let percent = |quality: &RuleQuality| quality.efficiency.as_ref().map(|part| 100.0 * part.double());
        let named = self.named.iter().zip(&self.quality.0);
        named.map(|(named, (name, quality))| (name.clone(), named.rule.clone(), percent(quality))).collect()
    }

    /// What the best and a random choice win.
    fn scale(&self) -> Option<String> {
        let (root, increments) = name(&self.of);
        let [ideal, random] = [self.won_ideal.as_ref()?, self.won_random.as_ref()?];
        let [ideal, random] = [ideal, random].map(|figure| 100.0 * figure.double());
        Some(format!(
            "Root {root}, increments {increments}: the ideal rule wins {ideal:.6} %, a random choice {random:.6} %."
        ))
    }
}

/// The answers of `contest` for one model or several.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct ContestAnswers(pub Listed<ContestAnswer>);

impl Answer for ContestAnswers {
    fn view(&self) -> View {
        let all = self.0.all();
        let naming = Naming::of(all.iter().map(|answer| &answer.of));
        let drawing = all.first().map(|first| {
            let efficiencies = all.iter().map(|answer| (&answer.of, answer.efficiencies())).collect();
            charts::efficiency(&first.curves.sentence(), efficiencies)
        });
        View { tables: vec![qualities(all, naming), matches(all, naming)], drawing, checks: None }
    }
}

fn qualities(all: &[ContestAnswer], naming: Naming) -> Table {
    let ranked: Vec<(&ContestAnswer, usize, &str)> = all
        .iter()
        .flat_map(|answer| {
            let best = answer.best_first.iter().enumerate();
            best.map(move |(place, rule)| (answer, place + 1, rule.as_str()))
        })
        .collect();
    let title = "Rules by the probability that the move they choose is won";
    let mut rows = Rows::new("quality", title, ranked.iter().collect());
    rows.columns(naming.columns(), |(answer, ..)| naming.cells(&answer.of));
    rows.column(Column::right("rank"), |(_, rank, _)| (*rank).into());
    rows.column(Column::left("rule"), |(.., rule)| (*rule).into());
    rows.column(Column::right("won %"), |(answer, _, rule)| {
        Cell::percent(answer.quality_of(rule).map(|quality| &quality.won), 6)
    });
    rows.column(Column::right("efficiency %"), |(answer, _, rule)| {
        Cell::percent(answer.quality_of(rule).and_then(|quality| quality.efficiency.as_ref()), 6)
    });
    rows.notes(all.iter().filter_map(ContestAnswer::scale));
    rows.notes(all.first().map(|first| first.curves.note()));
    rows.table()
}

fn matches(all: &[ContestAnswer], naming: Naming) -> Table {
    let games: Vec<(&ContestAnswer, &MatchAnswer)> =
        all.iter().flat_map(|answer| answer.matches.iter().map(move |game| (answer, game))).collect();
    let title = "Every rule against every other in their critical trees (difference above 0: the first one errs less)";
    let mut rows = Rows::new("matches", title, games.iter().collect());
    rows.columns(naming.columns(), |(answer, _)| naming.cells(&answer.of));
    rows.column(Column::left("first"), |(_, game)| game.rules[0].clone().into());
    rows.column(Column::left("second"), |(_, game)| game.rules[1].clone().into());
    rows.column(Column::right("critical"), |(answer, game)| {
        game.critical.as_ref().map_or_else(Cell::dash, |count| count_cell(&answer.of, &count.0))
    });
    rows.column(Column::right("share of first %"), |(_, game)| Cell::of(game.share_percent.as_ref(), 6));
    rows.column(Column::right("difference %"), |(_, game)| Cell::of(game.difference_percent.as_ref(), 6));
    rows.table()
}
