//! Refuses models that could not even be counted in reasonable time, before any work is done.

use prodmax_enumerate::Model;
use prodmax_enumerate::effort::{MOST_STEPS, planning_steps};

use crate::error::Error;

/// An error if planning the enumeration would take too long.
pub(crate) fn check(model: &Model) -> Result<(), Error> {
    let steps = planning_steps(model);
    if steps <= MOST_STEPS {
        return Ok(());
    }
    let (root, increments) = name(model);
    Err(Error::Hopeless { root, increments, steps })
}

/// How a model is called in messages: its root and increments.
pub(crate) fn name(model: &Model) -> (String, String) {
    let increments: Vec<_> = model.increments().iter().map(ToString::to_string).collect();
    (model.root().to_string(), increments.join(","))
}

/// The same in one word, e.g. `root +1, increments 8,8`; `3 models` if there are several.
pub(crate) fn names(models: &[&Model]) -> String {
    match models {
        [model] => {
            let (root, increments) = name(model);
            format!("root {root}, increments {increments}")
        }
        several => format!("{} models", several.len()),
    }
}
