//! What `prodmax pathology` is asked about one model.

use prodmax_jobs::Effort;
use prodmax_pathology::{RealModel, SampleSpec, TOLERANCE, effort, median};

/// What is asked.
pub(super) struct Question {
    /// The model.
    pub(super) model: RealModel,
    /// Whether its figures are integrated.
    pub(super) integrates: bool,
    /// The trees that are drawn, if any, without the threshold of the two-value errors.
    pub(super) sample: Option<SampleSpec>,
}

impl Question {
    /// Whether the threshold is the exact median of the root.
    fn has_threshold(&self) -> bool {
        let minimax = self.sample.as_ref().is_some_and(|spec| spec.by_rules.is_none());
        minimax && self.model.m.is_none() && self.model.grains.is_none()
    }

    /// The sample with its threshold: the exact median of the root where it is known or can be integrated.
    pub(super) fn with_threshold(&self, known: Option<f64>) -> Option<SampleSpec> {
        let median = || median(&self.model, TOLERANCE).ok().flatten().map(|median| median.value);
        let spec = self.sample.clone()?;
        let threshold = known.or_else(|| if self.has_threshold() { median() } else { None });
        Some(SampleSpec { threshold, ..spec })
    }

    /// What finding the threshold takes.
    pub(super) fn set_up(&self, threads: usize) -> Effort {
        if self.has_threshold() { effort::integration(&self.model, threads) } else { Effort::NONE }
    }
}
