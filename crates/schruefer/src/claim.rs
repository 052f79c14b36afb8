//! Is (2.6) exact in Schruefer's model, as Baum claims?
//!
//! A mover knows what a shallow search says about each move and will know what a deep search says. The exact value is
//! the mean of the greatest probability of winning given everything that is known then. (2.6) treats each move
//! separately, with the hints (3.5) to (3.8). Three worlds are enumerated outcome by outcome; they differ in how
//! moves and searches depend on each other.

use num_traits::{One, Zero};
use prodmax_number::Fraction;
use prodmax_rules::formula_2_6::{Hint, value_with_hints};
use prodmax_rules::numbers::Fractions;

use crate::errors::{EvaluationErrors, Schruefer};
use crate::hints::{DeepHints, Reliability, posterior};

/// How moves and searches depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum World {
    /// Moves are independent, and the shallow search knows nothing that the deep one does not: it is a blurred
    /// version of it. This is what the hints (3.5) to (3.8) assume.
    Blurred,
    /// Moves are independent; given the truth, so are the searches.
    IndependentSearches,
    /// Schruefer's: exactly n moves of a won position win, and no move of a lost one. Given the truth, searches are
    /// independent, because they evaluate different leaves.
    Schruefer,
}

impl World {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Blurred, Self::IndependentSearches, Self::Schruefer];

    /// The name that readers see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Blurred => "independent moves, shallow search a blurred deep one",
            Self::IndependentSearches => "independent moves, independent searches",
            Self::Schruefer => "Schruefer's model",
        }
    }
}

/// Whose errors e+ and e- are in the hints (3.5) to (3.8). Baum calls them those of a "state".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Superscripts {
    /// Those about a move, as the derivation of the hints needs them: e+ if a winning move is taken for a losing one. The
    /// position it leads to is lost for the opponent, so this is e- of (3.4).
    Move,
    /// Those about the position that a move leads to, as in (3.4), literally.
    Position,
}

/// A position whose moves have been searched to height `shallow` and will be searched to height `deep`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The tree.
    pub model: Schruefer,
    /// The errors of the leaves.
    pub leaves: EvaluationErrors,
    /// The height of the search whose result is known.
    pub shallow: usize,
    /// The height of the search to come.
    pub deep: usize,
    /// The probability that the position is won before any search.
    pub won: Fraction,
    /// Whose errors are in the hints.
    pub superscripts: Superscripts,
}

/// The values for one result of the shallow search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimComparison {
    /// What it says about each move.
    pub seen: Vec<bool>,
    /// The probability of this result.
    pub probability: Fraction,
    /// The value by (2.6).
    pub formula: Fraction,
    /// The exact value.
    pub exact: Fraction,
}

impl Setting {
    /// The errors about a move whose position is searched to a height.
    pub fn errors(&self, height: usize) -> EvaluationErrors {
        self.model.at_height(&self.leaves, height).of_move()
    }

    /// The probability that a move wins before any search: a move of a won position wins with probability n/b.
    fn prior(&self) -> Fraction {
        &self.won * Fraction::new(self.model.losses.into(), self.model.branching.into())
    }

    /// The probability that a move wins given what the shallow search says about it, and the hint that the deep one
    /// will give; `None` if there are no such hints, because the deep search is not better.
    pub fn hinted(&self, said_won: bool) -> Option<(Fraction, Reliability)> {
        let shallow = self.errors(self.shallow);
        Some((posterior(&self.prior(), &shallow, said_won)?, self.hints()?.after(said_won).clone()))
    }

    /// (3.5) to (3.8); `None` if there are no such hints.
    pub fn hints(&self) -> Option<DeepHints> {
        let [shallow, deep] = [self.shallow, self.deep].map(|height| match self.superscripts {
            Superscripts::Move => self.errors(height),
            Superscripts::Position => self.errors(height).of_move(),
        });
        DeepHints::of(&shallow, &deep).filter(DeepHints::are_possible)
    }
}

