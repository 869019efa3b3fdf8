"""A learned heuristic as one `.safetensors` file: weights and JSON metadata.

Each learning method has its own metadata and tensors; the file names the method.
"""

from __future__ import annotations

import json
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict
from safetensors import SafetensorError
from safetensors.numpy import load, save

from phil.arguments import FILE, NOTHING, TEXT, of_type, takes
from phil.errors import InputError, one_line, shortened
from phil.files import check_regular, write_atomic
from phil.graphs import AnyGraph, SearchedGraph
from phil.graphs.features import add_features
from phil.graphs.features.landmarks import LANDMARKS
from phil.graphs.features.registry import Item, parse_recipe
from phil.search.guide import Guide, Traits
from phil.text import visible

FORMAT = "phil-heuristic"
OWN = "own"  # the method of files whose network is a class of the user's
FORMAT_VERSION = 1
MAX_BYTES = 1 << 30
LARGEST = 1e15  # of a tensor's numbers: products of larger ones overflow

Tensors = dict[str, NDArray[np.float32]]


class Metadata(BaseModel):
    """The metadata common to all heuristic files, which each method extends."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    feature_names: tuple[str, ...]
    added_features: str = ""  # a recipe of features to compute and add to a graph's own
    training: dict[str, Any] = {}  # how it was trained: settings, seed, problem set, versions
    validation: dict[str, Any] = {}  # how it scored, and against what


@dataclass(frozen=True)
class HeuristicFile:
    """The contents of a heuristic file, before its method has checked them."""

    method: str
    metadata: str  # JSON
    tensors: Tensors


class LearnedHeuristic(ABC):
    """A learned heuristic: its weights and metadata.

    A new kind is a subclass that names its learning methods, the metadata of its files and the
    shapes of their tensors, and one line in `phil.heuristics.registry`.
    """

    methods: ClassVar[tuple[str, ...]]  # as in `phil train --method`
    metadata_type: ClassVar[type[Metadata]]
    metadata: Metadata

    def __init__(self, metadata: Metadata, tensors: Tensors, name: str | None = None) -> None:
        self.metadata = metadata
        self.tensors = tensors
        self.name = self.method if name is None else name
        self._told = False  # that it was learned on graphs of the other direction

    @property
    def method(self) -> str:
        """The method that learned it."""
        return self.methods[0]

    @classmethod
    @abstractmethod
    def tensor_shapes(cls, metadata: Any) -> dict[str, tuple[int, ...]]:
        """Name and shape of every tensor in its file."""

    @classmethod
    @abstractmethod
    def samples(cls) -> Sequence[Metadata]:
        """Small models that together call every kernel of this kind, for `phil warmup`."""

    @abstractmethod
    def begin(self, graph: SearchedGraph, start: int, goal: int) -> Guide:
        """A guide for one search; raises `InputError` if it does not fit the graph."""

    @property
    def traits(self) -> Traits:
        """What it declares about itself; features added to a graph are computed beforehand."""
        return Traits(
            self.summary,
            needs_whole_graph=bool(self.metadata.added_features),
            preparation=self._preparation,
            landmarks=any(item.feature is LANDMARKS for item in self._recipe),
        )

    @property
    def _recipe(self) -> tuple[Item, ...]:
        return parse_recipe(self.metadata.added_features)

    def _preparation(self, graph: AnyGraph) -> list[Callable[[], object]]:
        own = {group.name for group in graph.feature_groups}
        return [
            partial(item.feature.compute, graph, item.k)
            for item in self._recipe
            if item.feature.name not in own
        ]

    @property
    def summary(self) -> str:
        """A short description of the model."""
        return f"features {', '.join(self.metadata.feature_names)}"

    @classmethod
    def from_file(cls, file: HeuristicFile, name: str) -> Self:
        """The heuristic in a file; raises `InputError` or `ValueError` if it is damaged."""
        metadata = cls.metadata_type.model_validate_json(file.metadata)
        check_tensors(cls.tensor_shapes(metadata), file.tensors)
        heuristic = cls(metadata, file.tensors, name)
        if heuristic.method != file.method:
            raise ValueError(
                f"the file is from {file.method}, its metadata from {heuristic.method}"
            )
        return heuristic

    def again(self, file: HeuristicFile) -> Self:
        """The heuristic in a file of its own."""
        return type(self).from_file(file, self.name)

    def described(self, training: dict[str, Any], validation: dict[str, Any]) -> Self:
        """The same heuristic with metadata on how it was trained and how it scored."""
        told = {"training": self.metadata.training | training, "validation": validation}
        return type(self)(self.metadata.model_copy(update=told), self.tensors, self.name)

    def with_learned_features(self, graph: SearchedGraph) -> SearchedGraph:
        """The graph with the added features that the heuristic was trained with.

        Nodes and edges are the same, so a guide can use it while the search runs on the original.
        """
        recipe = self.metadata.added_features
        if not recipe:
            self._check_direction(graph, graph)
            return graph
        if not graph.is_known:
            raise InputError(
                f"{self.name} was trained with the features {shortened(recipe)}, which are "
                "computed on a whole graph before the search; this one is discovered by searching"
            )
        if graph.feature_names == self.metadata.feature_names:
            return graph
        try:
            found = add_features(graph, recipe)
        except InputError as error:
            raise InputError(
                f"{self.name} was trained with the features {shortened(recipe)}: {error}"
            ) from error
        self._check_direction(graph, found)
        return found

    def _check_direction(self, graph: SearchedGraph, found: SearchedGraph) -> None:
        """Say that a graph is directed, or not, unlike those that were learned from.

        `found` has the added features; that they are others on a directed graph is an error.
        """
        learned = self._learned_directed
        if learned is None or not graph.is_known or graph.is_grid or learned == graph.directed:
            return
        kinds = (
            "directed" if learned else "undirected",
            "directed" if graph.directed else "undirected",
        )
        told = f"{self.name} was learned on {kinds[0]} graphs, but this graph is {kinds[1]}"
        assert found.is_known
        if len(found.feature_names) != len(self.metadata.feature_names):
            raise InputError(
                f"{told}, so that the features {shortened(self.metadata.added_features)} are "
                f"others; train a heuristic on {kinds[1]} graphs, or give it a graph that is "
                f"{kinds[0]}"
            )
        if not self._told:
            self._told = True
            warnings.warn(
                f"{told}; its values may mislead, since it knows nothing of "
                f"{'one-way edges' if graph.directed else 'ways back'}",
                stacklevel=2,
            )

    @cached_property
    def _learned_directed(self) -> bool | None:
        """Whether it was learned on directed graphs; None if its file does not say."""
        said = self.metadata.training.get("directed")
        if isinstance(said, bool):
            return said
        names = self.metadata.feature_names
        if not self.metadata.added_features:
            return None
        if any(
            name in ("out-degree", "from landmark 0", "moves from landmark 0") for name in names
        ):
            return True
        undirected = ("degree", "to landmark 0", "moves to landmark 0")
        return False if any(name in undirected for name in names) else None

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_bytes, (type(self), encode(self), self.name)

    def __repr__(self) -> str:
        said = [repr(self.name), self.summary, *self.provenance]
        return visible(f"{type(self).__name__}({'; '.join(said)})")

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return str(import_module("phil.view.notebook").heuristic_html(self))

    @property
    def provenance(self) -> list[str]:
        """What it was trained on, and how it scored, as far as its file says."""
        said = []
        training, validation = self.metadata.training, self.metadata.validation
        if "set" in training:
            said.append(f"trained on {one_line(training['set'])}")
        match validation:  # a file may say anything
            case {"expansions": {"mean": float(mean)}}:
                said.append(f"{mean:.1f} expansions in validation")
        return said


L = TypeVar("L", bound=LearnedHeuristic)


def encode(heuristic: LearnedHeuristic) -> bytes:
    """The bytes of a heuristic's file."""
    text = json.dumps(heuristic.metadata.model_dump(mode="json"), sort_keys=True)
    # Never write a file that could not be read again.
    heuristic.again(HeuristicFile(heuristic.method, text, heuristic.tensors))
    header = {
        "format": FORMAT,
        "format_version": str(FORMAT_VERSION),
        "method": heuristic.method,
        "metadata": text,
    }
    tensors = heuristic.tensors
    data = save({name: np.ascontiguousarray(tensors[name]) for name in sorted(tensors)}, header)
    # The header has no fixed order: sorted, the same heuristic always gives the same file.
    length = int.from_bytes(data[:8], "little")
    parsed = json.loads(data[8 : 8 + length])
    head = json.dumps(parsed, sort_keys=True, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    return len(head).to_bytes(8, "little") + head + data[8 + length :]


def _from_bytes(kind: type[L], data: bytes, name: str) -> L:
    return kind.from_file(decode(data, name), name)


@takes(path=FILE, heuristic=of_type("a learned heuristic", LearnedHeuristic))
def write_heuristic(path: Path, heuristic: LearnedHeuristic) -> None:
    """Write a heuristic to a file, atomically."""
    write_atomic(Path(path), encode(heuristic))


@takes(path=FILE, name=TEXT | NOTHING)
def read_learned(
    path: Path, readers: Mapping[str, Callable[[HeuristicFile, str], L]], name: str | None = None
) -> L:
    """Read a heuristic with its method's reader; by default it is named after the file.

    Any defect of the file raises an `InputError` of one line.
    """
    path = Path(path)
    file = read_file(path)
    if file.method == OWN and OWN not in readers:
        raise InputError(
            f"{path} was trained with a network of your own: load it with that, in Python by "
            f"phil.load({shortened(str(path))}, network=...)"
        )
    if file.method not in readers:
        raise InputError(
            f"{path} was learned by {one_line(file.method)}; expected one of: {', '.join(readers)}"
        )
    try:
        return readers[file.method](file, name or path.stem)
    except InputError as error:
        raise InputError(f"{path} is damaged: {one_line(error)}") from error
    except ValueError as error:
        raise InputError(f"{path}: damaged metadata: {one_line(error)}") from error


@takes(path=FILE)
def read_file(path: Path) -> HeuristicFile:
    """The contents of a heuristic file; raises `InputError` if its format is wrong."""
    path = Path(path)
    try:
        check_regular(path)
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InputError(f"{path} has {size} bytes: too large for a heuristic file")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    return decode(data, str(path))


@takes(data=of_type("bytes", bytes), path=FILE)
def decode(data: bytes, path: str) -> HeuristicFile:
    """The contents of a heuristic file from its bytes; errors name the path."""
    try:
        header = _header(data)
        tensors = load(data)
    except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            f"{path} is not a heuristic file, or it is damaged ({one_line(error)}); "
            "train or download it again"
        ) from error
    if header.get("format") != FORMAT:
        raise InputError(f"{path} is a safetensors file, but not a PHIL heuristic")
    version = header.get("format_version", "?")
    if version != str(FORMAT_VERSION):
        raise InputError(
            f"{path} has format version {one_line(version)}; this phil reads version "
            f"{FORMAT_VERSION}: install a newer phil-search"
        )
    return HeuristicFile(header.get("method", "phil"), header.get("metadata", ""), tensors)


