//! An estimate of the memory and time that the figures of a model take.
//!
//! Measured on one thread: 15 ns for every point of a lattice and level, for four lattices; 55 ns for every sampled
//! leaf and repetition; 0.5 ns for every pair of grains, auxiliary value and weight.

use prodmax_jobs::Effort;

use crate::granularity;
use crate::integrate;
use crate::model::{RealModel, Values};
use crate::sample::{SampleSpec, Sampling};
use crate::tables::samples::{self, Sizes, models};
use crate::tables::{Method, SamplingOf, Series, series};

/// Seconds to move a point of a lattice up one level.
const POINT_SECONDS: f64 = 15e-9;

/// Seconds for one product in the sums over the auxiliary values of bounded models.
const PRODUCT_SECONDS: f64 = 0.5e-9;

/// Bytes of a point: the law, its distribution and buffers for both.
const POINT_BYTES: f64 = 64.0;

/// Seconds for a leaf whose noise is drawn once.
const LEAF_SECONDS: f64 = 55e-9;

/// Seconds for the same and one rule that backs it up.
const RULE_SECONDS: f64 = 100e-9;

/// Seconds to add one entry of a table over pairs of grains.
const GRAIN_SECONDS: f64 = 0.6e-9;

/// What [`crate::integrate()`] takes on this many threads.
pub fn integration(model: &RealModel, threads: usize) -> Effort {
    if let Some(m) = model.m {
        let seconds = integrate::bounded_work(model, m) * PRODUCT_SECONDS;
        return Effort { bytes: 0.0, seconds }.on_threads(threads);
    }
    let points = integrate::finest_points(model, model.sigma_e);
    let depths = model.d_max as f64 + 1.0;
    // The lattices before the last have a fourth, a sixteenth, … of its points.
    let seconds = 4.0 / 3.0 * points * depths * (depths + 1.0) / 2.0 * POINT_SECONDS;
    Effort { bytes: POINT_BYTES * points * threads.max(1) as f64, seconds }.on_threads(threads)
}

/// What a sample takes on this many threads.
pub fn sample(spec: &SampleSpec, threads: usize) -> Effort {
    let leaves = f64::from(spec.model.b).powi(spec.model.d_max as i32);
    let draws = leaves * spec.trees as f64 * spec.repetitions as f64;
    let each = match &spec.by_rules {
        None => LEAF_SECONDS,
        Some(by_rules) => LEAF_SECONDS + by_rules.rules.named().len() as f64 * RULE_SECONDS,
    };
    let seconds = draws * each;
    Effort { bytes: 0.0, seconds }.on_threads(threads)
}

/// What [`granularity::grained`] takes on this many threads; nothing for a model without grains.
pub fn grained(model: &RealModel, threads: usize) -> Effort {
    let Some(grains) = model.grains else { return Effort::NONE };
    let pairs = f64::from(grains.count).powi(2);
    let depths = model.d_max as f64 + 1.0;
    match model.values {
        Values::Independent => {
            // The noise, the law, its distribution and the next law.
            let bytes = 4.0 * 8.0 * pairs * threads.max(1) as f64;
            Effort { bytes, seconds: 2.0 * pairs * depths * depths * GRAIN_SECONDS }.on_threads(threads)
        }
        Values::Dependent => {
            // The laws of one depth and the next, for every auxiliary value; the deepest search has the most.
            let laws = |depth: usize| granularity::values(depth) as f64;
            let of_row = |d: usize| 8.0 * pairs * (laws(d) + laws(d.saturating_sub(1)));
            let at_once = (0..=model.d_max).rev().take(threads.max(1)).map(of_row).sum();
            let steps: f64 = (0..=model.d_max).map(|d| (1..=d).map(laws).sum::<f64>()).sum();
            let seconds = pairs * steps * granularity::weights() as f64 * GRAIN_SECONDS;
            Effort { bytes: at_once, seconds }.on_threads(threads)
        }
    }
}

/// What [`crate::tables::compare`] takes on this many threads.
pub fn table(table: usize, method: Method, sampling: &SamplingOf<'_>, threads: usize) -> Effort {
    /// The table about numbers of grains: measured.
    const TABLE_6: Effort = Effort { bytes: 30e6, seconds: 60.0 };
    if table == 6 {
        return TABLE_6.on_threads(threads);
    }
    let one = |series: &Series| {
        let integrated = integration(&series.model, threads);
        // Solving for the noise that keeps an error constant takes a few integrations of small searches.
        let solving = if series.constant.is_some() { 3.0 } else { 1.0 };
        let integrated = if method == Method::Sample { Effort::NONE } else { integrated.times(solving) };
        match method {
            Method::Integrate => integrated,
            _ => {
                let sampling = sampling(series.leaves());
                integrated.then(sample(&SampleSpec::new(&series.model, sampling, None), threads))
            }
        }
    };
    series(table).iter().map(one).fold(Effort::NONE, Effort::then)
}

/// What [`crate::tables::samples::Samples::draw`] takes on this many threads.
pub fn samples(tables: &[usize], sizes: Sizes, threads: usize) -> Effort {
    let one = |(_, series): &(usize, Series)| {
        let sampling = Sampling { trees: sizes.trees_of(series), ..Sampling::default() };
        integration(&series.model, threads)
            .then(sample(&SampleSpec::new(&series.model, sampling, None), threads))
    };
    models(tables).iter().map(one).fold(Effort::NONE, Effort::then)
}

/// What [`crate::tables::samples::Samples::with_criteria`] takes on this many threads.
pub fn criteria(sizes: Sizes, threads: usize) -> Effort {
    /// Counting the grains and their slope: measured.
    const EXACT: Effort = Effort { bytes: 30e6, seconds: 100.0 };
    let one = |(_, b): (Values, u32)| {
        let model = RealModel { b, d_max: 6, ..RealModel::default() };
        let sampling = Sampling { trees: sizes.trees_of_criterion(b), ..Sampling::default() };
        sample(&SampleSpec::new(&model, sampling, None), threads)
    };
    samples::criteria().map(one).fold(EXACT.on_threads(threads), Effort::then)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Grains;

    /// Peak memory in MiB, minus the 13 of a program that does nothing, and processor seconds, by `getrusage`.
    #[test]
    fn estimates_are_within_a_small_factor_of_measurements() {
        let plain = RealModel::default();
        let grains = Some(Grains { count: 200, range: 3.0 * 10f64.sqrt() });
        let sampling = Sampling { trees: 1000, ..Sampling::default() };
        let measured = [
            (integration(&plain, 1), None, 0.43),
            (integration(&RealModel { b: 40, sigma_e: 0.02, ..plain.clone() }, 1), Some(60.0), 2.2),
            (integration(&RealModel { d_max: 40, ..plain.clone() }, 1), None, 6.2),
            (sample(&SampleSpec::new(&plain, sampling, None), 1), None, 0.56),
            (grained(&RealModel { grains, ..plain.clone() }, 1), Some(138.0), 10.4),
        ];
        for (effort, mebibytes, seconds) in measured {
            let time = effort.seconds / seconds;
            assert!((0.5..3.0).contains(&time), "{effort:?}, measured {seconds} s");
            if let Some(mebibytes) = mebibytes {
                let bytes = effort.bytes / f64::from(1 << 20) / mebibytes;
                assert!((0.9..5.0).contains(&bytes), "{effort:?}, measured {mebibytes} MiB");
            }
        }
    }
}
