"""The slow twin in plain Python: every rule by its definition in the papers, every ordered tree visited. It shares no
code with the package."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction


def line(h_max: int, zero: str) -> list[int]:
    """All heuristic values, ascending."""
    return [h for h in range(-h_max, h_max + 1) if h != 0 or zero == "allow"]


def curve(text: str, h: int, h_max: int) -> float:
    """The probability that a leaf of value h is won: eq. (2), or a uniform error rate."""
    kind, parameter = text.split(":")
    if kind == "uniform":
        error = float(Fraction(parameter))
        return 0.5 if h == 0 else 1 - error if h > 0 else error
    c = float(Fraction(parameter))
    # arctan(c h / h_max), scaled so that the ends are 0 and 1.
    return (1 + math.atan(c * h / h_max) / math.atan(c)) / 2


def extreme(x: list[float], is_max: bool) -> float:
    return max(x) if is_max else min(x)


def product(x: list[float], is_max: bool) -> float:
    return 1 - math.prod(1 - p for p in x) if is_max else math.prod(x)


def mean(x: list[float], is_max: bool, exponent: int) -> float:
    if is_max:
        return (sum(p**exponent for p in x) / len(x)) ** (1 / exponent)
    if min(x) == 0:
        return 0.0
    return (sum(p**-exponent for p in x) / len(x)) ** (-1 / exponent)


def hinted(x: list[float], is_max: bool, won: float, lost: float) -> float:
    """Baum (2.6): over all hints, the greatest joint probability that a child is won and the hints are these."""
    if not is_max:
        return 1 - hinted([1 - p for p in x], True, won, lost)
    value = 0.0
    for hints in itertools.product((False, True), repeat=len(x)):
        if_won = [won if hint else 1 - won for hint in hints]
        if_lost = [1 - lost if hint else lost for hint in hints]
        joint = []
        for i in range(len(x)):
            factors = [p * w + (0 if i == j else (1 - p) * v) for j, (p, w, v) in enumerate(zip(x, if_won, if_lost))]
            joint.append(math.prod(factors))
        value += max(joint)
    return value


def value(rule: str, tree: object, level: int, depth: int, seen: dict[int, float]) -> float:
    """The value of a subtree: a leaf is its heuristic value, a node the tuple of its children."""
    name, *parameters = rule.split(":")
    if level == depth:
        assert isinstance(tree, int)
        return float(tree) if name == "minimax" else seen[tree]
    assert isinstance(tree, tuple)
    x = [value(rule, child, level + 1, depth, seen) for child in tree]
    is_max = level % 2 == 0
    if name == "minimax":
        return extreme(x, is_max)
    if name in ("product", "ideal"):
        return product(x, is_max)
    if name == "average":
        part = float(Fraction(parameters[0]))
        return part * extreme(x, is_max) + (1 - part) * product(x, is_max)
    if name == "mean":
        return mean(x, is_max, int(parameters[0]))
    if name == "baum":
        won, lost = (float(Fraction(parameter)) for parameter in parameters)
        return hinted(x, is_max, won, lost)
    assert name == "hints"
    # l is the height of the children.
    height = depth - level - 1
    reliable = 1 - float(Fraction(parameters[0])) ** (depth - height) / 2
    return hinted(x, is_max, reliable, reliable)


def subtrees(position: int, level: int, increments: list[int], branching: int, values: list[int]) -> list[object]:
    """Every ordered subtree below a node of this level."""
    if level == len(increments):
        return [values[position]]
    sign = 1 if level % 2 == 0 else -1
    children = [
        tree
        for step in range(increments[level] + 1)
        for tree in subtrees(position + sign * step, level + 1, increments, branching, values)
    ]
    return list(itertools.product(children, repeat=branching))


def best(moves: list[float]) -> list[int]:
    """The moves of greatest value; values that differ only by rounding are equal."""
    top = max(moves)
    return [i for i, x in enumerate(moves) if abs(x - top) <= 1e-12 * max(abs(x), abs(top))]


def visit(
    root: int, increments: list[int], zero: str, h_max: int, branching: int, rules: tuple[str, str], truth: str, estimate: str
) -> dict[str, float]:
    """Visits every ordered tree."""
    values, depth = line(h_max, zero), len(increments)
    true = {h: curve(truth, h, h_max) for h in values}
    estimated = {h: curve(estimate, h, h_max) for h in values}
    position = values.index(root)
    branches = [
        tree
        for step in range(increments[0] + 1)
        for tree in subtrees(position + step, 1, increments, branching, values)
    ]
    seen = [true if rule == "ideal" else estimated for rule in rules]
    valued = [
        (
            value(rules[0], branch, 1, depth, seen[0]),
            value(rules[1], branch, 1, depth, seen[1]),
            value("product", branch, 1, depth, true),
        )
        for branch in branches
    ]
    found = dict.fromkeys(["trees", "critical", "agreeing", "tied", "first", "second", "won_first", "won_second"], 0.0)
    for tree in itertools.product(valued, repeat=branching):
        won = [x[2] for x in tree]
        chosen = [best([x[k] for x in tree]) for k in (0, 1)]
        found["trees"] += 1
        for key, moves in zip(("won_first", "won_second"), chosen):
            found[key] += sum(won[i] for i in moves) / len(moves)
        if len(chosen[0]) > 1 or len(chosen[1]) > 1:
            found["tied"] += 1
        elif chosen[0] == chosen[1]:
            found["agreeing"] += 1
        else:
            m, p = won[chosen[0][0]], won[chosen[1][0]]
            found["critical"] += 1
            found["first"] += (1 - m) * p
            found["second"] += m * (1 - p)
    return found
