//! `prodmax pathology map` and `study`: pathological regions, and everything that the report shows beyond LGB.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use prodmax_jobs::Effort;
use prodmax_jobs::ron_file;
use prodmax_pathology::answer::{MapAnswer, map_table};
use prodmax_pathology::regions::Regions;
use prodmax_pathology::study::BeyondSpec;
use serde_json::json;

use super::args::positive;
use crate::context::Context;
use crate::error::Error;
use crate::guard;
use crate::long_run::Meter;
use crate::output::Output;
use crate::whole_number::within;

/// Map where deeper search is worse: over noise, dependence, granularity, moves.
///
/// For every combination, the move error of the deepest search is compared with that
/// of depth 1: if it is greater, the point is pathological. Dependent values have
/// normal steps, their grains cover 3 standard deviations of a leaf; independent ones
/// are uniform, their grains cover all values of a leaf.
///
/// Example:
///
///     prodmax pathology map --b 2,5 --sigma-e 0.2,1 --grains 10 --d-max 4
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct PathologyMap {
    /// Branching factors.
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "2,3,5,10,20,40",
        allow_negative_numbers = true,
        value_parser = within::<u32>(2..=100)
    )]
    b: Vec<u32>,

    /// Standard deviations of the noise.
    #[arg(
        long,
        value_name = "X",
        value_delimiter = ',',
        default_value = "0.05,0.1,0.2,0.5,1,2",
        allow_negative_numbers = true,
        value_parser = positive
    )]
    sigma_e: Vec<f64>,

    /// Numbers of grains; real values are always included.
    #[arg(
        long,
        value_name = "G",
        value_delimiter = ',',
        default_value = "10,20,50",
        allow_negative_numbers = true,
        value_parser = within::<u32>(2..=200)
    )]
    grains: Vec<u32>,

    /// The depth of the trees.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 6,
        allow_negative_numbers = true,
        value_parser = within::<usize>(2..=10)
    )]
    d_max: usize,
}

/// Processor seconds of a point of the map, measured.
const POINT_SECONDS: f64 = 0.5;

impl PathologyMap {
    pub(super) fn output(&self, context: &Context) -> Result<Output, Error> {
        let regions = Regions {
            d_max: self.d_max,
            b: self.b.clone(),
            sigma_e: self.sigma_e.clone(),
            grains: self.grains.clone(),
        };
        let points = regions.points().len() as u64;
        let threads = rayon::current_num_threads();
        let work = Effort { bytes: 0.0, seconds: POINT_SECONDS * points as f64 }.on_threads(threads);
        let meter = guard::admit(context, "points", work, "use fewer points")?;
        let done = AtomicU64::new(0);
        let map = regions.map(&|| meter.show(done.fetch_add(1, Ordering::Relaxed) + 1, points))?;
        Ok(Output::answer(&MapAnswer::new(self.d_max, map)))
    }
}

/// Compute what the report shows beyond LGB's tables, and record it.
///
/// Other rules, the grains that eq. (9) extrapolates, Table 6 under every reading and
/// the map, as specified in a file. This takes many minutes. make record-pathology
/// records the result.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct PathologyStudy {
    /// The file that specifies what to compute (`-` is standard input).
    #[arg(long, value_name = "FILE")]
    pub(super) spec: PathBuf,
}

impl PathologyStudy {
    pub(super) fn output(&self, context: &Context) -> Result<Output, Error> {
        let spec: BeyondSpec = ron_file::read_or_stdin(&self.spec)?;
        let meter = Meter::new(context, "steps");
        let (done, all) = (AtomicU64::new(0), spec.steps());
        let step = || meter.show(done.fetch_add(1, Ordering::Relaxed) + 1, all);
        let found = spec.run(env!("PRODMAX_VERSION"), &step)?;
        let table = map_table(spec.map.d_max, &found.map);
        Ok(Output::figures(json!(found), vec![table]))
    }
}
