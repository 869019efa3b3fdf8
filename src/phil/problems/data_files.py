"""Data files: locating them, and reading .npz arrays after checking their sizes."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import platformdirs
from numpy.typing import NDArray

from phil.errors import InputError, one_line
from phil.graphs.formats.archive import ZIP_DAMAGE, array_members, read_member
from phil.graphs.formats.npy import Header, array_from, read_header
from phil.memory import check_memory

Arrays = dict[str, NDArray[Any]]

Headers = dict[str, Header]


def cache_folder() -> Path:
    """The folder of downloaded data."""
    return Path(platformdirs.user_cache_dir("phil")) / "data"


def data_folders(data: Path | None) -> list[Path]:
    """The folders searched for public data: `data`, else `PHIL_DATA` and the user's cache."""
    if data is not None:
        return [data]
    named = os.environ.get("PHIL_DATA")
    return [Path(named), cache_folder()] if named else [cache_folder()]


def find_archive(folder: str, name: str, data: Path | None = None) -> Path | None:
    """The file `<name>.npz` in the data folders or in their subfolder `folder`."""
    for place in data_folders(data):
        for file in (place / folder / f"{name}.npz", place / f"{name}.npz"):
            if file.is_file():
                return file
    return None


def need_archive(folder: str, name: str, fetch: str, data: Path | None = None) -> Path:
    """Like `find_archive`, but a missing file is an error; `fetch` says how to get it."""
    path = find_archive(folder, name, data)
    if path is None:
        looked = " or ".join(map(str, data_folders(data)))
        raise InputError(
            f"{name}.npz is not in {looked}, nor in the subfolder {folder}; name the folder that "
            f"holds it with --data or PHIL_DATA, or {fetch}"
        )
    return path


def fetch_hint(name: str) -> str:
    """How to get a set that can be downloaded."""
    return f"download it with `phil problems --download {name}`"


def read_headers(path: Path) -> Headers:
    """The shape and type of each array in a file, without reading the numbers."""
    with _opened(path) as archive:
        headers = {}
        for name, entry in array_members(archive).items():
            with archive.open(entry) as stream:
                headers[name] = read_header(stream)
        return headers


def read_arrays(path: Path, required: Sequence[str], optional: Sequence[str] = ()) -> Arrays:
    """The required arrays of a file by name, and the optional ones that exist."""
    headers = read_headers(path)
    check_keys(path, headers, required)
    names = [*required, *(name for name in optional if name in headers)]
    with _opened(path) as archive:
        members = array_members(archive)
        size = sum(max(members[name].file_size, headers[name].size) for name in names)
        check_memory(size, f"reading {path}")
        return {
            name: array_from(read_member(archive, members[name]), f"{path}: {name}")
            for name in names
        }


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive; whatever fails while it is read becomes an `InputError`."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except InputError:
        raise
    except ZIP_DAMAGE as error:
        raise InputError(
            f"cannot read {path}: {one_line(error)}; download the file again"
        ) from error


def check_keys(path: Path, headers: Headers, required: Sequence[str]) -> None:
    """Check that no array is missing, and that `edge_index` holds pairs of node numbers."""
    missing = [name for name in required if name not in headers]
    if missing:
        raise InputError(
            f"{path} lacks {', '.join(missing)}; download it again; docs/data.md has its layout"
        )
    edges = headers.get("edge_index")
    if edges and (len(edges.shape) != 2 or edges.shape[0] != 2 or edges.dtype.kind not in "iu"):
        raise InputError(f"{path}: edge_index must be integers of shape (2, E), not {edges.shape}")


def rows(headers: Headers, key: str) -> int:
    """The length of an array."""
    if not headers[key].shape:
        raise InputError(f"{key} is a scalar; it must be an array")
    return headers[key].shape[0]
