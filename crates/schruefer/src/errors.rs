//! Schruefer's model: a Win node has n Loss and b - n Win children, a Loss node has b Win children; values are those
//! for the side to move.

use num_traits::{One, Zero};
use prodmax_number::Fraction;

/// The uniform tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Schruefer {
    /// b, the number of children of every node.
    pub branching: u32,
    /// n, the number of Loss children of a Win node: at least 1, at most b.
    pub losses: u32,
}

/// How often an evaluation is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluationErrors {
    /// e+: how often a Win is mistaken for a Loss.
    pub plus: Fraction,
    /// e-: how often a Loss is mistaken for a Win.
    pub minus: Fraction,
}

fn power(base: &Fraction, exponent: u32) -> Fraction {
    (0..exponent).fold(Fraction::one(), |product, _| product * base)
}

impl EvaluationErrors {
    /// From e+ and e-.
    pub fn new(plus: Fraction, minus: Fraction) -> Self {
        Self { plus, minus }
    }

    /// The errors about a move rather than the position it leads to: a won move leads to a position that is lost for
    /// the opponent.
    #[must_use]
    pub fn of_move(&self) -> Self {
        Self { plus: self.minus.clone(), minus: self.plus.clone() }
    }

    /// Pr(evaluated as won) for a Win or a Loss.
    pub fn says_won(&self, won: bool) -> Fraction {
        if won { Fraction::one() - &self.plus } else { self.minus.clone() }
    }

    /// Pr(this evaluation) for a Win or a Loss.
    pub fn says(&self, evaluated: bool, won: bool) -> Fraction {
        let yes = self.says_won(won);
        if evaluated { yes } else { Fraction::one() - yes }
    }
}

impl Schruefer {
    /// (3.4): the errors one ply higher, with values backed up by minimax.
    ///
    /// ```
    /// use prodmax_schruefer::{EvaluationErrors, Schruefer};
    /// let tenth = || prodmax_number::Fraction::new(1.into(), 10.into());
    /// let model = Schruefer { branching: 2, losses: 1 };
    /// let above = model.above(&EvaluationErrors::new(tenth(), tenth()));
    /// assert_eq!((above.plus.to_string(), above.minus.to_string()), ("9/100".into(), "19/100".into()));
    /// ```
    pub fn above(&self, below: &EvaluationErrors) -> EvaluationErrors {
        let right = Fraction::one() - &below.plus;
        let wins = self.branching.saturating_sub(self.losses);
        EvaluationErrors {
            plus: power(&below.minus, self.losses) * power(&right, wins),
            minus: Fraction::one() - power(&right, self.branching),
        }
    }

    /// The errors of a search of a given height, from those of the leaves.
    pub fn at_height(&self, leaves: &EvaluationErrors, height: usize) -> EvaluationErrors {
        (0..height).fold(leaves.clone(), |errors, _| self.above(&errors))
    }

    /// The true values of the children of a node.
    pub fn children(&self, won: bool) -> Vec<bool> {
        let losses = if won { self.losses } else { 0 };
        (0..self.branching).map(|child| child >= losses).collect()
    }
}

/// Pr(a search says "won") for a node, by enumerating all evaluations of all leaves: the slow twin of (3.4).
pub fn enumerated_says_won(
    model: &Schruefer,
    leaves: &EvaluationErrors,
    height: usize,
    won: bool,
) -> Fraction {
    fn truths(model: &Schruefer, height: usize, won: bool, list: &mut Vec<bool>) {
        match height {
            0 => list.push(won),
            _ => model.children(won).into_iter().for_each(|child| truths(model, height - 1, child, list)),
        }
    }
    fn minimax(branching: usize, height: usize, evaluations: &[bool]) -> bool {
        match height {
            0 => evaluations[0],
            _ => {
                let size = evaluations.len() / branching;
                evaluations.chunks(size).any(|below| !minimax(branching, height - 1, below))
            }
        }
    }
    let mut list = Vec::new();
    truths(model, height, won, &mut list);
    let mut sum = Fraction::zero();
    for pattern in 0u64..1 << list.len() {
        let evaluations: Vec<bool> = (0..list.len()).map(|leaf| pattern >> leaf & 1 == 1).collect();
        if minimax(model.branching as usize, height, &evaluations) {
            let says =
                list.iter().zip(&evaluations).map(|(&truth, &evaluation)| leaves.says(evaluation, truth));
            sum += says.fold(Fraction::one(), |product, each| product * each);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recursion_agrees_with_all_outcomes() {
        let leaves =
            EvaluationErrors::new(Fraction::new(1.into(), 10.into()), Fraction::new(1.into(), 7.into()));
        for (branching, losses, heights) in
            [(1, 1, 3), (2, 1, 3), (2, 2, 3), (3, 1, 2), (3, 2, 2), (3, 3, 2), (4, 2, 1)]
        {
            let model = Schruefer { branching, losses };
            for height in 0..=heights {
                let errors = model.at_height(&leaves, height);
                for won in [false, true] {
                    let all = enumerated_says_won(&model, &leaves, height, won);
                    assert_eq!(errors.says_won(won), all, "{model:?} {height} {won}");
                }
            }
        }
    }
}
