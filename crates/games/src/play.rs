//! Matches: two players, many starts, both colours.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`spec`] | what to play |
//! | [`any_time`] | when a match is decided, however often it is checked |
//! | [`run`] | playing on all threads |
//! | [`log`] | the games in a file: kept, continued, merged, checked, replayed |
//! | [`score`] | wins, losses, draws, and their uncertainty |

pub mod any_time;
pub mod log;
pub mod run;
pub mod score;
pub mod spec;

pub use log::{LogError, MatchResults};
pub use run::{MatchProgress, check_match, play_match, play_one};
pub use score::Score;
pub use spec::{MatchError, MatchSpec, Opening};
