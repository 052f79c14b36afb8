//! The tables as a whole.

use super::*;

fn sampling(trees: u64) -> Sampling {
    Sampling { trees, seed: 0, ..Sampling::default() }
}

#[test]
fn every_published_figure_has_its_series() {
    for table in (1..=TABLES).filter(|table| *table != 6) {
        let names: Vec<&str> = series(table).iter().map(|series| series.name).collect();
        for entry in published(table).unwrap() {
            assert!(names.contains(&entry.series.as_str()), "{}", entry.id);
            assert!(Quantity::ALL.iter().any(|quantity| quantity.name() == entry.quantity), "{}", entry.id);
        }
    }
    assert_eq!(
        compare(12, Method::Integrate, sampling(10)).unwrap_err().to_string(),
        "LGB have no Table 12; give a number from 1 to 11"
    );
}

#[test]
fn table_5_agrees_and_both_methods_agree() {
    let cells = compare(5, Method::Both, sampling(1000)).unwrap();
    assert_eq!(cells.len(), 21);
    for cell in &cells {
        assert!(cell.methods_deviation().unwrap().abs() <= 4.0, "{cell:?}");
        assert_ne!(cell.verdict, Closeness::Differs, "{cell:?}");
    }
}

#[test]
fn the_independent_columns_of_tables_10_and_11_differ() {
    for table in [10, 11] {
        let cells = compare(table, Method::Integrate, sampling(10)).unwrap();
        let differ = |series: &str, quantity: &str| {
            let column =
                cells.iter().filter(|c| c.published.series == series && c.published.quantity == quantity);
            column.filter(|cell| cell.verdict == Closeness::Differs).count()
        };
        assert_eq!(differ("dependent", "two_value_error"), 0, "Table {table}");
        assert!(differ("independent", "two_value_error") >= 10, "Table {table}");
    }
}
