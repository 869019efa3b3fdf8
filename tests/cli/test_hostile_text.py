"""Text from files and file names: shown by every command, but never to the terminal itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from phil import load
from phil.graphs import Graph, GridGraph
from phil.graphs.formats import write_graph
from phil.heuristics.file import write_heuristic
from phil.heuristics.mlp import MlpHeuristic

if TYPE_CHECKING:
    from tests.cli.conftest import Phil

# Colours, a bell, a title, C1, text from right to left, a new line, no width.
ATTACKS = "\x1b[31m|\x07|\x1b]0;owned\x07|\x9b31m|\x7f|\u202e|\u2066|\u2028|\u200b"
TAG = "<script>alert(1)</script>"
IN_NAMES = "\x1b[31m\u202e\x9b\n\udcff$x$<b>"  # of files: what a file system takes, but no slash
SPACES = set("\n")


def raw_characters(text: str) -> set[str]:
    return {each for each in text if not each.isprintable()} - SPACES


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph, a heuristic trained on such graphs, and a map, all made by an attacker."""
    folder: Path = tmp_path_factory.mktemp("hostile")
    count = 30
    graph = Graph.from_edges(
        count,
        [(node, node + 1) for node in range(count - 1)],
        np.arange(2.0 * count).reshape(count, 2),
        feature_names=[f"{ATTACKS}{TAG}{column}" for column in range(2)],
        labels=[f"{node}{ATTACKS}{TAG}" for node in range(count)],
    )
    write_graph(folder / f"{IN_NAMES}.npz", graph)
    write_graph(folder / "labels.npz", graph)
    [metadata, *_] = [each for each in MlpHeuristic.samples() if len(each.feature_names) == 2]
    hostile = metadata.model_copy(
        update={
            "feature_names": graph.feature_names,
            "training": {ATTACKS: ATTACKS, "settings": {ATTACKS: [ATTACKS]}, "set": ATTACKS},
            "validation": {"of": ATTACKS},
        }
    )
    tensors = {
        name: np.ones(shape, np.float32)
        for name, shape in MlpHeuristic.tensor_shapes(hostile).items()
    }
    heuristic = MlpHeuristic(hostile, tensors)
    for name in ("heuristic", IN_NAMES):
        write_heuristic(folder / f"{name}.safetensors", heuristic)
    write_graph(folder / f"{IN_NAMES}.png", GridGraph([[True, True], [True, True]]))
    voxels = GridGraph(np.ones((3, 3, 3), bool), connectivity=6)
    write_graph(folder / f"{IN_NAMES}{TAG.replace('/', '')}3d.npz", voxels)
    (folder / f"{IN_NAMES}.yaml").write_text(f"image: {ATTACKS}.png\nresolution: 1\n")
    (folder / "text.csv").write_text(f"source,target\n{ATTACKS[:5]},b\nc\n")
    (folder / "room.xml").write_text(f'<mujoco><body name="{TAG}"/></mujoco>')
    (folder / f"{IN_NAMES}.xml").write_text("<mujoco><")
    (folder / "data" / "roads" / IN_NAMES).mkdir(parents=True)
    (folder / "data" / "roads" / IN_NAMES / "graph.graphml").write_text("<")
    return folder


