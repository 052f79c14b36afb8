//! The golden entries of LGB's tables and the printed figures that the study reads are the same.

use prodmax_golden::{GoldenFile, Quantity};
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
