"""The manifest of the public maps: SHA-256 sums by which a copy of them is known to be whole.

The sums are of decoded maps, so they hold for the PNG files and the .npz files alike. The sum of a
map is the SHA-256 of its shape (`"<rows>x<columns>\\n"`) and its free cells, packed eight to a byte
row by row; the sum of a split is the SHA-256 of its maps' sums in order. The manifest keeps a
split's sum whole and the first 8 hex digits of each map's, so that an error can name the map.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from importlib import resources
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError

FILE = "grids_manifest.json"
DIGITS = 8

Maps = dict[int, NDArray[np.bool_]]  # the maps of a split by their public number, in order


class SplitSums(TypedDict):
    """The sums of one split: `maps` holds 8 hex digits a map, without separators."""

    sha256: str
    maps: str


Manifest = dict[str, dict[str, SplitSums]]  # by family and split


def map_sum(free: NDArray[np.bool_]) -> bytes:
    """The SHA-256 of one map's shape and cells."""
    size = "x".join(map(str, free.shape))
    return hashlib.sha256(f"{size}\n".encode() + np.packbits(free).tobytes()).digest()


def split_sums(maps: Maps) -> SplitSums:
    """The sums of a split's maps."""
    sums = [map_sum(free) for free in maps.values()]
    return {
        "sha256": hashlib.sha256(b"".join(sums)).hexdigest(),
        "maps": "".join(one.hex()[:DIGITS] for one in sums),
    }


def make_manifest(families: Mapping[str, Mapping[str, Maps]]) -> Manifest:
    """The manifest of all maps by family and split."""
    return {
        family: {split: split_sums(maps) for split, maps in splits.items()}
        for family, splits in families.items()
    }


def read_manifest() -> Manifest:
    """The manifest of the public maps that comes with the package."""
    manifest: Manifest = json.loads(resources.files("phil.problems").joinpath(FILE).read_text())
    return manifest


def check_split(name: str, maps: Maps, known: SplitSums) -> None:
    """Raise an error that names the first map which is not the known one."""
    found = split_sums(maps)
    if found == known:
        return
    expected = len(known["maps"]) // DIGITS
    if len(maps) != expected:
        raise InputError(f"{name} has {len(maps)} of its {expected} maps; fetch it again")
    which = f"a map of {name}"
    for at, number in enumerate(maps):
        digits = slice(at * DIGITS, (at + 1) * DIGITS)
        if found["maps"][digits] != known["maps"][digits]:
            which = f"{name}/{number}"
            break
    raise InputError(
        f"{which} is not the public map: its SHA-256 differs from the manifest's; fetch it again"
    )
