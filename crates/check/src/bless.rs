//! Updating our side of golden files: values and verdicts, never the published figures.

use prodmax_golden::GoldenFile;

use crate::checked::Checked;

/// One field that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The entry.
    pub id: String,
    /// `ours` or `verdict`.
    pub field: &'static str,
    /// Its old text.
    pub old: String,
    /// Its new text.
    pub new: String,
}

/// The text of a file with the values and verdicts of `checked`, comments and layout unchanged; and what changed.
pub fn bless(file: &GoldenFile, checked: &[Checked]) -> (String, Vec<Change>) {
    let mut text = file.text.clone();
    let mut changes = Vec::new();
    for result in checked.iter().filter(|result| !result.holds()) {
        let entry = &result.entry;
        let start = |text: &str| text.find(&format!("id: \"{}\"", entry.id));
        let Some(at) = start(&text) else { continue };
        if !result.value_holds() {
            let (old, new) =
                (format!("ours: \"{}\"", entry.ours), format!("ours: \"{}\"", result.value.recorded()));
            replace_after(&mut text, at, &old, &new);
            changes.push(Change {
                id: entry.id.clone(),
                field: "ours",
                old: entry.ours.clone(),
                new: result.value.recorded(),
            });
        }
        if !result.verdict_holds() {
            let [old, new] = [entry.verdict, result.verdict].map(|verdict| verdict.identifier().to_owned());
            replace_after(&mut text, at, &format!("verdict: {old}"), &format!("verdict: {new}"));
            changes.push(Change { id: entry.id.clone(), field: "verdict", old, new });
        }
    }
    (text, changes)
}

fn replace_after(text: &mut String, at: usize, old: &str, new: &str) {
    if let Some(found) = text[at..].find(old) {
        text.replace_range(at + found..at + found + old.len(), new);
    }
}
