//! The recorded matches of Kalah, sorted by what they are for: their settings say it.

use prodmax_games::kalah::Evaluator;
use prodmax_games::play::Score;
use prodmax_games::player::{Player, Resource};
use prodmax_games::search::Ply;
use prodmax_games::study::{MatchRecord, StudyResults};
use prodmax_golden::Quantity;
use prodmax_golden::quantity::MatchFigure;
use prodmax_rules::Rule;

use crate::run::{Comparison, Findings};

/// What the text leaves open: whether an extra move is a ply of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlyReading {
    pub(super) ply: Ply,
    pub(super) name: &'static str,
}

pub(super) const READINGS: [PlyReading; 3] = [
    PlyReading { ply: Ply::Move, name: "every sowing a ply" },
    PlyReading { ply: Ply::Turn, name: "a turn a ply" },
    PlyReading { ply: Ply::Whole, name: "a turn a single move" },
];

/// A match and its score.
#[derive(Clone, Copy)]
pub(super) struct Played<'a> {
    pub(super) record: &'a MatchRecord,
    pub(super) score: Score,
}

impl<'a> Played<'a> {
    fn of(record: &'a MatchRecord) -> Option<Self> {
        Some(Self { record, score: record.results.first()?.games.score()? })
    }

    /// The names of the players.
    pub(super) fn names(&self) -> [String; 2] {
        self.record.spec.players.each_ref().map(ToString::to_string)
    }

    /// The depth of the searches.
    pub(super) fn depth(&self) -> Option<usize> {
        match self.record.spec.resources.first()? {
            Resource::Depth(depth) => Some(*depth),
            Resource::Calls(_) | Resource::Milliseconds(_) => None,
        }
    }

    /// Holes per side and stones in each.
    pub(super) fn board(&self) -> Option<(usize, usize)> {
        let game = &self.record.spec.game;
        Some((game.size("holes")?, game.size("stones")?))
    }

    /// Stones in each hole.
    pub(super) fn stones(&self) -> Option<usize> {
        Some(self.board()?.1)
    }

    /// How a ply is read.
    pub(super) fn ply(&self) -> &'static str {
        let found = READINGS.iter().find(|reading| reading.ply == self.record.spec.ply);
        found.map_or(self.record.spec.ply.name(), |reading| reading.name)
    }

    /// Whether values are backed up in single precision.
    pub(super) fn is_single(&self) -> bool {
        self.record.spec.players.iter().any(|player| matches!(player, Player::Single(_)))
    }

    /// Whether E stays between 0 and 1.
    pub(super) fn is_limited(&self) -> bool {
        self.record.spec.game.evaluator() != Some(Evaluator::Unclamped.name())
    }

    /// How everything that the text leaves open is read.
    pub(super) fn reading(&self) -> String {
        let precision = if self.is_single() { ", single precision" } else { "" };
        let evaluator = if self.is_limited() { "" } else { ", E not limited" };
        format!("{}{precision}{evaluator}", self.ply())
    }

    /// The rules that play, in whatever precision.
    fn rules(&self) -> [Player; 2] {
        self.record.spec.players.clone().map(|player| match player {
            Player::Single(rule) => Player::Rule(rule),
            player => player,
        })
    }

    /// A published figure and what as many games as the paper's would be expected to give.
    pub(super) fn entry<'f>(&self, findings: &'f Findings, wanted: MatchFigure) -> Option<&'f Comparison> {
        findings.published("baum").find(|comparison| match &comparison.entry.quantity {
            Quantity::RecordedMatch { id, figure, .. } => *id == self.record.spec.id && *figure == wanted,
            _ => false,
        })
    }
}

/// The matches of the study.
pub(super) struct Tournament<'a> {
    /// Those with which published figures are compared, and the published number of games.
    pub(super) published: Vec<(Played<'a>, u64)>,
    /// The same with other hints.
    pub(super) tuning: Vec<Played<'a>>,
    /// With other numbers of stones.
    pub(super) stones: Vec<Played<'a>>,
    /// With other numbers of holes.
    pub(super) holes: Vec<Played<'a>>,
    /// All rules against each other.
    pub(super) round: Vec<Played<'a>>,
}

