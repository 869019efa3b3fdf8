"""The log: one JSON object a line, cut where a resumed run goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from phil.errors import InputError
from phil.learning.log import Log


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.log.jsonl"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_lines_are_added(path: Path) -> None:
    log = Log(path)
    log.begin(0)
    log.write([{"number": 1, "loss": 0.5}, {"number": 2, "loss": 0.25}])
    log.write([{"number": 3, "validation": None}])
    assert rows(path) == [
        {"number": 1, "loss": 0.5},
        {"number": 2, "loss": 0.25},
        {"number": 3, "validation": None},
    ]


def test_a_new_run_begins_an_empty_log(path: Path) -> None:
    path.write_text('{"number": 1}\n')
    Log(path).begin(0)
    assert path.read_text() == ""


@pytest.mark.parametrize("lines", [1, 2, 5])
def test_a_resumed_run_keeps_the_lines_of_its_checkpoint(path: Path, lines: int) -> None:
    """What was logged after it, a half-written line too, is written again."""
    whole = [f'{{"number": {number}}}\n' for number in (1, 2, 3)]
    path.write_text("".join(whole[:2]) + whole[2][:5])
    Log(path).begin(lines)
    assert path.read_text().startswith("".join(whole[: min(lines, 2)]))
    if lines < 3:
        assert len(rows(path)) == lines


def test_a_log_that_was_removed_begins_anew(path: Path) -> None:
    Log(path).begin(7)
    assert path.read_text() == ""


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_lines_are_strict_json(path: Path, value: float) -> None:
    log = Log(path)
    log.begin(0)
    log.write([{"loss": value}])
    assert path.read_text() == '{"loss": null}\n'


def test_a_folder_that_went_away_is_said(tmp_path: Path) -> None:
    log = Log(tmp_path / "none" / "run.log.jsonl")
    with pytest.raises(InputError, match="does not exist"):
        log.begin(0)
    with pytest.raises(InputError, match="No such file or directory"):
        log.write([{"number": 1}])
