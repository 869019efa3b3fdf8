"""What networkx reads about its backend "phil" when it is imported.

Not inside `phil`: networkx must not take the time to import all of that, and numba with it, for
users who never ask for the backend.
"""

from __future__ import annotations

from typing import Any


def get_info() -> dict[str, Any]:
    """What networkx shows in its documentation."""
    return {
        "backend_name": "phil",
        "project": "phil-search",
        "package": "phil",
        "short_summary": "Searches paths in a compiled engine.",
        "functions": {
            "astar_path": {"additional_docs": "The heuristic is a function in Python, or none."},
            "astar_path_length": {
                "additional_docs": "The heuristic is a function in Python, or none."
            },
            "shortest_path": {"additional_docs": "Only from one source to one target."},
        },
    }
