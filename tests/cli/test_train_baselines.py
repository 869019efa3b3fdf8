"""`phil train --method`, and what the other commands make of its file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from phil.graphs import GridGraph
from tests.learning.baselines.maps import QUICK, generated_set

if TYPE_CHECKING:
    from tests.cli.conftest import Phil


@pytest.mark.parametrize("method", QUICK)
def test_a_baseline_by_its_commands(method: str, phil: Phil, tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    folder.mkdir()
    for number, problem in enumerate(generated_set().train[:10]):
        assert isinstance(problem.graph, GridGraph)
        np.save(folder / f"{number}.npy", problem.graph.free)
    output = tmp_path / "mine.safetensors"
    changes = [f"{key}={value}" for key, value in (QUICK[method] | {"iterations": 2}).items()]
    options = [part for change in changes for part in ("--set", change)]
    done = phil("train", folder, "--method", method, "-o", output, *options)
    assert done.code == 0, done.err
    shown = phil("info", output, "--json", "-")
    assert json.loads(shown.out)["method"] == method
    compared = phil("evaluate", folder, "-m", output, "-m", "bfs", "--json", "-")
    assert compared.code == 0, compared.err
    refused = phil("train", folder, "--method", method, "-o", output, "--set", "iterations=0")
    assert refused.code != 0
    assert "iterations" in refused.err
