"""`citations/<name>`: citation and co-author networks, one graph each.

Cora, CiteSeer and PubMed are the Planetoid graphs (Yang et al., 2016), the co-author networks those
of Shchur et al. (2018). A node is a paper or an author; its features are the first 128 columns of
the published bag of words or keywords, as in the paper. The values are unchanged: 0 or 1 for Cora
and CiteSeer, TF-IDF for PubMed, counts for the co-author networks (PyTorch Geometric sets those to
1). Edges are undirected and have weight 1.

A file `<name>.npz` (also in a folder `graphs`) holds `edge_index` (2, E), each edge once,
`num_nodes`, and the features as CSR: `x_indptr`, `x_indices`, `x_shape` and `x_data` (by default
all 1).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from phil.errors import InputError, one_line
from phil.graphs import Graph
from phil.graphs.formats.archive import sparse_matrix
from phil.problems.data_files import (
    Arrays,
    fetch_hint,
    find_archive,
    need_archive,
    read_arrays,
    rows,
)
from phil.problems.pairs import SPLIT_COUNTS, single_graph_set
from phil.problems.problem import ProblemSet
from phil.problems.source import ProblemSource, SetInfo, SetOptions, archive_info

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FOLDER = "graphs"
NAMES = ("cora", "citeseer", "pubmed", "coauthor_cs", "coauthor_physics")
COLUMNS = 128
REQUIRED = ("edge_index", "num_nodes", "x_indptr", "x_indices", "x_shape")


def open_citations(name: str, options: SetOptions) -> ProblemSet:
    """Random problems on one network."""
    full_name = f"citations/{name}"
    graph = read_citations(need_archive(FOLDER, name, fetch_hint(full_name), options.data))
    return single_graph_set(full_name, graph, seed=options.seed, count=options.count)


def read_citations(path: Path) -> Graph:
    """Read the network in a file."""
    arrays = read_arrays(path, REQUIRED, ["x_data"])
    try:
        return Graph.from_edges(
            int(arrays["num_nodes"]), arrays["edge_index"].T, _words(arrays)[:, :COLUMNS]
        )
    except (ValueError, TypeError, IndexError) as error:
        raise InputError(f"{path}: {one_line(error)}; download the file again") from error


def citations_info(name: str, data: Path | None) -> SetInfo:
    """Information about a network, without opening it."""
    return archive_info(
        f"citations/{name}",
        find_archive(FOLDER, name, data),
        REQUIRED,
        SPLIT_COUNTS,
        lambda headers: (1, rows(headers, "x_indptr") - 1),
        data,
    )


def _words(arrays: Arrays) -> csr_array:
    columns = arrays["x_indices"]
    counts = arrays.get("x_data", np.ones(columns.size, np.float32))
    words = sparse_matrix(counts, columns, arrays["x_indptr"], arrays["x_shape"])
    return words.astype(np.float32)


SOURCE = ProblemSource(
    "citations",
    members=lambda data: NAMES,
    open=open_citations,
    info=citations_info,
    downloader="phil.problems.download.graphs",
)
