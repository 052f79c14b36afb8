#!/usr/bin/env python3
"""Compare what two builds of prodmax print and write.

    python3 tests/compare/run.py OLD NEW [--only TEXT] [--jobs N] [--renames FILE] [--list]

runs every command line of the recorded sessions and of the tests of JSON with both programs, those that print figures
also with the formats json, csv, markdown and latex; then each kind of work in shards, merged, and with a checkpoint
from which a killed run is continued. Exit status, standard output, standard error and the files that are written must
be the same, byte for byte, but for the version. In JSON the keys listed in renames.json may have new names; numbers are
compared as they are printed. Kept work may have another format: only what is printed from it is compared. Exit status 0:
nothing differs; 1: something does.
"""

import argparse
import concurrent.futures
import difflib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SESSIONS = ROOT / "crates/cli/tests/cmd"
JSON_TESTS = ROOT / "crates/cli/tests/integration/json.rs"
FORMATS = ["json", "csv", "markdown", "latex"]
# Commands whose output is no table of figures, or depends on when and where they run.
NO_FIGURES = {"man", "completions", "help", "prism", "serve", "slurm", "-h", "--help", "--version"}
SECONDS = 600

GRID = """Search(id: "small", title: "a few", grids: [(estimate: ["arctan:1", "pearl:1"], ties: [strict, half, later],
statistic: [share, per_case]), (weights: [ordered, classes], positive: [independent, mean])])"""

# Every kind of work that can be divided, and the option that keeps what is finished.
DIVISIBLE = [
    ("simulate --tree-depth 9 --depths 2,3 --seed 4 --trees 400", "--checkpoint"),
    ("readings --grid grid.ron --row 1,1,3 --top 4 --tables 1", "--output-all"),
    ("play --game connect4 --players penalty:10,alphabeta --calls 20,40 --starts 9", "--checkpoint"),
    ("pathology --method sample --d-max 3 --trees 70 --repetitions 2", "--checkpoint"),
    ("pathology --method sample --d-max 9 --trees 500", "--checkpoint"),
    ("mass --root 1 --increments 5,5,5,5 --engine deep", "--checkpoint"),
    ("contest --root 1 --increments 4,4,4,4 --rules minimax,product", "--checkpoint"),
    ("mass --root 1 --increments 3,3,3,3 --engine law --grid 512 --number certified", "--checkpoint"),
]
# How kept work begins, and the keys under which answers carry it.
KEPT = b"prodmax-part "
KEPT_KEYS = {"record", "checksum"}
SHARDS = 3


def session_commands():
    """The command lines of the recorded sessions."""
    for path in sorted(SESSIONS.glob("*.md")):
        for line in path.read_text().splitlines():
            if line.startswith("$ prodmax"):
                yield shlex.split(line[2:].removeprefix("? 2 "))[1:]


def json_commands():
    """The command lines of the tests of JSON that write no files."""
    text = JSON_TESTS.read_text()
    text = text[: text.index("];\n", text.index("const SECTIONS"))]
    for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', text):
        words = shlex.split(literal)
        if len(words) > 1 and "OUT" not in literal and re.fullmatch(r"[a-z0-9-]+", words[0]):
            yield words


def commands():
    """All of them once, with each format if they print figures."""
    seen = set()
    for words in [*session_commands(), *json_commands()]:
        variants = [words]
        if words and words[0] not in NO_FIGURES and "--format" not in words and "--help" not in words:
            variants += [[*words, "--format", name] for name in FORMATS]
        for variant in variants:
            if tuple(variant) not in seen:
                seen.add(tuple(variant))
                yield variant


def folder(parent):
    """A folder that looks like the repository but into which a command may write."""
    new = pathlib.Path(tempfile.mkdtemp(dir=parent))
    for path in ROOT.iterdir():
        if path.name not in {".git", "target", "golden", "report"}:
            (new / path.name).symlink_to(path)
    shutil.copytree(ROOT / "golden", new / "golden")
    (new / "grid.ron").write_text(GRID)
    return new


class Ran:
    """What a command did."""

    def __init__(self, program, words, where):
        self.words = words
        environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
        before = {path: path.stat().st_mtime_ns for path in files(where)}
        try:
            done = subprocess.run(
                [program, *words], cwd=where, env=environment, capture_output=True, stdin=subprocess.DEVNULL,
                timeout=SECONDS, check=False,
            )
            self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            self.status, self.out, self.err = "timeout", b"", b""
        written = [path for path in files(where) if before.get(path) != path.stat().st_mtime_ns]
        self.files = {str(path.relative_to(where)): path.read_bytes() for path in written}


def files(where):
    """The files in a folder that are no links to the repository."""
    return [
        pathlib.Path(base) / name
        for base, _, names in os.walk(where)
        for name in names
        if not (pathlib.Path(base) / name).is_symlink()
    ]


VERSION = re.compile(rb"\b0\.\d+\.\d+( \([0-9a-f]{7,}(-dirty)?\))?")


def plain(data):
    """Without what may differ between builds: versions, checksums over them, and times."""
    data = VERSION.sub(b"VERSION", data)
    return re.sub(rb"\b\d+(\.\d+)? ?(ms|s|min)\b", b"TIME", data)


class Literal(str):
    """A number of JSON as it is printed."""


