"""Models and what is asked about them."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from . import _engine, _own
from ._ask import Progress, note, result
from ._figures import Result

if TYPE_CHECKING:
    from ._classes import Classes

Number = Literal["f64", "certified", "exact"]
RuleName = str | _own.Rule


def _rules(rules: str | Sequence[RuleName]) -> list[RuleName]:
    return list(rules.split(",") if isinstance(rules, str) else rules)


def _whole(value: Any) -> str:
    try:
        return str(operator.index(value))
    except TypeError:
        return str(value)


class Model:
    """A model: all trees with this root value, where the children of a node lie up to the level's greatest increment
    away (KHS section III). It does not change.

    >>> model = Model(root=-1, increments=[3, 3, 3])
    >>> model
    Model(root=-1, increments=[3, 3, 3], zero='skip', h_max=42, branching=2)
    >>> model.trees
    268435456
    >>> Model(0, [3])
    Traceback (most recent call last):
    ...
    ValueError: bad root or line: the value 0 does not exist when zero is skipped; use -1 or +1, or `allow` zero
    """

    __slots__ = ("_model", "branching", "h_max", "increments", "root", "zero")

    root: int
    """The heuristic value of the root."""
    increments: tuple[int, ...]
    """The greatest increment of each level."""
    zero: str
    """Whether the value 0 exists: "skip" or "allow"."""
    h_max: int
    """The greatest heuristic value."""
    branching: int
    """The number of moves of every node."""

    def __init__(
        self,
        root: int,
        increments: Iterable[int],
        zero: Literal["skip", "allow"] = "skip",
        h_max: int = 42,
        branching: int = 2,
    ) -> None:
        steps = [_whole(step) for step in increments]
        model = _engine.Model(_whole(root), steps, str(zero), _whole(h_max), _whole(branching))
        put = object.__setattr__
        put(self, "_model", model)
        put(self, "root", int(root))
        put(self, "increments", tuple(map(int, steps)))
        put(self, "zero", str(zero))
        put(self, "h_max", int(h_max))
        put(self, "branching", int(branching))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a model does not change; make another one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a model does not change; make another one")

    def _key(self) -> tuple[int, tuple[int, ...], str, int, int]:
        return self.root, self.increments, self.zero, self.h_max, self.branching

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> Any:
        return Model, (self.root, self.increments, self.zero, self.h_max, self.branching)

    def __repr__(self) -> str:
        return (
            f"Model(root={self.root}, increments={list(self.increments)}, zero={self.zero!r}, h_max={self.h_max}, "
            f"branching={self.branching})"
        )

    @property
    def depth(self) -> int:
        """The depth of the trees."""
        return len(self.increments)

    @property
    def trees(self) -> int:
        """The number of ordered trees."""
        return self._model.trees  # type: ignore[attr-defined, no-any-return]

    def _options(self) -> dict[str, Any]:
        return {
            "root": self.root,
            "increments": self.increments,
            "zero": self.zero,
            "h_max": self.h_max,
            "branching": self.branching,
        }

    def plan(self) -> Result:
        """Counts trees and classes exactly, level by level, without building them (`prodmax enumerate --plan`).

        >>> plan = Model(1, [8, 8, 8, 8]).plan()
        >>> plan.trees, plan.classes
        (42391158275216203514294433201, 231317496)
        >>> [level.classes for level in plan.levels]
        [231317496, 23175, 261, 33]
        """
        return result("enumerate", {**self._options(), "plan": True}, rows="levels")

    def mass(
        self,
        rules: Sequence[RuleName] = ("minimax", "product"),
        truth: str = "arctan:4",
        estimate: str = "arctan:1",
        number: Number = "f64",
        *,
        quality: bool = False,
        engine: Literal["classes", "deep", "law"] | None = None,
        grid: int | None = None,
        width: float | None = None,
        time_limit: float | None = None,
        memory: str | int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        force: bool = False,
        progress: Progress = False,
    ) -> Result:
        """Sums the errors of two rules over all critical trees (`prodmax mass --rules`).

        `number` is "f64", "certified" (`known` has an interval for every figure) or "exact" (`known` has
        fractions; for `truth="uniform:P"`). Which trees are critical is proved in any case. Where classes do not fit
        into memory, `quality=True` asks for the quality of the rules, too; the other options are those of the command
        line. A rule can also be your own, see `prodmax.rule`.

        >>> r = Model(-1, [3, 3, 3]).mass()
        >>> r.critical, round(r.difference_percent, 2), round(r.errors["minimax"], 2)
        (14901376, -4.76, 3634254.01)
        >>> round(100 * r.quality["product"].efficiency, 2)
        99.94
        >>> Model(-1, [3, 3, 3]).mass(number="exact")
        Traceback (most recent call last):
        ...
        ValueError: root -1, increments 3,3,3: exact fractions need a rational truth curve (uniform:P), not arctan:4; \
