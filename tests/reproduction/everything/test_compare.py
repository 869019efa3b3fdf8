"""Two runs of an experiment side by side."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from phil.errors import InputError
from reproduction.everything.compare import Compared, compare, comparison
from reproduction.experiment import Value
from reproduction.registry import EXPERIMENTS
from reproduction.store import read_parts, write_parts

RESULTS = Path(__file__).parents[3] / "reproduction" / "results"


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_committed_result_is_like_itself(name: str) -> None:
    path = RESULTS / f"{name.replace('-', '_')}.json"
    compared = compare(EXPERIMENTS, path, path)
    assert len(compared) >= 3
    assert {each.verdict for each in compared} == {"alike"}


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        (Value(100.0), Value(104.0), "alike"),
        (Value(100.0, 10.0), Value(120.0, 10.0), "within the spread"),
        (Value(100.0, 1.0), Value(120.0, 1.0), "B is more"),
        (Value(100.0), Value(50.0), "B is less"),
        (None, Value(50.0), "only in B"),
        (Value(50.0), None, "only in A"),
        (Value(0.0), Value(0.0), "alike"),
    ],
)
def test_verdicts(first: Value | None, second: Value | None, verdict: str) -> None:
    assert Compared("figure", first, second).verdict == verdict


def test_what_changed_stands_out(tmp_path: Path) -> None:
    path, other = RESULTS / "table1.json", tmp_path / "other.json"
    command, parts = read_parts(path)
    changed: dict[str, Any] = deepcopy(dict(parts))
    expansions = changed["forest-astar-0"]["test"]["expansions"]
    changed["forest-astar-0"]["test"]["expansions"] = [2 * value for value in expansions]
    del changed["mazes-maps"]
    write_parts(other, command, changed)
    compared = compare(EXPERIMENTS, path, other)
    found = {each.name: each.verdict for each in compared}
    assert found["forest, A*"] == "B is more"
    assert found["mazes, A*"] == "only in A"
    section = comparison(compared, path, other)
    assert "1 B is more" in section.text[0]
    assert len(section.rows) == len(compared)


def test_files_that_cannot_be_compared(tmp_path: Path) -> None:
    first = RESULTS / "table1.json"
    for name, content, message in (
        ("a.json", "{", "is not JSON"),
        ("b.json", "[]", "was not written by `python -m reproduction`"),
        ("c.json", '{"command": "phil train", "parts": {}}', "give the file of an experiment"),
        (
            "d.json",
            '{"command": "python -m reproduction table1", "parts": {"forest-maps": {}, '
            '"forest-astar-0": {}}}',
            "no result of this version's",
        ),
        (
            "e.json",
            '{"command": "python -m reproduction table1 --quick", "parts": {}}',
            "files of one experiment",
        ),
    ):
        (tmp_path / name).write_text(content)
        with pytest.raises(InputError, match=message):
            compare(EXPERIMENTS, first, tmp_path / name)
    with pytest.raises(InputError, match="cannot read"):
        compare(EXPERIMENTS, first, tmp_path / "missing.json")
    with pytest.raises(InputError, match="compare two files of one experiment"):
        compare(EXPERIMENTS, first, RESULTS / "table2.json")
