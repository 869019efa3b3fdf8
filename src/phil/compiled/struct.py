"""Arrays and numbers that kernels take as one argument, by reference.

Passed as a tuple, an array is seven values, and Numba copies all of them at every call: with some
forty arrays, compiling takes minutes. A struct is one pointer to a table of addresses and sizes;
kernels load from it what they use. Its fields are fixed while a kernel runs (only the contents of
arrays change), so loads are marked as invariant, and the optimizer keeps them in registers.

A field's type is declared once, so there is one compiled version of each kernel, whatever the
arrays' origin: read-only arrays and shared memory compile nothing anew.
"""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar, Self, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import PrimitiveModel
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, overload, register_model, unbox
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray

from phil.compiled.jit import instruction

Scalar = TypeVar("Scalar", bound=np.generic)

# The fields of a struct: arrays in C order with one, two or three axes.
Array1 = Annotated[NDArray[Scalar], 1]
Array2 = Annotated[NDArray[Scalar], 2]
Array3 = Annotated[NDArray[Scalar], 3]

WORD = ir.IntType(64)
WORD_BYTES = 8
TABLE = WORD.as_pointer()


class Struct:
    """Base class: the annotations of a subclass declare its fields, in order.

    A field is an array (`Array1[np.int32]`; an array of records also names its dtype), an `int`, a
    `float`, a `bool`, another struct or a tuple of structs of one class (`tuple[Line, ...]`).
    Fields can be assigned between calls of kernels.

    >>> class Line(Struct):
    ...     points: Array1[np.float64]
    ...     closed: bool
    >>> line = Line(np.zeros(3), closed=True)
    >>> line.replace(closed=False).points.size
    3
    """

    _fields: ClassVar[dict[str, _Field]]
    _numba_type_: ClassVar[StructType]
    _words: NDArray[np.int64]
    _address: int

    def __init_subclass__(cls) -> None:
        hints = get_type_hints(cls, include_extras=True)
        cls._fields, at = {}, 0
        for name in cls.__annotations__:
            cls._fields[name] = field = _Field(at, hints[name])
            at += field.words
        cls._numba_type_ = StructType(cls)

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self._fields, values, strict=False)) | named
        if len(given) != len(values) + len(named) or given.keys() != self._fields.keys():
            raise TypeError(f"{type(self).__name__} takes {', '.join(self._fields)}")
        self._refer_to(np.zeros(sum(field.words for field in self._fields.values()), np.int64))
        for name, value in given.items():
            setattr(self, name, value)

    def _refer_to(self, words: NDArray[np.int64]) -> None:
        # Not through __setattr__, which knows the fields only.
        self.__dict__["_words"] = words
        self.__dict__["_address"] = words.ctypes.data

    def __setattr__(self, name: str, value: Any) -> None:
        field = self._fields.get(name)
        if field is None:
            raise AttributeError(f"{type(self).__name__} has no field '{name}'")
        try:
            numbers, kept = field.describe(value)
            field.pack(self._words.data, WORD_BYTES * field.at, *numbers)
        except (TypeError, struct.error) as error:
            raise TypeError(f"{type(self).__name__}.{name}: {error}") from None
        self.__dict__[name] = value
        self.__dict__[f"_{name}"] = kept

    def replace(self, **changes: Any) -> Self:
        """A struct of the same class with some fields changed; the others are shared."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._refer_to(self._words.copy())
        for name, value in changes.items():
            setattr(other, name, value)
        return other

    def __iter__(self) -> Iterator[Any]:
        return (getattr(self, name) for name in self._fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(self)


# The numbers that describe a value in the table, and what must be kept as long as the value.
Description = tuple[tuple[float, ...], object]


class _Field:
    """A field's type, its place in the table, and how a value is described there."""

    def __init__(self, at: int, declared: Any) -> None:
        self.at = at
        self.axes = 0
        self.dtype = np.dtype(np.int64)  # of an array; addresses for a tuple of structs
        self.describe: Callable[[Any], Description] = self._of_number
        origin = get_origin(declared)
        if origin is Annotated:
            array, self.axes, *record = get_args(declared)
            self.dtype = np.dtype(record[0] if record else get_args(get_args(array)[1])[0])
            self.type: Any = types.Array(from_dtype(self.dtype), self.axes, "C")
            self.describe = self._of_array
        elif origin is tuple:
            self.axes = 1
            self.type = StructsType(get_args(declared)[0]._numba_type_)
            self.describe = self._of_structs
        elif issubclass(declared, Struct):
            self.type = declared._numba_type_
            self.describe = self._of_struct
        else:
            self.type = _NUMBERS[declared]
        self.words = 1 + self.axes
        format = "d" if self.type is types.float64 else "q" * self.words
        self.pack = struct.Struct(format).pack_into

    def _of_number(self, value: Any) -> Description:
        return (value,), None

    def _of_array(self, value: Any) -> Description:
        if not isinstance(value, np.ndarray):
            raise TypeError(f"an array is needed, not {type(value).__name__}")
        if value.dtype != self.dtype or value.ndim != self.axes:
            raise TypeError(
                f"an array of {self.dtype} with {self.axes} axes is needed, "
                f"not {value.dtype} with {value.ndim}"
            )
        if not value.flags.c_contiguous:
            raise TypeError("the array must be contiguous, in C order")
        return (value.ctypes.data, *value.shape), None

    def _of_struct(self, value: Any) -> Description:
        if not isinstance(value, self.type.struct):
            raise TypeError(f"{self.type.struct.__name__} is needed, not {value!r}")
        return (value._address,), None

    def _of_structs(self, value: Any) -> Description:
        for each in value:
            if not isinstance(each, self.type.of.struct):
                raise TypeError(f"{self.type.of.struct.__name__} is needed, not {each!r}")
        addresses = np.array([each._address for each in value], np.int64)
        return (addresses.ctypes.data, addresses.size), addresses


