"""Validation of the arrays that make up a graph; errors say what is wrong and where."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, TypeVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from phil.arguments import Kind, is_iterable, is_whole, later, with_attributes
from phil.errors import InputError, quoted
from phil.graphs.mapped import is_mapped
from phil.memory import check_memory

if TYPE_CHECKING:
    from scipy.sparse import sparray, spmatrix

MAX_NODES = 2**31 - 1  # node ids are int32 in the kernels
MOST_WEIGHT = 1e100  # of an edge: no path, and no key of a search, can then exceed a float

# Peak memory while a graph is built, in bytes; the tests measure it.
NODE_BYTES = 24
NUMBER_BYTES = 13  # per feature value, including the validated copy
EDGE_BYTES = 30  # per entry of `indices`
SYMMETRY_BYTES = 45  # additional, per entry: comparing both ends of undirected edges
SORTING_BYTES = 35  # additional, per entry: sorting a list of edges
BLOCK = 2**17  # values that are checked at a time, so that the checks take little memory

# What else is taken for a graph: see `phil.graphs.given`.
_FORMS = "a 2D or 3D array of free cells, a networkx graph, a sparse matrix, PyG data or a file"
GRAPH = Kind(
    f"a Graph or GridGraph, {_FORMS}",
    with_attributes("", "check_node", "is_grid").fits,
    later("phil.graphs.given:as_graph"),
)
SEARCHED = Kind(
    f"a Graph, GridGraph or ImplicitGraph, {_FORMS}",
    with_attributes("", "between").fits,
    later("phil.graphs.given:as_searched"),
)

Scalar = TypeVar("Scalar", bound=np.generic)
Features: TypeAlias = "ArrayLike | sparray | spmatrix"


def read_only(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """The array, which nobody can write to any more."""
    array.flags.writeable = False
    return array


class Immutable:
    """A graph of read-only arrays, without what is derived from them in copies and pickles.

    An unpickled graph uses the arrays as they are, even in memory shared with other processes.
    """

    def __getstate__(self) -> dict[str, Any]:
        return {
            name: value
            for name, value in vars(self).items()
            if not isinstance(getattr(type(self), name, None), cached_property)
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        for value in state.values():
            if isinstance(value, np.ndarray):
                read_only(value)  # pickles do not say that an array is
        vars(self).update(state)


def check_size(nodes: int, entries: int, entry_bytes: int, *numbers: Features | None) -> None:
    """Reject a graph with too many nodes for int32 ids or for the available memory.

    Arrays in a mapped file take none.
    """
    if nodes > MAX_NODES:
        raise InputError(f"{nodes} nodes: at most {MAX_NODES} are supported")
    # Lists are not counted: they already take more memory than the resulting array.
    given = sum(
        int(np.prod(values.shape))
        for values in numbers
        if (isinstance(values, np.ndarray) and not is_mapped(values, np.float32))
        or is_sparse(values)
    )
    need = NODE_BYTES * nodes + entry_bytes * entries + NUMBER_BYTES * given
    check_memory(need, f"a graph of {nodes} nodes and {entries} edges")


def entry_bytes(indices: NDArray[Any]) -> int:
    """The memory that an entry of `indices` takes while a graph is built of them."""
    return 0 if is_mapped(indices, np.int32) else EDGE_BYTES


def is_sparse(values: object) -> TypeGuard[sparray | spmatrix]:
    """Whether values are a sparse matrix; whoever has one has imported SciPy, which takes long."""
    if "scipy.sparse" not in sys.modules:
        return False
    from scipy.sparse import issparse

    return bool(issparse(values))


def as_array(values: Any, name: str) -> NDArray[Any]:
    """Any values as an array."""
    try:
        return np.asarray(values)
    except Exception as error:  # such as rows of different lengths
        raise InputError(f"{name} cannot be converted to an array: {error}") from error


def integers(values: ArrayLike, name: str, kept: DTypeLike = np.int64) -> NDArray[Any]:
    """Integers as a new array of int64; those of a mapped file as they are, if of type `kept`."""
    array = as_array(values, name)
    if is_mapped(array, kept):
        return array
    if array.size == 0:
        return np.zeros(array.shape, np.int64)  # whatever its type
    if array.dtype.kind not in "iu":
        raise InputError(f"{name} must be integers, not {array.dtype}")
    return array.astype(np.int64)


def first_wrong(
    values: NDArray[Any], fit: Callable[[NDArray[Any]], NDArray[np.bool_]]
) -> int | None:
    """The place of the first value, counted by row, that does not fit; None if all do.

    >>> first_wrong(np.array([[1.0, np.nan], [np.inf, 2.0]]), np.isfinite)
    1
    """
    flat = values.reshape(-1)
    for begin in range(0, flat.size, BLOCK):
        fits = fit(flat[begin : begin + BLOCK])
        if not fits.all():
            return begin + int(np.argmin(fits))
    return None


def truths(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Where values are not zero, as an array of the bytes 0 and 1.

    Arrays of booleans may hold other bytes, if they are views of other data or come from a file,
    which numpy keeps in copies and kernels take for other numbers. The array is a new one, unless
    they come from a mapped file and hold no others.

    >>> truths(np.array([0, 1, 2], np.uint8).view(bool)).view(np.uint8).tolist()
    [0, 1, 1]
    """
    numbers = values.view(np.uint8) if values.dtype == bool else values
    if is_mapped(values, bool) and first_wrong(numbers, lambda block: block <= 1) is None:
        return values
    found: NDArray[np.bool_] = np.not_equal(numbers, 0, order="C")
    return found


