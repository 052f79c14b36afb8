"""Asks the engine in the words of the command line."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from . import _engine
from ._figures import Result, Results

Progress = bool | Callable[[str, int, int], object]
"""False for none, True for a bar, or a function of the name of the work, the steps done and all steps (0 if none are
counted), which is called some times a second."""


class Note(UserWarning):
    """What the command line prints as a note: it is not part of the result, but good to know."""


def words(command: str, options: dict[str, Any]) -> list[str]:
    """A command and its options as the command line has them."""
    line = command.split()
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            line.append(option)
        elif value is not None and value is not False:
            line.append(f"{option}={_text(value)}")
    return line


def _text(value: Any) -> str:
    if isinstance(value, (str, int, float, Fraction)):
        return str(value)
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, Iterable):
        return ",".join(_text(item) for item in value)
    return str(value)


def note(text: str) -> None:
    """Shows a note as a warning, at the place where the user called."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, Note, stacklevel=level)


class _Bar:
    """A bar: that of tqdm if it is installed, otherwise a line on standard error."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._tqdm: Any = None
        else:
            self._tqdm = tqdm
        self._bar: Any = None
        self._name = ("", 0)
        self._written = False
        self._begun = time.monotonic()

    def __call__(self, name: str, done: int, steps: int) -> None:
        if self._tqdm is None:
            far = f"{100 * done // steps} %" if steps else f"{time.monotonic() - self._begun:.0f} s"
            sys.stderr.write(f"\r{name}: {far}")
            sys.stderr.flush()
            self._written = True
            return
        if self._bar is None or self._name != (name, steps):
            self.close()
            # Work that counts no steps shows the time that has passed.
            shape = {"total": steps} if steps else {"bar_format": "{desc}: {elapsed}"}
            self._bar, self._name = self._tqdm(desc=name, leave=bool(steps), **shape), (name, steps)
        self._bar.update(done - self._bar.n)
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        if self._written:
            sys.stderr.write("\n")
            self._written = False


def ask(command: str, options: dict[str, Any], progress: Progress = False) -> _engine.Answer:
    """The engine's answer. A refusal is a `ValueError`."""
    line = words(command, options)
    if progress is True:
        bar = _Bar()
        try:
            return _engine.ask(line, note, bar)
        finally:
            bar.close()
    return _engine.ask(line, note, progress or None)


def result(command: str, options: dict[str, Any], progress: Progress = False, rows: str | None = None) -> Result:
    """The answer to a question about one thing."""
    answer = ask(command, options, progress)
    return Result(answer.value(), answer, answer.holds, rows)


def results(command: str, options: dict[str, Any], progress: Progress = False) -> Results:
    """The answer that is a list."""
    answer = ask(command, options, progress)
    return Results(answer.value(), answer, answer.holds)