def check_tensors(
    expected: Mapping[str, tuple[int, ...]], tensors: Mapping[str, NDArray[np.float32]]
) -> None:
    """Raise `InputError` for a missing, unknown, misshapen, non-float32 or non-finite tensor."""
    for name in sorted(expected.keys() | tensors.keys()):
        if name not in tensors:
            raise InputError(f"tensor {name} is missing")
        if name not in expected:
            raise InputError(f"tensor {name} is not part of the network described by the metadata")
        if tensors[name].shape != expected[name]:
            raise InputError(
                f"tensor {name} has shape {tensors[name].shape}, expected {expected[name]}"
            )
        if tensors[name].dtype != np.float32:
            raise InputError(f"tensor {name} holds {tensors[name].dtype}, expected float32")
        if not (np.abs(tensors[name]) <= LARGEST).all():
            raise InputError(f"tensor {name} holds NaN or infinite numbers, or beyond {LARGEST:g}")


def _header(data: bytes) -> dict[str, str]:
    """The metadata of a safetensors file, which its reader does not return."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise ValueError("it is cut off")
    header = json.loads(data[8 : 8 + length])
    metadata = header.get("__metadata__", {}) if isinstance(header, dict) else None
    if not isinstance(metadata, dict):
        raise ValueError("its header is not a safetensors header")
    return {str(key): str(value) for key, value in metadata.items()}
