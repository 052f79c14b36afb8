//! Whether a published figure is reproduced.

use std::fmt;

use prodmax_number::fraction::to_f64;
use prodmax_number::{Approximate, Figure, Uncertainty};
use serde::{Deserialize, Serialize};

use crate::expression;
use crate::finding::Finding;
use crate::published::{Digits, Published};

/// By how many standard errors a published sample may be off.
const MAX_STANDARD_ERRORS: f64 = 2.0;

/// How our value compares with the published one. Always computed, never typed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The same integer, fraction, word or formula.
    Exact,
    /// Ours rounds to the printed digits.
    WithinRounding,
    /// A sample that lies within two standard errors of ours.
    WithinError,
    /// A different value, but the same rule is ahead.
    SignOnly,
    /// None of the above.
    Differs,
    /// The paper counts something else, or does not say what it counts.
    NotComparable,
    /// A sentence that our figures, or the printed ones, bear out.
    Holds,
    /// A sentence that they refute.
    Fails,
    /// A sentence that they neither bear out nor refute.
    NotDecidable,
    /// Beyond the papers: there is nothing to compare with, so our value is only pinned.
    Unpublished,
}

impl Verdict {
    /// Every verdict, best first.
    pub const ALL: [Self; 10] = [
        Self::Exact,
        Self::WithinRounding,
        Self::WithinError,
        Self::SignOnly,
        Self::Differs,
        Self::NotComparable,
        Self::Holds,
        Self::Fails,
        Self::NotDecidable,
        Self::Unpublished,
    ];

    /// The number of each verdict, best first.
    ///
    /// ```
    /// use prodmax_golden::Verdict;
    /// let tally = Verdict::tally([Verdict::Differs, Verdict::Exact, Verdict::Differs]);
    /// assert_eq!(tally[0], (Verdict::Exact, 1));
    /// assert_eq!(tally[4], (Verdict::Differs, 2));
    /// ```
    pub fn tally(verdicts: impl IntoIterator<Item = Self>) -> [(Self, usize); 10] {
        let mut tally = Self::ALL.map(|verdict| (verdict, 0));
        for verdict in verdicts {
            tally[verdict as usize].1 += 1;
        }
        tally
    }

    /// The verdict on a published figure whose last digit is rounded.
    pub fn of(published: &Published, ours: &Finding, signed: bool) -> Self {
        Self::with_digits(published, Digits::Rounded, ours, signed)
    }

    /// The verdict on a published figure. Signs count only for `signed` quantities: that two numbers of trees are
    /// both positive means nothing. A sample is compared with all numbers that would be printed like this.
    pub fn with_digits(published: &Published, digits: Digits, ours: &Finding, signed: bool) -> Self {
        if published.is_none() {
            return Self::Unpublished;
        }
        if let Finding::Claim { truth, .. } = ours {
            return match truth {
                Some(true) => Self::Holds,
                Some(false) => Self::Fails,
                None => Self::NotDecidable,
            };
        }
        let same = match ours {
            Finding::Word(text) => text == published.text(),
            Finding::Formula(polynomial) => {
                expression::parse(published.text()).is_some_and(|printed| printed == *polynomial)
            }
            Finding::Figure(Figure::Integer(value)) => published.text() == value.to_string(),
            Finding::Figure(Figure::Fraction(value)) => {
                published.is_fraction() && published.number().as_ref() == Some(value)
            }
            Finding::Figure(_) | Finding::Claim { .. } | Finding::Nothing => false,
        };
        if same {
            return Self::Exact;
        }
        let Some((printed, [low, high])) = published.between(digits).zip(ours.ends()) else {
            return Self::Differs;
        };
        if let Finding::Figure(Figure::Approximate(Approximate {
            value,
            uncertainty: Uncertainty::StandardError(standard_error),
        })) = ours
        {
            let [low, high] = printed.map(|end| to_f64(&end));
            let beyond = (low - value).max(value - high).max(0.0);
            if beyond <= MAX_STANDARD_ERRORS * standard_error {
                return Self::WithinError;
            }
        } else if printed[0] <= low && high <= printed[1] {
            return Self::WithinRounding;
        }
        if signed && published.sign() != 0 && ours.sign() == Some(published.sign()) {
            return Self::SignOnly;
        }
        Self::Differs
    }

