//! The whole report: the same bytes every time, no published figure left out, nothing computed twice.

#![allow(clippy::unwrap_used, reason = "tests")]

mod browser;
mod common;

use std::path::{Path, PathBuf};

use common::{Extent, files, make, make_of, read, report, repository, with_threads};
use prodmax_golden::quantity::{Equation9Figure, MatchFigure};
use prodmax_golden::{GoldenFile, Quantity, Verdict};
use prodmax_number::Figure;
use prodmax_report::{Findings, folder, page, read_simulations, read_specs, write};

#[test]
fn a_report_is_the_same_to_the_last_byte_even_after_an_interruption() {
    assert_same_after_an_interruption(Extent::Quick);
}

#[test]
fn a_first_report_keeps_nothing() {
    assert!(report().log.iter().all(|(_, kept)| !kept), "{:?}", report().log);
}

#[test]
#[ignore = "slow: every experiment and golden file"]
fn the_whole_report_is_the_same_to_the_last_byte_even_after_an_interruption() {
    assert_same_after_an_interruption(Extent::Whole);
}

fn assert_same_after_an_interruption(extent: Extent) {
    let [first, second] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    [&first, &second].iter().for_each(|folder| folder::prepare(folder.path(), false).unwrap());
    let kept = |(path, _): &(&PathBuf, &Vec<u8>)| path.starts_with(write::CACHE);
    if extent == Extent::Quick {
        // What the report of all tests has computed need not be computed again.
        report()
            .files
            .iter()
            .filter(kept)
            .for_each(|(path, bytes)| std::fs::write(first.path().join(path), bytes).unwrap());
    }
    with_threads(3, || make(first.path(), extent));
    let once = &files(first.path());
    if extent == Extent::Whole {
        let shown = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/steepness.svg");
        let drawn = &once[Path::new("figures/steepness.svg")];
        assert!(*drawn == std::fs::read(shown).unwrap(), "the README shows another drawing than the report");
    }

    // As if interrupted: some experiments are finished, one is lost, one is damaged, there is no page.
    for (path, bytes) in once.iter().filter(kept) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let to = second.path().join(path);
        if name.starts_with("depth2-") {
            std::fs::write(to, &bytes[..bytes.len() / 2]).unwrap();
        } else if !name.starts_with("table2-") && !name.starts_with("few-shallow-") {
            std::fs::write(to, bytes).unwrap();
        }
    }
    let (findings, log) = with_threads(1, || make(second.path(), extent));
    let computed: Vec<_> = log.iter().filter(|(_, kept)| !kept).map(|(title, _)| title.as_str()).collect();
    let title = |id: &str| findings.experiment(id).unwrap().title.as_str();
    assert_eq!(
        computed,
        [title("depth2"), title("table2"), "Simulation: Shallow: a tree that is not in the paper"]
    );

    let twice = files(second.path());
    assert_eq!(once.keys().collect::<Vec<_>>(), twice.keys().collect::<Vec<_>>());
    for (path, text) in once {
        assert!(twice[path] == *text, "{} is not the same", path.display());
    }
}

