//! The search: scores, blocks, and files that resume where they stopped.

use std::convert::Infallible;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_enumerate::{Model, ZeroMode};
use prodmax_golden::GoldenFile;
use prodmax_jobs::ron_file;
use prodmax_readings::search::Evaluated;
use prodmax_readings::{
    Grid, GridFile, GridSearch, RankBy, ReadingFile, Score, ScoreFile, ScoreFileError, Target, best,
    contributions,
};
use proptest::prelude::*;

fn golden(names: &[&str]) -> Target {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden");
    let read = |name: &&str| GoldenFile::read(&folder.join(name)).unwrap();
    Target::of(&names.iter().map(read).collect::<Vec<_>>()).unwrap()
}

fn table2() -> Target {
    golden(&["table2.ron", "depth2.ron"])
}

fn one_row() -> Target {
    table2().only_rows(&[vec![1, 1, 3]]).unwrap()
}

fn named(name: &str) -> Grid {
    ReadingFile::load(name).unwrap().choices.into()
}

fn grids(text: &str) -> Vec<Grid> {
    ron_file::parse::<GridFile>(&format!("Search(id: \"t\", title: \"t\", grids: [{text}])"), "t.ron")
        .unwrap()
        .grids
}

/// Two grids with several blocks, including shared truth and the majority statistic.
fn some_grids() -> Vec<Grid> {
    grids(
        r#"(zero: [skip, allow, minus], ties: [strict, later], truth: ["arctan:4", "pearl:4"],
            mixed: [independent, all_wrong], negative: [independent, best_leaf], statistic: [share, per_case]),
           (weights: [kinds, classes], sharing: [node, branch, tree], statistic: [per_case, majority])"#,
    )
}

fn run(search: &GridSearch, from: usize) -> Vec<Evaluated> {
    let mut all = Vec::new();
    let Ok(()) = search.run(from, |evaluated| -> Result<(), Infallible> {
        all.extend(evaluated);
        Ok(())
    });
    all
}

#[test]
fn the_named_readings_have_their_known_distances() {
    let search = GridSearch::new(vec![named("sign-wise"), named("stated")], table2()).unwrap();
    let scores: Vec<Score> = run(&search, 0).into_iter().map(|one| one.score).collect();
    assert_eq!(format!("{:.2}", scores[0].rms), "0.81");
    assert_eq!(scores[0].signs, 39, "of 42");
    assert_eq!(scores[1].within, 0);
    let doubtful = table2().without("table2.4-2.root+1").unwrap();
    let search = GridSearch::new(vec![named("error-product")], doubtful).unwrap();
    let score = run(&search, 0).swap_remove(0).score;
    assert_eq!(format!("{:.2}", score.rms), "0.33");
    assert_eq!(score.signs, 39, "all but the two cells printed as +0.0");
}

#[test]
fn a_search_agrees_with_measuring_each_reading() {
    let search = GridSearch::new(some_grids(), one_row()).unwrap();
    let all = run(&search, 0);
    assert_eq!(all.len(), search.len());
    for (index, evaluated) in all.iter().enumerate().step_by(7) {
        let reading = search.reading(index);
        for (cell, value) in search.target().cells.iter().zip(&evaluated.values) {
            let model = Model::new(cell.model.root, &cell.model.increments, ZeroMode::Skip, 42).unwrap();
            let measured = reading.measure(&model).unwrap();
            assert!((measured.statistic.unwrap() - value.unwrap()).abs() < 1e-9, "{reading:?}");
        }
        let facts = evaluated.score.facts.as_ref().unwrap();
        let zero = if facts.root == 0 { ZeroMode::Allow } else { ZeroMode::Skip };
        let measured = reading.measure(&Model::new(facts.root, &[8, 8], zero, 42).unwrap()).unwrap();
        assert_eq!(facts.critical, measured.sums.critical);
        assert_eq!(facts.threshold_percent, measured.threshold_percent);
        assert!(
            (facts.minimax_percent.unwrap() - measured.sums.share_minimax_percent().unwrap()).abs() < 1e-9,
            "{reading:?}"
        );
        // A reading alone may be summed in a different order than together with others that need more sums.
        let alone = search.evaluate(index).unwrap().score;
        assert!((alone.rms - evaluated.score.rms).abs() < 1e-9);
        assert_eq!((alone.within, alone.signs), (evaluated.score.within, evaluated.score.signs));
    }
}

