"""The comparison of generated with public maps: what is measured, and when it is passed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.problems.generated import FAMILIES, generate_maps
from reproduction import generated_maps
from reproduction.generated_maps import Comparison, Maps, Mean, compare, measure
from tests.cli.conftest import Done
from tests.reproduction.conftest import Reproduce

Run = Callable[[Path], tuple[Done, dict[str, Any]]]
ALIKE = {"free": 0.8, "path": 250.0, "astar": 10_000.0, "greedy": 1_000.0}


def maps_of(spread: float = 0.0, **changes: float) -> Maps:
    means = {
        name: Mean(value, value * (1 - spread), value * (1 + spread))
        for name, value in (ALIKE | changes).items()
    }
    return Maps(maps=600, unsolvable=0, means=means)


@pytest.mark.parametrize(
    ("quantity", "factor", "spread", "holds"),
    [
        ("free", 1.04, 0.0, True),
        ("free", 0.94, 0.0, False),
        ("path", 0.96, 0.0, True),
        ("path", 1.06, 0.0, False),
        ("path", 1.06, 0.5, False),  # no interval helps here
        ("astar", 0.86, 0.0, True),
        ("astar", 1.16, 0.0, False),
        ("astar", 1.16, 0.1, True),
        ("greedy", 1.14, 0.0, True),
        ("greedy", 0.84, 0.0, False),
        ("greedy", 0.84, 0.1, True),
        ("greedy", 1.5, 0.1, False),
    ],
)
def test_when_generated_maps_are_alike(
    quantity: str, factor: float, spread: float, holds: bool
) -> None:
    changed = maps_of(spread, **{quantity: ALIKE[quantity] * factor})
    comparison = Comparison(public=maps_of(spread), generated=changed)
    assert comparison.ratio(quantity) == pytest.approx(factor)
    assert comparison.holds(quantity) == comparison.passed == holds
    assert all(comparison.holds(other) for other in ALIKE if other != quantity)


def test_maps_without_a_path_are_in_no_mean_but_that_of_free_cells() -> None:
    way, wall = np.ones((5, 5), bool), np.ones((5, 5), bool)
    wall[2] = False
    measured = measure([way, wall, way], "mine")
    assert (measured.maps, measured.unsolvable) == (3, 1)
    assert measured.means["free"].mean == pytest.approx((1 + 0.8 + 1) / 3)
    for quantity, expected in {"path": 4, "astar": 5, "greedy_calls": 4}.items():
        assert measured.means[quantity] == Mean(expected, expected, expected)
    with pytest.raises(InputError, match="mine: no map has a path"):
        measure([wall], "mine")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with few "public" maps, which are generated ones."""
    folder = tmp_path / "data"
    folder.mkdir()
    for family in FAMILIES:
        np.savez(folder / f"{family}.npz", train=generate_maps(family, 2, seed=0, split="train"))
    return folder


@pytest.fixture
def run(reproduce: Reproduce, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command on two maps of each family; what was printed and written."""
    monkeypatch.setattr(generated_maps, "COUNT", 2)

    def run(data: Path) -> tuple[Done, dict[str, Any]]:
        out = tmp_path / "out"
        folders = ("--results", str(out), "--docs", str(out))
        done = reproduce("generated-maps", "--data", str(data), *folders)
        file = out / "generated_maps.json"
        return done, json.loads(file.read_text()) if file.exists() else {}

    return run


def test_the_command_writes_and_prints_every_family(run: Run, data: Path) -> None:
    done, document = run(data)
    # Both sides are the same maps.
    assert (done.code, document["passed"]) == (0, True)
    assert list(document["families"]) == list(FAMILIES)
    for family in document["families"].values():
        assert family["public"] == family["generated"]
        assert set(family["ratio"].values()) == {1.0}
    assert all(f"| {family} | 2 / 2 |" in done.out for family in FAMILIES)


def test_a_family_that_differs_gives_exit_code_1(run: Run, data: Path) -> None:
    np.savez(data / "forest.npz", train=np.ones((2, 201, 201), bool))
    done, document = run(data)
    missed = [name for name, family in document["families"].items() if not family["passed"]]
    assert (done.code, document["passed"], missed) == (1, False, ["forest"])
    assert "no: free" in done.out


def test_missing_maps_are_said_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    done, document = run(tmp_path)
    assert (done.code, document) == (2, {})
    assert "error: the public maps of alternating_gaps are not in" in done.err


@pytest.mark.parametrize("family", ["forest", "gaps_and_forest"])
def test_a_hundred_maps_are_already_alike(family: str, public_grids: Path) -> None:
    comparison = compare(family, 100, public_grids)
    assert comparison.public.maps == comparison.generated.maps == 100
    assert comparison.passed
