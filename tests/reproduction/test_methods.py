"""Trainings of the tables: done once, taken up again, and their logs checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from phil.errors import InputError
from phil.problems.problem import ProblemSet
from reproduction.methods import LOGGED, MethodSpec, log_rows, train_once


@pytest.mark.parametrize("left", ["nothing", "a folder", "a run"])
def test_only_a_run_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: str) -> None:
    """A run that was killed before it had begun left a folder without a record."""
    asked: dict[str, Any] = {}
    monkeypatch.setattr("phil.learning.train", lambda *_, **given: asked.update(given))
    folder = tmp_path / "new" / "it.safetensors.checkpoint"
    if left != "nothing":
        folder.mkdir(parents=True)
    if left == "a run":
        (folder / "run.json").touch()
    output = tmp_path / "new" / "it.safetensors"
    train_once(output, ProblemSet("none", ()), MethodSpec("it", "It"), 0, quick=False)
    assert asked["resume"] == (left == "a run")


def test_what_a_finished_training_left_is_removed(tmp_path: Path) -> None:
    """It was killed after it had written its file, before it had removed its checkpoint."""
    output, folder = tmp_path / "it.safetensors", tmp_path / "it.safetensors.checkpoint"
    output.touch()
    folder.mkdir()
    (folder / "run.json").touch()
    train_once(output, ProblemSet("none", ()), MethodSpec("it", "It"), 0, quick=False)
    assert [*tmp_path.iterdir()] == [output]


ROW = dict.fromkeys(LOGGED, 1.0)


def test_the_rows_of_a_log(tmp_path: Path) -> None:
    (tmp_path / "it.log.jsonl").write_text(2 * (json.dumps(ROW) + "\n"))
    assert log_rows(tmp_path / "it") == [ROW, ROW]


@pytest.mark.parametrize(
    "content", [None, b"{", b"[]", b"3", b"\xff", b"[" * 100_000, b'{"number": 1}']
)
def test_a_damaged_log_is_said(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "it.log.jsonl").write_bytes(json.dumps(ROW).encode() + b"\n" + content)
    with pytest.raises(InputError, match=r"it\.log\.jsonl is missing or damaged; delete .*it to"):
        log_rows(tmp_path / "it")
