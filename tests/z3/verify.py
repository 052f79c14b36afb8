#!/usr/bin/env python3
"""Confirm the depth-3 case analysis of prodmax with Z3, an independent solver.

The leaves below the move M are M11, M12, M21, M22, those below P likewise. For each order of the eight leaves in which
Minimax prefers M, Z3 is asked for eight real numbers in this order, between 0 and 1, for which Product prefers P.
Its answer is compared with the verdict of `prodmax table1 --depth 3 --types`: it must be satisfiable if that says
possible, and unsatisfiable if it says impossible. Exit status: 0 if all agree or Z3 cannot be installed (then the last
line says SKIPPED), 1 if one does not, 2 if prodmax fails.
"""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from itertools import permutations
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import environment  # noqa: E402 - it is in the parent folder of the scripts
TIMEOUT_SECONDS = 60
LEAVES = [move + node + leaf for move in "MP" for node in "12" for leaf in "12"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prodmax", default="target/release/prodmax", help="the program to verify")
    parser.add_argument("--venv", default="target/z3-venv", help="where the virtual environment is or will be")
    parser.add_argument("--output", help="write the outcome to this file as JSON")
    arguments = parser.parse_args()
    try:
        import z3

        z3.Real  # this folder is called z3, too, and can be imported where the package is missing
    except (ImportError, AttributeError):
        return environment.run_again("verify-z3", "z3-solver", arguments.venv)
    return verify(z3, arguments)


def fail(why):
    print(f"verify-z3: {why}", file=sys.stderr)
    sys.exit(2)


def prodmax(program, arguments):
    """What prodmax prints, and the seconds it took."""
    start = time.perf_counter()
    try:
        result = subprocess.run([program, *arguments], capture_output=True, text=True)
    except OSError as error:
        fail(f"{program} cannot be run: {error}")
    seconds = time.perf_counter() - start
    if result.returncode != 0:
        fail(result.stderr.strip())
    return result.stdout, seconds


def by_minimax(value, move):
    """The minimax value of a move: MIN moves there, then MAX."""
    return min(max(value[move + node + "1"], value[move + node + "2"]) for node in "12")


def by_product(value, move):
    """The product value of a move: won if both MAX nodes are; these are lost if both their leaves are."""
    first, second = (1 - (1 - value[move + node + "1"]) * (1 - value[move + node + "2"]) for node in "12")
    return first * second


def canonical(order):
    """The same order with the leaves named by value, whichever way siblings were named."""
    rank = {leaf: place for place, leaf in enumerate(order)}
    names = {}
    for move in "MP":
        nodes = [sorted((rank[move + node + leaf] for leaf in "12"), reverse=True) for node in "12"]
        for node, ranks in zip("12", sorted(nodes, reverse=True)):
            for leaf, place in zip("12", ranks):
                names[place] = move + node + leaf
    return tuple(names[place] for place in range(len(order)))


def minimax_prefers(order, move):
    rank = {leaf: place for place, leaf in enumerate(order)}
    other = "P" if move == "M" else "M"
    return by_minimax(rank, move) > by_minimax(rank, other)


def order_types():
    """All orders of the leaves up to the symmetries of the tree, found by trying all 40,320."""
    return {canonical(order) for order in permutations(LEAVES)}


def ask(z3, order):
    """Whether Product can prefer P in this order: Z3's answer, and the witness if it gave one.

    The unknowns are the probabilities of losing, 1 - x, and they are declared from P22 to M11. Neither changes the
    question, but both change how long Z3 takes. This formulation was chosen because Z3 decides every order with it. One
    with the probabilities of winning, run over all 315 orders, left 1 unknown at 60 s; some 17 others were only tried
    briefly, so there may well be faster ones. An unknown counts as a disagreement.
    """
    lose = {leaf: z3.Real(f"x{place}") for place, leaf in enumerate(sorted(LEAVES, reverse=True))}
    solver = z3.Tactic("qfnra-nlsat").solver()
    solver.set("timeout", TIMEOUT_SECONDS * 1000)
    solver.add(*(each > 0 for each in lose.values()))
    solver.add(*(each < 1 for each in lose.values()))
    solver.add(*(lose[low] > lose[high] for low, high in zip(order, order[1:])))

    def product(move):
        return (1 - lose[move + "11"] * lose[move + "12"]) * (1 - lose[move + "21"] * lose[move + "22"])

    solver.add(product("P") > product("M"))
    answer = str(solver.check())
    return answer, solver.model() if answer == "sat" else None, {leaf: 1 - each for leaf, each in lose.items()}


def is_witness(order, numbers):
    """Whether fractions are in this order and Product prefers P, by plain arithmetic."""
    chain = [0, *(numbers[leaf] for leaf in order), 1]
    in_order = all(low < high for low, high in zip(chain, chain[1:]))
    return in_order and by_product(numbers, "P") > by_product(numbers, "M")


def rational(z3, model, value):
    """The witness as fractions, or None if some of it is an irrational root."""
    numbers = {leaf: model.eval(each, model_completion=True) for leaf, each in value.items()}
    if not all(z3.is_rational_value(number) for number in numbers.values()):
        return None
    return {leaf: Fraction(number.numerator_as_long(), number.denominator_as_long()) for leaf, number in numbers.items()}


def verify(z3, arguments):
    text, our_seconds = prodmax(arguments.prodmax, ["table1", "--depth", "3", "--types", "--format", "json"])
    types = json.loads(text)
    listed = {tuple(each["order"]): each["verdict"] for each in types}
    all_types = order_types()
    complete = len(listed) == len(types) and set(listed) == all_types
    if not complete:
        print(f"prodmax lists {len(types)} orders; there are {len(all_types)}, and they are not the same")
    counts, disagreements, witnesses = Counter(), [], 0
    start, slowest = time.perf_counter(), 0.0
    for order in sorted(all_types):
        verdict = listed.get(order, "not listed")
        if not minimax_prefers(order, "M"):
            if verdict != "minimax prefers P":
                disagreements.append({"order": " < ".join(order), "prodmax": verdict, "z3": "minimax prefers P"})
            continue
        began = time.perf_counter()
        answer, model, value = ask(z3, order)
        slowest = max(slowest, time.perf_counter() - began)
        counts[answer] += 1
        if answer == "sat" and (numbers := rational(z3, model, value)):
            if not is_witness(order, numbers):
                answer = "sat, with a wrong witness"
            else:
                witnesses += 1
        if {"possible": "sat", "impossible": "unsat"}.get(verdict) != answer:
            disagreements.append({"order": " < ".join(order), "prodmax": verdict, "z3": answer})
    seconds = time.perf_counter() - start
    for each in disagreements:
        print(f"{each['order']}: prodmax says {each['prodmax']}, Z3 {each['z3']}")
    asked = sum(counts.values())
    version, _ = prodmax(arguments.prodmax, ["--version"])
    outcome = {
        "z3": z3.get_version_string(),
        "prodmax": version.strip(),
        "order_types": len(all_types),
        "same_order_types": complete,
        "asked": asked,
        "satisfiable": counts["sat"],
        "unsatisfiable": counts["unsat"],
        "unknown": asked - counts["sat"] - counts["unsat"],
        "rational_witnesses": witnesses,
        "disagreements": disagreements,
        "prodmax_seconds": round(our_seconds, 4),
        "z3_seconds": round(seconds, 3),
        "slowest_seconds": round(slowest, 3),
    }
    print(
        f"Z3 {outcome['z3']}: of {len(all_types)} order types Minimax prefers M in {asked}; Product can prefer P in "
        f"{outcome['satisfiable']}, cannot in {outcome['unsatisfiable']}, unknown {outcome['unknown']}; "
        f"{len(disagreements)} verdicts differ from prodmax's; {seconds:.1f} s, prodmax {our_seconds:.3f} s"
    )
    if arguments.output:
        environment.write(Path(arguments.output), json.dumps(outcome, indent=2) + "\n")
    return 0 if complete and not disagreements else 1


if __name__ == "__main__":
    sys.exit(main())
