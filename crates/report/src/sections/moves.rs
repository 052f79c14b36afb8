//! More moves: how the difference and the efficiency of the rules move with the number of moves of a node.

use maud::{Markup, html};
use prodmax_output::{Cell, Column, Table};
use prodmax_rules::Rule;
use prodmax_rules::minimax::Minimax;
use serde_json::json;

use super::SectionKind;
use crate::contests::ContestResults;
use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::html::var;
use crate::plot::{Axis, Line, Plot, SIZE, percent};
use crate::results::{ExperimentResults, ModelResults};
use crate::run::Findings;
use crate::section::Section;
use crate::words::extremes;

/// A model and its contest.
type Found<'a> = (&'a ModelResults, &'a ContestResults);

/// The experiment that is shown here.
const EXPERIMENT: &str = "branching";

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[EXPERIMENT], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let Some(results) = findings.experiment(EXPERIMENT) else { return Ok(None) };
    let mut section = Section::new("moves", "More moves");
    section.p(html! {
        "The trees of the paper are binary; in games there are more moves. Here every node has " (var("b")) " of them. A \
         tree is critical if each rule has a unique best move and these differ; the other moves only have to be worse, \
         so they enter as a power of a weight and no tree is visited. Each rule is set against Minimax, and its \
         efficiency is measured over all trees, a choice among equally good moves being made at random."
    });
    let depths: Vec<(usize, Vec<Found<'_>>)> =
        [2, 3].into_iter().map(|depth| (depth, contests(results, depth))).collect();
    for (depth, found) in &depths {
        let (difference, efficiency) = match depth {
            2 => ("moves-difference-depth2", "moves-efficiency-depth2"),
            _ => ("moves-difference-depth3", "moves-efficiency-depth3"),
        };
        section.figures([
            plot(difference, *depth, found, Measure::Difference)?,
            plot(efficiency, *depth, found, Measure::Efficiency)?,
        ]);
    }
    section.table(table(&depths));
    section.heading("What follows");
    let sentences: Vec<Markup> =
        depths.iter().flat_map(|(depth, found)| conclusions(*depth, found)).collect();
    section.list(&sentences);
    section.data.push(("moves".to_owned(), json!(results)));
    Ok(Some(section))
}

/// The contests of a depth, by ascending number of moves.
fn contests(results: &ExperimentResults, depth: usize) -> Vec<Found<'_>> {
    let of_depth = results.models.iter().filter(|model| model.model.depth() == depth);
    let mut found: Vec<_> = of_depth.filter_map(|model| Some((model, model.contests.first()?))).collect();
    found.sort_by_key(|(model, _)| model.model.branching());
    found
}

fn rules<'a>(found: &[Found<'a>]) -> Vec<&'a Rule> {
    found.first().map_or(Vec::new(), |(_, contest)| contest.rules.iter().map(|found| &found.rule).collect())
}

/// What is drawn.
#[derive(Clone, Copy, PartialEq)]
enum Measure {
    /// Against Minimax.
    Difference,
    /// Of a rule by itself.
    Efficiency,
}

impl Measure {
    /// A figure of the rule at this place of the list.
    fn of(self, contest: &ContestResults, place: usize) -> Option<f64> {
        let minimax = Rule::from(Minimax);
        match self {
            Self::Difference => {
                let first = contest.rules.iter().position(|found| found.rule == minimax)?;
                contest.difference(first, place)
            }
            Self::Efficiency => contest.efficiency_percent(&contest.rules[place].rule),
        }
    }
}

