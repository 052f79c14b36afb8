//! The simulations of this version, for use outside a checkout.

use prodmax_spec::ron_file::{self, RonError};

use crate::spec::SimulationSpec;

/// The files of `specs/simulate/` by name, in order.
const FILES: [(&str, &str); 8] = [
    ("a.ron", include_str!("../specs/a.ron")),
    ("b.ron", include_str!("../specs/b.ron")),
    ("c4.ron", include_str!("../specs/c4.ron")),
    ("rules-average.ron", include_str!("../specs/rules-average.ron")),
    ("rules-baum.ron", include_str!("../specs/rules-baum.ron")),
    ("rules-hints.ron", include_str!("../specs/rules-hints.ron")),
    ("rules-mean.ron", include_str!("../specs/rules-mean.ron")),
    ("t0.ron", include_str!("../specs/t0.ron")),
];

fn parse((name, text): &(&str, &str)) -> Result<SimulationSpec, RonError> {
    ron_file::parse(text, &format!("built-in/simulate/{name}"))
}

impl SimulationSpec {
    /// The simulations of this version, in the order of their files.
    pub fn built_in() -> Result<Vec<Self>, RonError> {
        FILES.iter().map(parse).collect()
    }

    /// Reading B of KHS section VI, which comes closest to the published tables.
    pub fn reading_b() -> Result<Self, RonError> {
        parse(&FILES[1])
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_built_in_simulations_are_those_of_the_repository() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
        let paths = ron_file::list(&directory).unwrap();
        let names: Vec<_> = paths.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, FILES.map(|(name, _)| name));
        assert_eq!(SimulationSpec::built_in().unwrap().len(), FILES.len());
        assert_eq!(SimulationSpec::reading_b().unwrap().id, "simulate-b");
    }
}
