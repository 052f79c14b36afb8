//! `prodmax pathology formulas`: LGB's eqs (1) to (8).

use clap::Args;
use num_traits::{One, Signed};
use prodmax_number::fraction::parse;
use prodmax_number::{Approximate, Enclosure, Figure, Fraction};
use prodmax_pathology::answer::with_error;
use prodmax_pathology::formulas::{
    Plies, PlyErrors, enclosed_errors, enumerated, errors, fixed_point, losses_below, section4,
};
use serde_json::{Value, json};

use super::args::positive;
use crate::error::Error;
use crate::formula_text::{fraction, rounded};
use crate::output::{Cell, Column, Output, Table};
use crate::whole_number::within;

/// Evaluate LGB's eqs (1) to (8).
///
/// Eqs (1) to (3) are about trees whose nodes are lost or won: k is the share of
/// losses at a ply, p the probability that a loss is evaluated as a win, q that a
/// win is evaluated as a loss. From a rational k_0 (--losses) they are exact
/// fractions; if the losses at the root are given instead (--root-losses, 1/2 as
/// in the paper unless you say otherwise) or stay the same at every ply
/// (--fixed-point), k_0 is irrational and every figure is an interval that is
/// certain to contain it.
///
/// Eqs (4) to (8) (--section-4) are about two siblings whose values differ by 1,
/// by quadrature with a stated error.
///
/// Examples:
///
///     prodmax pathology formulas --plies 20
///
/// shows how the error of an even game grows from 0.1 to 0.5.
///
///     prodmax pathology formulas --b 2 --losses 2/5 --plies 2 --verify
///
/// compares eqs (2) and (3) with all trees of four leaves, in fractions.
///
///     prodmax pathology formulas --section-4 --plies 10
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct PathologyFormulas {
    /// The branching factor.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2,
        allow_negative_numbers = true,
        value_parser = within::<u32>(1..=1000),
        conflicts_with = "section_4"
    )]
    b: u32,

    /// How many plies.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        allow_negative_numbers = true,
        value_parser = within::<usize>(0..=100)
    )]
    plies: usize,

    /// k_0, the share of losses at the lowest ply.
    #[arg(long, value_name = "K", value_parser = probability, allow_hyphen_values = true, conflicts_with = "section_4")]
    losses: Option<Fraction>,

    /// k_d, the share of losses at the root [default: 1/2]
    #[arg(
        long,
        value_name = "K",
        value_parser = probability,
        allow_hyphen_values = true,
        conflicts_with_all = ["losses", "section_4"]
    )]
    root_losses: Option<Fraction>,

    /// Let k be the same at every ply: k = (1 - k)^b.
    #[arg(long, conflicts_with_all = ["losses", "root_losses", "section_4"])]
    fixed_point: bool,

    /// p_0, the probability that a loss is evaluated as a win [default: 1/10]
    #[arg(long, value_name = "P", value_parser = probability, allow_hyphen_values = true, conflicts_with = "section_4")]
    false_wins: Option<Fraction>,

    /// q_0, the probability that a win is evaluated as a loss [default: 1/10]
    #[arg(long, value_name = "Q", value_parser = probability, allow_hyphen_values = true, conflicts_with = "section_4")]
    false_losses: Option<Fraction>,

    /// Compare with an enumeration of all trees (up to 8 leaves).
    #[arg(long, requires = "losses")]
    verify: bool,

    /// Eqs (4) to (8) instead.
    #[arg(long)]
    section_4: bool,

    /// The noise of section 4, where siblings differ by 1.
    #[arg(
        long,
        value_name = "X",
        default_value_t = 1.0,
        requires = "section_4",
        allow_negative_numbers = true,
        value_parser = positive
    )]
    sigma_e: f64,

    /// Let MAX move at every ply (Fig. 14).
    #[arg(long, requires = "section_4")]
    only_max: bool,
}

fn probability(text: &str) -> Result<Fraction, String> {
    let p = parse(text).map_err(|error| error.to_string())?;
    if p.is_negative() || p > Fraction::one() {
        return Err("a probability lies between 0 and 1".to_owned());
    }
    Ok(p)
}

/// Binary places of the intervals.
const BITS: u32 = 512;

/// The maximum of b^plies for exact fractions, whose digits grow with it.
const MAX_LEAVES: f64 = 4096.0;

impl PathologyFormulas {
    pub(super) fn output(&self) -> Result<Output, Error> {
        if self.section_4 {
            return self.quadrature();
        }
        let tenth = || Fraction::new(1.into(), 10.into());
        let false_wins = self.false_wins.clone().unwrap_or_else(tenth);
        let false_losses = self.false_losses.clone().unwrap_or_else(tenth);
        match &self.losses {
            Some(losses) => self.exact(PlyErrors { losses: losses.clone(), false_wins, false_losses }),
            None => self.enclosed(&false_wins, &false_losses),
        }
    }

