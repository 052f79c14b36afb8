//! A game of another crate, with more moves than the games here have: one implementation of `Board` is all that it takes
//! to be named, searched, played, recorded and replayed. A program of its own, because games are added for all of it.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::fmt;
use std::sync::atomic::AtomicBool;

use prodmax_games::any::{AnyGame, Listed};
use prodmax_games::board::{About, Board, Size, Solving};
use prodmax_games::game::{Game, GameError, add_games};
use prodmax_games::play::{MatchResults, MatchSpec, Opening, check_match, play_match};
use prodmax_games::player::{Resource, TieBreak};
use prodmax_games::quality::QualitySpec;
use prodmax_games::search::Ply;
use prodmax_games::{Move, Outcome, Position, Side};

/// A heap of matches: a move takes 1 to 200 of them, and whoever takes the last one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Heap {
    matches: u32,
    most: u32,
    side: Side,
}

impl fmt::Display for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} matches, {} to move", self.matches, self.side)
    }
}

impl Heap {
    /// Whether the side to move wins: the heap is no multiple of what can be taken and one more.
    fn is_won(&self) -> bool {
        !self.matches.is_multiple_of(self.most + 1)
    }

    fn best_moves(&self) -> Vec<Move> {
        let best = |chosen: &Move| !self.is_won() || !self.play(*chosen).is_won();
        self.moves().filter(best).collect()
    }
}

impl Position for Heap {
    type Moves = std::ops::Range<Move>;

    const MAX_MOVES: usize = 200;

    fn side(&self) -> Side {
        self.side
    }

    fn moves(&self) -> Self::Moves {
        0..self.matches.min(self.most) as Move
    }

    fn play(&self, chosen: Move) -> Self {
        Self { matches: self.matches - u32::from(chosen) - 1, side: self.side.opponent(), ..*self }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.matches == 0).then(|| Outcome::win_of(self.side.opponent()))
    }

    fn evaluation(&self, side: Side) -> f64 {
        if self.is_won() == (side == self.side) { 0.75 } else { 0.25 }
    }

    fn hash64(&self) -> u64 {
        u64::from(self.matches).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.side as u64
    }
}

impl Board for Heap {
    const ABOUT: About = About {
        name: "heap",
        title: "Heap",
        sizes: &[
            Size { name: "matches", meaning: "matches in the heap", usual: 300 },
            Size { name: "most", meaning: "the most that a move takes", usual: 200 },
        ],
        separator: "/",
        evaluators: &[],
        names_usual_evaluator: false,
        opening: Opening::All(1),
    };

    const SOLVING: Option<Solving<Self>> = Some(Solving {
        solver: || Box::new(Heap::best_moves),
        longest: |heap| heap.matches as usize,
        is_urgent: |heap| heap.matches <= heap.most,
    });

    fn begin(sizes: &[usize], _: Option<&str>) -> Result<Self, GameError> {
        match *sizes {
            [matches @ 1..=1000, most @ 1..=200] => {
                Ok(Self { matches: matches as u32, most: most as u32, side: Side::First })
            }
            _ => {
                Err(GameError::Board("a heap has 1 to 1000 matches, and a move takes at most 200".to_owned()))
            }
        }
    }
}

static ADDED: &[&dyn AnyGame] = &[&Listed::<Heap>::NEW];

fn game(text: &str) -> Result<Game, GameError> {
    // The first test to come adds it.
    let _ = add_games(ADDED);
    text.parse()
}

fn spec(players: [&str; 2], resource: Resource) -> MatchSpec {
    MatchSpec {
        id: "toy".to_owned(),
        title: "a test".to_owned(),
        source: "none".to_owned(),
        game: game("heap:60/20").unwrap(),
        players: players.map(|player| player.parse().unwrap()),
        resources: vec![resource],
        ply: Ply::Move,
        ties: TieBreak::Random,
        opening: Opening::All(1),
        starts: 20,
        first_start: 0,
        seed: 1,
        until_decided: false,
    }
}

