"""Seeded random maps of the eight grid families, in any shape and number.

Shapes, positions and counts were measured on the public training maps (Bhardwaj, Choudhury and
Scherer, 2017) and agree with the parameters in the authors' scripts where those are public
(`sanjibanc/matlab_learning_collision_checking`). Lengths are fractions of the map's sides. Four
public families repeat maps because they vary little; here their walls vary slightly more.
"""

from phil.problems.generated.maps import FAMILIES, generate_map, generate_maps

__all__ = ["FAMILIES", "generate_map", "generate_maps"]