#[test]
fn every_published_figure_is_in_the_report_and_nothing_is_loaded_from_the_network() {
    let (findings, files) = (&report().findings, &report().files);
    let text = |name: &str| String::from_utf8(files[std::path::Path::new(name)].clone()).unwrap();
    let (page, data) = (text("index.html"), text("data/published.json"));
    assert!(findings.comparisons.len() >= 129);
    for comparison in &findings.comparisons {
        assert_eq!(comparison.ours.failure, None, "{}", comparison.entry.id);
        assert!(page.contains(&format!("<td>{}</td>", comparison.entry.id)), "{}", comparison.entry.id);
        assert!(data.contains(&format!("\"{}\"", comparison.entry.id)), "{}", comparison.entry.id);
    }
    for sentence in
        ["13 of 14 follow from the printed counts", "Table IV, d = 8, does not: 51 : 97 gives 0.00008"]
    {
        assert!(page.contains(sentence), "{sentence}");
    }
    for name in ["decision-errors", "table3-shares", "table4-shares", "one-move-depth2", "one-move-depth3"] {
        assert!(text(&format!("figures/{name}.svg")).contains("<polyline"), "{name}");
    }
    for name in [
        "any-depth-difference",
        "any-depth-efficiency",
        "any-depth-threshold",
        "lgb-position-error",
        "lgb-two-value",
    ] {
        assert!(text(&format!("figures/{name}.svg")).contains("<polyline"), "{name}");
    }
    for name in ["rivest-score-calls", "rivest-quality-lines", "rivest-score-p", "rivest-depths"] {
        assert!(text(&format!("figures/{name}.svg")).contains("<polyline"), "{name}");
    }
    assert!(text("figures/rivest-tree.svg").matches("<path").count() > 300);
    assert_eq!(text("data/few-b-trees.csv").lines().count(), 1 + 6 * 8);
    assert!(text("data/few-b.json").contains("\"chi_square\""));
    // Every experiment of the repository has its own section.
    assert!(!page.contains("<section id=\"others\">") && page.contains("<section id=\"moves\">"));
    check_that_sentences_are_computed(findings);
    // The only address is the name of SVG's namespace, which is never fetched.
    let addresses = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!addresses.contains("http:") && !addresses.contains("https:") && !page.contains("<script"));
    for (path, bytes) in files {
        let text = String::from_utf8_lossy(bytes);
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => assert!(text.starts_with("<svg") && !text.contains("var("), "{}", path.display()),
            Some("json") => drop(serde_json::from_str::<serde_json::Value>(&text).unwrap()),
            _ => assert!(!text.contains("NaN"), "{}", path.display()),
        }
    }
}

