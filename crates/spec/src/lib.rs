//! Experiments as files: the contents of a file in `specs/`, and reading RON with errors that give the position.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`experiment`] | an experiment: its name, its source and its grids of models |
//! | [`settings`] | what to compute for each model, with which curves and rules, and how long it takes |
//! | [`ron_file`] | reading RON files, for experiments and for every other kind of file that people write |

mod built_in;
pub mod experiment;
pub mod ron_file;
pub mod settings;

pub use experiment::{Experiment, ModelGrid};
pub use ron_file::RonError;
pub use settings::{Cost, Settings, Task};