    /// From a rational k_0: ply by ply.
    fn exact(&self, lowest: PlyErrors<Fraction>) -> Result<Output, Error> {
        let leaves = f64::from(self.b).powi(self.plies as i32);
        if leaves > MAX_LEAVES {
            return Err(Error::LongFractions { b: self.b, plies: self.plies });
        }
        if self.verify && leaves > 8.0 {
            return Err(Error::ManySmallTrees { leaves });
        }
        let plies = errors(self.b, lowest.clone(), self.plies)?;
        let mut holds = true;
        let mut rows = Vec::new();
        let mut values = Vec::new();
        for (ply, at) in plies.iter().enumerate() {
            let numbers = [&at.losses, &at.false_wins, &at.false_losses, &at.error()].map(Clone::clone);
            let mut row: Vec<Cell> = vec![ply.into()];
            row.extend(numbers.iter().map(rounded));
            let mut value = json!({ "ply": ply });
            for (name, number) in NAMES.iter().zip(&numbers) {
                value[*name] = fraction(number);
            }
            if self.verify {
                let twin = enumerated(self.b, ply, &lowest);
                let equal = twin == *at;
                holds &= equal;
                row.push(if equal { "equal" } else { "different" }.into());
                value["enumeration"] = json!({ "equal": equal, "error": fraction(&twin.error()) });
            }
            rows.push(row);
            values.push(value);
        }
        let mut columns: Vec<Column> =
            ["ply", "k", "p", "q", "error"].into_iter().map(Column::right).collect();
        if self.verify {
            columns.push(Column::left("all trees"));
        }
        let note = "error = p k + q (1 - k); the JSON has the exact fractions.".to_owned();
        let table = Table {
            id: "pathology-formulas".to_owned(),
            title: format!("LGB eqs (1) to (3), b = {}, exactly", self.b),
            columns,
            rows,
            notes: vec![note],
        };
        let value = json!({ "b": self.b, "plies": values });
        Ok(Output { holds, ..Output::figures(value, vec![table]) })
    }

    /// From the losses at the root, or the same losses everywhere: one search after the other.
    fn enclosed(&self, false_wins: &Fraction, false_losses: &Fraction) -> Result<Output, Error> {
        let half = || Fraction::new(1.into(), 2.into());
        let top = self.root_losses.clone().unwrap_or_else(half);
        let (mut rows, mut values) = (Vec::new(), Vec::new());
        for d in 0..=self.plies {
            let losses = if self.fixed_point {
                vec![fixed_point(self.b, BITS)?; d + 1]
            } else {
                losses_below(self.b, &top, d, BITS)?
            };
            let searched = enclosed_errors(self.b, &losses, false_wins, false_losses)?;
            let (Some(lowest), Some(root)) = (losses.first(), searched.last()) else { continue };
            let numbers = [lowest.clone(), root.false_wins.clone(), root.false_losses.clone(), root.error()];
            let mut row: Vec<Cell> = vec![d.into()];
            row.extend(numbers.iter().map(|number| rounded(&number.middle())));
            rows.push(row);
            let mut value = json!({ "d": d });
            for (name, number) in ["k_0", "p", "q", "error"].iter().zip(&numbers) {
                value[*name] = interval(number);
            }
            values.push(value);
        }
        let of = if self.fixed_point { "k the same at every ply".to_owned() } else { format!("k_d = {top}") };
        let table = Table {
            id: "pathology-formulas".to_owned(),
            title: format!("LGB eqs (1) to (3), b = {}, {of}: the root of a search to depth d", self.b),
            columns: ["d", "k_0", "p_d", "q_d", "error"].into_iter().map(Column::right).collect(),
            rows,
            notes: vec![
                "error = p k + q (1 - k). Middles of intervals; the JSON has both ends, which are certain."
                    .to_owned(),
            ],
        };
        let value = json!({ "b": self.b, "searches": values });
        Ok(Output::figures(value, vec![table]))
    }

    fn quadrature(&self) -> Result<Output, Error> {
        let plies = if self.only_max { Plies::OnlyMax } else { Plies::Alternating };
        let found = section4(self.sigma_e, self.plies, plies)?;
        let cells = |figure: Option<Approximate>| with_error(figure.map(Figure::from).as_ref());
        let row = |row: &prodmax_pathology::formulas::Section4Row| {
            let figures =
                [Some(row.position_error), row.move_error, Some(row.variance), Some(row.bias)].map(cells);
            std::iter::once(row.d.into()).chain(figures.into_iter().flatten()).collect()
        };
        let figure = |figure: Approximate| json!({ "value": figure.value, "error": figure.error() });
        let values: Vec<Value> = found
            .iter()
            .map(|row| {
                json!({
                    "d": row.d,
                    "position_error": figure(row.position_error),
                    "move_error": row.move_error.map(figure),
                    "variance": figure(row.variance),
                    "bias": figure(row.bias),
                })
            })
            .collect();
        let movers = if self.only_max { "MAX at every ply" } else { "MAX and MIN alternating" };
        let table = Table {
            id: "pathology-section4".to_owned(),
            title: format!(
                "LGB eqs (4) to (8): siblings that differ by 1, sigma_e = {}, {movers}",
                self.sigma_e
            ),
            columns: vec![
                Column::right("d"),
                Column::right("position error"),
                Column::right("position error: error").with_terminal("error"),
                Column::right("move error"),
                Column::right("move error: error").with_terminal("error"),
                Column::right("variance"),
                Column::right("variance: error").with_terminal("error"),
                Column::right("bias"),
                Column::right("bias: error").with_terminal("error"),
            ],
            rows: found.iter().map(row).collect(),
            notes: vec![
                "Variance and bias are those of the heuristic value of a node at ply d (Figs 10 and 11), with MAX at ply 1.".to_owned(),
            ],
        };
        let value = json!({ "sigma_e": self.sigma_e, "rows": values });
        Ok(Output::figures(value, vec![table]))
    }
}

/// Keys of the figures of a ply.
const NAMES: [&str; 4] = ["k", "p", "q", "error"];

fn interval(enclosure: &Enclosure) -> Value {
    let [low, high] = enclosure.decimals(20);
    json!([low, high])
}
