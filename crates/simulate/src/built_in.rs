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
    }
}
