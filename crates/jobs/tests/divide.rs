//! Divisible work against a slow serial twin: however it is divided, interrupted, continued and merged, by any number of
//! threads, it gives the same sums; files that are damaged or do not belong together are refused by name.

#![allow(clippy::unwrap_used, clippy::panic, reason = "test helpers")]

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use prodmax_jobs::divide::{DivideError, KeptFile, Record, Units, merge, run};
use prodmax_jobs::part::PartError;
use prodmax_jobs::{Divisible, Job, Keep, Part, PartHeader, Parts, Run, Shard};
use proptest::prelude::*;

/// Cubes of numbers, whose units may begin and end anywhere. Their list shows the order in which they are absorbed.
struct Cubes {
    steps: Range<u64>,
    size: u64,
    power: u32,
    computed: AtomicU64,
    /// The work is stopped once this many steps are computed.
    most: u64,
    stop: AtomicBool,
    /// A step that cannot be computed.
    bad: Option<u64>,
}

impl Cubes {
    fn new(steps: Range<u64>, size: u64) -> Self {
        let (computed, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { steps, size, power: 3, computed, most: u64::MAX, stop, bad: None }
    }

    fn stopped_after(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// The slow twin.
    fn twin(&self) -> Vec<u64> {
        self.steps.clone().map(|step| step.pow(self.power)).collect()
    }

    fn run(&self, keep: Keep<'_>) -> Result<Run<Vec<u64>>, DivideError<String>> {
        run(self, &Job { keep, ..Job::new(&self.stop) })
    }
}

impl Divisible for Cubes {
    const STEP: [&'static str; 2] = ["number", "numbers"];
    type Finding = Vec<u64>;
    type Workspace = Vec<u64>;
    type Sum = Vec<u64>;
    type Error = String;

    fn identity(&self) -> String {
        format!("kind=powers power={}", self.power)
    }

    fn steps(&self) -> Range<u64> {
        self.steps.clone()
    }

    fn units(&self, shard: Option<Shard>) -> Units {
        Units::even(self.steps.clone(), self.size, shard)
    }

    fn workspace(&self) -> Vec<u64> {
        Vec::new()
    }

    fn compute(
        &self,
        steps: Range<u64>,
        workspace: &mut Vec<u64>,
        stop: &AtomicBool,
    ) -> Result<Option<(u64, Vec<u64>)>, String> {
        workspace.clear();
        for step in steps {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            if self.bad == Some(step) {
                return Err(format!("{step} is bad"));
            }
            workspace.push(step.pow(self.power));
            if self.computed.fetch_add(1, Ordering::Relaxed) + 1 >= self.most {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        Ok((!workspace.is_empty()).then(|| (workspace.len() as u64, workspace.clone())))
    }

    fn write(&self, finding: &Vec<u64>) -> String {
        finding.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
    }

    fn read(&self, steps: Range<u64>, line: &str) -> Option<Vec<u64>> {
        let finding: Vec<u64> = line.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        (finding.len() as u64 == steps.end - steps.start).then_some(finding)
    }

    fn begin(&self) -> Vec<u64> {
        Vec::new()
    }

    fn absorb(&self, sum: &mut Vec<u64>, steps: Range<u64>, finding: Vec<u64>) -> Result<(), String> {
        assert_eq!(steps.end - steps.start, finding.len() as u64);
        sum.extend(finding);
        Ok(())
    }
}

/// Inexact sums over blocks of unequal cost, of which only some fit into memory at once.
struct Harmonic {
    steps: u64,
    in_memory: AtomicU64,
}

impl Harmonic {
    const AT_ONCE: usize = 2;
    /// The steps of a block.
    const BLOCK: u64 = 4;
}

impl Divisible for Harmonic {
    const STEP: [&'static str; 2] = ["term", "terms"];
    type Finding = f64;
    type Workspace = ();
    type Sum = f64;
    type Error = String;

    fn identity(&self) -> String {
        format!("harmonic={}", self.steps)
    }

    fn steps(&self) -> Range<u64> {
        0..self.steps
    }

    fn units(&self, shard: Option<Shard>) -> Units {
        let blocks = |size: u64| -> Vec<Range<u64>> {
            let starts = (0..self.steps).step_by(size as usize);
            starts.map(|start| start..(start + size).min(self.steps)).collect()
        };
        let all = blocks(Self::BLOCK);
        let seconds: Vec<f64> = all.iter().map(|block| 1.0 / (1.0 + block.start as f64)).collect();
        Units::of_seconds(all, &seconds, shard)
    }

    fn at_once(&self, units: &Units) -> Result<usize, String> {
        assert!(units.longest() <= Self::BLOCK);
        if self.steps > 1000 { Err("too much memory".to_owned()) } else { Ok(Self::AT_ONCE) }
    }

    fn workspace(&self) {}

    fn compute(&self, steps: Range<u64>, (): &mut (), _: &AtomicBool) -> Result<Option<(u64, f64)>, String> {
        assert!(self.in_memory.fetch_add(1, Ordering::SeqCst) < Self::AT_ONCE as u64);
        std::thread::yield_now();
        let length = steps.end - steps.start;
        let sum = steps.map(|step| 1.0 / (step + 1) as f64).sum();
        self.in_memory.fetch_sub(1, Ordering::SeqCst);
        Ok(Some((length, sum)))
    }

    fn write(&self, finding: &f64) -> String {
        format!("{:016x}", finding.to_bits())
    }

    fn read(&self, steps: Range<u64>, line: &str) -> Option<f64> {
        let is_block = steps.start.is_multiple_of(Self::BLOCK)
            && steps.end == (steps.start + Self::BLOCK).min(self.steps);
        u64::from_str_radix(line, 16).ok().filter(|_| is_block).map(f64::from_bits)
    }

    fn begin(&self) -> f64 {
        0.0
    }

    fn absorb(&self, sum: &mut f64, _: Range<u64>, finding: f64) -> Result<(), String> {
        *sum += finding;
        Ok(())
    }
}

/// Games that are only played until one side has won three.
struct UntilDecided {
    played: Mutex<Vec<u64>>,
}

impl Divisible for UntilDecided {
    const STEP: [&'static str; 2] = ["game", "games"];
    type Finding = bool;
    type Workspace = ();
    type Sum = (Vec<u64>, [u32; 2]);
    type Error = String;

    fn identity(&self) -> String {
        "until=decided".to_owned()
    }

    fn steps(&self) -> Range<u64> {
        0..100
    }

    fn workspace(&self) {}

    fn compute(&self, steps: Range<u64>, (): &mut (), _: &AtomicBool) -> Result<Option<(u64, bool)>, String> {
        self.played.lock().unwrap().push(steps.start);
        Ok(Some((1, steps.start.is_multiple_of(3))))
    }

    fn write(&self, finding: &bool) -> String {
        finding.to_string()
    }

    fn read(&self, _: Range<u64>, line: &str) -> Option<bool> {
        line.parse().ok()
    }

    fn begin(&self) -> Self::Sum {
        (Vec::new(), [0, 0])
    }

    fn absorb(&self, (games, wins): &mut Self::Sum, steps: Range<u64>, first: bool) -> Result<(), String> {
        if wins.iter().all(|wins| *wins < 3) {
            games.extend(steps);
            wins[usize::from(!first)] += 1;
        }
        Ok(())
    }

    fn is_wanted(&self, (_, wins): &Self::Sum, _: u64) -> bool {
        wins.iter().all(|wins| *wins < 3)
    }
}

const PROGRAM: &str = "0.3.0 (abc)";

fn part(path: &Path, shard: Shard) -> Part {
    let header = PartHeader {
        program: PROGRAM.to_owned(),
        shard,
        command: vec!["powers".to_owned()],
        files: Vec::new(),
    };
    Part::open(path, header).unwrap()
}

fn checkpoint(path: &Path, work: &Cubes) -> Result<Part, PartError> {
    Part::checkpoint(path, PROGRAM, "powers", work)
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// The parts of all shards, each of which may first be stopped.
fn shards<D: Divisible>(folder: &Path, of: u32, make: impl Fn() -> D) -> Vec<PathBuf>
where
    D::Error: std::fmt::Debug,
{
    let one = |number: u32| {
        let path = folder.join(format!("part-{number}"));
        let part = part(&path, Shard::new(number, of).unwrap());
        let never = AtomicBool::new(false);
        let done = run(&make(), &Job { keep: Keep::Shard(&part), ..Job::new(&never) }).unwrap();
        assert!(matches!(done, Run::Shard { done, all } if done == all));
        part.finish().unwrap();
        path
    };
    (1..=of).map(one).collect()
}

fn merged<D: Divisible>(work: &D, paths: &[PathBuf]) -> Result<Run<D::Sum>, DivideError<D::Error>> {
    let parts = Parts::open(paths, PROGRAM, false)?;
    run(work, &Job { keep: Keep::Merged(&parts), ..Job::new(&AtomicBool::new(false)) })
}

fn sentence<S: std::fmt::Debug>(result: Result<S, DivideError<String>>, folder: &Path) -> String {
    result.unwrap_err().to_string().replace(&folder.display().to_string(), "F")
}

#[test]
fn any_number_of_threads_gives_the_sum_in_order() {
    for (steps, size) in [(0..1, 1), (5..905, 1), (7..300, 16), (3..3, 4), (u64::MAX - 9..u64::MAX, 4)] {
        let mut work = Cubes::new(steps, size);
        work.power = u32::from(work.steps.end < u64::MAX);
        for threads in [1, 2, 5] {
            let found = on_threads(threads, || work.run(Keep::Nowhere).unwrap());
            assert_eq!(found, Run::Whole(work.twin()), "{threads} threads");
        }
    }
}

#[test]
fn inexact_sums_are_those_of_the_blocks_in_order() {
    let work = || Harmonic { steps: 91, in_memory: AtomicU64::new(0) };
    let blocks: Vec<f64> = (0..91u64).map(|step| 1.0 / (step + 1) as f64).collect();
    let twin = blocks.chunks(4).fold(0.0, |sum, block| sum + block.iter().sum::<f64>());
    let never = AtomicBool::new(false);
    for threads in [1, 3, 4] {
        let found = on_threads(threads, || run(&work(), &Job::new(&never)).unwrap());
        assert_eq!(found, Run::Whole(twin));
    }
    for of in [1, 2, 7, 40] {
        let folder = tempfile::tempdir().unwrap();
        let paths = shards(folder.path(), of, work);
        assert_eq!(merged(&work(), &paths).unwrap(), Run::Whole(twin), "{of} shards");
    }
    let large = Harmonic { steps: 1001, in_memory: AtomicU64::new(0) };
    assert!(
        matches!(run(&large, &Job::new(&never)), Err(DivideError::Work(why)) if why == "too much memory")
    );
}

#[test]
fn nothing_is_computed_once_it_is_not_wanted_and_what_was_is_dropped() {
    let decided = (vec![0, 1, 2, 3, 4], [2, 3]);
    for threads in [1, 4] {
        let work = UntilDecided { played: Mutex::new(Vec::new()) };
        let found = on_threads(threads, || run(&work, &Job::new(&AtomicBool::new(false))).unwrap());
        assert_eq!(found, Run::Whole(decided.clone()));
        let played = work.played.into_inner().unwrap().len();
        assert!((5..=4 + threads).contains(&played), "{played} games on {threads} threads");
    }
}

#[test]
fn an_error_ends_the_work_and_keeps_what_was_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("begun");
    let work = Cubes { bad: Some(70), ..Cubes::new(0..100_000, 1) };
    let part = checkpoint(&path, &work).unwrap();
    let failed = on_threads(2, || work.run(Keep::Checkpoint(&part)));
    assert!(matches!(failed, Err(DivideError::Work(why)) if why == "70 is bad"));
    let computed = work.computed.into_inner();
    assert!((70..100_000).contains(&computed), "{computed}");
    drop(part);
    let again = Cubes::new(0..100_000, 1);
    let part = checkpoint(&path, &again).unwrap();
    assert_eq!(part.units(), computed);
    assert_eq!(again.run(Keep::Checkpoint(&part)).unwrap(), Run::Whole(again.twin()));
    assert_eq!(again.computed.into_inner(), 100_000 - computed);
}

#[test]
fn progress_counts_what_was_kept_and_never_goes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("begun");
    let first = Cubes::new(0..40, 1).stopped_after(15);
    on_threads(1, || first.run(Keep::Checkpoint(&checkpoint(&path, &first).unwrap())).unwrap());
    let shown = Mutex::new(Vec::new());
    let progress = |done: u64, all: u64| shown.lock().unwrap().push((done, all));
    let work = Cubes::new(0..500, 3);
    let part = checkpoint(&path, &work).unwrap();
    on_threads(4, || {
        let job = Job { keep: Keep::Checkpoint(&part), progress: &progress, ..Job::new(&work.stop) };
        run(&work, &job).unwrap();
    });
    let shown = shown.into_inner().unwrap();
    assert_eq!((shown.first(), shown.last()), (Some(&(15, 500)), Some(&(500, 500))));
    assert!(shown.windows(2).all(|pair| pair[0].0 <= pair[1].0));
}

/// Work that unwinds, as it does when the program that runs it wants to go on without it.
#[test]
fn work_that_unwinds_leaves_what_was_finished() {
    struct Unwinding(Cubes);
    impl Divisible for Unwinding {
        const STEP: [&'static str; 2] = Cubes::STEP;
        type Finding = Vec<u64>;
        type Workspace = Vec<u64>;
        type Sum = Vec<u64>;
        type Error = String;
        fn identity(&self) -> String {
            self.0.identity()
        }
        fn steps(&self) -> Range<u64> {
            self.0.steps()
        }
        fn workspace(&self) -> Vec<u64> {
            Vec::new()
        }
        fn compute(
            &self,
            steps: Range<u64>,
            workspace: &mut Vec<u64>,
            stop: &AtomicBool,
        ) -> Result<Option<(u64, Vec<u64>)>, String> {
            if steps.start >= 30 {
                std::panic::resume_unwind(Box::new("stopped"));
            }
            self.0.compute(steps, workspace, stop)
        }
        fn write(&self, finding: &Vec<u64>) -> String {
            self.0.write(finding)
        }
        fn read(&self, steps: Range<u64>, line: &str) -> Option<Vec<u64>> {
            self.0.read(steps, line)
        }
        fn begin(&self) -> Vec<u64> {
            self.0.begin()
        }
        fn absorb(&self, sum: &mut Vec<u64>, steps: Range<u64>, finding: Vec<u64>) -> Result<(), String> {
            self.0.absorb(sum, steps, finding)
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("begun");
    let work = Unwinding(Cubes::new(0..50, 1));
    let part = Part::checkpoint(&path, PROGRAM, "powers", &work).unwrap();
    let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        on_threads(3, || run(&work, &Job { keep: Keep::Checkpoint(&part), ..Job::new(&work.0.stop) }))
    }));
    assert!(unwound.is_err());
    drop(part);
    let again = Cubes::new(0..50, 1);
    let part = checkpoint(&path, &again).unwrap();
    assert_eq!(part.units(), 30);
    assert_eq!(again.run(Keep::Checkpoint(&part)).unwrap(), Run::Whole(again.twin()));
}

#[test]
fn a_checkpoint_cut_off_anywhere_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("begun");
    let work = || Cubes::new(0..9, 2);
    let run = || {
        let work = work();
        work.run(Keep::Checkpoint(&checkpoint(&path, &work).unwrap())).unwrap()
    };
    assert_eq!(run(), Run::Whole(work().twin()));
    let whole = std::fs::read(&path).unwrap();
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(run(), Run::Whole(work().twin()), "{length} bytes");
        assert_eq!(std::fs::metadata(&path).unwrap().len(), whole.len() as u64);
    }
}

/// A file that holds two kinds of work, one after the other, like the sums of a law on two grids.
#[test]
fn one_file_has_a_section_for_each_work() {
    let folder = tempfile::tempdir().unwrap();
    let works = || [2, 3].map(|power| Cubes { power, ..Cubes::new(0..50, 4) });
    let path = folder.path().join("begun");
    for (most, whole) in [(20, false), (u64::MAX, true)] {
        let part = checkpoint(&path, &works()[0]).unwrap();
        for work in works().map(|work| work.stopped_after(most)) {
            let found = on_threads(1, || work.run(Keep::Checkpoint(&part)).unwrap());
            assert_eq!(found == Run::Whole(work.twin()), whole);
            let left = if whole { 30 } else { 20 };
            assert_eq!(work.computed.load(Ordering::Relaxed), left);
        }
    }
    // Either of them makes the file one of this computation.
    assert!(checkpoint(&path, &works()[1]).is_ok());
}

#[test]
fn a_checkpoint_goes_on_with_more_steps_and_is_guarded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("begun");
    let first = Cubes::new(20..50, 8);
    first.run(Keep::Checkpoint(&checkpoint(&path, &first).unwrap())).unwrap();
    // Other bounds and other units: what is missing is computed.
    let more = Cubes::new(0..90, 16);
    let part = checkpoint(&path, &more).unwrap();
    assert_eq!(more.run(Keep::Checkpoint(&part)).unwrap(), Run::Whole(more.twin()));
    assert_eq!(more.computed.load(Ordering::Relaxed), 60);
    drop(part);
    let before = std::fs::read(&path).unwrap();
    let fewer = Cubes::new(0..60, 4);
    let part = checkpoint(&path, &fewer).unwrap();
    assert_eq!(
        sentence(fewer.run(Keep::Checkpoint(&part)), folder.path()),
        "F/begun: number 63 is kept there, but not asked for; ask for it, too, or name another file"
    );
    let refused = |path: &Path, work: &Cubes| {
        checkpoint(path, work).unwrap_err().to_string().replace(&folder.path().display().to_string(), "F")
    };
    let other = Cubes { power: 2, ..Cubes::new(0..90, 8) };
    assert_eq!(
        refused(&path, &other),
        "F/begun: belongs to another computation (another power: 3, not 2); name another file"
    );
    assert_eq!(std::fs::read(&path).unwrap(), before, "left as it is");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("text"), "{}\n").unwrap();
    assert!(refused(&path("text"), &other).starts_with("F/text: this is neither a checkpoint nor the part"));
    drop(part);
    let shards = shards(folder.path(), 2, || Cubes::new(0..90, 8));
    assert_eq!(
        refused(&shards[1], &more),
        "F/part-2: the part is that of shard 2/2, not a checkpoint; name another file"
    );
    drop(Part::checkpoint(&path("sums"), PROGRAM, "sums", &other).unwrap());
    assert_eq!(
        refused(&path("sums"), &other),
        "F/sums: the part comes from prodmax sums, not from prodmax powers; name another file"
    );
    // One that another revision has begun goes on.
    let text = std::fs::read_to_string(path("begun")).unwrap();
    let header = text.lines().next().unwrap().rsplit_once(' ').unwrap().0;
    assert!(header.contains(PROGRAM), "{header}");
    drop(Part::checkpoint(&path("old"), "0.1.0", "powers", &more).unwrap());
    assert_eq!(
        more.run(Keep::Checkpoint(&checkpoint(&path("old"), &more).unwrap())).unwrap(),
        Run::Whole(more.twin())
    );
}

#[test]
fn files_of_several_runs_are_added_up_once_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let keep = |name: &str, steps: Range<u64>| {
        let work = Cubes::new(steps, 4);
        work.run(Keep::Checkpoint(&checkpoint(&path(name), &work).unwrap())).unwrap();
    };
    keep("first", 0..10);
    keep("last", 25..40);
    // Between them, an answer.
    let middle = Cubes::new(10..20, 4);
    let runs = middle.steps().map(|step| (step..step + 1, middle.write(&vec![step.pow(3)])));
    let record = Record::new(middle.identity(), middle.steps(), runs);
    let answer = serde_json::json!({ "figures": [1, 2], "record": record });
    std::fs::write(path("answer"), answer.to_string()).unwrap();
    let read = |names: &[&str]| -> Result<Vec<KeptFile>, PartError> {
        names.iter().map(|name| KeptFile::read(&path(name), "powers")).collect()
    };
    for names in [["first", "answer", "last"], ["last", "answer", "first"]] {
        let files = read(&names).unwrap();
        let (identity, steps) = KeptFile::asked(&files).unwrap();
        assert_eq!((identity, &steps), (&middle.identity()[..], &(0..40)));
        let work = Cubes::new(steps, 1);
        let sum: Vec<u64> =
            work.twin().into_iter().filter(|cube| !(20..25).any(|n| n * n * n == *cube)).collect();
        assert_eq!(merge(&work, &files).unwrap(), Run::Partial { sum, done: 35, all: 40 });
    }
    let all = Cubes::new(0..40, 1);
    let refused = |names: &[&str]| {
        let result = read(names).map_err(DivideError::from).and_then(|files| merge(&all, &files));
        sentence(result, folder.path())
    };
    assert_eq!(
        refused(&["first", "answer", "first"]),
        "F/first: number 0 is there twice, or in another file, too; it would be counted twice"
    );
    keep("overlapping", 15..19);
    assert_eq!(
        refused(&["overlapping", "answer"]),
        "F/answer: number 15 is there twice, or in another file, too; it would be counted twice"
    );
    let other = Cubes { power: 2, ..Cubes::new(0..9, 1) };
    drop(Part::checkpoint(&path("other"), PROGRAM, "powers", &other).unwrap());
    other
        .run(Keep::Checkpoint(&Part::checkpoint(&path("other"), PROGRAM, "powers", &other).unwrap()))
        .unwrap();
    assert_eq!(
        refused(&["last", "other"]),
        "F/other: belongs to another computation (another power: 2, not 3); name another file"
    );
    let tampered = answer.to_string().replacen("1000", "1001", 1);
    assert_ne!(tampered, answer.to_string());
    for (name, text) in [("damaged", &tampered[..]), ("none", "{}"), ("text", "text")] {
        std::fs::write(path(name), text).unwrap();
        let begins = format!("F/{name}: this is neither kept work nor an answer that carries a record: ");
        assert!(refused(&[name]).starts_with(&begins), "{}", refused(&[name]));
    }
}

#[test]
fn shards_must_be_whole_and_belong_together() {
    let folder = tempfile::tempdir().unwrap();
    let paths = shards(folder.path(), 3, || Cubes::new(0..50, 4));
    let work = |steps| Cubes::new(steps, 4);
    assert_eq!(merged(&work(0..50), &paths).unwrap(), Run::Whole(work(0..50).twin()));
    let refused = |work: Cubes| sentence(merged(&work, &paths), folder.path());
    assert_eq!(
        refused(work(0..53)),
        "3 of 53 steps of the work are in no part, the first one is 50; the parts do not belong together"
    );
    assert_eq!(
        refused(work(0..49)),
        "F/part-3: number 49 is kept there, but not asked for; ask for it, too, or name another file"
    );
    assert_eq!(
        refused(Cubes { power: 2, ..work(0..50) }),
        "F/part-1: belongs to another computation (another power: 3, not 2); name another file"
    );
    // A shard goes on only with its own units.
    let moved = part(&paths[1], Shard::new(2, 3).unwrap());
    let other = Cubes::new(0..50, 5);
    assert!(
        sentence(other.run(Keep::Shard(&moved)), folder.path())
            .starts_with("F/part-2: number 7 is kept there")
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    /// Stopped after any number of steps, with any number of threads, the end of the file cut off anywhere: what goes on
    /// ends with the same sum, and computes nothing that was kept.
    #[test]
    fn a_stopped_checkpoint_goes_on_to_the_same_sum(
        (first, steps) in (0u64..9, 1u64..120), size in 1u64..20, threads in 1usize..5,
        stops in prop::collection::vec((1u64..60, 1u64..20, 0u64..60), 0..4)
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("begun");
        let steps = first..first + steps;
        let mut lost = 0;
        let mut computed = 0;
        for (most, size, cut) in stops {
            let work = Cubes::new(steps.clone(), size).stopped_after(most);
            let part = checkpoint(&path, &work).unwrap();
            let found = on_threads(threads, || work.run(Keep::Checkpoint(&part)).unwrap());
            let new = work.computed.load(Ordering::Relaxed);
            computed += new;
            match found {
                Run::Whole(sum) => prop_assert_eq!(sum, work.twin()),
                // Nothing that was computed is lost.
                Run::Partial { sum, done, all } => {
                    prop_assert_eq!(all, steps.end - steps.start);
                    prop_assert_eq!((sum.len() as u64, done), (done, computed - lost));
                    prop_assert!(sum.is_sorted());
                }
                Run::Shard { .. } => prop_assert!(false),
            }
            drop(part);
            let length = std::fs::metadata(&path).unwrap().len();
            std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length.saturating_sub(cut)).unwrap();
            let again = Cubes::new(steps.clone(), 1).stopped_after(1);
            again.stop.store(true, Ordering::Relaxed);
            let part = checkpoint(&path, &again).unwrap();
            let kept = match again.run(Keep::Checkpoint(&part)).unwrap() {
                Run::Partial { done, .. } => done,
                _ => steps.end - steps.start,
            };
            lost = computed - kept;
        }
        let work = Cubes::new(steps.clone(), size);
        let part = checkpoint(&path, &work).unwrap();
        let found = on_threads(threads, || work.run(Keep::Checkpoint(&part)).unwrap());
        prop_assert_eq!(found, Run::Whole(work.twin()));
        prop_assert_eq!(work.computed.into_inner(), steps.end - steps.start - (computed - lost));
    }

    #[test]
    fn merged_shards_are_the_whole(
        (first, steps) in (0u64..9, 1u64..120), size in 1u64..20, of in 1u32..12, shift in any::<prop::sample::Index>(),
        stopped in 0u64..30
    ) {
        let folder = tempfile::tempdir().unwrap();
        let work = || Cubes::new(first..first + steps, size);
        for number in 1..=of {
            let part = part(&folder.path().join(format!("part-{number}")), Shard::new(number, of).unwrap());
            work().stopped_after(stopped).run(Keep::Shard(&part)).unwrap();
        }
        let mut paths = shards(folder.path(), of, work);
        paths.rotate_left(shift.index(of as usize));
        prop_assert_eq!(merged(&work(), &paths).unwrap(), Run::Whole(work().twin()));
    }

    /// Whole lines that are removed, moved or repeated have good checksums each; other damage has not.
    #[test]
    fn a_damaged_checkpoint_is_refused_or_gives_the_same_sum(
        kind in 0u8..4, place in any::<prop::sample::Index>(), other in any::<prop::sample::Index>(), bit in 0u8..8
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("begun");
        let work = Cubes::new(0..40, 3);
        work.run(Keep::Checkpoint(&checkpoint(&path, &work).unwrap())).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        let mut lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let (at, to) = (place.index(lines.len()), other.index(lines.len()));
        let damaged = match kind {
            0 => { lines.remove(at); lines.concat().into_bytes() }
            1 => { lines.insert(to, lines[at]); lines.concat().into_bytes() }
            2 => { lines.swap(at, to); lines.concat().into_bytes() }
            _ => {
                let mut bytes = whole.into_bytes();
                let at = place.index(bytes.len());
                bytes[at] ^= 1 << bit;
                bytes
            }
        };
        std::fs::write(&path, damaged).unwrap();
        let again = Cubes::new(0..40, 3);
        let found = checkpoint(&path, &again)
            .map_err(DivideError::from)
            .and_then(|part| again.run(Keep::Checkpoint(&part)));
        match found {
            Ok(found) => prop_assert_eq!(found, Run::Whole(again.twin())),
            Err(error) => prop_assert!(error.to_string().contains("begun: "), "{}", error),
        }
    }
}
