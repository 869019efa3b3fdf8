"""Of several trainings the best on validation problems is shipped."""

from __future__ import annotations

from pathlib import Path

from phil.heuristics.phil import read_heuristic
from reproduction.experiment import Request
from reproduction.shipped import ship, trainings
from reproduction.table3.table import TABLE3
from tests.reproduction.conftest import Reproduce


def test_the_best_of_a_rooms_trainings_is_shipped(tmp_path: Path) -> None:
    request = Request(tmp_path, tmp_path, tmp_path, seeds=2, quick=True)
    files = trainings(TABLE3, request, "simple")
    assert [file.stem for file in files] == ["simple-phil-0", "simple-phil-1"]
    means = [read_heuristic(file).metadata.validation["expansions"]["mean"] for file in files]
    assert means[0] != means[1]
    target = ship(files, "room_simple", tmp_path)
    assert target.name == "room_simple.safetensors"
    assert target.read_bytes() == files[means.index(min(means))].read_bytes()


def test_unknown_rooms_are_refused(reproduce: Reproduce, tmp_path: Path) -> None:
    here = str(tmp_path)
    folders = ("--heuristics", here, "--results", here, "--docs", here)
    assert reproduce("shipped", "--rooms", "simpel", *folders).code == 2
