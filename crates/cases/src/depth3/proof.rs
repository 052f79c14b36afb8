//! Proofs that Product cannot prefer P, whatever the win probabilities in a given order are.
//!
//! **Domination.** Map the leaves of M one to one onto the leaves of P such that siblings go to siblings and
//! every leaf of M is greater than its partner. Product's value of a node increases with every leaf, so M's
//! value is at least P's.
//!
//! **Rebalancing.** Let four leaves have the losing probabilities q1 <= q2 <= q3 <= q4. Paired off as {a, b} and
//! {c, d} their Product value is (1 - qa qb)(1 - qc qd) = 1 - (qa qb + qc qd) + q1 q2 q3 q4, and by the
//! rearrangement inequality q1 q2 + q3 q4 >= q1 q3 + q2 q4 >= q1 q4 + q2 q3: the lower the mate of the greatest
//! leaf, the greater the value. So P may be paired off anew with a lower mate of its greatest leaf, which only
//! raises its value, and if M dominates even that, M's value is at least P's.

use std::fmt;

use super::leaf::Leaf;
use super::order_type::OrderType;

/// Why Product's value of M is at least that of P.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// M dominates P under a symmetry of the tree.
    Domination,
    /// M dominates P after P's leaves are paired off in a more balanced way.
    Rebalancing,
}

/// A partner of each leaf of M, each less than its leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Proof {
    argument: Argument,
    partners: [Leaf; 4],
}

impl Proof {
    /// Looks for partners: first those that respect P's nodes, then those that rebalance them.
    pub fn search(order: &OrderType) -> Option<Self> {
        let proofs = [Argument::Domination, Argument::Rebalancing]
            .into_iter()
            .flat_map(|argument| permutations_of_p().map(move |partners| Self { argument, partners }));
        proofs.into_iter().find(|proof| proof.holds(order))
    }

    /// Whether this proves, for every choice of probabilities in the order, that Product does not prefer P.
    pub fn holds(&self, order: &OrderType) -> bool {
        let mut sorted = self.partners;
        sorted.sort_unstable();
        let dominates = Leaf::OF_M
            .iter()
            .zip(&self.partners)
            .all(|(&leaf, &partner)| order.rank(leaf) > order.rank(partner));
        let (own, new) = (mate_of_greatest(order, Leaf::OF_P), mate_of_greatest(order, self.partners));
        let pairing = match self.argument {
            Argument::Domination => new == own,
            Argument::Rebalancing => order.rank(new) < order.rank(own),
        };
        sorted == Leaf::OF_P && dominates && pairing
    }

    /// The kind of proof.
    pub fn argument(&self) -> Argument {
        self.argument
    }

    /// The leaves of M with their partners below P.
    pub fn partners(&self) -> [(Leaf, Leaf); 4] {
        [0, 1, 2, 3].map(|k| (Leaf::OF_M[k], self.partners[k]))
    }
}

/// The sibling of the greatest of four leaves that are paired off as {first, second} and {third, fourth}; it
/// determines the pairing.
fn mate_of_greatest(order: &OrderType, leaves: [Leaf; 4]) -> Leaf {
    let greatest = (0..4).max_by_key(|&k| order.rank(leaves[k])).unwrap_or(0);
    leaves[greatest ^ 1]
}

/// The 24 orders of P's leaves.
fn permutations_of_p() -> impl Iterator<Item = [Leaf; 4]> {
    let choices = (0..256usize).map(|code| [0, 2, 4, 6].map(|shift| Leaf::OF_P[code >> shift & 3]));
    choices.filter(|leaves| Leaf::OF_P.iter().all(|leaf| leaves.contains(leaf)))
}

impl fmt::Display for Proof {
    /// `M11 > P12, …`, the leaves of M in order; a rebalanced pairing is said first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.argument == Argument::Rebalancing {
            let [a, b, c, d] = self.partners;
            write!(f, "P paired as {{{a}, {b}}}, {{{c}, {d}}}: ")?;
        }
        let terms = self.partners().map(|(leaf, partner)| format!("{leaf} > {partner}"));
        f.write_str(&terms.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_24_permutations() {
        let all: Vec<_> = permutations_of_p().collect();
        assert_eq!(all.len(), 24);
        assert!(all.iter().enumerate().all(|(k, one)| !all[..k].contains(one)));
    }

    #[test]
    fn the_mate_of_the_greatest_is_its_sibling_wherever_it_stands() {
        // P11 is the greatest leaf of P.
        let order = OrderType::of_values(&[8, 7, 6, 5, 4, 3, 2, 1]);
        let [p11, p12, p21, p22] = Leaf::OF_P;
        for leaves in [[p11, p12, p21, p22], [p12, p11, p21, p22], [p21, p22, p11, p12], [p21, p22, p12, p11]]
        {
            assert_eq!(mate_of_greatest(&order, leaves), p12, "{leaves:?}");
        }
        assert_eq!(mate_of_greatest(&order, [p21, p11, p12, p22]), p21);
    }

    #[test]
    fn a_proof_must_dominate_and_respect_the_pairing() {
        // All of M above all of P: dominated, and not by pairing P's greatest with another mate.
        let order = OrderType::of_values(&[8, 7, 6, 5, 4, 3, 2, 1]);
        let partners = Leaf::OF_P;
        assert!(Proof { argument: Argument::Domination, partners }.holds(&order));
        assert!(!Proof { argument: Argument::Rebalancing, partners }.holds(&order));
        let [p11, p12, p21, p22] = Leaf::OF_P;
        let crossed = [p11, p22, p21, p12];
        assert!(!Proof { argument: Argument::Domination, partners: crossed }.holds(&order));
        assert!(Proof { argument: Argument::Rebalancing, partners: crossed }.holds(&order));
        // A partner used twice proves nothing.
        assert!(!Proof { argument: Argument::Domination, partners: [p11, p12, p11, p12] }.holds(&order));
        // And M below P is not dominant.
        let reversed = OrderType::of_values(&[1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(Proof::search(&reversed), None);
    }

    #[test]
    fn a_lower_mate_must_not_be_traded_for_a_higher_one() {
        // P is paired as greatest with lowest; M dominates only the pairing greatest with second.
        let order = OrderType::of_values(&[8, 7, 4, 3, 6, 1, 5, 2]);
        let [p11, p12, p21, p22] = Leaf::OF_P;
        assert_eq!(order.to_string(), "P12 < P22 < M22 < M21 < P21 < P11 < M12 < M11");
        let unbalanced = [p11, p21, p22, p12];
        assert!(!Proof { argument: Argument::Rebalancing, partners: unbalanced }.holds(&order));
        assert_eq!(Proof::search(&order), None);
    }

    #[test]
    fn proofs_print_their_partners() {
        let order = OrderType::of_values(&[8, 7, 6, 5, 4, 3, 2, 1]);
        let proof = Proof::search(&order).unwrap();
        assert_eq!(proof.argument(), Argument::Domination);
        assert_eq!(proof.to_string().matches(" > ").count(), 4);
        let [p11, p12, p21, p22] = Leaf::OF_P;
        let crossed = Proof { argument: Argument::Rebalancing, partners: [p11, p22, p21, p12] };
        let expected = "P paired as {P11, P22}, {P21, P12}: M11 > P11, M12 > P22, M21 > P21, M22 > P12";
        assert_eq!(crossed.to_string(), expected);
    }
}
