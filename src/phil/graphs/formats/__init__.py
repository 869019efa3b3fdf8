"""Graphs and maps from files and to files, one module a format."""

from phil.graphs.formats.image import read_map
from phil.graphs.formats.movingai import Scenario, read_movingai_map, read_scenarios
from phil.graphs.formats.registry import read_graph, write_graph
from phil.graphs.formats.ros import RosMap, read_ros_description, read_ros_map
from phil.graphs.formats.voxels import VoxelScenario, read_3d_scenarios, read_3dmap

__all__ = [
    "RosMap",
    "Scenario",
    "VoxelScenario",
    "read_3d_scenarios",
    "read_3dmap",
    "read_graph",
    "read_map",
    "read_movingai_map",
    "read_ros_description",
    "read_ros_map",
    "read_scenarios",
    "write_graph",
]
