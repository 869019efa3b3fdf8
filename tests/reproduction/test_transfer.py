"""Transfer: every heuristic on every family, under every condition."""

from __future__ import annotations

from pathlib import Path

import pytest

from phil.graphs import GridGraph
from reproduction.grid import Trial
from reproduction.table1.table import TABLE1
from reproduction.transfer import CONDITIONS, LARGE, RANDOM, TRANSFER
from tests.reproduction.conftest import QuickRun

FAMILIES = ["alternating_gaps", "mazes"]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, trained: Path) -> QuickRun:
    root = tmp_path_factory.mktemp("transfer")
    return QuickRun.of(TRANSFER, root, heuristics=trained, only={"families": FAMILIES})


def test_every_row_has_every_family_under_every_condition(ran: QuickRun) -> None:
    rows = ran.document["rows"]
    assert [*rows] == [*FAMILIES, "all", "all, random pairs", "euclidean", "astar", "oracle"]
    assert ran.document["families"] == FAMILIES
    for row in rows.values():
        for condition in CONDITIONS:
            assert [*row[condition]] == FAMILIES
            for family, score in row[condition].items():
                least = rows["oracle"][condition][family]["expansions"]
                pairs = zip(score["expansions"], least, strict=True)
                assert all(found >= limit for found, limit in pairs)


def test_conditions_differ(ran: QuickRun) -> None:
    large = TRANSFER.problems(ran.request, "mazes", LARGE)[0].graph
    assert isinstance(large, GridGraph)
    assert large.shape == (121, 121)
    problems = TRANSFER.problems(ran.request, "mazes", RANDOM)
    assert len({(problem.start, problem.goal) for problem in problems}) > 1


def test_heuristics_are_those_of_table_1(ran: QuickRun) -> None:
    file = TABLE1.heuristic(ran.request, Trial("mazes", "phil"))
    assert file.exists()
    names = {path.stem for path in file.parent.glob("*.safetensors")}
    assert {"all-corners-phil-0", "all-random-phil-0", "alternating_gaps-phil-0"} <= names


def test_the_page_has_a_table_for_each_condition(ran: QuickRun) -> None:
    ran.check_page()
    page = ran.text("md")
    assert page.count("| learned from | alternating_gaps | mazes |") == len(CONDITIONS)
    assert page.count("| all, random pairs |") == len(CONDITIONS)