#[test]
fn results_do_not_depend_on_threads_or_on_an_interruption() {
    let search = GridSearch::new(some_grids(), one_row()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, threads: usize, interrupted: Option<usize>| {
        let path = folder.path().join(name);
        if let Some(length) = interrupted {
            let whole = std::fs::read(folder.path().join("whole.csv")).unwrap();
            std::fs::write(&path, &whole[..whole.len() * length / 10]).unwrap();
        }
        let (mut file, done) = ScoreFile::open(&path, &search, true).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| search.run(done.len(), |evaluated| file.append(&search, &evaluated))).unwrap();
        (std::fs::read_to_string(&path).unwrap(), done.len())
    };
    let (whole, _) = write("whole.csv", 1, None);
    assert_eq!(whole.lines().count(), search.len() + 1);
    assert_eq!(write("threads.csv", 3, None).0, whole);
    for tenths in [0, 1, 5, 9, 10] {
        let (resumed, done) = write(&format!("{tenths}.csv"), 2, Some(tenths));
        assert_eq!(resumed, whole);
        assert_eq!(done > 0, tenths > 0, "{done} readings of {tenths} tenths of the file");
    }
}

#[test]
fn a_score_file_returns_its_scores_and_refuses_those_of_another_search() {
    let search = GridSearch::new(some_grids(), one_row()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.csv");
    let all = run(&search, 0);
    ScoreFile::open(&path, &search, false).unwrap().0.append(&search, &all).unwrap();
    let (_, scores) = ScoreFile::open(&path, &search, false).unwrap();
    assert_eq!(scores, all.iter().map(|one| one.score.clone()).collect::<Vec<_>>());
    let other = GridSearch::new(vec![named("stated")], one_row()).unwrap();
    assert!(matches!(ScoreFile::open(&path, &other, false), Err(ScoreFileError::Other { .. })));
    let text = std::fs::read_to_string(&path).unwrap().replacen("\n3,", "\nx,", 1);
    std::fs::write(&path, text).unwrap();
    assert!(matches!(ScoreFile::open(&path, &search, false), Err(ScoreFileError::Line { line: 5, .. })));
}

#[test]
fn ranks_and_contributions_agree_with_the_scores() {
    let search = GridSearch::new(some_grids(), one_row()).unwrap();
    let scores: Vec<Score> = run(&search, 0).into_iter().map(|one| one.score).collect();
    let least = scores.iter().map(|score| score.rms).fold(f64::INFINITY, f64::min);
    let ranked = best(&scores, RankBy::Rms, 5);
    assert_eq!(scores[ranked[0]].rms, least);
    assert!(ranked.windows(2).all(|pair| scores[pair[0]].rms <= scores[pair[1]].rms));
    let signs = best(&scores, RankBy::Signs, scores.len());
    assert!(signs.windows(2).all(|pair| scores[pair[0]].signs >= scores[pair[1]].signs));
    for contribution in contributions(&search, &scores) {
        let has = |&index: &usize| {
            let (grid, within) = search.place(index);
            let grid = &search.grids()[grid];
            let dimension =
                prodmax_readings::grid::DIMENSIONS.iter().position(|d| *d == contribution.dimension).unwrap();
            grid.labels(dimension)[grid.choices(within)[dimension]] == contribution.choice
        };
        let own: Vec<usize> = (0..scores.len()).filter(has).collect();
        assert_eq!(own.len(), contribution.readings);
        let least = own.iter().map(|&index| scores[index].rms).fold(f64::INFINITY, f64::min);
        assert_eq!(least, contribution.rms, "{contribution:?}");
    }
}

#[test]
fn impossible_grids_are_explained_with_a_position() {
    let message = |text: &str| {
        let text = format!("Search(id: \"t\", title: \"t\", grids: [{text}])");
        ron_file::parse::<GridFile>(&text, "t.ron").unwrap_err().to_string()
    };
    assert!(message("(zero: [])").contains("the dimension zero has no choices"));
    assert!(message("(zero: [skip, skip])").contains("the dimension zero has the choice skip twice"));
    assert!(message("(mixed: [mean], sharing: [tree])").contains("with truth shared in a tree"));
    assert!(message("(zeros: [skip])").starts_with("t.ron:1:"));
    let short = GridSearch::new(grids(r#"(truth: ["arctan:4@5"])"#), table2()).err().unwrap().to_string();
    assert!(short.contains("beyond h_max = 5"), "{short}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Bit flips, digits changed, pieces cut out, put in and doubled, the end cut off: what is read is what was written, or
    /// the file is refused by its name.
    #[test]
    fn damaged_rows_never_change_a_score(
        kind in 0..6, at in any::<prop::sample::Index>(), length in 1usize..200, bit in 0u8..8, digit in b'0'..=b'9'
    ) {
        let (search, all, whole) = damageable();
        let mut bytes = whole.clone();
        let at = at.index(bytes.len());
        let end = (at + length).min(bytes.len());
        match kind {
            0 => bytes[at] ^= 1 << bit,
            1 => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
                bytes[digits[at % digits.len()]] = digit;
            }
            2 => drop(bytes.drain(at..end)),
            3 => drop(bytes.splice(at..at, std::iter::repeat_n(digit, length))),
            4 => drop(bytes.splice(at..at, whole[at..end].iter().copied())),
            _ => bytes.truncate(at),
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        std::fs::write(&path, &bytes).unwrap();
        match ScoreFile::open(&path, search, true) {
            Err(error) => prop_assert!(error.to_string().contains("rows.csv"), "{error}"),
            Ok((mut file, scores)) => {
                let expected: Vec<Score> = all[..scores.len()].iter().map(|one| one.score.clone()).collect();
                prop_assert_eq!(&scores, &expected);
                file.append(search, &all[scores.len()..]).unwrap();
                prop_assert_eq!(&std::fs::read(&path).unwrap(), whole);
            }
        }
    }
}

/// A search, its results, and the file of them; made once.
fn damageable() -> &'static (GridSearch, Vec<Evaluated>, Vec<u8>) {
    static MADE: OnceLock<(GridSearch, Vec<Evaluated>, Vec<u8>)> = OnceLock::new();
    MADE.get_or_init(|| {
        let search = GridSearch::new(some_grids(), one_row()).unwrap();
        let all = run(&search, 0);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        ScoreFile::open(&path, &search, true).unwrap().0.append(&search, &all).unwrap();
        let whole = std::fs::read(&path).unwrap();
        (search, all, whole)
    })
}

#[test]
fn an_interrupt_hands_over_whole_blocks_only() {
    let search = GridSearch::new(some_grids(), one_row()).unwrap();
    let all = run(&search, 0);
    let stop = AtomicBool::new(true);
    let none = search.run_until(0, &stop, |evaluated| -> Result<(), Infallible> {
        assert!(evaluated.is_empty());
        Ok(())
    });
    assert_eq!(none, Ok(false));
    let stop = AtomicBool::new(false);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut some = Vec::new();
    let complete = pool.install(|| {
        search.run_until(0, &stop, |evaluated| -> Result<(), Infallible> {
            some.extend(evaluated);
            stop.store(true, Ordering::Relaxed);
            Ok(())
        })
    });
    assert_eq!(complete, Ok(false));
    assert!(!some.is_empty() && some.len() < all.len());
    assert_eq!(search.whole_blocks(some.len()), some.len());
    assert_eq!(some[..], all[..some.len()]);
}
