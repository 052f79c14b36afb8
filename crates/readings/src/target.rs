//! What readings are measured against: published figures from golden files.

use std::collections::BTreeSet;

use prodmax_golden::reading::How;
use prodmax_golden::{Entry, GoldenFile, Published, Quantity, Reading};
use prodmax_number::fraction::to_f64;
use thiserror::Error;

/// Why golden files cannot serve as a target.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TargetError {
    /// Nothing to rank by.
    #[error("the targets have no percentage differences of models of depth 3; name golden/table2.ron")]
    NoCells,
    /// A published figure that is not a number.
    #[error("{id}: the published figure `{text}` is not a number")]
    Published {
        /// The entry.
        id: String,
        /// What was printed.
        text: String,
    },
    /// A cell that should be left out does not exist.
    #[error("there is no cell `{0}` to leave out; the ids are those of the target file")]
    NoSuchCell(String),
    /// A row that should be kept does not exist.
    #[error("there is no row {row}; the rows are {rows}")]
    NoSuchRow {
        /// Its increments.
        row: String,
        /// The rows that exist.
        rows: String,
    },
}

/// Root and increments; the line belongs to the reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetModel {
    /// The root's value.
    pub root: i64,
    /// The greatest increment per level.
    pub increments: Vec<i64>,
}

/// A published number.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedNumber {
    /// As printed.
    pub text: String,
    /// Its value.
    pub value: f64,
    /// Half a unit of the last printed digit.
    pub rounding: f64,
}

impl PrintedNumber {
    fn new(id: &str, printed: &Published) -> Result<Self, TargetError> {
        let text = printed.text().to_owned();
        let refuse = || TargetError::Published { id: id.to_owned(), text: text.clone() };
        let value = to_f64(&printed.number().ok_or_else(refuse)?);
        Ok(Self { text, value, rounding: to_f64(&printed.half_unit()) })
    }

    /// Whether a value would be printed like this (a value exactly between two roundings counts as well).
    pub fn agrees(&self, value: f64) -> bool {
        (value - self.value).abs() <= self.rounding + 1e-9
    }

    /// Whether a value would be printed with this sign. A printed 0.0 favours neither side, even if it has a sign.
    pub fn same_sign(&self, value: f64) -> bool {
        let units = |value: f64| (value / (2.0 * self.rounding)).round();
        let sign = |units: f64| if units == 0.0 { 0.0 } else { units.signum() };
        sign(units(value)) == sign(units(self.value))
    }
}

/// One cell of the table that readings are ranked by.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The id in the golden file.
    pub id: String,
    /// The model.
    pub model: TargetModel,
    /// What the paper prints.
    pub published: PrintedNumber,
}

/// A figure of depth 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactKind {
    /// Number of critical trees.
    Critical,
    /// Minimax's share of the errors in percent.
    ShareMinimax,
    /// Product's share of the errors in percent.
    ShareProduct,
    /// 100 (eP - eM) / (eP + eM).
    Difference,
    /// Formula (7) in percent.
    Threshold,
    /// N(I2) / N(I4).
    Ratio,
}

/// The published figures, for one candidate for the unnamed root.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The model.
    pub model: TargetModel,
    /// What the paper prints.
    pub published: Vec<(FactKind, PrintedNumber)>,
}

/// Cells to rank by, and facts that are reported along with them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    /// Percentage differences at depth 3.
    pub cells: Vec<Cell>,
    /// The figures of depth 2, which belong to a root that the papers do not name: one entry per candidate.
    pub facts: Vec<Facts>,
}

impl Target {
    /// Percentage differences of models of depth 3 become cells, and figures of models of depth 2 facts; everything
    /// else (means, other tables) is ignored.
    pub fn of(files: &[GoldenFile]) -> Result<Self, TargetError> {
        let mut target = Self::default();
        for entry in files.iter().flat_map(|file| &file.golden.entries) {
            target.add(entry)?;
        }
        if target.cells.is_empty() { Err(TargetError::NoCells) } else { Ok(target) }
    }

    fn add(&mut self, entry: &Entry) -> Result<(), TargetError> {
        // An unpublished figure, or one that already has another reading than that of the root.
        let is_as_stated = Reading::named(&entry.reading).is_some_and(|reading| reading.how == How::Quantity);
        if entry.published.text().is_empty() || !is_as_stated {
            return Ok(());
        }
        let (kind, model) = match &entry.quantity {
            Quantity::Critical(model) => (FactKind::Critical, model),
            Quantity::ShareMinimaxPercent(model) => (FactKind::ShareMinimax, model),
            Quantity::ShareProductPercent(model) => (FactKind::ShareProduct, model),
            Quantity::DifferencePercent(model) => (FactKind::Difference, model),
            Quantity::ThresholdPercent(model) => (FactKind::Threshold, model),
            Quantity::IntervalRatio(model) => (FactKind::Ratio, model),
            _ => return Ok(()),
        };
        let increments = model.increments().iter().map(|&a| a.into()).collect();
        let model = TargetModel { root: model.root().get().into(), increments };
        let published = PrintedNumber::new(&entry.id, &entry.published)?;
        match (kind, model.increments.len()) {
            (FactKind::Difference, 3) => self.cells.push(Cell { id: entry.id.clone(), model, published }),
            (_, 2) => match self.facts.iter_mut().find(|facts| facts.model == model) {
                Some(facts) => facts.published.push((kind, published)),
                None => self.facts.push(Facts { model, published: vec![(kind, published)] }),
            },
            _ => {}
        }
        Ok(())
    }

    /// Leaves out the cell with this id, for example because it may be misprinted.
    pub fn without(mut self, id: &str) -> Result<Self, TargetError> {
        let place = self.cells.iter().position(|cell| cell.id == id);
        self.cells.remove(place.ok_or_else(|| TargetError::NoSuchCell(id.to_owned()))?);
        if self.cells.is_empty() { Err(TargetError::NoCells) } else { Ok(self) }
    }

    /// Keeps only the cells with these increments.
    pub fn only_rows(mut self, rows: &[Vec<i64>]) -> Result<Self, TargetError> {
        let there: BTreeSet<&Vec<i64>> = self.cells.iter().map(|cell| &cell.model.increments).collect();
        if let Some(row) = rows.iter().find(|row| !there.contains(row)) {
            let name = |row: &Vec<i64>| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
            let names: Vec<_> = there.into_iter().map(name).collect();
            return Err(TargetError::NoSuchRow { row: name(row), rows: names.join("; ") });
        }
        self.cells.retain(|cell| rows.contains(&cell.model.increments));
        if self.cells.is_empty() { Err(TargetError::NoCells) } else { Ok(self) }
    }
}
