//! What `critical` answers: single critical trees, the heaviest ones or some drawn by weight.

use num_bigint::BigUint;
use prodmax_enumerate::{Model, Tree};
use prodmax_number::Count;
use prodmax_output::answer::{Answer, Listed, Rows, View};
use prodmax_output::{Cell, Column};
use prodmax_rules::ByRule;
use serde::Serialize;

use super::naming::Naming;
use super::{CurveKeys, ModelKeys, by_rule};
use crate::critical::Mass;
use crate::heaviest::Heavy;

/// How trees were picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picked {
    /// The heaviest ones.
    Heaviest,
    /// Drawn by weight, with this seed.
    Drawn {
        /// The seed of the random numbers.
        seed: u64,
    },
}

/// Critical trees of a model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CriticalAnswer {
    #[serde(flatten)]
    model: ModelKeys,
    #[serde(flatten)]
    curves: CurveKeys,
    /// the two rules, the one that chooses M first
    rules: [String; 2],
    /// ordered trees in which the two rules choose different moves
    critical: Count,
    /// the error mass of each rule over all trees
    errors: ByRule<f64>,
    /// the heaviest trees, the first one the heaviest; null if trees were drawn
    heaviest: Option<Vec<TreeAnswer>>,
    /// trees drawn by weight, if they were asked for
    drawn: Option<Vec<TreeAnswer>>,
    #[serde(skip)]
    of: Model,
}

/// A kind of critical trees: all that differ only in the order of siblings.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TreeAnswer {
    /// the tree by its leaves
    tree: String,
    /// ordered trees of this kind
    trees: Count,
    /// the error mass of each rule over these trees
    errors: ByRule<f64>,
    /// their part of the errors of both rules in all trees, from 0 to 1
    share: Option<f64>,
}

impl CriticalAnswer {
    /// The answer for a model and two rules by their names.
    pub fn new(
        model: &Model,
        curves: CurveKeys,
        rules: [String; 2],
        (critical, mass): (BigUint, Mass<f64>),
        (picked, trees): (Picked, Vec<(Tree, Heavy)>),
    ) -> Self {
        let all = mass.first_error + mass.second_error;
        let tree = |(tree, heavy): (Tree, Heavy)| TreeAnswer {
            tree: tree.to_string(),
            trees: heavy.trees.into(),
            errors: by_rule(&rules, [heavy.first_error, heavy.second_error]),
            share: (all > 0.0).then(|| heavy.weight() / all),
        };
        let trees: Vec<TreeAnswer> = trees.into_iter().map(tree).collect();
        let (heaviest, drawn) = match picked {
            Picked::Heaviest => (Some(trees), None),
            Picked::Drawn { .. } => (None, Some(trees)),
        };
        Self {
            model: model.into(),
            curves,
            critical: critical.into(),
            errors: by_rule(&rules, [mass.first_error, mass.second_error]),
            rules,
            heaviest,
            drawn,
            of: model.clone(),
        }
    }

    fn trees(&self) -> impl Iterator<Item = &TreeAnswer> {
        self.heaviest.iter().chain(&self.drawn).flatten()
    }
}

/// The answers of `critical` for one model or several.
#[derive(Clone, Debug)]
pub struct CriticalAnswers {
    /// By model.
    pub answers: Listed<CriticalAnswer>,
    /// How the trees were picked.
    pub picked: Picked,
}

impl Serialize for CriticalAnswers {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.answers.serialize(serializer)
    }
}

impl Answer for CriticalAnswers {
    fn view(&self) -> View {
        let all = self.answers.all();
        let naming = Naming::of(all.iter().map(|answer| &answer.of));
        let lines: Vec<(&CriticalAnswer, usize, &TreeAnswer)> = all
            .iter()
            .flat_map(|answer| answer.trees().enumerate().map(move |(place, tree)| (answer, place + 1, tree)))
            .collect();
        let (title, number) = match self.picked {
            Picked::Heaviest => ("The heaviest critical trees".to_owned(), "rank"),
            Picked::Drawn { seed } => (format!("Critical trees drawn by weight, seed {seed}"), "number"),
        };
        let mut rows = Rows::new("critical", title, lines.iter().collect());
        rows.columns(naming.columns(), |(answer, ..)| naming.cells(&answer.of));
        rows.column(Column::right(number), |(_, place, _)| (*place).into());
        rows.column(Column::left("tree"), |(.., tree)| tree.tree.clone().into());
        rows.column(Column::right("trees"), |(.., tree)| tree.trees.to_string().into());
        let rules = all.first().map(|first| &first.rules[..]).unwrap_or_default();
        for (place, rule) in rules.iter().enumerate() {
            rows.column(Column::right(format!("{rule} error")), |(.., tree)| {
                tree.errors.0.get(place).map_or_else(Cell::dash, |(_, error)| Cell::decimal(*error, 3))
            });
        }
        rows.column(Column::right("share %"), |(.., tree)| {
            tree.share.map_or_else(|| "-".into(), |share| Cell::decimal(100.0 * share, 6))
        });
        rows.notes(all.first().map(|first| first.curves.note()));
        vec![rows.table()].into()
    }
}
