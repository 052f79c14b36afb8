//! How much memory there is: that of the machine, or what a limit of the system leaves of it.
//!
//! Limits count as the machine's memory: that of a container (cgroup, versions 1 and 2) and that on the address space
//! of a process (`ulimit -v`). They are read from the files in which Linux reports them; on other systems nothing is
//! known.

use std::fs;
use std::path::{Component, Path};

/// Where the bound on the memory comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// All the memory of the machine.
    Machine,
    /// The limit of a container.
    Cgroup,
    /// The limit on the address space of the process.
    AddressSpace,
}

impl Source {
    /// For sentences: "only 3.0 GiB are available …".
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Machine => "on this machine",
            Self::Cgroup => "under the limit of the control group",
            Self::AddressSpace => "under the limit on the address space (ulimit -v)",
        }
    }
}

/// An amount of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The number of bytes.
    pub bytes: u64,
    /// What limits it.
    pub source: Source,
}

/// The minimum of the machine's memory and what its limits allow; `None` where the system does not report it.
pub fn available() -> Option<Memory> {
    below(Path::new("/"))
}

/// The same, read from the files below a folder that stands for `/`.
fn below(root: &Path) -> Option<Memory> {
    let memory = |bytes: Option<u64>, source| bytes.map(|bytes| Memory { bytes, source });
    let all = [
        memory(machine(root), Source::Machine),
        memory(cgroup(root), Source::Cgroup),
        memory(address_space(root), Source::AddressSpace),
    ];
    all.into_iter().flatten().min_by_key(|memory| memory.bytes)
}

fn read(root: &Path, path: &str) -> Option<String> {
    fs::read_to_string(root.join(path.trim_start_matches('/'))).ok()
}

/// A line like `MemTotal:  24568 kB`.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

fn machine(root: &Path) -> Option<u64> {
    kilobytes(&read(root, "/proc/meminfo")?, "MemTotal")
}

/// The soft limit minus what is already in use.
fn address_space(root: &Path) -> Option<u64> {
    let limits = read(root, "/proc/self/limits")?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    // "unlimited" is not a number.
    let soft: u64 = line.split_whitespace().next()?.parse().ok()?;
    let used = kilobytes(&read(root, "/proc/self/status")?, "VmSize").unwrap_or(0);
    Some(soft.saturating_sub(used))
}

/// The lowest limit of the groups that the process is in: each group is also bounded by the groups that contain it.
fn cgroup(root: &Path) -> Option<u64> {
    let groups = read(root, "/proc/self/cgroup")?;
    let limit = |line: &str| -> Option<u64> {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        let (mount, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            list if list.split(',').any(|one| one == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::RootDir);
        let path = Path::new(path);
        // A path that leads out of its namespace cannot be looked up.
        let containing = path.components().all(plain).then(|| path.ancestors()).into_iter().flatten();
        // In a container, its own group can be mounted at the top.
        let limits = containing.chain([Path::new("/")]).filter_map(|group| {
            let group = group.to_string_lossy();
            read(root, &format!("{mount}{}/{file}", group.trim_end_matches('/')))?.trim().parse::<u64>().ok()
        });
        limits.min()
    };
    // For "no limit", version 1 has a number greater than any memory, version 2 the word "max".
    groups.lines().filter_map(limit).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine_with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    const MEMINFO: (&str, &str) = ("proc/meminfo", "MemTotal:        1000 kB\nMemFree: 10 kB\n");
    const STATUS: (&str, &str) =
        ("proc/self/status", "Name:\tprodmax\nVmPeak:\t  700 kB\nVmSize:\t  100 kB\n");

    fn limits(soft: &str) -> String {
        format!(
            "Limit                     Soft Limit           Hard Limit           Units     \n\
             Max data size             1 unlimited bytes     \n\
             Max address space         {soft}            unlimited            bytes     \n"
        )
    }

    #[test]
    fn the_least_of_machine_and_limits_counts() {
        assert_eq!(below(machine_with(&[]).path()), None);
        let machine = Memory { bytes: 1_024_000, source: Source::Machine };
        assert_eq!(below(machine_with(&[MEMINFO]).path()), Some(machine));
        let unlimited = limits("unlimited");
        let files = [MEMINFO, STATUS, ("proc/self/limits", unlimited.as_str())];
        assert_eq!(below(machine_with(&files).path()), Some(machine));
        let limited = limits("409600");
        let files = [MEMINFO, STATUS, ("proc/self/limits", limited.as_str())];
        // 400 KiB minus the 100 KiB in use.
        let left = Memory { bytes: 307_200, source: Source::AddressSpace };
        assert_eq!(below(machine_with(&files).path()), Some(left));
    }

    #[test]
    fn groups_of_both_versions_are_bounded_by_those_that_contain_them() {
        let v2 = [
            MEMINFO,
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/memory.max", "5000\n"),
            ("sys/fs/cgroup/a/b/memory.max", "max\n"),
        ];
        assert_eq!(below(machine_with(&v2).path()), Some(Memory { bytes: 5000, source: Source::Cgroup }));
        let v1 = [
            MEMINFO,
            ("proc/self/cgroup", "9:cpu:/\n4:hugetlb,memory:/x\n0::/\n"),
            ("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "7000\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ];
        assert_eq!(below(machine_with(&v1).path()), Some(Memory { bytes: 7000, source: Source::Cgroup }));
        let in_a_container =
            [("proc/self/cgroup", "0::/docker/123\n"), ("sys/fs/cgroup/memory.max", "6000\n")];
        assert_eq!(
            below(machine_with(&in_a_container).path()),
            Some(Memory { bytes: 6000, source: Source::Cgroup })
        );
        let outside = [("proc/self/cgroup", "0::/../x\n"), ("sys/fs/cgroup/memory.max", "max\n")];
        assert_eq!(below(machine_with(&outside).path()), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_memory() {
        assert!(available().is_some_and(|memory| memory.bytes > 1 << 20));
    }
}
