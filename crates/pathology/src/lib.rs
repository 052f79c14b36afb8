//! The study of Luštrek, Gams and Bratko (LGB): is minimax pathological when values are real numbers?
//!
//! A [`RealModel`] is a tree whose nodes have real numbers as true values. A search to depth d sees them through
//! noise at depth d and backs up what it sees. [`integrate()`] computes the errors at the root without sampling;
//! [`sample()`] repeats the paper's experiment.

pub mod answer;
pub mod effort;
pub mod figures;
pub mod formulas;
pub mod granularity;
pub mod integrate;
pub mod model;
pub mod regions;
pub mod sample;
pub mod study;
pub mod tables;

pub use figures::{Quantity, Row, TOLERANCE, Tolerance};
pub use integrate::{Constant, IntegrateError, Integration, integrate, integrate_each, median, sigma_e_for};
pub use model::{Grains, ModelNameError, RealModel, RealModelError, Steps, Values};
pub use sample::{
    RuleSample, Sample, SampleError, SampleResults, SampleResultsError, SampleSpec, Sampling, sample,
    sample_each,
};
