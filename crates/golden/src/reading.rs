//! The readings of the papers' text under which entries are computed.

/// What a paper leaves open, settled in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The name in a golden file.
    pub name: &'static str,
    /// What it settles.
    pub says: &'static str,
    /// How a figure is computed under it.
    pub how: How,
}

/// How a figure is computed under a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// As the quantity says: the reading is in its numbers.
    Quantity,
    /// By the choices of `specs/readings/NAME.ron`.
    Choices,
    /// By the simulation with this id in `specs/simulate/` or `specs/contest/`.
    Simulation(&'static str),
}

const fn quantity(name: &'static str, says: &'static str) -> Reading {
    Reading { name, says, how: How::Quantity }
}

const fn simulation(name: &'static str, says: &'static str, id: &'static str) -> Reading {
    Reading { name, says, how: How::Simulation(id) }
}

const fn choices(name: &'static str, says: &'static str) -> Reading {
    Reading { name, says, how: How::Choices }
}

impl Reading {
    /// The model as the papers state it.
    pub const STATED: Self = quantity("stated", "the model as the paper states it");

    /// Every reading.
    pub const ALL: &'static [Self] = &[
        Self::STATED,
        choices("per-case", "the stated model, differences in percent of all critical trees"),
        choices(
            "sign-wise",
            "a node whose two leaves differ in sign is lost only if both leaves are evaluated wrongly",
        ),
        choices(
            "error-product",
            "as sign-wise, with Pearl's curve and ties to the later branch, per critical case",
        ),
        simulation("simulation-b", "Pearl's curves, true values from the root down, root -6", "simulate-b"),
        simulation(
            "simulation-c",
            "eq. (2) for the truth, Pearl's curve for the estimate, true values from the root down, root -6",
            "simulate-c",
        ),
        simulation("simulation-t0", "eq. (2), true values from the leaves up, root -2", "simulate-t0"),
        simulation(
            "top-down-arctan-root-6",
            "eq. (2) with c = 4, true values from the root down, root -6",
            "contest-top-down-arctan-root-6",
        ),
        simulation(
            "top-down-arctan-root-2",
            "eq. (2) with c = 4, true values from the root down, root -2",
            "contest-top-down-arctan-root-2",
        ),
        simulation(
            "top-down-pearl-root-6",
            "Pearl's curves with c = 4, true values from the root down, root -6",
            "contest-top-down-pearl-root-6",
        ),
        simulation(
            "top-down-pearl-root-2",
            "Pearl's curves with c = 4, true values from the root down, root -2",
            "contest-top-down-pearl-root-2",
        ),
        simulation(
            "bottom-up-arctan-root-6",
            "eq. (2) with c = 4, true values from the leaves up, root -6",
            "contest-bottom-up-arctan-root-6",
        ),
        simulation(
            "bottom-up-arctan-root-2",
            "eq. (2) with c = 4, true values from the leaves up, root -2",
            "contest-bottom-up-arctan-root-2",
        ),
        simulation(
            "bottom-up-pearl-root-6",
            "Pearl's curves with c = 4, true values from the leaves up, root -6",
            "contest-bottom-up-pearl-root-6",
        ),
        simulation(
            "bottom-up-pearl-root-2",
            "Pearl's curves with c = 4, true values from the leaves up, root -2",
            "contest-bottom-up-pearl-root-2",
        ),
        quantity("simulation-curves", "the curves of the simulations, pearl:16 and pearl:1"),
        quantity("pearl", "Pearl's curve, which is not normalised, in the place of eq. (2)"),
        quantity("root-4", "the root is -4"),
        quantity("root-3", "the root is -3"),
        quantity("root-2", "the root is -2"),
        quantity("root-1", "the root is -1"),
        quantity("root+1", "the root is +1"),
        quantity("root+2", "the root is +2"),
        quantity("root0", "the root is 0, and values are ordinary integers"),
        quantity("move", "every sowing of Kalah is a ply"),
        quantity("turn", "a whole turn of Kalah is a ply whose sowings are nodes of their own"),
        quantity("whole", "a whole turn of Kalah is a single move"),
        quantity("move-single", "as move, products in single precision"),
        quantity("turn-single", "as turn, products in single precision"),
        quantity("whole-single", "as whole, products in single precision"),
        quantity("move-single-unclamped", "as move, products in single precision, E not limited to 0..1"),
        quantity("turn-single-unclamped", "as turn, products in single precision, E not limited to 0..1"),
        quantity("whole-single-unclamped", "as whole, products in single precision, E not limited to 0..1"),
        quantity("lines-means", "boards are evaluated by lines, generalised means are backed up"),
        quantity("lines-reverse", "boards are evaluated by lines, true minima and maxima are backed up"),
        quantity("squares-means", "boards are evaluated by squares, generalised means are backed up"),
        quantity("squares-reverse", "boards are evaluated by squares, true minima and maxima are backed up"),
    ];

    /// All names.
    pub fn names() -> Vec<&'static str> {
        Self::ALL.iter().map(|reading| reading.name).collect()
    }

    /// The reading with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|reading| reading.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reading_is_found_by_its_name() {
        for reading in Reading::ALL {
            assert_eq!(Reading::named(reading.name), Some(reading));
        }
        assert_eq!(Reading::named("Stated"), None);
    }
}
