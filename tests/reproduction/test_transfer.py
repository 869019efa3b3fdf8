"""Transfer: every heuristic on every family, under every condition."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from phil.graphs import GridGraph
from reproduction.table1.columns import COLUMNS
from reproduction.table1.study import Study
from reproduction.transfer.study import CONDITIONS, LARGE, RANDOM, Transfer, reproduce

FAMILIES = ["alternating_gaps", "mazes"]


@pytest.fixture(scope="module")
def transfer(tmp_path_factory: pytest.TempPathFactory) -> Transfer:
    root = tmp_path_factory.mktemp("transfer")
    study = Study(FAMILIES, ["phil"], 1, None, root / "results", root / "build", quick=True)
    return Transfer(study)


@pytest.fixture(scope="module")
def document(transfer: Transfer) -> dict[str, Any]:
    folder = transfer.study.results
    reproduce(transfer, folder, lambda _: None)
    content: dict[str, Any] = json.loads((folder / "transfer-quick.json").read_text())
    return content


def test_every_row_has_every_family_under_every_condition(document: dict[str, Any]) -> None:
    assert [*document["rows"]] == [
        *FAMILIES,
        "all",
        "all, random pairs",
        "euclidean",
        "astar",
        "oracle",
    ]
    for row in document["rows"].values():
        for condition in CONDITIONS:
            assert [*row[condition]] == FAMILIES
            for score in row[condition].values():
                assert None not in score["expansions"]


def test_nothing_expands_less_than_the_shortest_path(document: dict[str, Any]) -> None:
    for row in document["rows"].values():
        for condition in CONDITIONS:
            for family in FAMILIES:
                least = document["rows"]["oracle"][condition][family]["expansions"]
                pairs = zip(row[condition][family]["expansions"], least, strict=True)
                assert all(found >= limit for found, limit in pairs)


def test_conditions_differ(transfer: Transfer) -> None:
    large = transfer.problems("mazes", LARGE)[0].graph
    assert isinstance(large, GridGraph)
    assert large.shape == (121, 121)
    ends = {(problem.start, problem.goal) for problem in transfer.problems("mazes", RANDOM)}
    assert len(ends) > 1


def test_heuristics_are_those_of_table_1(transfer: Transfer, document: dict[str, Any]) -> None:
    study = transfer.study
    assert study.heuristic(COLUMNS["phil"], "mazes", 0).exists()
    names = sorted(path.stem for path in (study.heuristics / study.name).glob("*.safetensors"))
    assert names == [
        "phil-all-corners",
        "phil-all-random",
        "phil-alternating_gaps-0",
        "phil-mazes-0",
    ]


def test_the_page_has_a_table_for_each_condition(
    transfer: Transfer, document: dict[str, Any]
) -> None:
    page = (Path(transfer.study.results) / "transfer-quick.md").read_text()
    assert page.count("| learned from | alternating_gaps | mazes |") == len(CONDITIONS)
    assert page.count("| all, random pairs |") == len(CONDITIONS)
