"""Graphs and maps as numpy archives (`.npz`), without pickles. The keys are:

- `indptr` and `indices`, as in `Graph`, or `edge_index` (2, E), with each undirected edge once;
- `directed`: scalar, false if missing;
- `num_nodes`: scalar, needed only if no other key determines the number of nodes;
- `features` or `x` (N, D), or a sparse CSR matrix `x_indptr`, `x_indices`, `x_shape` and `x_data`
  (ones if missing); `feature_names` (D,), `group_names`, `group_sizes` and `group_alike` (G,);
- `coordinates` or `coords` (N, 2) or (N, 3); they are degrees if the scalar `geographic` is true,
  or if the string `crs` contains epsg:4326 or 'lon,lat';
- `weights`, `edge_weight` or `edge_length`: one number per edge or entry of `indices`; so is any
  other key that is named as the weight;
- `edge_features` or `edge_attr`: one row per edge or entry of `indices`;
- `labels` or `osm_id` (N,): strings or integers;
- `symmetric`: whether an undirected graph is known to be stored alike at both ends of its edges;
  believed if `indices` are mapped into memory (see `phil.graphs.formats.mapped`);
- for a map instead: `free`, 2D or 3D, with `connectivity`, `corners` and (2D) `diagonal_cost`.

Other keys are ignored.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, one_line, shortened
from phil.files import write_atomic
from phil.graphs import AnyGraph
from phil.graphs.checks import Features
from phil.graphs.formats.archive import (
    ZIP_DAMAGE,
    array_members,
    open_archive,
    read_member,
    sparse_matrix,
)
from phil.graphs.formats.format import Format, starts_with
from phil.graphs.formats.mapped import SYMMETRIC, map_members, write_mapped
from phil.graphs.formats.npy import array_from
from phil.graphs.formats.shared import check_nodes, weight_name, with_places
from phil.graphs.formats.source import LIMIT, RATIO, errors_name, seekable
from phil.graphs.graph import FeatureGroup, Graph
from phil.graphs.grid import GridGraph
from phil.graphs.mapped import is_mapped
from phil.graphs.symmetry import check_balanced
from phil.memory import check_memory

SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
SMALL = 2**26  # bytes to which any file may expand
FEW_NUMBERS = 2**26  # entries that the sparse matrix of any file may have when dense
NUMBERS_PER_BYTE = 512
ALIASES = {
    "features": ("features", "x"),
    "coordinates": ("coordinates", "coords"),
    "weights": ("weights", "edge_weight", "edge_length"),
    "edge_features": ("edge_features", "edge_attr"),
    "labels": ("labels", "osm_id"),
}
SPARSE = ("x_indptr", "x_indices", "x_shape", "x_data")
GROUPS = ("group_names", "group_sizes", "group_alike")
DEGREES = ("epsg:4326", "lon,lat")
MOSTLY_ZERO = 8  # features are sparse if fewer than 1 in 8 values is nonzero
GRAPH = ("indptr", "indices", "edge_index", "directed", "num_nodes", "feature_names", "ptr")
PLACES = ("geographic", "crs")
GRID = ("free", "connectivity", "corners", "diagonal_cost")
KEYS = frozenset[str]().union(GRAPH, (SYMMETRIC,), PLACES, GRID, SPARSE, GROUPS, *ALIASES.values())

Arrays = Mapping[str, NDArray[Any]]


def read_npz(path: str | Path, weight: str | None = None) -> AnyGraph:
    """Read the graph or map in a `.npz` file; `weight` is the key to use as weights.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.npz"
    ...     np.savez(path, edge_index=[[0, 1], [1, 2]], weights=[2.5, 1])
    ...     read_npz(path)
    Graph(nodes=3, edges=2, features=0, undirected)
    """
    with seekable(path) as stream:
        return graph_in(stream, path, weight)


def graph_in(stream: BinaryIO, path: str | Path, weight: str | None = None) -> AnyGraph:
    """Read the graph or map in a stream of a `.npz` file; errors refer to it as `path`."""
    with errors_name(path):
        arrays, size = _arrays(stream, path, weight)
        if weight is not None:
            arrays = _with_weights(arrays, weight)
        return _grid(arrays) if "free" in arrays else _graph(path, arrays, size)


def write_npz(path: Path, graph: AnyGraph) -> None:
    """Write everything a graph or map has; features that are mostly 0 are stored sparse."""
    write_atomic(path, lambda stream: write_to(stream, graph))


def write_to(stream: BinaryIO, graph: AnyGraph) -> None:
    """Likewise, to a stream."""
    arrays = _grid_arrays(graph) if graph.is_grid else _graph_arrays(graph)
    # Large arrays are not compressed: files with a high compression ratio are rejected on reading.
    small = sum(array.nbytes for array in arrays.values()) <= SMALL
    save: Callable[..., None] = np.savez_compressed if small else np.savez
    save(stream, **arrays)


def write_mapped_npz(path: Path, graph: AnyGraph) -> None:
    """Write everything a graph or map has so that reading it maps its arrays into memory."""
    write_mapped(path, _grid_arrays(graph) if graph.is_grid else _graph_arrays(graph, dense=True))


def _with_weights(arrays: Arrays, weight: str) -> dict[str, NDArray[Any]]:
    """The arrays with one of them as the weights."""
    if "free" in arrays:
        raise InputError("a map has no edge attributes to choose a weight from")
    return {"weights": arrays[weight], **{k: v for k, v in arrays.items() if k != "weights"}}


def _arrays(
    stream: BinaryIO, path: str | Path, weight: str | None = None
) -> tuple[dict[str, NDArray[Any]], int]:
    """The arrays with known keys and the weights, and the size of the file in bytes."""
    size = stream.seek(0, io.SEEK_END)
    try:
        with open_archive(stream) as archive:
            known = array_members(archive)
            if weight is not None:
                weight_name(known, weight, str(path))
            wanted = {
                name: entry for name, entry in known.items() if name in KEYS or name == weight
            }
            arrays = map_members(stream, wanted)
            others = {name: entry for name, entry in wanted.items() if name not in arrays}
            _check_sizes(path, sum(entry.file_size for entry in others.values()), size)
            members = {name: read_member(archive, entry) for name, entry in others.items()}
    except InputError:
        raise
    except ZIP_DAMAGE as error:
        raise InputError(
            f"{path} is a damaged or truncated .npz file ({one_line(error)}); download or save it "
            "again"
        ) from error
    read = {name: array_from(member, f"{path}: {name}") for name, member in members.items()}
    return arrays | read, size


def _check_sizes(path: str | Path, total: int, size: int) -> None:
    """Reject, before decompressing anything, a file that would exhaust memory."""
    most = max(size, min(LIMIT, max(SMALL, RATIO * size)))
    if total > most:
        raise InputError(
            f"{path} expands to {total} bytes, but at most {most} are allowed; save large arrays "
            "uncompressed with numpy.savez, and features as a sparse matrix"
        )
    check_memory(2 * total, f"{path}: arrays of {total} bytes")


def _graph(path: str | Path, arrays: Arrays, size: int) -> Graph:
    if "ptr" in arrays:
        count = arrays["ptr"].size - 1
        raise InputError(f"{path} holds {count} graphs; a file with a single graph is needed")
    given = {
        name: next((arrays[alias] for alias in aliases if alias in arrays), None)
        for name, aliases in ALIASES.items()
    }
    if given["features"] is None and "x_indptr" in arrays:
        options: dict[str, Any] = {"features": _sparse(path, arrays, size)}
    else:
        options = {"features": given["features"]}
    options |= {
        "feature_names": _texts("feature_names", arrays.get("feature_names")),
        "feature_groups": _groups(arrays),
        "edge_features": given["edge_features"],
        "weights": given["weights"],
        "labels": _texts("labels", given["labels"]),
        "coordinates": given["coordinates"],
        "geographic": _geographic(arrays),
        "directed": bool(_scalar(arrays, "directed", False)),
    }
    if "indptr" in arrays and "indices" in arrays:
        return with_places(_stored(arrays, options))
    if "edge_index" not in arrays:
        raise InputError("no graph: the file needs 'edge_index', 'indptr' and 'indices', or 'free'")
    pairs = arrays["edge_index"]
    if pairs.ndim != 2 or pairs.shape[0] != 2:
        raise InputError(f"edge_index must have shape (2, E), not {pairs.shape}")
    nodes = _count_nodes(
        arrays, pairs, [options["features"], given["coordinates"], given["labels"]]
    )
    check_nodes(path, nodes, size)
    return with_places(Graph.from_edges(nodes, pairs.T, **options))


def _stored(arrays: Arrays, options: Mapping[str, Any]) -> Graph:
    """The graph of a file that stores it as it is kept."""
    if options["directed"] or not is_mapped(arrays["indices"], np.int32):
        return Graph(arrays["indptr"], arrays["indices"], **options)
    # Sorting all edges to compare both ends takes minutes and gigabytes. Kernels do not rely on it.
    graph = Graph(arrays["indptr"], arrays["indices"], **{**options, "directed": True})
    if not _scalar(arrays, SYMMETRIC, False):
        check_balanced(graph.indptr, graph.indices, graph.weights)
    graph.directed = False
    return graph


def _count_nodes(arrays: Arrays, pairs: NDArray[Any], tables: Sequence[Any]) -> int:
    if "num_nodes" in arrays:
        return _whole(arrays, "num_nodes")
    tables = [table for table in tables if table is not None and table.ndim]
    if tables:
        return int(tables[0].shape[0])
    if not pairs.size or pairs.dtype.kind not in "iu":
        raise InputError("'num_nodes' is needed if there are no edges, features or coordinates")
    return int(pairs.max()) + 1


def _sparse(path: str | Path, arrays: Arrays, size: int) -> Features:
    """The CSR matrix in the keys `x_*`."""
    missing = [name for name in SPARSE[:3] if name not in arrays]
    if missing:
        raise InputError(f"sparse features need {', '.join(SPARSE[:3])}; {missing[0]} is missing")
    indptr, indices, shape = (arrays[name] for name in SPARSE[:3])
    most = max(FEW_NUMBERS, NUMBERS_PER_BYTE * size)
    if shape.dtype.kind in "iu" and math.prod(shape.ravel().tolist()) > most:
        sides = shape.ravel().tolist()[:3]
        raise InputError(f"x_shape {sides} is implausible for a file of {size} bytes")
    try:
        data = arrays.get("x_data", np.ones(indices.size, np.uint8))
        return sparse_matrix(data, indices, indptr, shape)
    except (ValueError, TypeError, IndexError) as error:
        raise InputError(f"the keys x_* are not a CSR matrix ({one_line(error)})") from error


def _groups(arrays: Arrays) -> list[FeatureGroup] | None:
    if not all(name in arrays for name in GROUPS):
        return None
    names = _texts("group_names", arrays["group_names"]) or []
    sizes, alike = arrays["group_sizes"], arrays["group_alike"]
    if sizes.dtype.kind not in "iu" or not sizes.shape == alike.shape == (len(names),):
        raise InputError("group_names, group_sizes and group_alike must have the same length")
    rows = zip(names, sizes.tolist(), alike.tolist(), strict=True)
    return [FeatureGroup(name, size, bool(same)) for name, size, same in rows]


def _geographic(arrays: Arrays) -> bool:
    if "geographic" in arrays:
        return bool(_scalar(arrays, "geographic", False))
    crs = str(_scalar(arrays, "crs", "")).lower().replace(" ", "")
    return any(name in crs for name in DEGREES)


def _texts(name: str, array: NDArray[Any] | None) -> list[str] | None:
    if array is None:
        return None
    if array.ndim != 1 or array.dtype.kind not in "Uiu":
        raise InputError(f"{name} must be a 1D array of strings, not {array.ndim}D {array.dtype}")
    return [str(value) for value in array.tolist()]


def _scalar(arrays: Arrays, name: str, default: Any) -> Any:
    if name not in arrays:
        return default
    if arrays[name].size != 1:
        raise InputError(f"{name} must be one value, not an array of shape {arrays[name].shape}")
    return arrays[name].item()


def _whole(arrays: Arrays, name: str) -> int:
    value = _scalar(arrays, name, None)
    if not isinstance(value, int):
        raise InputError(f"{name} must be an integer, not {shortened(str(value))}")
    return value


def _grid(arrays: Arrays) -> GridGraph:
    options: dict[str, Any] = {}
    if "connectivity" in arrays:
        options["connectivity"] = _whole(arrays, "connectivity")
    if "corners" in arrays:
        options["corners"] = str(_scalar(arrays, "corners", ""))
    if "diagonal_cost" in arrays:
        cost = _scalar(arrays, "diagonal_cost", 0.0)
        if not isinstance(cost, int | float):
            raise InputError(f"diagonal_cost must be a number, not {shortened(str(cost))}")
        options["diagonal_cost"] = float(cost)
    return GridGraph(arrays["free"], **options)


def _grid_arrays(grid: GridGraph) -> dict[str, NDArray[Any]]:
    arrays = {
        "free": grid.free,
        "connectivity": np.array(grid.connectivity),
        "corners": np.array(grid.corners),
    }
    if grid.free.ndim == 2:  # in 3D the costs are fixed
        arrays["diagonal_cost"] = np.array(grid.diagonal_cost)
    return arrays


def _graph_arrays(graph: Graph, *, dense: bool = False) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {
        "indptr": graph.indptr,
        "indices": graph.indices,
        "directed": np.array(graph.directed),
        "geographic": np.array(graph.geographic),
        "feature_names": _text_array(graph.feature_names),
        "group_names": _text_array([group.name for group in graph.feature_groups]),
        "group_sizes": np.array([group.size for group in graph.feature_groups], np.int64),
        "group_alike": np.array([group.alike for group in graph.feature_groups], bool),
    }
    features = graph.features
    if not dense and np.count_nonzero(features) * MOSTLY_ZERO < features.size:
        from scipy.sparse import csr_array

        matrix = csr_array(features)
        arrays |= {"x_indptr": matrix.indptr, "x_indices": matrix.indices, "x_data": matrix.data}
        arrays["x_shape"] = np.array(features.shape)
    else:
        arrays["features"] = features
    if graph.edge_features.shape[1]:
        arrays["edge_features"] = graph.edge_features
    if graph.weights is not None:
        arrays["weights"] = graph.weights
    if graph.labels is not None:
        arrays["labels"] = _text_array(graph.labels)
    if graph.coordinates is not None:
        arrays["coordinates"] = graph.coordinates
    return arrays


def _text_array(texts: Sequence[str]) -> NDArray[np.str_]:
    array = np.array(texts, np.str_)
    if array.tolist() != list(texts):
        lost = next(text for text, kept in zip(texts, array.tolist(), strict=True) if text != kept)
        raise InputError(f"{lost!r} ends with a null character, which .npz cannot hold; rename it")
    return array


FORMAT = Format(
    name=".npz graph or map",
    endings=(".npz",),
    holds="both",
    read=read_npz,
    weights=True,
    write=write_npz,
    recognise=starts_with(*SIGNATURES),
)
