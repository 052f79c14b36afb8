//! The best readings of a search.

use prodmax_output::answer::{Answer, Rows, View};
use prodmax_output::large::counted;
use prodmax_output::{Cell, Column, Table};
use serde::{Serialize, Serializer};

use crate::contribution::{Contribution, contributions};
use crate::grid::DIMENSIONS;
use crate::rank::{RankBy, best, distinct};
use crate::reading::Reading;
use crate::score::{FactScore, Score};
use crate::search::GridSearch;
use crate::target::Cell as TargetCell;

/// Readings of the papers' text, ranked by how close they come to the published figures.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchAnswer {
    /// readings tried
    tried: usize,
    /// different results among them
    different: usize,
    /// the number of published cells
    cells: usize,
    /// the most cells within rounding of any reading
    most_within: Option<u32>,
    /// the most signs of any reading
    most_signs: Option<u32>,
    /// the most figures of depth 2 of any reading
    most_facts: Option<u32>,
    /// how many readings reproduce every cell
    reproduced: usize,
    /// notes on the result
    notes: Vec<String>,
    /// the best readings
    best: Vec<BestReading>,
    /// what each choice contributes
    contributions: Vec<Contribution>,
    #[serde(skip)]
    published: Vec<TargetCell>,
    /// Whether the readings are single ones with names.
    #[serde(skip)]
    are_named: bool,
    /// How many of the best are printed cell by cell.
    #[serde(skip)]
    side_by_side: usize,
}

/// A reading and how close it comes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BestReading {
    /// its name, or else its number in the grid
    name: String,
    /// its number in the grid
    index: usize,
    /// the reading of the papers' text
    reading: Reading,
    /// root mean square distance from the published cells
    rms: f64,
    /// cells within rounding
    within: u32,
    /// cells with the published sign
    signs: u32,
    /// the figures of depth 2 under it
    depth2: Option<FactScore>,
    /// the statistic, by cell
    #[serde(serialize_with = "by_cell")]
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, Option<f64>>"))]
    values: Vec<(String, Option<f64>)>,
    /// Its choice in each dimension.
    #[serde(skip)]
    labels: Vec<String>,
}

fn by_cell<S: Serializer>(values: &[(String, Option<f64>)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(id, value)| (id, value)))
}

impl BestReading {
    fn new(search: &GridSearch, names: &[String], index: usize) -> Option<Self> {
        let evaluated = search.evaluate(index)?;
        let Score { rms, within, signs, facts: depth2 } = evaluated.score;
        let (place, number) = search.place(index);
        let grid = &search.grids()[place];
        let choices = grid.choices(number).into_iter().enumerate();
        let ids = search.target().cells.iter().map(|cell| cell.id.clone());
        Some(Self {
            name: names.get(place).cloned().unwrap_or_else(|| index.to_string()),
            index,
            reading: search.reading(index),
            rms,
            within,
            signs,
            depth2,
            values: ids.zip(evaluated.values).collect(),
            labels: choices.map(|(dimension, choice)| grid.labels(dimension).swap_remove(choice)).collect(),
        })
    }
}

impl SearchAnswer {
    /// Ranks the readings of a search. Single readings have names; of the `top` best, `side_by_side` are printed cell by cell.
    pub fn new(
        search: &GridSearch,
        scores: &[Score],
        names: &[String],
        by: RankBy,
        top: usize,
        side_by_side: usize,
    ) -> Self {
        let target = search.target();
        let cells = target.cells.len();
        let ranked = best(scores, by, top).into_iter();
        let answer = Self {
            tried: scores.len(),
            different: distinct(scores),
            cells,
            most_within: scores.iter().map(|score| score.within).max(),
            most_signs: scores.iter().map(|score| score.signs).max(),
            most_facts: scores
                .iter()
                .filter_map(|score| score.facts.as_ref())
                .map(|facts| facts.matched)
                .max(),
            reproduced: scores.iter().filter(|score| score.within == cells as u32).count(),
            notes: Vec::new(),
            best: ranked.filter_map(|index| BestReading::new(search, names, index)).collect(),
            contributions: contributions(search, scores),
            published: target.cells.clone(),
            are_named: !names.is_empty(),
            side_by_side,
        };
        let facts = target.facts.first().map_or(0, |facts| facts.published.len());
        Self { notes: answer.notes_on(facts), ..answer }
    }

    /// What the best reading means; so many figures of depth 2 are published.
    fn notes_on(&self, facts: usize) -> Vec<String> {
        let mut notes = vec![format!(
            "{} tried, with {}. The best of many describes the published figures; it does \
             not confirm how they were made.",
            counted(self.tried, "reading"),
            counted(self.different, "different result")
        )];
        notes.push(match self.reproduced {
            0 => format!(
                "None of them reproduces the {} to the printed digits: at most {} within rounding, at most {} with \
                 the printed sign.",
                counted(self.cells, "cell"),
                self.most_within.unwrap_or(0),
                self.most_signs.unwrap_or(0)
            ),
            1 => "One of them reproduces every cell to the printed digits.".to_owned(),
            count => format!("{count} of them reproduce every cell to the printed digits."),
        });
        if facts > 0 {
            let most = self.most_facts.unwrap_or(0);
            notes.push(format!(
                "Of the {facts} published figures of depth 2 at most {most} are within rounding at one root."
            ));
        }
        notes
    }

