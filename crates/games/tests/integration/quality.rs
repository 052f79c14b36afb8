//! Decision quality and studies: known positions, any number of threads, records that are read again.

use std::sync::atomic::AtomicBool;

use prodmax_games::board::BestMoves;
use prodmax_games::connect4::solver::{Solver, plain_alpha_beta};
use prodmax_games::connect4::{Connect4, Evaluator};
use prodmax_games::play::{MatchSpec, Opening};
use prodmax_games::player::{Resource, TieBreak};
use prodmax_games::quality::{QualityResults, QualitySpec};
use prodmax_games::search::Ply;
use prodmax_games::study::{StudyError, StudyResults, StudyRun, StudySpec};
use prodmax_games::{Outcome, Position};

fn spec(players: &[&str], resources: Vec<Resource>) -> QualitySpec {
    QualitySpec {
        id: "test".to_owned(),
        title: "a test".to_owned(),
        game: "connect4:7x6".parse().unwrap(),
        discs: [24, 30],
        positions: 20,
        seed: 5,
        players: players.iter().map(|player| player.parse().unwrap()).collect(),
        resources,
    }
}

fn measure(spec: &QualitySpec) -> QualityResults {
    spec.measure(&AtomicBool::new(false), &|| {}).unwrap()
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn positions_have_a_choice_and_their_best_moves_are_those_of_a_plain_search() {
    let spec = QualitySpec { discs: [28, 34], ..spec(&["alphabeta"], vec![Resource::Depth(1)]) };
    let start = Connect4::start(7, 6, Evaluator::Lines).unwrap();
    let mut solver = Solver::new(16);
    let mut best_moves: BestMoves<Connect4> = Box::new(move |position| solver.best_moves(position).1);
    for number in 0..30 {
        let solved = spec.position(&start, number, &mut best_moves).unwrap();
        let discs = 42 - solved.position.empty_squares();
        assert!((28..=34).contains(&discs) && solved.moves.len() == discs);
        let wins_at_once = |position: &Connect4| {
            position
                .moves()
                .any(|chosen| position.play(chosen).outcome().is_some_and(|outcome| outcome != Outcome::Draw))
        };
        // After a move elsewhere a threat of the opponent could be carried out.
        assert!(!wins_at_once(&solved.position));
        for chosen in solved.position.moves() {
            let next = solved.position.play(chosen);
            let mut others = next.moves().filter(|&other| other != chosen);
            assert!(
                others.all(|other| next.play(other).outcome().is_none_or(|outcome| outcome == Outcome::Draw))
            );
        }
        let value = plain_alpha_beta(&solved.position) as i8;
        let keeps = |chosen: &u8| {
            let next = solved.position.play(*chosen);
            match next.outcome() {
                None => -(plain_alpha_beta(&next) as i8) == value,
                Some(Outcome::Draw) => value == 0,
                Some(_) => value == 1,
            }
        };
        assert_eq!(solved.best, solved.position.moves().filter(keeps).collect::<Vec<_>>());
        assert!(!solved.best.is_empty() && solved.best.len() < solved.position.moves().count());
    }
}

/// With every line searched to the end of the game nothing but a best move can be chosen.
#[test]
fn a_search_to_the_end_always_finds_a_best_move_and_fewer_calls_find_fewer() {
    let ends = QualitySpec { discs: [34, 36], ..spec(&["alphabeta"], vec![Resource::Depth(8)]) };
    assert_eq!(measure(&ends).rows[0].found.share(), 1.0);
    let calls = vec![Resource::Calls(1), Resource::Calls(1_000_000)];
    let ends = QualitySpec {
        resources: calls,
        players: spec(&["alphabeta", "penalty:10:reverse"], vec![]).players,
        ..ends
    };
    let found = measure(&ends);
    for pair in found.rows.chunks(2) {
        assert!(pair[0].found.share() < 1.0 && pair[1].found.share() == 1.0, "{}", pair[0].player);
    }
    assert!(found.chance > 0.0 && found.chance < 1.0 && found.is_whole());
}

#[test]
fn the_results_do_not_depend_on_threads_or_on_how_many_positions_follow() {
    let spec = spec(&["penalty:10", "alphabeta"], vec![Resource::Calls(50), Resource::Calls(300)]);
    let one = with_threads(1, || measure(&spec));
    assert_eq!(one, with_threads(3, || measure(&spec)));
    let fewer = measure(&QualitySpec { positions: 8, ..spec });
    for (few, many) in fewer.rows.iter().zip(&one.rows) {
        assert_eq!(few.found.0, many.found.0[..8]);
    }
}

#[test]
fn what_cannot_be_measured_gets_a_sentence() {
    let mut ending = study();
    ending.matches[0].until_decided = true;
    assert_eq!(
        run(&ending, "test", &[], &|_| {}).unwrap_err().to_string(),
        "the match `match` is to end when it is decided; a study plays all starts, so leave out until_decided"
    );
    let base = || spec(&["alphabeta"], vec![Resource::Calls(100)]);
    let message = |spec: QualitySpec| spec.measure(&AtomicBool::new(false), &|| {}).unwrap_err().to_string();
    assert_eq!(
        message(QualitySpec { game: "kalah:6:4".parse().unwrap(), ..base() }),
        "the quality of decisions is measured in Connect-Four only, because Kalah has no solver here"
    );
    for discs in [[11, 20], [20, 42], [30, 20], [0, 0]] {
        assert!(
            message(QualitySpec { discs, ..base() })
                .contains("discs on 42 squares are not possible; give a range")
        );
    }
    assert!(message(QualitySpec { positions: 0, ..base() }).starts_with("0 positions cannot be measured"));
    assert!(message(QualitySpec { players: vec![], ..base() }).starts_with("there is nothing to measure"));
    assert_eq!(
        message(QualitySpec { players: spec(&["product"], vec![]).players, ..base() }),
        "product searches full width to a depth, not to a number of calls; give --depth"
    );
    // One column: there is never a choice.
    assert_eq!(
        message(QualitySpec { game: "connect4:1x4".parse().unwrap(), discs: [1, 2], ..base() }),
        "no position with 1 to 2 discs was found in which nobody can win at once and one move is better than another; \
         give another range of discs"
    );
    let stopped = base().measure(&AtomicBool::new(true), &|| {}).unwrap_err().to_string();
    assert_eq!(stopped, "interrupted before all positions were searched");
}

fn study() -> StudySpec {
    let game = MatchSpec {
        id: "match".to_owned(),
        title: "a test".to_owned(),
        source: "none".to_owned(),
        game: "connect4:7x6:squares".parse().unwrap(),
        players: ["penalty:10", "alphabeta"].map(|player| player.parse().unwrap()),
        resources: vec![Resource::Calls(60), Resource::Calls(200)],
        ply: Ply::Move,
        ties: TieBreak::First,
        opening: Opening::All(2),
        starts: 5,
        first_start: 20,
        seed: 0,
        until_decided: false,
    };
    let quality = QualitySpec { positions: 4, ..spec(&["alphabeta"], vec![Resource::Calls(100)]) };
    StudySpec { title: "a study".to_owned(), matches: vec![game], qualities: vec![quality] }
}

fn run(
    spec: &StudySpec,
    prodmax: &str,
    known: &[StudyResults],
    step: &(dyn Fn(u64) + Sync),
) -> Result<StudyResults, StudyError> {
    let interrupt = AtomicBool::new(false);
    spec.run(&mut StudyRun { prodmax, known, interrupt: &interrupt, step, keep: &mut |_| {} })
}

#[test]
fn a_study_is_recorded_and_read_again() {
    let steps = std::sync::atomic::AtomicU64::new(0);
    let step = |count| {
        steps.fetch_add(count, std::sync::atomic::Ordering::Relaxed);
    };
    let results = run(&study(), "prodmax test", &[], &step).unwrap();
    assert_eq!((steps.into_inner(), study().steps()), (14, 14));
    let text = serde_json::to_string(&results).unwrap();
    assert_eq!(StudyResults::read(&text).unwrap(), results);
    // The scores are those of the match itself.
    let played = prodmax_games::play::play_match(
        prodmax_games::play::MatchResults::new(study().matches.remove(0)),
        &AtomicBool::new(false),
        &mut |_, _| {},
    )
    .unwrap();
    for &resource in &played.spec.resources {
        assert_eq!(results.find_match("match").unwrap().score(resource), played.score(Some(resource)));
    }
    assert_eq!(results.find_quality("test").unwrap(), &measure(&study().qualities.remove(0)));
    let message =
        |from: &str, to: &str| StudyResults::read(&text.replacen(from, to, 1)).unwrap_err().to_string();
    assert_eq!(
        message("\"starts\":5", "\"starts\":6"),
        "is not the record of a study: `match` does not have all the results that its spec asks for"
    );
    assert!(message("\"positions\":4", "\"positions\":5").contains("`test` does not have all the results"));
    assert!(message("\"found\":\"", "\"found\":\"2").contains("`2` is not the result of a position"));
    assert!(message("\"games\":\"", "\"games\":\"1").contains("the number of results is odd"));
    assert!(message("\"games\":\"", "\"games\":\"??").contains("`?` is not the result of a game"));
}

#[test]
fn what_a_record_holds_is_not_played_again() {
    let mut known = run(&study(), "first", &[], &|_| {}).unwrap();
    // A result that no search would give shows that it was taken, not played.
    known.matches[0].results[0].games.0.fill([prodmax_games::Outcome::Draw; 2]);
    known.qualities[0].chance = 2.0;
    let more = |players: [&str; 2]| MatchSpec {
        id: "more".to_owned(),
        players: players.map(|player| player.parse().unwrap()),
        starts: 2,
        ..study().matches.remove(0)
    };
    let mut spec = study();
    spec.matches.insert(0, more(["penalty:5", "alphabeta"]));
    let steps = std::sync::atomic::AtomicU64::new(0);
    let step = |count| {
        steps.fetch_add(count, std::sync::atomic::Ordering::Relaxed);
    };
    let results = run(&spec, "second", std::slice::from_ref(&known), &step).unwrap();
    assert_eq!(steps.into_inner(), spec.steps());
    assert_eq!(results.prodmax, "first, completed by second");
    assert_eq!((&results.matches[1], &results.qualities), (&known.matches[0], &known.qualities));
    let alone = StudySpec { matches: vec![spec.matches[0].clone()], qualities: Vec::new(), ..study() };
    let alone = run(&alone, "second", &[known], &|_| {}).unwrap();
    assert_eq!((alone.prodmax.as_str(), &alone.matches[0]), ("second", &results.matches[0]));
    // Nothing is left to do, so nobody completes it.
    assert_eq!(run(&spec, "third", std::slice::from_ref(&results), &|_| {}).unwrap(), results);
}

/// A match grows by its starts: those that a record holds under another name, with fewer starts and resources, are kept.
#[test]
fn a_match_goes_on_where_records_end() {
    let whole = run(&study(), "whole", &[], &|_| {}).unwrap();
    let part = |first_start, starts, resource: usize| {
        let mut part = study();
        let spec = &mut part.matches[0];
        (spec.id, spec.first_start, spec.starts) = ("other".to_owned(), first_start, starts);
        spec.resources = vec![spec.resources[resource]];
        run(&StudySpec { qualities: Vec::new(), ..part }, "part", &[], &|_| {}).unwrap()
    };
    let mut known = [part(21, 2, 0), part(24, 9, 1)];
    let steps = std::sync::atomic::AtomicU64::new(0);
    let step = |count| {
        steps.fetch_add(count, std::sync::atomic::Ordering::Relaxed);
    };
    let completed = run(&study(), "whole", &known, &step).unwrap();
    assert_eq!(steps.into_inner(), study().steps());
    assert_eq!((&completed.matches, &completed.qualities), (&whole.matches, &whole.qualities));
    assert_eq!(completed.prodmax, "part, completed by whole");
    // Starts 21 and 22 with the first resource and start 24 with the second are taken, nothing else.
    for record in &mut known {
        record.matches[0].results[0].games.0.fill([prodmax_games::Outcome::Draw; 2]);
    }
    let drawn = run(&study(), "whole", &known, &|_| {}).unwrap();
    for (resource, taken) in [(0, [21, 22].as_slice()), (1, &[24])] {
        let games = |results: &StudyResults| results.matches[0].results[resource].games.0.clone();
        for ((drawn, played), start) in games(&drawn).into_iter().zip(games(&whole)).zip(20..) {
            let expected = if taken.contains(&start) { [prodmax_games::Outcome::Draw; 2] } else { played };
            assert_eq!(drawn, expected, "start {start}");
        }
    }
}

/// Stopped after any number of reports, the last thing kept and another run give the same record.
#[test]
fn a_stopped_study_goes_on_from_what_was_kept() {
    let whole = run(&study(), "one", &[], &|_| {}).unwrap();
    let mut stops = 0;
    for reports in 0.. {
        let interrupt = AtomicBool::new(reports == 0);
        let (mut kept, mut count) = (None, 0);
        let mut keep = |results: &StudyResults| {
            kept = Some(StudyResults::read(&serde_json::to_string(results).unwrap()).unwrap());
            count += 1;
            interrupt.store(count >= reports, std::sync::atomic::Ordering::Relaxed);
        };
        let ended = study().run(&mut StudyRun {
            prodmax: "one",
            known: &[],
            interrupt: &interrupt,
            step: &|_| {},
            keep: &mut keep,
        });
        let known: Vec<StudyResults> = kept.into_iter().collect();
        assert_eq!(run(&study(), "one", &known, &|_| {}).unwrap(), whole, "after {reports} reports");
        match ended {
            Ok(results) => {
                assert_eq!(results, whole);
                break;
            }
            Err(error) => assert_eq!(error, StudyError::Interrupted),
        }
        stops += 1;
    }
    assert!(stops >= 3, "{stops}");
}
