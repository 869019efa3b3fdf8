"""All features, and recipes: which features to add, in which order (`degree,landmarks:16`)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from phil.arguments import TEXT, takes
from phil.errors import InputError, unknown_name
from phil.graphs.features.coordinates import COORDINATES
from phil.graphs.features.degree import DEGREE
from phil.graphs.features.feature import Feature
from phil.graphs.features.hashed import HASH
from phil.graphs.features.landmarks import HOPS, LANDMARKS
from phil.graphs.features.laplacian import LAPLACIAN
from phil.graphs.features.neighbourhood import NEIGHBOURHOOD
from phil.graphs.features.node2vec import NODE2VEC

FEATURES: dict[str, Feature] = {
    feature.name: feature
    for feature in (
        DEGREE,
        NEIGHBOURHOOD,
        LANDMARKS,
        HOPS,
        LAPLACIAN,
        NODE2VEC,
        COORDINATES,
        HASH,
    )
}
MOST = 1024  # columns of one feature; more is surely a mistake


@dataclass(frozen=True)
class Item:
    """One feature of a recipe, with its size k (0 if it takes none)."""

    feature: Feature
    k: int

    def __str__(self) -> str:
        return f"{self.feature.name}:{self.k}" if self.k else self.feature.name


@takes(recipe=TEXT)
def parse_recipe(recipe: str) -> tuple[Item, ...]:
    """The features of a recipe, in order.

    >>> [str(item) for item in parse_recipe("landmarks, degree")]
    ['landmarks:16', 'degree']
    """
    if not recipe.strip():
        return ()
    items = tuple(_item(word.strip(), recipe) for word in recipe.split(","))
    names = [item.feature.name for item in items]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise InputError(f"the features {recipe!r} name {twice} more than once; remove one")
    return items


def canonical(recipe: str) -> str:
    """The recipe as written in files: with all sizes, without spaces.

    >>> canonical("landmarks, degree")
    'landmarks:16,degree'
    """
    return ",".join(map(str, parse_recipe(recipe)))


def _item(word: str, recipe: str) -> Item:
    name, colon, number = word.partition(":")
    if not name:
        raise InputError(
            f"the features {recipe!r} contain an empty name; "
            "separate names with commas, such as degree,landmarks:16"
        )
    if name not in FEATURES:
        raise unknown_name("feature", name, FEATURES)
    feature = FEATURES[name]
    if feature.default is None:
        if colon:
            raise InputError(f"the feature {name} takes no number; write {name}, not {word!r}")
        return Item(feature, 0)
    if not colon:
        return Item(feature, feature.default)
    if not re.fullmatch("[0-9]{1,9}", number, re.ASCII) or not 1 <= int(number) <= MOST:
        raise InputError(
            f"the feature {word!r}: the number must be an integer in 1..{MOST}, "
            f"such as {name}:{feature.default}"
        )
    return Item(feature, int(number))
