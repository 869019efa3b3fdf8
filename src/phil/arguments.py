"""What the arguments of public functions must be: declared at the function, checked here.

What fits is passed on as it is. What does not, but can be understood (a file name where a graph is
wanted), is converted by its kind. Anything else is an `InputError` that names the parameter and
says what would fit.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from numbers import Real
from operator import index
from typing import Any, ParamSpec, TypeVar

from phil.errors import InputError, quoted

P = ParamSpec("P")
R = TypeVar("R")


Convert = Callable[[Any], Any]  # NotImplemented for what cannot be understood


@dataclass(frozen=True)
class Kind:
    """What a parameter takes: in words, whether a value is one of them, and how others become one.

    >>> NAME = Kind("a name", lambda value: value in ("Ada", "Bo"), str.title)
    >>> NAME.take("ada", "who")
    'Ada'
    """

    what: str
    fits: Callable[[Any], bool]
    convert: Convert = lambda value: NotImplemented

    def __or__(self, other: Kind) -> Kind:
        def convert(value: Any) -> Any:
            found = self.convert(value)
            return other.convert(value) if found is NotImplemented else found

        return Kind(
            f"{self.what} or {other.what}",
            lambda value: self.fits(value) or other.fits(value),
            convert,
        )

    def check(self, value: object, name: str) -> None:
        """Raise `InputError` if a value does not fit."""
        if not self.fits(value):
            raise InputError(f"{name} must be {self.what}, not {quoted(value)}")

    def take(self, value: Any, name: str) -> Any:
        """The value, converted if it does not fit; raises `InputError` if that is impossible."""
        if self.fits(value):
            return value
        converted = self.convert(value)
        if converted is NotImplemented:
            self.check(value, name)
        return converted


def later(place: str) -> Convert:
    """The function at `module:name`, imported when it is first called.

    Thus a kind can be declared in a lower layer than what it takes to convert to it.
    """
    module, _, name = place.partition(":")
    return lambda value: getattr(import_module(module), name)(value)


def takes(**kinds: Kind) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Check, or convert, the arguments of a function that have a kind, by parameter names.

    >>> @takes(count=AT_LEAST_1)
    ... def half(count):
    ...     return count // 2
    >>> half(7)
    3
    >>> half(count=0.5)
    Traceback (most recent call last):
        ...
    phil.errors.InputError: half: count must be a whole number of at least 1, not 0.5
    """

    def checking(function: Callable[P, R]) -> Callable[P, R]:
        code = function.__code__
        assert kinds.keys() <= set(code.co_varnames), "every kind is one of a parameter"
        positions = code.co_varnames[: code.co_argcount]
        placed = [
            (place, name, kinds[name].fits) for place, name in enumerate(positions) if name in kinds
        ]
        owner = function.__qualname__.removesuffix(".__init__")

        # It runs before every search, some of which take a few microseconds.
        @wraps(function)
        def checked(*args: P.args, **named: P.kwargs) -> R:
            taken: Any = args
            given = len(args)
            for place, name, fits in placed:
                if place < given and not fits(args[place]):
                    value = kinds[name].take(args[place], f"{owner}: {name}")
                    taken = (*taken[:place], value, *taken[place + 1 :])
            for name, value in named.items():
                if name in kinds and not kinds[name].fits(value):
                    named[name] = kinds[name].take(value, f"{owner}: {name}")
            return function(*taken, **named)

        return checked

    return checking


def is_whole(value: Any) -> bool:
    """Whether a value is an integer of any type; neither a bool nor 2.0 is one."""
    if type(value) is int:
        return True
    try:
        return not isinstance(value, bool) and index(value) is not None
    except TypeError:
        return False


def is_real(value: Any) -> bool:
    """Whether a value is a real number of any type; a bool is none."""
    if type(value) is float:
        return True
    if getattr(value, "ndim", None) == 0:
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return float(value) is not None
    except (OverflowError, ValueError):
        return False


def is_number(value: Any) -> bool:
    """Likewise, but NaN is none."""
    return is_real(value) and bool(value == value)


def is_path(value: Any) -> bool:
    """Whether a value names a file."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    return isinstance(value, str) and "\0" not in value


def is_flag(value: Any) -> bool:
    """Whether a value is true or false, as almost anything is in Python."""
    try:
        return bool(value) or True
    except Exception:  # such as an array, which is neither
        return False


def is_iterable(value: Any) -> bool:
    """Whether a value holds others; a text does not."""
    try:
        return not isinstance(value, str | bytes) and iter(value) is not None
    except TypeError:
        return False


def is_hashable(value: Any) -> bool:
    """Whether a value can be a node or the name of an attribute."""
    try:
        return hash(value) is not None
    except TypeError:
        return False


def of_type(what: str, *types: type) -> Kind:
    """Objects of some types."""
    return Kind(what, lambda value: isinstance(value, types))


def with_attributes(what: str, first: str, *others: str) -> Kind:
    """Objects, but not classes, that have all these attributes."""
    return Kind(
        what,
        lambda value: (
            hasattr(value, first)
            and not isinstance(value, type)
            and (not others or all(hasattr(value, name) for name in others))
        ),
    )


def each(kind: Kind, what: str, *, alone: bool = False) -> Kind:
    """Sequences whose elements are all of a kind, or become one; maybe also a single element.

    >>> each(WHOLE, "whole numbers", alone=True).take(7, "the sides")
    [7]
    """

    def convert(values: Any) -> Any:
        single = not hasattr(values, "__len__") or not is_iterable(values)
        if alone and (single or kind.fits(values)):
            one = values if kind.fits(values) else kind.convert(values)
            return NotImplemented if one is NotImplemented else [one]
        if single:
            return NotImplemented
        found = [value if kind.fits(value) else kind.convert(value) for value in values]
        return NotImplemented if any(value is NotImplemented for value in found) else found

    return Kind(
        what,
        lambda values: (
            hasattr(values, "__len__") and is_iterable(values) and all(map(kind.fits, values))
        ),
        convert,
    )


NOTHING = Kind("None", lambda value: value is None)
WHOLE = Kind("a whole number", is_whole)
COUNT = Kind("a whole number of at least 0", lambda value: is_whole(value) and value >= 0)
AT_LEAST_1 = Kind("a whole number of at least 1", lambda value: is_whole(value) and value >= 1)
REAL = Kind("a number", is_real)
NUMBER = Kind("a number", is_number)
FLAG = Kind("True or False", is_flag)
TEXT = of_type("a text", str)
TEXTS = each(TEXT, "a sequence of texts")
FILE = Kind("the path of a file", is_path)
SHARE = Kind("a number between 0 and 1", lambda value: is_number(value) and 0 < value < 1)
SIDES = each(WHOLE, "a tuple of whole numbers")
HASHABLE = Kind("hashable", is_hashable)
FUNCTION = Kind("a function", callable)
MAPPING = with_attributes("a mapping", "keys", "__getitem__")
ITERABLE: Kind = Kind("a sequence", is_iterable)
