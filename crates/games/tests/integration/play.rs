//! Matches: the same games for any number of threads, interrupted or not, and logs that are checked.

use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_games::connect4::Evaluator;
use prodmax_games::play::{MatchResults, MatchSpec, Opening, play_match};
use prodmax_games::player::{Resource, TieBreak};
use prodmax_games::search::Ply;

fn kalah(players: [&str; 2], starts: u64) -> MatchSpec {
    MatchSpec {
        id: "test".to_owned(),
        title: "a test".to_owned(),
        source: "none".to_owned(),
        game: "kalah:6:4".parse().unwrap(),
        players: players.map(|player| player.parse().unwrap()),
        resources: vec![Resource::Depth(2)],
        ply: Ply::Move,
        ties: TieBreak::First,
        opening: Opening::Random(6),
        starts,
        first_start: 0,
        seed: 7,
        until_decided: false,
    }
}

fn connect4(bounds: &[u64]) -> MatchSpec {
    MatchSpec {
        game: "connect4:7x6".parse().unwrap(),
        resources: bounds.iter().map(|&calls| Resource::Calls(calls)).collect(),
        opening: Opening::All(2),
        ..kalah(["penalty:10", "alphabeta"], 49)
    }
}

fn played(spec: &MatchSpec) -> MatchResults {
    play_match(MatchResults::new(spec.clone()), &AtomicBool::new(false), &mut |_, _| {}).unwrap()
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn the_games_do_not_depend_on_threads_or_on_how_a_match_is_divided() {
    for ties in [TieBreak::First, TieBreak::Random] {
        let spec = MatchSpec { ties, ..kalah(["hints:9/10", "minimax"], 30) };
        let one = with_threads(1, || played(&spec));
        assert_eq!(one, with_threads(3, || played(&spec)));
        assert_eq!(one.pairs.len(), 30);
        let half = |first_start| played(&MatchSpec { first_start, starts: 15, ..spec.clone() });
        assert_eq!(half(15).merge(&half(0)).unwrap().pairs, one.pairs);
        // Interrupted after the first batch, then continued from the written log.
        let stop = AtomicBool::new(false);
        let begun = with_threads(1, || {
            play_match(MatchResults::new(spec.clone()), &stop, &mut |_, _| {
                stop.store(true, Ordering::Relaxed);
            })
            .unwrap()
        });
        assert!(!begun.pairs.is_empty() && begun.pairs.len() < 30);
        let begun = MatchResults::read(&begun.to_text().unwrap()).unwrap();
        let ended = play_match(begun, &AtomicBool::new(false), &mut |_, _| {}).unwrap();
        assert_eq!(ended, one);
    }
}

#[test]
fn bounded_searches_play_the_same_games_on_any_number_of_threads() {
    let spec = connect4(&[50, 200]);
    let one = with_threads(1, || played(&spec));
    assert_eq!(one, with_threads(3, || played(&spec)));
    assert_eq!(one, with_threads(2, || played(&spec)), "and again");
}

#[test]
fn a_player_against_itself_scores_a_half_in_every_pair() {
    let results = played(&kalah(["product", "product"], 20));
    let score = results.score(None).unwrap();
    assert_eq!((score.score, score.standard_error, score.wins), (0.5, Some(0.0), score.losses));
}

#[test]
fn alpha_beta_plays_the_games_of_minimax() {
    let a = played(&kalah(["alphabeta", "product"], 10));
    let b = played(&kalah(["minimax", "product"], 10));
    assert_eq!(a.pairs, b.pairs);
    // Full width, one move at a time: average:1 has the values of minimax.
    let c = played(&kalah(["average:1", "product"], 10));
    assert_eq!(a.pairs, c.pairs);
}

#[test]
fn all_openings_of_two_moves_are_played_with_every_bound() {
    let results = played(&connect4(&[60, 120]));
    assert_eq!(results.games(), 2 * 98);
    let mut openings: Vec<String> = results.pairs[..49].iter().map(|pair| pair.opening.to_string()).collect();
    assert_eq!((openings[0].as_str(), openings[48].as_str()), ("1,1", "7,7"));
    openings.dedup();
    assert_eq!(openings.len(), 49);
    let [a, b] = [60, 120].map(|calls| results.score(Some(Resource::Calls(calls))).unwrap());
    assert_eq!((a.pairs, b.pairs), (49, 49));
    assert_eq!(results.score(None).unwrap().wins, a.wins + b.wins);
}

#[test]
fn logs_are_read_back_and_damaged_ones_refused() {
    let results = played(&kalah(["minimax", "product"], 3));
    let text = results.to_text().unwrap();
    assert_eq!(MatchResults::read(&text).unwrap(), results);
    let message = |text: &str| MatchResults::read(text).unwrap_err().to_string();
    assert_eq!(message(""), "the file is empty; a game log begins with a line that says what was played");
    assert!(message("nonsense").starts_with("line 1 is not a line of a game log: "));
    assert!(message(&text[..text.len() - 9]).starts_with("line 4 is not a line of a game log: "));
    let twice = format!("{text}{}\n", text.lines().last().unwrap());
    assert_eq!(message(&twice), "start 2 with depth 2 is not asked for by the spec, or occurs twice");
    let mut wrong = results.clone();
    wrong.pairs[1].games[0].moves.0.pop();
    assert_eq!(
        message(&wrong.to_text().unwrap()),
        "start 1 with depth 2, game 1: the moves do not lead to the recorded result"
    );
    let mut wrong = results.clone();
    wrong.pairs[0].opening.0[0] = 6;
    assert_eq!(
        message(&wrong.to_text().unwrap()),
        "start 0 with depth 2, game 1: move 1, 7, is not legal there; the legal moves are 1, 2, 3, 4, 5 and 6"
    );
    let other = played(&MatchSpec { seed: 8, ..kalah(["minimax", "product"], 3) });
    let message = results.merge(&other).unwrap_err().to_string();
    assert!(message.starts_with("the games belong to different matches (`test` and `test`)"));
}

/// What is played within a time depends on the machine; that games follow the rules and files are kept alike does not.
#[test]
fn games_by_time_are_continued_and_merged_but_not_played_twice() {
    let spec = MatchSpec {
        resources: vec![Resource::Milliseconds(1), Resource::Milliseconds(2)],
        starts: 2,
        ..connect4(&[])
    };
    let results = played(&spec);
    assert_eq!(results.games(), 8);
    results.check().unwrap();
    assert_eq!(MatchResults::read(&results.to_text().unwrap()).unwrap(), results);
    let mut begun = results.clone();
    begun.pairs.truncate(1);
    let ended = play_match(begun, &AtomicBool::new(false), &mut |_, _| {}).unwrap();
    assert_eq!((ended.pairs[0].clone(), ended.games()), (results.pairs[0].clone(), 8));
    let part = |range: std::ops::Range<usize>| MatchResults {
        spec: spec.clone(),
        pairs: results.pairs[range].to_vec(),
    };
    assert_eq!(part(0..3).merge(&part(2..4)).unwrap(), results);
    // The colours exchanged: another pair of games from the same start.
    let mut other = part(2..4);
    other.pairs[0].games.swap(0, 1);
    if other.pairs[0] != results.pairs[2] {
        assert_eq!(
            results.merge(&other).unwrap_err().to_string(),
            "start 0 with 2 ms was played twice, and the games are not the same, because games by time cannot be \
             repeated exactly; merge files with different starts or resources"
        );
    }
}

/// With time enough for everything, a search by time is one without any bound.
#[test]
fn a_search_with_more_time_than_it_needs_is_exhaustive() {
    use rand_core::SeedableRng;
    let game = prodmax_games::connect4::Connect4::start(4, 3, Evaluator::Lines).unwrap();
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(0);
    for player in ["alphabeta", "penalty:10:reverse"] {
        let player: prodmax_games::player::Player = player.parse().unwrap();
        let mut choose = |resource| {
            let mut seat = player.seat(resource, Ply::Move, TieBreak::First).unwrap();
            seat.choose(&game, &mut random, prodmax_games::search::Stop::default()).unwrap()
        };
        let [timed, counted] =
            [Resource::Milliseconds(3_600_000), Resource::Calls(100_000_000)].map(&mut choose);
        assert_eq!(timed, counted);
    }
}

/// With few calls penalty search is clearly ahead in Kalah with four stones, so few starts decide the match.
fn unequal() -> MatchSpec {
    MatchSpec {
        resources: vec![Resource::Calls(40), Resource::Calls(60)],
        until_decided: true,
        ..kalah(["penalty:10", "alphabeta"], 200)
    }
}

#[test]
fn a_match_ends_with_the_start_that_decides_it_on_any_number_of_threads() {
    let spec = unequal();
    let results = with_threads(1, || played(&spec));
    assert_eq!(results, with_threads(3, || played(&spec)));
    assert!(results.missing().is_empty());
    let whole = played(&MatchSpec { until_decided: false, ..spec.clone() });
    let mut pairs = 0;
    for &resource in &spec.resources {
        let starts = results.decided_after(resource).unwrap();
        assert!((2..200).contains(&starts), "{starts}");
        let games = |results: &MatchResults| {
            results.pairs.iter().filter(|pair| pair.resource == resource).cloned().collect::<Vec<_>>()
        };
        assert_eq!(games(&results), games(&whole)[..starts as usize]);
        pairs += starts;
        // Not before, and with that start.
        for (first, decided) in [(starts - 1, false), (starts, true)] {
            let few = MatchSpec { starts: first, resources: vec![resource], ..spec.clone() };
            let few = played(&few);
            let [low, high] = few.score(None).unwrap().any_time_interval();
            assert_eq!((few.decided_after(resource).is_some(), low > 0.5 || high < 0.5), (decided, decided));
        }
    }
    assert_eq!(results.pairs.len() as u64, pairs);
    assert_eq!(results.score(None).unwrap().pairs, pairs);
}

#[test]
fn games_beyond_the_deciding_start_are_kept_but_not_counted() {
    let spec = unequal();
    let ended = played(&spec);
    let whole = played(&MatchSpec { until_decided: false, ..spec.clone() });
    let begun = MatchResults { spec: spec.clone(), pairs: whole.pairs.clone() };
    let kept = play_match(begun, &AtomicBool::new(false), &mut |_, _| {}).unwrap();
    assert_eq!(kept.pairs, whole.pairs);
    for resource in [None, Some(spec.resources[0]), Some(spec.resources[1])] {
        assert_eq!(kept.score(resource), ended.score(resource));
    }
    // Read from a file, with a gap that hides what follows it.
    let mut gap = MatchResults::read(&kept.to_text().unwrap()).unwrap();
    assert_eq!(gap, kept);
    gap.pairs.remove(1);
    assert_eq!((gap.decided_after(spec.resources[0]), gap.missing()[0]), (None, (spec.resources[0], 1)));
    let mended = play_match(gap, &AtomicBool::new(false), &mut |_, _| {}).unwrap();
    assert_eq!(mended.pairs, whole.pairs);
}

#[test]
fn equal_players_play_all_starts() {
    let spec = MatchSpec { until_decided: true, ..kalah(["product", "product"], 20) };
    let results = played(&spec);
    assert_eq!((results.pairs.len(), results.decided_after(Resource::Depth(2))), (20, None));
}

#[test]
fn a_game_is_replayed_as_text() {
    let results = played(&kalah(["minimax", "product"], 1));
    let drawn = results.replay(2).unwrap().unwrap();
    assert_eq!(drawn.len(), 1 + 6 + results.pairs[0].games[1].moves.0.len());
    assert_eq!(drawn.iter().filter(|position| position.opening).count(), 7);
    assert!(drawn[0].board.starts_with("hole    6   5   4   3   2   1"));
    assert!(results.replay(0).is_none() && results.replay(3).is_none());
}

#[test]
fn impossible_matches_are_explained_in_a_sentence() {
    let message = |spec: MatchSpec| {
        play_match(MatchResults::new(spec), &AtomicBool::new(false), &mut |_, _| {}).unwrap_err().to_string()
    };
    let base = || kalah(["minimax", "product"], 3);
    assert_eq!(
        message(MatchSpec { starts: 0, ..base() }),
        "there are 0 starts from number 0 on; give at least one and at most 10000000"
    );
    assert_eq!(
        message(MatchSpec { starts: 50, ..connect4(&[60]) }),
        "there are 50 starts from number 0 on; give at least one and at most 49"
    );
    assert_eq!(
        message(MatchSpec { opening: Opening::Random(61), ..base() }),
        "an opening of 61 moves is too long; give at most 60"
    );
    assert_eq!(
        message(MatchSpec { game: "kalah:1:1".parse().unwrap(), ..base() }),
        "the game is over after any 6 random moves; give a shorter opening"
    );
    assert_eq!(
        message(MatchSpec { until_decided: true, ..connect4(&[60]) }),
        "a match cannot be stopped when it is decided if it goes through a list of openings: those played would not be a \
         random sample of all; take random openings, or play all starts"
    );
    assert_eq!(message(connect4(&[60, 120, 60])), "60 calls is named twice; name every resource once");
    assert_eq!(
        message(MatchSpec { resources: vec![], ..base() }),
        "the match has no resource; give a depth, a number of calls or a time"
    );
}
