"""`phil reproduce` as a user runs it."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from phil.experiments import table2
from phil.experiments.figures.command import FIGURES
from phil.experiments.runtime import study as runtime
from phil.experiments.table1.columns import COLUMNS
from tests.cli.conftest import Phil


@pytest.fixture
def folders(tmp_path: Path) -> tuple[str, ...]:
    return (
        "--results", str(tmp_path / "results"),
        "--docs", str(tmp_path / "docs"),
        "--heuristics", str(tmp_path / "build"),
    )  # fmt: skip


@pytest.mark.slow
def test_table1_with_every_method(phil: Phil, tmp_path: Path, folders: tuple[str, ...]) -> None:
    done = phil("reproduce", "table1", "--quick", "--families", "forest", "--seeds", "1", *folders)
    assert done.code == 0, done.err
    document = json.loads((tmp_path / "results" / "table1-quick.json").read_text())
    assert [*document["families"]] == ["forest"]
    methods = document["families"]["forest"]["methods"]
    assert [*methods] == [*COLUMNS]
    assert all(summary["solved"] == [6] for summary in methods.values())
    for column in COLUMNS.values():
        if column.learned:
            assert len(methods[column.name]["trainings"][0]["curve"]) > 0
    assert "| forest |" in done.out
    written = {path.name for path in (tmp_path / "docs").iterdir()}
    assert written == {
        "table1-quick.md",
        "table1-quick.html",
        "table1-quick-curves.svg",
        "table1-quick-searches.png",
    }
    assert "What SaIL and PHIL expand" in (tmp_path / "docs" / "table1-quick.md").read_text()


@pytest.mark.slow
def test_table2_with_every_method(phil: Phil, tmp_path: Path, folders: tuple[str, ...]) -> None:
    done = phil("reproduce", "table2", "--quick", "--seeds", "1", *folders)
    assert done.code == 0, done.err
    document = json.loads((tmp_path / "results" / "table2-quick.json").read_text())
    assert [*document["sets"]] == [*table2.QUICK_SETS]
    for name, row in document["sets"].items():
        found = {method for tier in row["tiers"].values() for method in tier["methods"]}
        has_landmarks = "4" in row["tiers"]
        assert found == {
            method for method in table2.COLUMNS if has_landmarks or "landmarks" not in method
        }
        assert f"| {name} |" in done.out
    written = {path.name.removeprefix("table2-quick") for path in (tmp_path / "docs").iterdir()}
    assert written == {
        ".md",
        ".html",
        "-curves.svg",
        "-losses.svg",
        "-roads.png",
        "-roads-astar.geojson",
        "-roads-phil.geojson",
    }


@pytest.mark.slow
def test_runtime_of_every_method(phil: Phil, tmp_path: Path, folders: tuple[str, ...]) -> None:
    done = phil("reproduce", "runtime", "--quick", "--families", "forest", *folders)
    assert done.code == 0, done.err
    document = json.loads((tmp_path / "results" / "runtime-quick.json").read_text())
    methods = document["families"]["forest"]["methods"]
    assert [*methods] == [*runtime.TIMED]
    assert {name for name, found in methods.items() if "compiled" not in found} == {"bfws", "mha"}
    for found in methods.values():
        cell = found["python"]
        per_node = cell["milliseconds"] / cell["expansions"]
        assert cell["milliseconds_per_node"] == pytest.approx(per_node)
        assert 0 <= cell["heuristic_share"] < 1
    page = (tmp_path / "docs" / "runtime-quick.md").read_text()
    for found in methods.values():
        assert f"{found['python']['milliseconds_per_node']:.3g}" in page
    assert "| PHIL against BFWS | 57.9 % faster |" in done.out
    written = {path.name for path in (tmp_path / "docs").iterdir()}
    assert written == {"runtime-quick.md", "runtime-quick.html", "runtime-quick-chart.svg"}


@pytest.mark.slow
def test_every_figure(phil: Phil, tmp_path: Path, folders: tuple[str, ...]) -> None:
    done = phil("reproduce", "figures", "--quick", *folders)
    assert done.code == 0, done.err
    document = json.loads((tmp_path / "results" / "figures-quick.json").read_text())
    found = document["figures"]
    assert [*found] == [figure.name for figure in FIGURES]
    missing = {name: facts["missing"] for name, facts in found.items() if "missing" in facts}
    assert {*missing} <= {"rooms"}
    assert "off-screen" in missing.get("rooms", "off-screen")
    page = (tmp_path / "docs" / "figures-quick.md").read_text()
    html = (tmp_path / "docs" / "figures-quick.html").read_text()
    for figure in FIGURES:
        if figure.name in missing:
            continue
        [file] = (tmp_path / "docs").glob(f"figures-quick-{figure.name}.*")
        assert f"![{figure.title}]({file.name})" in page
        assert base64.b64encode(file.read_bytes()).decode() in html
    trapped = found["trap"]
    assert trapped["expansions"]["greedy Euclidean"] >= 3 * trapped["shortest"]
    assert all(summary["seen"] > 0 for summary in found["learning"]["families"]["forest"].values())


@pytest.mark.slow
def test_table3_in_both_rooms(phil: Phil, tmp_path: Path, folders: tuple[str, ...]) -> None:
    few = ("--seeds", "1", "--methods", "phil,euclidean,astar,oracle")
    done = phil("reproduce", "table3", "--quick", *few, *folders)
    assert done.code == 0, done.err
    document = json.loads((tmp_path / "results" / "table3-quick.json").read_text())
    assert [*document["rooms"]] == ["simple", "adversarial"]
    for room, row in document["rooms"].items():
        assert f"| {room} |" in done.out
        assert {*row["methods"]} == {"phil", "euclidean", "astar", "oracle"}
        assert row["flights"]["touched"] == 0
    written = {path.name.removeprefix("table3-quick") for path in (tmp_path / "docs").iterdir()}
    assert written == {".md", ".html", "-curves.svg"}


def test_ablations(phil: Phil, tmp_path: Path, folders: tuple[str, ...]) -> None:
    done = phil("reproduce", "ablations", "--quick", "--seeds", "1", *folders)
    assert done.code == 0, done.err
    document = json.loads((tmp_path / "results" / "ablations-quick.json").read_text())
    [row] = document["families"].values()
    assert len(row["variants"]) == 11
    assert all(summary["solved"] == [6] for summary in row["variants"].values())
    assert "| Neighbourhood | n = 2 expands less than n = 0 |" in done.out
    written = {path.name.removeprefix("ablations-quick") for path in (tmp_path / "docs").iterdir()}
    drawn = {f"-{study}.svg" for study in ("convolution", "neighbourhood", "fringe")}
    assert written == {".md", ".html", *drawn}


def test_unknown_names(phil: Phil, folders: tuple[str, ...]) -> None:
    for arguments, message in (
        (("table9",), "unknown table"),
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
    ):
        done = phil("reproduce", *arguments, *folders)
        assert done.code == 2
        assert message in done.err
