//! What to simulate: the contents of a file in `specs/simulate/`.

use prodmax_rules::RulePair;
use std::str::FromStr;

use prodmax_enumerate::{Line, LineError, ZeroMode};
use prodmax_mass::Curve;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How WIN and LOSS are assigned to the nodes of a stored tree "under the constraint of the game-theoretic
/// relationship" (KHS section VI-A does not say how).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Assignment {
    /// The root is WIN with probability w(root); below a node, the increments and true values of both children (each
    /// WIN with probability w(child)) are redrawn until they agree with the true value of the node.
    TopDown,
    /// The leaves are WIN with probability w(leaf), independently; every other node follows from its children.
    BottomUp,
}

/// What happens to heuristic values beyond ±h_max. KHS do not say, but trees of depth 18 with increments 0..8 do
/// exceed ±42. The documentation of the crate says how much the choice matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Overflow {
    /// A value that would leave the line stays at its end, at every node.
    #[default]
    Clamp,
    /// The value continues beyond the end; its probability of winning stays that of the end of the line.
    Saturate,
    /// The value and the formula of the curve both continue beyond the end, the latter cut off at 0 and 1.
    Extend,
}

/// Why a text is not the name of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingNameError {
    /// Not an assignment.
    #[error("`{0}` is not an assignment of true values; write top-down or bottom-up")]
    Assignment(String),
    /// Not a treatment of values beyond h_max.
    #[error("`{0}` is not a treatment of values beyond h_max; write clamp, saturate or extend")]
    Overflow(String),
}

impl Assignment {
    /// Both.
    pub const ALL: [Self; 2] = [Self::TopDown, Self::BottomUp];

    /// Its name in specs and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::TopDown => "top-down",
            Self::BottomUp => "bottom-up",
        }
    }
}

impl Overflow {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Clamp, Self::Saturate, Self::Extend];

    /// Its name in specs and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clamp => "clamp",
            Self::Saturate => "saturate",
            Self::Extend => "extend",
        }
    }
}

impl From<Assignment> for &'static str {
    fn from(assignment: Assignment) -> Self {
        assignment.name()
    }
}

impl From<Overflow> for &'static str {
    fn from(overflow: Overflow) -> Self {
        overflow.name()
    }
}

impl FromStr for Assignment {
    type Err = SettingNameError;
    fn from_str(text: &str) -> Result<Self, SettingNameError> {
        let named = Self::ALL.into_iter().find(|assignment| assignment.name() == text);
        named.ok_or_else(|| SettingNameError::Assignment(text.to_owned()))
    }
}

impl FromStr for Overflow {
    type Err = SettingNameError;
    fn from_str(text: &str) -> Result<Self, SettingNameError> {
        let named = Self::ALL.into_iter().find(|overflow| overflow.name() == text);
        named.ok_or_else(|| SettingNameError::Overflow(text.to_owned()))
    }
}

impl TryFrom<String> for Assignment {
    type Error = SettingNameError;
    fn try_from(text: String) -> Result<Self, SettingNameError> {
        text.parse()
    }
}

impl TryFrom<String> for Overflow {
    type Error = SettingNameError;
    fn try_from(text: String) -> Result<Self, SettingNameError> {
        text.parse()
    }
}

/// One simulation: the model, the players' depths, and which trees of which random stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SimulationSpec {
    /// its name, unique among the specs
    pub id: String,
    /// its title for readers
    pub title: String,
    /// the paper and the place in it, or where else it comes from
    pub source: String,
    /// the depth of the stored trees, d_g
    #[serde(default = "default_tree_depth")]
    pub tree_depth: usize,
    /// the heuristic value of the root
    pub root: i64,
    /// the greatest increment, the same at every level
    #[serde(default = "default_increment")]
    pub increment: i64,
    /// the greatest heuristic value
    #[serde(default = "default_h_max")]
    pub h_max: i64,
    /// `skip` or `allow`: whether the value 0 exists
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub zero: ZeroMode,
    /// what happens beyond ±h_max
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub overflow: Overflow,
    /// the two rules that play against each other, unless they are Minimax and Product
    #[serde(default, skip_serializing_if = "RulePair::is_khs")]
    #[cfg_attr(feature = "schema", schemars(with = "[String; 2]"))]
    pub rules: RulePair,
    /// the curve by which true values are drawn; rules with actual probabilities use it, too
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub truth: Curve,
    /// how true values are assigned
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub assignment: Assignment,
    /// the curve of rules with estimated probabilities
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub estimate: Curve,
    /// the search depths, ascending
    #[serde(default = "default_depths")]
    pub depths: Vec<usize>,
    /// how many trees
    pub trees: u64,
    /// the number of the first tree: a run that starts where another ended continues it
    #[serde(default)]
    pub first_tree: u64,
    /// the seed of all trees; tree number t uses its stream t
    #[serde(default)]
    pub seed: u64,
}

