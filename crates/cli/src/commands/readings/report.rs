//! The results of a search, as tables and JSON.

use prodmax_readings::grid::DIMENSIONS;
use prodmax_readings::rank::distinct;
use prodmax_readings::search::Evaluated;
use prodmax_readings::{Contribution, GridSearch, RankBy, Score, best, contributions};
use serde_json::{Map, Value, json};

use crate::output::{Cell, Column, Table};
use prodmax_output::large::counted;

/// The best readings of a search.
pub(crate) struct Report<'a> {
    search: &'a GridSearch,
    scores: &'a [Score],
    /// The names of the grids, if they are single readings.
    names: Vec<String>,
    best: Vec<(usize, Evaluated)>,
    /// How many of the best are printed cell by cell.
    side_by_side: usize,
    contributions: Vec<Contribution>,
}

impl<'a> Report<'a> {
    /// Ranks the scores.
    pub(crate) fn new(
        search: &'a GridSearch,
        scores: &'a [Score],
        names: Vec<String>,
        by: RankBy,
        top: usize,
        side_by_side: usize,
    ) -> Self {
        let evaluated = |index| search.evaluate(index).map(|evaluated| (index, evaluated));
        Self {
            search,
            scores,
            names,
            best: best(scores, by, top).into_iter().filter_map(evaluated).collect(),
            side_by_side,
            contributions: contributions(search, scores),
        }
    }

    fn label(&self, index: usize, dimension: usize) -> String {
        let (grid, within) = self.search.place(index);
        let grid = &self.search.grids()[grid];
        grid.labels(dimension).swap_remove(grid.choices(within)[dimension])
    }

    /// The name of a reading, or else its number in the grid.
    fn name(&self, index: usize) -> String {
        self.names.get(self.search.place(index).0).cloned().unwrap_or_else(|| index.to_string())
    }

    /// The dimensions in which readings differ.
    fn varying(&self) -> Vec<usize> {
        let varies =
            |&d: &usize| self.contributions.iter().filter(|c| c.dimension == DIMENSIONS[d]).count() > 1;
        (0..DIMENSIONS.len()).filter(varies).collect()
    }

    /// Everything for programs.
    pub(crate) fn json(&self) -> Value {
        let best: Vec<Value> = self.best.iter().map(|(index, one)| self.json_of(*index, one)).collect();
        let contributions: Vec<Value> = self
            .contributions
            .iter()
            .map(|c| {
                json!({
                    "dimension": c.dimension, "choice": c.choice, "readings": c.readings, "best_rms": c.rms,
                    "best": c.best,
                })
            })
            .collect();
        json!({
            "tried": self.scores.len(),
            "different": distinct(self.scores),
            "cells": self.search.target().cells.len(),
            "most_within": self.scores.iter().map(|score| score.within).max(),
            "most_signs": self.scores.iter().map(|score| score.signs).max(),
            "most_facts": self.scores.iter().filter_map(|s| s.facts.as_ref()).map(|f| f.matched).max(),
            "reproduced": self.reproduced(),
            "notes": self.notes(),
            "best": best,
            "contributions": contributions,
        })
    }

    fn json_of(&self, index: usize, evaluated: &Evaluated) -> Value {
        let score = &evaluated.score;
        let mut values = Map::new();
        for (cell, value) in self.search.target().cells.iter().zip(&evaluated.values) {
            values.insert(cell.id.clone(), json!(value));
        }
        let facts = score.facts.as_ref().map(|facts| {
            json!({
                "matched": facts.matched, "root": facts.root, "critical": facts.critical,
                "minimax_percent": facts.minimax_percent, "threshold_percent": facts.threshold_percent,
                "ratio": facts.ratio,
            })
        });
        json!({
            "name": self.name(index),
            "index": index,
            "reading": self.search.reading(index),
            "rms": score.rms,
            "within": score.within,
            "signs": score.signs,
            "depth2": facts,
            "values": values,
        })
    }

    /// The number of readings that would print every cell as published.
    fn reproduced(&self) -> usize {
        let cells = self.search.target().cells.len() as u32;
        self.scores.iter().filter(|score| score.within == cells).count()
    }

