//! Refuses models that could not even be counted in a reasonable time, before any work is done.

use prodmax_enumerate::Model;
use prodmax_enumerate::effort::{MAX_STEPS, planning_steps};
pub(crate) use prodmax_mass::answer::naming::name;

use crate::error::Error;

/// An error if planning the enumeration would take too long.
pub(crate) fn check(model: &Model) -> Result<(), Error> {
    let steps = planning_steps(model);
    if steps <= MAX_STEPS {
        return Ok(());
    }
    let (root, increments) = name(model);
    Err(Error::Hopeless { root, increments, steps })
}

/// The names of models in a few words, e.g. `root +1, increments 8,8`; `3 models` if there are several.
pub(crate) fn names(models: &[&Model]) -> String {
    match models {
        [model] => {
            let (root, increments) = name(model);
            format!("root {root}, increments {increments}")
        }
        several => format!("{} models", several.len()),
    }
}
