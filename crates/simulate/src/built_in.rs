//! The simulations of this version, for use outside a checkout.

use prodmax_jobs::ron_file::{self, RonError};

use crate::spec::SimulationSpec;

fn parse((name, text): (&str, &str)) -> Result<SimulationSpec, RonError> {
    ron_file::parse(text, &format!("built-in/simulate/{name}"))
}

impl SimulationSpec {
    /// The simulations of this version, in the order of their files.
    pub fn built_in() -> Result<Vec<Self>, RonError> {
        prodmax_data::folder("specs/simulate").map(parse).collect()
    }

    /// Readings of the contest of which HK report 3,886 critical cases, in the order of their files. The text does not say
    /// how many trees there are and how deep, so their depth of 18 is only one of those to try.
    pub fn contests() -> Result<Vec<Self>, RonError> {
        prodmax_data::folder("specs/contest").map(parse).collect()
    }

    /// Reading B of KHS section VI, which comes closest to the published tables.
    pub fn reading_b() -> Result<Self, RonError> {
        const B: &str = prodmax_data::text("specs/simulate/b.ron");
        parse(("b.ron", B))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_simulations_can_be_read() {
        let b = SimulationSpec::reading_b().unwrap();
        assert_eq!(b.id, "simulate-b");
        assert!(SimulationSpec::built_in().unwrap().contains(&b));
        let contests: Vec<_> = prodmax_data::folder("specs/contest").map(|(name, _)| name).collect();
        for (spec, name) in SimulationSpec::contests().unwrap().iter().zip(contests) {
            assert_eq!(format!("{}.ron", spec.id), format!("contest-{name}"));
            assert_eq!((spec.check(), spec.depths.as_slice()), (Ok(()), &[2][..]));
        }
    }
}
