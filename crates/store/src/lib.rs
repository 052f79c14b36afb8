//! What is stored and read back: never trusted.
//!
//! Every file that prodmax writes for itself (checkpoints, kept results, results to be merged) carries a checksum of what it
//! holds and of what it was computed from. A file whose checksum is wrong is refused or computed anew; one of another
//! version is told apart from a damaged one.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`checksum`] | the checksum |
//! | [`mod@read`] | reading files that are regular and not too long |
//! | [`sealed`] | a container: kind, version, what it was computed from, content, checksum |

pub mod checksum;
pub mod read;
pub mod sealed;

pub use checksum::Checksum;
pub use read::{ReadError, read, read_text};
pub use sealed::{SealError, open, seal};
