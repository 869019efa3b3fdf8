"""The log: one JSON object a line, cut where a resumed run goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from phil.errors import InputError
from phil.learning.progress import Log


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.log.jsonl"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_lines_are_added(path: Path) -> None:
    log = Log(path)
    log.begin({})
    given: list[dict[str, Any]] = [{"number": 1, "loss": 0.5}, {"number": 2, "validation": None}]
    for row in given:
        log.write(row)
    assert rows(path) == given


def test_a_new_run_begins_an_empty_log(path: Path) -> None:
    path.write_text('{"candidate": "a", "steps": 1}\n')
    Log(path).begin({})
    assert path.read_text() == ""


def test_a_resumed_run_keeps_the_lines_of_its_checkpoint(path: Path) -> None:
    """What was logged after it, a half-written line too, is written again."""
    log = Log(path)
    done = [("a", 2), ("b", 2), ("a", 4), ("b", 4), ("a", 6), ("c", 2)]
    for candidate, steps in done:
        log.write({"candidate": candidate, "steps": steps})
    with open(path, "a") as stream:
        stream.write('{"candidate": "b", "st')
    Log(path).begin({"a": 4, "b": 4})
    assert [(row["candidate"], row["steps"]) for row in rows(path)] == done[:4]
    assert [row["number"] for row in rows(path)] == [1, 2, 3, 4]


def test_lines_of_others_do_not_stay(path: Path) -> None:
    path.write_text('not JSON\n[]\n3\n{"other": 1}\n{"candidate": "a", "steps": 2}\n')
    Log(path).begin({"a": 2})
    assert rows(path) == [{"candidate": "a", "steps": 2, "number": 1}]


@pytest.mark.parametrize(
    "damage", [b"\xff\xfe\n", b"[" * 100_000 + b"\n", b'{"candidate": [], "steps": 2}\n', b"\0\0\n"]
)
def test_damaged_lines_do_not_stay(path: Path, damage: bytes) -> None:
    path.write_bytes(damage + b'{"candidate": "a", "steps": 2}\n')
    Log(path).begin({"a": 2})
    assert rows(path) == [{"candidate": "a", "steps": 2, "number": 1}]


def test_a_whole_line_without_its_end_is_written_again(path: Path) -> None:
    """Otherwise the next one would be appended to it."""
    path.write_bytes(b'{"candidate": "a", "steps": 2}')
    Log(path).begin({"a": 2})
    assert path.read_bytes() == b""


def test_a_log_that_cannot_be_read_is_said(path: Path) -> None:
    path.mkdir()
    with pytest.raises(InputError, match=r"run\.log\.jsonl: Is a directory"):
        Log(path).begin({"a": 2})


def test_a_log_that_was_removed_begins_anew(path: Path) -> None:
    Log(path).begin({"a": 2})
    assert path.read_text() == ""


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_lines_are_strict_json(path: Path, value: float) -> None:
    log = Log(path)
    log.begin({})
    log.write({"loss": value})
    assert path.read_text() == '{"loss": null}\n'


def test_a_folder_that_went_away_is_said(tmp_path: Path) -> None:
    log = Log(tmp_path / "none" / "run.log.jsonl")
    with pytest.raises(InputError, match="does not exist"):
        log.begin({})
    with pytest.raises(InputError, match="No such file or directory"):
        log.write({"number": 1})
