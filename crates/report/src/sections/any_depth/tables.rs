//! The tables: figures by depth and root, chances, and whole games.

use prodmax_mass::{Curve, khs_rules};
use prodmax_number::margin::with_error;
use prodmax_output::{Cell, Column, Table};

use prodmax_simulate::{FirstShare, Probabilities, Ratio, first_shares};

use super::{DEPTHS, Known, ROOT, ROOTS, WIDTH, Wide, even_root};
use crate::plot;
use crate::run::Findings;

fn cell(number: Option<f64>, places: usize) -> Cell {
    number.map_or_else(|| "".into(), |number| format!("{number:.places$}").into())
}

/// A value with its margin, unless it is exact.
fn known(known: Option<Known>, places: usize) -> Cell {
    known.map_or_else(
        || "".into(),
        |Known { value, ends }| match ends {
            Some([low, high]) => with_error(value, (high - low) / 2.0).into(),
            None => format!("{value:.places$}").into(),
        },
    )
}

/// Estimates with margins, and certain bounds.
pub(super) fn differences(wide: &Wide<'_>) -> Table {
    let [minimax, product] = &khs_rules();
    let row = |depth: usize, root: i32| {
        let difference = wide.difference(depth, root)?;
        let bounds = wide.certain(depth, root);
        Some(vec![
            Cell::from(depth),
            format!("{root:+}").into(),
            known(Some(difference), 4),
            cell(bounds.map(|[low, _]| low), 4),
            cell(bounds.map(|[_, high]| high), 4),
            known(wide.efficiency(depth, root, minimax), 5),
            known(wide.efficiency(depth, root, product), 5),
            known(wide.threshold(depth, root), 3),
        ])
    };
    let heads = [
        "depth",
        "root",
        "difference (%)",
        "at least",
        "at most",
        "minimax efficiency",
        "product efficiency",
        "threshold (%)",
    ];
    Table {
        id: "any-depth".to_owned(),
        title: format!("Increments up to {WIDTH} at every level, by depth and root"),
        columns: heads.map(Column::right).to_vec(),
        rows: DEPTHS.flat_map(|depth| ROOTS.into_iter().filter_map(move |root| row(depth, root))).collect(),
        notes: Vec::new(),
    }
}

/// How likely a random move is won, and the difference there.
pub(super) fn staircase(wide: &Wide<'_>) -> Table {
    let rows = DEPTHS.map(|depth| {
        let mut row = vec![Cell::from(depth)];
        for root in [ROOT, even_root(depth)] {
            let random = wide.random_won(depth, root);
            row.push(random.map_or_else(|| "".into(), |_| format!("{root:+}").into()));
            row.push(cell(random, 3));
            row.push(cell(wide.difference(depth, root).map(|known| known.value), 2));
        }
        row
    });
    let heads = [
        "depth",
        "root",
        "random move won",
        "difference (%)",
        "even chances: root",
        "random move won there",
        "difference there (%)",
    ];
    Table {
        id: "any-depth-chances".to_owned(),
        title: "The same root, and roots from which chances are about even".to_owned(),
        columns: heads.map(Column::right).to_vec(),
        rows: rows.collect(),
        notes: Vec::new(),
    }
}

/// Single decisions and whole games with one pair of curves.
pub(super) struct AtCurves<'a> {
    truth: &'a Curve,
    estimate: &'a Curve,
    decisions: Wide<'a>,
    games: Vec<FirstShare>,
}

/// A depth of the comparison: the part of Minimax in percent of what only one rule gets right.
pub(super) struct GamesRow {
    depth: usize,
    /// In critical trees in which one of the moves is won and the other one lost.
    pub(super) decisions: f64,
    /// In critical pairs of games, as a part of 1.
    games: Ratio,
}

impl GamesRow {
    /// In critical pairs of games.
    pub(super) fn games_percent(&self) -> f64 {
        100.0 * self.games.value
    }

    /// Whether games are nearer to an even score than decisions.
    pub(super) fn is_nearer_to_even(&self) -> bool {
        (self.games_percent() - 50.0).abs() < (self.decisions - 50.0).abs()
    }
}

impl AtCurves<'_> {
    /// Both curves.
    pub(super) fn name(&self) -> String {
        format!("{}, {}", self.truth, self.estimate)
    }

    /// Depth by depth.
    pub(super) fn rows(&self) -> impl Iterator<Item = GamesRow> + '_ {
        DEPTHS.filter_map(|depth| {
            let games = self.games.iter().find(|row| row.d == depth).and_then(|row| row.share);
            let difference = self.decisions.difference(depth, GAMES_ROOT);
            // Minimax is right where Product errs.
            let decisions = difference.map(|known| 50.0 + known.value / 2.0);
            Some(GamesRow { depth, decisions: decisions?, games: games? })
        })
    }
}

/// The root of the single decisions that are compared with games.
const GAMES_ROOT: i32 = -1;

/// The curves of the enumeration and those of the simulation, as far as both kinds of figures are there.
pub(super) fn both_curves(findings: &Findings) -> Vec<AtCurves<'_>> {
    let wide: [(&str, Wide<'_>); 2] =
        [("simulate-c4", Wide::of(findings)), ("simulate-b", Wide::with_simulated_curves(findings))];
    let at = |(id, decisions)| {
        let results = findings.simulations.iter().find(|results| results.spec.id == id)?;
        let games = first_shares(results, Probabilities::Estimated);
        Some(AtCurves { truth: &results.spec.truth, estimate: &results.spec.estimate, decisions, games })
    };
    wide.into_iter().filter_map(at).collect()
}

/// Single decisions next to the simulated games, at equal curves.
pub(super) fn games(both: &[AtCurves<'_>]) -> Table {
    let cells = |at: &AtCurves<'_>, depth: usize| -> [Cell; 2] {
        match at.rows().find(|row| row.depth == depth) {
            None => ["".into(), "".into()],
            Some(row) => [
                cell(Some(row.decisions), 1),
                format!("{:.1} ± {:.1}", row.games_percent(), 100.0 * row.games.standard_error).into(),
            ],
        }
    };
    let row = |depth: usize| -> Option<Vec<Cell>> {
        let any = both.iter().any(|at| at.rows().any(|row| row.depth == depth));
        any.then(|| {
            [Cell::from(depth)].into_iter().chain(both.iter().flat_map(|at| cells(at, depth))).collect()
        })
    };
    let heads =
        both.iter().flat_map(|at| [format!("decisions, {}", at.name()), format!("games, {}", at.name())]);
    Table {
        id: "any-depth-games".to_owned(),
        title: "Of the critical cases that only one rule gets right, those of Minimax (%): single decisions and whole games".to_owned(),
        columns: ["depth".to_owned()].into_iter().chain(heads).map(Column::right).collect(),
        rows: DEPTHS.filter_map(row).collect(),
        notes: vec![format!(
            "Decisions: over all trees from root {}, increments up to {WIDTH}; a rule is right where its move is won and the other \
             one lost. Games: pairs that the same rule wins from both sides, from all positions of the simulated trees, with standard \
             errors over trees.",
            plot::root(GAMES_ROOT.into())
        )],
    }
}
