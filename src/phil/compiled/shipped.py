"""Compiled code that comes with the package: the kernels of searches, in wheels for x86-64.

It is compiled for a microarchitecture level instead of one CPU, so every CPU of that level can run
it. It is as trusted as the package's own code, since it is installed with it, in its folder.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding

FOLDER = Path(__file__).parent / "shipped"
LEVEL = "x86-64-v3"  # LLVM's name of it
FEATURES = (
    *("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"),
    *("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"),
)

# What code is compiled for: LLVM's triple, CPU and features, and whether Intel's SVML is called.
Target = tuple[str, str, str, bool]


@cache
def runs_shipped_code() -> bool:
    """Whether the package has compiled code, this CPU can run it, and no other CPU is asked for."""
    config = numba.config
    asked = config.CPU_NAME is not None or config.CPU_FEATURES is not None or not config.ENABLE_AVX
    if asked or not FOLDER.is_dir():
        return False
    features = binding.get_host_cpu_features()
    return all(features.get(name) for name in FEATURES)


def shipped_target(codegen: Any) -> Target:
    """What the shipped code is compiled for, whatever this machine has."""
    return codegen.magic_tuple()[0], LEVEL, "", False


def read_shipped(name: str) -> bytes | None:
    """The content of a shipped file."""
    try:
        return (FOLDER / name).read_bytes()
    except OSError:
        return None
