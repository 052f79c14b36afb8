//! Claims: what the papers say in words, decided by printed figures and by ours.

use prodmax_check::Calculator;
use prodmax_check::check;
use prodmax_golden::{Entry, GoldenFile, Kind, Verdict};

fn claims() -> Vec<Entry> {
    let files = GoldenFile::built_in().unwrap();
    files
        .into_iter()
        .flat_map(|file| file.golden.entries)
        .filter(|entry| entry.kind() == Kind::Claim)
        .collect()
}

fn verdicts(ids: &[&str]) -> Vec<Verdict> {
    let all = claims();
    let one = |id: &&str| {
        let entry = all.iter().find(|entry| entry.id == *id).unwrap_or_else(|| panic!("{id}"));
        check([entry], &Calculator::default()).unwrap()[0].verdict
    };
    ids.iter().map(one).collect()
}

/// Read off the printed Table II by hand: -0.8 at root +2 is higher than -1.5 at -1, the centre of row (4,2); -3.9 follows
/// -4.1 further out in that row; 4.1 - (-4.1) is more than 8.
#[test]
fn sentences_about_table_2_are_decided_by_its_printed_cells() {
    let decided = verdicts(&[
        "claim.khs.quiet-row.printed",
        "claim.khs.eight-points.printed",
        "claim.khs.off-center.printed",
        "claim.khs.center-favours-minimax.printed",
        "claim.khs.highest-at-center.printed",
    ]);
    assert_eq!(decided, [Verdict::Holds, Verdict::Holds, Verdict::Fails, Verdict::Fails, Verdict::Fails]);
}

/// In the model as stated Product is ahead in all 42 cells, so what favours Minimax fails.
#[test]
fn the_same_sentences_by_our_cells() {
    let decided = verdicts(&[
        "claim.khs.quiet-row.ours",
        "claim.khs.quiet-mean.ours",
        "claim.khs.nonquiet-mean.ours",
        "claim.khs.center-favours-minimax.ours",
        "claim.khs.eight-points.ours",
    ]);
    assert_eq!(decided, [Verdict::Holds, Verdict::Holds, Verdict::Fails, Verdict::Fails, Verdict::Fails]);
}

/// The sign test of the printed counts of Table IV at d = 8, 51 and 97, gives 0.0078 %.
#[test]
fn significances_are_those_of_the_printed_counts() {
    let decided = verdicts(&[
        "claim.khs.table4-significance.printed",
        "claim.khs.table3-depth2-significant.printed",
        "claim.khs.table3-winners.printed",
        "claim.khs.table3-rising.printed",
    ]);
    assert_eq!(decided, [Verdict::Fails, Verdict::Holds, Verdict::Holds, Verdict::Fails]);
}

#[test]
fn an_unknown_claim_is_refused_with_a_list() {
    let mut entry = claims().remove(0);
    entry.quantity = prodmax_golden::Quantity::Claim {
        claim: "khs.nothing".to_owned(),
        by: prodmax_golden::quantity::Figures::Printed,
    };
    let (_, error) = check([&entry], &Calculator::default()).unwrap_err();
    assert!(error.to_string().starts_with("there is no claim `khs.nothing`; the claims are khs."), "{error}");
}
