"""The decorators of compiled kernels, and what a process has compiled or waited for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numba.extending
from numba.core.dispatcher import Dispatcher
from numba.core.event import Event, Listener, register

from phil.compiled.cache import KernelCache
from phil.compiled.notice import announce_compiling

Function = TypeVar("Function", bound=Callable[..., object])


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
    compiled = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if isinstance(compiled, Dispatcher):  # a plain function where NUMBA_DISABLE_JIT is set
        _functions.append(compiled)
        _prepare(cast(Any, compiled), KernelCache(function))  # Numba has no types for it
    return cast(Function, compiled)


def _prepare(compiled: Any, cache: KernelCache) -> None:
    compiled._cache = cache  # as Numba's option `cache` sets its own
    # Numba calls these when it meets an argument of a new type, and when it has no code yet for the
    # types of a call's arguments.
    compiled.typeof_pyval = _timed(compiled.typeof_pyval)
    compiled._compile_for_args = _timed(compiled._compile_for_args)


def direct(function: Function) -> Function:
    """The compiled code of a kernel, called without looking up the types of its arguments.

    The look-up takes a third of a microsecond per struct. This is for kernels that Python calls
    once per expansion and that have one version: they take nothing but structs and integers. Until
    it has been compiled, it is the kernel itself.
    """
    code: Function = _code.get(function) or _code_of(function)
    return code


def _code_of(function: Callable[..., Any]) -> Any:
    versions = list(function.overloads.values()) if isinstance(function, Dispatcher) else []
    if len(versions) != 1:
        return function
    _code[function] = versions[0].entry_point
    return _code[function]


_code: dict[Callable[..., Any], Any] = {}  # of kernels called directly
_functions: list[Dispatcher] = []


class _Waiting(threading.local):
    """The time that a thread has waited for kernels."""

    seconds = 0.0
    now = False


_waiting = _Waiting()


def loading_seconds() -> float:
    """The time that this thread has waited so far for kernels to be compiled or loaded from disk.

    This happens at the first call of a kernel in a process, and is not part of a search's time.
    """
    return _waiting.seconds


def _timed(prepare: Callable[..., Any]) -> Callable[..., Any]:
    def timed(*arguments: Any, **options: Any) -> Any:
        if _waiting.now:  # one of them calls the other
            return prepare(*arguments, **options)
        began, _waiting.now = time.perf_counter(), True
        try:
            return prepare(*arguments, **options)
        finally:
            _waiting.seconds += time.perf_counter() - began
            _waiting.now = False

    return timed


def compiled_functions() -> tuple[Dispatcher, ...]:
    """Every kernel of the modules imported so far."""
    return tuple(_functions)


def cache_misses() -> int:
    """How often this process compiled one of PHIL's functions because it was not cached on disk."""
    return sum(sum(function.stats.cache_misses.values()) for function in _functions)


class _Notice(Listener):  # type: ignore[misc]  # Numba has no types
    """Announces the first compilation of a function of PHIL.

    Numba emits the event only for code that is not cached, and while holding its compiler lock, so
    this is never run by two threads at once.
    """

    def on_start(self, event: Event) -> None:
        """Announce it if PHIL's own code is being compiled."""
        if event.data["dispatcher"] in _functions:
            announce_compiling()

    def on_end(self, event: Event) -> None:
        """Do nothing."""


register("numba:compile", _Notice())
