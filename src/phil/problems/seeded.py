"""Random draws that are the same on every machine."""

from __future__ import annotations

import hashlib

import numpy as np


def seeded(*key: object) -> np.random.Generator:
    """A random generator that depends on this key alone.

    >>> seeded(0, "train").integers(10**6) == seeded(0, "train").integers(10**6)
    np.True_
    """
    digest = hashlib.sha256("/".join(map(str, key)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))
