//! Table I in the paper's layout, derived from the 80 cases.
//!
//! The rule that gives the printed rows: a cell holds the cases of one interval, one number of errors and one
//! side. Cells of the two sides with equally many errors share a row
//!
//! 1. if their intervals are mirror images and they name the same positions (I1(M1, M2) next to I5(M1, M2));
//! 2. otherwise if they have the same interval (I3(M2) next to I3(P2));
//! 3. otherwise if their intervals are mirror images (I4(P1) next to I2(P2)).
//!
//! Rows are sorted by the number of errors. Among equally many errors the rows of step 3, which nothing
//! cancels, come first; the others follow by Minimax's interval, I1 first up to two errors and I5 first above
//! (the rows with more than two errors are the mirror images of those with fewer than two).

use super::case::{Case, cases};
use super::interval::Interval;
use super::position::{Position, Positions};
use crate::decision::Side;

/// The cases of one cell: same interval, same number of errors, same side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The interval of the draw value.
    pub interval: Interval,
    /// The cases, in the order in which the paper lists them.
    pub cases: Vec<Case>,
}

impl Cell {
    fn positions(&self) -> impl Iterator<Item = Positions> {
        self.cases.iter().map(|case| case.errors)
    }
}

/// A row of Table I.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of wrongly evaluated leaves.
    pub errors: usize,
    /// The left cell: Minimax is right.
    pub minimax: Option<Cell>,
    /// The right cell: Product is right.
    pub product: Option<Cell>,
}

impl Row {
    /// The cell of one side.
    pub fn cell(&self, side: Side) -> Option<&Cell> {
        match side {
            Side::Minimax => self.minimax.as_ref(),
            Side::Product => self.product.as_ref(),
        }
    }
}

/// Table I: which critical cases favour which side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table1 {
    /// The rows, as printed.
    pub rows: Vec<Row>,
}

impl Table1 {
    /// Lays out the critical cases among the 80.
    ///
    /// ```
    /// use prodmax_cases::depth2::Table1;
    /// let table = Table1::derive();
    /// assert_eq!(table.rows.len(), 13);
    /// assert_eq!(table.rows[1].minimax.as_ref().unwrap().cases[0].to_string(), "I4(P1)");
    /// ```
    pub fn derive() -> Self {
        Self { rows: (0..=Position::ALL.len()).flat_map(rows).collect() }
    }

    /// The cases of the table with the number of their row, row by row, Minimax's cell first.
    pub fn entries(&self) -> impl Iterator<Item = (usize, Side, Case)> {
        self.rows.iter().enumerate().flat_map(|(number, row)| {
            Side::BOTH.into_iter().flat_map(move |side| {
                let cases = row.cell(side).into_iter().flat_map(|cell| &cell.cases);
                cases.map(move |&case| (number, side, case))
            })
        })
    }
}

fn cells(errors: usize, side: Side) -> Vec<Cell> {
    let cell = |interval| {
        let wanted = |case: &Case| {
            case.interval == interval
                && case.errors.len() == errors
                && case.decision().favours() == Some(side)
        };
        Cell { interval, cases: cases().filter(wanted).collect() }
    };
    Interval::ALL.into_iter().map(cell).filter(|cell| !cell.cases.is_empty()).collect()
}

/// The rows with this number of errors.
fn rows(errors: usize) -> Vec<Row> {
    let rules: [fn(&Cell, &Cell) -> bool; 3] = [
        |left, right| left.interval.mirror() == right.interval && left.positions().eq(right.positions()),
        |left, right| left.interval == right.interval,
        |left, right| left.interval.mirror() == right.interval,
    ];
    let mut left = cells(errors, Side::Minimax);
    let mut right = cells(errors, Side::Product);
    // The balanced rows come from the first two rules, the leading ones from the third or from no rule at all.
    let mut paired: [Vec<(Cell, Cell)>; 3] = Default::default();
    for (rule, pairs) in rules.into_iter().zip(&mut paired) {
        for cell in std::mem::take(&mut left) {
            match right.iter().position(|other| rule(&cell, other)) {
                Some(place) => pairs.push((cell, right.remove(place))),
                None => left.push(cell),
            }
        }
    }
    let [mirrored, same, unbalanced] = paired;
    let mut balanced: Vec<(Cell, Cell)> = mirrored.into_iter().chain(same).collect();
    balanced.sort_by_key(|(cell, _)| cell.interval);
    if errors > Position::ALL.len() / 2 {
        balanced.reverse();
    }
    let both = unbalanced.into_iter().chain(balanced);
    let both = both.map(|(minimax, product)| Row { errors, minimax: Some(minimax), product: Some(product) });
    let alone = left.into_iter().map(|cell| Row { errors, minimax: Some(cell), product: None });
    let alone = alone.chain(right.into_iter().map(|cell| Row { errors, minimax: None, product: Some(cell) }));
    alone.chain(both).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_critical_case_is_in_the_table_once_and_on_its_side() {
        let entries: Vec<_> = Table1::derive().entries().collect();
        let critical: Vec<Case> = cases().filter(|case| case.decision().is_critical()).collect();
        assert_eq!(entries.len(), critical.len());
        for case in critical {
            let found: Vec<_> = entries.iter().filter(|(.., entry)| *entry == case).collect();
            assert_eq!(found.len(), 1, "{case}");
            assert_eq!(Some(found[0].1), case.decision().favours(), "{case}");
        }
    }

    #[test]
    fn rows_have_one_number_of_errors_and_ascend_by_it() {
        let table = Table1::derive();
        for row in &table.rows {
            for cell in Side::BOTH.into_iter().filter_map(|side| row.cell(side)) {
                assert!(
                    cell.cases.iter().all(|c| c.errors.len() == row.errors && c.interval == cell.interval)
                );
            }
        }
        assert!(table.rows.is_sorted_by_key(|row| row.errors));
    }

    #[test]
    fn the_layout_is_the_printed_one() {
        let print = |cell: Option<&Cell>| {
            let cases = cell.into_iter().flat_map(|cell| &cell.cases);
            cases.map(ToString::to_string).collect::<Vec<_>>().join("; ")
        };
        let rows: Vec<String> = Table1::derive()
            .rows
            .iter()
            .map(|row| {
                format!("{} {} | {}", row.errors, print(row.minimax.as_ref()), print(row.product.as_ref()))
            })
            .collect();
        // "I3(M2, P1)" is printed as I3(P1, M2) in the paper.
        let expected = [
            "0 I4 | ",
            "1 I4(P1) | I2(P2)",
            "1 I3(M2) | I3(P2)",
            "1 I5(P1); I5(P2) | I5(M1); I5(M2)",
            "2 I1(M1, M2) | I5(M1, M2)",
            "2 I2(M1, M2) | I2(M1, P2); I2(M2, P2)",
            "2 I3(M2, P1) | I3(M1, P2)",
            "2 I4(P1, P2) | I4(M1, P2); I4(M2, P2)",
            "2 I5(P1, P2) | I1(P1, P2)",
            "3 I2(M1, M2, P1) | I4(M1, M2, P2)",
            "3 I3(M2, P1, P2) | I3(M1, M2, P2)",
            "3 I1(M1, M2, P2); I1(M1, M2, P1) | I1(M2, P1, P2); I1(M1, P1, P2)",
            "4 I2 | ",
        ];
        assert_eq!(rows, expected);
    }
}
