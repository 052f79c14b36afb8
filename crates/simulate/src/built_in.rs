//! The simulations of this version, for use outside a checkout.

use prodmax_spec::ron_file::{self, RonError};

use crate::spec::SimulationSpec;

/// The files of `specs/simulate/` by name, in order.
const FILES: [(&str, &str); 8] = [
    ("a.ron", include_str!("../specs/a.ron")),
    ("b.ron", include_str!("../specs/b.ron")),
    ("c.ron", include_str!("../specs/c.ron")),
    ("rules-average.ron", include_str!("../specs/rules-average.ron")),
    ("rules-baum.ron", include_str!("../specs/rules-baum.ron")),
    ("rules-hints.ron", include_str!("../specs/rules-hints.ron")),
    ("rules-mean.ron", include_str!("../specs/rules-mean.ron")),
    ("t0.ron", include_str!("../specs/t0.ron")),
];

/// The files of `specs/contest/` by name, in order.
const CONTESTS: [(&str, &str); 8] = [
    ("bottom-up-arctan-root-2.ron", include_str!("../contests/bottom-up-arctan-root-2.ron")),
    ("bottom-up-arctan-root-6.ron", include_str!("../contests/bottom-up-arctan-root-6.ron")),
    ("bottom-up-pearl-root-2.ron", include_str!("../contests/bottom-up-pearl-root-2.ron")),
    ("bottom-up-pearl-root-6.ron", include_str!("../contests/bottom-up-pearl-root-6.ron")),
    ("top-down-arctan-root-2.ron", include_str!("../contests/top-down-arctan-root-2.ron")),
    ("top-down-arctan-root-6.ron", include_str!("../contests/top-down-arctan-root-6.ron")),
    ("top-down-pearl-root-2.ron", include_str!("../contests/top-down-pearl-root-2.ron")),
    ("top-down-pearl-root-6.ron", include_str!("../contests/top-down-pearl-root-6.ron")),
];

fn parse((name, text): &(&str, &str)) -> Result<SimulationSpec, RonError> {
    ron_file::parse(text, &format!("built-in/simulate/{name}"))
}

impl SimulationSpec {
    /// The simulations of this version, in the order of their files.
    pub fn built_in() -> Result<Vec<Self>, RonError> {
        FILES.iter().map(parse).collect()
    }

    /// Readings of the contest of which HK report 3,886 critical cases, in the order of their files. The text does not say
    /// how many trees there are and how deep, so their depth of 18 is only one of those to try.
    pub fn contests() -> Result<Vec<Self>, RonError> {
        CONTESTS.iter().map(parse).collect()
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
        let names = |folder: &str| -> Vec<String> {
            let paths = ron_file::list(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
            paths.iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
        };
        assert_eq!(names("specs"), FILES.map(|(name, _)| name));
        assert_eq!(names("contests"), CONTESTS.map(|(name, _)| name));
        assert_eq!(SimulationSpec::built_in().unwrap().len(), FILES.len());
        for (spec, (name, _)) in SimulationSpec::contests().unwrap().iter().zip(CONTESTS) {
            assert_eq!(format!("{}.ron", spec.id), format!("contest-{name}"));
            assert_eq!((spec.check(), spec.depths.as_slice()), (Ok(()), &[2][..]));
        }
        assert_eq!(SimulationSpec::reading_b().unwrap().id, "simulate-b");
    }
}
