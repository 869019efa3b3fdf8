"""Where work runs: in this process, in other processes, or on a Ray cluster.

Work is a function of what all of it shares (graphs, heuristics) and one item. Results belong to
items, never to workers, so they are the same wherever the work runs.
"""

from phil.workers.choice import LOCAL, ON, open_workers
from phil.workers.lost import WorkerLostWarning
from phil.workers.workers import Workers

__all__ = ["LOCAL", "ON", "WorkerLostWarning", "Workers", "open_workers"]
