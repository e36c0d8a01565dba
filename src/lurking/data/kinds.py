"""What kind each column is, found by looking, and what becomes of it.

=============  =====================================================  ==================================================
kind           how it is told                                         what becomes of it
=============  =====================================================  ==================================================
continuous     numbers                                                used
count          whole numbers from 0, more than ten different ones     used
ordinal        up to ten different whole numbers                      used as the numbers they are; words only if the
                                                                      user says so, in their order
binary         two levels                                             used; of two words, one becomes 1
nominal        words, at most 30, each in three rows on average       left out, or columns of zeros and ones, if asked
                                                                      (:mod:`lurking.data.indicators`)
date           dates or times                                         left out; days, if the user says "continuous"
identifier     1, 2, 3, ...; or all different and named like one;     left out
               or different words without spaces
constant       one value                                              left out
free text      any other words                                        left out
=============  =====================================================  ==================================================

A column that equals another one is left out, too. Of a long table, columns of numbers are judged by a sample of their
rows. The user can say the kind of any column, and the order of its levels, as in ``kinds={"size":
"small<medium<large"}``.

>>> table = pd.DataFrame({"size": ["small", "large"] * 10, "dose": np.arange(20.0) ** 2, "id": range(20)})
>>> used = numbers_by_kind(table)
>>> used.names, [(report.name, report.kind, report.used) for report in used.reports]
(('size', 'dose'), [('size', 'binary', True), ('dose', 'count', True), ('id', 'identifier', False)])
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lurking._errors import DataError, ParameterError, UnknownVertexError
from lurking._typing import FloatArray
from lurking._wording import counted, setting
from lurking.data.checks import listed
from lurking.data.dates import date_format, days, days_of_times
from lurking.data.indicators import ColumnGroup, indicators
from lurking.data.kind_notes import indicator_note, notes_on, pooling_note
from lurking.data.levels import binary_levels, levels_in, natural_order
from lurking.data.reading import KINDS, ColumnKind, ColumnReport, TableNote
from lurking.data.structural import structural_notes
from lurking.data.text_columns import CleanColumn, cleaned

__all__ = ["NumericColumns", "checked_kinds", "look_at_numbers", "numbers_by_kind"]

_FEW = 10
_MOST_LEVELS = 30
_ROWS_PER_LEVEL = 3
_SAMPLE = 20_000
_SENTINELS = frozenset({9.0, 99.0, 999.0, 9999.0, 99999.0})
_FEWEST_LABELS = 8
_LABEL = re.compile(
    r"(^|[\W_])(ids?|index|idx|nr|no|num|number|case|subject|patient|row|rownames?|obs|key|uuid)([\W_]|$)"
)
_CAMEL_LABEL = re.compile(r"[a-z]I[dD]$")
_TIME = re.compile(r"(^|[\W_])(year|month|day|week|hour|minute|second|quarter|time|date|age|t)([\W_]|$)", re.IGNORECASE)
_WITH_UNIT = re.compile(r"([$€£¥]?)\s*([-+]?\d[\d.,]*(?:[eE][-+]?\d+)?)\s*([^\d\s.,+-]{0,8})")


@dataclass(frozen=True)
class NumericColumns:
    """The columns of a table that can be used, as numbers, and what was found.

    Attributes
    ----------
    names : tuple of str
        The columns of numbers.
    columns : tuple of ndarray of shape (n,)
        Their values, NaN where one is missing.
    reports : tuple of ColumnReport
        All columns of the table.
    notes : tuple of TableNote
        What was left out or changed, in sentences.
    groups : tuple of ColumnGroup
        The variables; more than one column for a nominal one.
    """

    names: tuple[str, ...]
    columns: tuple[FloatArray, ...]
    reports: tuple[ColumnReport, ...]
    notes: tuple[TableNote, ...]
    groups: tuple[ColumnGroup, ...]


@dataclass(frozen=True)
class _Seen:
    """One column after a look at it: its kind, its numbers if it has any, and its words if it has any."""

    kind: ColumnKind
    numbers: Callable[[], FloatArray] | None = None
    texts: NDArray[Any] | None = None
    remark: str = ""
    n_missing: int = 0
    marks: tuple[str, ...] = ()
    order: tuple[str, ...] = ()


def checked_kinds(kinds: Mapping[str, Any], names: Sequence[str]) -> dict[str, str | tuple[str, ...]]:
    """Return what the user said about the kinds of columns: for each column a kind, or its levels from low to high."""
    checked: dict[str, str | tuple[str, ...]] = {}
    for name, kind in kinds.items():
        if name not in names:
            raise UnknownVertexError(name, names)
        if isinstance(kind, str):
            levels = levels_in(kind)
            word = kind.strip().lower().replace("_", " ").replace("freetext", "free text")
            word = {"text": "free text", "numeric": "continuous", "number": "continuous", "id": "identifier"}.get(
                word, word
            )
            if levels is None and word not in KINDS:
                raise ParameterError(
                    f"The kind of {name!r} must be one of {', '.join(KINDS)}, or its levels from low to high, such as "
                    f"'low<medium<high'. Got {kind!r} instead."
                )
            checked[name] = word if levels is None else levels
        elif isinstance(kind, Sequence) and all(isinstance(level, str) for level in kind) and len(set(kind)) > 1:
            checked[name] = tuple(kind)
        else:
            raise ParameterError(
                f"The kind of {name!r} must be a word or a list of its levels from low to high. Got {kind!r} instead."
            )
    return checked


def numbers_by_kind(
    table: pd.DataFrame,
    kinds: Mapping[str, Any] | None = None,
    marks: Mapping[str, Counter[str]] | None = None,
    *,
    as_indicators: bool = False,
) -> NumericColumns:
    """Look at every column and return the usable ones as numbers.

    Parameters
    ----------
    table : pandas.DataFrame
        The table; it is not changed. Its labels are texts, each once.
    kinds : mapping of str to (str or sequence of str), optional
        What the user said: the kind of a column, or its levels from low to high.
    marks : mapping of str to Counter of str, optional
        How missing values were written in the file.
    as_indicators : bool, default False
        Whether nominal columns become groups of indicators instead of being left out.
    """
    names = [str(label) for label in table.columns]
    told = checked_kinds(kinds or {}, names)
    marks = marks or {}
    seen: dict[str, _Seen] = {}
    for position, name in enumerate(names):
        found = _look(name, table.iloc[:, position], marks.get(name, Counter()))
        seen[name] = _as_told(name, found, told[name]) if name in told else found
    twins = _twins({name: one for name, one in seen.items() if _is_used(one) and name not in told})
    reports: list[ColumnReport] = []
    used: list[str] = []
    columns: list[FloatArray] = []
    groups: list[ColumnGroup] = []
    pools: list[TableNote] = []
    for name, one in seen.items():
        usable = _is_used(one) and name not in twins
        remark = f"equal to {twins[name]!r}" if name in twins else one.remark
        if one.kind == "nominal" and as_indicators and one.texts is not None:
            group, values = indicators(name, one.texts)
            usable = len(group.columns) > 0
            if usable:
                groups.append(group)
                used += group.columns
                columns += list(values.T)
                remark = f"{counted(len(group.levels), 'level')}, compared with {group.reference!r}"
                pools += pooling_note(group, _levels(one))
        elif usable and one.numbers is not None:
            groups.append(ColumnGroup.plain(name, one.order))
            used.append(name)
            columns.append(one.numbers())
        reports.append(ColumnReport(name, one.kind, usable, remark, one.n_missing, one.marks, name in told))
    order = {name: natural_order(_levels(one)) for name, one in seen.items() if one.kind == "nominal"}
    levels = {name: _levels(one) for name in order for one in [seen[name]]}
    nominal = [group for group in groups if group.levels]
    about = (*notes_on(reports, levels, order, as_indicators), *indicator_note(nominal, order), *pools)
    looked_at: dict[str, NDArray[Any]] = {}
    for name, one in seen.items():
        if one.texts is not None and (_is_used(one) or one.kind == "nominal"):
            looked_at[name] = one.texts
        elif one.numbers is not None and _is_used(one):
            looked_at[name] = one.numbers()
    notes = (*about, *_sentinels(used, columns), *structural_notes(looked_at))
    return NumericColumns(tuple(used), tuple(columns), tuple(reports), notes, tuple(groups))


def _is_used(one: _Seen) -> bool:
    return one.kind in ("continuous", "count", "binary", "ordinal") and one.numbers is not None


def _levels(one: _Seen) -> list[str]:
    """Return the levels of a column of words, the most frequent first."""
    if one.texts is None:
        return []
    counts = Counter(text for text in one.texts.tolist() if text is not None)
    return sorted(counts, key=lambda level: (-counts[level], level))


# ------------------------------------------------------------------------------------------------------- looking


def _look(name: str, column: pd.Series[Any], marks: Counter[str]) -> _Seen:
    dtype = column.dtype
    is_type = pd.api.types
    if is_type.is_complex_dtype(dtype):
        raise DataError(f"{name!r} holds complex numbers, which no graph here can use; leave it out.")
    if is_type.is_datetime64_any_dtype(dtype) or is_type.is_timedelta64_dtype(dtype):
        n_missing = int(column.isna().sum())
        return _Seen("date", lambda: days_of_times(column), remark="dates or times", n_missing=n_missing)
    if is_type.is_numeric_dtype(dtype) or is_type.is_bool_dtype(dtype):
        return _look_at_column_of_numbers(name, column, marks)
    if isinstance(dtype, pd.CategoricalDtype):
        ordered = [str(level) for level in dtype.categories] if dtype.ordered else None
        texts = np.array([None if pd.isna(v) else str(v) for v in column.tolist()], dtype=object)
        one = _look_at_words(
            name, CleanColumn(texts, False, Counter(), Counter(t for t in texts.tolist() if t is not None))
        )
        if ordered is not None and one.kind in ("nominal", "binary"):
            return _ordered(one, tuple(ordered))
        return one
    if pd.api.types.infer_dtype(column, skipna=True) in ("datetime", "datetime64", "date", "timedelta", "period"):
        times = pd.to_datetime(column.astype(str).where(column.notna()), errors="coerce")
        return _Seen("date", lambda: days_of_times(times), remark="dates or times", n_missing=int(times.isna().sum()))
    clean = cleaned(column)
    marks = marks or clean.marks
    if clean.is_numeric:
        return _look_at_column_of_numbers(name, pd.Series(clean.values, dtype=float), marks)
    one = _look_at_words(name, clean)
    return _Seen(one.kind, one.numbers, one.texts, one.remark, one.n_missing, _shown(marks), one.order)


def _shown(marks: Counter[str]) -> tuple[str, ...]:
    return tuple(mark for mark, count in marks.most_common() if count)


def _look_at_column_of_numbers(name: str, column: pd.Series[Any], marks: Counter[str]) -> _Seen:
    def values() -> FloatArray:
        numbers: FloatArray = column.to_numpy(dtype=float, na_value=np.nan)
        return numbers

    sample = column.iloc[:: -(-len(column) // _SAMPLE) or 1].to_numpy(dtype=float, na_value=np.nan)
    kind, remark = look_at_numbers(name, sample, values)
    return _Seen(kind, values, None, remark, int(column.isna().sum()), _shown(marks))


def look_at_numbers(
    name: str, sample: FloatArray, whole: Callable[[], FloatArray] | None = None
) -> tuple[ColumnKind, str]:
    """Return the kind of a column of numbers, and a remark.

    Parameters
    ----------
    name : str
        The column.
    sample : ndarray of shape (m,)
        Every k-th of its values.
    whole : callable, optional
        Returns all values, to make sure of what the sample suggests.
    """
    there = sample[~np.isnan(sample)]
    distinct = np.unique(there)
    if len(distinct) <= 1:
        rest = np.unique(_without_gaps(whole())) if whole is not None else distinct
        if len(rest) <= 1:
            return "constant", f"every value is {rest[0]:.6g}" if len(rest) else "no value at all"
        distinct = rest
    if not np.isfinite(distinct).all():
        return "continuous", ""
    is_whole = bool((distinct == np.round(distinct)).all())
    if len(distinct) == 2:
        return "binary", f"{distinct[0]:.6g} and {distinct[1]:.6g}"
    if not is_whole:
        return "continuous", ""
    if _is_label(name, sample, distinct, whole):
        return "identifier", "labels the rows"
    if len(distinct) <= _FEW and 3 * len(distinct) <= len(there):
        return (
            "ordinal",
            f"{len(distinct)} whole numbers from {distinct[0]:.0f} to {distinct[-1]:.0f}, used as they are",
        )
    return ("count" if distinct[0] >= 0 else "continuous"), ""


def _without_gaps(values: FloatArray) -> FloatArray:
    kept: FloatArray = values[~np.isnan(values)]
    return kept


def _is_label(name: str, sample: FloatArray, distinct: FloatArray, whole: Callable[[], FloatArray] | None) -> bool:
    """Tell whether whole numbers only label the rows: 1, 2, 3, ...; or all different under a name such as "id"."""
    if len(distinct) < len(sample) or len(sample) < _FEWEST_LABELS or _TIME.search(name):
        return False
    steps = np.diff(sample)
    named_so = _LABEL.search(name.lower()) is not None or _CAMEL_LABEL.search(name) is not None
    in_order = sample[0] in (0.0, 1.0) and bool((steps == steps[0]).all()) and steps[0] > 0
    if not (named_so or in_order):
        return False
    if whole is None:
        return True
    values = whole()
    return len(np.unique(values)) == len(values) if named_so else bool((np.diff(values) == 1).all())


def _look_at_words(name: str, clean: CleanColumn) -> _Seen:
    texts: NDArray[Any] = clean.values
    n_missing = sum(text is None for text in texts.tolist())
    there = [text for text in texts.tolist() if text is not None]
    counts = Counter(there)
    if 2 * clean.n_numbers >= len(there) and clean.n_numbers and len(counts) - len(clean.texts) > _FEW:
        odd = sorted(clean.texts, key=lambda text: (-clean.texts[text], text))
        shown = ", ".join(repr(text[:30]) for text in odd[:3]) + (", ..." if len(odd) > 3 else "")
        where = counted(clean.texts.total(), "row")
        return _Seen("free text", None, texts, f"numbers, but also {shown} in {where}", n_missing)
    if len(counts) <= 1:
        return _Seen("constant", None, texts, f"every value is {there[0]!r}" if there else "no value at all", n_missing)
    unit = _unit(list(counts))
    if unit is not None:
        return _Seen("continuous", lambda: _numbers_in(texts), texts, f"numbers written with {unit!r}", n_missing)
    if written := date_format(there):
        return _Seen("date", lambda: days(texts, written), texts, f"dates written as {written}", n_missing)
    if len(counts) == 2:
        zero, one = binary_levels(list(counts))
        return _coded(_Seen("binary", None, texts, f"{one!r} is 1, {zero!r} is 0", n_missing), (zero, one))
    if len(counts) == len(there) and len(there) >= _FEWEST_LABELS and not any(re.search(r"\s", text) for text in there):
        return _Seen("identifier", None, texts, "labels the rows", n_missing)
    if len(counts) <= _MOST_LEVELS and _ROWS_PER_LEVEL * len(counts) <= len(there):
        return _Seen("nominal", None, texts, counted(len(counts), "level"), n_missing)
    return _Seen("free text", None, texts, f"{len(counts):,} different texts", n_missing)


def _unit(texts: Sequence[str]) -> str | None:
    """Return what stands beside the number in every text, such as "kg", "%" or "$"; None if it is not the same."""
    if len(texts) <= 2:
        return None
    beside = set()
    for text in texts:
        match = _WITH_UNIT.fullmatch(text.strip())
        if match is None or not (match[1] or match[3]) or match[2].count(",") + match[2].count(".") > 1:
            return None
        beside.add((match[1], match[3]))
        if len(beside) > 1:
            return None
    ((before, behind),) = beside
    return before or behind


def _numbers_in(texts: NDArray[Any]) -> FloatArray:
    """Return the first number in each text."""
    numbers = [None if text is None else _WITH_UNIT.search(text) for text in texts.tolist()]
    return np.array([np.nan if match is None else float(match[2].replace(",", ".")) for match in numbers])


def _sentinels(names: Sequence[str], columns: Sequence[FloatArray]) -> Iterator[TableNote]:
    """Yield a note on each value such as -999 that may stand for a missing one; it is offered, not taken."""
    for name, values in zip(names, columns, strict=True):
        there = _without_gaps(values[:: -(-len(values) // _SAMPLE) or 1])
        value = sentinel_in(there)
        if value is not None:
            count = int((there == value).sum())
            yield TableNote(
                "sentinel",
                (name,),
                float(count),
                f"{name!r} is {value:.0f} in {counted(count, 'row')}, far from its other values.",
                "If that stands for a missing value, say " + setting("na", [f"{value:.0f}"]) + ".",
            )


def sentinel_in(values: FloatArray) -> float | None:
    """Return a value such as -999 or 9999 that occurs twice or more, far beyond all others; None if there is none.

    Examples
    --------
    >>> sentinel_in(np.array([1.0, 5.0, -999.0, 3.0, -999.0])), sentinel_in(np.array([98.0, 99.0, 99.0, 100.0]))
    (-999.0, None)
    """
    distinct = np.unique(values)
    if len(distinct) < 4 or not np.isfinite(distinct).all():
        return None
    for value, others in ((distinct[0], distinct[1:]), (distinct[-1], distinct[:-1])):
        if abs(value) not in _SENTINELS or (values == value).sum() < 2:
            continue
        spread = float(np.ptp(others))
        distance = float(np.abs(others - value).min())
        if distance > spread or (value <= -99 and others[0] >= 0):
            return float(value)
    return None


# ------------------------------------------------------------------------------------------------ what users say


def _as_told(name: str, found: _Seen, told: str | tuple[str, ...]) -> _Seen:
    if isinstance(told, tuple):
        return _ordered(_words(found), told, name)
    kind: Any = told
    if kind in ("identifier", "free text", "constant", "nominal", "date"):
        if kind == "nominal":
            found = _words(found)
            return _Seen(kind, None, found.texts, counted(len(_levels(found)), "level"), found.n_missing, found.marks)
        return _Seen(kind, None, found.texts, "as you said", found.n_missing, found.marks)
    if kind == "ordinal" and found.texts is not None and found.kind not in ("date", "continuous"):
        levels = _levels(found)
        order = natural_order(levels)
        if order is None:
            example = "<".join(sorted(levels)[:4]) + ("<..." if len(levels) > 4 else "")
            raise ParameterError(
                f"The levels of {name!r} have no order that is known here; write all of them from low to high, as in "
                + setting("kinds", {name: example})
                + "."
            )
        return _ordered(found, order, name)
    if kind == "binary" and len(set(_there(found))) != 2:
        raise ParameterError(f"{name!r} has {len(set(_there(found)))} different values, not two; it cannot be binary.")
    if found.numbers is None and found.texts is not None and kind != "binary":
        clean = cleaned(
            found.texts, na=[t for t in set(found.texts.tolist()) if t is not None and not _WITH_UNIT.search(t)]
        )
        numbers = clean.values if clean.is_numeric else _numbers_in(found.texts)
        if np.isnan(numbers).sum() > found.n_missing:
            odd = next(t for t, v in zip(found.texts.tolist(), numbers, strict=True) if t is not None and np.isnan(v))
            raise ParameterError(
                f"{name!r} cannot be made numbers, because it holds {odd[:40]!r}; if that stands for a missing value, "
                f"say " + setting("na", [odd[:40]]) + "."
            )
        return _Seen(kind, lambda: numbers, None, "numbers in the text", found.n_missing, found.marks)
    if found.numbers is None:
        raise ParameterError(f"{name!r} cannot be {kind}: {found.remark or found.kind}; leave it out.")
    remark = "days since 1970" if found.kind == "date" else "as you said"
    return _Seen(kind, found.numbers, found.texts, remark, found.n_missing, found.marks)


def _words(found: _Seen) -> _Seen:
    """Return a column with its values as words, also if they are numbers."""
    if found.texts is not None or found.numbers is None:
        return found
    texts = np.array([None if np.isnan(v) else f"{v:.10g}" for v in found.numbers().tolist()], dtype=object)
    return _Seen(found.kind, found.numbers, texts, found.remark, found.n_missing, found.marks)


def _there(found: _Seen) -> list[str]:
    texts = _words(found).texts
    return [] if texts is None else [text for text in texts.tolist() if text is not None]


def _ordered(found: _Seen, order: tuple[str, ...], name: str = "") -> _Seen:
    """Return a column of words as 0, 1, 2, ... in the order of its levels."""
    unknown = [level for level in _levels(found) if level not in order]
    if unknown:
        raise ParameterError(
            f"The order of {name!r} lacks its level {unknown[0]!r}; write all of {listed(sorted(_levels(found)), 40)}."
        )
    shown = " < ".join(level for level in order if level in _levels(found))
    return _coded(_Seen("ordinal", None, found.texts, shown, found.n_missing, found.marks), order)


def _coded(one: _Seen, order: Sequence[str]) -> _Seen:
    texts = one.texts if one.texts is not None else np.empty(0, dtype=object)
    place = {level: float(k) for k, level in enumerate(order)}

    def numbers() -> FloatArray:
        return np.array([np.nan if text is None else place[text] for text in texts.tolist()])

    return _Seen(one.kind, numbers, texts, one.remark, one.n_missing, one.marks, tuple(order))


# ------------------------------------------------------------------------------------------------------ duplicates


def _twins(seen: Mapping[str, _Seen]) -> dict[str, str]:
    """Return the columns that equal another one, with that one: of equal columns the first in the alphabet stays."""
    first_of: dict[bytes, list[tuple[str, FloatArray]]] = {}
    twins: dict[str, str] = {}
    for name in sorted(seen, key=lambda name: (name.casefold(), name)):
        numbers = seen[name].numbers
        if numbers is None:
            continue
        values = numbers()
        key = (values[:64] + 0.0).tobytes()
        same = next(
            (other for other, theirs in first_of.get(key, []) if np.array_equal(values, theirs, equal_nan=True)), None
        )
        if same is None:
            first_of.setdefault(key, []).append((name, values))
        else:
            twins[name] = same
    return twins
