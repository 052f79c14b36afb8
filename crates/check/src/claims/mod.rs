//! What the papers say in words, as predicates over figures: those that a paper prints, or ours.
//!
//! A figure is known only so far: a printed one to its digits, a sampled one to its standard error. So it is a [`Range`],
//! and whether one is less than another is true, false, or not decided by them.

mod baum;
mod khs;
mod lgb;
mod range;
mod rivest;

use std::sync::Arc;

use prodmax_golden::quantity::Figures;
use prodmax_golden::reading::How;
use prodmax_golden::{Finding, Reading};
use prodmax_simulate::SimulationSpec;

pub(crate) use self::range::{Range, Truth, all, any, not};
use crate::calculator::{Calculator, QuantityError};
use crate::simulation::{self, Simulated};

/// What decides a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    /// Whether it holds.
    pub(crate) truth: Truth,
    /// The figures that decide it, in words; recorded in the golden file.
    pub(crate) because: String,
}

impl Decision {
    pub(crate) fn new(truth: Truth, because: impl Into<String>) -> Self {
        Self { truth, because: because.into() }
    }
}

/// A sentence of a paper as a predicate.
pub(crate) struct Claim {
    /// As golden entries name it: the paper first.
    pub(crate) name: &'static str,
    /// Decides it by these figures.
    pub(crate) decide: fn(&Evidence<'_, '_>) -> Result<Decision, QuantityError>,
}

/// The figures by which a claim is decided.
pub(crate) struct Evidence<'c, 'a> {
    /// Computes ours.
    pub(crate) calculator: &'c Calculator<'a>,
    /// Whose figures.
    pub(crate) by: Figures,
    /// The reading of the claim: it names the simulation, if ours are simulated.
    pub(crate) reading: &'c str,
}

impl Evidence<'_, '_> {
    /// The figure of a golden entry: what would be printed like it, or ours with two standard errors on either side.
    pub(crate) fn figure(&self, id: &str) -> Result<Range, QuantityError> {
        let entry = self.calculator.golden(id)?;
        let between = match self.by {
            Figures::Printed => entry.published.between(entry.digits).map(Range::from),
            Figures::Ours => self.calculator.entry(entry)?.figure().and_then(Range::of),
        };
        between.ok_or_else(|| QuantityError::NoEntry(id.to_owned()))
    }

    /// The settings of the simulation of the reading.
    pub(crate) fn spec(&self) -> Result<SimulationSpec, QuantityError> {
        match Reading::named(self.reading).map(|reading| reading.how) {
            Some(How::Simulation(id)) => simulation::spec(id),
            _ => Err(QuantityError::NotUnderReading { reading: self.reading.to_owned() }),
        }
    }

    /// What the simulation of the reading gives.
    pub(crate) fn simulation(&self) -> Result<Arc<Simulated>, QuantityError> {
        match Reading::named(self.reading).map(|reading| reading.how) {
            Some(How::Simulation(id)) => self.calculator.simulation(id),
            _ => Err(QuantityError::NotUnderReading { reading: self.reading.to_owned() }),
        }
    }
}

/// All of them, with the names of those that fail and that are not decided.
pub(crate) fn over(truths: &[(String, Truth)], what: &str) -> Decision {
    let named = |wanted: Truth| -> Vec<&str> {
        truths.iter().filter(|(_, truth)| *truth == wanted).map(|(name, _)| name.as_str()).collect()
    };
    let mut because = format!("{} of {} {what}s", named(Some(true)).len(), truths.len());
    for (wanted, says) in [(Some(false), "not"), (None, "undecided")] {
        let names = named(wanted);
        if !names.is_empty() {
            because.push_str(&format!("; {says} {}", names.join(" ")));
        }
    }
    Decision::new(all(truths.iter().map(|(_, truth)| *truth)), because)
}

fn all_claims() -> impl Iterator<Item = &'static Claim> {
    khs::CLAIMS.iter().chain(lgb::claims()).chain(baum::CLAIMS).chain(rivest::CLAIMS)
}

/// The names of all claims.
pub(crate) fn names() -> Vec<&'static str> {
    all_claims().map(|claim| claim.name).collect()
}

/// Decides a claim.
pub(crate) fn decide(
    name: &str,
    by: Figures,
    reading: &str,
    calculator: &Calculator<'_>,
) -> Result<Finding, QuantityError> {
    let unknown = || QuantityError::NoClaim(name.to_owned());
    let claim = all_claims().find(|claim| claim.name == name).ok_or_else(unknown)?;
    let Decision { truth, because } = (claim.decide)(&Evidence { calculator, by, reading })?;
    Ok(Finding::Claim { truth, because })
}
