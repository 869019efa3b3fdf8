"""Compiling with Numba: decorators for kernels, their cache, and kernels shared by networks."""

from phil.compiled.jit import (
    allocating_kernel,
    cache_folder,
    cache_misses,
    compile_quietly,
    compiled_functions,
    compiling_notice,
    instruction,
    kernel,
    kernel_sources,
    lasting_folder,
    loading_seconds,
    primitive,
    source_hash,
)

__all__ = [
    "allocating_kernel",
    "cache_folder",
    "cache_misses",
    "compile_quietly",
    "compiled_functions",
    "compiling_notice",
    "instruction",
    "kernel",
    "kernel_sources",
    "lasting_folder",
    "loading_seconds",
    "primitive",
    "source_hash",
]
