//! Simulated contests, against their twins and the published tables.

#![allow(clippy::unwrap_used, reason = "tests")]

mod link;
mod published;
mod readings;
mod rejection;
mod runs;
mod twins;
