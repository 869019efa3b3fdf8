"""PHIL's learned heuristic: the network, its compiled forward pass, its file."""

from phil.heuristics.phil.heuristic import PhilHeuristic, read_heuristic
from phil.heuristics.phil.metadata import PhilMetadata

__all__ = ["PhilHeuristic", "PhilMetadata", "read_heuristic"]
