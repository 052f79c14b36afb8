"""What a call from Python costs over the engine: bench.py EXAMPLE, the example `measure` of prodmax-mass."""

from __future__ import annotations

import subprocess
import sys
import time

from prodmax import Model


def least(model: Model, calls: int) -> float:
    """The least time of a call in milliseconds."""
    times = []
    for _ in range(calls):
        begun = time.perf_counter()
        model.mass()
        times.append(time.perf_counter() - begun)
    return 1000 * min(times)


for root, increments, calls in ((-1, [3, 3, 3], 300), (-1, [8, 8, 8], 30)):
    words = [sys.argv[1], str(root), ",".join(map(str, increments)), str(calls)]
    engine = float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    ours = least(Model(root, increments), calls)
    print(f"Model({root}, {increments}).mass(): {ours:.3f} ms, the engine alone {engine:.3f} ms, over it {ours - engine:.3f} ms")
