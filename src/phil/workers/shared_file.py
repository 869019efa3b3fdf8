"""Values shared by processes of one machine, through a file that all of them map into memory.

The file holds the value's pickle, and after it the arrays, which are used where they lie: read-only
and in memory once, however many processes there are. It is this program's own file, in a folder
that only its user can open, so reading it back is as safe as the program itself.

Arrays of a file that is mapped already, such as a large graph, are not written again: the folder
has another name for that file, if it is on the same disk.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import re
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from phil.errors import InputError, one_line
from phil.memory import MappedFile, file_identity, mapped_file
from phil.workers.shared import kept

T = TypeVar("T")

ALIGNED = 64  # bytes: the start of an array, for vector instructions
PREFIX = "phil-workers-"  # of folders, followed by the number of the process that made them


@dataclass(frozen=True)
class InFile(Generic[T]):
    """A value in a file: its pickle and its arrays as (file, first byte, size)."""

    path: str
    spans: tuple[tuple[str, int, int], ...]

    def get(self) -> T:
        """The value; arrays lie in the file."""
        value: T = kept.get(self.path, self._read)
        return value

    def _read(self) -> Any:
        contents = {path: _mapped(path) for path in {path for path, _, _ in self.spans}}
        pickled, *arrays = (
            contents[path][first : first + size] for path, first, size in self.spans
        )
        return pickle.loads(pickled, buffers=arrays)


def _mapped(path: str) -> memoryview:
    with open(path, "rb") as file:
        return memoryview(MappedFile.of(file))


class SharedFolder:
    """The folder of the values that one process shares; it is deleted at the end."""

    def __init__(self) -> None:
        base = Path(tempfile.gettempdir())
        _tidy(base)
        self.path = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=base))

    def put(self, value: T) -> InFile[T]:
        """Write a value."""
        path = self.path / secrets.token_hex(8)
        buffers: list[pickle.PickleBuffer] = []
        try:
            pickled = pickle.dumps(value, 5, buffer_callback=buffers.append)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise InputError(
                f"this cannot be sent to other processes: {one_line(error)}; define functions and "
                "classes in a module, not inside of a function"
            ) from error
        parts: list[bytes | memoryview] = [pickled, *(buffer.raw() for buffer in buffers)]
        spans: list[tuple[str, int, int]] = []
        try:
            with open(path, "xb") as file:
                for part in parts:
                    span = self._where(part)
                    if span is None:
                        file.write(bytes(-file.tell() % ALIGNED))
                        span = str(path), file.tell(), len(part)
                        file.write(part)
                    spans.append(span)
                file.write(b"\0")  # an empty file could not be mapped
        except OSError as error:
            raise InputError(
                f"cannot share data with other processes: {path}: {error.strerror or error}; point "
                "TMPDIR to a folder with room"
            ) from error
        return InFile(str(path), tuple(spans))

    def _where(self, part: bytes | memoryview) -> tuple[str, int, int] | None:
        """Where an array lies in a file of its own, under a name in this folder."""
        array = part.obj if isinstance(part, memoryview) else None
        mapped = mapped_file(array)
        if mapped is None or not isinstance(array, np.ndarray) or not len(part):
            return None
        link = self.path / "{:x}-{:x}".format(*mapped.identity)
        if not link.exists():
            # Another name keeps the file, even if it is replaced or deleted meanwhile.
            with contextlib.suppress(OSError):  # on another disk, or not allowed
                os.link(mapped.path, link)
        try:
            if file_identity(link.stat()) != mapped.identity:
                return None
        except OSError:
            return None
        begin = np.frombuffer(mapped, np.uint8).ctypes.data
        return str(link), array.ctypes.data - begin, len(part)

    def delete(self) -> None:
        """Delete the folder; processes that have a file mapped keep it."""
        _delete(self.path)


def _tidy(base: Path) -> None:
    """Delete what killed processes have left behind."""
    for folder in base.glob(f"{PREFIX}*"):
        maker = re.match(rf"{PREFIX}(\d+)-", folder.name)
        if maker and not _runs(int(maker[1])):
            _delete(folder)


def _delete(folder: Path) -> None:
    with contextlib.suppress(OSError):  # on Windows, while a file is mapped
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


def _runs(process: int) -> bool:
    if os.name == "nt":  # where signal 0 would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
