//! Every way to measure, against twins that visit every tree.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod branching;
mod deep;
mod heaviest;
mod identities;
mod law;
mod naive;
mod numbers;
mod rules;
mod shards;
mod twin;