FILE = IN_NAMES
COMMANDS: list[Sequence[str]] = [
    ("info", "labels.npz"),
    ("info", f"{FILE}.npz"),
    ("info", "heuristic.safetensors"),
    ("info", f"{FILE}.safetensors"),
    ("info", f"{FILE}.yaml"),
    ("info", "text.csv"),
    ("info", f"no {FILE}"),
    ("solve", "labels.npz", "--start", "0", "--goal", "1", "-m", "bfs"),
    ("solve", "labels.npz", "--start", f"{FILE}", "--goal", "1", "-m", "bfs"),
    ("solve", f"{FILE}.png", "--start", "0,0", "--goal", "1,1", "-m", "heuristic.safetensors"),
    ("solve", f"{FILE}.png", "--start", "0,0", "--goal", "1,1", "-m", f"no {FILE}"),
    ("solve", f"{FILE}.png", "--start", "0,0", "--goal", "1,1", "-m", f"astar({FILE}, {FILE})"),
    ("solve", f"{FILE}.yaml", "--start", "0,0", "--goal", "1,1", "-m", "bfs"),
    ("evaluate", f"{FILE}.npz", "-m", "bfs", "-m", f"{FILE}.safetensors", "--count", "3"),
    ("evaluate", f"{FILE}.npz", "-m", "bfs", "--pairs", f"{FILE}.xml"),
    ("evaluate", f"no {FILE}", "-m", "bfs"),
    ("advise", f"{FILE}.npz", "-m", f"{FILE}.safetensors", "--problems", "3"),
    ("convert", f"{FILE}.npz", f"{FILE}.csv"),
    ("convert", f"{FILE}.npz", f"out.{FILE}"),
    ("convert", f"{FILE}.xml", "out.npz"),
    ("convert", FILE, FILE, FILE),
    (FILE,),
    (f"--{FILE}",),
    ("--plugin", f"{FILE}.py", "problems"),
    ("--plugin", FILE, "problems"),
    ("fly", f"{FILE}.xml", "-m", "bfs"),
    ("fly", "room.xml", "-m", "bfs"),
    ("fly", f"rooms/{FILE}", "-m", "bfs"),
    ("problems", "--data", "data"),
    ("problems", "--data", "data", FILE),
    ("train", f"{FILE}.npz", "-o", f"no {FILE}/out"),
    ("train", f"{FILE}.npz", "-o", f"{FILE}", "--method", FILE),
    ("train", f"{FILE}.npz", "-o", f"{FILE}", "--set", f"{FILE}={FILE}"),
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=repr)
def test_no_command_prints_what_a_terminal_would_obey(
    phil: Phil, folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: Sequence[str]
) -> None:
    monkeypatch.chdir(folder)
    done = phil(*arguments)
    assert not raw_characters(done.out + done.err), done
    assert done.out + done.err


@pytest.mark.parametrize("arguments", [COMMANDS[3], COMMANDS[8], COMMANDS[-4]], ids=repr)
def test_an_encoding_that_lacks_letters_is_no_error(folder: Path, arguments: Sequence[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "phil.cli.main", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "ascii:strict", "LANG": "C"},
        capture_output=True,
        timeout=300,
    )
    printed = (done.stdout + done.stderr).decode("ascii")
    assert printed
    assert not raw_characters(printed), printed
    assert "Traceback" not in printed


def test_training_shows_names_escaped(
    phil: Phil, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    tiny = (
        "iterations=1",
        "candidates=1",
        "hard_candidates=0",
        "tune=0",
        "width=4",
        "memory=4",
        "rollouts=1",
    )
    settings = [part for each in tiny for part in ("--set", each)]
    done = phil("train", f"{FILE}.npz", "-o", f"{FILE}.out", "--count", "12", *settings)
    assert done.code == 0, done.err
    assert r"\x1b[31m" in done.out
    assert not raw_characters(done.out + done.err), done


def test_a_heuristic_in_a_shell_shows_its_names_escaped(folder: Path) -> None:
    assert not raw_characters(repr(load(str(folder / "heuristic.safetensors"))))


def test_json_is_exact_and_ascii(phil: Phil, folder: Path) -> None:
    done = phil("info", folder / "heuristic.safetensors", "--json", "-")
    assert (done.code, done.out.isascii()) == (0, True)
    assert not raw_characters(done.out)
    assert json.loads(done.out)["training"]["set"] == ATTACKS


class Tags(HTMLParser):
    """The names of the elements of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.page = page
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: object) -> None:
        self.names.append(tag)


def test_a_page_has_no_elements_from_names(phil: Phil, folder: Path) -> None:
    [graph] = folder.glob("*3d.npz")
    plain = folder / "plain.npz"
    plain.write_bytes(graph.read_bytes())
    pages = []
    for number, file in enumerate((graph, plain)):
        page = folder / f"{number}.html"
        ends = "--start", "0,0,0", "--goal", "2,2,2"
        assert phil("solve", file, *ends, "-m", "bfs", "--picture", page).code == 0
        pages.append(Tags(page.read_text()))
    hostile, usual = pages
    assert hostile.names == usual.names
    assert not raw_characters(hostile.page)
