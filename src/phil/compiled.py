"""The decorator of every compiled kernel, and where compiled code is kept.

Numba asks only the caller's own file whether a cached function is stale, so an edited primitive in
another file would be answered from the old cache. The cache folder's name therefore contains a hash
of all sources of the package that hold kernels.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numba.extending
import platformdirs

Function = TypeVar("Function", bound=Callable[..., object])

KERNEL_CODE = re.compile(
    rb"^@(kernel|primitive|allocating_kernel|instruction)|\(NamedTuple\)", re.MULTILINE
)


def kernel_sources(package: Path) -> list[Path]:
    """Every file of the package that defines a kernel or a tuple of arrays, in a fixed order.

    Kernels find a tuple's fields by position, so they are stale when its fields change places.
    """
    return [path for path in sorted(package.rglob("*.py")) if KERNEL_CODE.search(path.read_bytes())]


def source_hash(package: Path) -> str:
    """A hash that changes when any kernel source changes."""
    digest = hashlib.sha256()
    for path in kernel_sources(package):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """The writable folder of compiled code: `PHIL_CACHE`, the user's cache, or a temporary one."""
    name = f"kernels-{source_hash(Path(__file__).parent)}"
    folder = Path(os.environ.get("PHIL_CACHE") or platformdirs.user_cache_dir("phil")) / name
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    if os.access(folder, os.W_OK):
        return folder
    # Never a folder in a place that others can write to: what is read from it is run.
    return Path(tempfile.mkdtemp(prefix="phil-"))


def kernel(function: Function) -> Function:
    """Compile a kernel: it works on the arrays it is given and allocates none.

    Without allocation Numba need not count references. Measured: with the counts, which are atomic
    and touched at every access to a field of a tuple of arrays, a search is several times slower.
    """
    return _compile(function, _nrt=False)


def primitive(function: Function) -> Function:
    """A kernel that is copied into its callers: tuples of arrays are passed by value."""
    return _compile(function, _nrt=False, forceinline=True)


def allocating_kernel(function: Function) -> Function:
    """Compile a kernel that makes arrays of its own."""
    return _compile(function)


def instruction(function: Callable[..., Any]) -> Any:
    """A function that writes its own machine instructions (see `numba.extending.intrinsic`).

    Numbers that stand in a call are given to it as literal types.
    """
    return numba.extending.intrinsic(prefer_literal=True)(function)


def _compile(function: Function, **options: bool) -> Function:
    outside = numba.config.CACHE_DIR
    # The folder is read when the function is decorated; other users of Numba keep their own.
    numba.config.CACHE_DIR = str(cache_folder())
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    finally:
        numba.config.CACHE_DIR = outside
    return cast(Function, compiled)
