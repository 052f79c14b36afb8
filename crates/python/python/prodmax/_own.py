"""Rules of one's own, in Python and in doubles.

Nothing is proved about them: values that differ only by rounding count as different, and equal ones as equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from ._figures import Result, Table

if TYPE_CHECKING:
    from ._classes import Classes
    from ._model import Model

MAX_CLASSES = 20_000
"""With more depth-1 classes a rule in Python would take too long."""

MAX_CLASSES_WITH_MORE_MOVES = 1_000
"""The same for trees with more than two moves, where every pair of ranks is looked at."""


class Rule:
    """A rule of your own: made by `prodmax.rule`."""

    __slots__ = ("leaf", "max_node", "min_node", "name")

    def __init__(
        self,
        leaf: Callable[[int, float], float],
        max_node: Callable[[Sequence[float]], float],
        min_node: Callable[[Sequence[float]], float],
        name: str,
    ) -> None:
        self.leaf, self.max_node, self.min_node, self.name = leaf, max_node, min_node, name

    def __repr__(self) -> str:
        return f"<rule {self.name}, in doubles, not proved>"


def rule(
    *,
    max_node: Callable[[Sequence[float]], float],
    min_node: Callable[[Sequence[float]], float],
    leaf: Callable[[int, float], float] = lambda h, p: p,
    name: str = "own",
) -> Rule:
    """A rule of your own, for small models (up to 20,000 classes).

    `leaf(h, p)` is the value of a leaf with the heuristic value h and the estimated probability p of being won; by
    default p. `max_node` and `min_node` give the value of a node from the list of its children's values. All values are
    floats. Nothing is proved about such a rule: `proved` is False in its results.

    >>> import math, prodmax
    >>> product = prodmax.rule(
    ...     max_node=lambda x: 1 - math.prod(1 - p for p in x), min_node=math.prod, name="my product")
    >>> r = prodmax.Model(-1, [3, 3, 3]).mass(rules=("minimax", product))
    >>> r.rules, r.proved, round(r.difference_percent, 2)
    (['minimax', 'my product'], False, -4.76)
    """
    for function in (leaf, max_node, min_node):
        if not callable(function):
            raise ValueError(f"{function!r} is not a function")
    if not isinstance(name, str) or not name:
        raise ValueError("the name of a rule is a text that is not empty")
    return Rule(leaf, max_node, min_node, name)


def _number(value: Any, rule: Rule, what: str) -> float:
    number = float(value)
    if math.isnan(number):
        raise ValueError(f"the rule {rule.name} gives a {what} no value (NaN); values have to have an order")
    return number


def values(classes: Classes, rule: Rule, estimate: str) -> list[float]:
    """The value of each class."""
    heuristic, levels = classes.levels
    seen = zip(heuristic.tolist(), classes.curve(estimate).tolist())
    below = [_number(rule.leaf(h, p), rule, "leaf") for h, p in seen]
    for height, children in enumerate(levels, start=1):
        # The leaves are at the level of the depth; MAX moves at the root, which is level 0.
        is_max = (len(classes.model.increments) - height) % 2 == 0
        node = rule.max_node if is_max else rule.min_node
        below = [_number(node([below[child] for child in row]), rule, "node") for row in children.tolist()]
    return below


class _Pair(NamedTuple):
    """What two rules give over all ordered trees."""

    critical: int
    agreeing: int
    tied: int
    errors: tuple[float, float]


class _Field:
    """The classes of a small model with the probabilities that they are won."""

    def __init__(self, model: Model, truth: str, estimate: str) -> None:
        planned = model.plan().classes
        most = MAX_CLASSES if model.branching <= 2 else MAX_CLASSES_WITH_MORE_MOVES
        if planned > most:
            raise ValueError(
                f"a rule in Python is for small models: this one has {planned} classes, more than {most}; use smaller "
                "increments or fewer levels"
            )
        self.classes = model.classes()
        self.branching = model.branching
        self.estimate, self.truth_curve = estimate, truth
        self.weights: list[int] = [int(weight) for weight in self.classes.multiplicities.tolist()]
        self.truth: list[float] = self.classes.truth(truth).tolist()
        self.total = sum(self.weights)

    def ranks(self, rule: str | Rule) -> list[int]:
        ranks: list[int] = self.classes.ranks(rule, self.truth_curve, self.estimate).tolist()
        return ranks

    def groups(self, ranks: list[int]) -> list[list[int]]:
        groups: list[list[int]] = [[] for _ in range(max(ranks) + 1)]
        for index, rank in enumerate(ranks):
            groups[rank].append(index)
        return groups

    def won(self, ranks: list[int]) -> float:
        """The probability that the chosen move is won; one of several best moves is taken at random."""
        before, terms = 0, []
        for group in self.groups(ranks):
            weight = sum(self.weights[index] for index in group)
            mean = math.fsum(self.weights[index] * self.truth[index] for index in group) / weight
            chosen = (before + weight) ** self.branching - before**self.branching
            terms.append(chosen / self.total**self.branching * mean)
            before += weight
        return math.fsum(terms)

    def random(self) -> float:
        return math.fsum(weight * won for weight, won in zip(self.weights, self.truth)) / self.total

    def pair(self, first: list[int], second: list[int]) -> _Pair:
        trees = self.total**self.branching
        if self.branching == 1:
            return _Pair(0, trees, 0, (0.0, 0.0))
        found = self._two_moves(first, second) if self.branching == 2 else self._more_moves(first, second)
        return found._replace(tied=trees - found.critical - found.agreeing)

    def _two_moves(self, first: list[int], second: list[int]) -> _Pair:
        """Along the second rule; a Fenwick tree over the ranks by the first one sums what was met."""
        count = max(first) + 1
        weights, won = [0] * (count + 1), [0.0] * (count + 1)
        met, met_won = 0, 0.0
        critical = agreeing = 0
        first_errs, second_errs = [], []
        for group in self.groups(second):
            for index in group:
                # M has a greater rank by the first rule.
                up_to, up_to_won, place = 0, 0.0, first[index] + 1
                while place > 0:
                    up_to, up_to_won = up_to + weights[place], up_to_won + won[place]
                    place &= place - 1
                below, place = 0, first[index]
                while place > 0:
                    below += weights[place]
                    place &= place - 1
                m, m_won = met - up_to, met_won - up_to_won
                weight, p = self.weights[index], self.truth[index]
                critical += m * weight
                agreeing += below * weight
                if m:
                    first_errs.append((m - m_won) * weight * p)
                    second_errs.append(m_won * weight * (1 - p))
            for index in group:
                weight, part = self.weights[index], self.weights[index] * self.truth[index]
                met, met_won = met + weight, met_won + part
                place = first[index] + 1
                while place <= count:
                    weights[place] += weight
                    won[place] += part
                    place += place & -place
        errors = (2 * math.fsum(first_errs), 2 * math.fsum(second_errs))
        return _Pair(2 * critical, 2 * agreeing, 0, errors)

    def _more_moves(self, first: list[int], second: list[int]) -> _Pair:
        """All pairs; the other moves are worse than M by the first rule and worse than P by the second."""
        b, weights, truth = self.branching, self.weights, self.truth
        worse = [[0] * (max(second) + 2) for _ in range(max(first) + 2)]
        for r, s, weight in zip(first, second, weights):
            worse[r + 1][s + 1] += weight
        for r in range(1, len(worse)):
            for s in range(1, len(worse[r])):
                worse[r][s] += worse[r - 1][s] + worse[r][s - 1] - worse[r - 1][s - 1]
        agreeing = sum(b * w * worse[r][s] ** (b - 1) for r, s, w in zip(first, second, weights))
        critical = 0
        first_errs, second_errs = [], []
        for m, (rm, sm) in enumerate(zip(first, second)):
            for p, (rp, sp) in enumerate(zip(first, second)):
                if rm > rp and sp > sm:
                    trees = b * (b - 1) * weights[m] * weights[p] * worse[rm][sp] ** (b - 2)
                    critical += trees
                    first_errs.append(trees * (1 - truth[m]) * truth[p])
                    second_errs.append(trees * truth[m] * (1 - truth[p]))
        return _Pair(critical, agreeing, 0, (math.fsum(first_errs), math.fsum(second_errs)))


def _name(rule: str | Rule) -> str:
    return rule.name if isinstance(rule, Rule) else rule


def _check(rules: Sequence[str | Rule], number: str) -> list[str]:
    if number != "f64":
        raise ValueError("a rule in Python is computed in doubles; use number='f64'")
    names = [_name(rule) for rule in rules]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"two rules are called {twice}; give each its own name")
    return names


def _head(model: Model, truth: str, estimate: str, names: list[str], field: _Field) -> dict[str, Any]:
    return {
        "root": model.root,
        "increments": list(model.increments),
        "zero": model.zero,
        "h_max": model.h_max,
        "branching": model.branching,
        "truth": truth,
        "estimate": estimate,
        "number": "f64",
        "proved": False,
        "rules": names,
        "trees": model.trees,
        "classes": len(field.classes),
    }


def _figures(names: list[str], pair: _Pair) -> dict[str, Any]:
    first, second = pair.errors
    both = first + second
    return {
        "critical": pair.critical,
        "agreeing": pair.agreeing,
        "tied": pair.tied,
        "errors": {names[0]: first, names[1]: second},
        "share_percent": 100 * first / both if both else None,
        "difference_percent": 100 * (second - first) / both if both else None,
        "per_case_percent": 100 * (second - first) / pair.critical if pair.critical else None,
    }


def _quality(field: _Field, names: list[str], ranks: list[list[int]]) -> dict[str, Any]:
    ideal, random = field.won(field.ranks("ideal")), field.random()

    def quality(won: float) -> dict[str, float | None]:
        return {"won": won, "efficiency": (won - random) / (ideal - random) if ideal != random else None}

    won = {name: quality(field.won(order)) for name, order in zip(names, ranks)}
    return {"quality": won, "won_ideal": ideal, "won_random": random}


_NOTE = "Computed by a rule in Python, in doubles: not proved."


def _shown(number: float | None, places: int) -> str:
    return "-" if number is None else f"{number:.{places}f}"


def mass(model: Model, rules: Sequence[str | Rule], truth: str, estimate: str, number: str) -> Result:
    """`Model.mass` for rules of one's own."""
    names = _check(rules, number)
    if len(rules) != 2:
        raise ValueError(f"two rules are set against each other, not {len(rules)}")
    field = _Field(model, truth, estimate)
    ranks = [field.ranks(rule) for rule in rules]
    figures = _figures(names, field.pair(ranks[0], ranks[1]))
    quality = _quality(field, names, ranks)
    won = [quality["quality"][name]["won"] for name in names]
    errors = list(figures["errors"].values())
    ties = 100 * (won[0] - won[1] - (errors[1] - errors[0]) / model.trees)
    data = {**_head(model, truth, estimate, names, field), **figures, **quality, "ties_points": ties}
    heads = ["trees", "critical", *(f"{name} won %" for name in names), "ties, points", "difference %"]
    heads += [f"{name} error" for name in names]
    row = [str(model.trees), str(figures["critical"]), *(_shown(100 * one, 6) for one in won), _shown(ties, 6)]
    row += [_shown(figures["difference_percent"], 6), *(_shown(error, 8) for error in errors)]
    title = (
        "What both rules win over all trees, and their errors in critical trees "
        f"(difference above 0: {names[0]} errs less there)"
    )
    table = Table(title, [(head, True) for head in heads], [row], [_NOTE])
    return Result(data, [table], True, None)


