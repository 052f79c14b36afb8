//! Deep sweeps in shards: merged, they give the single run to the last bit, however many there are and wherever they
//! were killed.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use prodmax_enumerate::{Model, ZeroMode};
use prodmax_jobs::{Part, PartHeader, Parts, Shard, Work};
use prodmax_mass::deep::{self, DeepError, DeepMass, Options};
use prodmax_mass::{Contestant, Curves, Engine, Measure, MeasureError};
use prodmax_rules::Rule;
use proptest::prelude::*;

fn model(root: i64, increments: &[i64]) -> Model {
    Model::new(root, increments, ZeroMode::Skip, 42).unwrap()
}

fn curves() -> Curves {
    Curves::new("arctan:4".parse().unwrap(), "arctan:1".parse().unwrap(), 42)
}

/// A sweep along a rule with blocks of this size.
struct Sweep<'a> {
    model: &'a Model,
    rule: &'a str,
    block_pairs: Option<u64>,
}

impl Sweep<'_> {
    /// Does some of the work; after `most` blocks it is interrupted.
    fn run(&self, work: Work<'_>, most: u64) -> Result<Option<DeepMass>, DeepError> {
        let (curves, interrupt, blocks) = (curves(), AtomicBool::new(most == 0), AtomicU64::new(0));
        let progress = |_, _| {
            let done = blocks.fetch_add(1, Ordering::Relaxed) + 1;
            interrupt.store(done >= most, Ordering::Relaxed);
        };
        let defaults = Options::new(&interrupt, &progress);
        let options = Options { block_pairs: self.block_pairs, work, ..defaults };
        let rule: Rule = self.rule.parse().unwrap();
        deep::sweep(self.model, &curves.truth, &Contestant::new(rule, &curves), &options)
    }

    fn whole(&self) -> DeepMass {
        self.run(Work::Whole, u64::MAX).unwrap().unwrap()
    }

    fn shard(&self, path: &Path, shard: Shard, most: u64) -> Result<(), DeepError> {
        let part = Part::open(path, header(shard))?;
        if !part.is_finished() {
            assert_eq!(self.run(Work::Shard(&part), most)?, None);
            part.finish()?;
        }
        Ok(())
    }

    fn merge(&self, paths: &[PathBuf]) -> Result<DeepMass, DeepError> {
        let parts = Parts::open(paths, "test", false)?;
        Ok(DeepMass { resumed: 0, ..self.run(Work::Merge(&parts), u64::MAX)?.unwrap() })
    }
}

fn header(shard: Shard) -> PartHeader {
    PartHeader { program: "test".to_owned(), shard, command: vec!["mass".to_owned()], files: Vec::new() }
}

fn shards(of: u32) -> impl Iterator<Item = Shard> {
    (1..=of).map(move |number| Shard::new(number, of).unwrap())
}

fn path(folder: &Path, shard: Shard) -> PathBuf {
    folder.join(format!("part-{}", shard.number()))
}

#[test]
fn any_number_of_shards_gives_the_single_run_to_the_last_bit() {
    let model = model(-1, &[2, 2, 2, 2]);
    for rule in ["product", "mean:4", "average:1/3", "ideal"] {
        let sweep = Sweep { model: &model, rule, block_pairs: Some(200) };
        let expected = sweep.whole();
        assert!(expected.blocks > 64, "{rule}: {} blocks", expected.blocks);
        for of in [1, 2, 7, 64] {
            let folder = tempfile::tempdir().unwrap();
            shards(of).for_each(|shard| sweep.shard(&path(folder.path(), shard), shard, u64::MAX).unwrap());
            let mut paths: Vec<PathBuf> = shards(of).map(|shard| path(folder.path(), shard)).collect();
            paths.reverse();
            assert_eq!(sweep.merge(&paths).unwrap(), expected, "{rule}, {of} shards");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn killed_shards_of_random_models_go_on_to_the_same_result(
        root in prop_oneof![-5i64..=-1, 1i64..=5],
        increments in prop_oneof![
            prop::collection::vec(0i64..=5, 2), prop::collection::vec(0i64..=2, 3), prop::collection::vec(0i64..=1, 4)
        ],
        size in 1u64..60, of in 1u32..12,
        kills in prop::collection::vec((any::<prop::sample::Index>(), 0u64..6, 0u64..90), 0..5)
    ) {
        let model = model(root, &increments);
        let sweep = Sweep { model: &model, rule: "product", block_pairs: Some(size) };
        let folder = tempfile::tempdir().unwrap();
        for (which, most, cut) in kills {
            let shard = Shard::new(which.index(of as usize) as u32 + 1, of).unwrap();
            let path = path(folder.path(), shard);
            // Interrupted after a few blocks, and the end of the last line lost.
            let stopped = sweep.shard(&path, shard, most);
            prop_assert!(matches!(stopped, Ok(()) | Err(DeepError::Interrupted { .. })), "{stopped:?}");
            let length = std::fs::metadata(&path).unwrap().len();
            std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length.saturating_sub(cut)).unwrap();
        }
        shards(of).for_each(|shard| sweep.shard(&path(folder.path(), shard), shard, u64::MAX).unwrap());
        let paths: Vec<PathBuf> = shards(of).map(|shard| path(folder.path(), shard)).collect();
        prop_assert_eq!(sweep.merge(&paths).unwrap(), sweep.whole());
    }
}

/// What a shard has to do is known from its part: the second number of a unit is its number of pairs.
fn pairs(path: &Path) -> u64 {
    let text = std::fs::read_to_string(path).unwrap();
    let units = text.lines().filter(|line| line.starts_with("0 "));
    units.map(|line| line.split(' ').nth(2).unwrap().parse::<u64>().unwrap()).sum()
}

#[test]
fn shards_differ_by_less_than_a_tenth_and_take_no_more_memory() {
    let model = model(1, &[3, 3, 3, 3]);
    // 745 items, 278,000 pairs, blocks of 200.
    let sweep = Sweep { model: &model, rule: "product", block_pairs: Some(200) };
    for of in [2, 7, 64] {
        let folder = tempfile::tempdir().unwrap();
        shards(of).for_each(|shard| sweep.shard(&path(folder.path(), shard), shard, u64::MAX).unwrap());
        let loads: Vec<u64> = shards(of).map(|shard| pairs(&path(folder.path(), shard))).collect();
        let (least, most) = (*loads.iter().min().unwrap(), *loads.iter().max().unwrap());
        assert_eq!(loads.iter().sum::<u64>(), 745 * 746 / 2);
        assert!(most as f64 <= 1.1 * least as f64, "{of} shards: {least} to {most} pairs");
    }
    // Even the least memory in which the single run works is enough for a shard.
    let (curves, interrupt) = (curves(), AtomicBool::new(false));
    let run = |memory_bytes, work: Work<'_>| {
        let defaults = Options::new(&interrupt, &|_, _| {});
        let options = Options { memory_bytes, work, block_pairs: Some(200), ..defaults };
        let product = Contestant::new("product".parse().unwrap(), &curves);
        deep::sweep(&model, &curves.truth, &product, &options)
    };
    let needed = match run(1, Work::Whole) {
        Err(DeepError::Memory { needed, .. }) => needed,
        other => panic!("one byte cannot be enough: {other:?}"),
    };
    let needed = match run(needed, Work::Whole) {
        Err(DeepError::Memory { needed, .. }) => needed,
        _ => needed,
    };
    assert!(run(needed, Work::Whole).is_ok());
    let folder = tempfile::tempdir().unwrap();
    let shard = Shard::new(2, 3).unwrap();
    let part = Part::open(&path(folder.path(), shard), header(shard)).unwrap();
    assert!(run(needed, Work::Shard(&part)).is_ok());
}

