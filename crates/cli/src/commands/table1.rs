//! `prodmax table1`: the case analysis, KHS's Table I and its counterpart of depth 3.

mod depth2;
mod depth3;

use clap::Args;

use super::Run;
use crate::context::Context;
use crate::error::Error;
use crate::output::CommandResult;

/// Derive Table I: which critical cases favour Minimax, which Product.
///
/// Minimax prefers the node M, Product the node P. At depth 2 this forces the
/// order P2 <= M2 <= M1 <= P1 of their leaves (KHS section IV). The draw value
/// lies in one of five intervals, I1 above P1 down to I5 below P2, and each
/// leaf is evaluated correctly or wrongly: 5 x 16 = 80 cases. A case is
/// critical if one of M and P is won and the other lost; 30 are, and they fill
/// Table I. `I4(P1)` says: the draw value lies in I4 and P1 alone is evaluated
/// wrongly. Nothing is typed in: the game rule decides every case.
///
/// Erratum: the text of KHS says that with the draw value in I2 it is P2 that
/// is WIN. By the order above and by Table I itself it is P1.
///
/// With --depth 3 the same is done for eight leaves, which the paper estimates
/// at some 80 000 cases and leaves aside. Of the 630 orders of the leaves (up
/// to the symmetries of the tree) 201 can be critical; 9 positions of the draw
/// value and 256 error patterns make 463104 cases of them, 227934 of which are
/// critical.
///
/// Examples:
///
///     prodmax table1
///
/// prints Table I as the paper lays it out.
///
///     prodmax table1 --all --format csv
///
/// lists all 80 cases: which nodes are won, which are lost, and why.
///
///     prodmax table1 --depth 3
///
/// prints the depth-3 Table I and the error masses for each draw position.
///
///     prodmax table1 --depth 3 --types
///
/// lists the 630 orders: a witness for each possible one, a proof for each
/// impossible one.
///
///     prodmax table1 --depth 3 --all --format csv --output cases.csv
///
/// writes all 463104 cases, one per line.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Table1 {
    /// The depth of the trees: 2, as in the paper, or 3.
    #[arg(long, value_name = "DEPTH", default_value = "2", value_parser = depth)]
    depth: Depth,

    /// List all cases, the irrelevant ones too, with the reason for each decision.
    #[arg(long)]
    all: bool,

    /// List the order types of depth 3, each with its verdict and certificate.
    #[arg(long, conflicts_with = "all")]
    types: bool,
}

/// A depth for which there is a case analysis.
#[derive(Clone, Copy, Debug)]
enum Depth {
    Two,
    Three,
}

fn depth(text: &str) -> Result<Depth, String> {
    match text {
        "2" => Ok(Depth::Two),
        "3" => Ok(Depth::Three),
        _ => Err("the case analysis covers depth 2 and 3".to_owned()),
    }
}

impl Run for Table1 {
    fn run(&self, _: &Context) -> Result<CommandResult, Error> {
        Ok(match (self.depth, self.all) {
            (Depth::Two, _) if self.types => return Err(Error::TypesOfDepth2),
            (Depth::Two, false) => CommandResult::Figures(depth2::table()),
            (Depth::Two, true) => CommandResult::Figures(depth2::cases()),
            (Depth::Three, false) if self.types => CommandResult::Figures(depth3::types()),
            (Depth::Three, false) => CommandResult::Figures(depth3::summary()),
            (Depth::Three, true) => CommandResult::List(Box::new(depth3::Cases::new())),
        })
    }
}
