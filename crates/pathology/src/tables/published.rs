//! Tables 1 to 11 as LGB print them, read from `golden/pathology/`.

use prodmax_jobs::ron_file::{self, RonError};
use serde::Deserialize;

/// The number of tables.
pub const TABLES: usize = 11;

/// One printed figure.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedFigure {
    /// A unique name.
    pub id: String,
    /// Paper, table, row and column.
    pub source: String,
    /// The row: the depth d of search; the branching factor in Table 6, the ply in Table 8.
    pub row: usize,
    /// What distinguishes the columns: a parameter of the model, as in the column heading.
    pub series: String,
    /// What is measured, by the name of a [`crate::Quantity`], or `required_grains` in Table 6.
    pub quantity: String,
    /// As printed.
    pub printed: String,
}

impl PrintedFigure {
    /// The printed number.
    pub fn value(&self) -> f64 {
        self.printed.parse().unwrap_or(f64::NAN)
    }

    /// Half a unit of the last printed digit: by so much a figure is off at most because it was rounded.
    pub fn half_unit(&self) -> f64 {
        let places = self.printed.split_once('.').map_or(0, |(_, places)| places.len());
        0.5 * 0.1f64.powi(places as i32)
    }

    /// The variance of the error of rounding: any error up to half a unit is equally likely.
    pub fn rounding_variance(&self) -> f64 {
        self.half_unit().powi(2) / 3.0
    }
}

const TEXTS: [&str; TABLES] = [
    prodmax_data::text("golden/pathology/table1.ron"),
    prodmax_data::text("golden/pathology/table2.ron"),
    prodmax_data::text("golden/pathology/table3.ron"),
    prodmax_data::text("golden/pathology/table4.ron"),
    prodmax_data::text("golden/pathology/table5.ron"),
    prodmax_data::text("golden/pathology/table6.ron"),
    prodmax_data::text("golden/pathology/table7.ron"),
    prodmax_data::text("golden/pathology/table8.ron"),
    prodmax_data::text("golden/pathology/table9.ron"),
    prodmax_data::text("golden/pathology/table10.ron"),
    prodmax_data::text("golden/pathology/table11.ron"),
];

/// The figures of a table from 1 to 11; empty for any other number.
pub fn published(table: usize) -> Result<Vec<PrintedFigure>, RonError> {
    match table.checked_sub(1).and_then(|index| TEXTS.get(index)) {
        Some(text) => ron_file::parse(text, &format!("golden/pathology/table{table}.ron")),
        None => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(table: usize, series: &str, quantity: &str) -> Vec<(usize, String)> {
        let all = published(table).unwrap();
        let column = all.into_iter().filter(|entry| entry.series == series && entry.quantity == quantity);
        column.map(|entry| (entry.row, entry.printed)).collect()
    }

    #[test]
    fn all_tables_are_there() {
        let counts: Vec<usize> = (1..=TABLES).map(|table| published(table).unwrap().len()).collect();
        assert_eq!(counts, [42, 30, 60, 40, 21, 18, 20, 20, 20, 44, 22]);
        assert_eq!(counts.iter().sum::<usize>(), 337);
        assert!(published(12).unwrap().is_empty());
        let mut ids: Vec<String> = (1..=TABLES).flat_map(|t| published(t).unwrap()).map(|e| e.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 337, "ids are unique");
    }

    #[test]
    fn figures_printed_twice_are_equal() {
        let table1 = column(1, "b=2", "move_error");
        assert_eq!(table1.len(), 10);
        assert_eq!(table1, column(2, "normal", "move_error"));
        assert_eq!(table1, column(3, "m=infinite", "move_error"));
        assert_eq!(table1, column(4, "sigma_e=0.2", "move_error"));
        // A search to depth 1 has its static move error at the root; the adjusted searches end at σ_e = 0.2.
        assert_eq!(
            column(5, "independent", "move_error")[0],
            column(7, "independent", "static_move_error")[0]
        );
        assert_eq!(column(9, "dependent", "move_error")[9], table1[9]);
        assert_eq!(column(9, "independent", "move_error")[9], column(5, "independent", "move_error")[9]);
        for series in ["dependent", "independent"] {
            let adjusted = column(11, series, "two_value_error");
            assert_eq!(adjusted[10], column(10, series, "two_value_error")[10]);
            assert_eq!(adjusted[0].1, column(10, series, "static_two_value_error")[10].1);
        }
    }
}
