//! Experiments as files: what a file in `specs/` says, and reading RON with errors that give the place.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`experiment`] | an experiment: its name, its source and its grids of models |
//! | [`settings`] | what is computed of each model, with which curves and rules, and what it costs |
//! | [`ron_file`] | reading RON files, for experiments and for every other kind of file that people write |

pub mod experiment;
pub mod ron_file;
pub mod settings;

pub use experiment::{Experiment, ModelGrid};
pub use ron_file::RonError;
pub use settings::{Cost, Settings, Task};
