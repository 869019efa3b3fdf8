"""Maps of ROS: which grey levels are free, and where the map lies."""

from __future__ import annotations

import io
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from phil.errors import InputError
from phil.graphs.formats import read_graph
from phil.graphs.formats.ros import pgm_levels, read_ros_description, read_ros_map
from tests.contracts.format_files import ros


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder / next(iter(files))


def pgm(levels: NDArray[np.int64], white: int, *, text: bool) -> bytes:
    header = (
        f"{'P2' if text else 'P5'}\n# a comment\n{levels.shape[1]} {levels.shape[0]}\n{white}\n"
    )
    if text:
        return header.encode() + " ".join(map(str, levels.ravel())).encode()
    return header.encode() + levels.astype(np.uint8 if white < 256 else ">u2").tobytes()


def is_free(level: int, white: int, negate: bool, free: float, mode: str) -> bool:
    """The rule of map_server, word by word, for a cell that is not unknown."""
    colour = white - level if negate else level
    if mode == "raw":
        return colour <= 100 and colour / 100 < free
    return (white - colour) / white < free


@given(
    white=st.sampled_from([1, 15, 255, 256, 1000, 65535]),
    seed=st.integers(0, 2**32),
    shape=st.tuples(st.integers(1, 5), st.integers(1, 5)),
    text=st.booleans(),
    negate=st.booleans(),
    free=st.sampled_from([0.05, 0.196, 0.25, 0.5]),
    mode=st.sampled_from(["trinary", "scale", "raw"]),
)
def test_free_levels_are_those_of_ros(
    tmp_path_factory: pytest.TempPathFactory,
    white: int,
    seed: int,
    shape: tuple[int, int],
    text: bool,
    negate: bool,
    free: float,
    mode: str,
) -> None:
    levels = np.random.default_rng(seed).integers(0, white + 1, shape)
    levels[0, 0] = 0 if negate != (mode == "raw") else white  # one cell is free for certain
    picture = pgm(levels, white, text=text)
    files = ros(picture, negate=str(int(negate)), free_thresh=str(free), mode=mode)
    grid = read_ros_map(write(tmp_path_factory.mktemp("ros"), files))
    expected = [[is_free(v, white, negate, free, mode) for v in row] for row in levels.tolist()]
    assert grid.free.tolist() == expected
    assert (grid.connectivity, grid.corners) == (8, "both_free")


def test_a_png_and_a_pgm_of_pillow_give_the_same_map(tmp_path: Path) -> None:
    picture = Image.fromarray(np.random.default_rng(0).integers(0, 256, (9, 7)).astype(np.uint8))
    read = []
    for kind in ("ppm", "png"):  # Pillow calls PGM so
        stream = io.BytesIO()
        picture.save(stream, kind)
        files = ros(stream.getvalue())
        read.append(read_ros_map(write(tmp_path, files)).free.tolist())
    assert read[0] == read[1]


def test_unknown_is_blocked(tmp_path: Path) -> None:
    grid = read_ros_map(write(tmp_path, ros(b"P5 3 1 255\n" + bytes([254, 205, 0]))))
    assert grid.free.tolist() == [[True, False, False]]


def test_what_the_description_says(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    path = tmp_path / "maps" / "map.yaml"
    path.write_text(
        '---\n# a floor\nimage: "../my map#1.pgm"  # quoted\nresolution:  5e-2\nmode: raw\n'
        "origin: [ -10.0, 2, 1.5707963 ]\nnegate: False\noccupied_thresh: 0.65\n"
        "free_thresh: 0.25\nother: ignored\n\n"
    )
    said = read_ros_description(path)
    assert said.image == tmp_path / "maps" / ".." / "my map#1.pgm"
    assert (said.resolution, said.origin) == (0.05, (-10.0, 2.0, 1.5707963))
    assert (said.negate, said.mode) == (False, "raw")
    assert (said.occupied_thresh, said.free_thresh) == (0.65, 0.25)
    # A quarter turn to the left: x of the map goes north.
    assert said.place(19.5, -0.5) == pytest.approx((-10, 3))


def test_places_without_a_turn(tmp_path: Path) -> None:
    said = read_ros_description(write(tmp_path, ros(origin="[1, 2, 0]", resolution="0.5")))
    assert said.place(0, 0) == (1.25, 2.25)
    assert math.dist(said.place(0, 0), said.place(3, 4)) == pytest.approx(2.5)


def test_blanks_in_binary_levels_are_levels() -> None:
    levels, white = pgm_levels(b"P5 2 2 255\n\t\n\r#", "a")
    assert levels.tolist() == [[9, 10], [13, 35]]
    assert white == 255


def outside(folder: Path) -> Path:
    """A map in a folder of its own, whose image is beside that folder."""
    files = ros()
    (folder / "maps").mkdir()
    (folder / "map.pgm").write_bytes(files["map.pgm"])
    path = folder / "maps" / "map.yaml"
    path.write_bytes(files["map.yaml"].replace(b"map.pgm", b"../map.pgm"))
    return path


def test_an_image_outside_the_folder_of_the_map_is_refused(tmp_path: Path) -> None:
    path = outside(tmp_path)
    with pytest.raises(InputError, match=r"outside its own folder.*--allow-outside"):
        read_graph(path)
    assert read_graph(path, allow_outside=True).is_grid
    with pytest.raises(InputError, match="outside"):  # allowed for that file only
        read_graph(path)


def test_an_absolute_image_and_a_link_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    path = outside(tmp_path)
    text = path.read_text()
    path.write_text(text.replace("../map.pgm", str(tmp_path / "map.pgm")))
    with pytest.raises(InputError, match="outside its own folder"):
        read_graph(path)
    path.write_text(text.replace("../map.pgm", "map.pgm"))
    path.with_name("map.pgm").symlink_to(tmp_path / "map.pgm")
    with pytest.raises(InputError, match="outside its own folder"):
        read_graph(path)


def test_the_command_line_allows_files_outside(tmp_path: Path) -> None:
    path = str(outside(tmp_path))
    command = [sys.executable, "-m", "phil.cli.main", "info", path]
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 2
    assert "outside its own folder" in refused.stderr
    assert subprocess.run([*command, "--allow-outside"], capture_output=True).returncode == 0
