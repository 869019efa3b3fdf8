"""Transfer: every heuristic on every family, under every condition."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phil.graphs import GridGraph
from reproduction.markup import Section
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


def test_there_is_a_heuristic_for_every_row(ran: QuickRun) -> None:
    folder = ran.request.heuristics / ran.request.named("transfer")
    names = {path.stem for path in folder.glob("*.safetensors")}
    assert names == {"all-corners-0", "all-random-0", "alternating_gaps-0", "mazes-0"}


def test_the_page_has_a_table_for_each_condition(ran: QuickRun) -> None:
    ran.check_page()
    page = ran.text("md")
    tables = 2 * len(CONDITIONS)  # expansions and calls
    assert page.count("| learned from | alternating_gaps | mazes |") == tables
    assert page.count("| all, random pairs |") == tables


def test_calls_are_beside_expansions(ran: QuickRun) -> None:
    shown = {part.title: part for part in TRANSFER.page(ran.document, ran.request).parts}
    calls = shown["Other families: calls"]
    assert isinstance(calls, Section)
    astar = ran.document["rows"]["astar"]["corners"]["mazes"]
    assert ["A*", f"{np.mean(astar['calls']):,.0f}"] == [calls.rows[-2][0], calls.rows[-2][-1]]


def test_calls_that_were_not_kept_are_dashes(ran: QuickRun) -> None:
    row = {key: {family: {"expansions": [3]} for family in FAMILIES} for key in CONDITIONS}
    page = TRANSFER.page({**ran.document, "rows": {"mazes": row}}, ran.request)
    tables = [part for part in page.parts if isinstance(part, Section)]
    shown = [table.rows for table in tables if table.title.endswith(": calls")]
    assert shown == [[["mazes", "-", "-"]]] * len(CONDITIONS)