/// The line of a rule over the number of moves.
fn points(found: &[Found<'_>], place: usize, measure: Measure) -> Vec<(f64, f64)> {
    let point =
        |(model, contest): &Found<'_>| Some((model.model.branching() as f64, measure.of(contest, place)?));
    found.iter().filter_map(point).collect()
}

fn plot(
    name: &'static str,
    depth: usize,
    found: &[Found<'_>],
    measure: Measure,
) -> Result<Figure, ReportError> {
    let rules = rules(found);
    let line = |(place, rule): (usize, &&Rule)| {
        let points = points(found, place, measure);
        let dashed = rules[..place]
            .iter()
            .any(|other| Ink::of_family(other.family()) == Ink::of_family(rule.family()));
        Line { name: rule.to_string(), ink: Ink::of_family(rule.family()), dashed, dots: true, points }
    };
    let lines: Vec<Line> =
        rules.iter().enumerate().map(line).filter(|line| !line.points.is_empty()).collect();
    let all = lines.iter().flat_map(|line| &line.points);
    let (least, most) = extremes(all.map(|(_, y)| *y)).unwrap_or((0.0, 1.0));
    let last = found.last().map_or(2.0, |(model, _)| model.model.branching() as f64);
    let (label, what, range) = match measure {
        Measure::Difference => {
            ("difference (%), below 0: fewer errors", "Difference", least.floor() - 1.0..most.ceil().max(0.0))
        }
        Measure::Efficiency => ("efficiency (%)", "Efficiency", least.floor() - 0.5..100.2),
    };
    let ends = lines.iter().filter_map(|line| {
        let ((_, first), (_, last)) = (line.points.first()?, line.points.last()?);
        Some(format!("{} from {first:.1} to {last:.1} percent", line.name))
    });
    let ends = ends.collect::<Vec<_>>().join("; ");
    let increments = found.first().map_or(String::new(), |(model, _)| model.increments());
    let plot = Plot {
        x: Axis {
            label: "moves of every node".into(),
            range: 1.5..last + 0.5,
            ticks: last as usize,
            format: |x| format!("{x:.0}"),
        },
        y: Axis { label: label.into(), range, ticks: 6, format: percent },
        lines,
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: format!("{what} over the number of moves, depth {depth}: {ends}."),
        caption: html! {
            (what) " over the number of moves, depth " (depth) ", increments up to " (increments) "."
        },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

fn table(depths: &[(usize, Vec<Found<'_>>)]) -> Table {
    let rows = depths.iter().flat_map(|(depth, found)| {
        found.iter().flat_map(move |(model, contest)| {
            contest.rules.iter().enumerate().map(move |(place, rule)| {
                let number = |measure: Measure, places: usize| -> Cell {
                    let number = measure.of(contest, place);
                    number.map_or_else(|| "".into(), |number| format!("{number:.places$}").into())
                };
                vec![
                    Cell::from(*depth),
                    model.increments().into(),
                    model.model.branching().into(),
                    rule.rule.to_string().into(),
                    number(Measure::Difference, 6),
                    number(Measure::Efficiency, 6),
                ]
            })
        })
    });
    Table {
        id: "moves".to_owned(),
        title: "Every rule by the number of moves of a node (difference above 0: Minimax errs less in critical trees)"
            .to_owned(),
        columns: vec![
            Column::right("depth"),
            Column::left("increments"),
            Column::right("moves"),
            Column::left("rule"),
            Column::right("difference from Minimax (%)"),
            Column::right("efficiency (%)"),
        ],
        rows: rows.collect(),
        notes: Vec::new(),
    }
}

/// How a lead moves, in words: whether each is greater than the one before.
fn trend(leads: &[f64]) -> &'static str {
    let steps = || leads.windows(2).map(|pair| pair[1] > pair[0]);
    match (steps().all(|grows| grows), steps().any(|grows| grows)) {
        (true, _) => "grows with every further move",
        (false, false) => "shrinks with every further move",
        (false, true) => "grows and shrinks",
    }
}

/// One sentence for each rule but Minimax.
fn conclusions(depth: usize, found: &[Found<'_>]) -> Vec<Markup> {
    let sentence = |(place, rule): (usize, &&Rule)| {
        let differences = points(found, place, Measure::Difference);
        let leads: Vec<f64> = differences.iter().map(|(_, difference)| -difference).collect();
        let efficiency = points(found, place, Measure::Efficiency);
        let ((from, _), (to, _)) = (differences.first()?, differences.last()?);
        let [lead, end] = [leads.first()?, leads.last()?];
        let ((fewest, first), (most, last)) = (efficiency.first()?, efficiency.last()?);
        Some(html! {
            "Depth " (depth) ": the lead of " code { (rule.to_string()) } " over Minimax " (trend(&leads)) ", from "
            (format!("{lead:.2}")) "\u{a0}% with " (from) " moves to " (format!("{end:.2}")) "\u{a0}% with " (to)
            @if to < most { " (with more moves the two never differ)" }
            "; its efficiency goes from " (format!("{first:.2}")) "\u{a0}% with " (fewest) " moves to "
            (format!("{last:.2}")) "\u{a0}% with " (most) "."
        })
    };
    rules(found).iter().enumerate().filter_map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trends_are_put_into_words() {
        assert_eq!(trend(&[1.0, 2.0, 3.0]), "grows with every further move");
        assert_eq!(trend(&[3.0, 2.0, 1.0]), "shrinks with every further move");
        assert_eq!(trend(&[1.0, 3.0, 2.0]), "grows and shrinks");
    }
}
