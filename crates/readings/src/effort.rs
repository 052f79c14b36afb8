//! An estimate of the memory and time that a search among readings takes.

use num_traits::ToPrimitive;
use prodmax_enumerate::Plan;
use prodmax_jobs::Effort;
use prodmax_mass::effort::{MeasureWork, NumberCost, in_memory};

use crate::frame::on_line;
use crate::grid::Grid;
use crate::reading::Reading;
use crate::target::Target;

/// Bytes of a class: its branches by first increment and the sums over its partners.
const CLASS_BYTES: f64 = 240.0;

/// Seconds per class, for a block of readings and for one reading.
const BLOCK_SECONDS: f64 = 0.4e-6;
const READING_SECONDS: f64 = 0.02e-6;

/// Bytes of a reading's score, and of the value of a cell if it is kept.
const SCORE_BYTES: f64 = 200.0;
const CELL_BYTES: f64 = 16.0;

/// What all readings of some grids take on this many threads.
pub fn of(grids: &[Grid], target: &Target, threads: usize) -> Effort {
    let readings: f64 = grids.iter().map(|grid| grid.len() as f64).sum();
    let seconds = grids.iter().map(|grid| blocks(grid) * block_of(grid, target)).sum();
    let searching = Effort { bytes: readings * SCORE_BYTES, seconds };
    shared(grids, target).and(searching).on_threads(threads)
}

/// What the values of all cells of all readings take.
pub fn cells(grids: &[Grid], target: &Target) -> Effort {
    let readings: f64 = grids.iter().map(|grid| grid.len() as f64).sum();
    Effort { bytes: readings * target.cells.len() as f64 * CELL_BYTES, seconds: 0.0 }
}

/// What is prepared for all readings of some grids: those with the same zero and estimate share their classes.
pub fn shared(grids: &[Grid], target: &Target) -> Effort {
    let mut kept: Vec<Reading> = Vec::new();
    let mut shared = Effort::NONE;
    for grid in grids {
        let [estimates, zeros, ..] = grid.sizes();
        let step = grid.len() / (estimates * zeros);
        for reading in (0..estimates * zeros).map(|index| grid.reading(index * step)) {
            if !kept.iter().any(|other| other.zero == reading.zero && other.estimate == reading.estimate) {
                shared = shared.and(frame(&reading, target));
                kept.push(reading);
            }
        }
    }
    shared
}

fn blocks(grid: &Grid) -> f64 {
    grid.len() as f64 / grid.block_len() as f64
}

/// Seconds for one block of a grid.
fn block_of(grid: &Grid, target: &Target) -> f64 {
    let in_block = grid.block_len() as f64;
    classes(&grid.reading(0), target) * (BLOCK_SECONDS + in_block * READING_SECONDS)
}

/// What each block of some grids takes, in seconds of one thread.
pub fn block_seconds(grids: &[Grid], target: &Target) -> Vec<f64> {
    let of_grid = |grid: &Grid| std::iter::repeat_n(block_of(grid, target), blocks(grid) as usize);
    grids.iter().flat_map(of_grid).collect()
}

/// The effort of [`crate::Reading::measure`] for a model.
pub fn of_one(model: &prodmax_enumerate::Model) -> Effort {
    let plan = Plan::of(model);
    let count = plan.depth_one_classes().to_f64().unwrap_or(f64::INFINITY);
    let work = MeasureWork { rankings: 2, contests: 1, numbers: NumberCost::Doubles };
    in_memory(model, &plan, &work).and(Effort { bytes: count * CLASS_BYTES, seconds: count * BLOCK_SECONDS })
}

/// The number of depth-1 classes of all models of a target.
fn classes(reading: &Reading, target: &Target) -> f64 {
    let models =
        target.cells.iter().map(|cell| &cell.model).chain(target.facts.iter().map(|facts| &facts.model));
    let count = |model| {
        let model = on_line(model, reading).ok()?;
        Plan::of(&model).depth_one_classes().to_f64()
    };
    models.filter_map(count).sum()
}

/// What the classes of all models of a target take, in the order of both rules and with their branches.
fn frame(reading: &Reading, target: &Target) -> Effort {
    let models =
        target.cells.iter().map(|cell| &cell.model).chain(target.facts.iter().map(|facts| &facts.model));
    let one = |model| Some(of_one(&on_line(model, reading).ok()?));
    models.filter_map(one).fold(Effort::NONE, Effort::and)
}

#[cfg(test)]
mod tests {
    use prodmax_golden::GoldenFile;
    use prodmax_jobs::ron_file;

    use super::*;
    use crate::grid::GridFile;

    /// One thread evaluated 221,000 readings of this grid in a minute.
    #[test]
    fn the_estimate_for_a_long_search_is_close_to_the_measurement() {
        let text = prodmax_data::text("specs/readings/search-1.ron");
        let file: GridFile = ron_file::parse(text, "search-1.ron").unwrap();
        let target = Target::of(&GoldenFile::built_in_table2_and_depth2().unwrap()).unwrap();
        let readings: usize = file.grids.iter().map(Grid::len).sum();
        assert_eq!(readings, 487_280);
        let effort = of(&file.grids, &target, 1);
        let measured = readings as f64 / 221_000.0 * 60.0;
        assert!((0.5..2.0).contains(&(effort.seconds / measured)), "{effort:?}, measured {measured} s");
        assert!(effort.bytes < 1e9, "{effort:?}");
    }
}