def parsed(data):
    return json.loads(data, parse_float=Literal, parse_int=Literal)


def renamed(value, renames, path=""):
    """A JSON value with its old keys replaced by the new ones: `path` to `path`, arrays do not count."""
    if isinstance(value, list):
        return [renamed(each, renames, path) for each in value]
    if not isinstance(value, dict):
        return value
    new = {}
    for key, each in value.items():
        here = f"{path}.{key}".lstrip(".")
        each = renamed(each, renames, here)
        if here not in renames:
            # Names of rules and ids of entries have dots of their own.
            new[key] = each
            continue
        target = renames[here]
        if target is None:
            continue
        *parents, last = target.split(".")[len(path.split(".")) if path else 0 :]
        place = new
        for parent in parents:
            place = place.setdefault(parent, {})
        place[last] = each
    return new


def without_kept(value):
    """An answer without the work that it carries."""
    return {key: each for key, each in value.items() if key not in KEPT_KEYS} if isinstance(value, dict) else value


def difference(old, new, renames):
    """What differs between two runs, or None."""
    if old.status != new.status:
        return f"exit status {old.status} and {new.status}: {new.err.decode(errors='replace')[:300]}"
    if "json" in old.words and old.out and old.status in (0, 1):
        command = next((key for key in renames if key in " ".join(old.words)), None)
        keys = renames.get(command, {}) if command else {}
        try:
            old_value = without_kept(renamed(parsed(plain(old.out)), keys))
            new_value = without_kept(parsed(plain(new.out)))
        except json.JSONDecodeError as error:
            return f"no JSON: {error}"
        # The order of keys may change.
        if json.dumps(old_value, sort_keys=True) != json.dumps(new_value, sort_keys=True):
            return lines(json.dumps(old_value, indent=1), json.dumps(new_value, indent=1))
    elif plain(old.out) != plain(new.out):
        return lines(old.out.decode(errors="replace"), new.out.decode(errors="replace"))
    if plain(old.err) != plain(new.err):
        return "stderr: " + lines(old.err.decode(errors="replace"), new.err.decode(errors="replace"))
    if old.files.keys() != new.files.keys():
        return f"files {sorted(old.files)} and {sorted(new.files)}"
    for name, data in old.files.items():
        if not new.files[name].startswith(KEPT) and plain(data) != plain(new.files[name]):
            return f"the file {name} differs"
    return None


def lines(old, new):
    diff = difflib.unified_diff(old.splitlines(), new.splitlines(), "old", "new", lineterm="", n=0)
    return "\n    ".join(list(diff)[:12])


def one(words, programs, parent, renames):
    ran = []
    for program in programs:
        where = folder(parent)
        ran.append(Ran(program, words, where))
        shutil.rmtree(where)
    return difference(*ran, renames)


def whole(command, programs, parent):
    """The single run of each program."""
    out = []
    for program in programs:
        where = folder(parent)
        out.append(Ran(program, shlex.split(command), where).out)
        shutil.rmtree(where)
    return out


def divided(command, program, parent):
    """The output of a merge of shards."""
    where = folder(parent)
    parts = [f"part-{number}" for number in range(SHARDS, 0, -1)]
    for number, part in zip(range(SHARDS, 0, -1), parts):
        Ran(program, [*shlex.split(command), "--shard", f"{number}/{SHARDS}", "--output", part], where)
    merged = Ran(program, ["merge", *parts], where).out
    shutil.rmtree(where)
    return merged


def killed(command, keep, program, parent):
    """The output of a run that continues one that was killed, at three moments."""
    where = folder(parent)
    words = [*shlex.split(command), keep, "begun"]
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    for after in (0.05, 0.2, 0.5):
        process = subprocess.Popen(
            [program, *words], cwd=where, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        process.wait()
    continued = Ran(program, words, where)
    shutil.rmtree(where)
    return continued.out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", default="", help="command lines that contain this text")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--renames", type=pathlib.Path, default=pathlib.Path(__file__).with_name("renames.json"))
    parser.add_argument("--list", action="store_true", help="print the command lines and run nothing")
    options = parser.parse_args()
    chosen = [words for words in commands() if options.only in " ".join(words)]
    if options.list:
        print(*(shlex.join(words) for words in chosen), sep="\n")
        return 0
    renames = json.loads(options.renames.read_text()) if options.renames.exists() else {}
    programs = [str(pathlib.Path(program).resolve()) for program in (options.old, options.new)]
    differing = 0
    with tempfile.TemporaryDirectory() as parent, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda words: (words, one(words, programs, parent, renames)), chosen)
        for words, found in results:
            if found:
                differing += 1
                print(f"prodmax {shlex.join(words)}\n    {found}", flush=True)
        kinds = [kind for kind in DIVISIBLE if options.only in kind[0]]
        for command, keep in kinds:
            expected = whole(command, programs, parent)
            runs = {
                "single": expected[1],
                "merged": divided(command, programs[1], parent),
                "continued": killed(command, keep, programs[1], parent),
            }
            for name, out in runs.items():
                if not expected[0] or plain(out) != plain(expected[0]):
                    differing += 1
                    print(f"{name}: prodmax {command}\n    {lines(expected[0].decode(), out.decode())}", flush=True)
    print(f"{len(chosen)} command lines and {len(kinds)} kinds of divisible work: {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