    /// The dimensions in which readings differ.
    fn varying(&self) -> Vec<usize> {
        let varies =
            |&d: &usize| self.contributions.iter().filter(|c| c.dimension == DIMENSIONS[d]).count() > 1;
        (0..DIMENSIONS.len()).filter(varies).collect()
    }

    fn ranking(&self) -> Table {
        let ranks: Vec<(usize, &BestReading)> = (1..).zip(&self.best).collect();
        let title = format!("The best of {} of the paper", counted(self.tried, "reading"));
        let mut rows = Rows::new("readings", title, ranks.iter().collect());
        rows.column(Column::right("rank"), |(rank, _)| (*rank).into());
        rows.column(Column::left("reading").at(["name"]), |(_, one)| one.name.as_str().into());
        rows.column(Column::right("rms"), |(_, one)| Cell::decimal(one.rms, 4));
        rows.column(Column::right("within"), |(_, one)| one.within.into());
        rows.column(Column::right("signs"), |(_, one)| one.signs.into());
        rows.column(Column::right("facts").at(["depth2", "matched"]), |(_, one)| {
            one.depth2.as_ref().map_or_else(|| "-".into(), |facts| facts.matched.into())
        });
        for dimension in self.varying() {
            let column = Column::left(DIMENSIONS[dimension]).at(["reading", DIMENSIONS[dimension]]);
            rows.column(column, |(_, one)| one.labels[dimension].as_str().into());
        }
        rows.notes(self.notes.iter().cloned());
        rows.table()
    }

    /// The published cells with those of the best readings below them.
    fn cell_by_cell(&self) -> Table {
        let cells = &self.published;
        let mut roots: Vec<i64> = Vec::new();
        let mut lists: Vec<&[i64]> = Vec::new();
        for cell in cells {
            if !roots.contains(&cell.model.root) {
                roots.push(cell.model.root);
            }
            if !lists.contains(&cell.model.increments.as_slice()) {
                lists.push(&cell.model.increments);
            }
        }
        roots.sort_unstable();
        let mut columns = vec![Column::left("increments"), Column::left("reading")];
        columns.extend(roots.iter().map(|root| Column::right(format!("root {root:+}"))));
        let line = |list: &[i64], first: String, name: &str, show: &dyn Fn(usize) -> String| {
            let at = |&root: &i64| {
                let place = cells.iter().position(|c| c.model.root == root && c.model.increments == list);
                Cell::from(place.map_or_else(String::new, show))
            };
            let mut line = vec![Cell::from(first), Cell::from(name)];
            line.extend(roots.iter().map(at));
            line
        };
        let mut rows = Vec::new();
        for list in lists {
            let name: Vec<String> = list.iter().map(ToString::to_string).collect();
            let published = |place: usize| cells[place].published.text.clone();
            rows.push(line(list, name.join(","), "published", &published));
            for one in self.best.iter().take(self.side_by_side) {
                let value = |place: usize| {
                    one.values[place].1.map_or_else(|| "-".to_owned(), |value| format!("{value:+.2}"))
                };
                rows.push(line(list, String::new(), &one.name, &value));
            }
        }
        Table {
            id: "readings-cells".to_owned(),
            title: "Published cells and those of the best readings".to_owned(),
            columns,
            rows,
            notes: Vec::new(),
        }
    }

    fn dimensions(&self) -> Table {
        let varying = self.varying();
        let is_varying = |c: &&Contribution| varying.iter().any(|&d| DIMENSIONS[d] == c.dimension);
        let title = "What each choice contributes: the least rms with everything else at its best";
        let shown = self.contributions.iter().filter(is_varying).collect();
        let mut rows = Rows::new("readings-dimensions", title, shown);
        rows.column(Column::left("dimension"), |c| c.dimension.into());
        rows.column(Column::left("choice"), |c| c.choice.as_str().into());
        rows.column(Column::right("readings"), |c| c.readings.into());
        rows.column(Column::right("least rms").at(["best_rms"]), |c| Cell::decimal(c.rms, 4));
        rows.column(Column::right("of reading").at(["best"]), |c| c.best.into());
        rows.table()
    }
}

impl Answer for SearchAnswer {
    fn view(&self) -> View {
        let mut tables = vec![self.ranking()];
        if self.side_by_side > 0 {
            tables.push(self.cell_by_cell());
        }
        if !self.are_named {
            tables.push(self.dimensions());
        }
        tables.into()
    }
}