    /// The name in a golden file.
    pub fn identifier(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::WithinRounding => "within_rounding",
            Self::WithinError => "within_error",
            Self::SignOnly => "sign_only",
            Self::Differs => "differs",
            Self::NotComparable => "not_comparable",
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::NotDecidable => "not_decidable",
            Self::Unpublished => "unpublished",
        }
    }

    /// Whether the published figure is reproduced to its printed precision.
    pub fn is_reproduced(self) -> bool {
        matches!(self, Self::Exact | Self::WithinRounding | Self::WithinError)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.identifier().replace('_', "-"))
    }
}

#[cfg(test)]
mod tests {
    use prodmax_number::Polynomial;
    use prodmax_number::fraction::parse;

    use super::*;

    fn verdict(published: &str, ours: Finding, signed: bool) -> Verdict {
        Verdict::of(&published.into(), &ours, signed)
    }

    fn number(text: &str) -> Finding {
        Finding::Figure(Figure::Fraction(parse(text).unwrap()))
    }

    #[test]
    fn numbers() {
        assert_eq!(verdict("3886", Finding::Figure(Figure::Integer(3886.into())), false), Verdict::Exact);
        assert_eq!(verdict("3886", Finding::Figure(Figure::Integer(3887.into())), false), Verdict::Differs);
        assert_eq!(verdict("4.8", number("4.75"), false), Verdict::WithinRounding);
        assert_eq!(verdict("4.8", number("4.7499"), false), Verdict::Differs);
        assert_eq!(verdict("-3.9", number("-3.94"), true), Verdict::WithinRounding);
        assert_eq!(verdict("-3.9", number("-5.77"), true), Verdict::SignOnly);
        assert_eq!(verdict("+0.0", number("-4.6"), true), Verdict::Differs);
        assert_eq!(verdict("+0.0", number("4.6"), true), Verdict::Differs, "0.0 favours neither side");
        assert_eq!(verdict("-3.9", Finding::Nothing, true), Verdict::Differs);
        assert_eq!(verdict("", number("4.6"), true), Verdict::Unpublished);
        assert_eq!(verdict("1/35", number("2/70"), false), Verdict::Exact);
        assert_eq!(verdict("1/35", number("1/36"), false), Verdict::Differs);
        assert_eq!(
            verdict("0.5", number("1/2"), false),
            Verdict::WithinRounding,
            "a decimal may have been rounded"
        );
    }

    #[test]
    fn samples() {
        let ours = |value| Finding::from(Approximate::sampled(value, 5.0));
        assert_eq!(verdict("12", ours(22.0), false), Verdict::WithinError);
        assert_eq!(
            verdict("12", ours(22.5), false),
            Verdict::WithinError,
            "12.5 would be printed as 12, too"
        );
        assert_eq!(verdict("12", ours(22.6), false), Verdict::Differs, "that both are positive says nothing");
        assert_eq!(verdict("12", ours(22.6), true), Verdict::SignOnly);
        assert_eq!(verdict("-5", ours(6.0), true), Verdict::Differs);
        assert_eq!(verdict("22", ours(22.0), false), Verdict::WithinError, "never exact by chance");
    }

    #[test]
    fn digits_that_are_cut_off() {
        let verdict = |published: &str, ours: &str, digits| {
            Verdict::with_digits(&published.into(), digits, &number(ours), false)
        };
        // 1/2 + arctan(1/42)/pi.
        assert_eq!(verdict("0.50757", "0.5075774", Digits::CutOff), Verdict::WithinRounding);
        assert_eq!(verdict("0.50757", "0.5075774", Digits::Rounded), Verdict::Differs);
        assert_eq!(verdict("0.50757", "0.507569", Digits::CutOff), Verdict::Differs, "rounded up");
        assert_eq!(verdict("-0.5", "-0.59", Digits::CutOff), Verdict::WithinRounding, "towards zero");
        assert_eq!(verdict("-0.5", "-0.49", Digits::CutOff), Verdict::Differs);
    }

    #[test]
    fn sentences() {
        let verdict = |truth| verdict("a sentence", Finding::Claim { truth, because: String::new() }, false);
        assert_eq!(
            [Some(true), Some(false), None].map(verdict),
            [Verdict::Holds, Verdict::Fails, Verdict::NotDecidable]
        );
    }

    #[test]
    fn words_and_formulas() {
        assert_eq!(verdict("minimax", Finding::Word("minimax".into()), false), Verdict::Exact);
        assert_eq!(verdict("minimax", Finding::Word("product".into()), false), Verdict::Differs);
        let g = Finding::Formula(Polynomial::new([1, -2]));
        assert_eq!(verdict("(1-p)^2 - p^2", g.clone(), false), Verdict::Exact);
        assert_eq!(verdict("(1-p)^2 + p^2", g, false), Verdict::Differs);
    }
}
