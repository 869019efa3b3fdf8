"""Of several trainings the best on validation problems is shipped."""

from __future__ import annotations

from pathlib import Path

from reproduction.carry.trained import train_carried
from reproduction.experiment import Request
from reproduction.shipped import best_validation, ship, trainings
from reproduction.table3.methods import SHIPPED
from reproduction.table3.table import TABLE3
from tests.reproduction.conftest import Reproduce


def test_the_best_of_a_rooms_trainings_is_shipped(tmp_path: Path) -> None:
    request = Request(tmp_path, tmp_path, tmp_path, seeds=2, quick=True)
    files = trainings(TABLE3, request, "simple", SHIPPED)
    assert [file.stem for file in files] == [f"simple-{SHIPPED}-0", f"simple-{SHIPPED}-1"]
    means = [best_validation(file) for file in files]
    assert means[0] != means[1]
    target = ship(files, "room_simple", tmp_path)
    assert target.name == "room_simple.safetensors"
    assert target.read_bytes() == files[means.index(min(means))].read_bytes()


def test_a_heuristic_for_any_map_is_trained_once(tmp_path: Path) -> None:
    request = Request(tmp_path, tmp_path, tmp_path, quick=True)
    file = train_carried(request, "map", 1)
    assert file == tmp_path / "carry-quick" / "map-1.safetensors"
    changed = file.stat().st_mtime_ns
    assert train_carried(request, "map", 1).stat().st_mtime_ns == changed
    assert ship([file], "map", tmp_path).read_bytes() == file.read_bytes()


def test_unknown_heuristics_for_any_map_are_refused(reproduce: Reproduce, tmp_path: Path) -> None:
    here = str(tmp_path)
    folders = ("--heuristics", here, "--results", here, "--docs", here)
    assert reproduce("shipped", "--maps", "mapp", *folders).code == 2


def test_unknown_rooms_are_refused(reproduce: Reproduce, tmp_path: Path) -> None:
    here = str(tmp_path)
    folders = ("--heuristics", here, "--results", here, "--docs", here)
    assert reproduce("shipped", "--rooms", "simpel", *folders).code == 2
