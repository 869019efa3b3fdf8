"""A network's tensors in the layout that the compiled kernel reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Array2, Array3, Struct
from phil.compiled.vectors import aligned_zeros, padded
from phil.heuristics.file import check_tensors
from phil.heuristics.phil.specification import (
    CONVOLUTIONS,
    NetworkSettings,
    layer,
    tensor_shapes,
)

Floats = NDArray[np.float32]

SOFTMAX, POWER, GAT, MAX, SUM = range(len(CONVOLUTIONS))


class Weights(Struct):
    """Matrices are (inputs, outputs), with outputs padded with zeros to whole vectors.

    Consecutive linear layers are merged into one matrix: the convolution's last layer, the walls
    and the trail are multiplied into the input half of the GRU's gates.
    """

    # f: (node, Euclidean and cosine distance), the goal's part, then the hidden layers.
    first: Array2[np.float32]
    first_goal: Array2[np.float32]
    hidden: Array3[np.float32]  # (layers - 1, width, outputs)
    f_bias: Array2[np.float32]  # (layers, outputs)
    # The convolution's messages.
    convolution: int
    sharpness: float
    edge: Array2[np.float32]  # (De, outputs)
    message: Array2[np.float32]  # of a neighbour: MPNN; GAT: its scores as node and neighbour
    message_node: Array2[np.float32]  # MPNN: of the node itself
    message_bias: Array1[np.float32]
    no_bias: Array1[np.float32]  # zeros, as long as a message
    edge_attention: Array1[np.float32]  # GAT: (De,)
    # The GRU: gates reset, update, new, each padded.
    gates: Array2[np.float32]  # of node + aggregate, or of their concatenation
    gates_bias: Array1[np.float32]
    walls: Array2[np.float32]  # (2 ** moves, gates), by the bits of the blocked moves
    trail: Array2[np.float32]  # (1 + 2 D, gates), or empty
    memory: Array2[np.float32]  # (memory, gates)
    memory_bias: Array1[np.float32]
    # The read-out.
    out_first: Array2[np.float32]  # (memory, outputs)
    out_goal: Array2[np.float32]  # (D, outputs)
    out_first_bias: Array1[np.float32]
    out_second: Array2[np.float32]
    out_second_bias: Array1[np.float32]
    out_last: Array2[np.float32]  # (1 or 2, outputs): of the value, and of its part in cells
    out_last_bias: Array1[np.float32]
    # Sizes that are not those of an array.
    ends: Array1[np.int64]  # of the groups of features; empty if there are none
    goal_first: bool
    width: int
    moves: int  # whose blocking is an input
    to_goal: bool  # whether f reads the goal's features, or the start's in the frame of the goal
    steps: bool  # whether the trail is an input
    window: Array2[np.int64]  # (cells, axes) around a node: what is known of them is an input
    lazy: bool
    neighbors: int
    remember: bool
    carried: int  # numbers of the memory, from the first on; the others stay 0
    sample_seed: int


def pack(
    settings: NetworkSettings,
    tensors: Mapping[str, Floats],
    edge_spread: Sequence[float] = (),
) -> Weights:
    """The kernel's layout of a network's tensors, which are named as in `tensor_shapes`.

    Edge features are divided by `edge_spread`, if there is any.
    """
    check_tensors(tensor_shapes(settings), tensors)
    width = settings.width
    if edge_spread:
        name = "convolution.edge.weight"
        scaled = np.divide(tensors[name], np.array(edge_spread), dtype=np.float64)
        tensors = {**tensors, name: scaled.astype(np.float32)}

    def transposed(name: str) -> Floats:
        return tensors[name].T

    def apart(name: str) -> tuple[Floats, Floats]:
        """A layer's matrix for what it reads of a node, and that for the goal."""
        matrix, goal = transposed(f"{name}.weight"), layer(settings, name).columns("goal")
        return _wide(np.delete(matrix, goal, axis=0)), _wide(matrix[goal])

    first, first_goal = apart("f.0")
    out_first, out_goal = apart("out.0")
    hidden = [transposed(f"f.{layer}.weight") for layer in range(1, settings.layers)]
    into_gates = transposed("gru.weight_ih")
    nothing = np.zeros((0, width), np.float32)
    convolution, own, mixed, mix_bias = _pack_convolution(settings, tensors)
    return Weights(
        first=first,
        first_goal=first_goal,
        hidden=_wide(np.stack(hidden) if hidden else np.zeros((0, width, width), np.float32)),
        f_bias=_wide(np.stack([tensors[f"f.{layer}.bias"] for layer in range(settings.layers)])),
        **convolution,
        no_bias=np.zeros(convolution["message"].shape[1], np.float32),
        edge=_wide(transposed("convolution.edge.weight")),
        gates=_gates(np.concatenate([_times(part, into_gates) for part in (own, mixed)])),
        gates_bias=_gates(_times(mix_bias, into_gates) + tensors["gru.bias_ih"]),
        walls=_gates(_times(tensors["walls.weight"] if settings.walls else nothing, into_gates)),
        trail=_gates(
            _times(transposed("trail.weight") if settings.trail_size else nothing, into_gates)
        ),
        memory=_gates(transposed("gru.weight_hh")),
        memory_bias=_gates(tensors["gru.bias_hh"]),
        out_first=out_first,
        out_goal=out_goal,
        out_first_bias=_wide(tensors["out.0.bias"]),
        out_second=_wide(transposed("out.1.weight")),
        out_second_bias=_wide(tensors["out.1.bias"]),
        out_last=_wide(tensors["out.2.weight"]),
        out_last_bias=tensors["out.2.bias"],
        ends=np.cumsum(np.array(settings.groups, np.int64)),
        goal_first=settings.goal_first,
        width=width,
        moves=settings.walls,
        to_goal=settings.frame == "map",
        steps=settings.trail,
        window=np.array(settings.window, np.int64).reshape(len(settings.window), settings.axes),
        lazy=settings.lazy,
        neighbors=settings.neighbors,
        remember=settings.remember,
        carried=settings.carried or settings.memory,
        sample_seed=settings.sample_seed,
    )


