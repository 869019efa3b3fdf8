"""The files of a checkpoint, as they are read when training is resumed."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from phil.learning.algorithm import imitate
from phil.learning.checkpoint import RUN, Checkpoint
from phil.learning.learner import Learner
from phil.learning.run_record import digest_of
from phil.learning.validation import Validation
from tests.learning.small import QUICK, Setup, grid_problems

ROLLOUTS, TENSORS = "rollouts-0-0001.safetensors", "candidate-0-0001.safetensors"
FILES = {RUN: "record", ROLLOUTS: "roll-outs", TENSORS: "tensors"}
PRESETS = ("best", "paper")


@dataclass(frozen=True)
class Saved:
    """A run of one iteration, and its checkpoint."""

    setup: Setup
    files: dict[str, bytes]


@cache
def saved_run(preset: str) -> Saved:
    """A run with one of the presets."""
    setup = Setup(grid_problems(2, side=9), preset, QUICK)
    learner = setup.learner()
    next(imitate(learner, setup.oracle, Validation(setup.oracle)))
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = Checkpoint(Path(folder) / "run", {})
        checkpoint.create()
        checkpoint.save(0, learner.state)
        names = (RUN, ROLLOUTS, TENSORS)
        return Saved(setup, {name: (checkpoint.folder / name).read_bytes() for name in names})


def resumed(preset: str, name: str, path: Path) -> Learner:
    """What is restored with one file in place of that of the run; its digests are made right."""
    saved, content = saved_run(preset), path.read_bytes()
    folder = path.with_name("run")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for each, data in (saved.files | {name: content}).items():
        (folder / each).write_bytes(data)
    (folder / RUN).write_bytes(_with_digests((folder / RUN).read_bytes(), name, content))
    checkpoint = Checkpoint(folder, {})
    checkpoint.load()
    learner = saved.setup.learner()
    checkpoint.restore(learner.candidate, learner.state, saved.setup.oracle, saved.setup.settings)
    return learner


def check_learner(learner: Learner) -> None:
    """What was restored can be learned from."""
    if learner.state.rollouts:
        learner.step(learner.random(2))


def _with_digests(record: bytes, name: str, content: bytes) -> bytes:
    try:
        run: Any = json.loads(record)["run"]
        if name == ROLLOUTS:
            run["candidates"]["0"]["rollouts"] = [digest_of(content)]
        elif name == TENSORS:
            run["candidates"]["0"]["saved"][0]["tensors"] = digest_of(content)
        digest = digest_of(json.dumps(run, sort_keys=True).encode())
    except (ValueError, KeyError, TypeError, RecursionError):
        return record
    return json.dumps({"digest": digest, "run": run}).encode()
