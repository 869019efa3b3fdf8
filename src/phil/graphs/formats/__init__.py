"""Reading graphs and maps from files, one module a format."""

from phil.graphs.formats.image import read_map
from phil.graphs.formats.movingai import Scenario, read_movingai_map, read_scenarios

__all__ = ["Scenario", "read_map", "read_movingai_map", "read_scenarios"]
