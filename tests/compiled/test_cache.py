"""A cached file that is not whole, not its own or not Numba's is compiled anew."""

from __future__ import annotations

import hashlib
import pickle
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
    target = shipped.shipped_target(kernel(twice).targetctx.codegen())  # type: ignore[attr-defined]
    name = cache.KernelCache(twice).file_name((numba.int64,), target)
    assert name is not None
    code = with_digest(name, path.read_bytes()[len(FORMAT) + DIGEST_BYTES :])
    path.unlink()
    (place / name).write_bytes(code)
    assert misses(twice, 10) == 0
    assert list(empty_cache.path.iterdir()) == []
    (place / name).write_bytes(code[:-1])
    assert misses(twice, 10) == 1
    assert list(empty_cache.path.iterdir()) == [path]
    with monkeypatch.context() as patch:
        (place / name).write_bytes(code)
        path.unlink()
        patch.setattr(numba.config, "BOUNDSCHECK", int(not numba.config.BOUNDSCHECK))
        assert misses(twice, 10) == 1


@pytest.mark.parametrize("setting", ["BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "USING_SVML"])
def test_code_compiled_with_other_settings_is_not_used(
    empty_cache: CodeFolder, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    assert misses(twice, 10) == 1
    with monkeypatch.context() as patch:
        patch.setattr(numba.config, setting, int(not getattr(numba.config, setting)))
        assert [misses(twice, 10), misses(twice, 10)] == [1, 0]
    assert misses(twice, 10) == 0


def test_what_cannot_be_stored_is_compiled_in_memory(
    empty_cache: CodeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unable(_: object) -> bytes:
        raise TypeError("cannot pickle")

    monkeypatch.setattr(cache, "dumps", unable)
    assert [misses(twice, 10), misses(twice, 10)] == [1, 1]
    assert list(empty_cache.path.iterdir()) == []
    assert empty_cache.fault is None


def test_interrupted_loading_is_interrupted(
    empty_cache: CodeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: bytes) -> object:
        raise KeyboardInterrupt

    misses(twice, 10)
    with monkeypatch.context() as patch:
        patch.setattr(pickle, "loads", interrupted)
        with pytest.raises(KeyboardInterrupt):
            misses(twice, 10)
    assert misses(twice, 10) == 0


def test_a_damaged_file_is_deleted_even_if_it_cannot_be_replaced(empty_cache: CodeFolder) -> None:
    misses(twice, 10)
    [path] = empty_cache.path.iterdir()
    path.write_bytes(b"damaged")
    empty_cache.fault = "the disk is full"
    assert misses(twice, 10) == 1
    assert not path.exists()
