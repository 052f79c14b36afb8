"""The classes of a model as numpy arrays."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _engine, _own
from ._figures import pandas

if TYPE_CHECKING:
    import pandas as pd

    from ._model import Model


class Classes:
    """The depth-1 classes of a model: the different subtrees that a move of the root leads to. A tree is a pair of them,
    or as many as there are moves.

    Which rule finds how many of the best moves? Every class is won with probability `truth()`; a rule prefers the class
    with the greater `values()`.

    >>> from prodmax import Model
    >>> classes = Model(-1, [3, 3, 3]).classes()
    >>> classes.leaves[0]
    array([-4, -4, -4, -4], dtype=int32)
    >>> weights, truth = classes.multiplicities, classes.truth()
    >>> float((weights * truth).sum() / weights.sum()) == Model(-1, [3, 3, 3]).mass().won_random
    True
    """

    model: Model
    """The model."""

    def __init__(self, model: Model, classes: _engine.Classes) -> None:
        self.model, self._classes = model, classes

    def __len__(self) -> int:
        return len(self._classes)

    def __repr__(self) -> str:
        return f"<{len(self)} classes of {self.model}>"

    @cached_property
    def multiplicities(self) -> npt.NDArray[Any]:
        """In how many ways one move of the root and the subtree below it lead to each class: int64, or Python ints
        (dtype object) if they are larger."""
        return self._classes.multiplicities()

    @cached_property
    def leaves(self) -> npt.NDArray[np.int32]:
        """The leaves of each class from left to right: a row for each class."""
        return self._classes.leaves()

    @cached_property
    def levels(self) -> tuple[npt.NDArray[np.int32], list[npt.NDArray[np.uint32]]]:
        """The values of the leaves, and for each level above them, up to the depth-1 classes, the children of its
        classes: rows of indices into the level before."""
        return self._classes.levels()

    def values(
        self, rule: str | _own.Rule, truth: str = "arctan:4", estimate: str = "arctan:1"
    ) -> npt.NDArray[np.float64]:
        """The value of each class under a rule, in doubles.

        >>> from prodmax import Model
        >>> set(Model(-1, [3, 3, 3]).classes().values("minimax").tolist()) <= set(range(-4, 7))
        True
        """
        if isinstance(rule, _own.Rule):
            return np.array(_own.values(self, rule, estimate))
        return self._classes.values(rule, truth, estimate)

    def ranks(
        self, rule: str | _own.Rule, truth: str = "arctan:4", estimate: str = "arctan:1"
    ) -> npt.NDArray[np.uint32]:
        """The rank of each class under a rule, from 0: equal values have equal ranks. The order is proved, also where
        doubles cannot tell values apart; that by a rule of your own is not."""
        if isinstance(rule, _own.Rule):
            _, ranks = np.unique(self.values(rule, truth, estimate), return_inverse=True)
            return ranks.astype(np.uint32)
        return self._classes.ranks(rule, truth, estimate)

    def truth(self, truth: str = "arctan:4") -> npt.NDArray[np.float64]:
        """The probability that each class is won."""
        return self._classes.values("ideal", truth, truth)

    def curve(self, curve: str) -> npt.NDArray[np.float64]:
        """A curve at the values of the leaves (`levels[0]`)."""
        return self._classes.curve(curve)

    def to_pandas(self, *rules: str, truth: str = "arctan:4", estimate: str = "arctan:1") -> pd.DataFrame:
        """A row for each class: its multiplicity, the probability that it is won, and its value under these rules.

        >>> from prodmax import Model
        >>> list(Model(-1, [3, 3, 3]).classes().to_pandas("minimax", "product"))
        ['multiplicity', 'truth', 'minimax', 'product']
        """
        columns: dict[str, Any] = {"multiplicity": self.multiplicities, "truth": self.truth(truth)}
        columns.update({rule: self.values(rule, truth, estimate) for rule in rules})
        return pandas().DataFrame(columns)
