//! Examples like KHS's Figs. 1 and 2, found by search.

use prodmax_enumerate::{HeuristicValue, Line, Tree};
use prodmax_rules::CurveTable;

use crate::arithmetic::{Arithmetic, Float};

/// Which of KHS's figures an example is like. Their leaf values are not in the text, so they are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperFigure {
    /// Fig. 1: one gross evaluation error (D looks lost but is won) makes Minimax leave the won B for the lost E.
    MinimaxErrs,
    /// Fig. 2: no evaluation error at all, but Product prefers E = {F, G}, with F = -1 lost and G very high, to the
    /// safely won B = {C, D}.
    ProductErrs,
}

impl PaperFigure {
    /// The example: among the trees ((C D) (F G)) with leaves between -`reach` and `reach`, the one with the grossest
    /// error D (Fig. 1), and among those the one with the smallest values.
    pub fn search(self, line: &Line, estimate: &CurveTable, reach: i64) -> Option<Tree> {
        let values: Vec<HeuristicValue> = (-reach..=reach).filter_map(|h| line.value(h).ok()).collect();
        let size = |leaves: &[HeuristicValue]| leaves.iter().map(|h| h.get().abs()).sum::<i32>();
        let mut best: Option<(i32, i32, Vec<HeuristicValue>)> = None;
        for &c in &values {
            for &d in values.iter().filter(|d| **d <= c) {
                for &f in &values {
                    for &g in values.iter().filter(|g| f <= **g) {
                        let leaves = vec![c, d, f, g];
                        let gross = match self {
                            Self::MinimaxErrs => d.get(),
                            Self::ProductErrs => 0,
                        };
                        let key = (gross, size(&leaves), leaves);
                        if best.as_ref().is_none_or(|best| key < *best) && self.fits(&key.2, estimate) {
                            best = Some(key);
                        }
                    }
                }
            }
        }
        Tree::new(best?.2).ok()
    }

    /// Whether the tree shows what the figure does. True values: only D of Fig. 1 is evaluated wrongly.
    fn fits(self, leaves: &[HeuristicValue], estimate: &CurveTable) -> bool {
        let [c, d, f, g] = [0, 1, 2, 3].map(|leaf| leaves[leaf].get());
        let signs = match self {
            // B = {C, D} is won although D looks lost; F is lost; Minimax prefers E = {F, G} because F > D.
            Self::MinimaxErrs => c > 0 && d < f && f < 0 && g > 0,
            // C and D are won, F = -1 is lost; Minimax prefers B because both are above F.
            Self::ProductErrs => c > d && d > 0 && f == -1 && g > 0,
        };
        let arithmetic = Float(estimate);
        let product = |a: usize, b: usize| arithmetic.leaf(leaves[a]) * arithmetic.leaf(leaves[b]);
        let (b, e) = (product(0, 1), product(2, 3));
        signs && if self == Self::MinimaxErrs { b > e + 1e-9 } else { e > b + 1e-9 }
    }
}
