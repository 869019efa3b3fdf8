"""Parts are made once, side by side, kept in one file, and a failure costs only its own part."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from phil.errors import InputError
from reproduction.runner import Part, Stage, make_parts
from reproduction.store import Store, read_parts


def count_calls(log: Path, name: str) -> dict[str, Any]:
    with open(log, "a") as stream:
        stream.write(name + "\n")
    return {"name": name}


def refuse(log: Path, name: str) -> dict[str, Any]:
    raise InputError(f"{name} has no maps")


def stage(folder: Path, *names: str, alone: bool = False) -> Stage:
    log = folder / "log"
    return Stage(
        [
            Part(name, partial(refuse if "bad" in name else count_calls, log, name))
            for name in names
        ],
        alone,
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "results", "it", "python -m reproduction it")


@pytest.mark.parametrize("on", ["local", "processes:2"])
def test_only_missing_parts_are_made(tmp_path: Path, store: Store, on: str) -> None:
    told: list[str] = []
    make_parts([stage(tmp_path, "b", "a")], store, told.append, on)
    stages = [stage(tmp_path, "a", "b", "c"), stage(tmp_path, "d", alone=True)]
    make_parts(stages, store, told.append, on)
    assert sorted((tmp_path / "log").read_text().split()) == ["a", "b", "c", "d"]
    assert told[-2:] == ["c (1 of 2)", "d (2 of 2)"]
    made = store.parts()["c"]
    assert made.pop("made").keys() >= {"seconds", "cpu", "cores", "commit", "versions"}
    assert made == {"name": "c"}


@pytest.mark.parametrize("on", ["local", "processes:2"])
def test_a_failure_costs_only_its_own_part(tmp_path: Path, store: Store, on: str) -> None:
    with pytest.raises(InputError, match="bad: bad has no maps"):
        make_parts([stage(tmp_path, "bad", "a", "b")], store, lambda _: None, on)
    assert sorted(store.parts()) == ["a", "b"]


def test_results_are_one_file_with_a_line_for_each_part(tmp_path: Path, store: Store) -> None:
    make_parts([stage(tmp_path, "b", "a")], store, lambda _: None, "local")
    assert [*store.path.parent.iterdir()] == [store.path]
    lines = store.path.read_text().splitlines()
    assert [line[:4] for line in lines] == ['{"co', '"a":', '"b":', "}}"]
    command, parts = read_parts(store.path)
    assert command == json.loads(store.path.read_text())["command"] == store.command
    assert [*parts] == ["a", "b"]


def test_an_interrupted_run_is_taken_up_again(tmp_path: Path, store: Store) -> None:
    store.keep("a", {"name": "kept"})
    assert "a" in store
    assert not store.path.exists()
    make_parts([stage(tmp_path, "a", "b")], store, lambda _: None, "local")
    assert store.parts()["a"] == {"name": "kept"}
    assert (tmp_path / "log").read_text() == "b\n"


def test_what_a_killed_process_left_does_not_disturb(tmp_path: Path, store: Store) -> None:
    store.keep("a", {"name": "a"})
    left = store.path.parent / "parts" / "it" / ".b.json.0123456789abcdef.tmp"
    left.write_text('{"na')
    make_parts([stage(tmp_path, "a", "b")], store, lambda _: None, "local")
    assert [*store.parts()] == ["a", "b"]
    assert [*left.parent.iterdir()] == [left]


@pytest.mark.parametrize("content", [b"", b'{"na', b"[]", b"\xff", b"[" * 100_000])
def test_a_damaged_part_is_said(tmp_path: Path, store: Store, content: bytes) -> None:
    store.keep("a", {"name": "a"})
    store.keep("b", {"name": "b"})
    (store.path.parent / "parts" / "it" / "a.json").write_bytes(content)
    with pytest.raises(InputError, match=r"parts/it/a\.json .*delete it"):
        make_parts([stage(tmp_path, "a", "b")], store, lambda _: None, "local")
    (store.path.parent / "parts" / "it" / "a.json").unlink()
    make_parts([stage(tmp_path, "a", "b")], store, lambda _: None, "local")
    assert [*store.parts()] == ["a", "b"]
    assert (tmp_path / "log").read_text() == "a\n"


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = Store(tmp_path / "file" / "results", "it", "it")
    with pytest.raises(InputError, match=r"a: cannot write .*it: Not a directory"):
        make_parts([stage(tmp_path, "a")], store, lambda _: None, "local")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"command": "phil train"}',
        '{"command": 3, "parts": {}}',
        '{"command": "it", "parts": []}',
        '{"command": "it", "parts": {"a": 3}}',
        "[" * 100_000,
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"a\.json"):
        read_parts(path)
