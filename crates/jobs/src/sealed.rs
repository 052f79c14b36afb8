//! A container for text that is stored and read back.
//!
//! The first line is `prodmax KIND VERSION CHECKSUM`, the second says what the content was computed from, the rest is the
//! content. The checksum covers everything else.

use thiserror::Error;

use crate::checksum::Checksum;

const MAGIC: &str = "prodmax";

/// Why a container was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SealError {
    /// Not a container of this kind.
    #[error("this is not a stored {0}")]
    Foreign(String),
    /// Written in another version of the format.
    #[error("it was stored by another version of prodmax (format {found}, not {wanted})")]
    Version {
        /// The file's version.
        found: String,
        /// This program's version.
        wanted: u32,
    },
    /// Changed since it was written.
    #[error("it is damaged: its checksum is wrong")]
    Damaged,
    /// Computed from something else.
    #[error("it was computed from something else")]
    Other,
}

fn checksum(kind: &str, version: u32, of: &str, content: &str) -> String {
    let parts = [kind.as_bytes(), of.as_bytes(), content.as_bytes()];
    let start = Checksum::default().number(version.into());
    parts.into_iter().fold(start, Checksum::part).text()
}

/// A container's text. `kind` is a word; `of` says in one line what the content was computed from.
pub fn seal(kind: &str, version: u32, of: &str, content: &str) -> String {
    let of = one_line(of);
    format!("{MAGIC} {kind} {version} {}\n{of}\n{content}", checksum(kind, version, &of, content))
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// The content of a container, if it is intact and was computed from `of`.
pub fn open<'a>(text: &'a str, kind: &str, version: u32, of: &str) -> Result<&'a str, SealError> {
    let foreign = || SealError::Foreign(kind.to_owned());
    let (head, rest) = text.split_once('\n').ok_or_else(foreign)?;
    let words: Vec<&str> = head.split(' ').collect();
    let [MAGIC, found_kind, found_version, sum] = words[..] else { return Err(foreign()) };
    if found_kind != kind {
        return Err(foreign());
    }
    if found_version != version.to_string() {
        return Err(SealError::Version { found: found_version.to_owned(), wanted: version });
    }
    let (found_of, content) = rest.split_once('\n').ok_or(SealError::Damaged)?;
    if sum != checksum(kind, version, found_of, content) {
        return Err(SealError::Damaged);
    }
    if found_of != one_line(of) { Err(SealError::Other) } else { Ok(content) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_container_opens_only_with_the_right_kind_version_and_origin() {
        let text = seal("result", 3, "a\nb", "content\nof two lines");
        assert_eq!(open(&text, "result", 3, "a\nb"), Ok("content\nof two lines"));
        assert_eq!(open(&text, "result", 3, "c"), Err(SealError::Other));
        assert_eq!(open(&text, "result", 4, "a b"), Err(SealError::Version { found: "3".into(), wanted: 4 }));
        assert_eq!(open(&text, "other", 3, "a b"), Err(SealError::Foreign("other".into())));
        assert_eq!(open("", "result", 3, "a b"), Err(SealError::Foreign("result".into())));
    }

    proptest! {
        #[test]
        fn damaged_containers_are_refused(
            content in "[ -~\n]{0,200}", at in any::<prop::sample::Index>(), bit in 0u8..8, cut in any::<bool>()
        ) {
            let text = seal("result", 1, "what it is of", &content);
            let mut bytes = text.clone().into_bytes();
            let at = at.index(bytes.len());
            if cut {
                bytes.remove(at);
            } else {
                bytes[at] ^= 1 << bit;
            }
            if let Ok(damaged) = String::from_utf8(bytes) {
                prop_assert!(damaged == text || open(&damaged, "result", 1, "what it is of") != Ok(&content[..]));
                prop_assert!(open(&damaged, "result", 1, "what it is of").is_err() || damaged == text);
            }
        }
    }
}
