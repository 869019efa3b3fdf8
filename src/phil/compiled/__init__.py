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
    source_hash,
)
from phil.compiled.primitive import primitive, routine
from phil.compiled.struct import Array1, Array2, Array3, Struct

__all__ = [
    "Array1",
    "Array2",
    "Array3",
    "Struct",
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
    "routine",
    "source_hash",
]
