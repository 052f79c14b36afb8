//! JSON: the machine form, indented.

use super::{Output, Render};

/// Prints the value and nothing else.
pub(super) struct Json;

impl Render for Json {
    fn render(&self, output: &Output) -> String {
        // The alternate form of a value is its indented text and, unlike a serializer, cannot fail.
        format!("{:#}\n", output.value)
    }
}
