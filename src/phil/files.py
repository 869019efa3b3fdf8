"""Writing files: whole or not at all, and on disk once a write returns.

A new file is written under a temporary name in the same folder, flushed to disk and renamed; then
the folder is flushed, so that the new name survives a crash of the machine.

- A symbolic link is followed: the file that it points to is replaced or created, and the link
  stays. A link that another user put into a folder that everybody can write to is refused, as
  Linux does (`protected_symlinks`).
- A file that is replaced keeps its permissions; those of a new file follow the umask.
- Temporary names are random (`.NAME.0123456789abcdef.tmp`) and never opened if they exist. A
  process that is killed may leave such a file; the next write of the same file deletes it if it
  has not changed for an hour.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import secrets
import stat
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO

from phil.errors import LONGEST, InputError
from phil.text import visible

STALE = 3600.0  # seconds after which nobody is still writing a temporary file
MOST_LINKS = 40  # that are followed, as on Linux
NAME = 50  # characters of a file's name in that of its temporary file, which must not be too long

Content = bytes | Callable[[BinaryIO], object]  # all of it, or a function that writes it


def names_a_file(text: str) -> bool:
    """Whether a text can only be meant as the name of a file or folder: by a folder or an ending.

    >>> [names_a_file(text) for text in ("my_maps/", "city.graphml", "euclidean", "no. 5")]
    [True, True, False, False]
    """
    return "/" in text or os.sep in text or re.search(r"\w\.[A-Za-z]\w*$", text) is not None


def missing_file(name: str, what: str = "file") -> InputError:
    """The error for a file that does not exist; it names the file that may have been meant."""
    folder, own = os.path.split(name.rstrip("/" + os.sep))
    try:
        beside = os.listdir(folder or ".")
    except (OSError, ValueError):
        beside = []
    stem, ending = os.path.splitext(own)
    stems = [os.path.splitext(other)[0] for other in beside if other.endswith(ending)]
    near = difflib.get_close_matches(stem[:LONGEST], stems, n=1, cutoff=0.7)
    hint = f"; did you mean {visible(os.path.join(folder, near[0] + ending))}?" if near else ""
    return InputError(f"there is no {what} {visible(name)}{hint}")


def check_regular(path: str | Path) -> None:
    """Raise `InputError` if a file is a pipe or a device: reading it might never end."""
    mode = os.stat(path).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise InputError(f"{path} is not a regular file; save it to one first")


def check_writable(path: Path) -> None:
    """Raise `InputError` if a file cannot be written: now, not after an hour of work."""
    target = _followed(path)
    folder = target.parent
    if target.is_dir():
        raise InputError(f"{path} is a folder; give the name of a file")
    if not folder.is_dir():
        raise InputError(
            f"cannot write {path}: the folder {folder} does not exist; create it first"
        )
    if target.exists() and not target.is_file():
        raise InputError(f"{path} is not a regular file; give the name of a file")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def write_atomic(path: Path, data: Content) -> None:
    """Write a file completely or not at all: readers see the old content or the new, no mix."""
    write_together({path: data})


def write_together(files: Mapping[Path, Content]) -> None:
    """Write files that belong together: none is replaced until all new ones are on disk."""
    for path in files:
        check_writable(path)
    targets = {path: _followed(path) for path in files}
    temporaries = {path: _temporary(target) for path, target in targets.items()}
    replaced: list[Path] = []
    writing = next(iter(files))
    try:
        for writing, data in files.items():
            _delete_leftovers(targets[writing])
            _write_new(temporaries[writing], data, _permissions(targets[writing]))
        for writing, temporary in temporaries.items():
            os.replace(temporary, targets[writing])
            replaced.append(writing)
    except OSError as error:
        kept = "; the old file is unchanged" if targets[writing].exists() else ""
        new = f"; {', '.join(map(str, replaced))} was already replaced" if replaced else ""
        raise InputError(f"cannot write {writing}: {error.strerror or error}{kept}{new}") from error
    finally:
        for path, temporary in temporaries.items():
            if path not in replaced:
                with contextlib.suppress(OSError):
                    temporary.unlink()
    for folder in {target.parent for target in targets.values()}:
        _flush_folder(folder)


def append(path: Path, data: bytes) -> None:
    """Append to a file, which is created if need be; the data is on disk when this returns."""
    try:
        with open(_followed(path), "ab", opener=_open_no_link) as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def _followed(path: Path) -> Path:
    """The file that symbolic links lead to, which need not exist."""
    place = path
    for _ in range(MOST_LINKS):
        try:
            facts, folder = place.lstat(), place.parent.stat()
        except OSError:
            return place
        if not stat.S_ISLNK(facts.st_mode):
            return place
        if _is_trap(facts, folder):
            raise InputError(
                f"{path} leads through a symbolic link of another user ({place}), which is not "
                "followed in a folder that everybody can write to; use another folder"
            )
        place = place.parent / place.readlink()
    raise InputError(f"cannot write {path}: its symbolic links form a loop")


def _is_trap(link: os.stat_result, folder: os.stat_result) -> bool:
    """Whether a link may have been planted where another user expects to create a file."""
    shared = stat.S_ISVTX | stat.S_IWOTH
    if not hasattr(os, "geteuid") or folder.st_mode & shared != shared:
        return False
    return link.st_uid not in (os.geteuid(), folder.st_uid)


def _temporary(target: Path) -> Path:
    return target.with_name(f".{target.name[:NAME]}.{secrets.token_hex(8)}.tmp")


def _delete_leftovers(target: Path) -> None:
    """Delete what killed processes have left of this file."""
    name = re.compile(re.escape(f".{target.name[:NAME]}.") + r"[0-9a-f]{16}\.tmp")
    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if name.fullmatch(entry.name) and _is_stale(entry):
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)


def _is_stale(entry: os.DirEntry[str]) -> bool:
    facts = entry.stat(follow_symlinks=False)
    return stat.S_ISREG(facts.st_mode) and time.time() - facts.st_mtime > STALE


def _permissions(target: Path) -> int | None:
    """The permissions of a file; None if it does not exist."""
    try:
        return stat.S_IMODE(target.stat().st_mode) & 0o777
    except FileNotFoundError:
        return None


def _write_new(path: Path, data: Content, permissions: int | None) -> None:
    """Write a file that must not exist yet, down to the disk."""

    def create(name: str, flags: int) -> int:
        return os.open(name, flags, 0o666 if permissions is None else permissions)

    with open(path, "xb", opener=create) as stream:
        if permissions is not None and hasattr(os, "fchmod"):
            os.fchmod(stream.fileno(), permissions)  # whatever the umask
        if callable(data):
            data(stream)
        else:
            stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _open_no_link(name: str, flags: int) -> int:
    return os.open(name, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)


def _flush_folder(folder: Path) -> None:
    """Make new names in a folder survive a crash of the machine, where the system can do so."""
    # A failure is no failure of the write: the new file is there, whole.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