impl<'a> Tournament<'a> {
    /// Sorts the matches of a study; `None` if no published figure is compared with any.
    pub(super) fn of(findings: &Findings, study: &'a StudyResults) -> Option<Self> {
        let mut published: Vec<(Played<'a>, u64)> = Vec::new();
        for comparison in findings.published("baum") {
            let Quantity::RecordedMatch { id, games, .. } = &comparison.entry.quantity else { continue };
            let is_known = published.iter().any(|(played, _)| played.record.spec.id == *id);
            if let (Some(played), false) = (study.find_match(id).and_then(Played::of), is_known) {
                published.push((played, *games));
            }
        }
        let board = published.first()?.0.board()?;
        let is_published =
            |record: &MatchRecord| published.iter().any(|(played, _)| std::ptr::eq(played.record, record));
        let is_player =
            |player: &Player| published.iter().any(|(played, _)| played.record.spec.players.contains(player));
        let (mut tuning, mut stones, mut holes, mut round) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for played in study.matches.iter().filter(|record| !is_published(record)).filter_map(Played::of) {
            let Some(other) = played.board() else { continue };
            let other_hints =
                |player: &Player| matches!(player, Player::Rule(Rule::Hints(_))) && !is_player(player);
            if !played.record.spec.players.iter().all(|player| matches!(player, Player::Rule(_))) {
                continue;
            }
            let part = if other.0 != board.0 {
                &mut holes
            } else if other.1 != board.1 {
                &mut stones
            } else if other_hints(&played.record.spec.players[0]) {
                &mut tuning
            } else {
                &mut round
            };
            part.push(played);
        }
        Some(Self { published, tuning, stones, holes, round })
    }

    /// The published matches by their players, each in all readings.
    pub(super) fn pairs(&self) -> Vec<Vec<&Played<'a>>> {
        let mut pairs: Vec<Vec<&Played<'a>>> = Vec::new();
        for (played, _) in &self.published {
            let rules = played.rules();
            match pairs.iter_mut().find(|pair| pair[0].rules() == rules) {
                Some(pair) => pair.push(played),
                None => pairs.push(vec![played]),
            }
        }
        pairs
    }

    /// The depth of the published matches.
    pub(super) fn depth(&self) -> Option<usize> {
        self.published.first()?.0.depth()
    }
}

#[cfg(test)]
mod tests {
    use prodmax_check::recorded;

    use super::*;

    /// The ids of the study tell the same as the settings.
    #[test]
    fn settings_say_what_a_match_is_for() {
        let study = recorded::study().unwrap();
        let published = study.matches.iter().filter(|record| record.spec.id.starts_with("published-"));
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/baum.ron");
        let golden = prodmax_golden::GoldenFile::read(golden.as_ref()).unwrap().golden;
        let findings = Findings::recorded("baum", &golden);
        let tournament = Tournament::of(&findings, &study).unwrap();
        assert_eq!(tournament.published.len(), published.count());
        let begins = |played: &[Played<'_>], prefix: &str| {
            let of_prefix = study.matches.iter().filter(|record| record.spec.id.starts_with(prefix)).count();
            played.len() == of_prefix && played.iter().all(|played| played.record.spec.id.starts_with(prefix))
        };
        assert!(begins(&tournament.tuning, "tuning-") && begins(&tournament.stones, "stones-"));
        assert!(begins(&tournament.holes, "three-holes-") && begins(&tournament.round, "round-"));
        let pairs = tournament.pairs();
        let readings = pairs.iter().map(|pair| pair.chunks(Ply::ALL.len()));
        let plies =
            |played: &[&Played<'_>]| played.iter().map(|played| played.record.spec.ply).collect::<Vec<_>>();
        assert!(readings.flatten().all(|readings| plies(readings) == Ply::ALL));
        let lengths: Vec<usize> = pairs.iter().map(Vec::len).collect();
        assert_eq!(
            lengths,
            [3, 9, 3],
            "minimax against product in single precision, too, with two readings of E"
        );
    }
}
