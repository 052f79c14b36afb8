//! Results in the form in which they are written and read. The counts of Minimax against Product keep the keys that
//! they have always had; those of other rules are keyed by the names of the rules:
//!
//! ```json
//! { "d": 2, "pairs": 31, "decisive": 4,
//!   "estimated": { "errors": { "minimax": 1, "mean:4": 0 }, "wins": { "minimax": 0, "mean:4": 2 } },
//!   "actual": { "errors": { "minimax": 1, "mean:4": 1 }, "wins": { "minimax": 1, "mean:4": 1 } } }
//! ```

use prodmax_rules::RulePair;
use std::borrow::Cow;
use std::collections::BTreeMap;

use prodmax_jobs::Checksum;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::contest::Pairs;
use crate::counts::{DepthCounts, TreeCounts};
use crate::published::Probabilities;
use crate::results::{SimulationResults, SimulationResultsError};
use crate::spec::SimulationSpec;

/// The whole file. Anything else in it, such as figures derived from the counts, is ignored.
#[derive(Serialize, Deserialize)]
pub(crate) struct WrittenResults<'a> {
    spec: Cow<'a, SimulationSpec>,
    trees: Vec<WrittenTree<'a>>,
    /// A checksum of the spec and all counts. Results of version 0.1 have none.
    #[serde(default)]
    checksum: Option<String>,
}

/// The counts of a tree.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenTree<'a> {
    tree: u64,
    depths: Vec<WrittenDepth<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDepth<'a> {
    d: usize,
    pairs: u64,
    decisive: u64,
    // Minimax against Product.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    minimax_errors: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    estimated_errors: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    actual_errors: Option<u64>,
    estimated: WrittenContest<'a>,
    actual: WrittenContest<'a>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenContest<'a> {
    // Minimax against Product.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    minimax_wins: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    product_wins: Option<u64>,
    // Other rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    errors: Option<ByRule<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wins: Option<ByRule<'a>>,
}

/// Numbers by the names of the rules, in the order of the rules.
#[derive(Debug)]
struct ByRule<'a>(Vec<(Cow<'a, str>, u64)>);

impl<'a> ByRule<'a> {
    fn new(rules: &'a RulePair, numbers: [u64; 2]) -> Self {
        Self(rules.names().into_iter().map(Cow::Borrowed).zip(numbers).collect())
    }

    fn get(&self, name: &str) -> Option<u64> {
        self.0.iter().find(|(other, _)| other == name).map(|&(_, number)| number)
    }
}

impl Serialize for ByRule<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, number)| (name, number)))
    }
}

impl<'de> Deserialize<'de> for ByRule<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers = BTreeMap::<String, u64>::deserialize(deserializer)?;
        Ok(Self(numbers.into_iter().map(|(name, number)| (Cow::Owned(name), number)).collect()))
    }
}

impl<'a> WrittenDepth<'a> {
    fn of(rules: &'a RulePair, counts: &DepthCounts) -> Self {
        let DepthCounts { d, pairs, decisive, estimated_errors, actual_errors, .. } = *counts;
        let khs = rules.is_khs();
        let contest = |probabilities: Probabilities| {
            let Pairs { first_wins, second_wins } = probabilities.pairs(counts);
            let by_rule = |numbers| (!khs).then(|| ByRule::new(rules, numbers));
            WrittenContest {
                minimax_wins: khs.then_some(first_wins),
                product_wins: khs.then_some(second_wins),
                errors: by_rule(probabilities.errors(counts)),
                wins: by_rule([first_wins, second_wins]),
            }
        };
        Self {
            d,
            pairs,
            decisive,
            minimax_errors: khs.then_some(estimated_errors[0]),
            estimated_errors: khs.then_some(estimated_errors[1]),
            actual_errors: khs.then_some(actual_errors[1]),
            estimated: contest(Probabilities::Estimated),
            actual: contest(Probabilities::Actual),
        }
    }