/// Verdicts and figures are not typed into the text: with other findings the sentences say something else.
fn check_that_sentences_are_computed(findings: &Findings) {
    let page = |findings: &Findings| page::page(findings, &write::sections(findings).unwrap());
    let mut changed = findings.clone();
    changed.version = "<b>test</b>".to_owned();
    changed.storm.cases[0].agrees = false;
    let place = |group: &str, is: fn(&Quantity) -> bool| {
        changed.comparisons.iter().position(|c| c.group == group && is(&c.entry.quantity)).unwrap()
    };
    let cell = place("table2", |quantity| matches!(quantity, Quantity::DifferencePercent(_)));
    let entry = place("table1", |quantity| matches!(quantity, Quantity::Table1Case { .. }));
    let critical = place("depth2", |quantity| matches!(quantity, Quantity::Critical(_)));
    let lead = |spec: &str, bound: Option<u64>| {
        let is = |quantity: &Quantity| {
            let wanted = Quantity::Match { spec: spec.to_owned(), calls: bound, figure: MatchFigure::Lead };
            *quantity == wanted
        };
        changed.comparisons.iter().position(|c| is(&c.entry.quantity)).unwrap()
    };
    let rivest = lead("connect4-calls-means", None);
    let recorded = |wanted: MatchFigure| {
        let is = |quantity: &Quantity| {
            matches!(quantity, Quantity::RecordedMatch { id, figure, .. }
                if id == "published-hints-minimax-move" && *figure == wanted)
        };
        changed.comparisons.iter().position(|c| is(&c.entry.quantity)).unwrap()
    };
    let [baum_wins, baum_lead] = [MatchFigure::Wins, MatchFigure::Lead].map(recorded);
    let first_error = place("lgb", |quantity| {
        let Quantity::Lgb { table: 10, series, figure, row: 0 } = quantity else { return false };
        series == "independent" && figure == "two_value_error"
    });
    let grains =
        place("text", |quantity| *quantity == Quantity::LgbEquation9(Equation9Figure::Grains { b: 40 }));
    let is_wide = |quantity: &Quantity| matches!(quantity, Quantity::DifferencePercent(model) if model.increments() == [8, 8, 8]);
    // Who is ahead changes places.
    let depth_3: Vec<usize> = (0..changed.comparisons.len())
        .filter(|&place| {
            changed.comparisons[place].group == "beyond"
                && is_wide(&changed.comparisons[place].entry.quantity)
        })
        .collect();
    for place in [cell, rivest].into_iter().chain(depth_3) {
        let ours = &mut changed.comparisons[place].ours;
        ours.figure = Some(Figure::Fraction(-ours.number().unwrap()));
    }
    changed.comparisons[entry].ours.verdict = Verdict::Differs;
    changed.comparisons[critical].entry.published = "4000".into();
    changed.comparisons[baum_wins].entry.published = "9907".into();
    changed.comparisons[baum_lead].entry.published = "-735".into();
    changed.comparisons[first_error].ours.verdict = Verdict::WithinError;
    changed.comparisons[grains].ours.verdict = Verdict::Differs;
    changed.slurm.cases[0].disturbed[0].went_on = false;
    changed.slurm.cases[1].disturbed[1].how = "a shove".to_owned();
    let (before, after) = (page(findings), page(&changed));
    for (was, is) in [
        (
            "Product errs less in critical trees in all 42 cells of Table II",
            "Product errs less in critical trees in 41 of 42 cells of Table II",
        ),
        ("Of the printed entries, all 30 agree.", "Of the printed entries, 29 of 30 agree."),
        ("critical trees 3886;", "critical trees 4000;"),
        ("numbers for all 11 models that were checked", "numbers for 10 of 11 models that were checked"),
        (
            "Who wins more games depends on the evaluator.",
            "Who wins more games depends on what the review leaves open.",
        ),
        ("lines, means (the approximation by 102 games", "lines, means (alpha-beta by 102 games"),
        (
            "of the stopped tasks all 4 resumed where they had stopped",
            "of the stopped tasks 3 of 4 resumed where they had stopped",
        ),
        (
            "2 by <code>scancel</code>, 2 by <code>kill -9</code>,",
            "1 by <code>kill -9</code>, 1 by <code>a shove</code>,",
        ),
        (
            "At depth 0 the exact error is 0.3256, not 0.2072.",
            "At depth 0 the exact error is 0.3256, as printed.",
        ),
        (
            "of the figures for independent leaves none of the 30 are",
            "of the figures for independent leaves 1 of 30 are",
        ),
        ("all 5 of these figures come out", "4 of 5 of these figures come out"),
        (
            "hints:9/10 won 9906 games and lost 9171 against minimax",
            "hints:9/10 won 9907 games and lost 9171",
        ),
        (
            "The other rule wins more games: hints:9/10 against minimax, every",
            "The same rule wins more games: hints:9/10 against minimax, every",
        ),
        (
            "but Product errs less at every root and depth tried.",
            "appears when all increments keep their full width, too.",
        ),
        ("Generated by prodmax test.", "Generated by prodmax &lt;b&gt;test&lt;/b&gt;."),
    ] {
        assert!(before.contains(was) && !after.contains(was), "{was}");
        assert!(after.contains(is), "{is}");
    }
}

#[test]
fn a_file_in_the_way_and_missing_specs_are_explained_in_a_sentence() {
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("report");
    std::fs::write(&file, "in the way").unwrap();
    let message = folder::prepare(&file, false).unwrap_err().to_string();
    assert_eq!(message, format!("{}: is a file; a report needs a folder", file.display()));
    let message = read_specs(&out.path().join("nowhere")).unwrap_err().to_string();
    assert!(message.contains("nowhere: cannot be read: "), "{message}");
    let message = read_specs(&repository("crates")).unwrap_err().to_string();
    assert!(message.ends_with("there is no spec (*.ron) in this folder"), "{message}");
}

#[test]
fn a_missing_folder_of_simulations_is_empty_and_duplicate_ids_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(read_simulations(folder.path()).unwrap(), []);
    let simulations = folder.path().join("simulate");
    std::fs::create_dir(&simulations).unwrap();
    for name in ["a.ron", "b.ron"] {
        std::fs::copy(repository("specs/simulate/b.ron"), simulations.join(name)).unwrap();
    }
    let message = read_simulations(folder.path()).unwrap_err().to_string();
    assert!(message.contains("b.ron:3:5: another spec has the same id"), "{message}");
    let bad = std::fs::read_to_string(repository("specs/simulate/b.ron")).unwrap();
    std::fs::write(simulations.join("b.ron"), bad.replace("root: -6", "root: 0")).unwrap();
    let message = read_simulations(folder.path()).unwrap_err().to_string();
    assert!(message.starts_with("simulate-b: bad root or line: "), "{message}");
}

