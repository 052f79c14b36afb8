//! The simulation study of KHS section VI: game contests in stored synthetic trees (Tables III and IV) and the quality
//! of move decisions (Fig. 6), between Minimax and Product as in the paper or between any two rules.
//!
//! A [`SimulationSpec`] says what to simulate. [`simulate`] draws its trees, searches every node of each to every
//! depth, plays all game pairs and returns exact counts per tree ([`SimulationResults`]), which can be continued and
//! merged. [`TableComparison`] compares them with the published tables. The model, the curves and the backup rules are
//! those of `prodmax-enumerate` and `prodmax-mass`; [`link`] compares the exact engine there with the simulation
//! here.
//!
//! Any two rules meet twice, as Minimax and Product do in the paper. With *estimated* probabilities (Table III) all
//! rules that see the estimate see the leaves through the curve `estimate` of the spec, with *actual* ones (Table IV)
//! through its `truth`. If both rules use probabilities, both take them from the same curve, so that a contest
//! compares the rules and not what they know. Minimax, which sees heuristic values, and the ideal rule, which always
//! sees the truth, play the same in both contests; two such rules play the same contest twice. The ideal rule against
//! Product with actual probabilities is a rule against itself: no pair is critical.
//!
//! What KHS do not say, and what is done here:
//!
//! - *The assignment of true values*: both plausible ones are available, see [`Assignment`].
//! - *Values beyond ±h_max* ([`Overflow`]): trees of depth 18 with increments 0..8 exceed ±42. There are three
//!   variants: a value stays at the end of the line at every node (`clamp`, the default, because the paper's values
//!   end at ±42); the value goes on and its probability stays that of the end (`saturate`); value and formula go on
//!   (`extend`). Over 1000 trees of each of the readings A, B and T0 the three agree in every share at depths 2 to 8
//!   to 0.003 percentage points and in the critical pairs to 0.0004 % of all pairs, a hundredth of the standard
//!   errors: few nodes of an undecided game are that far out. So the published figures cannot tell them apart. Only
//!   at depth 1, where both players otherwise choose alike, `saturate` produces a few critical pairs (1252 of 2.6e8
//!   in B), because Minimax distinguishes values that Product does not.
//! - *Equal moves*: a player whose search gives both moves the same value chooses the first. Both children are drawn
//!   alike, so no player gains by it; but two players who are both indifferent choose alike.
//! - *Which curve*: KHS define eq. (2), but a value in their text comes from Pearl's curve; hence readings A and B.

pub mod alias;
pub mod answer;
mod built_in;
pub mod compare;
pub mod contest;
pub mod counts;
pub mod effort;
pub mod experiment;
pub mod generate;
pub mod link;
mod opponents;
mod players;
pub mod published;
pub mod results;
pub mod run;
pub mod scale;
pub mod search;
pub mod share;
pub mod spec;
pub mod statistics;
pub mod tree;

pub use compare::{Cell, DecisionErrors, Fit, Row, TableComparison, decision_errors};
pub use contest::Pairs;
pub use counts::{DepthCounts, TreeCounts};
pub use experiment::{Simulation, Workspace};
pub use published::{PUBLISHED_TREES, Probabilities, PublishedRow};
pub use results::{SimulationResults, SimulationResultsError};
pub use run::{SimulationError, simulate};
pub use share::{FirstShare, first_shares, play_for_shares};
pub use spec::{Assignment, Difference, Overflow, SettingNameError, SimulationSpec, SpecError};
pub use statistics::{Ratio, sign_test};
