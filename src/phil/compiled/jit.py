"""The decorators of every compiled kernel, where compiled code is kept, and the first-use notice.

Numba asks only the caller's own file whether a cached function is stale, so an edited primitive in
another file would be answered from the old cache. The cache folder's name therefore contains a hash
of all sources of the package that hold kernels.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numba.extending
import platformdirs
from numba.core.dispatcher import Dispatcher
from numba.core.event import Event, Listener, register

Function = TypeVar("Function", bound=Callable[..., object])

KERNEL_CODE = re.compile(
    rb"^@(kernel|primitive|allocating_kernel|instruction)|\(NamedTuple\)", re.MULTILINE
)


def kernel_sources(package: Path) -> list[Path]:
    """Every file of the package that defines a kernel or a tuple of arrays, in a fixed order.

    Kernels find a tuple's fields by position, so they are stale when its fields change places.
    All files of this folder count: they decide how kernels are compiled.
    """
    shared = package / "compiled"
    return [
        path
        for path in sorted(package.rglob("*.py"))
        if path.is_relative_to(shared) or KERNEL_CODE.search(path.read_bytes())
    ]


def source_hash(package: Path) -> str:
    """A hash that changes when any kernel source changes."""
    digest = hashlib.sha256()
    for path in kernel_sources(package):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def lasting_folder() -> Path:
    """Where compiled code should be kept: in `PHIL_CACHE` or the user's cache."""
    name = f"kernels-{source_hash(Path(__file__).parents[1])}"
    return Path(os.environ.get("PHIL_CACHE") or platformdirs.user_cache_dir("phil")) / name


@cache
def cache_folder() -> Path:
    """Where compiled code is kept: the lasting folder, or one for this process if it must."""
    folder = lasting_folder()
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    if os.access(folder, os.W_OK):
        return folder
    # Never a folder in a place that others can write to: what is read from it is run.
    temporary = Path(tempfile.mkdtemp(prefix="phil-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return temporary


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
    if isinstance(compiled, Dispatcher):  # a plain function where NUMBA_DISABLE_JIT is set
        _functions.append(compiled)
        # What Numba calls when it has no code for the types of a call's arguments.
        compiled._compile_for_args = _timed(compiled._compile_for_args)  # type: ignore[attr-defined]
    return cast(Function, compiled)


_functions: list[Dispatcher] = []


class _Waiting(threading.local):
    """How long a thread has waited for kernels."""

    seconds = 0.0


_waiting = _Waiting()


def loading_seconds() -> float:
    """How long this thread has waited for kernels to be compiled, or read from the disk, so far.

    This happens at the first call of a kernel in a process, and is not what a search costs.
    """
    return _waiting.seconds


def _timed(prepare: Callable[..., Any]) -> Callable[..., Any]:
    def timed(*arguments: Any, **options: Any) -> Any:
        began = time.perf_counter()
        try:
            return prepare(*arguments, **options)
        finally:
            _waiting.seconds += time.perf_counter() - began

    return timed


def compiled_functions() -> tuple[Dispatcher, ...]:
    """Every kernel and primitive of the modules imported so far."""
    return tuple(_functions)


def cache_misses() -> int:
    """How often this process had to compile one of PHIL's functions, not finding it on the disk."""
    return sum(sum(function.stats.cache_misses.values()) for function in _functions)


class _Notice(Listener):  # type: ignore[misc]  # Numba has no types
    """Says, at most once in a process, why the first search takes so long.

    Numba starts the event only for what is not in its cache, and while it holds the lock of its
    compiler: no two threads are in here.
    """

    due = True

    def on_start(self, event: Event) -> None:
        """Speak up if it is PHIL's code that is compiled, not that of another user of Numba."""
        if self.due and event.data["dispatcher"] in _functions:
            self.due = False
            if sys.stderr is not None:
                with contextlib.suppress(OSError, ValueError):  # closed: no reason to stop
                    print(compiling_notice(), file=sys.stderr, flush=True)

    def on_end(self, event: Event) -> None:
        """Nothing to say."""


def compiling_notice() -> str:
    """What is said while PHIL is compiled for the first time on a machine."""
    if cache_folder() == lasting_folder():
        return "phil: compiling for this machine, once: up to a minute (phil warmup does it ahead)"
    return (
        "phil: compiling for up to a minute, and again in every process, since "
        f"{lasting_folder()} cannot be written to; set PHIL_CACHE to a folder that can"
    )


def compile_quietly() -> None:
    """Give no notice in this process: its user is told of the compilation in another way."""
    _notice.due = False


_notice = _Notice()
register("numba:compile", _notice)
