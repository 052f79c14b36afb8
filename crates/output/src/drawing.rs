//! A drawing that is made on demand.

use std::fmt;
use std::sync::Arc;

/// A drawing of the figures, as SVG.
#[derive(Clone)]
pub struct Drawing(Arc<dyn Fn() -> Result<String, String> + Send + Sync>);

impl Drawing {
    /// A drawing made by this function; its error is a sentence.
    pub fn new(draw: impl Fn() -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(draw))
    }

    /// The contents of the file, or why there is none.
    pub fn svg(&self) -> Result<String, String> {
        self.0()
    }
}

impl fmt::Debug for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Drawing")
    }
}
