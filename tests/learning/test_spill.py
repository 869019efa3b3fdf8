"""Arrays that are kept in a file: the same numbers, wherever they lie."""

from __future__ import annotations

import os
from mmap import mmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.learning import spill, train
from phil.learning.oracle import with_oracle
from phil.learning.spill import Spill
from tests.learning.small import QUICK, grid_problems, small_set


def in_file(array: Any) -> bool:
    """Whether an array lies in a file."""
    while isinstance(array, np.ndarray | memoryview):
        array = array.obj if isinstance(array, memoryview) else array.base
    return isinstance(array, mmap)


def test_arrays_beyond_the_bytes_go_to_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spill, "BLOCK", 1000)  # smaller than some of the arrays
    kept = Spill(most=1000)
    random = np.random.default_rng(0)
    arrays = [random.random(int(size)) for size in random.integers(1, 3000, 30)]
    found = [kept.keep(array) for array in arrays]
    for one, other in zip(arrays, found, strict=True):
        np.testing.assert_array_equal(one, other)
        assert other.flags.aligned
    assert all(map(in_file, found[1:]))
    first = np.ones(10)
    assert Spill(most=80).keep(first) is first


def test_a_full_disk_leaves_arrays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", fail)
    array = np.ones(10)
    assert Spill(most=0).keep(array) is array


def test_the_oracle_says_the_same_from_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = grid_problems(4)
    memory = with_oracle(problems, "train")
    monkeypatch.setattr(spill, "available_bytes", lambda: 0)
    file = with_oracle(problems, "train")
    assert not any(map(in_file, memory.distances))
    assert all(map(in_file, file.distances))
    for one, other in zip(memory.distances, file.distances, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_heuristic_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / name for name in ("memory.safetensors", "file.safetensors")]
    train(small_set(), settings=QUICK, output=files[0])
    monkeypatch.setattr(spill, "available_bytes", lambda: 0)
    train(small_set(), settings=QUICK, output=files[1])
    assert files[0].read_bytes() == files[1].read_bytes()
