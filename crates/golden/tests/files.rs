//! Reading golden files.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};

use prodmax_golden::{Digits, Entry, Finding, GoldenFile, Kind, Reading, Verdict, file};
use prodmax_number::Approximate;
use proptest::prelude::*;

const TABLE2: &str = include_str!("../../../golden/table2.ron");

fn parse(text: &str) -> Result<GoldenFile, prodmax_golden::GoldenError> {
    GoldenFile::parse(Path::new("golden.ron"), text.as_bytes())
}

fn message(text: &str) -> String {
    match parse(text).and_then(|golden| file::unique(&[golden])) {
        Ok(()) => String::new(),
        Err(error) => error.to_string(),
    }
}

fn one(published: &str, ours: &str, verdict: &str) -> String {
    format!(
        "// a comment\nGolden(\n  title: \"t\",\n  entries: [\n    (id: \"a.b\", source: \"s\", published: \"{published}\",\n     \
         quantity: critical((root: 0, increments: [8, 8], zero: allow)), reading: \"stated\",\n     \
         ours: \"{ours}\", cost: fast, verdict: {verdict}),\n  ],\n)\n"
    )
}

#[test]
fn mistakes_are_reported_with_their_position() {
    assert_eq!(message(&one("1", "1", "exact")), "");
    assert_eq!(
        message(&one("1", "1", "exactly")),
        "golden.ron:7:38: Unexpected variant named `exactly` in enum `Verdict`, expected one of `exact`, \
         `within_rounding`, `within_error`, `sign_only`, `differs`, `not_comparable`, `holds`, `fails`, `not_decidable`, or \
         `unpublished` instead"
    );
    let missing = one("1", "1", "exact").replace(" source: \"s\",", "");
    assert!(
        message(&missing).contains("missing field") || message(&missing).contains("source"),
        "{}",
        message(&missing)
    );
    let extra = one("1", "1", "exact").replace("cost: fast", "cost: fast, colour: 1");
    assert!(message(&extra).contains("colour"), "{}", message(&extra));
    let off_line = one("1", "1", "exact").replace("root: 0", "root: 99");
    assert!(message(&off_line).contains("+99 lies beyond h_max"), "{}", message(&off_line));
    for text in [missing, extra, off_line] {
        assert!(message(&text).starts_with("golden.ron:"), "{}", message(&text));
    }
}

#[test]
fn entries_are_of_four_kinds() {
    let kind = |text: &str| parse(text).unwrap().golden.entries[0].kind();
    let with = |published: &str, quantity: &str| {
        one(published, "1", "exact").replace("critical((root: 0, increments: [8, 8], zero: allow))", quantity)
    };
    assert_eq!(kind(&one("3886", "1", "exact")), Kind::Figure);
    assert_eq!(kind(&one("", "1", "unpublished")), Kind::Own);
    assert_eq!(kind(&with("0.5", "sign_test(wins: 3, losses: 3)")), Kind::Arithmetic);
    assert_eq!(kind(&with("it is so", "claim(claim: \"khs.quiet-row\", by: printed)")), Kind::Claim);
    assert!(
        message(&with("", "claim(claim: \"khs.quiet-row\", by: printed)")).contains("`` is not a sentence")
    );
}

#[test]
fn an_entry_may_say_that_digits_are_cut_off_or_that_nothing_compares() {
    let entry = |extra: &str| {
        let text = one("0.5", "1", "exact").replace("published:", &format!("{extra} published:"));
        parse(&text).unwrap().golden.entries.remove(0)
    };
    let ours = Finding::from(Approximate::unstated(0.59));
    assert_eq!(entry("digits: cut_off,").judge(&ours), Verdict::WithinRounding);
    assert_eq!(entry("").judge(&ours), Verdict::Differs);
    assert_eq!(entry("").digits, Digits::Rounded);
    assert_eq!(entry("").remark(), None);
    let entries = [entry("digits: cut_off,"), entry(""), entry("not_comparable: \"another object\",")];
    assert_eq!(
        Entry::remarks(&entries),
        ["a.b: the printed digits are cut off, not rounded.", "a.b: not comparable: another object."]
    );
    assert_eq!(
        entry("not_comparable: \"another object\",").judge(&Approximate::unstated(0.5).into()),
        Verdict::NotComparable
    );
}

