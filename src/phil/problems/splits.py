"""How problems are split, by names alone: the same on every machine, for every seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from phil.errors import InputError

SPLITS = ("train", "validation", "test")
VALIDATION_SHARE = 10  # training problems for one to choose by


def split_counts(usual: Mapping[str, int], count: int | None) -> dict[str, int]:
    """How many problems a set has: the usual, or `count` to learn from and as many to report.

    >>> split_counts({"train": 600, "validation": 60, "test": 100}, 50)
    {'train': 50, 'validation': 5, 'test': 50}
    """
    if count is None:
        return dict(usual)
    if count < 1:
        raise InputError(f"--count must be at least 1, not {count}")
    return {"train": count, "validation": max(1, count // VALIDATION_SHARE), "test": count}


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
