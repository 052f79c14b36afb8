//! Experiments as files: the contents of a file in `specs/`.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`experiment`] | an experiment: its name, its source and its grids of models |
//! | [`settings`] | what to compute for each model, with which curves and rules, and how long it takes |

mod built_in;
pub mod experiment;
pub mod settings;

pub use experiment::{Experiment, ModelGrid};
pub use settings::{Settings, Task};
