"""Of several trainings the best on validation problems is shipped."""

from __future__ import annotations

from pathlib import Path

from phil.heuristics.phil import read_heuristic
from reproduction import table3
from reproduction.shipped import ship, trained_in_rooms
from reproduction.table3.study import Cell
from tests.reproduction.conftest import Reproduce


def test_the_best_of_a_rooms_trainings_is_shipped(tmp_path: Path) -> None:
    study = table3.Study(["simple"], ("phil",), 2, tmp_path, tmp_path, quick=True)
    [(name, files)] = trained_in_rooms(study)
    assert name == "room_simple"
    assert files == [study.heuristic(Cell("simple", "phil", seed)) for seed in (0, 1)]
    means = [read_heuristic(file).metadata.validation["expansions"]["mean"] for file in files]
    assert means[0] != means[1]
    target = ship(files, name, tmp_path)
    assert target.name == "room_simple.safetensors"
    assert target.read_bytes() == files[means.index(min(means))].read_bytes()


def test_unknown_rooms_are_refused(reproduce: Reproduce, tmp_path: Path) -> None:
    here = str(tmp_path)
    folders = ("--heuristics", here, "--results", here, "--docs", here)
    assert reproduce("shipped", "--rooms", "simpel", *folders).code == 2
