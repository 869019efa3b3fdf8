"""Reading graphs and maps from files, one module a format."""

from phil.graphs.formats.image import read_map

__all__ = ["read_map"]