#[test]
fn it_is_named_like_the_others() {
    let heap = game("heap").unwrap();
    assert_eq!((heap.to_string().as_str(), heap.title().as_str()), ("heap:300/200", "Heap, 300 x 200"));
    let written = serde_json::to_string(&heap).unwrap();
    assert_eq!(written, r#"{"heap":{"matches":300,"most":200}}"#);
    assert_eq!(serde_json::from_str::<Game>(&written).unwrap(), heap);
    assert_eq!(
        game("heap:7").unwrap_err().to_string(),
        "`heap:7` is not a game; the games are kalah[:HOLES:STONES][:EVALUATOR], connect4[:COLUMNSxROWS][:EVALUATOR] \
         and heap[:MATCHES/MOST]"
    );
    assert_eq!(
        heap.with_evaluator("lines").unwrap_err().to_string(),
        "Heap has no setting `evaluator`; leave it out"
    );
    let impossible = game("heap:0/1").unwrap().begin().err().unwrap().to_string();
    assert_eq!(impossible, "a heap has 1 to 1000 matches, and a move takes at most 200");
    assert!(!add_games(ADDED), "games are added once");
}

#[test]
fn its_positions_are_counted_and_searched() {
    let start = game("heap:300/200").unwrap().begin().unwrap();
    // 99 to 299 matches are left; from 200 on there are 200 moves, below as many as matches: 100 * 200 + (100 + … + 199).
    assert_eq!(start.perft(2), Some(100 * 200 + 14_950));
    let position = start.after(&"150,20".parse().unwrap()).unwrap();
    for (player, resource) in [
        ("minimax", Resource::Depth(2)),
        ("product", Resource::Depth(2)),
        ("hints:9/10", Resource::Depth(1)),
        ("single:product", Resource::Depth(2)),
        ("alphabeta", Resource::Depth(2)),
        ("alphabeta", Resource::Calls(5000)),
        ("penalty:10", Resource::Calls(2000)),
    ] {
        let found = position.analyse(&player.parse().unwrap(), resource, Ply::Move).unwrap();
        assert_eq!(
            (usize::from(found.best.chosen) + 1, found.side),
            (130, Side::First),
            "{player}, {resource}"
        );
        assert_eq!(found.board, "130 matches, first to move");
    }
    let over = position.after(&"131".parse().unwrap()).err().unwrap().to_string();
    assert!(over.starts_with("move 1, 131, is not legal there; the legal moves are 1, 2, 3, "), "{over}");
}

#[test]
fn its_matches_are_played_recorded_and_replayed() {
    for spec in [
        spec(["product", "average:1"], Resource::Depth(2)),
        spec(["penalty:10", "alphabeta"], Resource::Calls(50)),
    ] {
        check_match(&spec).unwrap();
        assert!(prodmax_games::effort::of_spec(&spec, 1).seconds > 0.0);
        let play =
            || play_match(MatchResults::new(spec.clone()), &AtomicBool::new(false), &mut |_, _| {}).unwrap();
        let results = play();
        assert_eq!((results.games(), play()), (40, results.clone()));
        assert_eq!(MatchResults::read(&results.to_text().unwrap()).unwrap(), results);
        let drawn = results.replay(1).unwrap().unwrap();
        assert!(drawn[1].opening && drawn[1].board.starts_with("59 matches"));
    }
}

#[test]
fn the_quality_of_decisions_is_measured() {
    let spec = QualitySpec {
        id: "toy".to_owned(),
        title: "a test".to_owned(),
        game: game("heap:30/4").unwrap(),
        discs: [1, 3],
        positions: 20,
        seed: 1,
        players: vec!["minimax".parse().unwrap()],
        resources: vec![Resource::Depth(1)],
    };
    let results = spec.measure(&AtomicBool::new(false), &|| {}).unwrap();
    // The evaluation knows which heaps are won.
    assert!(results.rows[0].found.share() == 1.0 && results.chance > 0.0 && results.chance < 1.0);
    let kalah = QualitySpec { game: game("kalah").unwrap(), ..spec };
    assert_eq!(
        kalah.measure(&AtomicBool::new(false), &|| {}).unwrap_err().to_string(),
        "the quality of decisions is measured in Connect-Four and Heap only, because Kalah has no solver here"
    );
}
