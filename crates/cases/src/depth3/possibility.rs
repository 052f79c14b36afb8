//! Whether an order type can be critical: Minimax prefers M and Product can prefer P.

use super::order_type::OrderType;
use super::proof::Proof;
use super::witness::Witness;

/// Whether Minimax and Product can differ in an order type, with M Minimax's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Possibility {
    /// Minimax prefers P: with the names of M and P swapped this is another type.
    MinimaxPrefersP,
    /// Product prefers P for these probabilities.
    Possible(Witness),
    /// Product prefers P for no probabilities.
    Impossible(Proof),
    /// Neither a witness nor a proof was found. No type is left undecided.
    Undecided,
}

impl Possibility {
    /// Decides the order type: by the minimax values, then by a proof, then by a witness.
    ///
    /// ```
    /// use prodmax_cases::depth3::{OrderType, Possibility};
    /// // One high leaf of P makes Product prefer a node that Minimax considers lost.
    /// let order = OrderType::of_values(&[4, 1, 5, 2, 8, 7, 3, 0]);
    /// assert!(matches!(Possibility::of(&order), Possibility::Possible(_)));
    /// ```
    pub fn of(order: &OrderType) -> Self {
        if !order.minimax_prefers_m() {
            return Self::MinimaxPrefersP;
        }
        if let Some(proof) = Proof::search(order) {
            return Self::Impossible(proof);
        }
        Witness::search(order).map_or(Self::Undecided, Self::Possible)
    }

    /// Whether the two rules can differ.
    pub fn is_possible(&self) -> bool {
        matches!(self, Self::Possible(_))
    }

    /// `minimax prefers P`, `possible`, `impossible` or `undecided`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::MinimaxPrefersP => "minimax prefers P",
            Self::Possible(_) => "possible",
            Self::Impossible(_) => "impossible",
            Self::Undecided => "undecided",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn possibilities_have_names() {
        let name = |values: [i32; 8]| Possibility::of(&OrderType::of_values(&values)).name();
        assert_eq!(name([4, 1, 5, 2, 8, 7, 3, 0]), "possible");
        assert_eq!(name([8, 7, 6, 5, 4, 3, 2, 1]), "impossible", "all of M is above all of P");
        assert_eq!(name([4, 3, 2, 1, 8, 7, 6, 5]), "minimax prefers P");
        assert_eq!(Possibility::Undecided.name(), "undecided");
    }
}
