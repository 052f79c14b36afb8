//! How long something takes, in classes.

use serde::{Deserialize, Serialize};

/// How long something takes: only fast work is part of every run. Costs are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cost {
    /// Under a second: always done.
    #[default]
    Fast,
    /// Seconds or minutes: done on request.
    Slow,
    /// Up to hours on one machine, intended for shards on several: done only on explicit request.
    Cluster,
}
