"""Parts are made once, side by side, and a failure costs only its own part."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from phil.errors import InputError
from reproduction.parts import Part, make_parts


def count_calls(log: Path, name: str) -> dict[str, Any]:
    with open(log, "a") as stream:
        stream.write(name + "\n")
    return {"name": name}


def refuse(log: Path, name: str) -> dict[str, Any]:
    raise InputError(f"{name} has no maps")


def parts(folder: Path, *names: str) -> list[Part]:
    log = folder / "log"
    return [
        Part(folder / f"{name}.json", partial(refuse if "bad" in name else count_calls, log, name))
        for name in names
    ]


@pytest.mark.parametrize("workers", [1, 2])
def test_only_missing_parts_are_made(tmp_path: Path, workers: int) -> None:
    told: list[str] = []
    make_parts(parts(tmp_path, "a", "b"), workers, told.append)
    make_parts(parts(tmp_path, "a", "b", "c"), workers, told.append)
    assert sorted((tmp_path / "log").read_text().split()) == ["a", "b", "c"]
    made = parts(tmp_path, "c")[0].read()
    assert made.pop("made").keys() >= {"seconds", "cpu", "cores", "commit", "versions"}
    assert made == {"name": "c"}
    assert told[-1] == "c (1 of 1)"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_failure_costs_only_its_own_part(tmp_path: Path, workers: int) -> None:
    with pytest.raises(InputError, match="bad: bad has no maps"):
        make_parts(parts(tmp_path, "bad", "a", "b"), workers, lambda _: None)
    assert [part.done for part in parts(tmp_path, "bad", "a", "b")] == [False, True, True]
