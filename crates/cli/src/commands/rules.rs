//! `prodmax rules`: lists the backup rules.

use clap::Args;
use prodmax_rules::Rule;
use serde_json::json;

use super::Run;
use crate::context::Context;
use crate::error::Error;
use crate::output::{Column, CommandResult, Output, Table};

/// List the backup rules: how each is written, its formula and its source.
///
/// Rules are named like this wherever a command takes --rules, and in specs. x_i
/// are the values of a node's children: estimated probabilities of winning (heuristic
/// values for minimax, true probabilities for ideal). Parameters are fractions or
/// decimals, the exponent of a mean is an integer.
///
/// Examples:
///
///     prodmax rules
///
///     prodmax contest --root 1 --increments 8,8 --rules minimax,product,mean:4
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Rules {}

impl Run for Rules {
    fn run(&self, _: &Context) -> Result<CommandResult, Error> {
        let value = Rule::ALL
            .iter()
            .map(|rule| json!({ "rule": rule.syntax, "formula": rule.formula, "source": rule.source }))
            .collect();
        let table = Table {
            id: "rules".to_owned(),
            title: "Backup rules".to_owned(),
            columns: ["rule", "formula", "source"].map(Column::left).into(),
            rows: Rule::ALL
                .iter()
                .map(|rule| [rule.syntax, rule.formula, rule.source].map(Into::into).into())
                .collect(),
            notes: Vec::new(),
        };
        Ok(CommandResult::Figures(Output::figures(value, vec![table])))
    }
}
