"""The learned heuristics: the shipped ones, and others that look at no neighbours."""

from __future__ import annotations

from pathlib import Path

import phil
from benchmarks.speed.network.models import learned
from benchmarks.speed.scale import Scale
from phil.heuristics.phil import PhilHeuristic

ALONE = {"neighbors": 0, "walls": False}  # such a network reads nothing but the node itself


def heuristics(scale: Scale, family: str) -> dict[str, PhilHeuristic]:
    """A family's heuristics by the number of neighbours that they see."""
    return {"n = 8": learned(f"phil:{family}"), "n = 0": learned(str(_alone(scale, family)))}


def _alone(scale: Scale, family: str) -> Path:
    """The file of a heuristic that sees no neighbours, trained unless it is there."""
    path = scale.build / f"alone-{family}.safetensors"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        phil.train(
            scale.problems(family),
            settings=ALONE | scale.training,
            output=path,
            resume=Path(f"{path}.checkpoint").exists(),
        )
    return path
