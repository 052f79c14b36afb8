//! Tests of the program as its users run it. One binary: each would be linked with the same libraries again.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[cfg(unix)]
mod browser;
mod deep;
mod examples;
mod explorer;
mod guard;
mod json;
mod page;
mod pipes;
mod play;
mod possible;
mod reproduce;
mod serve;
mod shard;
mod simulate;
mod svg;
mod terminal;
