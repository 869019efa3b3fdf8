"""Graphs and maps from files and to files, one module a format."""

from phil.graphs.formats.image import read_map
from phil.graphs.formats.movingai import Scenario, read_movingai_map, read_scenarios
from phil.graphs.formats.registry import read_graph, write_graph

__all__ = [
    "Scenario",
    "read_graph",
    "read_map",
    "read_movingai_map",
    "read_scenarios",
    "write_graph",
]
