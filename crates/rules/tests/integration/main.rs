//! Every rule in every kind of number, and Baum's formula against all hints.

#![allow(clippy::unwrap_used, reason = "tests")]

mod hint_vectors;
mod kinds_of_numbers;