fn default_tree_depth() -> usize {
    18
}

fn default_increment() -> i64 {
    8
}

fn default_h_max() -> i64 {
    Line::DEFAULT_H_MAX
}

fn default_depths() -> Vec<usize> {
    (1..=8).collect()
}

/// Why a simulation cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// The tree is too shallow or too deep.
    #[error("the tree depth is {0}; it must lie between 1 and {max}", max = SimulationSpec::MAX_TREE_DEPTH)]
    TreeDepth(usize),
    /// The increment is out of range.
    #[error("the greatest increment is {0}; it must lie between 0 and {max}", max = SimulationSpec::MAX_INCREMENT)]
    Increment(i64),
    /// h_max is too large for the tables.
    #[error("h_max is {0}; a simulation allows at most {max}", max = SimulationSpec::MAX_H_MAX)]
    HMax(i64),
    /// The root or the line is invalid.
    #[error("bad root or line: {0}")]
    Root(#[from] LineError),
    /// The list of depths is invalid.
    #[error(
        "the search depths are {depths:?}; give ascending depths between 1 and the tree depth {tree_depth}"
    )]
    Depths {
        /// What was given.
        depths: Vec<usize>,
        /// The greatest possible depth.
        tree_depth: usize,
    },
    /// No trees, too many, or indices beyond 2^64.
    #[error("there are {trees} trees from number {first_tree} on; give at least one and at most 10^9")]
    Trees {
        /// The number of trees.
        trees: u64,
        /// The index of the first.
        first_tree: u64,
    },
}

impl SimulationSpec {
    /// The greatest depth of a stored tree: 2^25 nodes, about 0.9 GB per thread.
    pub const MAX_TREE_DEPTH: usize = 24;
    /// The greatest increment: the tables of a node's children grow with it.
    pub const MAX_INCREMENT: i64 = 100;
    /// The greatest h_max, for the same reason.
    pub const MAX_H_MAX: i64 = 1000;
    /// The maximum number of trees in one run.
    pub const MAX_TREES: u64 = 1_000_000_000;

    /// An error if anything is wrong with the spec.
    pub fn check(&self) -> Result<(), SpecError> {
        if !(1..=Self::MAX_TREE_DEPTH).contains(&self.tree_depth) {
            return Err(SpecError::TreeDepth(self.tree_depth));
        }
        if !(0..=Self::MAX_INCREMENT).contains(&self.increment) {
            return Err(SpecError::Increment(self.increment));
        }
        if self.h_max > Self::MAX_H_MAX {
            return Err(SpecError::HMax(self.h_max));
        }
        Line::new(self.h_max, self.zero)?.value(self.root)?;
        let ascending = self.depths.windows(2).all(|pair| pair[0] < pair[1]);
        let within = self.depths.iter().all(|d| (1..=self.tree_depth).contains(d));
        if self.depths.is_empty() || !ascending || !within {
            return Err(SpecError::Depths { depths: self.depths.clone(), tree_depth: self.tree_depth });
        }
        let is_allowed = (1..=Self::MAX_TREES).contains(&self.trees);
        if !is_allowed || self.first_tree.checked_add(self.trees).is_none() {
            return Err(SpecError::Trees { trees: self.trees, first_tree: self.first_tree });
        }
        Ok(())
    }

    /// The indices of the trees.
    pub fn tree_indices(&self) -> std::ops::Range<u64> {
        self.first_tree..self.first_tree.saturating_add(self.trees)
    }

    /// The game pairs of a tree that are searched to depth d.
    pub(crate) fn pairs(&self, d: usize) -> u64 {
        (2 << (self.tree_depth - d)) - 1
    }

    /// How the other simulation differs, in anything but the names and the range of trees, so that results cannot be
    /// merged. `None` if it is the same simulation.
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        self.differences(other).next()
    }

    /// All settings, except the names and the range of trees, in which the other simulation differs.
    pub fn differences(&self, other: &Self) -> impl Iterator<Item = Difference> {
        let pairs = self.settings().into_iter().zip(other.settings());
        let different = pairs.filter(|(one, two)| one != two);
        different.map(|((field, first), (_, second))| Difference { field, first, second })
    }

    /// All settings that define the simulation, as text.
    fn settings(&self) -> [(&'static str, String); 12] {
        // Every field is listed, so that a new one cannot be forgotten.
        let Self {
            id: _,
            title: _,
            source: _,
            tree_depth,
            root,
            increment,
            h_max,
            zero,
            overflow,
            rules,
            truth,
            assignment,
            estimate,
            depths,
            trees: _,
            first_tree: _,
            seed,
        } = self;
        // The canonical names of the rules, however they were written.
        let [first, second] = rules.rules();
        let depths: Vec<String> = depths.iter().map(usize::to_string).collect();
        [
            ("rules", format!("{first},{second}")),
            ("tree_depth", tree_depth.to_string()),
            ("root", root.to_string()),
            ("increment", increment.to_string()),
            ("h_max", h_max.to_string()),
            ("zero", zero.to_string()),
            ("overflow", overflow.name().to_owned()),
            ("truth", truth.to_string()),
            ("assignment", assignment.name().to_owned()),
            ("estimate", estimate.to_string()),
            ("depths", depths.join(",")),
            ("seed", seed.to_string()),
        ]
    }
}

