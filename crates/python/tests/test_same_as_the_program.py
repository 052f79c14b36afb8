"""Every figure is that of the command line, to the last bit."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import REPOSITORY, asked, flags, golden_models, same

import prodmax
from prodmax import Model

MODELS = golden_models()
SMALL = [model for model in MODELS if model.plan().classes <= 200_000]
# Certified and exact numbers take longer.
SMALLER = [model for model in SMALL if model.plan().classes <= 3_000]


def name(model: Model) -> str:
    return f"{model.root}:{','.join(map(str, model.increments))}:{model.zero}:{model.h_max}:{model.branching}"


def test_the_golden_models_are_found() -> None:
    assert len(MODELS) >= 80 and len(SMALL) >= 70 and len(SMALLER) >= 55
    assert Model(-1, [3, 3, 3]) in SMALL and Model(0, [5, 5], zero="allow") in SMALLER
    assert any(model.branching > 2 for model in SMALLER)


@pytest.mark.parametrize("model", MODELS, ids=name)
def test_plan(model: Model) -> None:
    same(model.plan(), asked("enumerate", "--plan", *flags(model)))


@pytest.mark.parametrize("model", SMALL, ids=name)
def test_mass(model: Model) -> None:
    if model.trees.bit_length() > 1000:
        pytest.skip("more trees than doubles can hold: certified only")
    found = model.mass()
    theirs = asked("mass", *flags(model), "--rules=minimax,product")
    same(found, theirs)
    # The keys without --rules name the same figures.
    plain = asked("mass", *flags(model))
    assert found.errors["minimax"] == plain["minimax_error"] and found.share_first == plain["share_minimax"]


@pytest.mark.parametrize("model", SMALLER, ids=name)
def test_certified(model: Model) -> None:
    same(
        model.mass(number="certified"),
        asked("mass", *flags(model), "--rules=minimax,product", "--number=certified"),
    )


@pytest.mark.parametrize("model", [model for model in SMALLER if model.plan().classes <= 800], ids=name)
def test_exact_and_crossover(model: Model) -> None:
    exact = model.mass(("minimax", "mean:2"), truth="uniform:1/20", number="exact")
    words = ["--rules=minimax,mean:2", "--truth=uniform:1/20", "--number=exact"]
    same(exact, asked("mass", *flags(model), *words))
    same(model.crossover(), asked("crossover", *flags(model), "--rules=minimax,product"))


RULES = ["minimax", "product", "average:1/2", "mean:4", "baum:9/10:9/10", "hints:9/10", "ideal"]


@pytest.mark.parametrize("number", ["f64", "certified"])
@pytest.mark.parametrize("model", [Model(1, [8, 8]), Model(-1, [3, 3, 3]), Model(1, [2, 2], branching=3)], ids=name)
def test_contest(model: Model, number: str) -> None:
    ours = model.contest(RULES, number=number)  # type: ignore[arg-type]
    same(ours, asked("contest", *flags(model), f"--rules={','.join(RULES)}", f"--number={number}"))


def test_other_engines() -> None:
    deep = Model(1, [4, 4, 4, 4])
    with pytest.warns(prodmax.Note, match="quality of the rules is left out"):
        found = deep.mass(engine="deep", number="certified")
    same(found, asked("mass", *flags(deep), "--rules=minimax,product", "--engine=deep", "--number=certified"))
    law = deep.mass(engine="law", grid=256)
    same(law, asked("mass", *flags(deep), "--rules=minimax,product", "--engine=law", "--grid=256"))


def test_tables_and_formulas() -> None:
    same(prodmax.table1(), asked("table1"))
    same(prodmax.table1(all=True), asked("table1", "--all"))
    same(prodmax.table1(depth=3), asked("table1", "--depth=3"))
    same(prodmax.table1(depth=3, types=True), asked("table1", "--depth=3", "--types"))
    same(prodmax.formulas(), asked("formulas"))
    same(prodmax.formulas(Fraction(1, 20)), asked("formulas", "--p=1/20"))
    same(prodmax.formulas(baum=True), asked("formulas", "--baum"))
    same(prodmax.table2(), asked("table2"))
    same(prodmax.table2("certified"), asked("table2", "--number=certified"))
    same(prodmax.table2(reading="sign-wise"), asked("table2", "--reading=sign-wise"))
    same(prodmax.rules(), asked("rules"))
    for increments in ([4, 4], [2, 2, 2]):
        model = Model(-3, increments)
        same(model.verify_formulas(), _only(asked("formulas", "--verify", *flags(model))))


def _only(theirs: object) -> object:
    return theirs[0] if isinstance(theirs, list) else theirs


def test_check() -> None:
    same(prodmax.check(["table1", "formulas"]), asked("check", "--only=table1", "--only=formulas"))
    same(prodmax.check(recorded=True), asked("check", "--recorded"))
    assert prodmax.check("table1").to_pandas()["holds"].all()


def test_studies() -> None:
    spec = REPOSITORY / "specs" / "simulate" / "b.ron"
    ours = prodmax.simulate(spec=spec, tree_depth=8, depths=[1, 2, 3], trees=5)
    same(ours, asked("simulate", f"--spec={spec}", "--tree-depth=8", "--depths=1,2,3", "--trees=5"))
    own = prodmax.simulate(rules=("minimax", "mean:4"), tree_depth=6, depths="1,2", trees=4, seed=3)
    words = ["--rules=minimax,mean:4", "--tree-depth=6", "--depths=1,2", "--trees=4", "--seed=3"]
    same(own, asked("simulate", *words))
    same(prodmax.pathology(b=3, d_max=4, sigma_e=0.3), asked("pathology", "--b=3", "--d-max=4", "--sigma-e=0.3"))
    sampled = prodmax.pathology(d_max=5, method="both", trees=20, seed=5)
    same(sampled, asked("pathology", "--d-max=5", "--method=both", "--trees=20", "--seed=5"))
    same(prodmax.pathology(1), asked("pathology", "--table=1"))
    match = prodmax.play("connect4", ("penalty:10", "alphabeta"), calls=(20, 50), starts=6)
    words = ["--game=connect4", "--players=penalty:10,alphabeta", "--calls=20,50", "--starts=6"]
    same(match, asked("play", *words))
