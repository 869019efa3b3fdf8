"""A heuristic that is a torch network of the user's own, trained by PHIL.

The network brings torch along; nothing here imports it, so that other searches need no torch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, one_line, shortened
from phil.graphs import SearchedGraph
from phil.heuristics.file import (
    OWN,
    HeuristicFile,
    LearnedHeuristic,
    Metadata,
    Tensors,
    check_tensors,
    decode,
    encode,
    read_file,
)
from phil.heuristics.scaling import Frame, Scaling, check_axes, frame
from phil.search.guide import Expansion


class Network(Protocol):
    """A torch network of the user's own: a `torch.nn.Module` with float32 tensors.

    It is made from F, the number of features of a node. It may have a method
    `inputs(graph, nodes, goal)`, which returns an array (N, K) with what the network reads of N
    nodes, given as ids; without it, K is 2 F: the scaled features of the node and of the goal.
    """

    def __call__(self, x: Any, /) -> Any:
        """The values of N nodes: from a tensor (N, K) to one (N,) or (N, 1).

        A value is the distance to the goal, in sides of a map, or on other graphs in units of the
        mean distance from start to goal.
        """
        ...

    def state_dict(self) -> Mapping[str, Any]:
        """Its tensors by name, which are those of its file."""
        ...

    def eval(self) -> Any:
        """Prepare for searches, as opposed to training."""
        ...

    def requires_grad_(self, requires_grad: bool = True, /) -> Any:
        """Whether operations are recorded for gradients."""
        ...


MakeNetwork: TypeAlias = Callable[[int], Network]  # given F; most often the network's class


class OwnMetadata(Metadata):
    """The metadata of a network of the user's own."""

    network: str  # the name of its class
    scaling: Scaling


class OwnHeuristic(LearnedHeuristic):
    """A heuristic whose values are those of a user's own network, in Python.

    The value of a node depends on the node and the goal alone.
    """

    methods = (OWN,)
    metadata_type = OwnMetadata
    metadata: OwnMetadata

    def __init__(
        self, metadata: OwnMetadata, tensors: Tensors, make: MakeNetwork, name: str | None = None
    ) -> None:
        super().__init__(metadata, tensors, name)
        self._make = make
        self.network = make_network(make, len(metadata.feature_names))
        if network_name(self.network) != metadata.network:
            raise InputError(
                f"it is a network {shortened(metadata.network)}, not "
                f"{shortened(network_name(self.network))}"
            )
        own = self.network.state_dict()
        check_tensors({each: tuple(tensor.shape) for each, tensor in own.items()}, tensors)
        for each, tensor in own.items():
            tensor.copy_(tensor.new_tensor(tensors[each]))
        self.network.eval()
        self.network.requires_grad_(False)

    @classmethod
    def tensor_shapes(cls, metadata: Any) -> dict[str, tuple[int, ...]]:
        """Unknown without the network's class, which checks them on its own."""
        raise NotImplementedError

    @classmethod
    def samples(cls) -> Sequence[Metadata]:
        """None: it has no kernels."""
        return ()

    @property
    def summary(self) -> str:
        """A short description of the model."""
        return f"network {self.metadata.network}, {super().summary}"

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> OwnGuide:
        """A guide for one search; raises `InputError` if it does not fit the graph."""
        known = self.with_learned_features(graph)
        scale = frame(known, self.metadata.scaling)
        check_axes(scale, self.metadata.feature_names)
        return OwnGuide(self.network, known, scale, goal)

    def described(self, training: dict[str, Any], validation: dict[str, Any]) -> OwnHeuristic:
        """The same heuristic with metadata on how it was trained and how it scored."""
        told = {"training": self.metadata.training | training, "validation": validation}
        return OwnHeuristic(
            self.metadata.model_copy(update=told), self.tensors, self._make, self.name
        )

    def again(self, file: HeuristicFile) -> OwnHeuristic:
        """The heuristic in a file of its own."""
        return _read(file, self.name, self._make)

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_bytes, (encode(self), self.name, self._make)


class OwnGuide:
    """Guides one search with a user's own network."""

    def __init__(self, network: Network, graph: SearchedGraph, scale: Frame, goal: int) -> None:
        self._network = network
        self._graph = graph
        self._frame = scale
        self._goal = goal

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The network's values of V_new."""
        if not expansion.new.size:
            return np.empty(0)
        inputs = inputs_of(self._network, self._graph, self._frame, expansion.new, self._goal)
        values = values_of(self._network, inputs).numpy().astype(np.float64)
        return np.asarray(values * self._frame.distance[0])


def make_network(make: MakeNetwork, features: int) -> Network:
    """A network for nodes with so many features; raises `InputError` if it is none."""
    name = getattr(make, "__name__", "the network")
    try:
        network = make(features)
    except Exception as error:
        raise InputError(
            f"{name}({features}) failed: {type(error).__name__}: {one_line(error)}; a network is "
            "made from the number of features of a node"
        ) from error
    if not hasattr(network, "state_dict") or not callable(network):
        raise InputError(
            f"{name}({features}) must be a torch.nn.Module, not a {type(network).__name__}"
        )
    return network


def network_name(network: Network) -> str:
    """The name of a network's class."""
    return type(network).__name__


def inputs_of(
    network: Any, graph: SearchedGraph, scale: Frame, nodes: NDArray[Any], goal: int
) -> NDArray[np.float32]:
    """What a network reads of nodes, (N, K): by default scaled features of node and goal."""
    # Of the class, since a network may well have a layer of that name.
    if not hasattr(type(network), "inputs"):
        own = (graph.features_of(nodes) - scale.centre) / scale.spread
        there = (graph.features_of([goal]) - scale.centre) / scale.spread
        return np.hstack([own, np.broadcast_to(there, own.shape)]).astype(np.float32)
    given = np.asarray(network.inputs(graph, nodes, goal), np.float32)
    if given.ndim != 2 or len(given) != len(nodes):
        raise InputError(
            f"{network_name(network)}.inputs gave an array of shape {given.shape} for "
            f"{len(nodes)} nodes; it must have a row of numbers for each node"
        )
    return given


def values_of(network: Network, inputs: NDArray[np.float32]) -> Any:
    """The network's values, a tensor (N,); of the scaled distance to the goal."""
    some = next(iter(network.state_dict().values()))
    values = network(some.new_tensor(inputs))
    if tuple(values.shape) not in ((len(inputs),), (len(inputs), 1)):
        raise InputError(
            f"{network_name(network)} gave values of shape {tuple(values.shape)} for inputs of "
            f"shape {inputs.shape}; it must give one value for each row"
        )
    return values.reshape(len(inputs))


def load_own(path: Path, make: MakeNetwork) -> OwnHeuristic:
    """The heuristic in a file, given its network; raises `InputError` if they do not fit."""
    file = read_file(path)
    if file.method != OWN:
        raise InputError(
            f"{path} was learned by {one_line(file.method)}, not with a network of your own; load "
            "it without network="
        )
    try:
        return _read(file, path.stem, make)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    except ValueError as error:
        raise InputError(f"{path}: damaged metadata: {one_line(error)}") from error


def _read(file: HeuristicFile, name: str, make: MakeNetwork) -> OwnHeuristic:
    metadata = OwnMetadata.model_validate_json(file.metadata)
    return OwnHeuristic(metadata, file.tensors, make, name)


def _from_bytes(data: bytes, name: str, make: MakeNetwork) -> OwnHeuristic:
    return _read(decode(data, name), name, make)
