"""`python -m reproduction all --quick`: every experiment, and the report on all of them."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from reproduction.figures.command import FIGURES
from reproduction.registry import EXPERIMENTS
from reproduction.runtime.study import TIMED
from tests.reproduction.conftest import Reproduce

Written = dict[str, set[str]]


@pytest.mark.slow
def test_everything(reproduce: Reproduce, tmp_path: Path) -> None:
    results, docs = tmp_path / "results", tmp_path / "docs"
    folders = ("--results", results, "--docs", docs, "--heuristics", tmp_path / "build")
    done = reproduce("all", "--quick", *folders)
    assert done.code == 0, done.err
    assert re.search(r"^figures: .*; (\d+) of \1 parts, under a minute left$", done.err, re.M)
    documents = {name: json.loads((results / f"{name}-quick.json").read_text())
                 for name in EXPERIMENTS}  # fmt: skip
    check_runtime(documents["runtime"], (docs / "runtime-quick.md").read_text())
    check_figures(documents["figures"], docs)
    check_report(docs)
    check_files({path.name for path in docs.iterdir()})


def check_runtime(document: dict[str, Any], page: str) -> None:
    for row in document["families"].values():
        methods = row["methods"]
        assert [*methods] == [*TIMED]
        assert {name for name, found in methods.items() if "compiled" not in found} == {
            "bfws",
            "mha",
        }
        for found in methods.values():
            cell = found["python"]
            per_node = cell["milliseconds"] / cell["expansions"]
            assert cell["milliseconds_per_node"] == pytest.approx(per_node)
            assert 0 <= cell["heuristic_share"] < 1
            assert f"{cell['milliseconds_per_node']:.3g}" in page
    assert "| PHIL against BFWS | 57.9 % faster |" in page


def check_figures(document: dict[str, Any], docs: Path) -> None:
    found = document["figures"]
    assert [*found] == [figure.name for figure in FIGURES]
    missing = {name: facts["missing"] for name, facts in found.items() if "missing" in facts}
    assert {*missing} <= {"rooms"}
    assert "off-screen" in missing.get("rooms", "off-screen")
    page, html = ((docs / f"figures-quick.{kind}").read_text() for kind in ("md", "html"))
    for figure in FIGURES:
        if figure.name in missing:
            continue
        [file] = docs.glob(f"figures-quick-{figure.name}.*")
        assert f"![{figure.title}]({file.name})" in page
        assert base64.b64encode(file.read_bytes()).decode() in html
    trapped = found["trap"]
    assert trapped["expansions"]["greedy Euclidean"] >= 3 * trapped["shortest"]
    assert all(summary["seen"] > 0 for summary in found["learning"]["families"]["forest"].values())


def check_report(docs: Path) -> None:
    """All chapters, all pictures inside, nothing from elsewhere, no verdict on the paper."""
    html = (docs / "report-quick.html").read_text()
    for experiment in EXPERIMENTS.values():
        assert f'<section id="{experiment.name}">' in html
        page = (docs / f"{experiment.name}-quick.md").read_text()
        assert html.count("data:image") >= page.count("![")
    assert not re.search(r'(src|href)="(?!data:|#)', html)
    assert "judges nothing" in html
    assert 'class="verdicts"' not in html
    assert "prefers-color-scheme: dark" in html
    assert 'name="viewport"' in html
    assert "<dt>machine</dt>" in html
    assert "<dt>commit</dt>" in html


def check_files(names: set[str]) -> None:
    rooms = {"figures-quick-rooms.png"}
    pages = {f"{name}-quick.{kind}" for name in (*EXPERIMENTS, "report") for kind in ("md", "html")}
    assert names - rooms == pages | {
        "table1-quick-curves.svg",
        "table1-quick-searches.png",
        "table2-quick-curves.svg",
        "table2-quick-losses.svg",
        "table2-quick-roads.png",
        "table2-quick-roads-astar.geojson",
        "table2-quick-roads-phil.geojson",
        "table3-quick-curves.svg",
        "ablations-quick-convolution.svg",
        "ablations-quick-neighbourhood.svg",
        "ablations-quick-fringe.svg",
        "runtime-quick-chart.svg",
        "figures-quick-trap.png",
        "figures-quick-sail.png",
        "figures-quick-strategy.png",
        "figures-quick-convolutions.png",
        "figures-quick-city.png",
        "figures-quick-learning.svg",
    }