/// A field in which two simulations differ, and its value in each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its name in specs.
    pub field: &'static str,
    /// Its value in the first simulation.
    pub first: String,
    /// Its value in the second.
    pub second: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> SimulationSpec {
        let text = r#"(id: "x", title: "x", source: "x", root: -6, truth: "arctan:16", assignment: "top-down",
            estimate: "arctan:1", trees: 3)"#;
        prodmax_jobs::ron_file::parse(text, "x").unwrap()
    }

    fn message(change: impl FnOnce(&mut SimulationSpec)) -> String {
        let mut spec = spec();
        change(&mut spec);
        spec.check().unwrap_err().to_string()
    }

    #[test]
    fn the_defaults_are_those_of_the_paper() {
        let spec = spec();
        assert_eq!(spec.check(), Ok(()));
        assert_eq!((spec.tree_depth, spec.increment, spec.h_max, spec.zero), (18, 8, 42, ZeroMode::Skip));
        assert_eq!(spec.depths, [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(spec.overflow, Overflow::Clamp);
        assert!(spec.rules.is_khs());
    }

    #[test]
    fn choices_are_read_by_name() {
        assert!(Assignment::ALL.iter().all(|choice| choice.name().parse() == Ok(*choice)));
        assert!(Overflow::ALL.iter().all(|choice| choice.name().parse() == Ok(*choice)));
        assert_eq!(
            "sideways".parse::<Assignment>().unwrap_err().to_string(),
            "`sideways` is not an assignment of true values; write top-down or bottom-up"
        );
        assert_eq!(
            "wrap".parse::<Overflow>().unwrap_err().to_string(),
            "`wrap` is not a treatment of values beyond h_max; write clamp, saturate or extend"
        );
    }

    #[test]
    fn bad_specs_are_explained_in_a_sentence() {
        assert_eq!(message(|s| s.tree_depth = 25), "the tree depth is 25; it must lie between 1 and 24");
        assert_eq!(
            message(|s| s.increment = -1),
            "the greatest increment is -1; it must lie between 0 and 100"
        );
        assert_eq!(message(|s| s.h_max = 1001), "h_max is 1001; a simulation allows at most 1000");
        assert_eq!(
            message(|s| s.root = 0),
            "bad root or line: the value 0 does not exist when zero is skipped; use -1 or +1, or `allow` zero"
        );
        assert_eq!(
            message(|s| s.depths = vec![2, 2]),
            "the search depths are [2, 2]; give ascending depths between 1 and the tree depth 18"
        );
        assert_eq!(
            message(|s| s.trees = 0),
            "there are 0 trees from number 0 on; give at least one and at most 10^9"
        );
        assert!(message(|s| s.first_tree = u64::MAX).starts_with("there are 3 trees from number 1844"));
    }

    #[test]
    fn only_names_and_ranges_may_differ_in_a_merge() {
        let (one, mut other) = (spec(), spec());
        other.id = "y".into();
        other.first_tree = 3;
        assert_eq!(one.difference(&other), None);
        let differing = |change: fn(&mut SimulationSpec)| {
            let mut other = spec();
            change(&mut other);
            one.difference(&other)
                .map(|Difference { field, first, second }| format!("{field}: {first}, {second}"))
        };
        let named = |names: [&str; 2]| names.map(str::to_owned).to_vec().try_into().unwrap();
        assert_eq!(differing(|s| s.seed = 1), Some("seed: 0, 1".to_owned()));
        assert_eq!(differing(|s| s.depths = vec![2, 4]), Some("depths: 1,2,3,4,5,6,7,8, 2,4".to_owned()));
        other = spec();
        other.rules = named(["minimax", "hints:9/10"]);
        assert_eq!(one.difference(&other).map(|difference| difference.field), Some("rules"));
        let another = SimulationSpec { rules: named(["minimax", "hints:0.9"]), ..spec() };
        assert_eq!(other.difference(&another), None, "the same rules, written differently");
    }
}
