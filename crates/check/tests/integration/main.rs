//! Golden entries recomputed by every engine and study.

#![allow(clippy::unwrap_used, reason = "tests")]

mod any_depth;
mod claims;
mod files;
mod lgb;
