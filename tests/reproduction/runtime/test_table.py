"""The runtime out of its parts: times per node, shares, and the paper's claims."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reproduction.experiment import Request
from reproduction.runtime.page import claims, in_words, sections
from reproduction.runtime.table import PRINTED, RUNTIME, TIMED
from reproduction.runtime.timing import COMPILED, PYTHON
from reproduction.store import Parts, write_parts

# Milliseconds per node of each method, compiled; from Python all take 10 more.
TIMES = {
    "sail": 2.0,
    "bfws": 4.0,
    "astar": 1.0,
    "mha": 8.0,
    "manhattan": 0.5,
    "neural_astar": 1.5,
    "phil": 3.0,
    "phil_paper": 9.0,
}
NODES = {"forest": 100, "mazes": 300}
SHARE = 0.25


@pytest.fixture
def parts() -> Parts:
    """Two families that have been measured."""
    return {family: _part(family, nodes) for family, nodes in NODES.items()}


def _part(family: str, nodes: int) -> dict[str, Any]:
    methods: dict[str, Any] = {}
    for name, milliseconds in TIMES.items():
        engines = {PYTHON: _cell(milliseconds + 10, nodes)}
        if name not in ("bfws", "mha"):
            engines[COMPILED] = _cell(milliseconds, nodes)
        methods[name] = {"heuristic": "Table 1" if "phil" in name else "", **engines}
    machine = {"cpu": "a processor", "cores": 2, "load": 1.0}
    return {
        "family": family,
        "maps": 3,
        "rounds": 2,
        "machine": machine,
        "methods": methods,
    }


def _cell(milliseconds: float, nodes: int) -> dict[str, float]:
    total = milliseconds * nodes
    return {"expansions": nodes, "milliseconds": total, "replayed": (1 - SHARE) * total}


def test_times_shares_and_claims(parts: Parts) -> None:
    document = {"command": "made up", **RUNTIME.assemble(parts, quick=True)}
    for row in document["families"].values():
        assert [*row["methods"]] == [*TIMED]
        for name, method in row["methods"].items():
            assert method[PYTHON]["milliseconds_per_node"] == pytest.approx(TIMES[name] + 10)
            assert method[PYTHON]["heuristic_share"] == pytest.approx(SHARE)
    means = document["mean"]
    assert means[COMPILED]["phil"] == pytest.approx(3.0)
    assert "bfws" not in means[COMPILED]
    assert means[PYTHON]["bfws"] == pytest.approx(14.0)
    ours = {claim["other"]: claim["ours"][COMPILED]["phil"] for claim in document["claims"]}
    assert ours["bfws"] == {"ratio": pytest.approx(13 / 14), "agrees": True}  # both from Python
    assert ours["sail"] == {"ratio": pytest.approx(1.5), "agrees": False}
    assert claims(document).rows[2] == [
        "PHIL against A*",
        "34.7 % slower",
        "3.0 times as long",
        "9.0 times as long",
        "18.2 % slower",
        "72.7 % slower",
    ]


def test_the_page_shows_every_number(parts: Parts, tmp_path: Path) -> None:
    request = Request(tmp_path, tmp_path, tmp_path, quick=True)
    write_parts(tmp_path / "runtime-quick.json", "made up", parts)
    document = RUNTIME.write_page(request)
    page = (tmp_path / "runtime-quick.md").read_text()
    html = (tmp_path / "runtime-quick.html").read_text()
    for section in sections(document):
        assert f"## {section.title}" in page
        for row in section.rows:
            assert "| " + " | ".join(row) + " |" in page
            assert all(f">{cell}<" in html for cell in row[1:])
    assert "runtime-quick-chart.svg" in page


def test_the_papers_ratios_in_its_own_words() -> None:
    assert [in_words(printed.ratio) for printed in PRINTED] == [
        "57.9 % faster",
        "32.2 % faster",
        "34.7 % slower",
        "18.3 % slower",
        "71.0 % faster",
    ]
