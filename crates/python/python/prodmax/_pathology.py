"""The study of real values: minimax pathology after Luštrek, Gams and Bratko (LGB)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

from ._ask import Progress, result
from ._figures import Result

Path = str | os.PathLike[str]
Numbers = float | Sequence[float]


def pathology(
    table: int | None = None,
    *,
    method: Literal["integrate", "sample", "both"] | None = None,
    rules: str | Sequence[str] | None = None,
    scale: float | None = None,
    spec: Path | None = None,
    b: int | None = None,
    sigma_v: float | None = None,
    sigma_e: float | None = None,
    steps: str | None = None,
    values: str | None = None,
    m: float | None = None,
    d_max: int | None = None,
    grains: int | None = None,
    range: float | None = None,
    d: int | None = None,
    trees: int | None = None,
    first_tree: int | None = None,
    seed: int | None = None,
    repetitions: int | None = None,
    tolerance: float | None = None,
    checkpoint: Path | None = None,
    progress: Progress = False,
) -> Result:
    """Real-valued minimax: LGB's tables beside ours, or any model (`prodmax pathology`). With `rules` other rules back up
    the same noisy values, as probabilities.

    >>> r = pathology(b=2, d_max=4)
    >>> [row.d for row in r.rows], round(r.rows[4].move_error, 4)
    ([0, 1, 2, 3, 4], 0.0385)
    >>> r = pathology(rules=["minimax", "product"], d_max=3, trees=20)
    >>> list(r.to_pandas()["rule"])
    ['minimax', 'minimax', 'minimax', 'minimax', 'product', 'product', 'product', 'product']
    """
    options = {key: value for key, value in locals().items() if key != "progress"}
    rows = "cells" if table is not None else "rows" if rules is None else "rules.rows"
    return result("pathology", options, progress, rows)


def pathology_formulas(
    b: int | None = None,
    *,
    plies: int | None = None,
    losses: Fraction | float | str | None = None,
    root_losses: Fraction | float | str | None = None,
    fixed_point: bool = False,
    false_wins: Fraction | float | str | None = None,
    false_losses: Fraction | float | str | None = None,
    verify: bool = False,
    section_4: bool = False,
    sigma_e: float | None = None,
    only_max: bool = False,
) -> Result:
    """LGB's eqs (1) to (8) (`prodmax pathology formulas`): fractions from a share of `losses` at the lowest ply, proved
    intervals from that at the root, quadrature for section 4.

    >>> r = pathology_formulas(losses=Fraction(2, 5), plies=1)
    >>> r.plies[1].error.exact
    Fraction(283, 2500)
    >>> round(pathology_formulas(plies=1).searches[1].error.midpoint, 3)
    0.133
    """
    options = {key: value for key, value in locals().items()}
    rows = "rows" if section_4 else "searches" if losses is None else "plies"
    return result("pathology formulas", options, rows=rows)


def pathology_grains(
    b: int | Sequence[int] | None = None,
    *,
    sigma_e: float | None = None,
    d_max: int | None = None,
    most: int | None = None,
    at: int | Sequence[int] | None = None,
    readings: Literal["dependent", "independent"] | None = None,
    progress: Progress = False,
) -> Result:
    """How many grains of the values it takes to avoid pathology (`prodmax pathology grains`): LGB's Table 6 and eq. (9).

    >>> r = pathology_grains(b=[2, 4], most=30)
    >>> [row.required_grains for row in r.required]
    [13, 22]
    """
    options: dict[str, Any] = {key: value for key, value in locals().items() if key != "progress"}
    rows = "readings" if readings is not None else "required" if at is None else "grains"
    return result("pathology grains", options, progress, rows)


def pathology_map(
    b: int | Sequence[int] | None = None,
    *,
    sigma_e: Numbers | None = None,
    grains: int | Sequence[int] | None = None,
    d_max: int | None = None,
    progress: Progress = False,
) -> Result:
    """Where deeper search is worse: over noise, dependence, grains and moves (`prodmax pathology map`).

    >>> r = pathology_map(b=2, sigma_e=0.2, grains=10, d_max=2)
    >>> list(r.to_pandas()["values"])
    ['dependent', 'dependent', 'independent', 'independent']
    """
    options: dict[str, Any] = {key: value for key, value in locals().items() if key != "progress"}
    return result("pathology map", options, progress, rows="points")
