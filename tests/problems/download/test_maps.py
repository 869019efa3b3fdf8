"""Fetching the public maps, from a local server: tests do not ask the real host."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import numpy as np
import pytest
from PIL import Image

from phil.errors import InputError
from phil.problems.download.maps import (
    DEFAULT_URL,
    MAX_PNG_BYTES,
    Manifest,
    download_maps,
    make_manifest,
)
from phil.problems.grids import COMMIT, Maps, read_family

ROOT = f"motion_planning_datasets-{COMMIT}"
FAMILIES = ("forest", "mazes")


class Handler(BaseHTTPRequestHandler):
    """Serves the bytes in `files` by path."""

    files: ClassVar[dict[str, bytes]] = {}

    def do_GET(self) -> None:
        content = self.files.get(self.path)
        self.send_response(404 if content is None else 200)
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(Handler, "files", {})
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def maps() -> dict[str, dict[str, Maps]]:
    """Three maps per split of two families."""
    random = np.random.default_rng(0)
    return {
        family: {
            split: {number: random.random((9, 9)) < 0.7 for number in range(first, first + 3)}
            for split, first in (("train", 0), ("validation", 800), ("test", 900))
        }
        for family in FAMILIES
    }


@pytest.fixture
def members(maps: dict[str, dict[str, Maps]]) -> dict[str, bytes]:
    """The files of the fake archive by name."""
    return {
        f"{ROOT}/README.md": b"# maps",
        f"{ROOT}/forest/train/600.png": b"beyond the splits, so never opened",
    } | {
        f"{ROOT}/{family}/{split}/{number}.png": png(free * np.uint8(255))
        for family, splits in maps.items()
        for split, by_number in splits.items()
        for number, free in by_number.items()
    }


@pytest.fixture
def manifest(maps: dict[str, dict[str, Maps]]) -> Manifest:
    return make_manifest(maps)


def png(levels: np.typing.NDArray[np.uint8]) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(levels).save(buffer, "png")
    return buffer.getvalue()


def serve(members: dict[str, bytes]) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    Handler.files["/archive.zip"] = buffer.getvalue()


def test_the_default_is_the_public_commit() -> None:
    assert COMMIT in DEFAULT_URL


def test_what_arrives_is_what_is_read(
    server: str,
    tmp_path: Path,
    members: dict[str, bytes],
    maps: dict[str, dict[str, Maps]],
    manifest: Manifest,
) -> None:
    serve(members)
    steps: list[str] = []
    folder = download_maps(
        tmp_path / "new" / "data", f"{server}/archive.zip", manifest=manifest, report=steps.append
    )
    assert folder == tmp_path / "new" / "data" / "grids"
    assert sorted(file.name for file in folder.iterdir()) == ["forest.npz", "mazes.npz"]
    assert len(steps) == 1 + len(FAMILIES)
    for family in FAMILIES:
        found = read_family(family, tmp_path / "new" / "data")
        np.testing.assert_equal(found, maps[family])


def test_a_changed_map_is_named_and_nothing_of_its_family_is_written(
    server: str, tmp_path: Path, members: dict[str, bytes], manifest: Manifest
) -> None:
    members[f"{ROOT}/forest/test/901.png"] = png(np.full((9, 9), 255, np.uint8))
    serve(members)
    (tmp_path / "grids").mkdir()
    (tmp_path / "grids" / "forest.npz").write_bytes(b"the old file")
    with pytest.raises(InputError, match="forest/test/901 is not the public map"):
        download_maps(tmp_path, f"{server}/archive.zip", manifest=manifest)
    assert [file.name for file in (tmp_path / "grids").iterdir()] == ["forest.npz"]
    assert (tmp_path / "grids" / "forest.npz").read_bytes() == b"the old file"


def test_a_missing_map(
    server: str, tmp_path: Path, members: dict[str, bytes], manifest: Manifest
) -> None:
    del members[f"{ROOT}/mazes/train/1.png"]
    serve(members)
    with pytest.raises(InputError, match="mazes/train has 2 of its 3 maps"):
        download_maps(tmp_path, f"{server}/archive.zip", manifest=manifest)


def test_names_that_lead_outside_write_nothing_there(
    server: str, tmp_path: Path, members: dict[str, bytes], manifest: Manifest
) -> None:
    first = members.pop(f"{ROOT}/forest/train/0.png")
    members["../../../forest/train/0.png"] = first
    members["/absolute/evil.txt"] = members["../evil.txt"] = b"evil"
    serve(members)
    download_maps(tmp_path / "data", f"{server}/archive.zip", manifest=manifest)
    written = sorted(file.name for file in tmp_path.rglob("*") if file.is_file())
    assert written == ["forest.npz", "mazes.npz"]


def test_a_bomb_is_not_unpacked(
    server: str, tmp_path: Path, members: dict[str, bytes], manifest: Manifest
) -> None:
    members[f"{ROOT}/forest/train/0.png"] = bytes(MAX_PNG_BYTES + 1)
    serve(members)
    with pytest.raises(InputError, match=r"forest/train/0\.png has \d+ bytes"):
        download_maps(tmp_path, f"{server}/archive.zip", manifest=manifest)


def test_a_cut_archive(
    server: str, tmp_path: Path, members: dict[str, bytes], manifest: Manifest
) -> None:
    serve(members)
    Handler.files["/archive.zip"] = Handler.files["/archive.zip"][:-100]
    with pytest.raises(InputError, match="is not a valid zip archive"):
        download_maps(tmp_path, f"{server}/archive.zip", manifest=manifest)
    assert list((tmp_path / "grids").iterdir()) == []


def test_a_damaged_archive(
    server: str, tmp_path: Path, members: dict[str, bytes], manifest: Manifest
) -> None:
    serve(members)
    content = bytearray(Handler.files["/archive.zip"])
    start = content.index(b"forest/train/0.png") + 40
    content[start : start + 20] = bytes(20)
    Handler.files["/archive.zip"] = bytes(content)
    with pytest.raises(InputError, match="is not a valid zip archive"):
        download_maps(tmp_path, f"{server}/archive.zip", manifest=manifest)


def test_a_server_that_does_not_have_it(server: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot download .*404.*--data"):
        download_maps(tmp_path, f"{server}/gone.zip")


def test_no_server(server: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot download"):
        download_maps(tmp_path, "http://127.0.0.1:1/archive.zip")


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match=r"cannot write to .*file"):
        download_maps(tmp_path / "file")
