//! Beyond the paper: full width at any depth, by the law of values.

mod figures;
mod tables;

use maud::{Markup, html};
use prodmax_enumerate::{Line, Model, ZeroMode};
use prodmax_golden::Quantity;
use prodmax_golden::quantity::{LawAnswer, LawFigure};
use prodmax_mass::khs_rules;
use prodmax_number::Figure;
use prodmax_rules::Rule;
use serde_json::json;

use super::SectionKind;
use super::finding::Finding;
use crate::error::ReportError;
use crate::html::var;
use crate::plot;
use crate::run::{Comparison, Findings};
use crate::section::Section;
use crate::words::{and, extremes, fixed, out_of};

/// The greatest increment at every level.
const WIDTH: i32 = 8;
/// The depths from the first of KHS to the last at which the line still has room.
const DEPTHS: std::ops::RangeInclusive<usize> = 2..=10;
/// Up to this depth the classes are enumerated.
const ENUMERATED: usize = 4;
/// The roots of KHS's Table II.
const ROOTS: [i32; 6] = [-4, -3, -2, -1, 1, 2];
/// The root that stands for all where one is enough.
const ROOT: i32 = 1;
/// From this root at even depths, and from its opposite at odd ones, chances are about even.
const EVEN_CHANCES: i32 = 6;

/// Whether the line has room for all trees of a root at a depth.
fn has_room(root: i32, depth: usize) -> bool {
    Model::new(root.into(), &vec![WIDTH.into(); depth], ZeroMode::Skip, Line::DEFAULT_H_MAX).is_ok()
}

/// The roots that have room at every depth.
fn inner_roots() -> impl Iterator<Item = i32> {
    ROOTS.into_iter().filter(|root| has_room(*root, *DEPTHS.end()))
}

/// The same in words.
fn inner_roots_named() -> String {
    and(&inner_roots().map(|root| plot::root(root.into())).collect::<Vec<_>>())
}

/// The figures of models at full width with one pair of curves.
struct Wide<'a> {
    entries: Vec<(&'a Model, &'a Comparison)>,
}

/// A value and, unless it is exact, its margin.
#[derive(Clone, Copy)]
struct Known {
    value: f64,
    ends: Option<[f64; 2]>,
}

fn model_of(quantity: &Quantity) -> Option<&Model> {
    quantity.model().or_else(|| quantity.law().map(|(model, _, _)| model))
}

/// Whether a figure by the law of values is computed on a coarser grid than the same figure elsewhere.
fn is_coarser(quantity: &Quantity, other: &Quantity) -> bool {
    match (quantity, other) {
        (
            Quantity::Law { figure, answer, grid, model, curves },
            Quantity::Law { figure: of, answer: by, grid: finer, model: same, curves: with },
        ) => (figure, answer, model, curves) == (of, by, same, with) && grid < finer,
        (
            Quantity::LawThresholdPercent { grid, model },
            Quantity::LawThresholdPercent { grid: finer, model: same },
        ) => model == same && grid < finer,
        _ => false,
    }
}

impl<'a> Wide<'a> {
    /// With truth w_4 and estimate w_1.
    fn of(findings: &'a Findings) -> Self {
        Self::of_groups(findings, &["depth2", "beyond", "depths"])
    }

    /// With the curves of the simulations.
    fn with_simulated_curves(findings: &'a Findings) -> Self {
        Self::of_groups(findings, &["curves"])
    }