def _pack_convolution(
    settings: NetworkSettings, tensors: Mapping[str, Floats]
) -> tuple[dict[str, Any], Floats, Floats, Floats]:
    """The messages' weights, and the last layer: its parts for node and aggregate, and its bias.

    DeeperGCN's last layer takes the sum of the two, so it has no part for the node alone.
    """
    width = settings.width
    kind = CONVOLUTIONS.index(settings.convolution)
    none = np.zeros((width, 0), np.float32)
    packed: dict[str, Any] = {
        "convolution": kind,
        "sharpness": 1.0,
        "message": none,
        "message_node": none,
        "message_bias": np.zeros(0, np.float32),
        "edge_attention": np.zeros(settings.edge_features, np.float32),
    }

    def transposed(name: str) -> Floats:
        return tensors[f"convolution.{name}.weight"].T

    if kind in (SOFTMAX, POWER):
        packed["sharpness"] = float(tensors["convolution.sharpness"][0])
        return packed, none.T, transposed("update"), tensors["convolution.update.bias"]
    if kind == GAT:
        # a . (W x) = (W^T a) . x: the attention needs no matrix product per neighbour.
        scores = tensors["convolution.attention"]
        packed["message"] = _wide(_times(transposed("neighbor"), scores[:2].T))
        packed["edge_attention"] = np.ascontiguousarray(
            scores[2] @ tensors["convolution.edge.weight"]
        )
        return (
            packed,
            transposed("root"),
            transposed("neighbor"),
            tensors["convolution.neighbor.bias"],
        )
    packed["message"] = _wide(transposed("neighbor"))
    packed["message_node"] = _wide(transposed("node"))
    packed["message_bias"] = _wide(tensors["convolution.node.bias"])
    return packed, transposed("root"), transposed("update"), tensors["convolution.update.bias"]


def _times(left: Floats, right: Floats) -> Floats:
    return (left.astype(np.float64) @ right.astype(np.float64)).astype(np.float32)


def _wide(array: Floats) -> Floats:
    """The array with its last dimension padded to whole vectors."""
    size = array.shape[-1]
    wide = aligned_zeros(*array.shape[:-1], padded(size))
    wide[..., :size] = array
    return wide


def _gates(array: Floats) -> Floats:
    """The array with each of the three gates in its last dimension padded to whole vectors."""
    parts = np.split(array, 3, axis=-1)
    return _wide(np.concatenate([_wide(part) for part in parts], axis=-1))
