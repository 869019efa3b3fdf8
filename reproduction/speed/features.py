"""`python -m reproduction features SET ...`: what each feature costs on the graph of a problem set.

Prints a table in Markdown: the seconds of one core to compute a feature and to read it from the
disk, and what shortest paths between all pairs of nodes would take, estimated from a few.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from phil.cli.output import say
from phil.errors import InputError
from phil.graphs import Graph
from phil.graphs.distances import costs_from, hops_from
from phil.graphs.features import store
from phil.graphs.features.add import check_cost
from phil.graphs.features.registry import Item, parse_recipe
from phil.problems import open_set
from reproduction.experiment import Request

RECIPE = "degree,neighbourhood,coordinates,landmarks,laplacian,node2vec"
SWEEPS = 10  # from so many nodes, for the time of all
LINE = Graph.from_edges(3, [(0, 1), (1, 2)], [[0.0]] * 3, weights=[1.0, 1.0])


def run(request: Request, names: Sequence[str]) -> bool:
    """Measure the features on the graph of every set named."""
    say("| graph | feature | columns | seconds | from the disk |", "|---|---|---|---|---|")
    for name in names:
        graph = open_set(name, data=request.data).test[0].graph
        if graph.is_grid:
            raise InputError(f"{name}: features are added to graphs; this is a grid")
        for row in rows(graph):
            say(f"| {' | '.join((name, *row))} |")
    return True


def rows(graph: Graph) -> Iterator[tuple[str, str, str, str]]:
    """What every feature costs, then what all pairs would."""
    for item in parse_recipe(RECIPE):
        try:
            item.feature.check(graph)
            check_cost(graph, item)
        except InputError as refusal:
            yield str(item), "-", f"refused: {refusal}", "-"
            continue
        yield measured(graph, item)
    sweep = hops_from if graph.weights is None else costs_from
    sweep(graph, 0)  # compiled, if it was not
    began = time.process_time()
    for node in range(SWEEPS):
        sweep(graph, node * graph.num_nodes // SWEEPS)
    seconds = (time.process_time() - began) / SWEEPS * graph.num_nodes
    yield "(all pairs)", str(graph.num_nodes), f"{seconds:.3g}", "-"


def measured(graph: Graph, item: Item) -> tuple[str, str, str, str]:
    """One row of the table."""
    if item.feature.kept:
        item.feature.compute(LINE, 1)  # compiled, if it was not
    began = time.process_time()
    table = item.feature.compute(graph, item.k)
    seconds = time.process_time() - began
    reading = "-"
    if item.feature.kept:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.npy"
            store.write(path, table)
            began = time.process_time()
            store.place_of(graph, str(item))
            store.read(path, table.shape)
            reading = f"{time.process_time() - began:.3g}"
    columns = item.feature.columns(graph, item.k)
    return str(item), str(len(columns.names)), f"{seconds:.3g}", reading