    /// The notes that belong to the best reading.
    fn notes(&self) -> Vec<String> {
        let cells = self.search.target().cells.len();
        let most = |of: fn(&Score) -> u32| self.scores.iter().map(of).max().unwrap_or(0);
        let mut notes = vec![format!(
            "{} tried, with {}. The best of many describes the published figures; it does \
             not confirm how they were made.",
            counted(self.scores.len(), "reading"),
            counted(distinct(self.scores), "different result")
        )];
        notes.push(match self.reproduced() {
            0 => format!(
                "None of them reproduces the {} to the printed digits: at most {} within rounding, at most {} with \
                 the printed sign.",
                counted(cells, "cell"),
                most(|score| score.within),
                most(|score| score.signs)
            ),
            1 => "One of them reproduces every cell to the printed digits.".to_owned(),
            count => format!("{count} of them reproduce every cell to the printed digits."),
        });
        let published = self.search.target().facts.first().map_or(0, |facts| facts.published.len());
        if published > 0 {
            let facts = most(|score| score.facts.as_ref().map_or(0, |facts| facts.matched));
            notes.push(format!(
                "Of the {published} published figures of depth 2 at most {facts} are within rounding at one root."
            ));
        }
        notes
    }

    /// Everything for readers.
    pub(crate) fn output_tables(&self) -> Vec<Table> {
        let mut tables = vec![self.ranking()];
        if self.side_by_side > 0 {
            tables.push(self.cells());
        }
        if self.names.is_empty() {
            tables.push(self.dimensions());
        }
        tables
    }

    fn ranking(&self) -> Table {
        let mut columns = vec![Column::right("rank"), Column::left("reading")];
        columns.extend(["rms", "within", "signs", "facts"].map(Column::right));
        let varying = self.varying();
        columns.extend(varying.iter().map(|&dimension| Column::left(DIMENSIONS[dimension])));
        let row = |(rank, (index, one)): (usize, &(usize, Evaluated))| {
            let score = &one.score;
            let facts =
                score.facts.as_ref().map_or_else(|| "-".to_owned(), |facts| facts.matched.to_string());
            let mut row: Vec<Cell> = vec![
                (rank + 1).into(),
                self.name(*index).into(),
                Cell::decimal(score.rms, 4),
                score.within.into(),
                score.signs.into(),
                facts.into(),
            ];
            row.extend(varying.iter().map(|&dimension| Cell::from(self.label(*index, dimension))));
            row
        };
        Table {
            id: "readings".to_owned(),
            title: format!("The best of {} of the paper", counted(self.scores.len(), "reading")),
            columns,
            rows: self.best.iter().enumerate().map(row).collect(),
            notes: self.notes(),
        }
    }

    /// The published cells with those of the best readings below them.
    fn cells(&self) -> Table {
        let cells = &self.search.target().cells;
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
        let line = |list: &[i64], first: String, name: String, show: &dyn Fn(usize) -> String| {
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
            rows.push(line(list, name.join(","), "published".to_owned(), &published));
            for (index, one) in self.best.iter().take(self.side_by_side) {
                let value = |place: usize| {
                    one.values[place].map_or_else(|| "-".to_owned(), |value| format!("{value:+.2}"))
                };
                rows.push(line(list, String::new(), self.name(*index), &value));
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
        let shown =
            self.contributions.iter().filter(|c| varying.iter().any(|&d| DIMENSIONS[d] == c.dimension));
        let row = |c: &Contribution| -> Vec<Cell> {
            vec![
                c.dimension.into(),
                c.choice.as_str().into(),
                c.readings.into(),
                Cell::decimal(c.rms, 4),
                c.best.into(),
            ]
        };
        Table {
            id: "readings-dimensions".to_owned(),
            title: "What each choice contributes: the least rms with everything else at its best".to_owned(),
            columns: vec![
                Column::left("dimension"),
                Column::left("choice"),
                Column::right("readings"),
                Column::right("least rms"),
                Column::right("of reading"),
            ],
            rows: shown.map(row).collect(),
            notes: Vec::new(),
        }
    }
}
