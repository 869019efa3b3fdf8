"""PHIL's learned heuristic: the network, its compiled forward pass and its file."""

from phil.heuristics.phil.heuristic import PhilHeuristic, PhilMetadata, read_heuristic

__all__ = ["PhilHeuristic", "PhilMetadata", "read_heuristic"]
