//! Table 6: how many grains it takes to avoid pathology.

use rayon::prelude::*;

use super::{Compared, Published, TableError, Verdict};
use crate::figures::Figure;
use crate::granularity::{Criterion, Range, required_grains};
use crate::model::{Model, Steps, Values};

/// The reading that is tabulated: the grains cover all values of an independent leaf, or ±3 standard deviations of a
/// dependent one; a curve is pathological if move error grows from some depth to the next.
pub(super) fn compare(published: Vec<Published>) -> Result<Vec<Compared>, TableError> {
    let one = |published: Published| {
        let (values, steps, range) = match published.series.as_str() {
            "independent" => (Values::Independent, Steps::Uniform, Range::Support),
            _ => (Values::Dependent, Steps::Normal, Range::LeafDeviations(3.0)),
        };
        let model = Model { b: published.row as u32, d_max: 6, values, steps, ..Model::default() };
        let most = if values == Values::Independent { 200 } else { 40 };
        let required = required_grains(&model, range, Criterion::AnyRise, most)?;
        let ours = required.map(|grains| Figure::computed(f64::from(grains), 0.0));
        let equal = ours.is_some_and(|figure| figure.value == published.value());
        let verdict = if equal { Verdict::Agrees } else { Verdict::Differs };
        Ok(Compared { published, integrated: ours, sampled: None, paper_standard_error: None, verdict })
    };
    published.into_par_iter().with_max_len(1).map(one).collect()
}
