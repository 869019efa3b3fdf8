"""The networks that are measured, each as something that `phil.load` takes."""

from __future__ import annotations

import phil
from benchmarks.speed.scale import Scale
from phil.heuristics.file import write_heuristic
from phil.heuristics.phil import PhilHeuristic, PhilMetadata
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.scaling import Scaling

SEED = 0
MODELS = ("paper", "best")


def name_of(model: str, family: str, scale: Scale) -> str:
    """The paper's network with random weights, which do not change its cost; or a shipped one."""
    if model == "best":
        return f"phil:{family}"
    path = scale.build / "paper.safetensors"
    if not path.exists():
        import torch

        from phil.heuristics.phil.network import PhilNetwork
        from phil.learning.learner import tensors_of

        torch.manual_seed(SEED)
        settings = NetworkSettings()
        metadata = PhilMetadata(network=settings, feature_names=("x", "y"), scaling=Scaling())
        path.parent.mkdir(parents=True, exist_ok=True)
        write_heuristic(path, PhilHeuristic(metadata, tensors_of(PhilNetwork(settings))))
    return str(path)


def learned(name: str) -> PhilHeuristic:
    """A learned heuristic by name."""
    heuristic = phil.load(name)
    if not isinstance(heuristic, PhilHeuristic):
        raise TypeError(f"{name} is no learned heuristic")
    return heuristic


def precomputed(heuristic: PhilHeuristic) -> PhilHeuristic:
    """The same heuristic, which fills its cache for all nodes of a graph at once."""
    return PhilHeuristic(heuristic.metadata, heuristic.tensors, precompute=True)