    /// The figures in golden files with one pair of curves.
    fn of_groups(findings: &'a Findings, groups: &[&'a str]) -> Self {
        let all = groups.iter().flat_map(|group| findings.published(group));
        let wide = |model: &&Model| model.increments().iter().all(|&increment| increment == WIDTH);
        let entries: Vec<(&Model, &Comparison)> = all
            .filter_map(|comparison| Some((model_of(&comparison.entry.quantity).filter(wide)?, comparison)))
            .collect();
        // Figures on coarse grids are only for a quick check.
        let is_finest = |(_, comparison): &(&Model, &Comparison)| {
            let quantity = &comparison.entry.quantity;
            !entries.iter().any(|(_, other)| is_coarser(quantity, &other.entry.quantity))
        };
        Self { entries: entries.iter().copied().filter(is_finest).collect() }
    }

    fn find(&self, depth: usize, root: i32, is: impl Fn(&Quantity) -> bool) -> Option<Known> {
        let (_, comparison) = self.entries.iter().find(|(model, comparison)| {
            model.depth() == depth && model.root().get() == root && is(&comparison.entry.quantity)
        })?;
        let value = comparison.ours_f64()?;
        Some(Known { value, ends: comparison.ours.figure.as_ref().and_then(Figure::margin_ends) })
    }

    /// The difference: exact, or estimated.
    fn difference(&self, depth: usize, root: i32) -> Option<Known> {
        self.find(depth, root, |quantity| {
            matches!(
                quantity,
                Quantity::DifferencePercent(_)
                    | Quantity::Law { figure: LawFigure::DifferencePercent, answer: LawAnswer::Estimate, .. }
            )
        })
    }

    /// The interval that certainly contains the difference; a point if that is exact.
    fn certain(&self, depth: usize, root: i32) -> Option<[f64; 2]> {
        let exact = |quantity: &Quantity| matches!(quantity, Quantity::DifferencePercent(_));
        if let Some(known) = self.find(depth, root, exact) {
            return Some([known.value; 2]);
        }
        let bounds = |quantity: &Quantity| {
            let Quantity::Law { figure, answer, .. } = quantity else { return false };
            *figure == LawFigure::DifferencePercent && *answer == LawAnswer::Bounds
        };
        self.find(depth, root, bounds)?.ends
    }

    fn efficiency(&self, depth: usize, root: i32, rule: &Rule) -> Option<Known> {
        let of_law = match rule {
            Rule::Minimax(_) => LawFigure::MinimaxEfficiency,
            _ => LawFigure::ProductEfficiency,
        };
        self.find(depth, root, |quantity| match quantity {
            Quantity::Efficiency { rule: of, .. } => of == rule,
            Quantity::Law { figure, .. } => *figure == of_law,
            _ => false,
        })
    }

    fn threshold(&self, depth: usize, root: i32) -> Option<Known> {
        self.find(depth, root, |quantity| matches!(quantity, Quantity::LawThresholdPercent { .. }))
    }

    fn random_won(&self, depth: usize, root: i32) -> Option<f64> {
        let is = |quantity: &Quantity| matches!(quantity, Quantity::Law { figure: LawFigure::RandomWon, .. });
        Some(self.find(depth, root, is)?.value)
    }
}

/// The root at which chances are about even.
fn even_root(depth: usize) -> i32 {
    if depth.is_multiple_of(2) { EVEN_CHANCES } else { -EVEN_CHANCES }
}

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let wide = Wide::of(findings);
    if wide.threshold(*DEPTHS.start(), ROOT).is_none() {
        return Ok(None);
    }
    let mut section = Section::new("any-depth", "Beyond the paper: any depth at full width");
    section.p(introduction());
    section.p(certainty(&wide));
    section.figures([figures::difference(&wide)?, figures::efficiency(&wide)?]);
    section.p(efficiency(&wide));
    section.folded_table("Every depth and root", tables::differences(&wide));
    section.heading("Why odd and even depths differ");
    section.p(staircase(&wide));
    section.table(tables::staircase(&wide));
    section.heading("Uniform errors: the threshold at every depth");
    section.p(threshold(&wide));
    section.figures([figures::threshold(&wide)?]);
    section.heading("Single decisions and whole games");
    let depths = findings.comparisons.iter().filter_map(|figure| match figure.entry.quantity {
        Quantity::Simulated { d, .. } => Some(d),
        _ => None,
    });
    let deepest = depths.max();
    section.p(html! {
        "KHS’s Tables III and IV are about whole games from the positions of stored trees"
        @if let Some(deepest) = deepest { ", with searches to depth " (deepest) }
        ". A game is \
         many decisions, and a pair of games is critical if the two rules end it differently; so its shares are not those of \
         single decisions. They can be compared only at equal curves: section V of the paper, and so this one, has a truth with \
         c\u{a0}=\u{a0}4, section VI one with c\u{a0}=\u{a0}16."
    });
    section.table(tables::games(&tables::both_curves(findings)));
    section.p(games(findings));
    section.data.push(("any-depth".to_owned(), json!(data(&wide))));
    Ok(Some(section))
}

