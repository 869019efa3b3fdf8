"""What networkx keeps in dictionaries: the attributes of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.convert.entries import as_rows
from phil.graphs.feature_group import FeatureGroup

Coordinates: TypeAlias = str | Sequence[str] | None


def find_coordinates(
    nodes: list[Any], data: list[Any], names: Coordinates
) -> tuple[NDArray[Any] | None, bool]:
    """Where nodes are, and whether that is "x" and "y" by custom."""
    if names is not None:
        chosen = [names] if isinstance(names, str) else names
        parts = [as_rows(node_attribute(nodes, data, name)) for name in chosen]
        return (np.concatenate(parts, axis=1) if parts else None), False
    for custom in (["x", "y"], ["pos"]):
        # One look at the first node spares graphs without coordinates the rest.
        if data and all(name in data[0] for name in custom):
            try:
                parts = [as_rows(node_attribute(nodes, data, name)) for name in custom]
            except InputError:
                continue
            places = np.concatenate(parts, axis=1)
            if places.shape[1] in (2, 3) and np.isfinite(places).all():
                return places, custom == ["x", "y"]
    return None, False


def node_attribute(nodes: list[Any], data: list[Any], name: str) -> NDArray[Any]:
    """A node attribute of all nodes, one number or one row of numbers each."""
    values = [of_node.get(name) for of_node in data]
    try:
        array = np.array(values)
        if array.dtype.kind in "biuf" and array.ndim in (1, 2):
            return array
    except ValueError:  # of rows of different lengths
        pass
    for node, value in zip(nodes, values, strict=True):
        if value is None:
            raise InputError(f"node {node!r} has no attribute {name!r}")
        if np.asarray(value).dtype.kind not in "biuf":
            raise InputError(f"node {node!r}: attribute {name!r} is {value!r}, no number")
    raise InputError(f"attribute {name!r} is not of the same length at all nodes")


def named_features(columns: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """Features that are node attributes; one of several numbers has names with theirs."""
    names: list[str] = []
    for name, array in columns.items():
        names += [name] if array.ndim == 1 else [f"{name}_{k}" for k in range(array.shape[1])]
    parts = {name: as_rows(array) for name, array in columns.items()}
    return {
        "features": np.concatenate(list(parts.values()), axis=1),
        "feature_names": names,
        "feature_groups": [FeatureGroup(name, part.shape[1]) for name, part in parts.items()],
    }


def labels_of(nodes: list[Any]) -> list[str] | None:
    """The nodes' texts, all different; none if they are their numbers."""
    if nodes == list(range(len(nodes))):
        return None
    labels = list(map(str, nodes))
    return labels if len(set(labels)) == len(labels) else list(map(repr, nodes))
