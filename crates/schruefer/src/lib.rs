//! The theory of Baum's formula (2.6), in exact fractions.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`errors`] | Schruefer's model: the errors of a search by its height, (3.4) |
//! | [`dichotomy`] | which errors a deep search gets rid of |
//! | [`hints`] | what a deeper search will say, (3.5) to (3.8), and the approximation (3.9) |
//! | [`revised`] | the value of a node when estimates will be revised, (3.3), of which (2.6) is a special case |
//! | [`outcomes`] | the same with draws: V_W and V_D |
//! | [`correlation`] | correlated moves, (5.1) and (5.2) |
//! | [`claim`] | is (2.6) exact in Schruefer's model? All outcomes, enumerated |

pub mod claim;
pub mod correlation;
pub mod dichotomy;
pub mod errors;
pub mod hints;
pub mod outcomes;
pub mod revised;

pub use claim::{ClaimComparison, Setting, Superscripts, World, compare};
pub use dichotomy::{Basin, Fate};
pub use errors::{EvaluationErrors, Schruefer};
pub use hints::{DeepHints, Reliability};
