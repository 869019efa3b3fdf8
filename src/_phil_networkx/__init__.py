"""Metadata of the networkx backend "phil", which networkx reads when it is imported.

It is not part of the package `phil`, so that importing networkx does not import phil and numba.
"""

from __future__ import annotations

from typing import Any


def get_info() -> dict[str, Any]:
    """The metadata that networkx shows in its documentation."""
    astar = {"additional_docs": "The heuristic is a Python function or None."}
    return {
        "backend_name": "phil",
        "project": "phil-search",
        "package": "phil",
        "short_summary": "Finds paths with a compiled search engine.",
        "functions": {
            "astar_path": astar,
            "astar_path_length": astar,
            "shortest_path": {"additional_docs": "Only from one source to one target."},
        },
    }