#[test]
fn two_specs_with_the_same_id_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.ron", "b.ron"] {
        std::fs::copy(repository("specs/depth2.ron"), folder.path().join(name)).unwrap();
    }
    let message = read_specs(folder.path()).unwrap_err().to_string();
    assert!(message.contains("b.ron:5:5: another spec has the same id"), "{message}");
    let text = std::fs::read_to_string(folder.path().join("a.ron")).unwrap();
    std::fs::write(folder.path().join("a.ron"), text.replace("\"depth2\"", "\"\"")).unwrap();
    let message = read_specs(folder.path()).unwrap_err().to_string();
    assert!(message.ends_with("a.ron:5:5: the id is empty; files are named after it"), "{message}");
}

/// 9^6 trees, the critical ones and the threshold as in the paper's section V-B with root -3; with increments 0 there
/// is only one tree and no choice, so that the rules are equally good whatever the error rate.
#[test]
fn user_experiments_are_in_the_report() {
    let [specs, out] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    // Named like one of the report's own files.
    let spec = "Experiment(id: \"published\", title: \"My <own>\", source: \"me\",
        models: [(roots: [-3], increments: [[8, 8]]), (roots: [1], increments: [[0, 0]])],
        settings: (run: [enumerate, mass, crossover]))";
    std::fs::write(specs.path().join("mine.ron"), spec).unwrap();
    let golden = GoldenFile::read(&repository("golden/formulas.ron")).unwrap();
    make_of(&read(specs.path()), &[], &[golden], out.path());
    let files = files(out.path());
    let text = |name: &str| String::from_utf8(files[std::path::Path::new(name)].clone()).unwrap();
    assert!(text("index.html").contains("<h3>My &lt;own&gt;</h3>"));
    assert!(text("data/published.json").contains("formulas.g"));
    assert!(text("data/experiment-published.json").contains("\"critical\": \"28992\""));
    // Without published figures to compare, the section is empty, but the experiment is still written.
    std::fs::write(specs.path().join("depth2.ron"), spec.replace("published", "depth2")).unwrap();
    make_of(&read(specs.path()), &[], &[], out.path());
    assert!(out.path().join("data/depth2.json").exists());
    let csv = text("data/experiment-published.csv");
    let [head, first, second] = csv.lines().collect::<Vec<_>>()[..] else { panic!("{csv}") };
    assert_eq!(
        head,
        "root,increments,zero,trees,classes,critical,Minimax (%),difference (%),per case (%),threshold p*"
    );
    assert!(first.starts_with("-3,\"8,8\",skip,531441,") && first.ends_with(",1/35"), "{first}");
    assert_eq!(second, "+1,\"0,0\",skip,1,1,0,,,,every p");
}

/// Figures from an independent high-precision program: 19784 critical trees, -8.31192316212294 %, 0.998852315021604.
#[test]
fn the_rules_of_user_experiments_are_measured() {
    let [specs, out] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    let spec = "Experiment(id: \"means\", title: \"Means\", source: \"me\",
        models: [(roots: [1], increments: [[8, 8]])],
        settings: (rules: [\"minimax\", \"mean:4\"], run: [mass, contest]))";
    std::fs::write(specs.path().join("mine.ron"), spec).unwrap();
    make_of(&read(specs.path()), &[], &[], out.path());
    let files = files(out.path());
    let text = |name: &str| String::from_utf8(files[std::path::Path::new(name)].clone()).unwrap();
    assert!(text("index.html").contains("Errors are those of minimax against mean:4."));
    let csv = text("data/experiment-means.csv");
    assert!(csv.starts_with("root,increments,zero,critical,minimax (%),difference (%)"), "{csv}");
    assert!(csv.contains("\n+1,\"8,8\",skip,19784,") && csv.contains(",-8.311923,"), "{csv}");
    let qualities = text("data/experiment-means-rules.csv");
    assert!(
        qualities.contains("+1,\"8,8\",arctan:1,mean:4,") && qualities.contains(",99.885232\n"),
        "{qualities}"
    );
}
