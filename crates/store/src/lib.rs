//! Files that prodmax stores and reads back. They are never trusted.
//!
//! Every file that prodmax writes for itself (checkpoints, kept results, results to be merged) carries a checksum of
//! its contents and of what they were computed from. A file with a wrong checksum is refused or recomputed; a file of
//! another version is distinguished from a damaged one.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`checksum`] | the checksum |
//! | [`lines`] | a file of lines that grows while work is done |
//! | [`part`] | the results of one shard of a long computation |
//! | [`mod@read`] | reading regular files up to a given length |
//! | [`sealed`] | a container: kind, version, what it was computed from, content, checksum |
//! | [`share`] | work divided among shards |

pub mod checksum;
pub mod lines;
pub mod part;
pub mod read;
pub mod sealed;
pub mod share;

pub use checksum::Checksum;
pub use part::{Part, PartError, PartHeader, Parts, Work};
pub use read::{ReadError, read, read_text};
pub use sealed::{SealError, open, seal};
pub use share::Shard;
