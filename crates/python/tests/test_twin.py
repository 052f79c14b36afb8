"""Random small models against visiting every tree in plain Python, for all rules."""

from __future__ import annotations

import math
import random

import pytest
import twin

import prodmax
from prodmax import Model

RULES = ["minimax", "product", "average:1/2", "mean:1", "mean:4", "baum:9/10:4/5", "hints:9/10", "ideal"]


def models(seed: int, count: int) -> list[Model]:
    """Random models of up to some thousand trees."""
    numbers, found = random.Random(seed), []
    while len(found) < count:
        branching = numbers.choice([1, 2, 2, 2, 3])
        increments = [numbers.randint(0, 3) for _ in range(numbers.randint(1, 3))]
        zero, h_max = numbers.choice(["skip", "allow"]), numbers.choice([9, 15, 42])
        root = numbers.choice([h for h in range(-3, 4) if h or zero == "allow"])
        model = Model(root, increments, zero, h_max, branching)  # type: ignore[arg-type]
        if 1 < model.trees <= 3_000:
            found.append(model)
    return found


def visited(model: Model, rules: tuple[str, str], truth: str, estimate: str) -> dict[str, float]:
    increments = list(model.increments)
    return twin.visit(model.root, increments, model.zero, model.h_max, model.branching, rules, truth, estimate)


def agrees(found: prodmax.Result, slow: dict[str, float]) -> None:
    first, second = found.rules
    for key in ("trees", "critical", "agreeing", "tied"):
        assert found[key] == slow[key], (key, found, slow)
    close = {"rel_tol": 1e-9, "abs_tol": 1e-9}
    assert math.isclose(found.errors[first], slow["first"], **close)
    assert math.isclose(found.errors[second], slow["second"], **close)
    assert math.isclose(found.quality[first].won * slow["trees"], slow["won_first"], **close)
    assert math.isclose(found.quality[second].won * slow["trees"], slow["won_second"], **close)


@pytest.mark.parametrize("seed", range(40))
def test_random_models(seed: int) -> None:
    numbers = random.Random(1000 + seed)
    for model in models(seed, 3):
        first, second = numbers.sample(RULES, 2)
        truth = numbers.choice(["arctan:4", "arctan:1/2", "uniform:1/20"])
        estimate = numbers.choice(["arctan:1", "arctan:3"])
        agrees(model.mass((first, second), truth, estimate), visited(model, (first, second), truth, estimate))


def test_every_pair_of_rules_is_compared() -> None:
    for model in (Model(-1, [2, 1, 1]), Model(1, [2, 1], zero="allow"), Model(1, [1, 1], branching=3)):
        for first in RULES:
            for second in RULES:
                if first != second:
                    rules = (first, second)
                    agrees(model.mass(rules), visited(model, rules, "arctan:4", "arctan:1"))


def test_own_rules_give_what_the_twin_gives() -> None:
    mine = {
        "product": prodmax.rule(
            max_node=lambda x: twin.product(list(x), True), min_node=lambda x: twin.product(list(x), False), name="mine"
        ),
        "minimax": prodmax.rule(leaf=lambda h, p: float(h), max_node=max, min_node=min, name="mine"),
        "mean:4": prodmax.rule(
            max_node=lambda x: twin.mean(list(x), True, 4), min_node=lambda x: twin.mean(list(x), False, 4), name="mine"
        ),
    }
    numbers = random.Random(7)
    compared = 0
    for model in models(77, 40):
        named, own = numbers.choice(list(mine.items()))
        other = numbers.choice([rule for rule in RULES if rule != named])
        found = model.mass((own, other))
        assert not found.proved
        # Values that are equal but for rounding count as different for a rule in Python.
        classes = model.classes()
        if (classes.ranks(own) == classes.ranks(named)).all():
            agrees(found, visited(model, (named, other), "arctan:4", "arctan:1"))
            compared += 1
    assert compared >= 25
    engine = Model(-1, [3, 3, 3]).mass(("minimax", "average:1/2"))
    python = Model(-1, [3, 3, 3]).mass((mine["minimax"], "average:1/2"))
    assert [python.critical, python.agreeing, python.tied] == [engine.critical, engine.agreeing, engine.tied]
    assert math.isclose(python.difference_percent, engine.difference_percent, rel_tol=1e-12)
    assert math.isclose(python.quality.mine.efficiency, engine.quality.minimax.efficiency, rel_tol=1e-12)
    assert python.won_random == pytest.approx(engine.won_random, rel=1e-14)