use certified numbers for this one
        """
        named = _rules(rules)
        if any(isinstance(rule, _own.Rule) for rule in named):
            return _own.mass(self, named, truth, estimate, number)
        options = {
            **self._options(),
            "rules": named,
            "truth": truth,
            "estimate": estimate,
            "number": number,
            "quality": quality,
            "engine": engine,
            "grid": grid,
            "width": width,
            "time_limit": time_limit,
            "memory": memory,
            "checkpoint": checkpoint,
            "force": force,
        }
        return result("mass", options, progress)

    def contest(
        self,
        rules: Sequence[RuleName],
        truth: str = "arctan:4",
        estimate: str = "arctan:1",
        number: Number = "f64",
        *,
        memory: str | int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        force: bool = False,
        progress: Progress = False,
    ) -> Result:
        """Sets every rule against every other and ranks them (`prodmax contest`).

        `to_pandas()` has a row for each rule, `to_pandas("matches")` one for each pair.

        >>> r = Model(1, [8, 8]).contest(["minimax", "product", "mean:4"])
        >>> r.best_first
        ['product', 'mean:4', 'minimax']
        >>> [match.rules for match in r.matches]
        [['minimax', 'product'], ['minimax', 'mean:4'], ['product', 'mean:4']]
        """
        named = _rules(rules)
        if any(isinstance(rule, _own.Rule) for rule in named):
            return _own.contest(self, named, truth, estimate, number)
        options = {
            **self._options(),
            "rules": named,
            "truth": truth,
            "estimate": estimate,
            "number": number,
            "memory": memory,
            "checkpoint": checkpoint,
            "force": force,
        }
        return result("contest", options, progress, rows="quality")

    def crossover(
        self,
        rules: Sequence[str] = ("minimax", "product"),
        estimate: str = "arctan:1",
        *,
        progress: Progress = False,
    ) -> Result:
        """Finds the uniform error rates at which both rules err equally often, exactly (`prodmax crossover --rules`).

        >>> r = Model(-3, [8, 8]).crossover()
        >>> r.known.thresholds[0].p, r.intervals.I2, r.intervals.I4, r.formula_7
        (Fraction(1, 35), 15368, 452, True)
        """
        options = {**self._options(), "rules": _rules(rules), "estimate": estimate}
        return result("crossover", options, progress, rows="thresholds")

    def critical(
        self,
        rules: Sequence[str] = ("minimax", "product"),
        truth: str = "arctan:4",
        estimate: str = "arctan:1",
        *,
        top: int | None = None,
        draw: int | None = None,
        seed: int | None = None,
        progress: Progress = False,
    ) -> Result:
        """Lists the critical trees in which errors weigh most, or draws as many as `draw` says by weight (`prodmax
        critical`). `prodmax.show` shows one of them node by node.

        >>> r = Model(-1, [3, 3, 3]).critical(top=2)
        >>> r.heaviest[0].tree, r.heaviest[0].trees
        ('(((-1 2) (1 2)) ((-1 1) (2 3)))', 41472)
        """
        options = {
            **self._options(),
            "rules": _rules(rules),
            "truth": truth,
            "estimate": estimate,
            "top": top,
            "draw": draw,
            "seed": seed,
        }
        return result("critical", options, progress, rows="heaviest" if draw is None else "drawn")

    def verify_formulas(self, estimate: str = "arctan:1", *, progress: Progress = False) -> Result:
        """Compares formulas (5) to (7) with the enumeration, coefficient by coefficient (`prodmax formulas --verify`).
        For depth 2 and 3.

        >>> Model(-3, [8, 8]).verify_formulas().holds
        True
        """
        return result("formulas", {"verify": True, **self._options(), "estimate": estimate}, progress)

    def classes(self) -> Classes:
        """The depth-1 classes as numpy arrays, for analyses of your own.

        >>> classes = Model(-1, [3, 3, 3]).classes()
        >>> len(classes), int(classes.multiplicities.sum()) ** 2 == Model(-1, [3, 3, 3]).trees
        (499, True)
        >>> values = classes.values("product")
        >>> values.dtype, values.shape
        (dtype('float64'), (499,))
        """
        try:
            import numpy  # noqa: F401
        except ImportError:
            raise ImportError("classes() needs numpy; install it with: pip install numpy") from None
        from ._classes import Classes

        return Classes(self, self._model.classes(note))  # type: ignore[attr-defined]
