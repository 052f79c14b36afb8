//! What was found, position by position, and the shares.

use serde::{Deserialize, Serialize};

use super::QualitySpec;
use crate::player::{Player, Resource};

/// In which positions a search has found a best move, written `1011…`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct Found(pub Vec<bool>);

impl Found {
    /// The share of positions.
    pub fn share(&self) -> f64 {
        self.0.iter().filter(|&&found| found).count() as f64 / self.0.len() as f64
    }

    /// Its binomial standard error.
    pub fn standard_error(&self) -> f64 {
        let share = self.share();
        (share * (1.0 - share) / self.0.len() as f64).sqrt()
    }
}

impl TryFrom<String> for Found {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let read = |c| match c {
            '1' => Ok(true),
            '0' => Ok(false),
            _ => Err(format!("`{c}` is not the result of a position; results are written 1 and 0")),
        };
        text.chars().map(read).collect::<Result<_, _>>().map(Self)
    }
}

impl From<Found> for String {
    fn from(found: Found) -> Self {
        found.0.iter().map(|&found| if found { '1' } else { '0' }).collect()
    }
}

/// One search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QualityRow {
    /// Who searched.
    pub player: Player,
    /// With what.
    pub resource: Resource,
    /// In which positions it found a best move, in the order of their numbers.
    pub found: Found,
}

/// All searches of all positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QualityResults {
    /// What was measured.
    pub spec: QualitySpec,
    /// The share of positions in which a random move is a best one.
    pub chance: f64,
    /// For each player all resources.
    pub rows: Vec<QualityRow>,
}

impl QualityResults {
    /// The search of a player with a resource.
    pub fn row(&self, player: &Player, resource: Resource) -> Option<&QualityRow> {
        self.rows.iter().find(|row| row.player == *player && row.resource == resource)
    }

    /// Whether every search has a result for every position, as the spec asks.
    pub fn is_whole(&self) -> bool {
        let positions = usize::try_from(self.spec.positions).unwrap_or(usize::MAX);
        self.rows.len() == self.spec.players.len() * self.spec.resources.len()
            && self.rows.iter().all(|row| row.found.0.len() == positions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_their_errors() {
        let found = Found::try_from("1101".to_owned()).unwrap();
        assert_eq!(found.share(), 0.75);
        // 3/4 * 1/4 / 4.
        assert_eq!(found.standard_error(), (3.0f64 / 64.0).sqrt());
        assert_eq!(String::from(found), "1101");
        assert!(
            Found::try_from("1x".to_owned()).unwrap_err().starts_with("`x` is not the result of a position")
        );
    }
}