    /// The counts, or the name of what is missing.
    fn read(&self, rules: &RulePair) -> Result<DepthCounts, String> {
        let missing = |what: &str| format!("`{what}`");
        let (contests, errors): ([[u64; 2]; 2], [[u64; 2]; 2]) = if rules.is_khs() {
            let get = |number: Option<u64>, name: &str| number.ok_or_else(|| missing(name));
            let wins = |contest: &WrittenContest<'_>| {
                Ok::<_, String>([
                    get(contest.minimax_wins, "minimax_wins")?,
                    get(contest.product_wins, "product_wins")?,
                ])
            };
            let minimax = get(self.minimax_errors, "minimax_errors")?;
            let estimated = get(self.estimated_errors, "estimated_errors")?;
            let actual = get(self.actual_errors, "actual_errors")?;
            ([wins(&self.estimated)?, wins(&self.actual)?], [[minimax, estimated], [minimax, actual]])
        } else {
            let get = |numbers: &Option<ByRule<'_>>, what: &str| -> Result<[u64; 2], String> {
                let [first, second] = rules.names().map(|name| {
                    let number = numbers.as_ref().and_then(|numbers| numbers.get(name));
                    number.ok_or_else(|| format!("{} of `{name}`", missing(what)))
                });
                Ok([first?, second?])
            };
            (
                [get(&self.estimated.wins, "wins")?, get(&self.actual.wins, "wins")?],
                [get(&self.estimated.errors, "errors")?, get(&self.actual.errors, "errors")?],
            )
        };
        let [estimated, actual] = contests.map(|[first_wins, second_wins]| Pairs { first_wins, second_wins });
        let [estimated_errors, actual_errors] = errors;
        let Self { d, pairs, decisive, .. } = *self;
        Ok(DepthCounts { d, pairs, decisive, estimated_errors, actual_errors, estimated, actual })
    }
}

impl<'a> WrittenTree<'a> {
    fn of(rules: &'a RulePair, tree: &TreeCounts) -> Self {
        let depths = tree.depths.iter().map(|counts| WrittenDepth::of(rules, counts));
        Self { tree: tree.tree, depths: depths.collect() }
    }
}

impl SimulationResults {
    /// The counts of the finished trees in the form in which they are written.
    pub fn written_trees(&self) -> Vec<WrittenTree<'_>> {
        self.trees.iter().map(|tree| WrittenTree::of(&self.spec.rules, tree)).collect()
    }
}

impl SimulationSpec {
    /// The counts of a tree of this simulation as one line of JSON.
    pub fn tree_to_line(&self, tree: &TreeCounts) -> Result<String, serde_json::Error> {
        serde_json::to_string(&WrittenTree::of(&self.rules, tree))
    }

    /// The counts in such a line; `None` if it is not one of this simulation.
    pub fn tree_from_line(&self, line: &str) -> Option<TreeCounts> {
        let written: WrittenTree<'_> = serde_json::from_str(line).ok()?;
        let depths = written.depths.iter().map(|counts| counts.read(&self.rules).ok());
        Some(TreeCounts { tree: written.tree, depths: depths.collect::<Option<_>>()? })
    }
}

impl SimulationResults {
    /// A checksum of the spec and all counts. It is written along with the results.
    pub fn checksum(&self) -> String {
        // A spec can always be written.
        let spec = serde_json::to_vec(&self.spec).unwrap_or_default();
        let mut sum = Checksum::default().part(&spec);
        for tree in &self.trees {
            sum = sum.number(tree.tree);
            for counts in &tree.depths {
                let DepthCounts { d, pairs, decisive, estimated_errors, actual_errors, estimated, actual } =
                    *counts;
                let wins = [estimated, actual].map(|pairs| [pairs.first_wins, pairs.second_wins]);
                let numbers = [[d as u64, pairs], estimated_errors, actual_errors, wins[0], wins[1]];
                sum = numbers
                    .as_flattened()
                    .iter()
                    .fold(sum.number(decisive), |sum, &number| sum.number(number));
            }
        }
        sum.text()
    }
}

impl Serialize for SimulationResults {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WrittenResults {
            spec: Cow::Borrowed(&self.spec),
            trees: self.written_trees(),
            checksum: Some(self.checksum()),
        }
        .serialize(serializer)
    }
}

impl TryFrom<WrittenResults<'_>> for SimulationResults {
    type Error = SimulationResultsError;

    fn try_from(written: WrittenResults<'_>) -> Result<Self, SimulationResultsError> {
        let spec = written.spec.into_owned();
        let mut trees = Vec::with_capacity(written.trees.len());
        for WrittenTree { tree, depths } in written.trees {
            let read = |written: &WrittenDepth<'_>| {
                let missing = |what| SimulationResultsError::Missing { tree, d: written.d, what };
                written.read(&spec.rules).map_err(missing)
            };
            let depths = depths.iter().map(read).collect::<Result<_, _>>()?;
            trees.push(TreeCounts { tree, depths });
        }
        let results = Self { spec, trees };
        match written.checksum {
            None => Err(SimulationResultsError::Unchecked),
            Some(checksum) if checksum == results.checksum() => Ok(results),
            Some(_) => Err(SimulationResultsError::Damaged),
        }
    }
}