def check_csr(indptr: NDArray[np.int64], indices: NDArray[Any]) -> None:
    """Reject an `indptr` that does not match `indices`, and indices that are not nodes."""
    nodes = indptr.size - 1
    if indptr[0] != 0 or indptr[-1] != indices.size:
        raise InputError(
            f"indptr must run from 0 to the number of indices ({indices.size}), "
            f"not from {indptr[0]} to {indptr[-1]}"
        )
    for first in range(0, nodes, BLOCK):
        ends = indptr[first : first + BLOCK + 1]
        falling = ends[1:] < ends[:-1]  # a difference could overflow
        if falling.any():
            node = first + int(np.argmax(falling))
            raise InputError(f"indptr decreases after node {node}; it must never decrease")
    at = first_wrong(indices, lambda block: (block >= 0) & (block < nodes))
    if at is not None:
        raise InputError(f"indices[{at}] = {indices[at]}: node ids must be in 0..{nodes - 1}")


def numbers(values: ArrayLike, name: str, kept: DTypeLike = np.float64) -> NDArray[Any]:
    """Numbers as a new array; those of a mapped file as they are, if of type `kept`."""
    array = as_array(values, name)
    if is_mapped(array, kept):
        return array
    array = array.copy()
    if array.dtype.kind not in "biuf":
        raise InputError(f"{name} must be numbers, not {array.dtype}")
    return array


def matrix(values: ArrayLike, name: str, rows: int) -> NDArray[np.float32]:
    """Finite numbers as float32, in `rows` rows."""
    array = numbers(values, name, np.float32)
    if array.ndim != 2 or array.shape[0] != rows:
        raise InputError(f"{name} must have shape ({rows}, D), not {array.shape}")
    with np.errstate(over="ignore"):
        narrow = np.ascontiguousarray(array, dtype=np.float32)
    at = first_wrong(narrow, np.isfinite)
    if at is not None:
        row, column = np.unravel_index(at, narrow.shape)
        raise InputError(
            f"{name}[{row}, {column}] is {array[row, column]}; all values must be finite float32"
        )
    return narrow


def feature_matrix(values: Features | None, rows: int) -> NDArray[np.float32]:
    """The features of `rows` nodes, from an array, a sparse matrix or None."""
    if values is None:
        return np.zeros((rows, 0), np.float32)
    if is_sparse(values):
        values = values.toarray()  # the size was checked before
    return matrix(values, "features", rows)


def places(values: ArrayLike, rows: int) -> NDArray[np.float64]:
    """Coordinates of `rows` nodes, 2D or 3D."""
    array = numbers(values, "coordinates")
    if array.shape not in ((rows, 2), (rows, 3)):
        raise InputError(
            f"coordinates must have shape ({rows}, 2) or ({rows}, 3), not {array.shape}"
        )
    at = first_wrong(array, np.isfinite)
    if at is not None:
        row = at // array.shape[1]
        raise InputError(f"coordinates[{row}] is {array[row].tolist()}; all values must be finite")
    return read_only(array.astype(np.float64, copy=False))


def are_weights(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which values the weight of an edge may have."""
    fit: NDArray[np.bool_] = (values >= 0) & (values <= MOST_WEIGHT)
    return fit


def edge_weights(values: ArrayLike, edges: int) -> NDArray[np.float64]:
    """A non-negative weight for each of `edges` edges."""
    array: NDArray[np.float64] = numbers(values, "weights").astype(np.float64, copy=False)
    if array.shape != (edges,):
        raise InputError(f"weights must have shape ({edges},), one per edge, not {array.shape}")
    at = first_wrong(array, are_weights)
    if at is not None:
        raise InputError(
            f"weights[{at}] = {array[at]}; weights must be finite and non-negative, "
            f"and at most {MOST_WEIGHT:g}"
        )
    return array


def texts(values: Sequence[str], name: str) -> tuple[str, ...]:
    """Names; integers become their digits."""
    if not is_iterable(values):
        raise InputError(f"{name} must be a sequence of texts, not {quoted(values)}")
    given = tuple(str(value) if is_whole(value) else value for value in values)
    for place, text in enumerate(given):
        if not isinstance(text, str):
            raise InputError(f"{name}[{place}] must be a text, not {quoted(text)}")
    return given
