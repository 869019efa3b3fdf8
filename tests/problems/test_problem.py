"""Problems and their splits."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.problems.problem import shuffled_split, split_counts


@given(st.sets(st.text("abc", min_size=1), min_size=1, max_size=40))
def test_every_name_is_in_one_split(names: set[str]) -> None:
    splits = shuffled_split(names)
    assert sorted(chain(*splits.values())) == sorted(names)
    assert splits == shuffled_split([*sorted(names), *names])
    assert splits["train"]
    assert bool(splits["validation"]) == (len(names) > 1)
    assert bool(splits["test"]) == (len(names) > 2)


def test_counts() -> None:
    usual = {"train": 9, "validation": 8, "test": 7}
    assert split_counts(usual, None) == usual
    assert split_counts(usual, 1) == {"train": 1, "validation": 1, "test": 1}
    for count in (0, -5):
        with pytest.raises(InputError, match=f"--count must be at least 1, not {count}"):
            split_counts(usual, count)
