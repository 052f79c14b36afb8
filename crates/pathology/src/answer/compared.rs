//! Published figures with ours next to them.

use prodmax_number::Figure;
use prodmax_output::answer::{Answer, Rows, View};
use prodmax_output::{Cell, Column};
use serde::Serialize;

use super::{error, figure};
use crate::tables::{Closeness, Compared};

/// A table of LGB with our figures next to the published ones.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedAnswer {
    /// its number in LGB
    table: usize,
    /// how many figures agree
    verdicts: Verdicts,
    /// every printed figure
    cells: Vec<CellKeys>,
}

/// How many figures have a verdict.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verdicts {
    /// within 2 standard errors of a sample of the paper's size
    agrees: usize,
    /// within 4
    near: usize,
    /// further away
    differs: usize,
}

/// A printed figure and ours.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CellKeys {
    /// its name
    id: String,
    /// paper, table, row, column
    source: String,
    /// the row
    row: usize,
    /// what tells columns apart
    series: String,
    /// what is measured
    quantity: String,
    /// as printed
    published: String,
    /// our figure; null if it was not integrated
    integrated: Option<Figure>,
    /// our sampled figure; null if none was drawn
    sampled: Option<Figure>,
    /// of a sample of the paper's size
    paper_standard_error: Option<f64>,
    /// printed minus ours, in these standard errors
    deviation: Option<f64>,
    /// `agrees`, `near` or `differs`
    verdict: &'static str,
}

impl From<Compared> for CellKeys {
    fn from(cell: Compared) -> Self {
        Self {
            integrated: figure(cell.integrated),
            sampled: figure(cell.sampled),
            paper_standard_error: cell.paper_standard_error,
            deviation: cell.deviation(),
            verdict: cell.verdict.name(),
            id: cell.published.id,
            source: cell.published.source,
            row: cell.published.row,
            series: cell.published.series,
            quantity: cell.published.quantity,
            published: cell.published.printed,
        }
    }
}

impl ComparedAnswer {
    /// The answer for a table.
    pub fn new(table: usize, cells: Vec<Compared>) -> Self {
        let count = |verdict: Closeness| cells.iter().filter(|cell| cell.verdict == verdict).count();
        let verdicts = Verdicts {
            agrees: count(Closeness::Agrees),
            near: count(Closeness::Near),
            differs: count(Closeness::Differs),
        };
        Self { table, verdicts, cells: cells.into_iter().map(CellKeys::from).collect() }
    }

    /// The cells column by column, as curves over the depth of search; the order of the rows is kept.
    fn by_column(&self) -> Vec<&CellKeys> {
        let place = |cell: &CellKeys| {
            let same = |other: &CellKeys| (&other.series, &other.quantity) == (&cell.series, &cell.quantity);
            self.cells.iter().position(same)
        };
        let mut ordered: Vec<&CellKeys> = self.cells.iter().collect();
        ordered.sort_by_key(|cell| place(cell));
        ordered
    }
}

impl Answer for ComparedAnswer {
    fn view(&self) -> View {
        let Self { table, verdicts: Verdicts { agrees, near, differs }, cells } = self;
        let title = format!("LGB Table {table}, published and ours");
        let mut rows = Rows::new(format!("lgb-table{table}"), title, self.by_column());
        let row_name = match table {
            6 => "b",
            8 => "ply",
            _ => "d",
        };
        let places = if *table == 6 { 0 } else { 6 };
        let both = |figure: &Option<Figure>| match figure {
            Some(figure) => vec![Cell::decimal(figure.double(), places), error(figure)],
            None => vec!["-".into(), "-".into()],
        };
        rows.column(Column::left("column").at(["series"]), |cell| cell.series.as_str().into());
        rows.column(Column::left("quantity"), |cell| cell.quantity.replace('_', " ").into());
        rows.column(Column::right(row_name).at(["row"]), |cell| cell.row.into());
        rows.column(Column::right("published"), |cell| cell.published.as_str().into());
        let columns = vec![Column::right("ours").at(["integrated"]), Column::right("error")];
        rows.columns(columns, |cell| both(&cell.integrated));
        if cells.iter().any(|cell| cell.sampled.is_some()) {
            let columns = vec![Column::right("sampled"), Column::right("s.e.")];
            rows.columns(columns, |cell| both(&cell.sampled));
        }
        rows.column(Column::right("s.e. of the paper").at(["paper_standard_error"]), |cell| {
            cell.paper_standard_error.map_or_else(|| "-".into(), |error| Cell::decimal(error, 5))
        });
        rows.column(Column::right("off by").at(["deviation"]), |cell| {
            cell.deviation.map_or_else(|| "-".into(), |deviation| format!("{deviation:+.1}").into())
        });
        rows.column(Column::left("verdict"), |cell| cell.verdict.into());
        let all = cells.len();
        rows.notes([
            format!("{all} published figures: {agrees} agrees, {near} near, {differs} differs."),
            if *table == 6 {
                "LGB say neither what interval the grains cover nor when a curve counts as pathological. Here: all \
                 values of an independent leaf, ±3 standard deviations of a dependent one; the move error at depth 6 \
                 is greater than at depth 1."
            } else {
                "s.e. of the paper: the standard error of a sample of the paper's size, from the variance between \
                 trees of a recorded sample; off by: in these standard errors; agrees: within 2, near: within 4."
            }
            .to_owned(),
        ]);
        vec![rows.table()].into()
    }
}
