"""Atomic file writes: a write that fails leaves the old file untouched."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from phil.errors import InputError


def check_writable(path: Path) -> None:
    """Raise `InputError` if a file cannot be written: now, not after an hour of work."""
    folder = path.parent
    if path.is_dir():
        raise InputError(f"{path} is a folder; give the name of a file")
    if not folder.is_dir():
        raise InputError(
            f"cannot write {path}: the folder {folder} does not exist; create it first"
        )
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is not a regular file; give the name of a file")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file completely or not at all: readers see the old content or the new, no mix."""
    write_together({path: data})


def write_together(files: Mapping[Path, bytes]) -> None:
    """Write files that belong together: none is replaced until all new ones are on disk."""
    for path in files:
        check_writable(path)
    temporaries = {path: path.with_name(f".{path.name}.{os.getpid()}.tmp") for path in files}
    writing = next(iter(files))
    try:
        for writing, data in files.items():
            with open(temporaries[writing], "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
        for writing, temporary in temporaries.items():
            os.replace(temporary, writing)
    except OSError as error:
        for temporary in temporaries.values():
            with contextlib.suppress(OSError):
                temporary.unlink()
        kept = "; the old file is unchanged" if writing.exists() else ""
        raise InputError(f"cannot write {writing}: {error.strerror or error}{kept}") from error
