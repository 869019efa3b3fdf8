"""Workers by name."""

from __future__ import annotations

import pytest

from phil.errors import InputError
from phil.workers import open_workers
from phil.workers.choice import usable_cores


def test_names() -> None:
    with open_workers() as workers:
        assert workers.is_here
        assert workers.count == 1
        with open_workers(workers) as same:
            assert same is workers
    with open_workers("processes") as workers:
        assert workers.count == usable_cores()
        assert not workers.is_here
    with open_workers("processes:3") as workers:
        assert workers.count == 3


@pytest.mark.parametrize(
    "name", ["", "process", "processes:", "processes:x", "ray:", "ray://", "Ray"]
)
def test_unknown_names(name: str) -> None:
    wanted = "write local, processes, processes:N, ray or ray://"
    with pytest.raises(InputError, match=wanted), open_workers(name):
        pass


def test_no_process_is_too_few() -> None:
    with pytest.raises(InputError, match="at least one process"), open_workers("processes:0"):
        pass


def test_there_is_at_least_one_core() -> None:
    assert usable_cores() >= 1
