"""3D maps and their scenarios; what every format must do is checked in `tests/contracts`."""

from __future__ import annotations

import contextlib
import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.formats import voxels
from phil.graphs.formats.voxels import (
    VoxelScenario,
    read_3d_scenarios,
    read_3dmap,
    write_3dmap,
)
from tests.contracts.check_format import changed

SCENARIOS = b"version 1\nA 1.3dmap\n0 1 2 3 4 5 6.25 1.005\n\n7 0 0 7 0 0 0 1\n"


def write(folder: Path, content: bytes) -> Path:
    path = folder / "file"
    path.write_bytes(content)
    return path


def test_voxels_are_the_cells_that_the_file_names(tmp_path: Path) -> None:
    grid = read_3dmap(write(tmp_path, b"voxel 4 3 2\n3 0 1\n0 2 0\n3 0 1\n"))
    assert grid.shape == (4, 3, 2)
    assert np.argwhere(~grid.free).tolist() == [[0, 2, 0], [3, 0, 1]]
    assert grid.cell(grid.node(3, 2, 1)) == (3, 2, 1)
    assert grid.features[grid.node(3, 2, 1)].tolist() == [3, 2, 1]
    assert (grid.connectivity, grid.corners) == (26, "both_free")
    assert read_3dmap(write(tmp_path, b"voxel 1 1 1")).num_nodes == 1


def test_a_file_of_several_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voxels, "PIECE", 100)
    free = np.random.default_rng(0).random((9, 8, 7)) < 0.5
    path = tmp_path / "large.3dmap"
    write_3dmap(path, GridGraph(free))
    content = path.read_bytes()
    assert len(content) > 1000
    assert np.array_equal(read_3dmap(path).free, free)
    last = content.count(b"\n") + 1
    for line, words in ((b"1 1 7", r"voxel \(1, 1, 7\) is off the map"), (b"1 1", "not '1 1'")):
        with pytest.raises(InputError, match=f"line {last}: .*{words}"):
            read_3dmap(write(tmp_path, content + line))


def test_only_3d_maps_are_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds 3D maps only"):
        write_3dmap(tmp_path / "flat.3dmap", GridGraph([[True]]))


def test_scenarios(tmp_path: Path) -> None:
    expected = [
        VoxelScenario("A 1.3dmap", (0, 1, 2), (3, 4, 5), 6.25, 3),
        VoxelScenario("A 1.3dmap", (7, 0, 0), (7, 0, 0), 0.0, 5),
    ]
    assert read_3d_scenarios(write(tmp_path, SCENARIOS)) == expected
    assert read_3d_scenarios(write(tmp_path, gzip.compress(SCENARIOS))) == expected
    assert read_3d_scenarios(write(tmp_path, b"version 1\nempty.3dmap")) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is an empty file"),
        (b"version 2\na\n", "line 1: a scenario file must start with 'version 1'"),
        (b"version 1\n", "line 2: expected the name of the map"),
        (b"version 1\n\n0 0 0 1 1 1 2 1\n", "line 2: expected the name of the map"),
        (b"version 1\na\n0 0 0 1 1 1 2\n", "line 3: 7 fields; a 3D scenario has 8: start x"),
        (b"version 1\na\n\n0 0 -1 1 1 1 2 1\n", "line 4: start z must be an integer, not '-1'"),
        (b"version 1\na\n0 0 0 1 1e9 1 2 1\n", "line 3: goal y must be an integer"),
        (b"version 1\na\n0 0 0 1 9999999999 1 2 1\n", "line 3: goal y must be an integer"),
        (b"version 1\na\n0 0 0 1 1 1 nan 1\n", "line 3: optimal length must be .* not 'nan'"),
        (b"version 1\na\n0 0 0 1 1 1 -2 1\n", "line 3: optimal length must be"),
        (b"version 1\na\n0 0 0 1 1 1 1e999 1\n", "line 3: optimal length must be"),
    ],
)
def test_what_is_no_scenario_is_refused_with_its_line(
    tmp_path: Path, content: bytes, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        read_3d_scenarios(write(tmp_path, content))


@given(content=changed(SCENARIOS) | st.binary(max_size=200))
@settings(suppress_health_check=list(HealthCheck))
def test_any_change_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = write(tmp_path_factory.getbasetemp(), content)
    with contextlib.suppress(InputError):
        read_3d_scenarios(path)