fn data(wide: &Wide<'_>) -> Vec<serde_json::Value> {
    let number =
        |known: Option<Known>| known.map(|known| json!({ "value": known.value, "margin": known.ends }));
    let [minimax, product] = &khs_rules();
    let row = |depth: usize, root: i32| {
        Some(json!({
            "depth": depth,
            "root": root,
            "difference_percent": number(wide.difference(depth, root))?,
            "certain": wide.certain(depth, root),
            "efficiency": {
                "minimax": number(wide.efficiency(depth, root, minimax)),
                "product": number(wide.efficiency(depth, root, product)),
            },
            "threshold_percent": number(wide.threshold(depth, root)),
        }))
    };
    DEPTHS.flat_map(|depth| ROOTS.into_iter().filter_map(move |root| row(depth, root))).collect()
}

fn introduction() -> Markup {
    // The increments of a binary tree.
    let increments: u32 = (1..=*DEPTHS.end() as u32).map(|level| 1 << level).sum();
    html! {
        "KHS write that an exhaustive study cannot be extended further than they did. Enumerating classes does end at depth "
        (ENUMERATED) ", but the sums over critical trees need only the joint law of the minimax and the product value of a move, \
         with and without the truth. It follows level by level from the laws of the moves below: at a MIN node " (var("p"))
        " is multiplied, at a MAX node 1\u{a0}−\u{a0}" (var("p")) ", and within the trees with a minimax value of at least some "
        (var("m")) " moves stay independent. That takes some convolutions per level, however many trees there are: "
        (WIDTH + 1) sup { (increments) } " at depth " (DEPTHS.end()) ". Rounding every product value down in one run and up in \
         another gives bounds that are certain. Splitting it between its neighbours gives estimates that are far sharper; their \
         margin is itself an estimate."
    }
}

