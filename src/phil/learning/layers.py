"""The weights of a network as the compiled gradient reads them, and the room that it works in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.settings import NetworkSettings

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


class Layers(NamedTuple):
    """The weights of a network, or their gradients: matrices (outputs, inputs), and biases."""

    first: Floats
    first_bias: Floats
    hidden: Floats  # (layers - 1, width + 1, width): a matrix, and its bias as the last row
    edge: Floats
    sharpness: Floats
    update: Floats
    update_bias: Floats
    walls: Floats
    trail: Floats
    gru_input: Floats
    gru_input_bias: Floats
    gru_memory_bias: Floats
    out_first: Floats
    out_first_bias: Floats
    out_second: Floats
    out_second_bias: Floats
    out_last: Floats
    out_last_bias: Floats
    ends: Integers  # of the groups of features (see `phil.heuristics.phil.weights.Weights`)


class Room(NamedTuple):
    """Room for the R rows and P nodes of one trajectory."""

    inputs: Floats  # (R, 2 D + 2) of f
    lifted: Floats  # (layers, R, width): outputs of the layers of f
    to_lifted: Floats  # (2, R, width)
    messages: Floats  # (2 n, width)
    kept: Floats  # (P, 3, width)
    nodes: Floats  # (7, P, width): outputs of the later layers, and what arrives there
    gates: Floats  # (P, 3 d)
    read: Floats  # (P, d + D): what the output layers read
    to_read: Floats
    values: Floats  # (3, P): values, and their gradients
    product: Floats
    first: Floats  # transposed matrices
    hidden: Floats
    edge: Floats
    to_edge: Floats
    to_sharpness: Floats
    update: Floats
    trail: Floats
    gru_input: Floats
    out_first: Floats
    out_second: Floats


def layers_of(network: PhilNetwork, vector: Tensor) -> Layers:
    """The parts of a vector of all weights, by name."""
    parts, begin = {}, 0
    for name, weight in network.named_parameters():
        end = begin + weight.numel()
        parts[name] = vector[begin:end].view_as(weight).numpy()
        begin = end
    width, first = network.settings.width, parts["f.0.weight"].size + parts["f.0.bias"].size
    hidden = (network.settings.layers - 1) * (width + 1) * width
    nothing = np.empty((0, width), np.float32)
    return Layers(
        first=parts["f.0.weight"],
        first_bias=parts["f.0.bias"],
        hidden=vector.numpy()[first : first + hidden].reshape(-1, width + 1, width),
        edge=parts["convolution.edge.weight"],
        sharpness=parts["convolution.sharpness"],
        update=parts["convolution.update.weight"],
        update_bias=parts["convolution.update.bias"],
        walls=parts.get("walls.weight", nothing),
        trail=parts.get("trail.weight", np.empty((width, 0), np.float32)),
        gru_input=parts["gru.weight_ih"],
        gru_input_bias=parts["gru.bias_ih"],
        gru_memory_bias=parts["gru.bias_hh"],
        out_first=parts["out.0.weight"],
        out_first_bias=parts["out.0.bias"],
        out_second=parts["out.1.weight"],
        out_second_bias=parts["out.1.bias"],
        out_last=parts["out.2.weight"][0],
        out_last_bias=parts["out.2.bias"],
        ends=np.cumsum(np.array(network.settings.groups, np.int64)),
    )


def allocate_room(shape: NetworkSettings, nodes: int) -> Room:
    """Room for so many nodes of a trajectory."""
    width, size, features = shape.width, shape.memory, shape.features
    read = 2 * features + shape.distances
    rows, wide = nodes * (shape.neighbors + 1), max(width, 3 * size, read)
    sizes: dict[str, tuple[int, ...]] = {
        "inputs": (rows, read),
        "lifted": (shape.layers, rows, width),
        "to_lifted": (2, rows, width),
        "messages": (max(2, 2 * shape.neighbors), width),
        "kept": (nodes, 3, width),
        "nodes": (7, nodes, width),
        "gates": (nodes, 3 * size),
        "read": (nodes, size + features),
        "to_read": (nodes, size + features),
        "values": (3, nodes),
        "product": (max(wide, width) * max(wide, size + features, shape.trail_size),),
        "first": (read, width),
        "hidden": (shape.layers - 1, width, width),
        "edge": (shape.edge_features, width),
        "to_edge": (shape.edge_features, width),
        "to_sharpness": (width,),
        "update": (width, width),
        "trail": (shape.trail_size, width),
        "gru_input": (width, 3 * size),
        "out_first": (size + features, width),
        "out_second": (width, width),
    }
    return Room(**{name: np.zeros(size, np.float32) for name, size in sizes.items()})
