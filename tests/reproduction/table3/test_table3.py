"""Table 3: every part is made once, and the table shows what the parts hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.evaluation import evaluate, parse_method
from phil.rooms import room_problem
from phil.search import search
from reproduction.experiment import Request
from reproduction.grid import Trial
from reproduction.methods import FROM_BOTH_ENDS
from reproduction.table3.methods import CHECKED, METHODS, PRINTED
from reproduction.table3.page import lost_by_straight_line, readme_table
from reproduction.table3.simulation import (
    QUICK_PROBLEMS,
    checks_parts,
    needed_checks,
    over_runs,
)
from reproduction.table3.table import TABLE3
from tests.reproduction.conftest import QuickRun

pytest.importorskip("mujoco")

ROOM = "adversarial"


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, trained: Path) -> QuickRun:
    """One seed of every method in a room; then one more of PHIL."""
    root = tmp_path_factory.mktemp("table3")
    first = QuickRun.of(TABLE3, root, heuristics=trained, only={"rooms": [ROOM]})
    QuickRun.of(
        TABLE3,
        root,
        heuristics=trained,
        seeds=2,
        times=False,
        only={"rooms": [ROOM], "methods": ["phil"]},
    )
    return first


@pytest.fixture(scope="module")
def document(ran: QuickRun) -> dict[str, Any]:
    return dict(ran.document)


@pytest.fixture(scope="module")
def row(document: dict[str, Any]) -> dict[str, Any]:
    """That of the room."""
    found: dict[str, Any] = document["rooms"][ROOM]
    return found


def test_every_part_is_there_once(ran: QuickRun) -> None:
    assert sorted(ran.parts) == sorted(
        [f"{ROOM}-{name}" for name in ("problems", "flights", "checks-0", "phil-1")]
        + [f"{ROOM}-{name}-{what}" for name in METHODS for what in ("0", "times")]
    )
    ran.check_resumed()


def test_a_part_is_what_its_heuristic_does_on_the_published_problems(ran: QuickRun) -> None:
    trial = Trial(ROOM, "phil", 1)
    problems = TABLE3.problems(ran.request, ROOM).test
    assert [[p.start, p.goal] for p in problems] == ran.parts[f"{ROOM}-problems"]["test"]
    [score] = evaluate(problems, [parse_method(str(TABLE3.heuristic(ran.request, trial)))])
    expansions = [run.result.expansions for run in score.runs]
    assert ran.parts[trial.name]["test"]["expansions"] == expansions


def test_ratios_are_to_greedy_euclidean_and_to_the_shortest_path(
    row: dict[str, Any], ran: QuickRun
) -> None:
    def mean(method: str, seed: int = 0) -> float:
        return float(np.mean(ran.parts[Trial(ROOM, method, seed).name]["test"]["expansions"]))

    phil = row["methods"]["phil"]
    by_run = [mean("phil", seed) for seed in (0, 1)]
    assert phil["ratio"] == pytest.approx(np.mean(by_run) / mean("euclidean"))
    assert phil["ratio_deviation"] == pytest.approx(np.std(phil["ratio_by_run"], ddof=1))
    assert phil["over_shortest"]["ratio"] == pytest.approx(np.mean(by_run) / mean("oracle"))
    assert row["methods"]["euclidean"]["ratio"] == 1
    assert list(row["methods"]) == list(METHODS)
    for summary in row["methods"].values():
        assert summary["over_shortest"]["ratio"] >= 1
        assert set(summary["solved"]) == {len(row["problems"]["test"])}
        assert summary["milliseconds"] > 0
    assert row["flights"]["touched"] == 0


def test_checks_are_those_that_the_collision_checker_made(ran: QuickRun) -> None:
    """One search again, its expansions' own checks counted by asking for their neighbours."""
    found = ran.parts[f"{ROOM}-checks-0"]["methods"]
    assert {name: len(columns["checks"]) for name, columns in found.items()} == dict.fromkeys(
        CHECKED, QUICK_PROBLEMS
    )
    flight = room_problem(ROOM, "test", 1)
    grid: Any = flight.problem.graph
    start, goal = grid.cell(flight.problem.start), grid.cell(flight.problem.goal)
    checker = flight.room.checker()
    heuristic: Any = parse_method(str(TABLE3.heuristic(ran.request, Trial(ROOM, "phil"))))
    result = search(flight.room.implicit(checker), start, goal, heuristic.heuristic, trace=True)
    assert result.trace is not None
    in_all = checker.checks
    assert found["phil"]["checks"][1] == in_all
    assert found["phil"]["expansions"][1] == result.expansions
    asked = set()
    for x, y, z in result.trace[:-1]:
        around = [(x + 1, y, z), (x - 1, y, z), (x, y + 1, z), (x, y - 1, z)]
        asked |= {*around, (x, y, z + 1), (x, y, z - 1)}
    last = np.array(grid.shape) - 1
    inside = [cell for cell in asked if (np.clip(cell, 0, last) == cell).all()]
    assert needed_checks(result.trace[:-1], grid.shape) == len(inside)
    assert found["phil"]["own_checks"][1] == in_all - len(inside) > 0


