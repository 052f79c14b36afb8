//! prodmax for Python: `prodmax._engine`, on which the package in `python/prodmax` is built.
//!
//! The package asks in the words of the command line (`prodmax_commands::host`), so that options, checks, sentences and
//! figures are the same everywhere; here answers become Python objects (`convert`), calls run on separate threads so
//! that Python keeps running and Ctrl-C works (`workers`), and classes become numpy arrays (`classes`).

mod answer;
mod classes;
mod convert;
mod workers;

use pyo3::prelude::*;

/// The engine behind the package `prodmax`; use the package instead.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use crate::answer::{Answer, ask};
    #[pymodule_export]
    use crate::classes::{Classes, Model};
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name that Python expects")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
