"""One query, asked of PHIL and of the libraries that users would take instead of it."""

from benchmarks.speed.peers import (
    igraph_peer,
    networkx_peer,
    ours,
    pathfinding_peer,
    pyastar2d_peer,
    rustworkx_peer,
    scipy_peer,
    skimage_peer,
    tcod_peer,
)

PEERS = (
    *ours.PEERS,
    *pyastar2d_peer.PEERS,
    *tcod_peer.PEERS,
    *skimage_peer.PEERS,
    *scipy_peer.PEERS,
    *igraph_peer.PEERS,
    *rustworkx_peer.PEERS,
    *networkx_peer.PEERS,
    *pathfinding_peer.PEERS,
)

__all__ = ["PEERS"]
