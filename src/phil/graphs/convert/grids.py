"""A map as a general graph, for programs and formats that know no maps."""

from __future__ import annotations

import numpy as np

from phil.arguments import of_type, takes
from phil.graphs.features.coordinates import project
from phil.graphs.graph import Graph
from phil.graphs.grid import GridGraph
from phil.memory import check_memory

ENTRY_BYTES = 40  # peak memory per cell and move


@takes(grid=of_type("a GridGraph", GridGraph))
def from_grid(grid: GridGraph) -> Graph:
    """Convert a map to a graph: a node for every free cell, an edge for every move.

    Parameters
    ----------
    grid : GridGraph
        The map.

    Returns
    -------
    Graph
        Undirected. Its labels are `ROW,COL` or `X,Y,Z`, its coordinates those of the cells (y up),
        its weights the costs of the moves; without weights if all moves cost 1. Nodes have the
        order of the cells, and neighbours that of the moves.

    Examples
    --------
    >>> graph = from_grid(GridGraph([[True, True], [False, True]]))
    >>> graph, graph.labels
    (Graph(nodes=3, edges=3, features=2, undirected), ('0,0', '0,1', '1,1'))
    """
    check_memory(ENTRY_BYTES * grid.num_nodes * grid.connectivity, f"{grid} as a graph")
    cells = np.argwhere(grid.free)
    stencil = grid.arrays.stencil
    sides = [side + 2 for side in grid.shape]
    places = np.asarray(np.ravel_multi_index(tuple((cells + 1).T), sides))[:, None]
    reached = stencil.cells[places + stencil.reach] > 0
    blocked = np.zeros(reached.shape, np.int64)
    for column in stencil.beside.T:
        blocked += stencil.cells[places + column] == 0
    node, move = np.nonzero(reached & (blocked <= stencil.spare))
    number = np.cumsum(grid.free.ravel()) - 1  # of every free cell, as a node
    targets = np.flatnonzero(grid.free)[node] + stencil.steps[move]
    costs = grid.arrays.move_costs[move]
    spots = grid.features[grid.node_ids, : grid.axes].astype(np.float64)
    return Graph(
        np.concatenate([[0], np.cumsum(np.bincount(node, minlength=len(cells)))]),
        number[targets],
        project(spots, geographic=False),  # as if it had been read from a file
        feature_names=grid.feature_names[: grid.axes],
        feature_groups=grid.feature_groups[:1],
        weights=None if (costs == 1).all() else costs,
        labels=[",".join(map(str, cell)) for cell in cells.tolist()],
        coordinates=spots,
    )
