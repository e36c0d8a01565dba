"""Seeds to generators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lurking._errors import ParameterError
from lurking._random import children, generator


def test_a_number_gives_the_same_stream_every_time() -> None:
    three: Any = np.int64(3)
    assert generator(3).integers(10**9) == generator(three).integers(10**9)
    assert generator(3).integers(10**9) != generator(4).integers(10**9)


def test_a_generator_moves_on() -> None:
    mine = np.random.default_rng(3)
    assert generator(mine) is mine
    assert generator(mine).integers(10**9) != generator(mine).integers(10**9)


def test_a_seed_sequence_seeds() -> None:
    assert generator(np.random.SeedSequence(3)).integers(10**9) == np.random.default_rng(3).integers(10**9)


def test_none_is_fresh() -> None:
    assert generator(None).integers(2**62) != generator(None).integers(2**62)


@pytest.mark.parametrize("bad", [-1, 1.5, "0", True, np.random.RandomState(0)])
def test_anything_else_is_refused(bad: object) -> None:
    with pytest.raises(ParameterError, match="The random_state must be a whole number from 0 up"):
        generator(bad)  # type: ignore[arg-type]


def test_children_differ_and_do_not_depend_on_their_number() -> None:
    three = [child.integers(10**9) for child in children(5, 3)]
    five = [child.integers(10**9) for child in children(5, 5)]
    assert five[:3] == three
    assert len(set(five)) == 5
