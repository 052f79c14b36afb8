//! The results as the paper's tables. Those of Minimax against Product look like those in the paper and are compared
//! with them; others have only our figures.

use prodmax_simulate::{
    Cell as Figure, DecisionErrors, Ratio, Row, SimulationResults, TableComparison, decision_errors,
};

use crate::error::Error;
use crate::output::{Cell, Column, Table};
use prodmax_output::large::counted;

/// Tables III and IV and Fig. 6.
pub(super) fn all(results: &SimulationResults) -> Result<Vec<Table>, Error> {
    let mut contests = TableComparison::both(results)?.to_vec();
    if !is_played_twice(results) {
        contests.truncate(1);
    }
    let mut tables: Vec<Table> = contests.iter().map(|comparison| contest(results, comparison)).collect();
    tables.push(decisions(results));
    Ok(tables)
}

/// Whether a rule sees the estimate; otherwise both contests are the same.
fn is_played_twice(results: &SimulationResults) -> bool {
    results.spec.rules.estimating().contains(&true)
}

/// The names of the rules in headings.
fn names(results: &SimulationResults) -> [&str; 2] {
    if results.spec.rules.is_khs() { ["Minimax", "Product"] } else { results.spec.rules.names() }
}

fn dash() -> Cell {
    "-".into()
}

fn percent(value: Option<f64>, places: usize) -> Cell {
    value.map_or_else(dash, |value| Cell::decimal(100.0 * value, places))
}

/// Ours with its standard error, the published figure and the verdict.
fn figure(cell: Option<Figure>) -> [Cell; 4] {
    [
        percent(cell.map(|cell| cell.ours.value), 2),
        percent(cell.map(|cell| cell.ours.standard_error), 2),
        percent(cell.and_then(|cell| cell.published), 2),
        match cell.and_then(|cell| cell.agrees()) {
            Some(true) => "yes".into(),
            Some(false) => "no".into(),
            None => dash(),
        },
    ]
}

fn significance(value: Option<f64>) -> Cell {
    value.map_or_else(dash, |value| Cell::decimal(value, 5))
}

/// A column of numbers. On the terminal, the part of its name that says what it belongs to is left out, because its
/// neighbours show it.
fn column(name: &str) -> Column {
    let column = Column::right(name);
    match name.split_once(": ") {
        Some((_, short)) => column.with_terminal(short),
        None => column,
    }
}

/// Whether a column is about the paper's figures.
fn is_about_published(name: &str) -> bool {
    name.ends_with(": published") || name.ends_with(": agrees")
}

fn contest(results: &SimulationResults, comparison: &TableComparison) -> Table {
    let khs = results.spec.rules.is_khs();
    let [first, second] = names(results);
    let names = [
        "d",
        "pairs",
        "critical",
        first,
        second,
        "% total",
        "% of pairs",
        "% of pairs: s.e.",
        "% of pairs: published",
        "% of pairs: agrees",
        "% critical",
        "% critical: s.e.",
        "% critical: published",
        "% critical: agrees",
        "significance",
        "significance: published",
        "significance: by trees",
    ];
    let is_shown = |name: &&str| khs || !is_about_published(name);
    let row = |row: &Row| -> Vec<Cell> {
        let counts = [row.pairs, row.critical_pairs(), row.first_wins, row.second_wins];
        let mut cells = vec![row.d.into()];
        cells.extend(counts.map(Cell::from));
        cells.push(percent(Some(row.total_share()), 2));
        cells.extend(figure(row.critical));
        cells.extend(figure(row.share));
        cells.push(significance(row.significance()));
        cells.push(row.published.as_ref().map_or_else(dash, |row| row.significance.as_str().into()));
        cells.push(significance(row.clustered_significance()));
        cells.into_iter().zip(&names).filter(|(_, name)| is_shown(name)).map(|(cell, _)| cell).collect()
    };
    let (agrees, as_published) = if khs {
        ("agrees: the published three trees lie within 2 standard errors; ", "as published")
    } else {
        ("", "of KHS")
    };
    let mut notes = vec![format!(
        "% of pairs: critical pairs among all; % critical: {first}'s wins among the critical pairs; s.e.: over trees; \
         {agrees}significance: the sign test {as_published}, \
         which treats all pairs as independent; by trees: the same with the standard error over trees."
    )];
    notes.extend(comparison.fit.map(|fit| {
        format!(
            "The published table as a whole: chi-square {:.1} on {} cells (p = {:.2e} if they were independent); of {} \
             triples of our own trees {} are as far from the mean.",
            fit.chi_square, fit.cells, fit.significance, fit.triples, fit.triples_beyond
        )
    }));
    let (table, name) = (comparison.probabilities.table(), comparison.probabilities.name());
    let who = match (khs, is_played_twice(results)) {
        (true, _) => format!("{table}: Minimax against Product with {name} probabilities"),
        (false, true) => format!("{first} against {second} with {name} probabilities"),
        (false, false) => format!("{first} against {second}"),
    };
    Table {
        id: format!("contest-{name}"),
        title: format!("{who}, {} ({})", counted(results.trees.len(), "tree"), results.spec.title),
        columns: names.iter().filter(|name| is_shown(name)).map(|name| column(name)).collect(),
        rows: comparison.rows.iter().map(row).collect(),
        notes,
    }
}

/// A player of Fig. 6 and how often it errs.
type Curve = (String, fn(&DecisionErrors) -> Ratio);

/// Every player once: a rule that does not see the estimate decides the same in both contests.
fn players(results: &SimulationResults) -> Vec<Curve> {
    let estimated: [fn(&DecisionErrors) -> Ratio; 2] = [|at| at.estimated[0], |at| at.estimated[1]];
    let actual: [fn(&DecisionErrors) -> Ratio; 2] = [|at| at.actual[0], |at| at.actual[1]];
    let estimating = results.spec.rules.estimating();
    let mut curves: Vec<Curve> = Vec::new();
    for (rule, name) in names(results).into_iter().enumerate() {
        if estimating[rule] {
            curves.push((format!("{name}-est"), estimated[rule]));
            curves.push((format!("{name}-actual"), actual[rule]));
        } else {
            curves.push((name.to_owned(), estimated[rule]));
        }
    }
    curves
}

fn decisions(results: &SimulationResults) -> Table {
    let players = players(results);
    let rows = decision_errors(results).into_iter().map(|at| {
        let ratio = |ratio: Ratio| [percent(Some(ratio.value), 3), percent(Some(ratio.standard_error), 3)];
        let ratios = players.iter().flat_map(|(_, errors)| ratio(errors(&at)));
        std::iter::once(at.d.into()).chain(ratios).collect()
    });
    let columns = players.iter().flat_map(|(name, _)| [column(name), column(&format!("{name}: s.e."))]);
    let what = "wrong move decisions in percent of all decisions";
    Table {
        id: "decisions".to_owned(),
        title: if results.spec.rules.is_khs() {
            format!("Fig. 6: {what}")
        } else {
            what.replacen('w', "W", 1)
        },
        columns: std::iter::once(column("d")).chain(columns).collect(),
        rows: rows.collect(),
        notes: vec!["A decision is wrong if the chosen move loses and the other one wins.".to_owned()],
    }
}

/// The raw counts.
pub(super) fn per_tree(results: &SimulationResults) -> Table {
    Table {
        id: "trees".to_owned(),
        title: format!("Counts per tree ({})", results.spec.title),
        columns: results.count_names().into_iter().map(Column::right).collect(),
        rows: results.counts().map(|counts| counts.into_iter().map(Cell::from).collect()).collect(),
        notes: Vec::new(),
    }
}
