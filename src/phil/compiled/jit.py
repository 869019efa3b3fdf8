"""The decorators of compiled kernels, the cache of compiled code, and the first-use notice.

Numba only checks the caller's own file to see whether a cached function is stale, so it would miss
an edited primitive in another file. The name of the cache folder therefore contains a hash of all
sources that define kernels.
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
    rb"^@(kernel|primitive|routine|allocating_kernel|instruction)|\((NamedTuple|Struct)\)",
    re.MULTILINE,
)


def kernel_sources(package: Path) -> list[Path]:
    """Every file of the package that defines a kernel or a tuple of arrays, in a fixed order.

    Kernels access a tuple's fields by position, so reordering them makes kernels stale. All files
    of this folder count, since they determine how kernels are compiled.
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
    """Where compiled code belongs: in `PHIL_CACHE` or the user's cache folder."""
    name = f"kernels-{source_hash(Path(__file__).parents[1])}"
    return Path(os.environ.get("PHIL_CACHE") or platformdirs.user_cache_dir("phil")) / name


@cache
def cache_folder() -> Path:
    """Where compiled code is kept: the lasting folder, or else a temporary one of this process."""
    folder = lasting_folder()
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    if os.access(folder, os.W_OK):
        return folder
    # Never a folder that others can write to: code read from it is executed.
    temporary = Path(tempfile.mkdtemp(prefix="phil-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return temporary


def kernel(function: Function) -> Function:
    """Compile a kernel: it works on the arrays it is given and allocates none.

    Without allocation Numba need not count references. Measured: with the counts, which are atomic
    and touched at every access to a field of a tuple of arrays, a search is several times slower.
    """
    return _compile(function, _nrt=False, no_cfunc_wrapper=True)


def allocating_kernel(function: Function) -> Function:
    """Compile a kernel that makes arrays of its own."""
    return _compile(function)


def instruction(function: Callable[..., Any]) -> Any:
    """A function that emits its own machine instructions (see `numba.extending.intrinsic`).

    Literal numbers in a call are passed as literal types.
    """
    return numba.extending.intrinsic(prefer_literal=True)(function)


def _compile(function: Function, **options: bool) -> Function:
    outside = numba.config.CACHE_DIR
    # Numba reads the folder when a function is decorated; other users of Numba keep their own.
    numba.config.CACHE_DIR = str(cache_folder())
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    finally:
        numba.config.CACHE_DIR = outside
    if isinstance(compiled, Dispatcher):  # a plain function where NUMBA_DISABLE_JIT is set
        _functions.append(compiled)
        # Numba calls this when it has no code yet for the types of a call's arguments.
        compiled._compile_for_args = _timed(compiled._compile_for_args)  # type: ignore[attr-defined]
    return cast(Function, compiled)


_functions: list[Dispatcher] = []


class _Waiting(threading.local):
    """The time that a thread has waited for kernels."""

    seconds = 0.0


_waiting = _Waiting()


def loading_seconds() -> float:
    """The time that this thread has waited so far for kernels to be compiled or loaded from disk.

    This happens at the first call of a kernel in a process, and is not part of a search's time.
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
    """How often this process compiled one of PHIL's functions because it was not cached on disk."""
    return sum(sum(function.stats.cache_misses.values()) for function in _functions)


class _Notice(Listener):  # type: ignore[misc]  # Numba has no types
    """Explains, at most once per process, why the first search takes so long.

    Numba emits the event only for code that is not cached, and while holding its compiler lock, so
    this is never run by two threads at once.
    """

    due = True

    def on_start(self, event: Event) -> None:
        """Print the notice if PHIL's own code is being compiled."""
        if self.due and event.data["dispatcher"] in _functions:
            self.due = False
            if sys.stderr is not None:
                with contextlib.suppress(OSError, ValueError):  # stderr may be closed
                    print(compiling_notice(), file=sys.stderr, flush=True)

    def on_end(self, event: Event) -> None:
        """Do nothing."""


def compiling_notice() -> str:
    """The notice printed when PHIL is compiled for the first time on a machine."""
    if cache_folder() == lasting_folder():
        return "phil: compiling for this machine, once: up to a minute (phil warmup does it ahead)"
    return (
        "phil: compiling for up to a minute, and again in every process, because "
        f"{lasting_folder()} is not writable; set PHIL_CACHE to a folder that is"
    )


def compile_quietly() -> None:
    """Suppress the notice in this process, because the caller reports compilation itself."""
    _notice.due = False


_notice = _Notice()
register("numba:compile", _notice)
