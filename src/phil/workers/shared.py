"""What all work shares: sent to each worker once, and kept there."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

MOST = 4  # values that a worker keeps: those of runs that go on, and of the last ones


class Shared(Protocol[T_co]):
    """A value that workers can read."""

    def get(self) -> T_co:
        """The value, in a worker or in this process."""


@dataclass(frozen=True)
class Here(Generic[T]):
    """A value for work in this process."""

    value: T

    def get(self) -> T:
        """The value."""
        return self.value


class Kept:
    """The values that this process has read, by key: the last few."""

    def __init__(self) -> None:
        self._values: OrderedDict[str, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str, read: Callable[[], T]) -> T:
        """The value of a key, read if need be."""
        with self._lock:
            if key not in self._values:
                self._values[key] = read()
            self._values.move_to_end(key)
            while len(self._values) > MOST:
                self._values.popitem(last=False)
            value: T = self._values[key]
            return value


kept = Kept()
