//! The experiments of this version, for use outside a checkout.

use crate::experiment::Experiment;
use prodmax_jobs::ron_file::{self, RonError};

impl Experiment {
    /// The experiments of this version, in the order of their files.
    pub fn built_in() -> Result<Vec<Self>, RonError> {
        let specs = prodmax_data::folder("specs");
        specs.map(|(name, text)| ron_file::parse(text, &format!("built-in/{name}"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_experiments_can_be_read() {
        assert!(Experiment::built_in().unwrap().iter().any(|experiment| experiment.id == "table2"));
    }
}
