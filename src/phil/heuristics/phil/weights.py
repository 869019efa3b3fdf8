"""A network's tensors in the layout that the compiled kernel reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.heuristics.phil.settings import CONVOLUTIONS, NetworkSettings

Floats = NDArray[np.float32]

SOFTMAX, POWER, GAT, MAX, SUM = range(len(CONVOLUTIONS))


class Weights(NamedTuple):
    """Matrices stand as (inputs, outputs), so that a kernel runs along the outputs."""

    # f
    first: Floats
    hidden: Floats  # (layers - 1, width, width)
    f_bias: Floats  # (layers, width)
    # The convolution: messages, then root @ x_i + mix @ aggregate + mix_bias.
    convolution: int
    edge: Floats  # (De, width)
    sharpness: float
    attention: Floats  # GAT: (2, width) on x_i and x_j
    edge_attention: Floats  # GAT: (De,)
    message_node: Floats  # MPNN: (width, width) on x_i, x_j
    message_bias: Floats
    message_neighbor: Floats
    root: Floats
    mix: Floats
    mix_bias: Floats
    walls: Floats  # (2 ** moves, width), by the bits of the moves that are blocked
    trail: Floats  # (1 + 2 D, width), or empty
    # The GRU: gates reset, update, new.
    gru_input: Floats
    gru_input_bias: Floats
    gru_memory: Floats
    gru_memory_bias: Floats
    # The read-out.
    out_first: Floats  # (memory + D, width)
    out_first_bias: Floats
    out_second: Floats
    out_second_bias: Floats
    out_last: Floats
    out_last_bias: float
    # Sizes that no array shows.
    neighbors: int
    remember: bool
    sample_seed: int


def tensor_shapes(settings: NetworkSettings) -> dict[str, tuple[int, ...]]:
    """Name and shape of every tensor of a network: what a heuristic file must hold."""
    width, features, edges = settings.width, settings.features, settings.edge_features
    memory = settings.memory
    shapes: dict[str, tuple[int, ...]] = {"f.0.weight": (width, 2 * features + 2)}
    for layer in range(settings.layers):
        shapes.setdefault(f"f.{layer}.weight", (width, width))
        shapes[f"f.{layer}.bias"] = (width,)
    square = (width, width)
    prefix = "convolution"
    shapes[f"{prefix}.edge.weight"] = (width, edges)
    if settings.convolution in ("softmax", "power"):
        shapes |= {f"{prefix}.sharpness": (1,), f"{prefix}.update.weight": square}
        shapes |= {f"{prefix}.update.bias": (width,)}
    elif settings.convolution == "gat":
        shapes |= {f"{prefix}.root.weight": square, f"{prefix}.neighbor.weight": square}
        shapes |= {f"{prefix}.neighbor.bias": (width,), f"{prefix}.attention": (3, width)}
    else:
        shapes |= {
            f"{prefix}.{part}.weight": square for part in ("node", "neighbor", "root", "update")
        }
        shapes |= {f"{prefix}.node.bias": (width,), f"{prefix}.update.bias": (width,)}
    if settings.walls:
        shapes["walls.weight"] = (2**settings.walls, width)
    if settings.trail:
        shapes["trail.weight"] = (width, settings.trail_size)
    shapes |= {"gru.weight_ih": (3 * memory, width), "gru.weight_hh": (3 * memory, memory)}
    shapes |= {"gru.bias_ih": (3 * memory,), "gru.bias_hh": (3 * memory,)}
    shapes |= {"out.0.weight": (width, memory + features), "out.0.bias": (width,)}
    shapes |= {"out.1.weight": square, "out.1.bias": (width,)}
    shapes |= {"out.2.weight": (1, width), "out.2.bias": (1,)}
    return shapes


def check_tensors(settings: NetworkSettings, tensors: Mapping[str, Floats]) -> None:
    """Raise `InputError` for a missing, unknown or misshapen tensor, or one of other numbers."""
    expected = tensor_shapes(settings)
    for name in sorted(expected.keys() | tensors.keys()):
        if name not in tensors:
            raise InputError(f"tensor {name} is missing")
        if name not in expected:
            raise InputError(f"tensor {name} is not part of the network that the metadata describe")
        if tensors[name].shape != expected[name]:
            raise InputError(
                f"tensor {name} has shape {tensors[name].shape}, expected {expected[name]}"
            )
        if tensors[name].dtype != np.float32:
            raise InputError(f"tensor {name} holds {tensors[name].dtype}, expected float32")
        if not np.isfinite(tensors[name]).all():
            raise InputError(f"tensor {name} holds NaN or infinite numbers")


def pack(settings: NetworkSettings, tensors: Mapping[str, Floats]) -> Weights:
    """The kernel's layout of a network's tensors (named as `tensor_shapes` says)."""
    check_tensors(settings, tensors)
    width, edges = settings.width, settings.edge_features

    def turned(name: str) -> Floats:
        return np.ascontiguousarray(tensors[name].T, np.float32)

    def flat(name: str) -> Floats:
        return np.ascontiguousarray(tensors[name], np.float32)

    none = np.zeros((0, 0), np.float32)
    kind = CONVOLUTIONS.index(settings.convolution)
    attention = np.zeros((2, width), np.float32)
    edge_attention = np.zeros(edges, np.float32)
    message_node, message_neighbor = none, none
    message_bias = np.zeros(width, np.float32)
    sharpness = 1.0
    edge = turned("convolution.edge.weight")
    if kind in (SOFTMAX, POWER):
        sharpness = float(tensors["convolution.sharpness"][0])
        root = mix = turned("convolution.update.weight")
        mix_bias = flat("convolution.update.bias")
    elif kind == GAT:
        root, mix = turned("convolution.root.weight"), turned("convolution.neighbor.weight")
        mix_bias = flat("convolution.neighbor.bias")
        # a . (W x) = (W^T a) . x: the attention needs no matrix product per neighbour.
        scores = tensors["convolution.attention"]
        attention = np.ascontiguousarray(scores[:2] @ tensors["convolution.neighbor.weight"])
        edge_attention = np.ascontiguousarray(scores[2] @ tensors["convolution.edge.weight"])
    else:
        message_node = turned("convolution.node.weight")
        message_bias = flat("convolution.node.bias")
        message_neighbor = turned("convolution.neighbor.weight")
        root, mix = turned("convolution.root.weight"), turned("convolution.update.weight")
        mix_bias = flat("convolution.update.bias")
    hidden = [turned(f"f.{layer}.weight") for layer in range(1, settings.layers)]
    return Weights(
        first=turned("f.0.weight"),
        hidden=np.stack(hidden) if hidden else np.zeros((0, width, width), np.float32),
        f_bias=np.stack([flat(f"f.{layer}.bias") for layer in range(settings.layers)]),
        convolution=kind,
        edge=edge,
        sharpness=sharpness,
        attention=attention,
        edge_attention=edge_attention,
        message_node=message_node,
        message_bias=message_bias,
        message_neighbor=message_neighbor,
        root=root,
        mix=mix,
        mix_bias=mix_bias,
        walls=flat("walls.weight") if settings.walls else np.zeros((0, width), np.float32),
        trail=turned("trail.weight") if settings.trail else np.zeros((0, width), np.float32),
        gru_input=turned("gru.weight_ih"),
        gru_input_bias=flat("gru.bias_ih"),
        gru_memory=turned("gru.weight_hh"),
        gru_memory_bias=flat("gru.bias_hh"),
        out_first=turned("out.0.weight"),
        out_first_bias=flat("out.0.bias"),
        out_second=turned("out.1.weight"),
        out_second_bias=flat("out.1.bias"),
        out_last=flat("out.2.weight")[0],
        out_last_bias=float(tensors["out.2.bias"][0]),
        neighbors=settings.neighbors,
        remember=settings.remember,
        sample_seed=settings.sample_seed,
    )