_NUMBERS = {int: types.int64, float: types.float64, bool: types.boolean}


class StructType(types.Type):  # type: ignore[misc]  # Numba has no types
    """The type of a struct in kernels."""

    def __init__(self, struct: type[Struct]) -> None:
        self.struct = struct
        super().__init__(name=f"{struct.__module__}.{struct.__qualname__}")


class StructsType(types.Type):  # type: ignore[misc]  # Numba has no types
    """The type of a tuple of structs of one class; kernels can index it and take its length."""

    def __init__(self, of: StructType) -> None:
        self.of = of
        super().__init__(name=f"tuple of {of.name}")


@register_model(StructType)
@register_model(StructsType)
class _Reference(PrimitiveModel):  # type: ignore[misc]  # Numba has no types
    """A struct is the address of its table, a tuple that of its entry in the table around it."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, TABLE)


@unbox(StructType)  # type: ignore[untyped-decorator]  # Numba has no types
def _unbox(kind: Any, value: Any, context: Any) -> Any:
    address = context.pyapi.object_getattr(value, _interned(context, "_address"))
    table = context.builder.inttoptr(context.pyapi.long_as_longlong(address), TABLE)
    context.pyapi.decref(address)
    error = cgutils.is_not_null(context.builder, context.pyapi.err_occurred())
    return NativeValue(table, is_error=error)


def _interned(context: Any, text: str) -> Any:
    """A string as a Python object, made once.

    Python finds an attribute several times faster by the same string than by an equal one.
    """
    builder, module, pointer = context.builder, context.builder.module, context.pyapi.pyobj
    kept = module.globals.get(f"interned.{text}")
    if kept is None:
        kept = cgutils.add_global_variable(module, pointer, f"interned.{text}")
        kept.linkage = "internal"
        kept.initializer = cgutils.get_null_value(pointer)
    with builder.if_then(cgutils.is_null(builder, builder.load(kept)), likely=False):
        signature = ir.FunctionType(pointer, [cgutils.voidptr_t])
        intern = cgutils.get_or_insert_function(module, signature, "PyUnicode_InternFromString")
        builder.store(
            builder.call(intern, [context.context.insert_const_string(module, text)]), kept
        )
    return builder.load(kept)


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]  # Numba has no types
    key = StructType

    def generic_resolve(self, kind: StructType, name: str) -> Any:
        field = kind.struct._fields.get(name)
        return None if field is None else field.type


def _load(builder: Any, table: Any, at: Any, kind: Any = WORD) -> Any:
    place = builder.gep(table, [at])
    loaded = builder.load(builder.bitcast(place, kind.as_pointer()))
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


@lower_getattr_generic(StructType)  # type: ignore[untyped-decorator]  # Numba has no types
def _load_field(context: Any, builder: Any, kind: StructType, table: Any, name: str) -> Any:
    field = kind.struct._fields[name]
    if isinstance(field.type, StructsType):
        return builder.gep(table, [WORD(field.at)])
    if field.type is types.boolean:
        return builder.icmp_signed("!=", _load(builder, table, WORD(field.at)), WORD(0))
    if not field.axes:
        return _load(builder, table, WORD(field.at), context.get_value_type(field.type))
    array = context.make_array(field.type)(context, builder)
    shape = [_load(builder, table, WORD(field.at + 1 + axis)) for axis in range(field.axes)]
    strides = [WORD(field.dtype.itemsize)]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    data = _load(builder, table, WORD(field.at), array.data.type)
    populate_array(array, data, shape, strides, field.dtype.itemsize, meminfo=None)
    return array._getvalue()


@instruction
def _struct_at(context: Any, structs: Any, number: Any) -> Any:
    return structs.of(structs, types.int64), _load_struct


def _load_struct(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    entry, number = arguments
    if context.enable_boundscheck:
        cgutils.do_boundscheck(context, builder, number, _load(builder, entry, WORD(1)))
    return _load(builder, _load(builder, entry, WORD(0), TABLE), number, TABLE)


@instruction
def _count(context: Any, structs: Any) -> Any:
    return types.int64(structs), _load_count


def _load_count(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return _load(builder, arguments[0], WORD(1))


@overload(operator.getitem, strict=False)  # type: ignore[untyped-decorator]  # Numba has no types
def _getitem(structs: Any, number: Any) -> Any:
    if isinstance(structs, StructsType) and isinstance(number, types.Integer):
        return lambda structs, number: _struct_at(structs, number)
    return None


@overload(len, strict=False)  # type: ignore[untyped-decorator]  # Numba has no types
def _len(structs: Any) -> Any:
    return (lambda structs: _count(structs)) if isinstance(structs, StructsType) else None
