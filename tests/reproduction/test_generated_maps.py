"""The comparison of generated with public maps: what is measured, and when it is passed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from phil.problems.generated import FAMILIES, generate_maps
from reproduction.generated_maps import Comparison, Maps, Mean, compare, main, measure

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
    for quantity, expected in {"path": 4, "astar": 5, "greedy": 5}.items():
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


def test_the_command_writes_and_prints_every_family(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "results.json"
    code = main(["--count", "2", "--data", str(data), "--json", str(target)])
    document = json.loads(target.read_text())
    # Both sides are the same maps.
    assert (code, document["passed"]) == (0, True)
    assert list(document["families"]) == list(FAMILIES)
    for family in document["families"].values():
        assert family["public"] == family["generated"]
        assert set(family["ratio"].values()) == {1.0}
    table = capsys.readouterr().out
    assert all(f"| {family} | 2 / 2 |" in table for family in FAMILIES)


def test_a_family_that_misses_gives_exit_code_1(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.savez(data / "forest.npz", train=np.ones((2, 201, 201), bool))
    target = tmp_path / "results.json"
    assert main(["--count", "2", "--data", str(data), "--json", str(target)]) == 1
    document = json.loads(target.read_text())
    missed = [name for name, family in document["families"].items() if not family["passed"]]
    assert (document["passed"], missed) == (False, ["forest"])
    assert "no: free" in capsys.readouterr().out


def test_missing_maps_are_said_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "results.json"
    assert main(["--data", str(tmp_path), "--json", str(target)]) == 2
    assert "error: the public maps of alternating_gaps are not in" in capsys.readouterr().err
    assert not target.exists()


def test_a_folder_that_does_not_exist_is_said_first(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "none" / "results.json"
    assert main(["--count", "2", "--data", str(data), "--json", str(target)]) == 2
    assert capsys.readouterr().err.startswith("error: cannot write")


def test_no_maps_are_a_usage_error() -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--count", "0"])
    assert stopped.value.code == 2


@pytest.mark.parametrize("family", ["forest", "gaps_and_forest"])
def test_a_hundred_maps_are_already_alike(family: str, public_grids: Path) -> None:
    comparison = compare(family, 100, public_grids)
    assert comparison.public.maps == comparison.generated.maps == 100
    assert comparison.passed
