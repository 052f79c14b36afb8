//! The search: scores, blocks, and checkpoints that resume where they stopped.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_enumerate::{Model, ZeroMode};
use prodmax_golden::GoldenFile;
use prodmax_jobs::divide;
use prodmax_jobs::{Divisible, Job, Keep, Part, Run, ron_file};
use prodmax_readings::search::Evaluated;
use prodmax_readings::{
    Grid, GridFile, GridSearch, RankBy, ReadingFile, Score, ScoreFile, Target, best, contributions,
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

fn run(search: &GridSearch) -> Vec<Evaluated> {
    divide::run(search, &Job::new(&AtomicBool::new(false))).unwrap().sum().unwrap()
}

/// Runs a search that is kept in a file.
fn kept(search: &GridSearch, path: &Path) -> Result<Run<Vec<Evaluated>>, String> {
    let part = Part::checkpoint(path, "test", "readings", search).map_err(|error| error.to_string())?;
    let never = AtomicBool::new(false);
    divide::run(search, &Job { keep: Keep::Checkpoint(&part), ..Job::new(&never) })
        .map_err(|error| error.to_string())
}

fn csv(search: &GridSearch, all: &[Evaluated]) -> String {
    let mut text = Vec::new();
    ScoreFile::new(search).write(all, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn the_named_readings_have_their_known_distances() {
    let search = GridSearch::new(vec![named("sign-wise"), named("stated")], table2()).unwrap();
    let scores: Vec<Score> = run(&search).into_iter().map(|one| one.score).collect();
    assert_eq!(format!("{:.2}", scores[0].rms), "0.81");
    assert_eq!(scores[0].signs, 39, "of 42");
    assert_eq!(scores[1].within, 0);
    let doubtful = table2().without("table2.4-2.root+1").unwrap();
    let search = GridSearch::new(vec![named("error-product")], doubtful).unwrap();
    let score = run(&search).swap_remove(0).score;
    assert_eq!(format!("{:.2}", score.rms), "0.33");
    assert_eq!(score.signs, 39, "all but the two cells printed as +0.0");
}

#[test]
fn a_search_agrees_with_measuring_each_reading() {
    let search = GridSearch::new(some_grids(), one_row()).unwrap().with_cells(true);
    let all = run(&search);
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
    let search = GridSearch::new(some_grids(), one_row()).unwrap().with_cells(true);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("begun");
    let pool = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let all = pool(1).install(|| kept(&search, &path)).unwrap().sum().unwrap();
    let whole = csv(&search, &all);
    assert_eq!(whole.lines().count(), search.len() + 1);
    assert_eq!(pool(3).install(|| csv(&search, &run(&search))), whole);
    let bytes = std::fs::read(&path).unwrap();
    for tenths in [0, 1, 5, 9, 10] {
        std::fs::write(&path, &bytes[..bytes.len() * tenths / 10]).unwrap();
        let resumed = pool(2).install(|| kept(&search, &path)).unwrap();
        assert_eq!(csv(&search, &resumed.sum().unwrap()), whole, "{tenths} tenths of the file");
    }
}

#[test]
fn scores_without_cells_are_the_same_and_belong_to_another_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("begun");
    let search = || GridSearch::new(some_grids(), one_row()).unwrap();
    let scores = |all: Vec<Evaluated>| -> Vec<Score> { all.into_iter().map(|one| one.score).collect() };
    let short = kept(&search(), &path).unwrap().sum().unwrap();
    assert!(short.iter().all(|one| one.values.is_empty()));
    assert_eq!(scores(short), scores(run(&search().with_cells(true))));
    let message = kept(&search().with_cells(true), &path).unwrap_err();
    assert!(message.contains("another computation (another cells: false, not true)"), "{message}");
    let other = GridSearch::new(vec![named("stated")], one_row()).unwrap();
    assert!(kept(&other, &path).unwrap_err().contains("belongs to another computation"));
}

#[test]
fn results_are_not_written_over_something_else() {
    let search = GridSearch::new(some_grids(), one_row()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.csv");
    let check = |search: &GridSearch| ScoreFile::new(search).check(&path).map_err(|error| error.to_string());
    assert_eq!(check(&search), Ok(()));
    let text = csv(&search, &run(&search));
    for part in [&text[..], &text[..text.len() / 2], &text[..9], ""] {
        std::fs::write(&path, part).unwrap();
        assert_eq!(check(&search), Ok(()));
    }
    for other in ["# Title\n", &text.replacen("index_", "index-", 1)] {
        std::fs::write(&path, other).unwrap();
        assert!(
            check(&search)
                .unwrap_err()
                .ends_with("does not hold the results of this grid and target; name another file")
        );
    }
    std::fs::write(&path, text).unwrap();
    assert!(check(&search.with_cells(true)).is_err());
    assert!(check(&GridSearch::new(vec![named("stated")], one_row()).unwrap()).is_err());
}

#[test]
fn ranks_and_contributions_agree_with_the_scores() {
    let search = GridSearch::new(some_grids(), one_row()).unwrap();
    let scores: Vec<Score> = run(&search).into_iter().map(|one| one.score).collect();
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
    fn a_damaged_checkpoint_never_changes_a_score(
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
        let path = folder.path().join("begun");
        std::fs::write(&path, &bytes).unwrap();
        match kept(search, &path) {
            Err(error) => prop_assert!(error.contains("begun"), "{error}"),
            Ok(found) => prop_assert_eq!(found, Run::Whole(all.clone())),
        }
    }
}

/// A search, its results, and the file of them; made once.
fn damageable() -> &'static (GridSearch, Vec<Evaluated>, Vec<u8>) {
    static MADE: OnceLock<(GridSearch, Vec<Evaluated>, Vec<u8>)> = OnceLock::new();
    MADE.get_or_init(|| {
        let search = GridSearch::new(some_grids(), one_row()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("begun");
        let all = kept(&search, &path).unwrap().sum().unwrap();
        let whole = std::fs::read(&path).unwrap();
        (search, all, whole)
    })
}

#[test]
fn an_interrupt_leaves_whole_blocks_only() {
    let search = GridSearch::new(some_grids(), one_row()).unwrap();
    let all = run(&search);
    let interrupted = |most: u64| {
        let stop = AtomicBool::new(most == 0);
        let progress = |done: u64, _: u64| stop.store(done >= most, Ordering::Relaxed);
        let job = Job { progress: &progress, ..Job::new(&stop) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        match pool.install(|| divide::run(&search, &job)) {
            Ok(Run::Partial { sum, done, all: readings }) => {
                assert_eq!((sum.len() as u64, readings), (done, search.len() as u64));
                sum
            }
            other => panic!("{other:?}"),
        }
    };
    assert!(interrupted(0).is_empty());
    let some = interrupted(1);
    assert!(!some.is_empty() && some.len() < all.len());
    assert_eq!(some[..], all[..some.len()]);
}

/// Readings of a block are summed together, so only whole blocks are read back.
#[test]
fn only_blocks_are_read_back() {
    let search = GridSearch::new(some_grids(), one_row()).unwrap();
    let all = run(&search);
    let [first, second] = [0, 1].map(|grid| search.grids()[grid].block_len());
    let line = search.write(&all[..first].to_vec());
    assert_eq!(search.read(0..first as u64, &line), Some(all[..first].to_vec()));
    assert_eq!(search.read(1..1 + first as u64, &line), None);
    assert_eq!(search.read(0..first as u64 - 1, &line), None);
    let last = all.len() - second;
    let line = search.write(&all[last..].to_vec());
    assert_eq!(search.read(last as u64..all.len() as u64, &line), Some(all[last..].to_vec()));
    assert_eq!(search.read(0..first as u64, "nothing"), None);
}
