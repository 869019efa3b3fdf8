"""Reading and writing graphs and maps; each format is one module, listed once in `registry`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from phil.graphs.formats.format import Format
from phil.graphs.formats.registry import read_graph, register_format, write_graph
from phil.graphs.formats.source import line_error, read_bytes, read_lines

if TYPE_CHECKING:
    from phil.graphs.formats.image import read_map
    from phil.graphs.formats.mapped import write_mapped
    from phil.graphs.formats.movingai import Scenario, read_movingai_map, read_scenarios
    from phil.graphs.formats.ros import RosMap, read_ros_description, read_ros_map
    from phil.graphs.formats.voxels import VoxelScenario, read_3d_scenarios, read_3dmap

__all__ = [
    "Format",
    "RosMap",
    "Scenario",
    "VoxelScenario",
    "line_error",
    "read_3d_scenarios",
    "read_3dmap",
    "read_bytes",
    "read_graph",
    "read_lines",
    "read_map",
    "read_movingai_map",
    "read_ros_description",
    "read_ros_map",
    "read_scenarios",
    "register_format",
    "write_graph",
    "write_mapped",
]

# Imported on first use, to keep start-up fast.
_LAZY = {
    "image": ("read_map",),
    "mapped": ("write_mapped",),
    "movingai": ("Scenario", "read_movingai_map", "read_scenarios"),
    "ros": ("RosMap", "read_ros_description", "read_ros_map"),
    "voxels": ("VoxelScenario", "read_3d_scenarios", "read_3dmap"),
}


def __getattr__(name: str) -> Any:
    for module, names in _LAZY.items():
        if name in names:
            return getattr(import_module(f"phil.graphs.formats.{module}"), name)
    raise AttributeError(f"module 'phil.graphs.formats' has no attribute '{name}'")
