"""PHIL's learned heuristic: the network, its compiled forward pass, its file."""

from phil.heuristics.phil.file import HeuristicMetadata
from phil.heuristics.phil.heuristic import PhilHeuristic, read_heuristic, write_heuristic

__all__ = ["HeuristicMetadata", "PhilHeuristic", "read_heuristic", "write_heuristic"]
