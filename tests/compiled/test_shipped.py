"""Shipped code runs on every CPU of its level, and on no other."""

from __future__ import annotations

from pathlib import Path

import numba
import pytest
from llvmlite import binding

from phil.compiled import shipped
from phil.compiled.shipped import FEATURES, read_shipped, runs_shipped_code

LEVEL_3 = dict.fromkeys(FEATURES, True)
OLDER = {**LEVEL_3, "avx2": False}
OTHER = {"neon": True}


@pytest.fixture(autouse=True)
def an_x86_of_level_3(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: {**LEVEL_3, "avx512f": True})


def test_a_cpu_of_the_level_runs_it() -> None:
    assert runs_shipped_code.__wrapped__()


@pytest.mark.parametrize("features", [OLDER, OTHER])
def test_another_cpu_does_not(features: dict[str, bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: features)
    assert not runs_shipped_code.__wrapped__()


def test_a_package_without_compiled_code_does_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "none")
    assert not runs_shipped_code.__wrapped__()
    assert read_shipped("f") is None


@pytest.mark.parametrize(
    ("setting", "value"), [("CPU_NAME", "generic"), ("CPU_FEATURES", "-avx"), ("ENABLE_AVX", 0)]
)
def test_a_cpu_that_numba_is_told_of_is_obeyed(
    monkeypatch: pytest.MonkeyPatch, setting: str, value: object
) -> None:
    monkeypatch.setattr(numba.config, setting, value)
    assert not runs_shipped_code.__wrapped__()
