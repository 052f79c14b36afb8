//! Table 6 under every reading of what LGB leave open.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Criterion, GrainError, RUN, Range, RightMoves, curve};
use crate::figures::Row;
use crate::model::{Grains, RealModel, Steps, Values};

/// One reading: what the grains cover, how values are rounded, which of equally good moves are right, and what counts as
/// pathological.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrainReading {
    /// The interval.
    pub range: Range,
    /// Whether the ends of the interval are values themselves, so that the outermost grains reach beyond it.
    pub ends: bool,
    /// Which moves are right.
    pub ties: RightMoves,
    /// What is pathological.
    pub criterion: Criterion,
}

impl GrainReading {
    /// All readings for dependent or independent values.
    pub fn all(values: Values) -> Vec<Self> {
        let ranges: &[Range] = match values {
            Values::Independent => &[Range::Support, Range::Extremes],
            Values::Dependent => &[
                Range::LeafDeviations(2.0),
                Range::LeafDeviations(3.0),
                Range::LeafDeviations(4.0),
                Range::Extremes,
            ],
        };
        let mut all = Vec::new();
        for &range in ranges {
            for ends in [false, true] {
                for ties in RightMoves::ALL {
                    all.extend(Criterion::ALL.map(|criterion| Self { range, ends, ties, criterion }));
                }
            }
        }
        all
    }
}

/// The numbers of grains that a reading requires.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Required {
    /// The reading, in words.
    pub range: String,
    /// Likewise.
    pub rounding: String,
    /// Likewise.
    pub ties: String,
    /// Likewise.
    pub criterion: String,
    /// For every branching factor; `None` if more than were tried.
    pub grains: Vec<Option<u32>>,
}

impl Required {
    /// The reading, in words.
    pub fn words(&self) -> [&str; 4] {
        [&self.range, &self.rounding, &self.ties, &self.criterion]
    }

    /// How many of the published numbers it gives.
    pub fn matches(&self, published: &[Option<u32>]) -> usize {
        let both = self.grains.iter().zip(published);
        both.filter(|(ours, published)| ours.is_some() && ours == published).count()
    }
}

/// The required numbers of grains for b = `branching`, under every reading; curves are shared between the criteria.
/// `most` grains are tried.
pub fn required_by_reading(
    values: Values,
    branching: &[u32],
    most: u32,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<Required>, GrainError> {
    let steps = if values == Values::Dependent { Steps::Normal } else { Steps::Uniform };
    let model = |b: u32| RealModel { b, d_max: 6, values, steps, ..RealModel::default() };
    let readings = GrainReading::all(values);
    let curves = readings.len() / Criterion::ALL.len();
    let mut all: Vec<Required> = readings
        .iter()
        .map(|reading| Required {
            range: reading.range.to_string(),
            rounding: if reading.ends { "the ends are values" } else { "the ends are edges" }.to_owned(),
            ties: reading.ties.name().to_owned(),
            criterion: reading.criterion.name().to_owned(),
            grains: Vec::new(),
        })
        .collect();
    for (done, &b) in branching.iter().enumerate() {
        progress(done, branching.len());
        let of_curve = |index: usize| -> Result<Vec<Option<u32>>, GrainError> {
            let group = &readings[index * Criterion::ALL.len()..][..Criterion::ALL.len()];
            required_grains_of(&model(b), group, most)
        };
        let found: Vec<_> = (0..curves).into_par_iter().with_max_len(1).map(of_curve).collect();
        let found: Vec<Option<u32>> = found.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
        all.iter_mut().zip(found).for_each(|(required, grains)| required.grains.push(grains));
    }
    Ok(all)
}

/// The least numbers of grains that are not pathological and are followed by [`RUN`] more that are not, for readings
/// that differ in the criterion only.
fn required_grains_of(
    model: &RealModel,
    readings: &[GrainReading],
    most: u32,
) -> Result<Vec<Option<u32>>, GrainError> {
    let mut found: Vec<Option<u32>> = vec![None; readings.len()];
    let Some(first) = readings.first() else { return Ok(found) };
    for count in 2..=most + RUN {
        let settled = |found: &Option<u32>| found.is_some_and(|first| count > first + RUN);
        if found.iter().all(settled) {
            break;
        }
        let Some(half_width) = first.range.half_width(model, count) else { return Ok(found) };
        let stretch = if first.ends { f64::from(count) / f64::from(count - 1) } else { 1.0 };
        let grains = Some(Grains { count, range: half_width * stretch });
        let rows: Vec<Row> = curve(&RealModel { grains, ..model.clone() }, first.ties)?;
        for (reading, found) in readings.iter().zip(&mut found) {
            if settled(found) {
                continue;
            }
            if reading.criterion.holds(&rows) {
                *found = None;
            } else {
                found.get_or_insert(count);
            }
        }
    }
    Ok(found.into_iter().map(|found| found.filter(|found| *found <= most)).collect())
}
