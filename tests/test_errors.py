from __future__ import annotations

import copy
import pickle

import pytest

from lurking import _errors, errors
from lurking._errors import CycleError, GraphError, LurkingError, UnknownVertexError

CLASSES = [getattr(_errors, name) for name in _errors.__all__]
EXAMPLES: list[LurkingError] = [
    CycleError(("A", "B", "A")),
    UnknownVertexError("smokin", ["smoking", "age"]),
    UnknownVertexError(("not", "a name"), ["smoking", "age"]),
    *(cls("One sentence.") for cls in CLASSES if cls not in (CycleError, UnknownVertexError)),
]


def test_every_exception_defined_is_listed_in_order_and_drawn_in_the_tree() -> None:
    defined = {
        name for name, value in vars(_errors).items() if isinstance(value, type) and issubclass(value, Exception)
    }
    assert sorted(defined) == _errors.__all__ == errors.__all__
    drawn = errors.__doc__ or ""
    assert all(name in drawn for name in defined)


@pytest.mark.parametrize("cls", CLASSES)
def test_tracebacks_name_the_public_module(cls: type[Exception]) -> None:
    assert cls.__module__ == "lurking.errors"
    assert getattr(errors, cls.__name__) is cls


@pytest.mark.parametrize("cls", CLASSES)
def test_one_except_clause_catches_them_all(cls: type[Exception]) -> None:
    assert issubclass(cls, LurkingError)
    assert cls is LurkingError or issubclass(cls, ValueError)
    assert cls.__doc__


def test_the_tree_is_as_drawn() -> None:
    for cls in (CycleError, _errors.GraphClassError, UnknownVertexError):
        assert issubclass(cls, GraphError)
    assert issubclass(UnknownVertexError, KeyError)
    for base in (_errors.FormatError, _errors.DataError, _errors.ParameterError, _errors.KnowledgeError):
        assert base.__bases__ == (LurkingError, ValueError)


def test_there_is_an_example_of_each() -> None:
    assert {type(error) for error in EXAMPLES} == set(CLASSES)


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda e: type(e).__name__)
def test_errors_travel_between_processes(error: LurkingError) -> None:
    copies = [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for again in (*copies, copy.copy(error), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


def test_a_cycle_is_written_out() -> None:
    error = CycleError(("A", "B", "C", "A"))
    assert error.cycle == ("A", "B", "C", "A")
    assert str(error) == (
        "The directed edges form a cycle, A -> B -> C -> A; an ADMG has none: remove or reverse one of these edges."
    )


def test_near_names_are_suggested() -> None:
    assert str(UnknownVertexError("smokin", ["age", "smoking"])) == (
        "There is no variable named 'smokin'; did you mean 'smoking'?"
    )


def test_without_near_names_the_first_eight_are_listed() -> None:
    assert str(UnknownVertexError("zzz", ["age", "dose"])) == (
        "There is no variable named 'zzz'; the names are 'age', 'dose'."
    )
    many = [f"variable {i}" for i in range(9)]
    message = str(UnknownVertexError("zzz", many))
    assert message.endswith("'variable 7', ...")
    assert "variable 8" not in message
    assert "..." not in str(UnknownVertexError("zzz", many[:8]))


def test_a_graph_without_variables_says_so() -> None:
    assert str(UnknownVertexError("A", [])) == "There is no variable named 'A'; there are no variables at all."


def test_the_message_is_not_quoted_twice_as_a_key_error_would() -> None:
    with pytest.raises(KeyError) as caught:
        raise UnknownVertexError("A", ["B"])
    assert str(caught.value).startswith("There is no variable")
