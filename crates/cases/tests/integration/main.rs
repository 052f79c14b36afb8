//! The case analysis, against brute force and the printed table.

mod depth3_brute_force;
mod golden_table1;
