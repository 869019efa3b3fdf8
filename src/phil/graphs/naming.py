"""What users call nodes: labels on a graph, cells on a map."""

from __future__ import annotations

import re
from itertools import islice

from phil.errors import InputError
from phil.graphs.graph import Graph
from phil.graphs.grid import GridGraph

SHOWN = 3  # labels that an error names as examples
LONGEST = 60  # characters of a wrong label that an error repeats

NodeName = str | list[int]  # in JSON


def find_node(graph: Graph | GridGraph, text: str) -> int:
    """The node that a text names: a label (a number without labels), ROW,COL or X,Y,Z.

    >>> graph = Graph.from_edges(2, [(0, 1)], labels=["home", "work"])
    >>> find_node(graph, "work"), find_node(GridGraph([[True, True, True]]), "0,2")
    (1, 2)
    """
    if isinstance(graph, GridGraph):
        return find_cell(graph, text.split(","), text)
    node = graph.nodes_by_label.get(text)
    if node is None:
        node = graph.nodes_by_label.get(text.strip())
    if node is None:
        raise InputError(f"the graph has no node {_short(text)}; {_known(graph)}")
    return node


def find_cell(grid: GridGraph, parts: list[str], text: str) -> int:
    """The node of a free cell by the texts of its numbers; errors repeat the whole `text`."""
    if len(parts) != len(grid.shape) or not all(_is_number(part) for part in parts):
        raise InputError(f"a cell of this map is {cell_form(grid)}, not {_short(text)}")
    return grid.check_node(grid.node(*map(int, parts)), "the cell")


def cell_form(grid: GridGraph) -> str:
    """How a cell of a map is written."""
    return "ROW,COL such as 0,200" if len(grid.shape) == 2 else "X,Y,Z such as 0,10,200"


def node_name(graph: Graph | GridGraph, node: int) -> NodeName:
    """A node as JSON shows it: its label, or the numbers of its cell.

    >>> node_name(GridGraph([[True, True, True]]), 2)
    [0, 2]
    """
    return list(graph.cell(node)) if isinstance(graph, GridGraph) else graph.label(node)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\s*-?\d{1,9}\s*", text, re.ASCII) is not None


def _known(graph: Graph) -> str:
    if graph.labels is None:
        return f"its nodes are the numbers 0..{graph.num_nodes - 1}"
    first = ", ".join(_short(label) for label in islice(graph.labels, SHOWN))
    more = ", ..." if graph.num_nodes > SHOWN else ""
    return f"its {graph.num_nodes} nodes are {first}{more}"


def _short(text: str) -> str:
    return repr(text if len(text) <= LONGEST else f"{text[:LONGEST]}...")
