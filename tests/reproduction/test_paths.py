"""What paths cost by parents, as returned, and smoothed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reproduction.paths import MAPS, MEASURES, PATHS, TITLES
from reproduction.table1.table import QUICK_FAMILIES
from tests.reproduction.conftest import QuickRun, Reproduce


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> QuickRun:
    return QuickRun.of(PATHS, tmp_path_factory.mktemp("paths"))


def test_every_method_is_measured_on_every_set(ran: QuickRun) -> None:
    methods = ran.document["methods"]
    assert [*methods] == [*TITLES]
    for rows in methods.values():
        assert [*rows] == [*QUICK_FAMILIES, MAPS]
        assert all(row["problems"] > 0 and row["expansions"] > 1 for row in rows.values())


def test_each_step_shortens_paths(ran: QuickRun) -> None:
    for part in ran.parts.values():
        for least, by_parents, cost, smoothed in zip(
            part["least"], *(part[measure] for measure in MEASURES), strict=True
        ):
            assert smoothed <= cost <= by_parents
            assert least <= cost
    rows = ran.document["methods"]["phil"].values()
    assert any(row["cost"] < row["by_parents"] for row in rows)


def test_means_are_those_of_the_parts(ran: QuickRun) -> None:
    part = ran.parts["forest-phil"]
    ratios = [cost / least for cost, least in zip(part["cost"], part["least"], strict=True)]
    row = ran.document["methods"]["phil"]["forest"]
    assert row["cost"] == pytest.approx(sum(ratios) / len(ratios))
    assert PATHS.values(ran.document)["forest"].value == row["cost"]


def test_the_page_shows_all(ran: QuickRun) -> None:
    ran.check_resumed()
    ran.check_page()


def test_it_runs_from_the_command_line(reproduce: Reproduce, tmp_path: Path) -> None:
    here = tmp_path
    done = reproduce("paths", "--quick", "--results", here, "--docs", here, "--heuristics", here)
    assert done.code == 0
    assert "| forest |" in done.out
    assert len(json.loads((here / "paths-quick.json").read_text())["parts"]) == 6
