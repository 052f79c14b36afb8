"""The arrays of classes."""

from __future__ import annotations

import numpy as np
import pytest

import prodmax
from prodmax import Model

RULES = ["minimax", "product", "average:1/2", "mean:4", "baum:9/10:4/5", "hints:9/10", "ideal"]


@pytest.mark.parametrize(
    "model", [Model(-1, [3, 3, 3]), Model(2, [4]), Model(0, [2, 3], "allow"), Model(1, [1, 2, 1], branching=3)]
)
def test_the_arrays_belong_together(model: Model) -> None:
    classes = model.classes()
    count, below = len(classes), model.branching ** (model.depth - 1)
    assert count == model.plan().classes == classes.multiplicities.shape[0]
    assert classes.leaves.shape == (count, below)
    assert int(classes.multiplicities.sum()) ** model.branching == model.trees
    leaves, levels = classes.levels
    assert len(levels) == model.depth - 1
    # Children of children lead to the leaves.
    values = leaves[:, None]
    for children in levels:
        values = values[children].reshape(len(children), -1)
    assert (values == classes.leaves).all()


def test_the_error_masses_follow_from_the_arrays() -> None:
    model = Model(-1, [3, 3, 3])
    classes, found = model.classes(), model.mass()
    weights, truth = classes.multiplicities, classes.truth()
    first, second = classes.ranks("minimax"), classes.ranks("product")
    critical = (first[:, None] > first) & (second[:, None] < second)
    trees = 2 * weights[:, None] * weights * critical
    assert int(trees.sum()) == found.critical
    errors = (trees * np.outer(1 - truth, truth)).sum(), (trees * np.outer(truth, 1 - truth)).sum()
    assert errors == pytest.approx((found.errors["minimax"], found.errors["product"]), rel=1e-12)


@pytest.mark.parametrize("rule", RULES)
def test_values_have_the_proved_order(rule: str) -> None:
    classes = Model(1, [4, 4, 2]).classes()
    values, ranks = classes.values(rule), classes.ranks(rule)
    assert values.dtype == np.float64 and ranks.dtype == np.uint32
    order = np.argsort(ranks, kind="stable")
    assert (np.diff(values[order]) >= -1e-12).all()
    # Equal ranks are equal values, up to rounding; the next rank is a greater value.
    same_rank = np.diff(ranks[order]) == 0
    assert np.abs(np.diff(values[order])[same_rank]).max(initial=0) < 1e-12


def test_values_by_hand() -> None:
    # Root +1 with increments up to 1 and 1: moves lead to +1 or +2, MIN from there to itself or one less.
    classes = Model(1, [1, 1]).classes()
    assert sorted(map(tuple, classes.leaves.tolist())) == [(-1, -1), (-1, 1), (1, 1), (1, 2), (2, 2)]
    by_leaves = dict(zip(map(tuple, classes.leaves.tolist()), classes.multiplicities.tolist()))
    assert by_leaves == {(-1, -1): 1, (-1, 1): 2, (1, 1): 2, (1, 2): 2, (2, 2): 1}
    assert classes.values("minimax").tolist() == classes.leaves.min(axis=1).tolist()
    w = dict(zip(classes.levels[0].tolist(), classes.curve("arctan:1").tolist()))
    assert w[1] + w[-1] == pytest.approx(1, abs=1e-15)
    assert classes.values("product").tolist() == [w[a] * w[b] for a, b in classes.leaves.tolist()]


def test_large_multiplicities_are_python_ints() -> None:
    classes = Model(1, [0, 1], branching=70).classes()
    weights = classes.multiplicities
    assert weights.dtype == object and all(type(weight) is int for weight in weights[:9])
    assert weights.sum() ** 70 == Model(1, [0, 1], branching=70).trees


def test_own_rules_value_classes() -> None:
    mine = prodmax.rule(leaf=lambda h, p: h, max_node=max, min_node=min)
    classes = Model(-1, [3, 3, 3]).classes()
    assert (classes.values(mine) == classes.values("minimax")).all()
    assert (classes.ranks(mine) == classes.ranks("minimax")).all()
    with pytest.raises(ValueError, match="for small models"):
        Model(1, [16, 16, 16], h_max=100).mass(("minimax", mine))
    with pytest.raises(ValueError, match="no value"):
        Model(1, [2, 2]).mass(("minimax", prodmax.rule(max_node=max, min_node=lambda x: float("nan"))))
    with pytest.raises(ValueError, match="in doubles"):
        Model(1, [2, 2]).mass(("minimax", mine), number="certified")
    with pytest.raises(ValueError, match="its own name"):
        Model(1, [2, 2]).contest([mine, mine])
    with pytest.raises(KeyError):
        Model(1, [2, 2]).mass(("minimax", prodmax.rule(leaf=lambda h, p: {}[h], max_node=max, min_node=min)))


def test_wrong_names_raise() -> None:
    classes = Model(1, [2]).classes()
    with pytest.raises(ValueError, match="rule"):
        classes.values("minmax")
    with pytest.raises(ValueError):
        classes.truth("arctan:x")
