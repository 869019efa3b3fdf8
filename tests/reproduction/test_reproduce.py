"""`python -m reproduction` as a user runs it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from reproduction import registry
from reproduction.grid import Trial
from reproduction.table1.table import TABLE1
from tests.reproduction.conftest import Reproduce


@pytest.fixture
def folders(tmp_path: Path) -> tuple[str, ...]:
    return (
        "--results", str(tmp_path / "results"),
        "--docs", str(tmp_path / "docs"),
        "--heuristics", str(tmp_path / "build"),
    )  # fmt: skip


def test_all_runs_every_experiment_and_reports(
    reproduce: Reproduce, tmp_path: Path, folders: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = ("--families", "forest", "--methods", "astar,euclidean")
    reproduce("table1", "--quick", "--no-times", *few, *folders)
    monkeypatch.setattr(TABLE1, "trials", lambda request: [Trial("forest", "astar")])
    monkeypatch.setattr(registry, "IN_ALL", (TABLE1,))
    done = reproduce("all", "--quick", "--no-times", *folders)
    assert done.code == 0, done.err
    assert re.search(r"^table1: .*; (\d+) of \1 parts$", done.err, re.M)
    html = (tmp_path / "docs" / "report-quick.html").read_text()
    assert '<section id="table1">' in html
    assert not re.search(r'(src|href)="(?!data:|#)', html)
    assert "judges nothing" in html
    assert 'class="verdicts"' not in html
    assert "prefers-color-scheme: dark" in html
    assert 'name="viewport"' in html
    assert "<dt>machine</dt>" in html
    assert "<dt>commit</dt>" in html


def test_unknown_names(reproduce: Reproduce, folders: tuple[str, ...]) -> None:
    for arguments, message in (
        (("table9",), "unknown experiment"),
        (("table1", "--families", "forst"), "unknown family"),
        (("table1", "--methods", "fil"), "unknown method of Table 1"),
        (("table1", "--seeds", "0"), "--seeds must be 1 or more"),
        (("table1", "--sets", "cora"), "--sets is not for table1"),
        (("table2", "--families", "forest"), "--families is not for table2"),
        (("table2", "--sets", "coral"), "unknown set of Table 2"),
        (("table2", "--tiers", "0"), "unknown tier"),
        (("table3", "--sets", "cora"), "--sets is not for table3"),
        (("table3", "--rooms", "simpel"), "unknown room"),
        (("table1", "--rooms", "simple"), "--rooms is not for table1"),
        (("ablations", "--families", "mazes"), "unknown family of the ablations"),
        (("ablations", "--methods", "phil"), "--methods is not for ablations"),
        (("runtime", "--families", "forst"), "unknown family"),
        (("figures", "--families", "forest"), "--families is not for figures"),
        (("ablations", "--studies", "memories"), "unknown ablation"),
        (("all", "--families", "forest"), "--families is not for all"),
        (("table1", "a.json"), "files are for `python -m reproduction compare A.json B.json`"),
        (("compare", "a.json"), "say which two"),
        (("compare", "a.json", "b.json"), "cannot read a.json"),
    ):
        done = reproduce(*arguments, *folders)
        assert done.code == 2
        assert message in done.err


def test_one_experiment_prints_its_table(
    reproduce: Reproduce, tmp_path: Path, folders: tuple[str, ...]
) -> None:
    few = ("--families", "forest", "--methods", "astar,euclidean")
    done = reproduce("table1", "--quick", "--no-times", *few, *folders)
    assert done.code == 0, done.err
    assert "| forest |" in done.out
    assert f"Reports: {tmp_path / 'docs' / 'table1-quick.html'}" in done.out


def test_report_and_comparison_of_what_is_there(
    reproduce: Reproduce, tmp_path: Path, folders: tuple[str, ...]
) -> None:
    few = ("--families", "forest", "--methods", "astar,euclidean")
    reproduce("table1", "--quick", "--no-times", *few, *folders)
    done = reproduce("report", "--quick", *folders)
    assert done.code == 0, done.err
    html = (tmp_path / "docs" / "report-quick.html").read_text()
    assert '<section id="table1">' in html
    assert "<code>python -m reproduction table2 --quick</code>" in html
    first = tmp_path / "results" / "table1-quick.json"
    results = json.loads(first.read_text())
    tests = results["parts"]["forest-astar-0"]["test"]
    tests["expansions"] = [value // 2 for value in tests["expansions"]]
    second = tmp_path / "second.json"
    second.write_text(json.dumps(results))
    done = reproduce("compare", first, second)
    assert done.code == 0, done.err
    assert "| forest, A* |" in done.out
    assert "B is less" in done.out
