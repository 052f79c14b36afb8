"""Every figure is that of the command line, to the last bit."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from conftest import REPOSITORY, asked, flags, golden_models, run, same

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
    # The keys are the same without --rules; only the efficiency of the rules is not measured.
    plain = asked("mass", *flags(model))
    assert list(plain) == list(theirs) and plain["errors"] == theirs["errors"]


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
    with pytest.warns(prodmax.Note, match="efficiency of the rules is left out"):
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
    bounds = {"calls": (20, 50), "positions": 8, "discs": (24, 26), "seed": 3}
    quality = prodmax.play_quality("connect4", ("penalty:10", "alphabeta"), **bounds)  # type: ignore[arg-type]
    words = ["--game=connect4", "--players=penalty:10,alphabeta", "--calls=20,50", "--positions=8", "--discs=24,26"]
    same(quality, asked("play", "quality", *words, "--seed=3"))


def test_pathology_beyond_the_tables() -> None:
    by_rules = prodmax.pathology(rules=("minimax", "product"), scale=2.0, d_max=3, trees=20, seed=2)
    words = ["--rules=minimax,product", "--scale=2.0", "--d-max=3", "--trees=20", "--seed=2"]
    same(by_rules, asked("pathology", *words))
    assert list(by_rules.to_pandas()["rule"]) == ["minimax"] * 4 + ["product"] * 4
    formulas, grains = prodmax.pathology_formulas, prodmax.pathology_grains
    # Two searches are a list, not an interval.
    for plies in (1, 6):
        same(formulas(plies=plies), asked("pathology", "formulas", f"--plies={plies}"))
    same(formulas(3, plies=4, fixed_point=True), asked("pathology", "formulas", "--b=3", "--plies=4", "--fixed-point"))
    exact = formulas(2, losses="2/5", plies=2, verify=True)
    same(exact, asked("pathology", "formulas", "--b=2", "--losses=2/5", "--plies=2", "--verify"))
    same(formulas(section_4=True, plies=3), asked("pathology", "formulas", "--section-4", "--plies=3"))
    same(grains([2, 5], most=40), asked("pathology", "grains", "--b=2,5", "--most=40"))
    same(grains(10, at=[50, 100]), asked("pathology", "grains", "--b=10", "--at=50,100"))
    points = prodmax.pathology_map(2, sigma_e=[0.2, 1], grains=10, d_max=2)
    same(points, asked("pathology", "map", "--b=2", "--sigma-e=0.2,1", "--grains=10", "--d-max=2"))


def test_single_trees() -> None:
    model = Model(-1, [3, 3, 3])
    rules = ("product", "mean:4")
    same(model.critical(top=5), asked("critical", *flags(model), "--rules=minimax,product", "--top=5"))
    drawn = model.critical(rules, draw=4, seed=9)
    same(drawn, asked("critical", *flags(model), "--rules=product,mean:4", "--draw=4", "--seed=9"))
    assert len(drawn.to_pandas()) == 4
    tree = "((8 -3) (1 2))"
    same(prodmax.show(tree), asked("show", "--tree", tree, "--rules=minimax,product"))
    same(prodmax.show(example="fig2"), asked("show", "--example=fig2", "--rules=minimax,product"))


OF_THE_MODEL = {"root", "increments", "zero", "h_max", "branching"}
CALLS: list[tuple[Callable[..., object], str, set[str]]] = [
    (Model.mass, "mass", {"spec", "reading", "ties", "shard"} | OF_THE_MODEL),
    (Model.contest, "contest", {"spec", "shard"} | OF_THE_MODEL),
    (Model.crossover, "crossover", {"spec"} | OF_THE_MODEL),
    (Model.critical, "critical", {"spec"} | OF_THE_MODEL),
    (Model.plan, "enumerate", {"spec", "plan"} | OF_THE_MODEL),
    (prodmax.table1, "table1", set()),
    (prodmax.table2, "table2", set()),
    (prodmax.check, "check", {"bless"}),
    (prodmax.show, "show", set()),
    (prodmax.simulate, "simulate", {"shard", "per_tree"}),
    (prodmax.pathology, "pathology", {"shard"}),
    (prodmax.pathology_formulas, "pathology formulas", set()),
    (prodmax.pathology_grains, "pathology grains", set()),
    (prodmax.pathology_map, "pathology map", set()),
    (prodmax.play, "play", {"replay", "number", "shard"}),
    (prodmax.play_quality, "play quality", {"holes", "stones"}),
]
# Of every command: how figures are printed, and where.
PRINTING = {"help", "format", "output", "digits", "sort", "reverse", "quiet", "threads", "version"}


@pytest.mark.parametrize(("call", "command", "left_out"), CALLS, ids=lambda value: value if isinstance(value, str) else "")
def test_every_option_of_a_command_is_an_argument(
    call: Callable[..., object], command: str, left_out: set[str]
) -> None:
    """What is left out is named above: files of models, what is one choice only, what writes or lists files."""
    text = run(*command.split(), "--help").stdout
    options = {option.replace("-", "_") for option in re.findall(r"^\s+(?:-\w, )?--([a-z0-9-]+)", text, re.MULTILINE)}
    arguments = set(inspect.signature(call).parameters) - {"self", "progress"}
    assert arguments == options - PRINTING - left_out
    assert left_out <= options
