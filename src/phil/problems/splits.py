"""Splitting by names alone: the same on every machine, for every seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

SPLITS = ("train", "validation", "test")


def shuffled_split(names: Iterable[str]) -> dict[str, list[str]]:
    """The distinct names, sorted, in three parts: about 80, 10 and 10 of a hundred.

    Ordering by SHA-256 shuffles them. A tenth, rounded but at least one, goes to `test`, as many to
    `validation`, the rest to `train`; two are `train` and `validation`, and one is `train`.

    >>> {split: len(part) for split, part in shuffled_split(map(str, range(20))).items()}
    {'train': 16, 'validation': 2, 'test': 2}
    """
    shuffled = sorted(set(names), key=lambda name: hashlib.sha256(name.encode()).digest())
    tenth = max(1, round(len(shuffled) / 10))
    test = tenth if len(shuffled) > 2 else 0
    validation = tenth if len(shuffled) > 1 else 0
    return {
        "train": sorted(shuffled[test + validation :]),
        "validation": sorted(shuffled[test : test + validation]),
        "test": sorted(shuffled[:test]),
    }
