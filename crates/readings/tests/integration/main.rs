//! Readings of the papers' text: what is known of them, their naive twin, the search among them.

#![allow(clippy::unwrap_used, reason = "tests")]

mod known;
mod naive;
mod search;
