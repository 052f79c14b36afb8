//! The tables: figures by depth and root, chances, and whole games.

use prodmax_golden::Quantity;
use prodmax_golden::quantity::{SimulatedFigure, SimulatedTable};
use prodmax_mass::khs_rules;
use prodmax_output::{Cell, Column, Table};

use super::{DEPTHS, Known, ROOT, ROOTS, WIDTH, Wide, even_root, mean};
use crate::run::Findings;

fn cell(number: Option<f64>, places: usize) -> Cell {
    number.map_or_else(|| "".into(), |number| format!("{number:.places$}").into())
}

/// A value with its margin, unless it is exact.
fn known(known: Option<Known>, places: usize) -> Cell {
    known.map_or_else(
        || "".into(),
        |Known { value, ends }| match ends {
            Some([low, high]) => format!("{value:.places$} ± {:.places$}", (high - low) / 2.0).into(),
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

/// Single decisions next to the simulated games.
pub(super) fn games(wide: &Wide<'_>, findings: &Findings) -> Table {
    let simulated = |wanted: SimulatedTable, depth: usize| {
        findings.published("simulated").find_map(|comparison| match &comparison.entry.quantity {
            Quantity::Simulated { table, d, figure: SimulatedFigure::MinimaxPercent }
                if (*table, *d) == (wanted, depth) =>
            {
                comparison.ours_f64()
            }
            _ => None,
        })
    };
    let row = |depth: usize| {
        let tables = [SimulatedTable::Estimated, SimulatedTable::Actual].map(|table| simulated(table, depth));
        if tables.iter().all(Option::is_none) {
            return None;
        }
        let differences = ROOTS.into_iter().filter_map(|root| wide.difference(depth, root));
        // Minimax is right where Product errs.
        let share = mean(differences.map(|known| 50.0 + known.value / 2.0));
        let mut row = vec![Cell::from(depth), cell(share, 1)];
        row.extend(tables.map(|share| cell(share, 1)));
        Some(row)
    };
    Table {
        id: "any-depth-games".to_owned(),
        title:
            "Minimax’s share (%) of the critical decisions in which one rule errs, and of critical game pairs"
                .to_owned(),
        columns: ["depth", "single decisions", "games, Table III", "games, Table IV"]
            .map(Column::right)
            .to_vec(),
        rows: DEPTHS.filter_map(row).collect(),
        notes: vec![
            "Single decisions: mean over the roots. Games: our simulation of the published tables."
                .to_owned(),
        ],
    }
}
