//! Behaviour across the libraries.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod damaged_files;
mod design;
mod enumeration;
mod figures;
mod verification;