#[test]
fn parts_of_another_model_or_size_of_blocks_are_refused() {
    let (one, other) = (model(1, &[2, 1, 2]), model(2, &[2, 1, 2]));
    let sweep = |model, size| Sweep { model, rule: "product", block_pairs: Some(size) };
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = shards(2).map(|shard| path(folder.path(), shard)).collect();
    shards(2).zip(&paths).for_each(|(shard, path)| sweep(&one, 20).shard(path, shard, u64::MAX).unwrap());
    let refusal = |model, size| {
        let message = sweep(model, size).merge(&paths).unwrap_err().to_string();
        message.replace(&folder.path().display().to_string(), "F")
    };
    assert_eq!(
        refusal(&other, 20),
        "F/part-1: the part belongs to another computation (another root: +1, not +2)"
    );
    assert!(refusal(&one, 30).contains("(another block pairs: 20, not 30)"));
    assert!(sweep(&one, 20).merge(&paths).is_ok());
}

/// The sweeps of a question are sections of one part.
#[test]
fn a_question_of_several_sweeps_is_merged_from_one_set_of_parts() {
    let (model, curves) = (model(-2, &[2, 2, 2]), curves());
    let rules = ["minimax", "mean:4"].map(|rule| rule.parse::<Rule>().unwrap());
    let plan = || {
        let measure = Measure::new(&model, &curves).rules(rules.clone()).quality(true);
        measure.engine(Engine::Deep).plan().unwrap()
    };
    let interrupt = AtomicBool::new(false);
    fn options<'a>(work: Work<'a>, interrupt: &'a AtomicBool) -> Options<'a> {
        Options { block_pairs: Some(50), work, ..Options::new(interrupt, &|_, _| {}) }
    }
    let folder = tempfile::tempdir().unwrap();
    for shard in shards(3) {
        let part = Part::open(&path(folder.path(), shard), header(shard)).unwrap();
        plan().share(&options(Work::Shard(&part), &interrupt)).unwrap();
        part.finish().unwrap();
        let refused = plan().run(&options(Work::Shard(&part), &interrupt)).unwrap_err();
        assert!(matches!(refused, MeasureError::Deep(error) if matches!(*error, DeepError::OnlyShard)));
    }
    let paths: Vec<PathBuf> = shards(3).map(|shard| path(folder.path(), shard)).collect();
    let parts = Parts::open(&paths, "test", false).unwrap();
    let merged = plan().run(&options(Work::Merge(&parts), &interrupt)).unwrap();
    assert_eq!(merged, plan().run(&options(Work::Whole, &interrupt)).unwrap());
    let rules = ["minimax", "mean:4", "product"].map(|rule| rule.parse::<Rule>().unwrap());
    let three = Measure::new(&model, &curves).contest(rules.to_vec()).engine(Engine::Deep).plan().unwrap();
    let refused = three.run(&options(Work::Merge(&parts), &interrupt));
    assert!(refused.unwrap_err().to_string().contains("the part belongs to another computation"));
}
