//! JSON: the machine form, indented; lists have one element per line.

use std::io::{self, Write};

use super::answer::plain;
use super::{List, Output, Render};

/// Prints the value and nothing else.
pub(super) struct Json;

impl Render for Json {
    fn render(&self, output: &Output) -> String {
        // The alternate form of a value is its indented text and, unlike a serializer, it cannot fail.
        format!("{:#}\n", output.json())
    }

    /// An array with one element per line: readable by JSON parsers and by line-based tools.
    fn stream(&self, list: &dyn List, out: &mut dyn Write) -> io::Result<()> {
        let mut separator = "[\n";
        for value in list.values() {
            write!(out, "{separator}{}", plain(&value))?;
            separator = ",\n";
        }
        out.write_all(if separator == "[\n" { b"[]\n" } else { b"\n]\n" })
    }
}
