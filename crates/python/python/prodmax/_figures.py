"""Results: figures by the names that they have in the JSON of the command line, and tables for readers."""

from __future__ import annotations

import html
import importlib
import math
import shutil
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, overload

if TYPE_CHECKING:
    import pandas as pd

    from ._engine import Answer


class Enclosure(NamedTuple):
    """An interval that is certain to contain a figure.

    >>> from prodmax import Model
    >>> difference = Model(-1, [3, 3, 3]).mass(number="certified").known.difference_percent
    >>> difference
    Enclosure(lower=-4.7602072930325, upper=-4.7602072930322)
    >>> -4.7602072930323 in difference, difference.lower <= difference.midpoint <= difference.upper
    (True, True)
    """

    lower: float
    upper: float

    @property
    def midpoint(self) -> float:
        """The middle of the interval."""
        return self.lower + (self.upper - self.lower) / 2

    @property
    def width(self) -> float:
        """How far the ends are apart."""
        return self.upper - self.lower

    def __contains__(self, number: object) -> bool:
        """Whether a number lies in the interval."""
        if not isinstance(number, (int, float, Fraction)):
            return False
        return self.lower <= number <= self.upper

    def __repr__(self) -> str:
        lower, upper = _digits(self.lower), _digits(self.upper)
        return f"Enclosure(lower={lower}, upper={upper})"


def _digits(number: float) -> str:
    """A number with the 14 digits that the ends of intervals have, or as it is if it has others."""
    text = f"{number:#.14g}"
    return text if float(text) == number else repr(number)


class Table(NamedTuple):
    """A table for readers."""

    title: str
    columns: list[tuple[str, bool]]
    """Their names, and whether they hold numbers."""
    rows: list[list[str]]
    notes: list[str]

    def _html(self) -> str:
        escape = html.escape
        align = ["right" if numbers else "left" for _, numbers in self.columns]
        head = "".join(
            f'<th style="text-align: {side}">{escape(name)}</th>' for (name, _), side in zip(self.columns, align)
        )
        rows = "".join(
            "<tr>"
            + "".join(f'<td style="text-align: {side}">{escape(cell)}</td>' for cell, side in zip(row, align))
            + "</tr>"
            for row in self.rows
        )
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return (
            f'<table><caption style="text-align: left">{escape(self.title)}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{notes}"
        )


class Record:
    """Figures by name: `record.name` and `record["name"]` are the same.

    >>> from prodmax import Model
    >>> errors = Model(-1, [3, 3, 3]).mass().errors
    >>> errors["minimax"] == errors.minimax, list(errors), len(errors), "product" in errors
    (True, ['minimax', 'product'], 2, True)
    """

    __slots__ = ("_data",)
    _data: dict[str, Any]

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = {key: _wrapped(value) for key, value in data.items()}

    def __getattr__(self, name: str) -> Any:
        try:
            return self._data[name]
        except KeyError:
            pass
        except AttributeError:
            raise AttributeError(name) from None
        names = ", ".join(self._data)
        raise AttributeError(f"there is no figure `{name}` here; there are: {names}")

    def __getitem__(self, name: str) -> Any:
        return self._data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __contains__(self, name: object) -> bool:
        return name in self._data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._data == other._data

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(key for key in self._data if key.isidentifier())})

    def __getstate__(self) -> dict[str, Any]:
        return self._data

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._data = state

    def keys(self) -> list[str]:
        """The names."""
        return list(self._data)

    def items(self) -> list[tuple[str, Any]]:
        """The names and what they stand for."""
        return list(self._data.items())

    def to_dict(self) -> dict[str, Any]:
        """The same as dictionaries and lists."""
        return {key: _plain(value) for key, value in self._data.items()}

    def __repr__(self) -> str:
        return f"Record({', '.join(f'{key}={_short(value)}' for key, value in self._data.items())})"


def _wrapped(value: Any) -> Any:
    if isinstance(value, dict):
        return Record(value)
    return [_wrapped(item) for item in value] if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _short(value: Any) -> str:
    """A value as text; ints that Python refuses to write are rounded."""
    if isinstance(value, int) and value.bit_length() > 10_000:
        exponent = int((value.bit_length() - 1) * math.log10(2))
        return f"about 10^{exponent}"
    if isinstance(value, Fraction) and max(value.numerator.bit_length(), value.denominator.bit_length()) > 10_000:
        return f"about {float(value)!r}"
    return repr(value)


def _flat(record: Record, prefix: str = "") -> dict[str, Any]:
    """All figures of a record, by path."""
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, Record):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat


def _single(record: Record) -> dict[str, Any]:
    """The figures of a record that are neither lists nor records."""
    return {key: value for key, value in record.items() if not isinstance(value, (list, Record))}


class _Shown:
    """What a result looks like: as the command line prints it, and as tables in a notebook."""

    __slots__ = ()

    def _answer(self) -> Answer | list[Table]:
        raise NotImplementedError

    def _tables(self) -> list[Table]:
        """The tables for readers, as texts."""
        answer = self._answer()
        return answer if isinstance(answer, list) else [Table(*table) for table in answer.tables()]

    def __repr__(self) -> str:
        answer = self._answer()
        if isinstance(answer, list):
            return "\n\n".join(_aligned(table) for table in answer)
        return answer.text(_width()).rstrip("\n")

    def _repr_html_(self) -> str:
        return "".join(table._html() for table in self._tables())


