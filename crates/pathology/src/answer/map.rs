//! Where deeper search is worse.

use prodmax_output::answer::{Answer, Rows, View};
use prodmax_output::{Cell, Column, Table};
use serde::Serialize;

use crate::regions::Region;

/// Where deeper search is worse: over noise, dependence, granularity and number of moves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MapAnswer {
    /// the depth of the trees
    d_max: usize,
    /// every combination
    points: Vec<Region>,
}

impl MapAnswer {
    /// The answer for all points of a map.
    pub fn new(d_max: usize, points: Vec<Region>) -> Self {
        Self { d_max, points }
    }
}

impl Answer for MapAnswer {
    fn view(&self) -> View {
        vec![map_table(self.d_max, &self.points)].into()
    }
}

/// The points of a map.
pub fn map_table(d_max: usize, points: &[Region]) -> Table {
    let mut rows = Rows::new("pathology-map", "Where deeper search is worse", points.iter().collect());
    rows.column(Column::left("values"), |point| point.values.name().into());
    rows.column(Column::right("grains"), |point| point.grains.map_or_else(|| "real".into(), Cell::from));
    rows.column(Column::right("b"), |point| point.b.into());
    rows.column(Column::right("sigma_e"), |point| point.sigma_e.to_string().into());
    rows.column(Column::right("move error at 1").at(["first"]), |point| Cell::decimal(point.first, 6));
    let column = Column::right(format!("move error at {d_max}")).at(["last"]);
    rows.column(column, |point| Cell::decimal(point.last, 6));
    rows.column(Column::right("change %"), |point| {
        point.change().map_or_else(|| "-".into(), |change| format!("{:+.1}", 100.0 * change).into())
    });
    rows.column(Column::left("verdict"), |point| {
        match point.change() {
            Some(change) if change > 0.0 => "pathological",
            Some(_) => "not pathological",
            None => "no difference",
        }
        .into()
    });
    rows.table()
}
