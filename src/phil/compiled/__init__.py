"""Compiling with Numba: decorators for kernels, their cache, and kernels shared by networks."""

from phil.compiled.cache import loaded_files
from phil.compiled.folder import user_folder
from phil.compiled.jit import (
    allocating_kernel,
    cache_misses,
    compiled_functions,
    direct,
    instruction,
    kernel,
    loading_seconds,
)
from phil.compiled.notice import compile_quietly, compiling_notice
from phil.compiled.primitive import primitive, routine
from phil.compiled.sources import kernel_sources, source_hash
from phil.compiled.struct import Array1, Array2, Array3, Struct

__all__ = [
    "Array1",
    "Array2",
    "Array3",
    "Struct",
    "allocating_kernel",
    "cache_misses",
    "compile_quietly",
    "compiled_functions",
    "compiling_notice",
    "direct",
    "instruction",
    "kernel",
    "kernel_sources",
    "loaded_files",
    "loading_seconds",
    "primitive",
    "routine",
    "source_hash",
    "user_folder",
]
