"""Primitives and routines: functions that are compiled only as parts of kernels."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.typed_passes import NativeLowering

from phil.compiled.jit import kernel

Function = TypeVar("Function", bound=Callable[..., object])


def primitive(function: Function) -> Function:
    """A function that is copied to every place where a kernel calls it.

    By default, Numba optimizes every function on its own, translates it to machine code and writes
    two wrappers for calls from outside. Parts of kernels need none of that, since kernels are
    optimized as a whole. Measured, it is most of the time of compiling.

    A primitive can also be called from Python, where it is compiled as a kernel of its own; each
    call then takes some microseconds more.
    """
    return _part(function, forceinline=True)


def routine(function: Function) -> Function:
    """A part of kernels, like a primitive, but too long to be copied to every place."""
    return _part(function)


def _part(function: Function, **options: bool) -> Function:
    compiled = numba.njit(
        nogil=True,
        error_model="numpy",
        _nrt=False,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=_PartCompiler,
        **options,
    )(function)
    if isinstance(compiled, Dispatcher):  # a plain function where NUMBA_DISABLE_JIT is set
        _make_part(cast(Any, compiled))  # Numba has no types for what it changes
    return cast(Function, compiled)


def _make_part(part: Any) -> None:
    resolve = part.get_call_template

    def template(arguments: tuple[types.Type, ...], named: dict[str, types.Type]) -> Any:
        # One version for all widths of integers: the caller extends them.
        wide = {name: _widened(kind) for name, kind in named.items()}
        return resolve(tuple(_widened(kind) for kind in arguments), wide)

    @cache
    def whole() -> Any:
        return kernel(part.py_func)

    part.get_call_template = template
    # A call from Python finds no code of the primitive, and so asks to compile it: as a kernel.
    part._insert = lambda *_, **__: None
    part._compile_for_args = lambda *given, **named: whole()._compile_for_args(*given, **named)


def _widened(kind: types.Type) -> types.Type:
    plain = types.unliteral(kind)
    narrow = isinstance(plain, types.Integer) and (plain.bitwidth < 64)
    return types.int64 if narrow else kind


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):  # type: ignore[misc]  # Numba has no types
    """Lowers a function to LLVM's code, and leaves the rest to the kernel."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        library = state.targetctx.codegen().create_library(state.func_id.func_qualname)
        library.enable_object_caching()
        library._optimize_final_module = lambda: None
        library._finalize_final_module = lambda: setattr(library, "_finalized", True)
        state.library = library
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        key = object()  # by which callers find it; elsewhere the compiled function
        state.targetctx.insert_user_function(key, lowered.fndesc, [library])
        state["cr"] = lowered._replace(cfunc=key)
        return True


class _PartCompiler(CompilerBase):  # type: ignore[misc]  # Numba has no types
    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [
            (_PartLowering if step is NativeLowering else step, text)
            for step, text in manager.passes
        ]
        manager.finalize()
        return [manager]