/// Whether the sign and the growth of the lead are certain.
fn certainty(wide: &Wide<'_>) -> Markup {
    let interval = |depth: usize, root: i32| wide.certain(depth, root);
    let models = || DEPTHS.flat_map(|depth| ROOTS.into_iter().map(move |root| (depth, root)));
    let intervals: Vec<[f64; 2]> = models().filter_map(|(depth, root)| interval(depth, root)).collect();
    let ahead = intervals.iter().filter(|[_, high]| *high < 0.0).count();
    // Two levels deeper, from the same root.
    let steps: Vec<bool> = models()
        .filter_map(|(depth, root)| Some(interval(depth + 2, root)?[1] < interval(depth, root)?[0]))
        .collect();
    let grown = steps.iter().filter(|&&grown| grown).count();
    let widest = extremes(intervals.iter().map(|[low, high]| high - low)).map_or(0.0, |(_, most)| most);
    let outside: Vec<String> = ROOTS
        .into_iter()
        .filter(|root| !has_room(*root, *DEPTHS.end()))
        .map(|root| plot::root(root.into()))
        .collect();
    html! {
        "With truth " i { "w" sub { "4" } } " and estimate " i { "w" sub { "1" } } " Product is certain to err less in critical trees in "
        (out_of(ahead, intervals.len())) " models: the whole interval of the difference lies below 0. With two levels more the \
         difference has grown for certain in " (out_of(grown, steps.len())) " cases: the intervals do not touch. The widest of them \
         spans " (fixed(widest, 2)) " points. That is relative to the errors in critical trees; what is gained over all trees is \
         the efficiency below."
        @if !outside.is_empty() {
            " At depth " (DEPTHS.end()) " the line from −" (Line::DEFAULT_H_MAX) " to +" (Line::DEFAULT_H_MAX)
            " has no room for the roots " (and(&outside)) "."
        }
    }
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// The mean in percent over the roots that have room at every depth.
fn mean_efficiency(wide: &Wide<'_>, depth: usize, rule: &Rule) -> Option<f64> {
    mean(inner_roots().filter_map(|root| wide.efficiency(depth, root, rule)).map(|known| 100.0 * known.value))
}

fn efficiency(wide: &Wide<'_>) -> Markup {
    let range = |rule: &Rule| extremes(DEPTHS.filter_map(|depth| mean_efficiency(wide, depth, rule)));
    let [minimax, product] = &khs_rules();
    let lead = |depth| Some(mean_efficiency(wide, depth, product)? - mean_efficiency(wide, depth, minimax)?);
    let leads: Vec<String> = [2, 4, 6, 8, 10]
        .into_iter()
        .filter_map(|depth| Some(format!("{} points at depth {depth}", fixed(lead(depth)?, 1))))
        .collect();
    html! {
        "Efficiency is the part of what can be won beyond a random choice."
        @if let [Some(minimax), Some(product)] = khs_rules().each_ref().map(range) {
            " On average over the roots " (inner_roots_named()) ", Minimax stays between " (fixed(minimax.0, 1)) " and " (fixed(minimax.1, 1)) "\u{a0}% from depth "
            (DEPTHS.start()) " to " (DEPTHS.end()) ", Product between " (fixed(product.0, 1)) " and " (fixed(product.1, 1))
            "\u{a0}%. Product’s lead in efficiency is " (and(&leads)) "."
        }
    }
}

/// Which depths bring the larger steps: the even ones or the odd ones.
fn larger_steps(differences: &[(usize, f64)]) -> Option<&'static str> {
    let step = |parity: usize| {
        let pairs = differences.windows(2).filter(move |pair| pair[1].0 % 2 == parity);
        mean(pairs.map(|pair| pair[0].1 - pair[1].1))
    };
    let (even, odd) = (step(0)?, step(1)?);
    Some(if even > odd { "even" } else { "odd" })
}

fn staircase(wide: &Wide<'_>) -> Markup {
    let chance = |parity: usize| {
        extremes(DEPTHS.filter(|depth| depth % 2 == parity).filter_map(|depth| wide.random_won(depth, ROOT)))
    };
    let differences = |root: &dyn Fn(usize) -> i32| -> Vec<(usize, f64)> {
        DEPTHS.filter_map(|depth| Some((depth, wide.difference(depth, root(depth))?.value))).collect()
    };
    let usual = larger_steps(&differences(&|_| ROOT));
    let even_chances = larger_steps(&differences(&even_root));
    html! {
        "MAX moves up the line and MIN down, and MAX moves first: at odd depths MAX has made one move more."
        @if let (Some(even), Some(odd)) = (chance(0), chance(1)) {
            " A random move from root +" (ROOT) " is therefore won with a probability of " (fixed(odd.0, 2)) " to "
            (fixed(odd.1, 2)) " at odd depths, but only of " (fixed(even.0, 2)) " to " (fixed(even.1, 2)) " at even ones."
        }
        " So the same root stands for different positions: the clearer a position is, won or lost, the rarer are errors and the \
         larger is the difference between the rules relative to them."
        @if let (Some(usual), Some(even)) = (usual, even_chances) {
            " From root +" (ROOT) " the lead grows more when the depth becomes " (usual) ". Where chances are about even, from \
             root +" (EVEN_CHANCES) " at even depths and −" (EVEN_CHANCES) " at odd ones, it grows more when the depth becomes "
            (even)
            @if usual == even { ", too." } @else { ": the steps of the staircase change places." }
        }
    }
}

