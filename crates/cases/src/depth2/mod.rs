//! Depth 2: the 80 cases of KHS section IV, Table I, and the formulas (5) to (7).
//!
//! The root has the children M (preferred by Minimax) and P (preferred by Product), both MIN nodes with two
//! leaves each. If the rules differ, the leaves must have the order (4), P2 <= M2 <= M1 <= P1; the draw value lies in
//! one of the five intervals between them, and each leaf is evaluated correctly or not: 5 x 16 = 80 cases.

mod cancellation;
mod case;
mod formulas;
mod interval;
mod pattern_form;
mod position;
mod table;
mod tally;

pub use cancellation::Cancellation;
pub use case::{Case, cases};
pub use formulas::{CommonFactor, Condition7, Formulas};
pub use interval::Interval;
pub use pattern_form::PatternForm;
pub use position::{Position, Positions};
pub use table::{Cell, Row, Table1};
pub use tally::{OutsideOrder, Tally, interval_shares};

/// The numbers of depth-2 cases that favour each side, by number of errors (0 to 4).
pub type Balance = crate::balance::Balance<5>;
