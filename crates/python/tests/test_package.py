"""Types, errors, notes, progress, threads, interrupts, memory: what Python people expect of a package."""

from __future__ import annotations

import copy
import doctest
import importlib
import math
import multiprocessing
import os
import pickle
import pkgutil
import resource
import signal
import subprocess
import sys
import threading
import time
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY, flags, run

import prodmax
from prodmax import Enclosure, Model

MODULES = ["prodmax", *(f"prodmax.{module.name}" for module in pkgutil.iter_modules(prodmax.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    examples = {
        test.name
        for name in MODULES
        for test in finder.find(importlib.import_module(name))
        if test.examples
    }
    for public in prodmax.__all__:
        thing = getattr(prodmax, public)
        if callable(thing) and public not in ("Note", "Results", "Rule", "Table"):
            assert f"{thing.__module__}.{thing.__name__}" in examples, public
    for method in ("plan", "mass", "contest", "crossover", "critical", "classes", "verify_formulas"):
        assert f"prodmax._model.Model.{method}" in examples, method


def test_version() -> None:
    assert prodmax.__version__ == "0.2.0"
    assert run("--version").stdout.startswith(f"prodmax {prodmax.__version__}")


def test_types_pass_a_strict_check(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    folder = Path(prodmax.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_engine.pyi").exists()
    sample = tmp_path / "sample.py"
    sample.write_text(
        "import prodmax\n"
        "r: prodmax.Result = prodmax.Model(-1, [3, 3, 3]).mass(('minimax', 'product'), number='certified')\n"
        "c: prodmax.Results = prodmax.table1()\n"
        "s: prodmax.Result = prodmax.table1(3)\n"
        "n: int = prodmax.Model(1, [2]).trees\n"
        "prodmax.Model('1', [2])\n"
        "prodmax.Model(1, [2]).mass(number='f32')\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run([*command, str(sample)], capture_output=True, text=True)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert [int(line.split(":")[1]) for line in errors] == [6, 7], done.stdout
    # pandas and tqdm have stubs in packages of their own, which need not be installed.
    command.append("--disable-error-code=import-untyped")
    done = subprocess.run([*command, "-p", "prodmax"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_exact_types() -> None:
    large = Model(1, [8, 8, 8, 8]).plan()
    assert type(large.trees) is int and large.trees == 9**30 and type(large.levels[0].classes) is int
    exact = Model(-3, [8, 8]).mass(truth="uniform:1/35", number="exact")
    assert type(exact.known.errors["product"]) is Fraction
    assert exact.known.errors["product"] == exact.known.errors["minimax"]
    assert type(exact.errors["product"]) is float
    certified = Model(1, [3, 3]).mass(number="certified")
    interval = certified.known.difference_percent
    assert isinstance(interval, Enclosure)
    assert interval.lower < certified.difference_percent < interval.upper and interval.midpoint in interval
    assert math.isclose(interval.midpoint, certified.difference_percent, rel_tol=1e-12)
    crossover = Model(-1, [3, 3, 3]).crossover()
    root = crossover.thresholds[0]
    assert type(root.p) is float and root.p in crossover.known.thresholds[0].p
    assert all(type(c) is int for c in crossover.errors["minimax"].coefficients)
    assert type(prodmax.formulas("0.05").at.p.exact) is Fraction


def test_numbers_with_more_digits_than_python_writes() -> None:
    # 9^4680 has 4466 digits; int() refuses to read, str() to write more than 4300.
    model = Model(1, [8, 8, 8, 8], branching=8)
    assert model.trees == 9**4680 == model.plan().trees
    assert "about 10^4465" in repr(prodmax.Record({"trees": model.trees}))
    assert "e4465" in repr(model.plan())


BAD: list[tuple[Any, list[str]]] = [
    (lambda: Model(0, [3]), ["enumerate", "--root=0", "--increments=3"]),
    (lambda: Model(1, []), ["enumerate", "--root=1", "--increments="]),
    (lambda: Model(1, [-1]), ["enumerate", "--root=1", "--increments=-1"]),
    (lambda: Model(1, [60]), ["enumerate", "--root=1", "--increments=60"]),
    (lambda: Model(1, [3], h_max=-4), ["enumerate", "--root=1", "--increments=3", "--h-max=-4"]),
    (lambda: Model(1, [3], branching=0), ["enumerate", "--root=1", "--increments=3", "--branching=0"]),
    (lambda: Model(1, [1] * 17), ["enumerate", "--root=1", f"--increments={','.join('1' * 17)}"]),
    (lambda: Model(1, [3]).mass(truth="x"), ["mass", "--root=1", "--increments=3", "--truth=x"]),
    (lambda: Model(1, [3]).mass(("a", "b")), ["mass", "--root=1", "--increments=3", "--rules=a,b"]),
    (lambda: Model(1, [3]).mass(("minimax",)), ["mass", "--root=1", "--increments=3", "--rules=minimax"]),
    (lambda: Model(1, [3]).mass(number="exact"), ["mass", "--root=1", "--increments=3", "--number=exact"]),
    (lambda: Model(1, [3]).contest(["ideal"]), ["contest", "--root=1", "--increments=3", "--rules=ideal"]),
    (
        lambda: Model(1, [3]).crossover(("minimax", "ideal")),
        ["crossover", "--root=1", "--increments=3", "--rules=minimax,ideal"],
    ),
    (lambda: Model(1, [3, 3, 3, 3]).verify_formulas(), ["formulas", "--verify", "--root=1", "--increments=3,3,3,3"]),
    (lambda: prodmax.table1(4), ["table1", "--depth=4"]),  # type: ignore[call-overload]
    (lambda: prodmax.table2("exact"), ["table2", "--number=exact"]),  # type: ignore[arg-type]
    (lambda: prodmax.formulas(2), ["formulas", "--p=2"]),
    (lambda: prodmax.check("nothing"), ["check", "--only=nothing"]),
    (lambda: prodmax.simulate(trees=0), ["simulate", "--trees=0"]),
    (lambda: prodmax.simulate(spec="missing.ron"), ["simulate", "--spec=missing.ron"]),
    (lambda: prodmax.pathology(12), ["pathology", "--table=12"]),
    (lambda: prodmax.pathology(sigma_e=-1.0), ["pathology", "--sigma-e=-1.0"]),
    (lambda: prodmax.pathology_grains(1), ["pathology", "grains", "--b=1"]),
    (lambda: prodmax.pathology_formulas(losses=2), ["pathology", "formulas", "--losses=2"]),
    (lambda: prodmax.show("((1 2)"), ["show", "--tree=((1 2)"]),
    (lambda: prodmax.show(), ["show"]),
    (lambda: Model(1, [3]).critical(top=0), ["critical", "--root=1", "--increments=3", "--top=0"]),
    (lambda: prodmax.play(), ["play"]),
    (lambda: prodmax.play("kalah", ["x", "y"]), ["play", "--game=kalah", "--players=x,y"]),
    (lambda: Model(1, [8] * 4).mass(engine="classes"), [*"mass --root=1 --increments=8,8,8,8 --engine=classes".split()]),
    (lambda: Model(1, [20, 20, 20, 20], h_max=100).classes(), []),
    (lambda: Model(1.5, [3]), ["enumerate", "--root=1.5", "--increments=3"]),  # type: ignore[arg-type]
    (lambda: Model("x", [3]), ["enumerate", "--root=x", "--increments=3"]),  # type: ignore[arg-type]
    (lambda: Model(10**30, [3]), ["enumerate", f"--root={10**30}", "--increments=3"]),
    (lambda: Model(1, [3], zero="maybe"), []),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("place", range(len(BAD)))
def test_bad_arguments_raise_with_the_sentence_of_the_program(place: int) -> None:
    call, words = BAD[place]
    with pytest.raises(ValueError) as caught:
        call()
    sentence = str(caught.value)
    assert sentence and "\n" not in sentence
    if words:
        done = run(*words)
        assert done.returncode == 2, done
        # The parser of the command line names flags, and adds how to type them.
        theirs = done.stderr.removeprefix("prodmax: ").split("\n\n")[0].strip()
        core = sentence.split(": ", 1)[1] if sentence.startswith("invalid value") else sentence
        if sentence.startswith("invalid value") and "write a value like" in theirs:
            core = core.split(";")[0]
        assert core in " ".join(theirs.split()), (sentence, theirs)


def test_wrong_types_raise() -> None:
    model = Model(1, [2, 2])
    wrong: list[Any] = [
        lambda: Model(1, 3),  # type: ignore[arg-type]
        lambda: model.mass(rules=5),  # type: ignore[arg-type]
        lambda: model.mass(truth=None),  # type: ignore[arg-type]
        lambda: prodmax.rule(max_node=1, min_node=min),  # type: ignore[arg-type]
        lambda: model.mass(("minimax", prodmax.rule(max_node=max, min_node=lambda x: "a"))),  # type: ignore
        lambda: model.contest([prodmax.rule(max_node=max, min_node=lambda x: math.nan), "minimax"], number="exact"),
    ]
    for call in wrong[:2] + wrong[3:]:
        with pytest.raises((TypeError, ValueError)):
            call()
    # None leaves an option out, as on the command line.
    assert wrong[2]().truth == "arctan:4"


def test_models_do_not_change_and_compare() -> None:
    model = Model(1, (3, 3))
    with pytest.raises(AttributeError):
        model.root = 2
    assert model == Model(1, [3, 3]) and hash(model) == hash(Model(1, [3, 3])) and model != Model(1, [3, 2])
    assert pickle.loads(pickle.dumps(model)) == model == copy.deepcopy(model)
    assert eval(repr(model)) == model


def test_results_can_be_stored() -> None:
    for result in (Model(1, [3, 3]).mass(number="certified"), prodmax.table1()):
        again = pickle.loads(pickle.dumps(result))
        assert again == result and again._repr_html_() == result._repr_html_()
        # What is stored is not wrapped.
        assert str(again).startswith(str(result).splitlines()[0])
    assert Model(1, [3]).mass() != Model(2, [3]).mass()


def test_results_are_readable() -> None:
    result = Model(-1, [3, 3, 3]).mass()
    assert "critical" in repr(result) and "14901376" in repr(result)
    page = result._repr_html_()
    assert page.startswith("<table>") and "<td" in page and "14901376" in page
    assert "difference_percent" in dir(result)
    with pytest.raises(AttributeError, match="there is no figure `critcal` here; there are: root, increments"):
        _ = result.critcal
    assert result.to_dict()["errors"] == {"minimax": result.errors.minimax, "product": result.errors.product}
    own = Model(1, [2, 2]).contest(["minimax", prodmax.rule(max_node=max, min_node=min, name="<b>")])
    assert "&lt;b&gt;" in own._repr_html_() and "not proved" in repr(own)
    assert not own.proved


def test_pandas() -> None:
    pytest.importorskip("pandas")
    frame = Model(-1, [3, 3, 3]).mass().to_pandas()
    assert frame["critical"][0] == 14901376 and "errors.minimax" in frame
    assert Model(1, [8, 8, 8, 8]).plan().to_pandas()["nodes"][3] == 16 * 9**30
    contest = Model(1, [3, 3]).contest(["minimax", "product", "mean:4"])
    assert list(contest.to_pandas().index) == ["minimax", "product", "mean:4"]
    assert len(contest.to_pandas("matches")) == 3
    assert len(prodmax.table2().to_pandas()) == 42 and len(prodmax.table1().to_pandas()) == 30
    simulated = prodmax.simulate(tree_depth=6, depths=[1, 2], trees=3)
    assert list(simulated.to_pandas()["d"]) == [1, 2, 1, 2]
    assert list(simulated.to_pandas()["probabilities"]) == ["estimated", "estimated", "actual", "actual"]


def test_optional_packages_are_optional() -> None:
    code = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(['numpy', 'pandas', 'tqdm', 'tqdm.auto']))\n"
        "import prodmax\n"
        "m = prodmax.Model(1, [2, 2])\n"
        "assert m.mass(progress=True).critical == 8, m.mass().critical\n"
        "for call, name in ((m.classes, 'numpy'), (m.mass().to_pandas, 'pandas')):\n"
        "    try: call()\n"
        "    except ImportError as error: assert f'pip install {name}' in str(error)\n"
        "    else: raise AssertionError(name)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_notes_are_warnings_at_the_call() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Model(1, [2, 2, 2]).mass(grid=64)
    assert [warning.category for warning in caught] == [prodmax.Note]
    assert caught[0].filename == __file__ and "--grid" in str(caught[0].message)
    # A filter can make errors of them; the work is stopped and the threads are kept.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(prodmax.Note):
            Model(1, [2, 2, 2]).mass(grid=64)
    assert Model(1, [2, 2, 2]).mass().trees == 3**14


def test_progress_is_told() -> None:
    events: list[tuple[str, int, int]] = []
    prodmax.simulate(tree_depth=13, depths=[1, 2, 3], trees=60, progress=lambda *news: events.append(news))
    assert events and events[-1][0] == "trees" and events[-1][1:] == (60, 60)
    assert [done for _, done, _ in events] == sorted(done for _, done, _ in events)
    with pytest.raises(ZeroDivisionError):
        prodmax.simulate(tree_depth=13, depths=[1, 2, 3], trees=60, progress=lambda *news: 1 // 0)


def test_a_bar_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    prodmax.simulate(tree_depth=12, depths=[1, 2], trees=40, progress=True)
    assert "trees" in capsys.readouterr().err


def test_the_interpreter_goes_on_meanwhile() -> None:
    ticks, stop = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.wait(0.005):
            ticks += 1

    other = threading.Thread(target=tick)
    other.start()
    before, begun = ticks, time.monotonic()
    Model(1, [16, 16, 16]).mass(number="certified")
    elapsed, counted = time.monotonic() - begun, ticks - before
    stop.set()
    other.join()
    assert elapsed > 0.2, "the model is too small for this test"
    assert counted > elapsed / 0.005 / 20


def test_calls_from_many_threads() -> None:
    expected = Model(-1, [3, 3, 3]).mass()
    found: list[bool] = []

    def call() -> None:
        found.extend(Model(-1, [3, 3, 3]).mass() == expected for _ in range(20))

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 160


def _critical(root: int) -> int:
    critical: int = Model(root, [8, 8]).mass().critical
    return critical


def test_forked_processes_have_threads_of_their_own() -> None:
    expected = [_critical(root) for root in (-3, 1, 2)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map_async(_critical, (-3, 1, 2)).get(timeout=60) == expected


LONG = {
    "mass in memory": "prodmax.Model(1, [24, 24, 24], h_max=200).mass(number='certified')",
    "exact": "prodmax.Model(1, [20, 20, 20], h_max=200).mass(truth='uniform:1/35', number='exact')",
    "contest": "prodmax.Model(1, [24, 24, 24], h_max=200).contest(['minimax', 'product', 'mean:8', 'hints:9/10'])",
    "crossover": "prodmax.Model(1, [18, 18, 18], h_max=200).crossover()",
    "more moves": "prodmax.Model(1, [8, 8], branching=12).contest(['minimax', 'product', 'mean:4'])",
    "deep": "prodmax.Model(1, [8, 8, 8, 8]).mass()",
    "law": "prodmax.Model(1, [8, 8, 8, 8]).mass(engine='law', grid=32768)",
    "classes": "prodmax.Model(1, [6, 6, 6, 6]).classes()",
    "simulate": "prodmax.simulate(trees=100000)",
    "pathology": "prodmax.pathology(b=40, d_max=30)",
    "sample": "prodmax.pathology(method='sample', trees=100000)",
    "play": "prodmax.play('kalah', ['product', 'minimax'], depth=6, starts=10000)",
    "check": "prodmax.check(slow=True)",
    "critical": "prodmax.Model(1, [28, 28, 28], h_max=200).critical(draw=1000)",
    "grains": "prodmax.pathology_grains(b=40, d_max=2, most=3)",
    "readings of grains": "prodmax.pathology_grains(readings='dependent')",
    "map": "prodmax.pathology_map(b=[2, 5, 40], d_max=10)",
    "quality": "prodmax.play_quality(calls=100000, positions=10000)",
}


@pytest.mark.parametrize("name", LONG)
def test_an_interrupt_stops_within_a_second(name: str) -> None:
    code = (
        "import warnings, time, sys, prodmax\n"
        "warnings.simplefilter('ignore')\n"
        "prodmax.Model(1, [2]).mass()\n"
        "print('go', flush=True)\n"
        "try:\n"
        f"    {LONG[name]}\n"
        "    print('done')\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
        "    begun = time.process_time(); time.sleep(1); busy = time.process_time() - begun\n"
        "    print('busy' if busy > 0.3 else 'idle', prodmax.Model(-1, [3, 3, 3]).mass().critical)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout and child.stdout.readline() == "go\n"
    time.sleep(0.6)
    begun = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "interrupted\n", "the work was done before it was interrupted"
    elapsed = time.monotonic() - begun
    last = child.stdout.readline()
    assert child.wait() == 0
    assert elapsed < 1.0
    assert last == "idle 14901376\n", "the threads are still at work"


def test_an_interrupted_simulation_keeps_what_is_finished(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    code = f"import prodmax; print('go', flush=True); prodmax.simulate(trees=100000, checkpoint={str(kept)!r})"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout and child.stdout.readline() == "go\n"
    time.sleep(2)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate()
    assert "KeyboardInterrupt" in errors
    # Checkpoints are written from time to time; each is complete.
    if kept.exists():
        assert run("simulate", "merge", str(kept), "--format", "json").returncode in (0, 1)


def resident() -> int:
    """The memory that the process takes now, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not say how much memory is used")
def test_memory_stays_flat() -> None:
    """With PRODMAX_CALLS=1000000 a million calls; by default twenty thousand."""
    calls = int(os.environ.get("PRODMAX_CALLS", "20000"))
    model = Model(1, [1, 1])

    def call() -> None:
        """Five calls."""
        assert model.mass().trees == 64
        assert model.plan().trees == Model(1, [1, 1]).plan().trees == 64
        for truth in ("x", "uniform:2"):
            try:
                model.mass(truth=truth)
            except ValueError:
                pass

    for _ in range(500):
        call()
    before = resident()
    for _ in range(calls // 5):
        call()
    grown = resident() - before
    print(f"{calls} calls: memory {before} bytes before, {grown} more after")
    assert grown < 2_000_000


def test_speed() -> None:
    """Other programs may run meanwhile, so the least time counts; `make python-bench` compares with the engine."""
    for model, most in ((Model(-1, [3, 3, 3]), 0.003), (Model(-1, [8, 8, 8]), 0.05)):
        least = math.inf
        for _ in range(300):
            begun = time.perf_counter()
            model.mass()
            least = min(least, time.perf_counter() - begun)
            if least < most:
                break
        assert least < most, model


def test_the_readme_is_true() -> None:
    for path in (REPOSITORY / "crates" / "python" / "README.md", REPOSITORY / "README.md"):
        done = doctest.testfile(str(path), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
        assert done.failed == 0 and done.attempted > 0, path


def test_flags_of_the_tests() -> None:
    assert flags(Model(-1, [3, 3]))[0] == "--root=-1"
