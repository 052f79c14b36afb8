//! Parts: continued wherever they were cut off, merged in any order, refused with the name of the file otherwise.

#![allow(clippy::unwrap_used, reason = "test helpers")]

use std::path::{Path, PathBuf};

use prodmax_jobs::part::is_part;
use prodmax_jobs::{Part, PartError, PartHeader, Parts, Shard};
use proptest::prelude::*;

const PROGRAM: &str = "0.2.0 (abc)";

fn header(number: u32, of: u32) -> PartHeader {
    PartHeader {
        program: PROGRAM.to_owned(),
        shard: Shard::new(number, of).unwrap(),
        command: ["squares", "--up-to=40"].map(str::to_owned).into(),
        files: vec!["a text\nof two lines".to_owned()],
    }
}

/// The work of the tests: two sections of `UNITS` units, the squares of their numbers.
const UNITS: u64 = 40;
const SECTIONS: [&str; 2] = ["root=+1 kind=squares", "root=+2 kind=squares"];

fn is_square(unit: u64, text: &str) -> bool {
    text.parse() == Ok(unit * unit)
}

/// Computes at most `most` units of a shard, as a process that is killed then would.
fn compute(path: &Path, header: PartHeader, most: usize) -> Result<(), PartError> {
    let shard = header.shard;
    let part = Part::open(path, header)?;
    if part.is_finished() {
        return Ok(());
    }
    let mut left = most;
    for section in SECTIONS {
        let mut done = Vec::new();
        let section = part.section(section, &mut |unit, text| {
            done.push(unit);
            is_square(unit, text)
        })?;
        for unit in (0..UNITS).filter(|unit| shard.has(*unit) && !done.contains(unit)) {
            if left == 0 {
                return Ok(());
            }
            left -= 1;
            section.append(unit, &(unit * unit).to_string())?;
        }
    }
    part.finish()
}

fn merge(paths: &[PathBuf]) -> Result<Vec<u64>, PartError> {
    let parts = Parts::open(paths, PROGRAM, false)?;
    let mut found = vec![0; UNITS as usize];
    for section in SECTIONS {
        parts.section(section, &mut |unit, text| {
            found[unit as usize] += unit;
            is_square(unit, text)
        })?;
    }
    Ok(found)
}

fn all(folder: &Path, of: u32) -> Vec<PathBuf> {
    let path = |number: u32| folder.join(format!("part-{number}"));
    (1..=of).for_each(|number| compute(&path(number), header(number, of), usize::MAX).unwrap());
    (1..=of).map(path).collect()
}

fn expected() -> Vec<u64> {
    (0..UNITS).map(|unit| 2 * unit).collect()
}

fn refusal(paths: &[PathBuf]) -> String {
    merge(paths).unwrap_err().to_string()
}

#[test]
fn a_part_cut_off_anywhere_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let paths = all(folder.path(), 3);
    let whole = std::fs::read(&paths[1]).unwrap();
    for length in 0..whole.len() {
        std::fs::write(&paths[1], &whole[..length]).unwrap();
        // Not merged as it is, whatever is missing.
        assert!(refusal(&paths).contains("part-2: "), "{length}: {}", refusal(&paths));
        compute(&paths[1], header(2, 3), usize::MAX).unwrap();
        assert_eq!(std::fs::read(&paths[1]).unwrap(), whole, "cut off after {length} bytes");
    }
    assert_eq!(merge(&paths).unwrap(), expected());
}

#[test]
fn a_changed_byte_is_found_wherever_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let paths = all(folder.path(), 2);
    let whole = std::fs::read(&paths[0]).unwrap();
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 8);
        std::fs::write(&paths[0], &bytes).unwrap();
        assert!(refusal(&paths).contains("part-1: "), "byte {place}: {}", refusal(&paths));
    }
}

/// Whole lines that are removed, swapped or repeated have good checksums each.
#[test]
fn missing_and_doubled_lines_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let paths = all(folder.path(), 2);
    let whole = std::fs::read_to_string(&paths[0]).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    for line in 1..lines.len() {
        for times in [0, 2] {
            let changed: String = (0..lines.len())
                .flat_map(|place| std::iter::repeat_n(lines[place], if place == line { times } else { 1 }))
                .collect();
            std::fs::write(&paths[0], changed).unwrap();
            assert!(refusal(&paths).contains("part-1: "), "line {line}: {}", refusal(&paths));
        }
    }
}

