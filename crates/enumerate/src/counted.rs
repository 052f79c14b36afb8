//! Counting the classes of a model by building them, compared with the plan.

use num_bigint::BigUint;
use rayon::prelude::*;

use crate::classes::{ClassTable, EnumerateError};
use crate::model::Model;
use crate::plan::Plan;

/// With more depth-1 classes than this, the counts of the plan are used: going through all classes takes too long.
const MAX_STREAMED: u32 = 1 << 27;

/// How far the counts of a model were checked by building its classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// Not at all.
    Planned,
    /// All levels except the first.
    BelowDepthOne,
    /// All.
    Built,
}

impl Checked {
    /// How far the counts of a plan can be checked.
    pub fn possible(plan: &Plan) -> Self {
        let is_streamed = *plan.depth_one_classes() <= BigUint::from(MAX_STREAMED);
        if is_streamed { Self::Built } else { Self::BelowDepthOne }
    }
}

/// Builds the class table of a model and compares it with its plan, as far as possible.
pub fn count_classes(model: &Model, plan: &Plan) -> Result<Checked, EnumerateError> {
    let agree = |what: String, planned: &BigUint, built: BigUint| match *planned == built {
        true => Ok(()),
        false => Err(EnumerateError::Mismatch { what, counts: Box::new([planned.clone(), built]) }),
    };
    let table = ClassTable::build(model)?;
    for (number, level) in table.bottom_up() {
        agree(format!("classes of level {number}"), &plan.levels[number - 1].classes, level.len().into())?;
    }
    let checked = Checked::possible(plan);
    if checked == Checked::Built {
        let (classes, branches) = depth_one(&table)?;
        agree("classes of level 1".to_owned(), plan.depth_one_classes(), classes.into())?;
        agree("trees".to_owned(), &plan.trees, BigUint::from(branches).pow(model.branching() as u32))?;
    }
    Ok(checked)
}

/// The number of depth-1 classes and the sum of their multiplicities; the classes are never held in memory.
fn depth_one(table: &ClassTable) -> Result<(u64, u128), EnumerateError> {
    if table.model().depth() == 1 {
        let classes = table.depth_one()?;
        return Ok((classes.len() as u64, classes.total()?));
    }
    let overflow = || EnumerateError::Multiplicity { level: 1 };
    let add = |(n, sum): (u64, u128), (m, more): (u64, u128)| {
        Ok((n + m, sum.checked_add(more).ok_or_else(overflow)?))
    };
    let row = |first: usize| {
        let mut so_far = (0, 0);
        table.depth_one_row(first, |_, _, ways| {
            so_far = add(so_far, (1, ways))?;
            Ok(())
        })?;
        Ok(so_far)
    };
    (0..table.top().len()).into_par_iter().map(row).try_reduce(|| (0, 0), add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ZeroMode;

    #[test]
    fn a_plan_that_is_wrong_is_found() {
        for increments in [&[3][..], &[2, 3], &[2, 1, 2]] {
            let model = Model::new(1, increments, ZeroMode::Skip, 42).unwrap();
            let plan = Plan::of(&model);
            assert_eq!(count_classes(&model, &plan), Ok(Checked::Built));
            for level in 0..plan.levels.len() {
                let mut wrong = plan.clone();
                wrong.levels[level].classes += 1u32;
                let error = count_classes(&model, &wrong).unwrap_err();
                let EnumerateError::Mismatch { what, .. } = error else { panic!("{error}") };
                assert_eq!(what, format!("classes of level {}", level + 1));
            }
            let wrong = Plan { trees: &plan.trees + 1u32, ..plan };
            let error = count_classes(&model, &wrong).unwrap_err().to_string();
            assert!(error.starts_with("internal error: trees: the plan says "), "{error}");
        }
    }
}
