//! Searches, players and matches of real games, against their twins.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod connect4;
mod kalah;
mod penalty;
mod play;
mod quality;
mod search;
mod single;
