"""`--on`: where the work runs changes nothing but times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import MakeMap, Phil

ROWS = [".........", "..####...", ".....#...", ".###.#.#.", "...#...#."] * 2


def evaluated(phil: Phil, file: Path, level: Path, *options: str) -> dict[str, Any]:
    methods = ("-m", "astar", "-m", "euclidean")
    done = phil("evaluate", level, "--count", "20", *methods, "--json", file, *options)
    assert done.code == 0, done.err
    document: dict[str, Any] = json.loads(file.read_text())
    for method in document["methods"]:
        del method["milliseconds"]
    return document


def test_an_evaluation(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    level, file = make_map(*ROWS), tmp_path / "evaluation.json"
    here = evaluated(phil, file, level)
    assert here["methods"][0]["solved"] > 1
    assert evaluated(phil, file, level, "--on", "processes:2") == here


def test_a_training(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    level = make_map(*ROWS)
    files = [tmp_path / f"{name}.safetensors" for name in ("here", "there")]
    quick = ["iterations=2", "steps=2", "rollouts=2", "candidates=2", "hard_candidates=0", "tune=2"]
    settings = [word for each in quick for word in ("--set", each)]
    for file, on in zip(files, ("local", "processes:2"), strict=True):
        done = phil("train", level, "--count", "30", "-o", file, *settings, "--on", on)
        assert done.code == 0, done.err
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize("command", ["evaluate", "advise", "train"])
def test_unknown_workers_are_said(
    phil: Phil, make_map: MakeMap, command: str, tmp_path: Path
) -> None:
    output = ["-o", tmp_path / "h.safetensors"] if command == "train" else []
    method = [] if command == "train" else ["-m", "astar"]
    level = make_map(*ROWS)
    done = phil(command, level, "--count", "20", *output, *method, "--on", "cloud")
    assert done.code == 2
    assert "work cannot run on 'cloud'; write local, processes" in done.err