/// Compares (2.6) with the exact value for every result of the shallow search; `None` if there are no such hints,
/// because the deep search is not better.
pub fn compare(world: World, setting: &Setting) -> Option<Vec<ClaimComparison>> {
    let (shallow, deep) = (setting.errors(setting.shallow), setting.errors(setting.deep));
    setting.hints()?;
    let moves = setting.model.branching as usize;
    let prior = setting.prior();
    let says_shallow = match world {
        World::Blurred => blurred(&shallow, &deep)?,
        _ => Box::new(move |_, won, said| shallow.says(said, won)),
    };
    let patterns =
        || (0u32..1 << moves).map(|bits| (0..moves).map(|i| bits >> i & 1 == 1).collect::<Vec<bool>>());
    let mut found = Vec::new();
    for seen in patterns() {
        let (mut probability, mut best) = (Fraction::zero(), Fraction::zero());
        for revised in patterns() {
            // Pr(seen, revised, move i won) for each move i.
            let mut joint = vec![Fraction::zero(); moves];
            for truth in patterns() {
                let each = (0..moves)
                    .map(|i| deep.says(revised[i], truth[i]) * says_shallow(revised[i], truth[i], seen[i]));
                let all =
                    each.fold(truth_probability(world, setting, &prior, &truth), |product, p| product * p);
                probability += &all;
                for (sum, won) in joint.iter_mut().zip(&truth) {
                    if *won {
                        *sum += &all;
                    }
                }
            }
            best += joint.into_iter().max().unwrap_or_else(Fraction::zero);
        }
        if probability.is_zero() {
            continue;
        }
        let hinted: Option<Vec<_>> = seen
            .iter()
            .map(|&said| {
                let (x, hint) = setting.hinted(said)?;
                Some((x, Hint::new(Fractions, &hint.won, &hint.lost)))
            })
            .collect();
        let formula = value_with_hints(Fractions, &hinted?);
        let exact = best / &probability;
        found.push(ClaimComparison { seen, probability, formula, exact });
    }
    Some(found)
}

/// Pr(what the shallow search says | what the deep one says, the truth).
type Says = Box<dyn Fn(bool, bool, bool) -> Fraction>;

/// The blurring of the deep search that has the errors of the shallow one: Pr(shallow says 1 | deep says 1) = a and
/// Pr(shallow says 1 | deep says 0) = c, from 1 - e_l+ = (1 - e_d+) a + e_d+ c and e_l- = e_d- a + (1 - e_d-) c.
fn blurred(shallow: &EvaluationErrors, deep: &EvaluationErrors) -> Option<Says> {
    let one = Fraction::one();
    let determinant = &one - &deep.plus - &deep.minus;
    if determinant.is_zero() {
        return None;
    }
    let (y1, y0) = (&one - &shallow.plus, &shallow.minus);
    let a = (&y1 * (&one - &deep.minus) - &deep.plus * y0) / &determinant;
    let c = ((&one - &deep.plus) * y0 - &deep.minus * &y1) / &determinant;
    Some(Box::new(move |deep_said, _, said| {
        let yes = if deep_said { a.clone() } else { c.clone() };
        if said { yes } else { Fraction::one() - yes }
    }))
}

/// The probability that exactly the moves in `truth` win.
fn truth_probability(world: World, setting: &Setting, prior: &Fraction, truth: &[bool]) -> Fraction {
    let wins = truth.iter().filter(|&&won| won).count() as u32;
    let model = &setting.model;
    match world {
        World::Schruefer if wins == 0 => Fraction::one() - &setting.won,
        World::Schruefer if wins == model.losses => &setting.won / choices(model.branching, model.losses),
        World::Schruefer => Fraction::zero(),
        _ => {
            let each = truth.iter().map(|&won| if won { prior.clone() } else { Fraction::one() - prior });
            each.fold(Fraction::one(), |product, p| product * p)
        }
    }
}

/// The number of ways to choose k of n.
fn choices(n: u32, k: u32) -> Fraction {
    (0..k).fold(Fraction::one(), |product, i| product * Fraction::new((n - i).into(), (i + 1).into()))
}

/// The smallest model, by branching, losses and the heights of the deep and the shallow search, in which (2.6) is not
/// exact; up to three moves and height 2.
pub fn smallest_counterexample(
    world: World,
    leaves: &EvaluationErrors,
    won: &Fraction,
    superscripts: Superscripts,
) -> Option<(Setting, ClaimComparison)> {
    for branching in 1..=3 {
        for losses in 1..=branching {
            for deep in 1..=2 {
                for shallow in 0..deep {
                    let model = Schruefer { branching, losses };
                    let setting = Setting {
                        model,
                        leaves: leaves.clone(),
                        shallow,
                        deep,
                        won: won.clone(),
                        superscripts,
                    };
                    let found = compare(world, &setting).unwrap_or_default();
                    if let Some(wrong) = found.into_iter().find(|row| row.formula != row.exact) {
                        return Some((setting, wrong));
                    }
                }
            }
        }
    }
    None
}