#[test]
fn an_entry_may_repeat_another_that_prints_the_same() {
    let first = one("0.5", "1", "exact");
    let entry = &first[first.find("    (id").unwrap()..first.find("  ],").unwrap()];
    let with = |repeats: &str, published: &str| {
        let again = entry
            .replace("a.b", "a.c")
            .replace("published: \"0.5\"", &format!("repeats: \"{repeats}\", published: \"{published}\""));
        parse(&first.replace(entry, &format!("{entry}{again}"))).unwrap()
    };
    let files = [with("a.b", "0.5")];
    file::repeats(&files).unwrap();
    let again = &files[0].golden.entries[1];
    assert_eq!(
        (again.kind(), again.remark().unwrap().as_str()),
        (Kind::Repeat, "the figure of a.b, printed again")
    );
    assert_eq!(
        Entry::remarks(&files[0].golden.entries),
        ["Of these figures 1 is printed elsewhere, too: the same experiment, which is counted once."]
    );
    for (repeats, published) in [("a.d", "0.5"), ("a.b", "0.6"), ("a.c", "0.5")] {
        let error = file::repeats(&[with(repeats, published)]).unwrap_err().to_string();
        assert!(error.contains(&format!("it cannot repeat `{repeats}`")), "{error}");
    }
}

#[test]
fn a_duplicate_id_is_reported_with_its_position() {
    let text = one("1", "1", "exact");
    let entry = &text[text.find("    (id").unwrap()..text.find("  ],").unwrap()];
    let twice = text.replace(entry, &format!("{entry}{entry}"));
    assert_eq!(message(&twice), "golden.ron:8:6: the id `a.b` is used a second time");
    let files = [parse(&text).unwrap(), parse(&text).unwrap()];
    let error = file::unique(&files).unwrap_err().to_string();
    assert_eq!(error, "golden.ron:5:6: the id `a.b` is used a second time");
}

#[test]
fn an_invalid_figure_or_reading_is_reported_with_its_position() {
    assert_eq!(
        message(&one("1", "1", "exact").replace("stated", "guessed")),
        format!(
            "golden.ron:6:70: there is no reading `guessed` for golden entries; the readings are {}",
            Reading::names().join(", ")
        )
    );
    assert_eq!(
        message(&one("3,886", "1", "exact")),
        "golden.ron:5:30: `3,886` is not a number, which this quantity needs; write it as printed, or leave it empty"
    );
    let of = |quantity: &str, published: &str| {
        let number = "critical((root: 0, increments: [8, 8], zero: allow))";
        message(&one(published, "1", "exact").replace(number, quantity))
    };
    assert_eq!(of("formula(five)", "(1-p)^4"), "");
    assert!(of("formula(five)", "(1-q)^4").contains("`(1-q)^4` is not a polynomial in p"));
    let case = "table1_case(interval: 4, errors: [])";
    assert_eq!(of(case, "irrelevant"), "");
    assert!(of(case, "minmax").contains("`minmax` is not one of minimax, product and irrelevant"));
    assert_eq!(message(&one("", "1", "unpublished")), "");
}

#[test]
fn a_folder_without_golden_files_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let error = GoldenFile::read_directory(folder.path()).unwrap_err().to_string();
    assert!(error.ends_with("there is no golden file (*.ron) in this directory"), "{error}");
    let error = GoldenFile::read_directory(&PathBuf::from("no/such/folder")).unwrap_err().to_string();
    assert!(error.starts_with("no/such/folder: cannot be read"), "{error}");
}

proptest! {
    #[test]
    fn a_golden_file_with_bytes_replaced_never_panics(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let mut bytes = TABLE2.as_bytes()[..3000].to_vec();
        bytes.extend_from_slice(b"],)");
        for (place, byte) in edits {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Err(error) = GoldenFile::parse(Path::new("golden.ron"), &bytes) {
            prop_assert!(error.to_string().starts_with("golden.ron:"), "{}", error);
        }
    }
}
