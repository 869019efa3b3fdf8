"""PHIL heuristics that have learned nothing: any shape of network with random weights."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from phil.graphs import AnyGraph, Graph, GridGraph
from phil.heuristics.file import Tensors
from phil.heuristics.phil import PhilHeuristic, PhilMetadata
from phil.heuristics.phil.specification import CONVOLUTIONS, NetworkSettings, tensor_shapes
from phil.heuristics.scaling import Scaling, measure
from phil.learning.settings import training_settings


def preset_network(preset: str) -> NetworkSettings:
    """The network of a preset on grids; where training chooses an input, with that input."""
    chosen = training_settings(preset).model_dump()
    shared = {name: chosen[name] for name in NetworkSettings.model_fields if name in chosen}
    inputs = {
        "walls": 8 if chosen["walls"] else 0,
        "trail": chosen["trail"] != "no",
        "frame": "map" if chosen["frame"] == "choose" else chosen["frame"],
        "axes": 2,
    }
    return NetworkSettings.model_validate(shared | inputs)


PRESETS = {preset: preset_network(preset) for preset in ("paper", "best")}
# A network that looks at the neighbours of every new node.
AHEAD = NetworkSettings(width=32, memory=16, remember=False, walls=8, trail=True, axes=2)
# One that fits graphs of any kind with 2 features per node and per edge.
ANYWHERE = NetworkSettings(width=32, memory=16, remember=False)


def random_tensors(settings: NetworkSettings, seed: int = 0) -> Tensors:
    """Weights as large as those of a network that is about to be trained."""
    random = np.random.default_rng(seed)
    tensors = {}
    for name, shape in tensor_shapes(settings).items():
        spread = 1.5 / np.sqrt(max(1, shape[-1])) if len(shape) > 1 else 0.2
        tensors[name] = random.normal(0, spread, shape).astype(np.float32)
    if "convolution.sharpness" in tensors:
        tensors["convolution.sharpness"] = random.uniform(0.5, 2.5, 1).astype(np.float32)
    return tensors


def random_heuristic(
    settings: NetworkSettings, scaling: Scaling | None = None, seed: int = 0
) -> PhilHeuristic:
    """A heuristic for grids, or for graphs that a scaling was measured on."""
    names = tuple(f"feature_{column}" for column in range(settings.features))
    metadata = PhilMetadata(network=settings, feature_names=names, scaling=scaling or Scaling())
    return PhilHeuristic(metadata, random_tensors(settings, seed))


def scaling_for(graph: AnyGraph) -> Scaling:
    """The scaling of a heuristic that fits a graph."""
    return measure([graph], 7.5) if isinstance(graph, Graph) else Scaling()


@st.composite
def networks(draw: st.DrawFn, graph: AnyGraph | None = None) -> NetworkSettings:
    """A network of any shape; one that fits a graph, if there is one, else a grid."""
    grid = graph is None or isinstance(graph, GridGraph)
    moves = graph.connectivity if isinstance(graph, GridGraph) else 8
    walls = [0, moves] if moves <= 8 else [0]
    features = 2 if graph is None else graph.features.shape[1]
    first = draw(st.integers(1, features))
    groups = tuple(size for size in (first, features - first) if size)
    axes = features if grid else 0
    remember = draw(st.booleans())
    known = draw(st.integers(0, 2)) if grid else 0
    neighbors = draw(st.sampled_from([0, 1, 2, 4, 8]))
    seen_walls = draw(st.sampled_from(walls)) if grid else 0
    may_be_lazy = known and not (remember or neighbors or seen_walls)
    frame = draw(st.sampled_from(["map", "goal"])) if grid else "map"
    memory = draw(st.sampled_from([1, 5, 16]))
    return NetworkSettings(
        features=features,
        edge_features=2 if graph is None else graph.arrays.edge_features.shape[1],
        width=draw(st.sampled_from([1, 3, 8, 17, 32])),
        layers=draw(st.integers(1, 4)),
        neighbors=neighbors,
        convolution=draw(st.sampled_from(CONVOLUTIONS)),
        memory=memory,
        remember=remember,
        carried=draw(st.integers(0, memory)),
        walls=seen_walls,
        trail=draw(st.booleans()),
        axes=axes,
        frame=frame,
        local=draw(st.booleans()) if frame == "goal" else False,
        known=known,
        lazy=draw(st.booleans()) if may_be_lazy else False,
        groups=draw(st.sampled_from([(), groups])),
        sample_seed=draw(st.integers(0, 2**32)),
    )
