"""Seeded maps of the eight grid families, for any shape and any number.

Shapes, positions and counts were measured on the public train maps (Bhardwaj, Choudhury and
Scherer, 2017) and agree with the parameters in the authors' scripts where those are public
(`sanjibanc/matlab_learning_collision_checking`). Lengths are fractions of the map's sides.
Four public families repeat maps because little in them varies; here their walls vary a little more.
"""

from phil.problems.generated.maps import FAMILIES, generate_map, generate_maps

__all__ = ["FAMILIES", "generate_map", "generate_maps"]
