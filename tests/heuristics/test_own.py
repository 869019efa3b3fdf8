"""Files of networks of one's own: they hold no code, and say which class they need."""

from __future__ import annotations

import pickle
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phil
from phil.errors import InputError
from phil.heuristics.file import OWN, read_file, write_heuristic
from phil.heuristics.own import OwnHeuristic
from phil.heuristics.phil.specification import NetworkSettings
from tests.networks import random_heuristic
from tests.own_networks import Beeline, Perceptron, random_own

GRID = phil.GridGraph(np.random.default_rng(1).random((20, 20)) < 0.85)
START, GOAL = (GRID.cell(int(node)) for node in GRID.node_ids[[0, -1]])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.safetensors"
    write_heuristic(path, random_own())
    return path


def searched(heuristic: Any) -> list[Any]:
    trace = phil.search(GRID, START, GOAL, heuristic, trace=True).trace
    assert trace is not None
    return list(trace)


def test_what_is_written_is_read_again(file: Path) -> None:
    assert read_file(file).method == OWN
    loaded = phil.load(file, network=Perceptron)
    assert isinstance(loaded, OwnHeuristic)
    assert loaded.name == "mine"
    assert searched(loaded) == searched(random_own()) != searched(random_own(seed=1))
    sent = pickle.loads(pickle.dumps(loaded))
    assert searched(sent) == searched(loaded)
    assert "Perceptron" in repr(loaded)


@pytest.mark.parametrize(
    ("network", "said"),
    [
        (Beeline, "mine.safetensors: it is a network 'Perceptron', not 'Beeline'"),
        (partial(Perceptron, width=7), r"last.weight has shape \(1, 16\), expected \(1, 7\)"),
        (lambda features: 3, "must be a torch.nn.Module"),
        (lambda: 3, r"\(2\) failed: TypeError"),
    ],
)
def test_networks_that_do_not_fit_the_file(file: Path, network: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        phil.load(file, network=network)


def test_a_file_without_its_network_says_what_it_needs(file: Path) -> None:
    with pytest.raises(InputError, match=r"a network of your own: .*phil.load\(.*network=\.\.\.\)"):
        phil.load(file)
    with pytest.raises(InputError, match="nothing to precompute"):
        phil.load(file, network=Perceptron, precompute=True)


def test_other_files_need_no_network(tmp_path: Path) -> None:
    path = tmp_path / "other.safetensors"
    write_heuristic(path, random_heuristic(NetworkSettings(features=2, edge_features=2)))
    with pytest.raises(InputError, match="learned by phil, not with a network of your own"):
        phil.load(path, network=Perceptron)
    with pytest.raises(InputError, match=r"cannot read .*nowhere"):
        phil.load(tmp_path / "nowhere.safetensors", network=Perceptron)


def test_a_graph_that_does_not_fit_is_refused() -> None:
    graph = phil.Graph.from_edges(3, [(0, 1), (1, 2)], [[0.0], [1.0], [2.0]])
    with pytest.raises(InputError, match="learned on grid maps"):
        phil.search(graph, 0, 2, random_own())
    with pytest.raises(InputError, match="2D maps, this one is 3D"):
        phil.search(phil.GridGraph(np.ones((2, 2, 2), bool)), 0, 7, random_own())
