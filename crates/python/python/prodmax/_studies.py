"""Tables of the papers and the studies: functions named like the commands."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal, overload

from ._ask import Progress, result, results
from ._figures import Result, Results

Path = str | os.PathLike[str]


def rules() -> Results:
    """The rules that there are, with formula and source (`prodmax rules`).

    >>> [rule.rule for rule in rules()]
    ['minimax', 'product', 'average:A', 'mean:P', 'baum:PW:PL', 'hints:E', 'ideal']
    """
    return results("rules", {})


def show(
    tree: str | None = None,
    rules: str | Sequence[str] = ("minimax", "product"),
    truth: str = "arctan:4",
    estimate: str | None = None,
    *,
    example: Literal["fig1", "fig2"] | None = None,
    zero: Literal["skip", "allow"] = "skip",
    h_max: int = 42,
) -> Result:
    """One tree as the rules see it, node by node (`prodmax show`): written by its leaves, or like a figure of KHS
    (`example="fig1"`).

    >>> r = show("((8 -3) (1 2))")
    >>> r.critical, r.choices["minimax"], r.choices["product"]
    (True, 'E', 'B')
    """
    options = {key: value for key, value in locals().items()}
    return result("show", options, rows="nodes")


@overload
def table1(depth: Literal[2] = 2, *, all: bool = False) -> Results: ...
@overload
def table1(depth: Literal[3], *, all: Literal[False] = False, types: Literal[False] = False) -> Result: ...
@overload
def table1(depth: Literal[3], *, all: Literal[True]) -> Results: ...
@overload
def table1(depth: Literal[3], *, types: Literal[True]) -> Results: ...
def table1(depth: int = 2, *, all: bool = False, types: bool = False) -> Result | Results:
    """KHS's Table I: which critical cases favour Minimax, which Product (`prodmax table1`).

    With `depth=3` the summary of the case analysis of depth 3; `all=True` lists every case, `types=True` the order
    types of depth 3.

    >>> len(table1()), table1()[0].favours
    (30, 'minimax')
    >>> table1(depth=3).critical
    227934
    """
    options = {"depth": depth, "all": all, "types": types}
    if depth == 3 and not all and not types:
        return result("table1", options, rows="balance")
    return results("table1", options)


def formulas(p: Fraction | float | str | None = None, *, baum: bool = False) -> Result:
    """Formulas (5) to (7), g(p), and their values at an error rate p (`prodmax formulas`); with `baum=True` the theory
    of Baum's rule. `Model.verify_formulas` compares them with a model.

    >>> formulas().g
    [1, -2]
    >>> formulas(Fraction(1, 20)).at.break_even.exact
    Fraction(19, 1)
    """
    return result("formulas", {"p": p, "baum": baum}, rows="errors" if baum else "intervals")


def table2(
    number: Literal["f64", "certified"] = "f64", *, reading: Path | None = None, progress: Progress = False
) -> Result:
    """KHS's Table II, ours beside the published one (`prodmax table2`).

    >>> cell = table2().cells[0]
    >>> cell.root, cell.increments, cell.published, round(cell.ours, 2), cell.verdict
    (-4, [4, 4, 2], '-3.9', -5.77, 'sign-only')
    """
    options = {"reading": reading} if reading is not None else {"number": number}
    return result("table2", options, progress, rows="cells")


def check(
    only: str | Sequence[str] = (),
    *,
    slow: bool = False,
    cluster: bool = False,
    golden: Path | None = None,
    recorded: bool = False,
    each: bool = False,
    progress: Progress = False,
) -> Result | Results:
    """Recomputes published figures, our values and the verdicts on record (`prodmax check`). With `recorded=True` the
    verdicts on record are counted instead of computed; `each=True` lists them.

    >>> checked = check("formulas")
    >>> checked.holds, checked.failed
    (True, 0)
    >>> check("table1", recorded=True, each=True)[0].verdict
    'exact'
    """
    names = [only] if isinstance(only, str) else only
    command = " ".join(["check", *(f"--only={_name(name)}" for name in names)])
    options = {"slow": slow, "cluster": cluster, "golden": golden, "recorded": recorded, "each": each}
    return results(command, options) if recorded else result(command, options, progress, rows="entries")


def _name(name: str) -> str:
    if not name or any(character.isspace() for character in name):
        raise ValueError(f"`{name}` is not the name of a golden entry")
    return name


def simulate(
    *,
    spec: Path | None = None,
    rules: str | Sequence[str] | None = None,
    tree_depth: int | None = None,
    root: int | None = None,
    increment: int | None = None,
    h_max: int | None = None,
    zero: Literal["skip", "allow"] | None = None,
    overflow: str | None = None,
    truth: str | None = None,
    assignment: str | None = None,
    estimate: str | None = None,
    depths: str | Sequence[int] | None = None,
    trees: int | None = None,
    first_tree: int | None = None,
    seed: int | None = None,
    checkpoint: Path | None = None,
    progress: Progress = False,
) -> Result:
    """Game contests in random trees: Tables III and IV, Fig. 6 (`prodmax simulate`). `to_pandas()` has the rows of both
    tables.

    >>> r = simulate(tree_depth=6, depths=[1, 2], trees=3, seed=1)
    >>> [row.d for row in r.tables[0].rows], r.missing
    ([1, 2], 0)
    """
    options = {key: value for key, value in locals().items() if key != "progress"}
    return result("simulate", options, progress, rows="tables.rows")


def play(
    game: str | None = None,
    players: str | Sequence[str] | None = None,
    *,
    depth: int | None = None,
    calls: int | Sequence[int] | None = None,
    milliseconds: int | Sequence[int] | None = None,
    holes: int | None = None,
    stones: int | None = None,
    columns: int | None = None,
    rows: int | None = None,
    evaluator: str | None = None,
    ply: Literal["move", "turn", "whole"] | None = None,
    ties: Literal["first", "random"] | None = None,
    opening: str | None = None,
    starts: int | None = None,
    first_start: int | None = None,
    seed: int | None = None,
    until_decided: bool = False,
    spec: Path | None = None,
    checkpoint: Path | None = None,
    game_log: Path | None = None,
    progress: Progress = False,
) -> Result:
    """A match between two players of Kalah or Connect-Four (`prodmax play`). Games by `milliseconds` depend on the
    machine and cannot be repeated exactly. With `until_decided=True` a match ends when it is decided.

    >>> r = play("kalah", ["minimax", "product"], depth=2, starts=4, seed=1)
    >>> r.total.games, r.total.wins + r.total.losses + r.total.draws
    (8, 8)
    """
    options: dict[str, Any] = {key: value for key, value in locals().items() if key != "progress"}
    return result("play", options, progress, rows="results")


def play_quality(
    game: str = "connect4",
    players: str | Sequence[str] = ("penalty:10", "alphabeta"),
    *,
    depth: int | None = None,
    calls: int | Sequence[int] | None = None,
    milliseconds: int | Sequence[int] | None = None,
    columns: int | None = None,
    rows: int | None = None,
    evaluator: str | None = None,
    positions: int | None = None,
    discs: Sequence[int] | None = None,
    seed: int | None = None,
    progress: Progress = False,
) -> Result:
    """How often a search finds a move that an exact solver confirms (`prodmax play quality`).

    >>> r = play_quality(players=["penalty:10", "alphabeta"], calls=100, positions=10, discs=(24, 26))
    >>> [row.player for row in r.rows], 0 < r.chance < 1
    (['penalty:10', 'alphabeta'], True)
    """
    options: dict[str, Any] = {key: value for key, value in locals().items() if key != "progress"}
    return result("play quality", options, progress, rows="rows")
