//! The results as JSON. Figures of Minimax against Product have the keys they have always had; those of other rules
//! are keyed by the names of the rules, like those of `prodmax mass --rules`.

use prodmax_rules::RulePair;
use prodmax_simulate::{
    Cell as Figure, DecisionErrors, DepthCounts, Pairs, Probabilities, Ratio, Row, SimulationResults,
    TableComparison, TreeCounts, decision_errors,
};
use serde_json::{Map, Value, json};

use crate::error::Error;

fn ratio(ratio: Ratio) -> Value {
    json!({ "value": ratio.value, "standard_error": ratio.standard_error })
}

fn with_published(cell: Option<Figure>) -> Value {
    cell.map_or(Value::Null, |cell| {
        json!({
            "value": cell.ours.value, "standard_error": cell.ours.standard_error, "published": cell.published,
            "deviation": cell.deviation(), "agrees": cell.agrees(),
        })
    })
}

fn ours(cell: Option<Figure>) -> Value {
    cell.map_or(Value::Null, |cell| ratio(cell.ours))
}

/// A pair of values, one for the first rule and one for the second.
fn by_rule<T>(rules: &RulePair, both: [T; 2], value: impl Fn(T) -> Value) -> Value {
    let entries = rules.names().into_iter().zip(both);
    Value::Object(entries.map(|(name, one)| (name.to_owned(), value(one))).collect::<Map<_, _>>())
}

/// One table of Minimax against Product.
fn khs_contest(comparison: &TableComparison) -> Value {
    let row = |row: &Row| {
        json!({
            "d": row.d,
            "pairs": row.pairs,
            "critical": row.critical_pairs(),
            "minimax_wins": row.first_wins,
            "product_wins": row.second_wins,
            "total_share": row.total_share(),
            "critical_rate": with_published(row.critical),
            "critical_share": with_published(row.share),
            "significance": row.significance(),
            "clustered_significance": row.clustered_significance(),
            "published": row.published.as_ref().map(|row| json!({
                "id": row.id, "source": row.source, "pairs": row.pairs, "critical": row.critical,
                "minimax_wins": row.minimax_wins, "product_wins": row.product_wins, "significance": row.significance,
            })),
        })
    };
    json!({
        "table": comparison.probabilities.table(),
        "probabilities": comparison.probabilities.name(),
        "rows": comparison.rows.iter().map(row).collect::<Vec<_>>(),
        "fit": comparison.fit.map(|fit| json!({
            "chi_square": fit.chi_square, "cells": fit.cells, "significance": fit.significance,
            "triples": fit.triples, "triples_beyond": fit.triples_beyond,
        })),
    })
}

/// One contest of other rules.
fn contest(rules: &RulePair, comparison: &TableComparison) -> Value {
    let row = |row: &Row| {
        json!({
            "d": row.d,
            "pairs": row.pairs,
            "critical": row.critical_pairs(),
            "wins": by_rule(rules, [row.first_wins, row.second_wins], Value::from),
            "total_share_first": row.total_share(),
            "critical_rate": ours(row.critical),
            "critical_share_first": ours(row.share),
            "significance": row.significance(),
            "clustered_significance": row.clustered_significance(),
        })
    };
    json!({
        "probabilities": comparison.probabilities.name(),
        "rows": comparison.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn khs_decisions(at: &DecisionErrors) -> Value {
    json!({
        "d": at.d, "minimax": ratio(at.estimated[0]), "estimated": ratio(at.estimated[1]),
        "actual": ratio(at.actual[1]),
    })
}

fn decisions(rules: &RulePair, at: &DecisionErrors) -> Value {
    json!({
        "d": at.d, "estimated": by_rule(rules, at.estimated, ratio), "actual": by_rule(rules, at.actual, ratio),
    })
}

fn khs_counts(at: &DepthCounts) -> Value {
    let wins = |pairs: Pairs| json!({ "minimax_wins": pairs.first_wins, "product_wins": pairs.second_wins });
    json!({
        "d": at.d, "pairs": at.pairs, "decisive": at.decisive, "minimax_errors": at.estimated_errors[0],
        "estimated_errors": at.estimated_errors[1], "actual_errors": at.actual_errors[1],
        "estimated": wins(at.estimated), "actual": wins(at.actual),
    })
}

fn counts(rules: &RulePair, at: &DepthCounts) -> Value {
    let contest = |probabilities: Probabilities| {
        let Pairs { first_wins, second_wins } = probabilities.pairs(at);
        let (errors, wins) = (probabilities.errors(at), [first_wins, second_wins]);
        json!({ "errors": by_rule(rules, errors, Value::from), "wins": by_rule(rules, wins, Value::from) })
    };
    let [estimated, actual] = [Probabilities::Estimated, Probabilities::Actual].map(contest);
    json!({
        "d": at.d, "pairs": at.pairs, "decisive": at.decisive, "estimated": estimated, "actual": actual,
    })
}

/// Everything: the figures, then the counts of every tree, and the record that `merge` reads.
pub(super) fn value(results: &SimulationResults) -> Result<Value, Error> {
    let rules = &results.spec.rules;
    let khs = rules.is_khs();
    let table = |comparison: &TableComparison| {
        if khs { khs_contest(comparison) } else { contest(rules, comparison) }
    };
    let errors = |at: &DecisionErrors| if khs { khs_decisions(at) } else { decisions(rules, at) };
    let counts = |at: &DepthCounts| if khs { khs_counts(at) } else { counts(rules, at) };
    let tree = |tree: &TreeCounts| json!({ "tree": tree.tree, "depths": tree.depths.iter().map(counts).collect::<Vec<_>>() });
    let mut object = Map::new();
    object.insert("spec".to_owned(), json!(results.spec));
    if !khs {
        object.insert("rules".to_owned(), json!(rules.names()));
    }
    object.insert("missing".to_owned(), json!(results.missing().count()));
    object.insert("tables".to_owned(), TableComparison::both(results)?.iter().map(table).collect());
    object.insert("decision_errors".to_owned(), decision_errors(results).iter().map(errors).collect());
    object.insert("trees".to_owned(), results.trees.iter().map(tree).collect());
    object.insert("record".to_owned(), json!(results.record()));
    Ok(Value::Object(object))
}
