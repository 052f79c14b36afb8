//! Behaviour across the libraries.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod design;
mod enumeration;
mod figures;
mod readers;
mod verification;