fn threshold(wide: &Wide<'_>) -> Markup {
    let at = |depth: usize| {
        let known = ROOTS.into_iter().filter_map(|root| wide.threshold(depth, root));
        let (least, most) = extremes(known.map(|known| known.value))?;
        Some(format!("{least:.1} to {most:.1}\u{a0}% at depth {depth}"))
    };
    let ranges: Vec<String> = [2, 3, 4, 6, 8, 10].into_iter().filter_map(at).collect();
    html! {
        "If every leaf is wrong with the same probability, Minimax errs less often below some threshold (formula (7) at depth 2). \
         The threshold moves with depth: it is " (and(&ranges)) "."
    }
}

/// What remains between single decisions and whole games if the curves are the same.
fn games(findings: &Findings) -> Markup {
    let both = tables::both_curves(findings);
    let trend = |at: &tables::AtCurves<'_>| {
        let rows: Vec<tables::GamesRow> = at.rows().collect();
        let (first, last) = (rows.first()?, rows.last()?);
        Some(format!(
            "with {} from {:.1} to {:.1}\u{a0}% in decisions and from {:.1} to {:.1}\u{a0}% in games",
            at.name(),
            first.decisions,
            last.decisions,
            first.games_percent(),
            last.games_percent()
        ))
    };
    let trends: Vec<String> = both.iter().filter_map(trend).collect();
    let rows: Vec<tables::GamesRow> = both.iter().flat_map(tables::AtCurves::rows).collect();
    let nearer = rows.iter().filter(|row| row.is_nearer_to_even()).count();
    let gap = |curves: &[&tables::AtCurves<'_>]| {
        let gaps =
            curves.iter().flat_map(|at| at.rows()).map(|row| (row.games_percent() - row.decisions).abs());
        extremes(gaps).map(|(_, most)| most)
    };
    // What the paper's own comparison would be: decisions of section V beside games of section VI.
    let across = match &both[..] {
        [one, other] => {
            extremes(one.rows().zip(other.rows()).map(|(one, other)| (other.decisions - one.decisions).abs()))
        }
        _ => None,
    };
    html! {
        @if !trends.is_empty() {
            "From the shallowest to the deepest search Minimax’s part goes " (and(&trends)) ": at equal curves decisions and games \
             move in the same direction. In " (out_of(nearer, rows.len())) " rows games are nearer to 50\u{a0}% than decisions. "
        }
        @if let (Some(within), Some((_, across))) = (gap(&both.iter().collect::<Vec<_>>()), across) {
            "What remains between decisions and games at equal curves is at most " (fixed(within, 1))
            " points; between the two pairs of curves decisions alone differ by up to " (fixed(across, 1)) "."
        }
    }
}

/// The root of the finding, and those that are named beside it.
const FINDING_ROOT: i32 = -1;
const OTHER_ROOTS: [i32; 2] = [1, -6];

