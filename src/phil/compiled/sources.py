"""The sources that kernels are compiled from, and a hash of them.

Numba only checks the caller's own file to see whether a cached function is stale, so it would miss
an edited primitive in another file. The name of every cached file therefore depends on all sources
that define kernels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]

# What a file that defines a kernel, or a struct of arrays, has in it. This is searched at every
# import: a regular expression takes five times as long.
MARKS = (
    b"\n@kernel",
    b"\n@primitive",
    b"\n@routine",
    b"\n@allocating_kernel",
    b"\n@instruction",
    b"(NamedTuple)",
    b"(Struct)",
)


def kernel_sources(package: Path) -> list[Path]:
    """Every file of the package that defines a kernel or a struct of arrays, in a fixed order.

    Kernels access a struct's fields by position, so reordering them makes kernels stale. All files
    of this folder count, since they determine how kernels are compiled.
    """
    return [path for path, _ in _read_sources(package)]


def source_hash(package: Path) -> str:
    """A hash that changes when any kernel source changes."""
    digest = hashlib.sha256()
    for path, text in _read_sources(package):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(text)
    return digest.hexdigest()[:16]


def _read_sources(package: Path) -> Iterator[tuple[Path, bytes]]:
    shared = package / "compiled"
    for path in sorted(package.rglob("*.py")):
        text = path.read_bytes()
        if path.is_relative_to(shared) or any(mark in text for mark in MARKS):
            yield path, text


@cache
def own_hash() -> str:
    """The hash of this package's kernel sources."""
    return source_hash(PACKAGE)


@cache
def stamp_of(path: str) -> str | None:
    """What tells the versions of a source file apart; None if there is no such file.

    Files of the package are told apart by the hash of all its kernels; a session has no file. A
    file of a plug-in may take primitives, structs and constants from those beside it.
    """
    file = Path(path)
    if file.is_relative_to(PACKAGE):
        return own_hash()
    try:
        beside = _hash_beside(file.parent)
        return f"{own_hash()} {beside} {hashlib.sha256(file.read_bytes()).hexdigest()} {file.name}"
    except OSError:
        return None


@cache
def _hash_beside(folder: Path) -> str:
    """A hash of the sources in a folder or, if it belongs to a package, in the whole package."""
    pattern = "*.py"
    while (folder / "__init__.py").is_file():
        folder, pattern = folder.parent, f"{folder.name}/**/*.py"
    digest = hashlib.sha256()
    for path in sorted(folder.glob(pattern)):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
