"""What the tests share: the program to compare with, and the models of the golden files."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import prodmax

REPOSITORY = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("PRODMAX", REPOSITORY / "target" / "release" / "prodmax"))


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs the program."""
    return subprocess.run([str(PROGRAM), *words], capture_output=True, text=True, cwd=REPOSITORY)


def asked(*words: str) -> Any:
    """The JSON that the program prints."""
    done = run(*words, "--format", "json", "--quiet")
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


TEXTS = {"published", "ours", "recorded", "shallow_says", "checksum", "games", "found"}
"""Figures as they are printed, and texts of zeros and ones."""


def same(ours: Any, theirs: Any, path: str = "") -> None:
    """Asserts that a result of Python holds exactly what JSON says, to the last bit."""
    if isinstance(ours, prodmax.Record):
        assert list(ours) == list(theirs), path
        for key in ours:
            same(ours[key], theirs[key], f"{path}.{key}")
    elif isinstance(ours, prodmax.Enclosure):
        ends = [theirs["low"], theirs["high"]] if isinstance(theirs, dict) else theirs
        for mine, end, outwards in zip(ours, ends, (-math.inf, math.inf)):
            # An end with more digits than a double is rounded outwards.
            is_long = sum(map(str.isdigit, str(end).partition("e")[0])) > 15
            assert mine.hex() == (math.nextafter(float(end), outwards) if is_long else float(end)).hex(), path
    elif isinstance(ours, (list, prodmax.Results)):
        assert len(ours) == len(theirs), path
        for place, (mine, other) in enumerate(zip(ours, theirs)):
            same(mine, other, f"{path}[{place}]")
    elif isinstance(ours, str):
        assert ours == theirs, path
        key = re.sub(r"\[\d+\]", "", path).rpartition(".")[2]
        assert key in TEXTS or not re.fullmatch(r"-?\d+(/\d+|\.\d+)?(e\d+)?", ours), f"{path} is a number: {ours}"
    elif isinstance(ours, bool) or ours is None:
        assert ours is theirs, path
    elif isinstance(ours, int):
        # Counts beyond 53 bits are texts in JSON.
        assert isinstance(theirs, (int, str)) and not isinstance(theirs, bool), path
        assert ours == int(theirs), path
    elif isinstance(ours, Fraction):
        theirs = theirs["fraction"] if isinstance(theirs, dict) else theirs
        assert isinstance(theirs, (str, int)) and ours == Fraction(theirs), path
    elif isinstance(ours, Decimal):
        # Only what no double can hold.
        assert isinstance(theirs, str) and ours == Decimal(theirs) and float(ours) == float("inf"), path
    else:
        assert isinstance(ours, float), (path, ours)
        assert ours.hex() == float(theirs).hex(), path


MODEL = re.compile(
    r"\(root: (-?\d+), increments: \[([\d, ]*)\](?:, zero: (\w+))?(?:, h_max: (\d+))?(?:, branching: (\d+))?\)"
)


def golden_models() -> list[prodmax.Model]:
    """Every model of the golden files, once."""
    models: dict[prodmax.Model, None] = {}
    for path in sorted((REPOSITORY / "golden").glob("*.ron")):
        for root, increments, zero, h_max, branching in MODEL.findall(path.read_text()):
            steps = [int(step) for step in increments.split(",")]
            model = prodmax.Model(int(root), steps, zero or "skip", int(h_max or 42), int(branching or 2))
            models[model] = None
    return list(models)


def flags(model: prodmax.Model) -> list[str]:
    """A model on the command line."""
    return [
        f"--root={model.root}",
        f"--increments={','.join(map(str, model.increments))}",
        f"--zero={model.zero}",
        f"--h-max={model.h_max}",
        f"--branching={model.branching}",
    ]


@pytest.fixture(scope="session", autouse=True)
def program() -> None:
    assert PROGRAM.exists(), f"{PROGRAM} is missing; build it with: cargo build --release --package prodmax"
