#!/usr/bin/env python3
"""Confirm figures of prodmax with Storm, an independent probabilistic model checker.

Each case is written by `prodmax prism`, checked by Storm (stormpy, in its own virtual environment) and compared with
`prodmax mass`: to a relative 1e-8 in doubles, exactly in fractions. Exit status: 0 if all cases agree or Storm cannot
be installed (then the last line says SKIPPED), 1 if one does not, 2 if prodmax fails.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import environment  # noqa: E402 - it is in the parent folder of the scripts
RELATIVE = 1e-8

# (name, arguments of the model, whether fractions must be equal, the known difference or None)
CASES = [
    ("depth 2, a = 8, root +1", "--root 1 --increments 8,8", False, -6.468599539),
    ("(1,1,3), root -1", "--root -1 --increments 1,1,3", False, -4.440829252),
    ("depth 2, a = 5, zero allowed", "--root 0 --increments 5,5 --zero allow", False, None),
    ("depth 4, (1,0,0,1)", "--root -2 --increments 1,0,0,1", False, None),
    ("uniform truth, depth 2, a = 4", "--root -3 --increments 4,4 --truth uniform:1/20", True, None),
    ("uniform truth at the threshold 1/35", "--root -3 --increments 8,8 --truth uniform:1/35", True, None),
    (
        "uniform truth and estimate, (1,1,1)",
        "--root -1 --increments 1,1,1 --truth uniform:1/10 --estimate uniform:1/4",
        True,
        None,
    ),
    ("minimax against mean:4, depth 2, a = 8", "--root 1 --increments 8,8 --rules minimax,mean:4", False, -8.31192316212294),
    ("product against average:1/2, (1,1,1)", "--root -1 --increments 1,1,1 --rules product,average:1/2", False, None),
    ("three moves, depth 2, a = 2", "--root 1 --increments 2,2 --branching 3", False, -4.07176435035818),
    (
        "three moves, uniform truth, (1,2)",
        "--root -1 --increments 1,2 --branching 3 --truth uniform:1/20",
        True,
        None,
    ),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prodmax", default="target/release/prodmax", help="the program to verify")
    parser.add_argument("--venv", default="target/storm-venv", help="where the virtual environment is or will be")
    parser.add_argument("--output", help="write the outcome to this file as JSON")
    arguments = parser.parse_args()
    try:
        import stormpy
    except ImportError:
        return environment.run_again("verify-storm", "stormpy", arguments.venv)
    return verify(stormpy, arguments)


def prodmax(program, command, arguments):
    """What prodmax prints, and the seconds it took."""
    start = time.perf_counter()
    result = subprocess.run([program, command, *arguments], capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if result.returncode != 0:
        print(result.stderr, end="", file=sys.stderr)
        sys.exit(2)
    return result.stdout, seconds


def rules_of(arguments):
    """The names of the two rules."""
    return arguments[arguments.index("--rules") + 1].split(",") if "--rules" in arguments else ["minimax", "product"]


def labels(rules):
    """The events of a model with these rules: the rules' names, with underscores for all but letters and digits."""
    return ["".join(c if c.isalnum() else "_" for c in rule) + "_errs" for rule in rules] + ["critical"]


def storm(stormpy, path, rules, exact):
    """The probabilities of the labels, the number of states and the seconds it took."""
    start = time.perf_counter()
    program = stormpy.parse_prism_program(path)
    properties = stormpy.parse_properties("; ".join(f'P=? [F "{label}"]' for label in labels(rules)), program)
    build = stormpy.build_model[stormpy.Rational if exact else float]
    model = build(program, properties)
    initial = model.initial_states[0]
    values = [stormpy.model_checking(model, each).get_value(initial) for each in properties]
    if exact:
        values = [Fraction(str(value)) for value in values]
    return values, model.nr_states, time.perf_counter() - start


def difference_percent(first, second):
    total = first + second
    return None if total == 0 else 100 * (second - first) / total


def close(theirs, ours):
    return abs(theirs - ours) <= RELATIVE * max(abs(ours), 1e-300)


def run(stormpy, program, case):
    name, arguments, exact, known = case
    arguments = arguments.split()
    rules = rules_of(arguments)
    number = "exact" if exact else "f64"
    text, our_seconds = prodmax(program, "mass", [*arguments, "--number", number, "--format", "json"])
    figures = json.loads(text)
    trees = int(figures["trees"])
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model.pm")
        prodmax(program, "prism", [*arguments, "--output", path])
        (first, second, critical), states, storm_seconds = storm(stormpy, path, rules, exact)
    theirs = difference_percent(first, second)
    if exact:
        masses = [Fraction(figures["known"]["errors"][rule]["fraction"]) for rule in rules]
        ours = difference_percent(*masses)
        agrees = [first * trees, second * trees] == masses and critical * trees == int(figures["critical"])
    else:
        masses = [figures["errors"][rule] for rule in rules]
        ours = figures["difference_percent"]
        pairs = [(first * trees, masses[0]), (second * trees, masses[1]), (theirs, ours)]
        pairs += [(critical * trees, int(figures["critical"]))] + ([(theirs, known)] if known else [])
        agrees = all(close(*pair) for pair in pairs)
    return {
        "name": name,
        "arguments": " ".join(arguments),
        "rules": rules,
        "exact": exact,
        "agrees": agrees,
        "known_difference_percent": known,
        "prodmax_difference_percent": float(ours),
        "storm_difference_percent": float(theirs),
        "storm_first_errs": str(first),
        "storm_second_errs": str(second),
        "states": states,
        "prodmax_seconds": round(our_seconds, 4),
        "storm_seconds": round(storm_seconds, 3),
    }


def verify(stormpy, arguments):
    cases = []
    for case in CASES:
        outcome = run(stormpy, arguments.prodmax, case)
        cases.append(outcome)
        verdict = "differs" if not outcome["agrees"] else "exactly equal" if outcome["exact"] else "agrees"
        print(
            f"{outcome['name']:38} {outcome['prodmax_difference_percent']:+.9f} "
            f"{outcome['storm_difference_percent']:+.9f} {verdict:13} {outcome['states']:>9} states "
            f"{outcome['prodmax_seconds']:8.3f} s {outcome['storm_seconds']:8.2f} s "
            f"{outcome['storm_seconds'] / outcome['prodmax_seconds']:8.0f} x",
            flush=True,
        )
    agree = sum(case["agrees"] for case in cases)
    print(f"Storm {stormpy.__version__}: {agree} of {len(cases)} cases agree with prodmax")
    if arguments.output:
        version, _ = prodmax(arguments.prodmax, "--version", [])
        result = {"stormpy": stormpy.__version__, "prodmax": version.strip(), "relative_tolerance": RELATIVE}
        result |= {"cases": cases}
        environment.write(Path(arguments.output), json.dumps(result, indent=2) + "\n")
    return 0 if agree == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