def _width() -> int:
    """The width of the terminal; in a notebook or a file, 100 characters."""
    is_terminal = getattr(sys.stdout, "isatty", bool)()
    return shutil.get_terminal_size((100, 24)).columns if is_terminal else 100


def _aligned(table: Table) -> str:
    """A table as lines of text."""
    names = [name for name, _ in table.columns]
    widths = [max(map(len, column)) for column in zip(names, *table.rows)]
    sides = [str.rjust if numbers else str.ljust for _, numbers in table.columns]

    def line(cells: Sequence[str]) -> str:
        return "  ".join(side(cell, width) for cell, side, width in zip(cells, sides, widths)).rstrip()

    return "\n".join([table.title, "", line(names), *map(line, table.rows), *(["", *table.notes] if table.notes else [])])


def pandas() -> ModuleType:
    """The module pandas, if it is installed."""
    try:
        return importlib.import_module("pandas")
    except ImportError:
        raise ImportError("to_pandas() needs pandas; install it with: pip install pandas") from None


def _frame(rows: list[dict[str, Any]], index: str | None = None) -> pd.DataFrame:
    keys = dict.fromkeys(key for row in rows for key in row)
    columns = {key: _column([row.get(key) for row in rows]) for key in keys}
    frame: pd.DataFrame = pandas().DataFrame(columns)
    return frame.set_index(index) if index else frame


def _column(values: list[Any]) -> Any:
    """A column for pandas, in which large ints and fractions stay what they are."""
    small = all(isinstance(value, int) and abs(value) < 2**63 for value in values)
    if small or all(isinstance(value, (float, type(None))) for value in values):
        return values
    return pandas().Series(values, dtype=object)


class Result(Record, _Shown):
    """The figures of a call, with the names that they have in the JSON of the command line (docs/json.md).

    Counts are ints of any size. `result.known` has what is known of figures, by the same names: with certified numbers an
    `Enclosure`, with exact numbers a `fractions.Fraction`.

    >>> from prodmax import Model
    >>> r = Model(-3, [8, 8]).mass(truth="uniform:1/35", number="exact")
    >>> r.critical, r.known.errors["minimax"], r.known.difference_percent
    (28992, Fraction(802193688, 1500625), Fraction(0, 1))
    """

    __slots__ = ("_holds", "_rows", "_source")

    def __init__(self, data: dict[str, Any], source: Answer | list[Table], holds: bool, rows: str | None) -> None:
        super().__init__(data)
        self._source, self._holds, self._rows = source, holds, rows

    def _answer(self) -> Answer | list[Table]:
        return self._source

    def __bool__(self) -> bool:
        """Whether everything that was checked holds."""
        return self._holds

    __repr__ = _Shown.__repr__

    def __getstate__(self) -> Any:
        return self._data, self._tables(), self._holds, self._rows

    def __setstate__(self, state: Any) -> None:
        self._data, self._source, self._holds, self._rows = state

    def to_pandas(self, rows: str | None = None) -> pd.DataFrame:
        """The figures as a DataFrame; `rows` names a list of records in the result, e.g. "matches".

        >>> from prodmax import Model
        >>> frame = Model(-1, [3, 3, 3]).plan().to_pandas()
        >>> [int(classes) for classes in frame["classes"]]
        [499, 34, 10]
        """
        rows = rows or self._rows
        if rows is None:
            return _frame([_flat(self)])
        found: Any = self
        above: list[dict[str, Any]] = [{}]
        for key in rows.split("."):
            if isinstance(found, list):
                # Rows of several tables: what names the table stands before them.
                above = [_single(item) for item in found]
                found = [item[key] for item in found]
            else:
                found = found[key]
        if isinstance(found, Record):
            return _frame([{"name": key, **_flat(item)} for key, item in found.items()], index="name")
        parts = found if found and isinstance(found[0], list) else [found]
        return _frame([{**head, **_flat(record)} for head, part in zip(above, parts) for record in part])


class Results(Sequence[Record], _Shown):
    """A list of records, e.g. the cases of Table I."""

    __slots__ = ("_holds", "_list", "_source")

    def __init__(self, data: list[Any], source: Answer | list[Table], holds: bool) -> None:
        self._list: list[Record] = [_wrapped(item) for item in data]
        self._source, self._holds = source, holds

    def _answer(self) -> Answer | list[Table]:
        return self._source

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> list[Record]: ...
    def __getitem__(self, index: int | slice) -> Record | list[Record]:
        return self._list[index]

    def __len__(self) -> int:
        return len(self._list)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Results) and self._list == other._list

    __hash__ = None  # type: ignore[assignment]

    __repr__ = _Shown.__repr__

    def __getstate__(self) -> Any:
        return self._list, self._tables(), self._holds

    def __setstate__(self, state: Any) -> None:
        self._list, self._source, self._holds = state

    def to_list(self) -> list[Any]:
        """The same as dictionaries and lists."""
        return [_plain(item) for item in self._list]

    def to_pandas(self) -> pd.DataFrame:
        """The records as rows of a DataFrame."""
        return _frame([_flat(record) for record in self._list])
