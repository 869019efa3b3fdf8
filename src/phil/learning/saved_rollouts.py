"""Roll-outs as arrays of a file, and back.

Compiled code indexes graphs by what is read here, so every number is checked. The distances are not
stored: the oracle labels the nodes again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.heuristics.phil.inputs import STATES
from phil.heuristics.phil.specification import NetworkSettings
from phil.learning.oracle import OracleProblems
from phil.learning.rollout import Rollout
from phil.learning.settings import TrainingSettings

FIELDS = {
    "nodes": np.int32,
    "first": np.int32,
    "memory": np.float32,
    "events": np.int32,
    "spent": np.float32,
    "trail": np.float32,
    "known": np.uint8,
}

Arrays = dict[str, NDArray[Any]]


def pack(rollouts: Sequence[Rollout]) -> Arrays:
    """The arrays of roll-outs by name."""
    arrays: Arrays = {}
    for k, rollout in enumerate(rollouts):
        arrays[f"{k}.about"] = np.array([rollout.problem, rollout.reached])
        arrays |= {f"{k}.{name}": getattr(rollout, name) for name in FIELDS}
    return arrays


def unpack(
    arrays: Mapping[str, NDArray[Any]],
    oracle: OracleProblems,
    network: NetworkSettings,
    settings: TrainingSettings,
) -> list[Rollout]:
    """The roll-outs of one iteration of such a network; raises `ValueError` if they are not."""
    numbers = range(settings.rollouts)
    if arrays.keys() != {f"{k}.{name}" for k in numbers for name in ("about", *FIELDS)}:
        raise ValueError(f"it does not hold {settings.rollouts} roll-outs")
    return [
        _unpack(
            {name: arrays[f"{k}.{name}"] for name in ("about", *FIELDS)}, oracle, network, settings
        )
        for k in numbers
    ]


def _unpack(
    arrays: Arrays, oracle: OracleProblems, network: NetworkSettings, settings: TrainingSettings
) -> Rollout:
    about = arrays.pop("about")
    if about.shape != (2,) or about.dtype != np.int64 or about[1] not in (0, 1):
        raise ValueError("it does not say which problem a roll-out is of")
    if not 0 <= about[0] < len(oracle.problems):
        raise ValueError(f"a roll-out is of problem {about[0]} of {len(oracle.problems)}")
    steps, nodes = arrays["first"].size - 1, arrays["nodes"].size
    shapes = {
        "nodes": (nodes,),
        "first": (steps + 1,),
        "memory": (steps if network.remember else 0, network.memory),
        "events": (len(arrays["events"]) if arrays["events"].ndim else 0, settings.ranking_size),
        "spent": arrays["events"].shape,
        "trail": (nodes, network.steps_size),
        "known": (nodes, len(network.window)),
    }
    for name, dtype in FIELDS.items():
        found = arrays[name]
        if found.dtype != dtype or found.shape != shapes[name]:
            raise ValueError(f"{name} of a roll-out has type {found.dtype}, shape {found.shape}")
        if dtype == np.float32 and not np.isfinite(found).all():
            raise ValueError(f"{name} of a roll-out holds NaN or infinite numbers")
    first, events = arrays["first"], arrays["events"]
    if steps < 1 or not nodes or first[0] != 0 or first[-1] != nodes or (np.diff(first) < 0).any():
        raise ValueError("the steps of a roll-out are not in order")
    if not _within(arrays["nodes"], 0, oracle.problems[about[0]].graph.size):
        raise ValueError("a roll-out has a node that its graph does not have")
    if not _within(arrays["known"], 0, STATES + 1):
        raise ValueError("a roll-out knows more of a cell than can be known")
    if not _within(events, -1, nodes) or (settings.ranking and not len(events)):
        raise ValueError("a roll-out ranks nodes that it does not have")
    rollout = oracle.label(Rollout(problem=int(about[0]), reached=bool(about[1]), **arrays))
    if not np.isfinite(rollout.distance).all():
        raise ValueError("a roll-out has a node from which its goal cannot be reached")
    return rollout


def _within(numbers: NDArray[Any], least: int, end: int) -> bool:
    return bool(((least <= numbers) & (numbers < end)).all())
