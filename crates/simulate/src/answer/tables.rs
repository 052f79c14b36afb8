//! The results as the paper's tables. Those of Minimax against Product look like those in the paper and are compared
//! with them; others have only our figures.

use prodmax_number::Figure;
use prodmax_output::answer::{Answer, Checks, Rows, View};
use prodmax_output::large::counted;
use prodmax_output::{Cell, Column, Table};
use prodmax_rules::ByRule;

use super::{ContestKeys, DecisionKeys, PublishedFigure, RowKeys, SimulationAnswer};
use crate::results::SimulationResults;

impl Answer for SimulationAnswer {
    fn view(&self) -> View {
        let tables = if self.per_tree { vec![per_tree(&self.results)] } else { self.as_published() };
        let checks = Checks { holds: self.missing == 0, junit: None };
        View { checks: Some(checks), ..tables.into() }
    }
}

/// The counts of every tree.
pub fn per_tree(results: &SimulationResults) -> Table {
    Table {
        id: "trees".to_owned(),
        title: format!("Counts per tree ({})", results.spec.title),
        columns: results.count_names().into_iter().map(Column::right).collect(),
        rows: results.counts().map(|counts| counts.into_iter().map(Cell::from).collect()).collect(),
        notes: Vec::new(),
    }
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

/// A standard error in percent.
fn error(figure: Option<&Figure>, places: usize) -> Cell {
    figure.and_then(Figure::error).map_or_else(Cell::dash, |error| Cell::decimal(100.0 * error, places))
}

fn significance(value: Option<f64>) -> Cell {
    value.map_or_else(Cell::dash, |value| Cell::decimal(value, 5))
}

fn wins(row: &RowKeys, rule: usize) -> Cell {
    row.wins.0.get(rule).map_or_else(Cell::dash, |&(_, wins)| wins.into())
}

/// Ours with its standard error, the published figure and the verdict.
fn compared(
    rows: &mut Rows<'_, RowKeys>,
    (head, key): (&str, &str),
    is_published: bool,
    ours: fn(&RowKeys) -> Option<&Figure>,
    published: fn(&RowKeys) -> Option<PublishedFigure>,
) {
    rows.column(column(head).at([key]), |row| Cell::percent(ours(row), 2));
    rows.column(column(&format!("{head}: s.e.")).at(["known", key, "standard_error"]), |row| {
        error(ours(row), 2)
    });
    if !is_published {
        return;
    }
    rows.column(column(&format!("{head}: published")).at(["published", key, "value"]), |row| {
        published(row).map_or_else(Cell::dash, |figure| Cell::decimal(100.0 * figure.value, 2))
    });
    rows.column(column(&format!("{head}: agrees")).at(["published", key, "agrees"]), |row| match published(
        row,
    )
    .and_then(|figure| figure.agrees)
    {
        Some(true) => "yes".into(),
        Some(false) => "no".into(),
        None => Cell::dash(),
    });
}

/// A player of Fig. 6, where its errors are, and which they are.
type Player = (String, &'static str, fn(&DecisionKeys) -> &ByRule<Figure>, usize);

impl SimulationAnswer {
    /// Tables III and IV and Fig. 6.
    fn as_published(&self) -> Vec<Table> {
        // If no rule sees the estimate, both contests are the same.
        let contests = if self.is_played_twice() { &self.tables[..] } else { &self.tables[..1] };
        contests.iter().map(|table| self.contest(table)).chain([self.decisions()]).collect()
    }

    fn is_khs(&self) -> bool {
        self.spec.rules.is_khs()
    }

    fn is_played_twice(&self) -> bool {
        self.spec.rules.estimating().contains(&true)
    }

    /// The names of the rules in headings.
    fn names(&self) -> [&str; 2] {
        if self.is_khs() { ["Minimax", "Product"] } else { self.spec.rules.names() }
    }

    fn contest(&self, contest: &ContestKeys) -> Table {
        let khs = self.is_khs();
        let [first, second] = self.names();
        let name = contest.probabilities;
        let who = match contest.table {
            Some(table) => format!("{table}: Minimax against Product with {name} probabilities"),
            None if self.is_played_twice() => format!("{first} against {second} with {name} probabilities"),
            None => format!("{first} against {second}"),
        };
        let title = format!("{who}, {} ({})", counted(self.trees.len(), "tree"), self.spec.title);
        let mut rows = Rows::new(format!("contest-{name}"), title, contest.rows.iter().collect());
        rows.column(column("d"), |row| row.d.into());
        rows.column(column("pairs"), |row| row.pairs.into());
        rows.column(column("critical"), |row| row.critical.into());
        rows.column(column(first).at(["wins", &self.rules[0]]), |row| wins(row, 0));
        rows.column(column(second).at(["wins", &self.rules[1]]), |row| wins(row, 1));
        rows.column(column("% total").at(["total_share"]), |row| Cell::decimal(100.0 * row.total_share, 2));
        let rate = |row: &RowKeys| row.published.as_ref()?.critical_rate;
        compared(&mut rows, ("% of pairs", "critical_rate"), khs, |row| row.critical_rate.as_ref(), rate);
        let share = |row: &RowKeys| row.published.as_ref()?.critical_share;
        compared(&mut rows, ("% critical", "critical_share"), khs, |row| row.critical_share.as_ref(), share);
        rows.column(column("significance"), |row| significance(row.significance));
        if khs {
            rows.column(column("significance: published").at(["published", "significance"]), |row| {
                row.published.as_ref().map_or_else(Cell::dash, |row| row.significance.as_str().into())
            });
        }
        rows.column(column("significance: by trees").at(["clustered_significance"]), |row| {
            significance(row.clustered_significance)
        });
        let (agrees, as_published) = if khs {
            ("agrees: the published three trees lie within 2 standard errors; ", "as published")
        } else {
            ("", "of KHS")
        };
        rows.notes([format!(
            "% of pairs: critical pairs among all; % critical: {first}'s wins among the critical pairs; s.e.: over \
             trees; {agrees}significance: the sign test {as_published}, which treats all pairs as independent; by \
             trees: the same with the standard error over trees."
        )]);
        rows.notes(contest.fit.map(|fit| {
            format!(
                "The published table as a whole: chi-square {:.1} on {} cells (p = {:.2e} if they were independent); \
                 of {} triples of our own trees {} are as far from the mean.",
                fit.chi_square, fit.cells, fit.significance, fit.triples, fit.triples_beyond
            )
        }));
        rows.table()
    }

    /// Every player once: a rule that does not see the estimate decides the same in both contests.
    fn players(&self) -> Vec<Player> {
        let estimating = self.spec.rules.estimating();
        let mut players: Vec<Player> = Vec::new();
        for (rule, name) in self.names().into_iter().enumerate() {
            if estimating[rule] {
                players.push((format!("{name}-est"), "estimated", |at| &at.estimated, rule));
                players.push((format!("{name}-actual"), "actual", |at| &at.actual, rule));
            } else {
                players.push((name.to_owned(), "estimated", |at| &at.estimated, rule));
            }
        }
        players
    }

    fn decisions(&self) -> Table {
        let what = "rong move decisions in percent of all decisions";
        let title = if self.is_khs() { format!("Fig. 6: w{what}") } else { format!("W{what}") };
        let mut rows = Rows::new("decisions", title, self.decision_errors.iter().collect());
        rows.column(column("d"), |at| at.d.into());
        for (name, probabilities, errors, rule) in self.players() {
            let of = |at: &DecisionKeys| errors(at).0.get(rule).map(|(_, error)| error.clone());
            let path = [probabilities, &self.rules[rule]];
            rows.column(column(&name).at(path), |at| Cell::percent(of(at).as_ref(), 3));
            let path = ["known", probabilities, &self.rules[rule], "standard_error"];
            rows.column(column(&format!("{name}: s.e.")).at(path), |at| error(of(at).as_ref(), 3));
        }
        rows.notes(["A decision is wrong if the chosen move loses and the other one wins.".to_owned()]);
        rows.table()
    }
}
