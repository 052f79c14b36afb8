//! The players of a simulation: a rule together with how it sees the leaves.
//!
//! Two rules meet twice, once with estimated and once with actual probabilities (see [`crate::published::Probabilities`]).
//! A rule that does not see the estimate is the same player in both contests and is searched only once: Minimax
//! against Product takes three players, two rules that both see the estimate four.

use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_rules::numbers::Doubles;
use prodmax_rules::{Backup, Leaves, Prepared, Rule, RulePair, RuleVisitor};

use crate::opponents::seen;
use crate::published::Probabilities;
use crate::search::SearchValues;

/// The values of leaves by their place on the scale, for each way of seeing them.
#[derive(Debug)]
pub(crate) struct LeafTables {
    pub(crate) heuristic: Vec<f64>,
    pub(crate) estimated: Vec<f64>,
    pub(crate) actual: Vec<f64>,
}

impl LeafTables {
    fn seen(&self, leaves: Leaves) -> &[f64] {
        match leaves {
            Leaves::Heuristic => &self.heuristic,
            Leaves::Estimate => &self.estimated,
            Leaves::Truth => &self.actual,
        }
    }
}

/// One player.
#[derive(Debug)]
pub(crate) struct RulePlayer {
    /// One per depth of the search if the rule depends on it, otherwise a single one.
    prepared: Vec<Prepared<Doubles>>,
    depends_on_depth: bool,
    /// The value of a leaf at each place.
    leaf: Vec<f64>,
}

impl RulePlayer {
    fn new(rule: &Rule, seen: &[f64], tree_depth: usize) -> Self {
        let depends_on_depth = rule.depends_on_depth();
        let greatest = if depends_on_depth { tree_depth } else { 0 };
        let prepared: Vec<_> = (0..=greatest).map(|d| rule.prepare(Doubles, d)).collect();
        let leaf = seen.iter().map(|&seen| prepared[0].leaf(seen)).collect();
        Self { prepared, depends_on_depth, leaf }
    }

    /// Gives all nodes their static values.
    pub(crate) fn start(&self, places: &[u16], search: &mut SearchValues) {
        search.start(places, &self.leaf);
    }

    /// Gives all nodes the values that searches to depth `d` (at least 1) compare at their parents: backed up from
    /// `d-1` levels below, as in a search of depth `d`. Continues from a shallower search, unless the rule depends on
    /// the depth: then the values of that search are useless. When `interrupt` becomes true, the values are meaningless.
    pub(crate) fn search(&self, d: usize, places: &[u16], search: &mut SearchValues, interrupt: &AtomicBool) {
        if self.depends_on_depth && search.depth() > 0 {
            self.start(places, search);
        }
        let rule = &self.prepared[d.min(self.prepared.len() - 1)];
        while search.depth() + 1 < d && !interrupt.load(Ordering::Relaxed) {
            rule.visit(Deepen(search));
        }
    }
}

/// [`SearchValues::deepen`], compiled for each rule.
struct Deepen<'a>(&'a mut SearchValues);

impl RuleVisitor<Doubles> for Deepen<'_> {
    type Output = ();

    fn visit<R: Backup<Doubles>>(self, rule: &R) {
        self.0.deepen(rule);
    }
}

/// All players, and who plays whom.
#[derive(Debug)]
pub(crate) struct LineUp {
    pub(crate) players: Vec<RulePlayer>,
    /// The first and the second player of each contest, in the order of [`Probabilities::ALL`].
    pub(crate) contests: [[usize; 2]; 2],
}

impl LineUp {
    pub(crate) fn new(rules: &RulePair, leaves: &LeafTables, tree_depth: usize) -> Self {
        let mut who: Vec<(&Rule, Leaves)> = Vec::new();
        let contests = Probabilities::ALL.map(|probabilities| {
            rules.named().each_ref().map(|named| {
                let rule = &named.rule;
                let player = (rule, seen(rule, probabilities));
                who.iter().position(|other| *other == player).unwrap_or_else(|| {
                    who.push(player);
                    who.len() - 1
                })
            })
        });
        let player = |&(rule, seen): &(&Rule, Leaves)| RulePlayer::new(rule, leaves.seen(seen), tree_depth);
        Self { players: who.iter().map(player).collect(), contests }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_player_is_searched_twice() {
        let leaves = LeafTables { heuristic: vec![1.0], estimated: vec![0.5], actual: vec![0.7] };
        let line_up = |first: &str, second: &str| {
            let rules: RulePair = format!("{first},{second}").parse().unwrap();
            let LineUp { players, contests } = LineUp::new(&rules, &leaves, 3);
            (players.iter().map(|player| player.leaf[0]).collect::<Vec<_>>(), contests)
        };
        assert_eq!(line_up("minimax", "product"), (vec![1.0, 0.5, 0.7], [[0, 1], [0, 2]]));
        assert_eq!(line_up("mean:2", "product"), (vec![0.25, 0.5, 0.7 * 0.7, 0.7], [[0, 1], [2, 3]]));
        assert_eq!(line_up("minimax", "ideal"), (vec![1.0, 0.7], [[0, 1], [0, 1]]));
        assert_eq!(line_up("product", "ideal"), (vec![0.5, 0.7, 0.7], [[0, 1], [2, 1]]));
    }
}
