//! Work: what it costs, how it is stopped, and the files that it keeps and reads back.
//!
//! Files are never trusted. Every file that prodmax writes for itself (checkpoints, kept results, results to be merged)
//! carries a checksum of its contents and of what they were computed from. A file with a wrong checksum is refused or
//! recomputed; a file of another version is distinguished from a damaged one.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`effort`] | what work costs in memory and time |
//! | [`cost`] | how long something takes, in classes |
//! | [`memory`] | the memory of the machine, or what a limit leaves of it |
//! | [`text`] | sizes and times for readers |
//! | [`stop`] | how work is stopped from outside |
//! | [`divide`] | divisible work: whole, continued, in shards, merged |
//! | [`share`] | work divided among shards |
//! | [`checkpoint`] | finished parts of a computation in a file, so that a run can be continued |
//! | [`part`] | checkpoints, and the results of one shard of a long computation |
//! | [`lines`] | a file of lines that grows while work is done |
//! | [`sealed`] | a container: kind, version, what it was computed from, content, checksum |
//! | [`checksum`] | the checksum |
//! | [`mod@read`] | reading regular files up to a given length |
//! | [`ron_file`] | reading RON files, with errors that give the position |
//! | [`mod@file`] | files that are written completely or not at all |

pub mod checkpoint;
pub mod checksum;
pub mod cost;
pub mod divide;
pub mod effort;
pub mod file;
pub mod lines;
pub mod memory;
pub mod part;
pub mod read;
pub mod ron_file;
pub mod sealed;
pub mod share;
pub mod stop;
pub mod text;

pub use checksum::Checksum;
pub use cost::Cost;
pub use divide::{Divisible, Job, Keep, Run};
pub use effort::Effort;
pub use part::{Part, PartError, PartHeader, Parts, Work};
pub use read::{ReadError, read, read_text};
pub use ron_file::RonError;
pub use sealed::{SealError, open, seal};
pub use share::Shard;
