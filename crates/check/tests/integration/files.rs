//! Checking and blessing golden files.

use std::path::Path;

use prodmax_check::bless::bless;
use prodmax_check::matches::{PublishedMatch, PublishedResource};
use prodmax_check::{Calculator, Checked, check};
use prodmax_golden::{GoldenFile, Verdict};
use prodmax_simulate::Probabilities;

fn parse(text: &str) -> Result<GoldenFile, prodmax_golden::GoldenError> {
    GoldenFile::parse(Path::new("golden.ron"), text.as_bytes())
}

fn one(published: &str, ours: &str, verdict: &str) -> String {
    format!(
        "// a comment\nGolden(\n  title: \"t\",\n  entries: [\n    (id: \"a.b\", source: \"s\", published: \"{published}\",\n     \
         quantity: critical((root: 0, increments: [8, 8], zero: allow)), reading: \"stated\",\n     \
         ours: \"{ours}\", cost: fast, verdict: {verdict}),\n  ],\n)\n"
    )
}

fn checked(text: &str) -> (GoldenFile, Vec<Checked>) {
    let golden = parse(text).unwrap();
    let checked = check(&golden.golden.entries, &Calculator::default()).unwrap();
    (golden, checked)
}

#[test]
fn a_changed_value_and_a_changed_verdict_fail() {
    // 26136 critical trees: an independently known count.
    let (_, results) = checked(&one("26136", "26136", "exact"));
    assert!(results[0].holds());
    let (_, results) = checked(&one("26136", "26137", "exact"));
    assert!(!results[0].value_holds() && results[0].verdict_holds());
    let (_, results) = checked(&one("26136", "26136", "differs"));
    assert!(results[0].value_holds() && !results[0].verdict_holds(), "an improvement is noticed too");
    assert_eq!(results[0].verdict, Verdict::Exact);
}

#[test]
fn blessing_updates_only_our_side() {
    let text = one("3886", "1", "exact");
    let (golden, results) = checked(&text);
    let (blessed, changes) = bless(&golden, &results);
    assert_eq!(blessed, one("3886", "26136", "differs"));
    assert_eq!(changes.iter().map(|change| change.field).collect::<Vec<_>>(), ["ours", "verdict"]);
    let (golden, results) = checked(&blessed);
    assert!(results.iter().all(Checked::holds));
    assert_eq!(bless(&golden, &results), (blessed, vec![]));
}

/// The published tables are stored twice: row by row for the simulation, figure by figure for the verdicts.
#[test]
fn the_tables_of_the_simulation_are_those_of_the_golden_entries() {
    let golden = parse(include_str!("../../../../golden/simulated.ron")).unwrap();
    let published = |id: &str| {
        let entry = golden.golden.entries.iter().find(|entry| entry.id == id);
        entry.unwrap_or_else(|| panic!("{id}")).published.text().to_owned()
    };
    for (table, probabilities) in [("table3", Probabilities::Estimated), ("table4", Probabilities::Actual)] {
        let rows = probabilities.published().unwrap();
        assert_eq!(rows.len(), 7);
        for row in rows {
            let figure = |name: &str| published(&format!("{table}.d{}.{name}", row.d));
            assert_eq!(figure("pairs"), row.pairs.to_string());
            assert_eq!(figure("critical"), row.critical.to_string());
            assert_eq!(figure("minimax-wins"), row.minimax_wins.to_string());
            assert_eq!(figure("product-wins"), row.product_wins.to_string());
            assert_eq!(figure("percent-total"), row.percent_total);
            assert_eq!(figure("percent-critical"), row.percent_critical);
            assert_eq!(figure("significance"), row.significance);
        }
    }
}

/// These need no simulation: there are 3 (2^17 - 1) game pairs, and 13 of 14 printed significances follow from
/// printed counts.
#[test]
fn figures_that_follow_from_printed_counts_are_reproduced() {
    let golden = parse(include_str!("../../../../golden/simulated.ron")).unwrap();
    let entries = golden.golden.entries.iter();
    let counted = entries.filter(|entry| {
        ["pairs", "significance", "percent-total"].iter().any(|name| entry.id.ends_with(name))
    });
    let checked = check(counted, &Calculator::default()).unwrap();
    let with = |name: &str, verdict| {
        checked.iter().filter(|one| one.entry.id.ends_with(name) && one.verdict == verdict).count()
    };
    assert_eq!(with("pairs", Verdict::Exact), 14);
    assert_eq!(with("significance", Verdict::WithinRounding), 13);
    assert_eq!(with("percent-total", Verdict::WithinRounding), 14);
}

/// Rivest's table stands twice, too: row by row for the report, figure by figure for the verdicts.
#[test]
fn the_table_of_the_matches_is_that_of_the_golden_entries() {
    let golden = parse(include_str!("../../../../golden/rivest.ron")).unwrap();
    let published = |id: &str| {
        let entry = golden.golden.entries.iter().find(|entry| entry.id == id);
        entry.unwrap_or_else(|| panic!("{id}")).published.text().to_owned()
    };
    let table = PublishedMatch::table().unwrap();
    let calls: Vec<_> = table.iter().filter(|row| row.resource == PublishedResource::Calls).collect();
    for reading in ["lines.means", "lines.reverse", "squares.means", "squares.reverse"] {
        let check = |name: &str, [wins, losses, ties]: [u64; 3]| {
            let figure = |figure: &str| published(&format!("rivest.{reading}.{name}.{figure}"));
            assert_eq!(figure("approximation"), wins.to_string());
            assert_eq!(figure("alphabeta"), losses.to_string());
            assert_eq!(figure("ties"), ties.to_string());
            assert_eq!(figure("lead"), format!("{:+}", wins as i64 - losses as i64));
        };
        for row in &calls {
            check(&format!("calls{}", row.bound), [row.approximation, row.alpha_beta, row.ties]);
        }
        let sum = |of: fn(&PublishedMatch) -> u64| calls.iter().map(|row| of(row)).sum();
        check("total", [sum(|row| row.approximation), sum(|row| row.alpha_beta), sum(|row| row.ties)]);
    }
}
