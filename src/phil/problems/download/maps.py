"""Downloading the public maps: `phil problems --download`.

The archive of the public repository is downloaded with pooch; its PNG maps are decoded in memory,
checked against the manifest and written as one .npz file per family.

The manifest holds SHA-256 hashes of decoded maps, which are valid for PNG and .npz files alike. The
hash of a map covers its shape and its free cells, packed eight to a byte row by row; the hash of a
split is the SHA-256 of its maps' hashes in order. The manifest has the full hash of a split and the
first 8 hex digits of each map's, so that an error can name the map. To rebuild it from the maps in
DIR, run `python -m phil.problems.download.maps DIR`.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import TypedDict

import numpy as np
import pooch

from phil.errors import InputError, one_line
from phil.files import write_atomic
from phil.graphs.formats.archive import ZIP_DAMAGE, read_member
from phil.problems.data_files import cache_folder
from phil.problems.generated import FAMILIES
from phil.problems.grids import COMMIT, NUMBERS, Maps, map_sum, public_map, read_family

DEFAULT_URL = f"https://github.com/mohakbhardwaj/motion_planning_datasets/archive/{COMMIT}.zip"
MAX_PNG_BYTES = 2**20  # far more than a map of 201 x 201 cells needs
TIMEOUT_SECONDS = 30
MANIFEST = "grids_manifest.json"
DIGITS = 8


class SplitSums(TypedDict):
    """The hashes of one split: `maps` holds 8 hex digits per map, without separators."""

    sha256: str
    maps: str


Manifest = dict[str, dict[str, SplitSums]]  # by family and split


def download(
    names: Sequence[str],
    folder: Path | None = None,
    *,
    place: str | None = None,
    report: Callable[[str], None] = lambda step: None,
) -> None:
    """Download the public maps; one archive holds all families, so names are ignored."""
    download_maps(folder, report=report)


def download_maps(
    folder: Path | None = None,
    url: str = DEFAULT_URL,
    *,
    manifest: Manifest | None = None,
    report: Callable[[str], None] = lambda step: None,
) -> Path:
    """Download all families into `<folder>/grids` and return it; the default is the user's cache.

    A family is written only if all its maps match the manifest; `report` is called at each step.
    """
    manifest = read_manifest() if manifest is None else manifest
    grids = (cache_folder() if folder is None else folder) / "grids"
    try:
        grids.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=grids) as scratch:
            report(f"downloading {url}")
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
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"cannot write to {grids}: {error.strerror or error}") from error
    except ZIP_DAMAGE as error:
        reason = one_line(error)
        raise InputError(f"{url} is not a valid zip archive ({reason}); try again") from error
    return grids


def _fetch(url: str, file: Path) -> None:
    try:
        pooch.HTTPDownloader(timeout=TIMEOUT_SECONDS)(url, str(file), None)
    except (OSError, ValueError) as error:
        raise InputError(
            f"cannot download {url}: {error}; check the connection, or download and unpack the "
            "archive elsewhere and name its folder with --data"
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
            size = members[name].file_size
            raise InputError(f"{name} has {size} bytes in the archive, too many for a map")
        maps[number] = public_map(read_member(archive, members[name]), name)
    return maps


def _write_family(path: Path, maps: dict[str, Maps]) -> None:
    train, validation, test = (np.stack(list(maps[split].values())) for split in NUMBERS)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, train=train, validation=validation, test=test)
    write_atomic(path, buffer.getvalue())


def split_sums(maps: Maps) -> SplitSums:
    """The hashes of a split's maps."""
    sums = [map_sum(free) for free in maps.values()]
    return {
        "sha256": hashlib.sha256(b"".join(sums)).hexdigest(),
        "maps": "".join(one.hex()[:DIGITS] for one in sums),
    }


def make_manifest(families: Mapping[str, Mapping[str, Maps]]) -> Manifest:
    """The manifest of all maps by family and split."""
    return {
        family: {split: split_sums(maps) for split, maps in splits.items()}
        for family, splits in families.items()
    }


def read_manifest() -> Manifest:
    """The manifest of the public maps, which is part of the package."""
    manifest: Manifest = json.loads(
        resources.files("phil.problems.download").joinpath(MANIFEST).read_text()
    )
    return manifest


def check_split(name: str, maps: Maps, known: SplitSums) -> None:
    """Raise an error that names the first map that differs from the manifest."""
    found = split_sums(maps)
    if found == known:
        return
    expected = len(known["maps"]) // DIGITS
    if len(maps) != expected:
        raise InputError(f"{name} has {len(maps)} of its {expected} maps; download it again")
    which = f"a map of {name}"
    for at, number in enumerate(maps):
        digits = slice(at * DIGITS, (at + 1) * DIGITS)
        if found["maps"][digits] != known["maps"][digits]:
            which = f"{name}/{number}"
            break
    raise InputError(
        f"{which} is not the public map: its SHA-256 differs from the manifest; download it again"
    )


if __name__ == "__main__":
    found = make_manifest({family: read_family(family, Path(sys.argv[1])) for family in FAMILIES})
    text = json.dumps(found, indent=1) + "\n"
    write_atomic(Path(__file__).with_name(MANIFEST), text.encode())
