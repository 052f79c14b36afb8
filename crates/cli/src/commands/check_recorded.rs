//! `prodmax check --recorded`: the verdicts as they are recorded. Nothing is computed.

use prodmax_golden::{Entry, GoldenFile, Verdict};
use serde_json::json;

use crate::output::{Cell, Column, Output, Table};

/// The number of each verdict, by result and in total, among the entries that are named.
pub(super) fn counted(files: &[GoldenFile], is_named: impl Fn(&Entry) -> bool) -> Output {
    let mut results: Vec<(&str, Vec<Verdict>)> = Vec::new();
    for file in files {
        let named = file.golden.entries.iter().filter(|entry| is_named(entry));
        let verdicts: Vec<Verdict> = named.map(|entry| entry.verdict).collect();
        if !verdicts.is_empty() {
            results.push((&file.golden.title, verdicts));
        }
    }
    let all = results.iter().flat_map(|(_, verdicts)| verdicts.iter().copied()).collect();
    results.push(("all", all));
    let row = |(title, verdicts): &(&str, Vec<Verdict>)| -> Vec<Cell> {
        let counts = Verdict::tally(verdicts.iter().copied()).map(|(_, count)| count.into());
        [(*title).into(), verdicts.len().into()].into_iter().chain(counts).collect()
    };
    let value = |(title, verdicts): &(&str, Vec<Verdict>)| {
        let mut value = json!({ "title": title, "figures": verdicts.len() });
        for (verdict, count) in Verdict::tally(verdicts.iter().copied()) {
            value[verdict.identifier()] = count.into();
        }
        value
    };
    let heads = ["figures".to_owned()].into_iter().chain(Verdict::ALL.map(|verdict| verdict.to_string()));
    let columns = std::iter::once(Column::left("result")).chain(heads.map(|head| Column::right(&head)));
    let table = Table {
        id: "recorded".to_owned(),
        title: "Recorded verdicts on published figures".to_owned(),
        columns: columns.collect(),
        rows: results.iter().map(row).collect(),
        notes: Vec::new(),
    };
    Output::figures(results.iter().map(value).collect(), vec![table])
}

/// Every figure that is named.
pub(super) fn each(files: &[GoldenFile], is_named: impl Fn(&Entry) -> bool) -> Output {
    let (mut values, mut rows) = (Vec::new(), Vec::new());
    for file in files {
        for entry in file.golden.entries.iter().filter(|entry| is_named(entry)) {
            values.push(json!({
                "id": entry.id,
                "result": file.golden.title,
                "source": entry.source,
                "reading": entry.reading,
                "published": entry.published.text(),
                "ours": entry.ours,
                "verdict": entry.verdict.to_string(),
            }));
            rows.push(vec![
                entry.id.as_str().into(),
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
            Column::right("published"),
            Column::right("ours"),
            Column::left("verdict"),
            Column::left("source"),
        ],
        rows,
        notes: Vec::new(),
    };
    Output::figures(values.into(), vec![table])
}
