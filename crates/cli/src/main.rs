//! The command line of prodmax.
fn main() {}
