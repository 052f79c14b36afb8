//! The derived Table I, compared cell by cell with the table as printed in the papers.

use prodmax_cases::Side;
use prodmax_cases::depth2::{Position, Positions, Table1};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Golden {
    entries: Vec<Entry>,
}

/// The parts of a golden entry that this test needs; `prodmax check` checks the whole file.
#[derive(Debug, Deserialize)]
struct Entry {
    id: String,
    source: String,
    published: String,
    quantity: Quantity,
}

#[derive(Debug, Deserialize)]
enum Quantity {
    #[serde(rename = "table1_case")]
    Case { interval: usize, errors: Vec<String> },
    #[serde(rename = "table1_count")]
    Count(#[allow(dead_code, reason = "only cells are compared here")] String),
    #[serde(rename = "table1_cases")]
    All,
}

/// A printed cell.
struct Printed {
    id: String,
    source: String,
    interval: usize,
    positions: Vec<String>,
    favours: String,
}

const GOLDEN: &str = include_str!("../../../../golden/table1.ron");

fn golden() -> ron::error::SpannedResult<Vec<Printed>> {
    let golden: Golden = ron::from_str(GOLDEN)?;
    let cell = |entry: Entry| match entry.quantity {
        Quantity::Case { interval, errors } => {
            let Entry { id, source, published: favours, .. } = entry;
            Some(Printed { id, source, interval, positions: errors, favours })
        }
        Quantity::Count(_) | Quantity::All => None,
    };
    Ok(golden.entries.into_iter().filter_map(cell).collect())
}

/// The set of leaves with these names; `None` if there is no leaf with one of the names.
fn positions(names: &[String]) -> Option<Positions> {
    let position = |name: &String| Position::ALL.into_iter().find(|position| position.name() == name);
    names.iter().map(position).collect()
}

#[test]
fn every_derived_cell_is_the_printed_one() {
    let golden = golden().unwrap();
    let derived: Vec<_> = Table1::derive().entries().collect();
    assert_eq!(derived.len(), golden.len());
    let mut place = 0;
    for (k, (entry, (row, side, case))) in golden.iter().zip(derived.iter().copied()).enumerate() {
        // The place within its cell: the derived layout gives the id.
        let same_cell = k > 0 && (derived[k - 1].0, derived[k - 1].1) == (row, side);
        place = if same_cell { place + 1 } else { 1 };
        assert_eq!(format!("table1.r{:02}.{side}.{place}", row + 1), entry.id, "{}", entry.source);
        assert_eq!(case.interval.number(), entry.interval, "{}: {}", entry.id, entry.source);
        assert_eq!(Some(case.errors), positions(&entry.positions), "{}: {}", entry.id, entry.source);
        assert_eq!(case.decision().name(), entry.favours, "{}: {}", entry.id, entry.source);
    }
}

#[test]
fn the_printed_table_is_balanced_and_every_entry_names_its_source() {
    let golden = golden().unwrap();
    for side in Side::BOTH {
        assert_eq!(golden.iter().filter(|entry| entry.favours == side.name()).count(), 15);
    }
    for entry in &golden {
        assert!(entry.source.contains("KHS Table I"), "{}", entry.id);
    }
}