/// Who has the greater efficiency at a depth; `None` if the margins do not tell.
fn leader(wide: &Wide<'_>, depth: usize, root: i32) -> Option<&'static str> {
    let ends = |rule: &Rule| {
        let known = wide.efficiency(depth, root, rule)?;
        Some(known.ends.unwrap_or([known.value; 2]))
    };
    let [minimax, product] = khs_rules();
    let ([m_low, m_high], [p_low, p_high]) = (ends(&minimax)?, ends(&product)?);
    match () {
        () if p_low > m_high => Some("Product"),
        () if m_low > p_high => Some("Minimax"),
        () => None,
    }
}

/// The depths of a root, and from which of them on the leader of the deepest one has the lead.
fn lead_from(wide: &Wide<'_>, root: i32) -> Option<(&'static str, usize, usize)> {
    let depths: Vec<usize> =
        DEPTHS.filter(|depth| wide.efficiency(*depth, root, &khs_rules()[0]).is_some()).collect();
    let deepest = *depths.last()?;
    let name = leader(wide, deepest, root)?;
    let from = depths.iter().rev().take_while(|depth| leader(wide, **depth, root) == Some(name)).last()?;
    Some((name, *from, deepest))
}

/// What the curves do to the comparison over depth.
pub(super) fn finding(findings: &Findings) -> Option<Finding> {
    let (stated, simulated) = (Wide::of(findings), Wide::with_simulated_curves(findings));
    let (first, from, deepest) = lead_from(&stated, FINDING_ROOT)?;
    let (other, other_from, other_deepest) = lead_from(&simulated, FINDING_ROOT)?;
    let [minimax, product] = &khs_rules();
    let lead = |wide: &Wide<'_>, depth: usize, root: i32| {
        let of = |rule| wide.efficiency(depth, root, rule).map(|known| 100.0 * known.value);
        Some(of(product)? - of(minimax)?)
    };
    let efficiencies = |wide: &Wide<'_>, depths: &[usize]| {
        let one = |&depth: &usize| {
            let of = |rule| wide.efficiency(depth, FINDING_ROOT, rule).map(|known| 100.0 * known.value);
            Some(format!("{:.1} and {:.1}\u{a0}% at depth {depth}", of(product)?, of(minimax)?))
        };
        and(&depths.iter().filter_map(one).collect::<Vec<_>>())
    };
    let others: Vec<String> = OTHER_ROOTS
        .iter()
        .filter_map(|&root| {
            let (name, from, _) = lead_from(&simulated, root)?;
            Some(format!("from root {} {name} from depth {from} on", plot::root(root.into())))
        })
        .collect();
    let certain: Vec<String> = DEPTHS
        .filter_map(|depth| {
            let [low, high] = simulated.certain(depth, FINDING_ROOT)?;
            Some(format!("{} to {} at depth {depth}", fixed(low, 1), fixed(high, 1)))
        })
        .collect();
    let difference = |depth| stated.difference(depth, FINDING_ROOT).map(|known| known.value);
    let middle = 6;
    Some(Finding {
        sentence: html! {
            "The curves, not the depth, decide who leads: with truth " i { "w" sub { "4" } } " and estimate " i { "w" sub { "1" } } " "
            (first) " is more efficient at every depth from " (from) " to " (deepest) ", with the curves of KHS’s simulations ("
            code { "pearl:16" } ", " code { "pearl:1" } ") " (other) " from depth " (other_from) " to " (other_deepest) " (root "
            (plot::root(FINDING_ROOT.into())) ", increments " (WIDTH) " at every level)."
        },
        holds_for: html! {
            "Efficiency of Product and Minimax with w" sub { "4" } ": " (efficiencies(&stated, &[2, 4, 6, 8])) "; with the curves of \
             the simulations: " (efficiencies(&simulated, &[2, 3, 4, 6, 8])) ". "
            @if !others.is_empty() { "With those curves, " (and(&others)) ". " }
            @if !certain.is_empty() {
                "There KHS’s difference favours Minimax for certain: " (and(&certain)) "\u{a0}%."
            }
        },
        otherwise: html! {
            @if let (Some(shallow), Some(deep)) = (difference(from), difference(deepest)) {
                "With w" sub { "4" } " KHS’s difference goes from " (fixed(shallow, 1)) " to " (fixed(deep, 1))
                "\u{a0}% with depth; that is a growing lead in one measure only"
                @if let (Some(a), Some(b), Some(c)) =
                    (lead(&stated, from, FINDING_ROOT), lead(&stated, middle, FINDING_ROOT), lead(&stated, deepest, FINDING_ROOT)) {
                    ": in efficiency Product leads by " (fixed(a, 1)) ", " (fixed(b, 1)) " and " (fixed(c, 1))
                    " points at depths " (from) ", " (middle) " and " (deepest)
                }
                ". "
            }
            "Compare even depths with even ones, because MAX moves once more at odd depths."
        },
        command: format!(
            "prodmax mass --root {FINDING_ROOT} --increments 8,8,8 --truth pearl:16 --estimate pearl:1 --quality"
        ),
        more: "any-depth",
    })
}
