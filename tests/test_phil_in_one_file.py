"""The method in one file is the library's: its network gives the same values, and it learns."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch

from phil.graphs import GridGraph
from phil.heuristics.phil import PhilHeuristic, PhilMetadata
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.scaling import Scaling
from phil.problems.generated import generate_maps
from tests.engines import compiled_search
from tests.networks import random_tensors

FILE = Path(__file__).parents[1] / "examples" / "phil_in_one_file.py"


@pytest.fixture(scope="module")
def one_file() -> ModuleType:
    spec = importlib.util.spec_from_file_location("phil_in_one_file", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_it_fits_on_a_few_screens_and_imports_only_maps() -> None:
    text = FILE.read_text()
    assert len(text.splitlines()) <= 300
    ours = [line for line in text.splitlines() if line.startswith(("import phil", "from phil"))]
    assert ours == ["from phil.problems.generated import generate_maps"]


@pytest.mark.parametrize("shape", [(41, 41), (30, 47)])
def test_its_network_equals_the_compiled_one(one_file: ModuleType, shape: tuple[int, int]) -> None:
    settings = NetworkSettings(width=24, memory=12)
    tensors = random_tensors(settings, seed=3)
    metadata = PhilMetadata(network=settings, feature_names=("x", "y"), scaling=Scaling())
    free = generate_maps("forest", 2, 0, "test", shape)[1]
    grid = GridGraph(free)
    maps = one_file.Maps(free[None])
    start, goal = int(maps.start[0]), int(maps.goal[0])
    searched = compiled_search(PhilHeuristic(metadata, tensors), grid, start, goal, 300)

    network = one_file.Network(settings.width, settings.memory)
    network.load_state_dict({name: torch.from_numpy(each) for name, each in tensors.items()})
    heuristic = one_file.LearnedHeuristic(network, maps, 0)
    for expansion, values in zip(searched.asked, searched.answered, strict=True):
        if expansion.new.size:
            found = heuristic(expansion.new.astype(np.int64)) * maps.side
            np.testing.assert_allclose(found, values, rtol=1e-4, atol=1e-4)


def test_a_short_run_searches_unseen_maps(
    one_file: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    quick = replace(
        one_file.Settings(), side=25, maps=(8, 2, 3), iterations=3, rollouts=2, steps=2, width=8
    )
    threads = torch.get_num_threads()
    learned, classical = one_file.main(quick)
    torch.set_num_threads(threads)
    assert 25 <= learned <= 625
    assert 25 <= classical <= 625
    printed = capsys.readouterr().out
    assert "iteration 3: loss" in printed
    assert f"PHIL {learned:.0f} expansions, greedy Euclidean {classical:.0f}" in printed
