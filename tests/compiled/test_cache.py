"""A cached file that is not whole, not its own or not Numba's is compiled anew."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numba
import pytest

from phil.compiled import cache, kernel, shipped
from phil.compiled.cache import DIGEST_BYTES, FORMAT
from phil.compiled.folder import CodeFolder


def twice(x: int) -> int:
    return 2 * x


def thrice(x: int) -> int:
    return 3 * x


def misses(function: Callable[[int], int], expected: int) -> int:
    """How often a new process, so to say, must compile a function to call it."""
    compiled = kernel(function)
    assert compiled(5) == expected
    count: int = sum(compiled.stats.cache_misses.values())  # type: ignore[attr-defined]
    return count


def with_digest(name: str, content: bytes) -> bytes:
    return FORMAT + hashlib.sha256(name.encode() + content).digest() + content


def test_a_function_is_compiled_once(empty_cache: CodeFolder) -> None:
    assert [misses(twice, 10), misses(twice, 10), misses(thrice, 15)] == [1, 0, 1]
    assert sorted(path.name.split("-")[0] for path in empty_cache.path.iterdir()) == [
        "thrice",
        "twice",
    ]


DAMAGES: dict[str, Callable[[str, bytes], bytes]] = {
    "empty": lambda name, data: b"",
    "truncated in the head": lambda name, data: data[: len(FORMAT) + 5],
    "truncated": lambda name, data: data[:-100],
    "one bit flipped": lambda name, data: data[:-100] + bytes([data[-100] ^ 1]) + data[-99:],
    "garbage": lambda name, data: bytes(range(256)) * 50,
    "of another name": lambda name, data: with_digest("f", data[len(FORMAT) + DIGEST_BYTES :]),
    "no pickle": lambda name, data: with_digest(name, b"garbage"),
    "a pickle of something else": lambda name, data: with_digest(name, b"\x80\x04K\x01."),
    "a pickle of what is no longer there": lambda name, data: with_digest(name, b"cphil\ngone\n."),
}


def test_a_damaged_file_is_compiled_anew_and_replaced(empty_cache: CodeFolder) -> None:
    misses(twice, 10)
    [path] = empty_cache.path.iterdir()
    whole = path.read_bytes()
    for damage, apply in DAMAGES.items():
        path.write_bytes(apply(path.name, whole))
        assert misses(twice, 10) == 1, damage
        assert misses(twice, 10) == 0, damage


def test_a_function_without_a_source_that_tells_it_apart_is_not_kept(
    empty_cache: CodeFolder,
) -> None:
    factor = 2

    def closure(x: int) -> int:
        return factor * x

    one_line = (lambda x: x + 1), (lambda x: x + 2)
    for _ in range(2):
        assert misses(closure, 10) == 1
        assert [misses(function, 5 + n) for n, function in enumerate(one_line, 1)] == [1, 1]
    assert list(empty_cache.path.iterdir()) == []


def test_a_folder_of_others_is_not_used(empty_cache: CodeFolder) -> None:
    misses(twice, 10)
    empty_cache.trusted = False
    assert misses(twice, 10) == 1


def test_shipped_code_is_used_before_the_users(
    empty_cache: CodeFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "shipped"
    place.mkdir()
    monkeypatch.setattr(shipped, "FOLDER", place)
    monkeypatch.setattr(cache, "runs_shipped_code", lambda: True)
    assert misses(twice, 10) == 1
    [path] = empty_cache.path.iterdir()
    # The same code, under the name that it has when it is compiled for the level.
    triple = kernel(twice).targetctx.codegen().magic_tuple()[0]  # type: ignore[attr-defined]
    name = cache.KernelCache(twice).file_name((numba.int64,), triple, shipped.LEVEL, "")
    assert name is not None
    code = with_digest(name, path.read_bytes()[len(FORMAT) + DIGEST_BYTES :])
    path.unlink()
    (place / name).write_bytes(code)
    assert misses(twice, 10) == 0
    assert list(empty_cache.path.iterdir()) == []
    (place / name).write_bytes(code[:-1])
    assert misses(twice, 10) == 1
    assert list(empty_cache.path.iterdir()) == [path]
