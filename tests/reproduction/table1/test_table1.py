"""Table 1: every part is made once, and the table shows what the parts hold."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from phil.errors import InputError
from phil.evaluation import evaluate, parse_method
from phil.heuristics.registry import read_any
from phil.problems.generated import FAMILIES
from reproduction.table1.columns import COLUMNS
from reproduction.table1.command import reproduce
from reproduction.table1.page import expansions, sections
from reproduction.table1.study import Study, small_set
from reproduction.table1.table import assemble, in_sail_unit

FAMILY = "alternating_gaps"
UNLEARNED = ("euclidean", "astar", "oracle")


def quiet(text: str) -> None:
    """Nobody listens."""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """One seed of PHIL and three unlearned methods on one family; then one more seed."""
    root = tmp_path_factory.mktemp("table1")
    first = Study(
        [FAMILY], ["phil", *UNLEARNED], 1, None, root / "results", root / "build", quick=True
    )
    reproduce(first, root / "docs", quiet)
    second = replace(first, seeds=2)
    reproduce(second, root / "docs", quiet)
    return second


@pytest.fixture(scope="module")
def document(study: Study) -> dict[str, Any]:
    """What was written."""
    content: dict[str, Any] = json.loads((study.results / "table1-quick.json").read_text())
    return content


def test_every_part_is_there_once(study: Study) -> None:
    assert sorted(path.stem for path in study.folder.iterdir()) == sorted(
        [f"maps-{FAMILY}", f"phil-{FAMILY}-0", f"phil-{FAMILY}-1"]
        + [f"{name}-{FAMILY}-0" for name in UNLEARNED]
        + [f"times-{name}-{FAMILY}" for name in ("phil", *UNLEARNED)]
    )


def test_finished_parts_are_never_made_again(study: Study) -> None:
    before = {path: path.stat().st_mtime_ns for path in study.folder.iterdir()}
    reproduce(study, study.results.parent / "docs", quiet)
    assert {path: path.stat().st_mtime_ns for path in study.folder.iterdir()} == before


def test_a_part_is_what_its_heuristic_does_on_the_test_maps(study: Study) -> None:
    column = COLUMNS["phil"]
    part = study.part(column, FAMILY, 1).read()
    file = study.heuristic(column, FAMILY, 1)
    heuristic = read_any(file)
    assert heuristic.metadata.training["seed"] == 1
    assert heuristic.metadata.validation == part["validation"]
    [score] = evaluate(study.problems(FAMILY).test, [parse_method(str(file))])
    assert part["test"]["expansions"] == [run.result.expansions for run in score.runs]
    assert part["test"]["cost_ratio"] == score.cost_ratio.mean
    least = min(value for _, value in part["curve"])
    assert least == pytest.approx(part["validation"]["expansions"]["mean"])


def test_the_table_has_means_ratios_and_the_paper(document: dict[str, Any], study: Study) -> None:
    methods = document["families"][FAMILY]["methods"]
    phil, astar = methods["phil"], methods["astar"]
    assert phil["expansions"] == pytest.approx(sum(phil["by_run"]) / 2)
    assert phil["ratio_to_astar"] == pytest.approx(phil["expansions"] / astar["expansions"])
    assert phil["in_sail_unit"] == in_sail_unit(phil["expansions"])
    assert phil["printed"] == 0.024
    assert [training["seed"] for training in phil["trainings"]] == [0, 1]
    assert all(summary["milliseconds"] > 0 for summary in methods.values())
    assert methods["oracle"]["expansions"] <= min(m["expansions"] for m in methods.values())
    solvable = methods["astar"]["solved"][0]
    assert all(set(summary["solved"]) == {solvable} for summary in methods.values())
    assert document == json.loads(json.dumps(assemble(replace(study, methods=tuple(COLUMNS)))))


def test_a_quick_run_is_never_taken_for_the_table(study: Study) -> None:
    public = replace(study, quick=False)
    assert public.folder != study.folder
    assert public.heuristic(COLUMNS["phil"], FAMILY, 0) != study.heuristic(
        COLUMNS["phil"], FAMILY, 0
    )


def test_the_reports_show_every_number(document: dict[str, Any], study: Study) -> None:
    docs = study.results.parent / "docs"
    page = (docs / "table1-quick.md").read_text()
    html = (docs / "table1-quick.html").read_text()
    assert "table1-quick-curves.svg" in page
    assert (docs / "table1-quick-curves.svg").read_bytes().startswith(b"<?xml")
    for section in sections(document):
        assert f"## {section.title}" in page
        for row in section.rows:
            assert "| " + " | ".join(row) + " |" in page
            assert all(f">{cell}<" in html for cell in row[1:])


def test_the_number_of_trainings_is_said(document: dict[str, Any]) -> None:
    assert "Trainings by family: PHIL 2." in expansions(document).text


def test_where_phil_is_not_the_best_is_said(document: dict[str, Any]) -> None:
    methods = document["families"][FAMILY]["methods"]
    worse = {
        name: summary | {"expansions": methods["phil"]["expansions"] / 2}
        if name == "euclidean"
        else summary
        for name, summary in methods.items()
    }
    beaten = document | {"families": {FAMILY: {**document["families"][FAMILY], "methods": worse}}}
    assert "except: on alternating_gaps greedy Euclidean expands" in expansions(beaten).text[-1]
    assert "PHIL 100.0 % more" in expansions(beaten).text[-1]


@pytest.mark.parametrize("change", [{"families": ["forst"]}, {"methods": ["fil"]}])
def test_unknown_names_are_refused(study: Study, change: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="unknown"):
        replace(study, **change)


def test_the_paper_has_a_value_for_every_family() -> None:
    printed = [column for column in COLUMNS.values() if column.printed]
    assert len(printed) == 11
    assert all(tuple(column.printed) == FAMILIES for column in printed)


def test_small_sets_have_all_splits() -> None:
    problems = small_set("mazes")
    assert [len(problems.split(name)) for name in ("train", "validation", "test")] == [12, 6, 6]
