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
        let entry = all.iter().find(|entry| entry.id == *id).unwrap();
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

/// Read off LGB's printed tables by hand. Table 6 stays at 19 with dependent values; in Table 7 the dependent column rises
/// and the independent one falls at every step; Table 9 falls from .0628 to .0314 and rises from .0628 to .2577.
#[test]
fn sentences_about_the_tables_of_lgb() {
    let printed = |names: &[&str]| {
        let ids: Vec<String> = names.iter().map(|name| format!("claim.lgb.{name}.printed")).collect();
        verdicts(&ids.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let holding = [
        "table1-beneficial",
        "table4-less-pronounced",
        "table6-19-grains",
        "table6-independent-rises",
        "table6-dependent-stays",
        "table7-static-move-error",
        "table8-differences",
        "table9-pathology",
        "table9-strengthens",
        "table11-pathology",
        "two-values-alike",
    ];
    assert_eq!(printed(&holding), [Verdict::Holds; 11]);
    assert_eq!(printed(&["table6-dependent-rises"]), [Verdict::Fails]);
}

/// By hand: 2 (3 - √5) (1 - t)^2 is 1.379 for t = 5 % and 0.978 for t = 20 %.
#[test]
fn early_terminations_and_the_model_of_section_4() {
    let decided = verdicts(&[
        "claim.lgb.terminations-5-percent.ours",
        "claim.lgb.terminations-20-percent.ours",
        "claim.lgb.only-max.ours",
        "claim.lgb.difference1-beneficial.ours",
        "claim.lgb.variance-falls.ours",
        "claim.lgb.bias-positive.ours",
        "claim.lgb.two-values-converge.ours",
    ]);
    assert_eq!(decided[0], Verdict::Fails);
    assert_eq!(decided[1..], [Verdict::Holds; 6]);
}

/// By hand: of 19,077 decided games 9906, √(9906 · 9171 / 19077³) is .36 %, and 735/√19077 is 5.3; two edges out of a MIN
/// node with values .2 and .8 have the weights -.069 and 15.2.
#[test]
fn sentences_of_baum_and_rivest() {
    let decided = verdicts(&[
        "claim.baum.game-2.ours",
        "claim.baum.edge.printed",
        "claim.baum.standard-error.printed",
        "claim.baum.five-sigma.printed",
        "claim.baum.reduction.ours",
        "claim.baum.exact-in-schruefers-model.ours",
        "claim.baum.one-loss-pathological.ours",
        "claim.baum.more-losses-converge.ours",
        "claim.rivest.alpha-beta-by-time.printed",
        "claim.rivest.approximation-by-calls.printed",
        "claim.rivest.weights-not-negative.ours",
    ]);
    let (holds, fails) = (Verdict::Holds, Verdict::Fails);
    assert_eq!(decided, [holds, holds, fails, holds, holds, fails, holds, holds, holds, holds, fails]);
}
