//! Drawings as SVG, for the report and for `--format svg`. Nothing here knows what a figure means.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`figure`] | a drawing with its description, on the page and as a file, and the colours |
//! | [`plot`] | line plots, drawn by plotters |
//! | [`over_roots`] | lines over the root value, with axes that fit |
//! | [`dots`] | one value for each of several names |
//! | [`scale`] | ticks of axes |

pub mod dots;
pub mod figure;
pub mod over_roots;
pub mod plot;
pub mod scale;

pub use dots::{Dot, DotChart};
pub use figure::{Figure, Ink};
pub use over_roots::{OverRoots, Series};
pub use plot::DrawError;
