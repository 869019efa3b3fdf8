"""TUDataset collections: `<name>_A.txt` and the like, in one folder, nodes and graphs from 1.

`A` lists edges, `graph_indicator` the graph of every node, `node_attributes` their numbers.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from phil.errors import InputError
from phil.problems.archive import Arrays
from phil.problems.sources.layout import collection_arrays
from phil.problems.sources.tables import read_column, read_table


def read_tudataset(folder: Path, name: str) -> Arrays:
    """A collection in our layout."""
    edges = read_table(folder / f"{name}_A.txt", np.int64, 2) - 1
    graph_of_node = read_column(folder / f"{name}_graph_indicator.txt") - 1
    attributes = read_table(folder / f"{name}_node_attributes.txt", np.float32)
    try:
        return collection_arrays(graph_of_node, edges.T, attributes, int(graph_of_node.max()) + 1)
    except InputError as error:
        raise InputError(f"{folder}, {name}: {error}; fetch the files again") from error
