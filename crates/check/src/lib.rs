//! Checks: golden entries recomputed with every engine and study, and the case analysis compared with the
//! enumeration.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`calculator`] | computing what a golden entry asks for |
//! | [`mod@matches`] | the figures of matches between players of real games |
//! | [`recorded`] | the figures of matches that take hours, from recorded results |
//! | `claims` | what the papers say in words, as predicates over figures |
//! | [`simulation`] | the figures of simulated game contests |
//! | [`checked`] | our value and verdict compared with the recorded ones |
//! | [`mod@bless`] | updating our side of golden files |
//! | [`verify`] | formulas (5) to (7), weighted, against enumerated error masses |

pub mod bless;
pub mod calculator;
pub mod checked;
mod claims;
mod effort;
mod law;
mod lgb;
pub mod matches;
pub mod recorded;
pub mod simulation;
pub mod verify;

pub use calculator::{Calculator, QuantityError};
pub use checked::{Checked, check};
pub use effort::effort;
