//! Two readings of Baum's evaluation, and the one that it is compared with.

/// How a position of Kalah is evaluated. What becomes of Baum's S = (difference of the stores)/(stones still in play) when it
/// lies outside -1..=1, because one side has more stones than the other can still get, the text does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Evaluator {
    /// It is limited to -1..=1, so that E = (1 + S)/2 is a probability.
    #[default]
    Clamped,
    /// It stays, and E is a score: greater than 1 or less than 0. A finished game is worth 1, 1/2 or 0 all the same.
    Unclamped,
    /// The Kalah advantage in its place: the difference of the stores divided by all stones.
    Stores,
}

impl Evaluator {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Clamped, Self::Unclamped, Self::Stores];

    /// Its name in specs and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clamped => "clamped",
            Self::Unclamped => "unclamped",
            Self::Stores => "stores",
        }
    }

    /// The names of all.
    pub(super) const NAMES: [&str; 3] = [Self::Clamped.name(), Self::Unclamped.name(), Self::Stores.name()];

    /// The one with a name, if there is one.
    pub(super) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|evaluator| evaluator.name() == name)
    }

    /// The one with a name, or the default.
    pub(super) fn named(name: Option<&str>) -> Self {
        name.and_then(Self::find).unwrap_or_default()
    }

    /// S from the stones in both stores and those still in play.
    #[inline]
    pub(super) fn of(self, mine: f64, yours: f64, in_play: f64) -> f64 {
        match self {
            Self::Clamped => ((mine - yours) / in_play).clamp(-1.0, 1.0),
            Self::Unclamped => (mine - yours) / in_play,
            Self::Stores => (mine - yours) / (mine + yours + in_play),
        }
    }
}
