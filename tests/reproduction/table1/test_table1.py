"""Table 1: every part is made once, and the table shows what the parts hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.evaluation import evaluate, parse_method
from phil.heuristics.registry import read_any
from phil.problems.generated import FAMILIES
from phil.problems.pairs import map_problem
from reproduction.grid import Trial
from reproduction.table1.methods import METHODS
from reproduction.table1.page import expansions, sections
from reproduction.table1.table import TABLE1, has_path, in_sail_unit, small_set
from tests.reproduction.conftest import QuickRun

FAMILY = "alternating_gaps"


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, trained: Path) -> QuickRun:
    """Every method on one family; then one more seed of PHIL."""
    root = tmp_path_factory.mktemp("table1")
    QuickRun.of(TABLE1, root, heuristics=trained, only={"families": [FAMILY]})
    only = {"families": [FAMILY], "methods": ["phil"]}
    return QuickRun.of(TABLE1, root, heuristics=trained, seeds=2, only=only)


@pytest.fixture(scope="module")
def document(ran: QuickRun) -> dict[str, Any]:
    return dict(ran.document)


def test_every_part_is_there_once(ran: QuickRun) -> None:
    assert sorted(ran.parts) == sorted(
        [f"{FAMILY}-maps", f"{FAMILY}-phil-1"]
        + [f"{FAMILY}-{name}-{what}" for name in METHODS for what in ("0", "times")]
    )
    ran.check_resumed()


def test_a_part_is_what_its_heuristic_does_on_the_test_maps(ran: QuickRun) -> None:
    trial = Trial(FAMILY, "phil", 1)
    part, file = ran.parts[trial.name], TABLE1.heuristic(ran.request, trial)
    heuristic = read_any(file)
    assert heuristic.metadata.training["seed"] == 1
    assert heuristic.metadata.validation == part["validation"]
    [score] = evaluate(TABLE1.problems(ran.request, FAMILY).test, [parse_method(str(file))])
    assert part["test"]["expansions"] == [run.result.expansions for run in score.runs]
    assert part["test"]["calls"] == [run.result.calls for run in score.runs]
    assert part["test"]["cost_ratio"] == score.cost_ratio.mean
    least = min(value for _, value in part["curve"])
    assert least == pytest.approx(part["validation"]["calls"]["mean"])


def test_the_table_has_means_and_the_paper(document: dict[str, Any]) -> None:
    methods = document["families"][FAMILY]["methods"]
    phil = methods["phil"]
    assert [*methods] == [*METHODS]
    assert phil["expansions"] == pytest.approx(sum(phil["by_run"]) / 2)
    assert phil["in_sail_unit"] == in_sail_unit(phil["expansions"])
    assert phil["printed"] == 0.024
    assert [training["seed"] for training in phil["trainings"]] == [0, 1]
    assert all(summary["milliseconds"] > 0 for summary in methods.values())
    assert methods["oracle"]["expansions"] <= min(m["expansions"] for m in methods.values())
    assert all(set(summary["solved"]) == {6} for summary in methods.values())


def test_a_quick_run_is_never_taken_for_the_table(ran: QuickRun) -> None:
    public, trial = replace(ran.request, quick=False), Trial(FAMILY, "phil")
    assert TABLE1.store(public).path != TABLE1.store(ran.request).path
    assert TABLE1.heuristic(public, trial) != TABLE1.heuristic(ran.request, trial)


def test_the_page_shows_every_number(ran: QuickRun) -> None:
    ran.check_page()
    calls = ran.text("md").partition("## Mean calls\n")[2].partition("\n## ")[0]
    assert f"| {FAMILY} | " in calls
    assert "| - |" not in calls
    assert ran.file("-curves.svg").read_bytes().startswith(b"<?xml")
    assert ran.file("-searches.png").stat().st_size > 0


def test_calls_that_were_not_kept_are_dashes(document: dict[str, Any]) -> None:
    row = document["families"][FAMILY]
    unknown = {"calls": None, "calls_deviation": None}
    methods = {name: summary | unknown for name, summary in row["methods"].items()}
    kept = document | {"families": {FAMILY: row | {"methods": methods}}}
    found = {section.title: section for section in sections(kept)}
    assert found["Mean calls"].rows == [[FAMILY, *["-"] * len(METHODS)]]


def test_the_number_of_trainings_is_said(document: dict[str, Any]) -> None:
    assert "per family: PHIL 2, PHIL, imitation alone 1," in expansions(document).text[1]


def test_where_phil_is_not_the_best_is_said(document: dict[str, Any]) -> None:
    row = document["families"][FAMILY]
    half = row["methods"]["phil"]["expansions"] / 2
    worse = row["methods"] | {"euclidean": row["methods"]["euclidean"] | {"expansions": half}}
    beaten = document | {"families": {FAMILY: row | {"methods": worse}}}
    said = expansions(beaten).text[-1]
    assert "on alternating_gaps greedy Euclidean expands" in said
    assert "PHIL 100.0 % more" in said


@pytest.mark.parametrize("only", [{"families": ["forst"]}, {"methods": ["fil"]}])
def test_unknown_names_are_refused(ran: QuickRun, only: dict[str, list[str]]) -> None:
    with pytest.raises(InputError, match="unknown"):
        TABLE1.stages(replace(ran.request, only=only))


def test_the_paper_has_a_value_for_every_family() -> None:
    printed = [spec for spec in METHODS.values() if spec.printed]
    assert len(printed) == 11
    assert all(tuple(spec.printed) == FAMILIES for spec in printed)


def test_small_sets_have_all_splits() -> None:
    problems = small_set("mazes")
    assert [len(problems.split(name)) for name in ("train", "validation", "test")] == [12, 6, 6]


def test_a_wall_takes_the_path_away() -> None:
    free = np.ones((5, 5), bool)
    assert has_path(map_problem(free, "set", "open"))
    free[2] = False
    assert not has_path(map_problem(free, "set", "walled"))