#[test]
fn parts_that_do_not_belong_together_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let paths = all(folder.path(), 3);
    let path = |name: &str| folder.path().join(name);
    let with = |name: &str, change: &dyn Fn(&mut PartHeader)| {
        let mut other = header(3, 3);
        change(&mut other);
        compute(&path(name), other, usize::MAX).unwrap();
        let refusal = refusal(&[paths[0].clone(), paths[1].clone(), path(name)]);
        refusal.replace(&folder.path().display().to_string(), "F")
    };
    assert_eq!(
        with("later", &|header| header.program = "0.2.0 (def)".to_owned()),
        "F/later: the part comes from another revision: 0.2.0 (def), not 0.2.0 (abc); name another file"
    );
    assert_eq!(
        with("other", &|header| header.command[1] = "--up-to=41".to_owned()),
        "F/other: the part computes something else: `--up-to=41`, not `--up-to=40`; name another file"
    );
    assert_eq!(
        with("file", &|header| header.files[0] = "a text".to_owned()),
        "F/file: the part computes something else: the files that it reads differ; name another file"
    );
    assert_eq!(
        with("four", &|header| header.shard = Shard::new(3, 4).unwrap()),
        "F/four: the part is one of 4 shards, not of 3; name another file"
    );
    assert_eq!(
        with("twice", &|header| header.shard = Shard::new(1, 3).unwrap()),
        "F/part-1 and F/twice are both shard 1/3; give each shard once"
    );
    let short = |paths: &[PathBuf]| refusal(paths).replace(&folder.path().display().to_string(), "F");
    assert_eq!(short(&paths[..2]), "1 of the 3 shards is missing (3); give all parts");
    assert_eq!(short(&paths[1..2]), "2 of the 3 shards are missing (1, 3); give all parts");
    assert_eq!(
        short(&[paths[0].clone(), paths[0].clone()]),
        "F/part-1 and F/part-1 are both shard 1/3; give each shard once"
    );
    assert!(matches!(merge(&[]), Err(PartError::None)));
    std::fs::write(path("text"), "something else\n").unwrap();
    assert!(
        short(&[path("text")]).starts_with("F/text: this is neither a checkpoint nor the part of a shard")
    );
    assert!(short(&[path("none")]).starts_with("F/none: cannot be read"));
    assert!(short(&[folder.path().to_owned()]).ends_with("is not a regular file; give the path of one"));
    compute(&path("begun"), header(3, 3), 5).unwrap();
    assert!(
        short(&[paths[0].clone(), paths[1].clone(), path("begun")])
            .starts_with("F/begun: shard 3/3 is not finished")
    );
    assert!(is_part(&paths[0]) && !is_part(&path("text")) && !is_part(&path("none")));
}

#[test]
fn all_parts_of_another_revision_are_merged_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let paths = all(folder.path(), 2);
    assert!(matches!(Parts::open(&paths, "0.3.0", false), Err(PartError::Other { .. })));
    assert_eq!(Parts::open(&paths, "0.3.0", true).unwrap().header().program, PROGRAM);
}

#[test]
fn a_part_is_continued_only_by_its_own_shard() {
    let folder = tempfile::tempdir().unwrap();
    let paths = all(folder.path(), 2);
    let refused = |header| {
        let message = compute(&paths[0], header, 0).unwrap_err().to_string();
        message.replace(&folder.path().display().to_string(), "F")
    };
    assert_eq!(
        refused(header(2, 2)),
        "F/part-1: the part is that of shard 1/2, not of 2/2; name another file"
    );
    assert_eq!(refused(header(1, 3)), "F/part-1: the part is one of 2 shards, not of 3; name another file");
    std::fs::write(&paths[0], "something else\n").unwrap();
    assert!(refused(header(1, 2)).contains("this is neither a checkpoint nor the part of a shard"));
    assert_eq!(std::fs::read(&paths[0]).unwrap(), b"something else\n", "left as it is");
}

#[test]
fn a_section_must_be_in_every_part() {
    let folder = tempfile::tempdir().unwrap();
    let paths = all(folder.path(), 2);
    let parts = Parts::open(&paths, PROGRAM, false).unwrap();
    let message = parts.section("root=+3 kind=squares", &mut is_square).unwrap_err().to_string();
    assert_eq!(
        message.replace(&folder.path().display().to_string(), "F"),
        "F/part-1: the part belongs to another computation (another root: +1, not +3)"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_number_of_shards_killed_anywhere_merges_in_any_order(
        of in prop_oneof![Just(1u32), Just(2), Just(7), Just(64), 1u32..30],
        kills in prop::collection::vec((any::<prop::sample::Index>(), 0usize..9, 0u64..40), 0..6),
        shift in any::<prop::sample::Index>()
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = |number: u32| folder.path().join(format!("part-{number}"));
        for (which, most, cut) in kills {
            let number = which.index(of as usize) as u32 + 1;
            compute(&path(number), header(number, of), most).unwrap();
            // The end of the last line may be lost.
            let length = std::fs::metadata(path(number)).unwrap().len();
            let file = std::fs::OpenOptions::new().write(true).open(path(number)).unwrap();
            file.set_len(length.saturating_sub(cut)).unwrap();
        }
        let mut paths = all(folder.path(), of);
        paths.rotate_left(shift.index(of as usize));
        prop_assert_eq!(merge(&paths).unwrap(), expected());
    }
}
