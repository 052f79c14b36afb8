//! The five intervals of the draw value (KHS Fig. 4).

use std::fmt;

use super::position::{Position, Positions};

/// Where the draw value lies among P2 <= M2 <= M1 <= P1, numbered from the top as in KHS Fig. 4.
///
/// KHS's text says that in I2 "P2" is WIN and the others LOSS; by the order (4) and by their own Table I it is
/// P1, the greatest of the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interval {
    /// Above P1: all leaves are evaluated LOSS.
    I1,
    /// Between M1 and P1: only P1 is evaluated WIN.
    I2,
    /// Between M2 and M1: P1 and M1 are evaluated WIN.
    I3,
    /// Between P2 and M2: all but P2 are evaluated WIN.
    I4,
    /// Below P2: all leaves are evaluated WIN.
    I5,
}

impl Interval {
    /// The five intervals, from the top.
    pub const ALL: [Self; 5] = [Self::I1, Self::I2, Self::I3, Self::I4, Self::I5];

    /// The number k of I_k.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// The leaves at or above the draw value: the k - 1 greatest are evaluated WIN in I_k.
    pub fn evaluated_won(self) -> Positions {
        Position::ASCENDING.into_iter().rev().take(self.number() - 1).collect()
    }

    /// The interval at the same distance from the other end: I1 and I5, I2 and I4 are mirror images.
    ///
    /// The mirror maps cases to cases with the same outcome: if the draw value moves to the mirrored interval
    /// and exactly the partners (1 and 2 swapped below each node) of the correct leaves become wrong, then the
    /// true values of M and P do not change.
    pub fn mirror(self) -> Self {
        Self::ALL[Self::ALL.len() - self.number()]
    }

    /// The interval of a critical tree with this many leaves of M and of P below the draw value; `None` if no
    /// draw value cuts the order (4) like this.
    ///
    /// ```
    /// use prodmax_cases::depth2::Interval;
    /// assert_eq!(Interval::from_negatives(0, 1), Some(Interval::I4));
    /// assert_eq!(Interval::from_negatives(2, 1), Some(Interval::I2));
    /// assert_eq!(Interval::from_negatives(1, 0), None);
    /// ```
    pub fn from_negatives(m: usize, p: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|interval| {
            let lost = interval.evaluated_won().complement();
            let of_m = lost.iter().filter(|leaf| matches!(leaf, Position::M1 | Position::M2)).count();
            (of_m, lost.len() - of_m) == (m, p)
        })
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("I{}", self.number()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_i2_it_is_p1_that_is_won() {
        assert_eq!(Interval::I2.evaluated_won(), Positions::from_iter([Position::P1]));
        assert_eq!(Interval::I1.evaluated_won(), Positions::NONE);
        assert_eq!(Interval::I4.evaluated_won().complement(), Positions::from_iter([Position::P2]));
        assert_eq!(Interval::I5.evaluated_won().len(), 4);
    }

    #[test]
    fn every_cut_of_ordered_values_has_its_interval() {
        // All orders of small values that obey (4), against a draw value of 0.
        let mut seen = [0; 5];
        for code in 0..5usize.pow(4) {
            let [p2, m2, m1, p1] = [0, 1, 2, 3].map(|k| 2 * (code / 5usize.pow(k) % 5) as i32 - 3);
            if p2 > m2 || m2 > m1 || m1 > p1 {
                continue;
            }
            let negatives = |a: i32, b: i32| usize::from(a < 0) + usize::from(b < 0);
            let interval = Interval::from_negatives(negatives(m1, m2), negatives(p1, p2)).unwrap();
            let expected = [p1, m1, m2, p2].iter().filter(|&&value| value > 0).count() + 1;
            assert_eq!(interval.number(), expected);
            seen[interval.number() - 1] += 1;
        }
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
        for (m, p) in [(1, 0), (2, 0), (0, 2), (1, 2), (3, 1)] {
            assert_eq!(Interval::from_negatives(m, p), None);
        }
    }

    #[test]
    fn the_mirror_is_an_involution() {
        for interval in Interval::ALL {
            assert_eq!(interval.mirror().mirror(), interval);
            assert_eq!(interval.mirror().number() + interval.number(), 6);
        }
    }
}
