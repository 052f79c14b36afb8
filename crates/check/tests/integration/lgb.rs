//! The golden entries of LGB's tables and the printed figures that the study reads are the same.

use prodmax_golden::{Entry, GoldenFile, Quantity};
use prodmax_number::Figure;
use prodmax_pathology::tables::{TABLES, published};

#[test]
fn every_printed_figure_has_an_entry() {
    let files = GoldenFile::built_in().unwrap();
    let entries: Vec<_> = files
        .into_iter()
        .flat_map(|file| file.golden.entries)
        .filter(|entry| matches!(entry.quantity, Quantity::Lgb { .. }))
        .collect();
    let mut figures = 0;
    for table in 1..=TABLES {
        for printed in published(table).unwrap() {
            let entry = entries.iter().find(|entry| entry.id == printed.id).unwrap();
            assert_eq!(entry.published.text(), printed.printed, "{}", printed.id);
            assert_eq!(entry.source, printed.source, "{}", printed.id);
            let quantity = Quantity::Lgb {
                table,
                series: printed.series.clone(),
                figure: printed.quantity.clone(),
                row: printed.row,
            };
            assert_eq!(entry.quantity, quantity, "{}", printed.id);
            figures += 1;
        }
    }
    assert_eq!(figures, entries.len());
}

/// A figure that is printed again is the same figure of ours. Only Table 11 has ours by the static error as printed instead of
/// the noise .2, so that its last row is near that of Table 10.
#[test]
fn figures_that_are_printed_again_are_ours_again() {
    let entries: Vec<Entry> =
        GoldenFile::built_in().unwrap().into_iter().flat_map(|file| file.golden.entries).collect();
    let ours = |entry: &Entry| Figure::read(&entry.ours).unwrap().double();
    let mut repeats = 0;
    for entry in &entries {
        let Some(first) = &entry.repeats else { continue };
        let first = entries.iter().find(|other| other.id == *first).unwrap();
        let most = if entry.id.starts_with("lgb.table11.") { 0.005 } else { 2e-6 };
        assert!((ours(entry) - ours(first)).abs() < most, "{}", entry.id);
        repeats += 1;
    }
    // Ten figures three times more, and eleven single ones.
    assert_eq!(repeats, 41);
}
