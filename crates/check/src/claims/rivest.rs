//! What the review says of Rivest's search.

use prodmax_games::penalty::{edge_weight, mean};
use prodmax_games::player::Resource;
use prodmax_games::study::StudyResults;
use prodmax_golden::quantity::{Figures, MatchFigure};
use prodmax_number::fraction::to_f64;
use prodmax_number::margin::with_error;
use prodmax_rules::Mover;

use super::{Claim, Decision, Evidence, Range};
use crate::calculator::QuantityError;
use crate::matches::{PublishedMatch, PublishedResource, counted};

type Decided = Result<Decision, QuantityError>;

/// All of them.
pub(super) const CLAIMS: &[Claim] = &[
    Claim { name: "rivest.alpha-beta-by-time", decide: by_time },
    Claim { name: "rivest.approximation-by-calls", decide: by_calls },
    Claim { name: "rivest.weights-not-negative", decide: weights },
];

/// The record of the match by time, which cannot be repeated exactly.
const RECORDED: &str = prodmax_data::text("golden/play/study.json");

/// Wins of the approximation minus those of alpha-beta, as printed.
fn printed_lead(resource: PublishedResource) -> Result<i64, QuantityError> {
    let rows = PublishedMatch::table()?;
    let of_resource = rows.iter().filter(|row| row.resource == resource);
    Ok(of_resource.map(|row| row.approximation as i64 - row.alpha_beta as i64).sum())
}

/// A lead, and its standard error if it is a sample's.
fn says(lead: &Range) -> String {
    let middle = to_f64(&lead.middle());
    match lead.standard_error() {
        error if error > 0.0 => format!("lead {}", with_error(middle, error)),
        _ => format!("lead {middle:.0}"),
    }
}

/// Our bounds are milliseconds instead of seconds; the lead is judged within the error of a match that is repeated.
fn by_time(evidence: &Evidence<'_, '_>) -> Decided {
    let lead = match evidence.by {
        Figures::Printed => Some(Range::from(printed_lead(PublishedResource::Seconds)?)),
        Figures::Ours => {
            let study = StudyResults::read(RECORDED)
                .map_err(|error| crate::recorded::RecordedError::Record(Box::new(error)))?;
            let id = format!("time-{}", evidence.reading);
            let record = study.find_match(&id).ok_or(crate::recorded::RecordedError::NoMatch(id))?;
            let by_time = |resource: &Resource| matches!(resource, Resource::Milliseconds(_));
            let games = record.results.iter().filter(|games| by_time(&games.resource));
            let score = prodmax_games::play::Score::of_outcomes(
                games.flat_map(|games| games.games.0.iter().copied()),
            );
            score.and_then(|score| Range::of(&counted(&score, MatchFigure::Lead).into()))
        }
    };
    Ok(lead.map_or_else(
        || Decision::new(None, "no games"),
        |lead| Decision::new(lead.is_negative(), says(&lead)),
    ))
}

fn by_calls(evidence: &Evidence<'_, '_>) -> Decided {
    let lead = match evidence.by {
        Figures::Printed => Range::from(printed_lead(PublishedResource::Calls)?),
        Figures::Ours => {
            let [evaluator, scheme] = match evidence.reading.split_once('-') {
                Some((evaluator, scheme)) => [evaluator, scheme],
                None => return Ok(Decision::new(None, "no such match")),
            };
            evidence.figure(&format!("rivest.{evaluator}.{scheme}.total.lead"))?
        }
    };
    Ok(Decision::new(lead.is_positive(), says(&lead)))
}

/// The least weight among the edges from a MIN node with the values .2 and .8, p = 10. As the mean M is at most n^(1/p) times
/// the least value, log n + (p + 1) log(x/M) is never less than -(log n)/p, and at a MAX node log n + (p - 1) log(M/x) never
/// less than (log n)/p.
fn weights(_: &Evidence<'_, '_>) -> Decided {
    let (values, p) = ([0.2, 0.8], 10.0);
    let n = values.len();
    let of_node = mean(Mover::Min, p, values.into_iter());
    let weights = values.map(|x| edge_weight(Mover::Min, p, n, of_node, x));
    let least = weights.into_iter().fold(f64::INFINITY, f64::min);
    let bound = (n as f64).ln() / p;
    let because = format!(
        "{least:.4} for values .2 and .8 at a MIN node, p = 10; the least that is possible there is {:.4}, at a MAX node {bound:.4}",
        -bound
    );
    Ok(Decision::new(Some(least >= 0.0), because))
}
