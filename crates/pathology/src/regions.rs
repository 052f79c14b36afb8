//! Where is deeper search worse? A map over noise, dependence, granularity and branching factor.

use prodmax_jobs::stop;
use prodmax_number::possible::{ImpossibleFigure, probability};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::figures::{Quantity, TOLERANCE};
use crate::granularity::explicit::{with_grains, with_real_values};
use crate::granularity::{GrainError, Range, grained};
use crate::integrate::integrate;
use crate::model::{Grains, RealModel, Steps, Values};
use crate::tables::TableError;

/// The parameters that are varied. Dependent values have normal steps, independent ones are uniform, as in Table 6.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regions {
    /// The depth of the trees.
    pub d_max: usize,
    /// Branching factors.
    pub b: Vec<u32>,
    /// Standard deviations of the noise, in those of a step.
    pub sigma_e: Vec<f64>,
    /// Numbers of grains; real values are always included.
    pub grains: Vec<u32>,
}

/// One point of the map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// `dependent` or `independent`
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub values: Values,
    /// the number of grains; null for real values
    pub grains: Option<u32>,
    /// the branching factor
    pub b: u32,
    /// standard deviation of the noise
    pub sigma_e: f64,
    /// the move error of a search to depth 1
    pub first: f64,
    /// the move error of the deepest search
    pub last: f64,
    /// the error of both together
    pub error: f64,
}

impl Region {
    /// The gate, for a point that was read from a file.
    pub(crate) fn check(&self) -> Result<(), ImpossibleFigure> {
        let Self { values, grains, b, sigma_e, .. } = self;
        let kind = grains.map_or("real values".to_owned(), |grains| format!("{grains} grains"));
        let at = format!("the move error at b = {b}, sigma_e = {sigma_e}, {} values, {kind},", values.name());
        check_ends([self.first, self.last], self.error, &at)
    }

    /// The relative change of the move error from depth 1 to the deepest search; `None` if there is hardly any error or
    /// it is not known well enough to tell a rise from a fall.
    pub fn change(&self) -> Option<f64> {
        let rise = self.last - self.first;
        (self.first > 1e-9 && rise.abs() > self.error).then_some(rise / self.first)
    }
}

/// The gate for two move errors and the error of both together, as they are recorded.
pub(crate) fn check_ends(ends: [f64; 2], error: f64, name: &str) -> Result<(), ImpossibleFigure> {
    let check = |end: f64| probability(end, error, 2.0 * TOLERANCE).map(|_| ());
    ends.into_iter().try_for_each(check).map_err(|reason| reason.of(name))
}

impl Regions {
    /// All points, in the order of the parameters.
    pub fn points(&self) -> Vec<(Values, Option<u32>, u32, f64)> {
        let mut all = Vec::new();
        for values in Values::ALL {
            for grains in self.grains.iter().copied().map(Some).chain([None]) {
                for &b in &self.b {
                    all.extend(self.sigma_e.iter().map(|sigma_e| (values, grains, b, *sigma_e)));
                }
            }
        }
        all
    }

    /// The errors at all points; `step` is called after each.
    pub fn map(&self, step: &(dyn Fn() + Sync)) -> Result<Vec<Region>, TableError> {
        let one = |(values, grains, b, sigma_e): (Values, Option<u32>, u32, f64)| {
            // When work is stopped, points that wait do not begin.
            stop::check();
            let found = self.at(values, grains, b, sigma_e);
            step();
            found
        };
        let all: Vec<_> = self.points().into_par_iter().with_max_len(1).map(one).collect();
        all.into_iter().collect()
    }

    fn at(&self, values: Values, grains: Option<u32>, b: u32, sigma_e: f64) -> Result<Region, TableError> {
        let steps = if values == Values::Dependent { Steps::Normal } else { Steps::Uniform };
        let model = RealModel { b, sigma_e, values, steps, d_max: self.d_max, ..RealModel::default() };
        let (first, last) = match (values, grains) {
            (Values::Independent, Some(count)) => {
                let ends = with_grains(&model, count)?;
                (ends.first, ends.last)
            }
            (Values::Independent, None) => {
                let ends = with_real_values(&model, false)?;
                (ends.first, ends.last)
            }
            (Values::Dependent, _) => {
                let rows = match grains {
                    None => integrate(&model, TOLERANCE)?.rows,
                    Some(count) => {
                        // ±3 standard deviations of a leaf, as for Table 6.
                        let range = Range::LeafDeviations(3.0).half_width(&model, count);
                        let grains = range.map(|range| Grains { count, range });
                        grained(&RealModel { grains, ..model })?
                    }
                };
                let figure = |d: usize| rows.get(d).and_then(|row| row.get(Quantity::MoveError));
                figure(1).zip(figure(self.d_max)).ok_or(GrainError::NoGrains)?
            }
        };
        let error = first.error() + last.error();
        Ok(Region { values, grains, b, sigma_e, first: first.value, last: last.value, error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The point whose figure was printed and recorded, by both computations of real independent values.
    #[test]
    fn the_point_that_was_impossible_is_that_of_the_integrator() {
        let regions = Regions { d_max: 6, b: vec![3], sigma_e: vec![2.0], grains: vec![10] };
        let map = regions.map(&|| ()).unwrap();
        let real = map.iter().find(|region| region.values == Values::Independent && region.grains.is_none());
        let real = real.unwrap();
        let model = RealModel {
            b: 3,
            sigma_e: 2.0,
            d_max: 6,
            values: Values::Independent,
            steps: Steps::Uniform,
            ..RealModel::default()
        };
        let rows = integrate(&model, TOLERANCE).unwrap().rows;
        let exact = [1, 6].map(|d: usize| rows[d].get(Quantity::MoveError).unwrap());
        for (ours, exact) in [real.first, real.last].into_iter().zip(exact) {
            assert!((ours - exact.value).abs() <= real.error + exact.error(), "{real:?} {exact:?}");
        }
        assert!((real.last - 0.635_512).abs() < 1e-6 && real.change().is_some_and(|change| change > 0.016));
        assert_eq!(real.check(), Ok(()));
        // As it was recorded.
        let recorded = Region {
            first: 0.625_203_030_474_523,
            last: -1.297_114_344_236_605_5,
            error: 0.241_578_415_929_335,
            ..*real
        };
        assert_eq!(
            recorded.check().unwrap_err().to_string(),
            "the move error at b = 3, sigma_e = 2, independent values, real values, is known only to 2.4e-1 \
             (0.625203030474523), not to 2e-5; allow a greater tolerance or compute it in another way"
        );
        let refused = Region { error: 1e-6, ..recorded }.check().unwrap_err().to_string();
        assert!(refused.contains("comes out as -1.2971143442366055"), "{refused}");
    }

    #[test]
    fn the_map_holds_known_points() {
        let regions = Regions { d_max: 6, b: vec![5], sigma_e: vec![0.2], grains: vec![28, 29] };
        let map = regions.map(&|| ()).unwrap();
        assert_eq!(map.len(), 6);
        let at = |values, grains| {
            let found = map.iter().find(|region| (region.values, region.grains) == (values, grains));
            found.unwrap().change().unwrap()
        };
        // Table 6: 29 grains are enough for independent values, 28 are not.
        assert!(at(Values::Independent, Some(28)) > 0.0 && at(Values::Independent, Some(29)) < 0.0);
        // Real values: Tables 1 and 5 fall.
        assert!(at(Values::Independent, None) < 0.0 && at(Values::Dependent, None) < 0.0);
    }
}
