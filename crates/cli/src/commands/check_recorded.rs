//! `prodmax check --recorded`: the verdicts as they are recorded. Nothing is computed.

use prodmax_golden::{Entry, GoldenFile, Kind, Verdict};
use serde_json::json;

use crate::output::{Cell, Column, Output, Table};

/// The number of each verdict, by result, kind and reading, and of each kind in total, among the entries that are named.
pub(super) fn counted(files: &[GoldenFile], is_named: impl Fn(&Entry) -> bool) -> Output {
    let mut results: Vec<Counted<'_>> = Vec::new();
    let mut totals: Vec<Counted<'_>> = Vec::new();
    for file in files {
        let first = results.len();
        for entry in file.golden.entries.iter().filter(|entry| is_named(entry)) {
            let (kind, title) = (entry.kind(), file.golden.title.as_str());
            count(&mut results, first, Counted::new(title, kind, &entry.reading), entry.verdict);
            count(&mut totals, 0, Counted::new("all", kind, ""), entry.verdict);
        }
        results[first..].sort_by_key(|counted| counted.kind);
    }
    totals.sort_by_key(|counted| counted.kind);
    results.extend(totals);
    let row = |counted: &Counted<'_>| -> Vec<Cell> {
        let counts = Verdict::tally(counted.verdicts.iter().copied()).map(|(_, count)| count.into());
        [
            counted.title.into(),
            counted.kind.name().into(),
            counted.reading.into(),
            counted.verdicts.len().into(),
        ]
        .into_iter()
        .chain(counts)
        .collect()
    };
    let value = |counted: &Counted<'_>| {
        let mut value = json!({
            "title": counted.title, "kind": counted.kind.name(), "reading": counted.reading,
            "figures": counted.verdicts.len(),
        });
        for (verdict, count) in Verdict::tally(counted.verdicts.iter().copied()) {
            value[verdict.identifier()] = count.into();
        }
        value
    };
    let heads = ["entries".to_owned()].into_iter().chain(Verdict::ALL.map(|verdict| verdict.to_string()));
    let columns = ["result", "kind", "reading"].map(Column::left);
    let table = Table {
        id: "recorded".to_owned(),
        title: "Recorded verdicts on what the papers print".to_owned(),
        columns: columns.into_iter().chain(heads.map(|head| Column::right(&head))).collect(),
        rows: results.iter().map(row).collect(),
        notes: vec![
            "repeat: printed elsewhere, too; arithmetic: follows from other figures of the same paper; own: printed in no paper"
                .to_owned(),
        ],
    };
    Output::figures(results.iter().map(value).collect(), vec![table])
}

/// Entries of one result, kind and reading.
struct Counted<'a> {
    title: &'a str,
    kind: Kind,
    reading: &'a str,
    verdicts: Vec<Verdict>,
}

impl<'a> Counted<'a> {
    fn new(title: &'a str, kind: Kind, reading: &'a str) -> Self {
        Self { title, kind, reading, verdicts: Vec::new() }
    }
}

/// Adds a verdict to the counts from `first` on.
fn count<'a>(counts: &mut Vec<Counted<'a>>, first: usize, of: Counted<'a>, verdict: Verdict) {
    let same = |counted: &&mut Counted<'a>| counted.kind == of.kind && counted.reading == of.reading;
    match counts[first..].iter_mut().find(same) {
        Some(counted) => counted.verdicts.push(verdict),
        None => counts.push(Counted { verdicts: vec![verdict], ..of }),
    }
}

/// Every figure that is named.
pub(super) fn each(files: &[GoldenFile], is_named: impl Fn(&Entry) -> bool) -> Output {
    let (mut values, mut rows, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        notes.extend(Entry::remarks(file.golden.entries.iter().filter(|entry| is_named(entry))));
        for entry in file.golden.entries.iter().filter(|entry| is_named(entry)) {
            values.push(json!({
                "id": entry.id,
                "result": file.golden.title,
                "source": entry.source,
                "kind": entry.kind().name(),
                "reading": entry.reading,
                "published": entry.published.text(),
                "ours": entry.ours,
                "verdict": entry.verdict.to_string(),
                "remark": entry.remark(),
            }));
            rows.push(vec![
                entry.id.as_str().into(),
                entry.kind().name().into(),
                entry.published.text().into(),
                entry.ours.as_str().into(),
                entry.verdict.into(),
                entry.source.as_str().into(),
            ]);
        }
    }
    let table = Table {
        id: "recorded".to_owned(),
        title: "Published figures, ours and the verdict, as recorded".to_owned(),
        columns: vec![
            Column::left("entry"),
            Column::left("kind"),
            Column::right("published"),
            Column::right("ours"),
            Column::left("verdict"),
            Column::left("source"),
        ],
        rows,
        notes,
    };
    Output::figures(values.into(), vec![table])
}