def contest(model: Model, rules: Sequence[str | Rule], truth: str, estimate: str, number: str) -> Result:
    """`Model.contest` for rules of one's own."""
    names = _check(rules, number)
    if len(rules) < 2:
        raise ValueError(f"at least two rules are set against each other, not {len(rules)}")
    field = _Field(model, truth, estimate)
    ranks = [field.ranks(rule) for rule in rules]
    quality = _quality(field, names, ranks)
    best = sorted(names, key=lambda name: -quality["quality"][name]["won"])
    matches = []
    for i, j in combinations(range(len(rules)), 2):
        pair = [names[i], names[j]]
        matches.append({"rules": pair, **_figures(pair, field.pair(ranks[i], ranks[j]))})
    data = {
        **_head(model, truth, estimate, names, field),
        "best_first": best,
        **quality,
        "matches": matches,
    }
    rows = []
    for name in best:
        found = quality["quality"][name]
        efficiency = found["efficiency"]
        rows.append([name, _shown(100 * found["won"], 6), _shown(efficiency and 100 * efficiency, 6)])
    columns = [("rule", False), ("won %", True), ("efficiency %", True)]
    ranking = Table("Rules, best first", columns, rows, [_NOTE])
    heads = [("first", False), ("second", False), ("critical", True), ("difference %", True)]
    lines = [[*m["rules"], str(m["critical"]), _shown(m["difference_percent"], 6)] for m in matches]
    return Result(data, [ranking, Table("Every pair of rules", heads, lines, [])], True, "quality")
