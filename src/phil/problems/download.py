"""Fetching the public maps: `phil problems --download`.

The archive of the public repository is downloaded with pooch, its PNG maps are decoded in memory
(nothing of the archive is unpacked to the disk), checked against the manifest and written as one
.npz file per family. What vouches for the maps is the manifest of their decoded cells, not a sum of
the archive: the real host could not be reached when this was written, so the code has only met
local servers.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import numpy as np
import pooch

from phil.errors import InputError
from phil.files import write_atomic
from phil.problems.grids import COMMIT, NUMBERS, cache_folder, public_map
from phil.problems.manifest import Manifest, Maps, check_split, read_manifest

DEFAULT_URL = f"https://github.com/mohakbhardwaj/motion_planning_datasets/archive/{COMMIT}.zip"
MAX_PNG_BYTES = 2**20  # far above a map of 201 x 201 cells, far below what fills a memory
TIMEOUT_SECONDS = 30


def download(
    folder: Path | None = None,
    url: str = DEFAULT_URL,
    *,
    manifest: Manifest | None = None,
    report: Callable[[str], None] = lambda step: None,
) -> Path:
    """Fetch all families into `<folder>/grids`, by default in the user's cache; return where.

    A family is written only when each of its maps is the public one; `report` is told each step.
    """
    manifest = read_manifest() if manifest is None else manifest
    grids = (cache_folder() if folder is None else folder) / "grids"
    try:
        grids.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=grids) as scratch:
            report(f"fetching {url}")
            archive = Path(scratch) / "archive.zip"
            _fetch(url, archive)
            with zipfile.ZipFile(archive) as opened:
                members = _members(opened)
                for family, splits in manifest.items():
                    maps = {split: _read_split(opened, members, family, split) for split in NUMBERS}
                    for split, known in splits.items():
                        check_split(f"{family}/{split}", maps[split], known)
                    _write_family(grids / f"{family}.npz", maps)
                    report(f"{family}: {sum(map(len, maps.values()))} maps, all as in the manifest")
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise InputError(f"{url} gave no usable zip archive ({error}); try again") from error
    except OSError as error:
        raise InputError(f"cannot write to {grids}: {error.strerror or error}") from error
    return grids


def _fetch(url: str, file: Path) -> None:
    try:
        pooch.HTTPDownloader(timeout=TIMEOUT_SECONDS)(url, str(file), None)
    except (OSError, ValueError) as error:
        raise InputError(
            f"cannot fetch {url}: {error}; check the connection, or fetch and unpack the archive "
            "elsewhere and name its folder with --data"
        ) from error


def _members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The archive's files by `<family>/<split>/<number>.png`, whatever its root is called."""
    return {"/".join(PurePosixPath(info.filename).parts[-3:]): info for info in archive.infolist()}


def _read_split(
    archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], family: str, split: str
) -> Maps:
    maps: Maps = {}
    for number in NUMBERS[split]:
        name = f"{family}/{split}/{number}.png"
        if name not in members:
            continue
        if members[name].file_size > MAX_PNG_BYTES:
            raise InputError(f"{name} has {members[name].file_size} bytes in the archive: no map")
        maps[number] = public_map(io.BytesIO(archive.read(members[name])), name)
    return maps


def _write_family(path: Path, maps: dict[str, Maps]) -> None:
    train, validation, test = (np.stack(list(maps[split].values())) for split in NUMBERS)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, train=train, validation=validation, test=test)
    write_atomic(path, buffer.getvalue())
