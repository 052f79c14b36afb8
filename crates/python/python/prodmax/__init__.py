"""Which backup rule decides better at shallow depth: minimaxing or product propagation?

prodmax enumerates all synthetic game trees of the increment model of Kaindl, Horacek and Scheucher (KHS) exactly and
compares the decisions of backup rules. This package has the engine of the program `prodmax`; every figure is the same,
to the last bit.

>>> import prodmax
>>> model = prodmax.Model(root=-1, increments=[3, 3, 3])
>>> r = model.mass()
>>> r.critical, r.difference_percent
(14901376, -4.76020729303234)
>>> r.errors["minimax"] > r.errors["product"]
True

Counts are ints, fractions `fractions.Fraction`, proved intervals `prodmax.Enclosure`. Bad arguments raise `ValueError`
with a sentence that says what to do; notes are warnings (`prodmax.Note`). Long calls show their progress with
`progress=True`, let other threads go on, and can be interrupted with Ctrl-C.
"""

from ._ask import Note
from ._engine import __version__
from ._figures import Enclosure, Record, Result, Results, Table
from ._model import Model
from ._own import Rule, rule
from ._pathology import pathology, pathology_formulas, pathology_grains, pathology_map
from ._studies import check, formulas, play, play_quality, rules, show, simulate, table1, table2

__all__ = [
    "Enclosure",
    "Model",
    "Note",
    "Record",
    "Result",
    "Results",
    "Rule",
    "Table",
    "__version__",
    "check",
    "formulas",
    "pathology",
    "pathology_formulas",
    "pathology_grains",
    "pathology_map",
    "play",
    "play_quality",
    "rule",
    "rules",
    "show",
    "simulate",
    "table1",
    "table2",
]