def test_calls_of_searches_with_checks(ran: QuickRun, row: dict[str, Any]) -> None:
    methods = row["checks"]["methods"]
    assert methods["astar"]["calls"] == methods["astar"]["expansions"] - 1
    assert methods["phil"]["calls"] > methods["phil"]["expansions"]
    parts = {
        name: part
        | {
            "methods": {
                method: {key: values for key, values in columns.items() if key != "calls"}
                for method, columns in part["methods"].items()
            }
        }
        for name, part in ran.parts.items()
        if "-checks-" in name
    }
    kept = over_runs(parts, ROOM)
    assert kept is not None
    assert {found["calls"] for found in kept["methods"].values()} == {None}
    assert kept["methods"]["phil"]["checks"] == methods["phil"]["checks"]


def test_only_a_look_ahead_makes_checks_of_its_own(row: dict[str, Any]) -> None:
    methods = row["checks"]["methods"]
    assert [name for name, found in methods.items() if found["own_checks"] > 0] == ["phil"]
    for found in methods.values():
        assert 0 < found["check_milliseconds"] < found["milliseconds"]
    astar, phil = methods["astar"], methods["phil_alone"]
    assert astar["checks_ratio"] == astar["milliseconds_ratio"] == 1
    assert phil["checks_ratio"] == pytest.approx(phil["checks"] / astar["checks"])


def test_checks_are_compared_only_if_all_are_run(ran: QuickRun) -> None:
    assert len(checks_parts(TABLE3, ran.request)) == 1
    few = replace(ran.request, only={"methods": ["phil", "astar"]})
    assert checks_parts(TABLE3, few) == []


def test_the_page_shows_every_number(document: dict[str, Any], ran: QuickRun) -> None:
    ran.check_page()
    assert ran.file("-curves.svg").stat().st_size > 0
    assert ran.text("html").count("<canvas") == 3
    assert f"| {ROOM} |" in readme_table(document)


def test_a_validation_problem_is_shown(ran: QuickRun) -> None:
    problem = max(TABLE3.problems(ran.request, ROOM).validation, key=lost_by_straight_line)
    assert problem.name in ran.text("html")


def test_unlearned_methods_come_first_then_seed_by_seed(tmp_path: Path) -> None:
    trials = TABLE3.trials(Request(tmp_path, tmp_path, tmp_path))
    assert len(trials) == len(set(trials)) == 2 * (9 + 3 * 6)
    assert not any(METHODS[trial.method].learned for trial in trials[:18])
    assert [trial.seed for trial in trials[18:]] == sorted(trial.seed for trial in trials[18:])


@pytest.mark.parametrize("only", [{"rooms": ["simpel"]}, {"methods": ["fil"]}])
def test_unknown_names_are_refused(ran: QuickRun, only: dict[str, list[str]]) -> None:
    with pytest.raises(InputError, match="unknown"):
        TABLE3.stages(replace(ran.request, only=only))


def test_the_paper_has_a_value_for_every_room_and_column() -> None:
    for printed in PRINTED.values():
        both_ends = {method.name for method in FROM_BOTH_ENDS}
        assert set(METHODS) - set(printed) == {"phil_paper", "phil_alone", "phil_lazy"} | both_ends
        assert set(printed) <= set(METHODS)
