"""The disk cache of kernels: shipped with the package, or compiled on this machine.

Each compiled function is one file, named after a hash of all that its code depends on: Numba and
its settings, Python, the sources, the CPU and the types of its arguments. So there is no index to
become stale or to be written by two processes at once. A file that is damaged is deleted, and
compiled anew. Numba's own cache is never used.
"""

from __future__ import annotations

import hashlib
import inspect
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import sigutils
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from phil.compiled.folder import user_folder
from phil.compiled.notice import announce_fault
from phil.compiled.shipped import Target, read_shipped, runs_shipped_code, shipped_target
from phil.compiled.sources import own_hash, stamp_of
from phil.compiled.turns import turns

FORMAT = b"phil kernel 1\n"
DIGEST_BYTES = hashlib.sha256().digest_size
# Of Numba's settings, those that change the code it writes (besides the CPU).
SETTINGS = (
    *("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "LLVM_REFPRUNE_PASS"),
    *("LLVM_REFPRUNE_FLAGS", "DEBUGINFO_DEFAULT", "EXTEND_VARIABLE_LIFETIMES", "DEBUG_JIT"),
    *("DEBUG_NRT", "NRT_STATS"),
)


class KernelCache(_Cache):  # type: ignore[misc]  # Numba has no types
    """The compiled versions of one function: what Numba asks before it compiles, and tells after.

    Numba holds its compiler lock while it calls this.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        self._name = f"{function.__module__}.{function.__qualname__}"
        # Taken when the function is defined: its file may be edited before its first call.
        # No source tells the values of a closure apart, nor the lambdas of one line.
        told_apart = function.__closure__ is None and "<lambda>" not in self._name
        self._stamp = stamp_of(inspect.getfile(function)) if told_apart else None
        self._own = self._stamp == own_hash()

    @property
    def cache_path(self) -> None:
        """No folder of its own."""

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The function as compiled for a signature, or None."""
        if self._own:
            # All that PHIL's kernels need; to load what compiling needs takes 0.2 seconds.
            rtsys.initialize(target_context)
        else:
            target_context.refresh()
        codegen = target_context.codegen()
        if runs_shipped_code() and (name := self.file_name(sig, shipped_target(codegen))):
            shipped = _unpack(name, read_shipped(name), sig, target_context)
            if shipped is not None:
                return shipped
        name = self.file_name(sig, _target(codegen))
        if name is None:
            return None
        kept = _kept(name, sig, target_context)
        if kept is None and user_folder().fault is None:
            # Another process may be compiling it, or have done so by now.
            turns.wait_for(user_folder().path / name)
            kept = _kept(name, sig, target_context)
            if kept is not None:
                turns.end(user_folder().path / name)
        return kept

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Keep what was compiled for a signature."""
        name = self.file_name(sig, _target(data.codegen))
        if name is not None and user_folder().fault is None:
            _save(name, data)
            turns.end(user_folder().path / name)

    def file_name(self, sig: Any, target: Target) -> str | None:
        """The name of the file for a signature and a target; None if the code cannot be kept."""
        if self._stamp is None:
            return None
        arguments, _ = sigutils.normalize_signature(sig)
        versions = numba.__version__, sys.implementation.cache_tag, getattr(sys, "abiflags", "")
        sources = self._stamp, self._name, self._function.__code__.co_firstlineno
        settings = [str(getattr(numba.config, name, None)) for name in SETTINGS]
        depends = versions, settings, sources, target, [str(type) for type in arguments]
        digest = hashlib.sha256(repr(depends).encode()).hexdigest()
        return f"{self._function.__name__}-{digest[:32]}.kernel"

    def enable(self) -> None:
        """Nothing: it always is."""

    def disable(self) -> None:
        """Nothing: files that others wrote are ignored as they are."""

    def flush(self) -> None:
        """Nothing: a file is never stale."""


def _kept(name: str, sig: Any, target_context: Any) -> CompileResult | None:
    """What the user's folder has under a name, if it is whole."""
    data = user_folder().read(name)
    if data is None:
        return None
    kept = _unpack(name, data, sig, target_context)
    if kept is None:
        user_folder().delete(name)
    else:
        _loaded.add(name)
    return kept


def _save(name: str, data: CompileResult) -> None:
    # Code with addresses of this process in it is useless to any other.
    if data.library.has_dynamic_globals:
        return
    try:
        packed = _pack(name, data)
    except Exception:
        return  # it names what has no form on disk, such as a struct of the user's own script
    folder = user_folder()
    folder.write(name, packed)
    if folder.fault is not None:
        announce_fault(folder.fault)


_loaded: set[str] = set()


def loaded_files() -> set[Path]:
    """The files of the user's cache that this process has loaded code from."""
    return {user_folder().path / name for name in _loaded}


def _target(codegen: Any) -> Target:
    triple, cpu, features = codegen.magic_tuple()
    return triple, cpu, features, numba.config.USING_SVML


def _pack(name: str, compiled: CompileResult) -> bytes:
    library, description, environment, signature, objectmode, lifted, _, *rest = compiled._reduce()
    # Without Numba's listing of the types: nothing reads it, and it has paths in it.
    kept = library, description, environment, signature, objectmode, lifted, "", *rest
    content = dumps(kept)
    return FORMAT + _digest(name, content) + content


def _unpack(name: str, data: bytes | None, sig: Any, target_context: Any) -> CompileResult | None:
    if data is None or not data.startswith(FORMAT):
        return None
    digest, content = data[len(FORMAT) :][:DIGEST_BYTES], data[len(FORMAT) + DIGEST_BYTES :]
    if digest != _digest(name, content):
        return None
    try:
        compiled = CompileResult._rebuild(target_context, *pickle.loads(content))
    except Exception:
        # Whatever is wrong with a file that was written whole: the sources are at hand.
        return None
    arguments, _ = sigutils.normalize_signature(sig)
    return compiled if compiled.signature.args == tuple(arguments) else None


def _digest(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + content).digest()
