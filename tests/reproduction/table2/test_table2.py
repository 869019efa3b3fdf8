"""Table 2: every part is made once, and the table shows what the parts hold."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.evaluation import evaluate, parse_method
from phil.heuristics.registry import read_any
from reproduction.table2 import COLUMNS, QUICK_SETS, SETS, TIERS, Study, ratios, reproduce
from reproduction.table2.page import readme_table, sections
from reproduction.table2.study import Cell
from reproduction.table2.table import assemble

SET = "roads"
METHODS = ("phil", "euclidean", "astar", "landmarks", "bfs", "oracle")


def quiet(text: str) -> None:
    """Nobody listens."""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """One seed of PHIL and unlearned methods on the small roads; then one more seed."""
    root = tmp_path_factory.mktemp("table2")
    first = Study(
        [SET], tuple(TIERS), METHODS, 1, None, root / "results", root / "build", quick=True
    )
    reproduce(first, root / "docs", quiet)
    second = replace(first, seeds=2)
    reproduce(second, root / "docs", quiet, times=False)
    return second


@pytest.fixture(scope="module")
def document(study: Study) -> dict[str, Any]:
    """What was written."""
    content: dict[str, Any] = json.loads((study.results / "table2-quick.json").read_text())
    return content


def test_every_part_is_there_once(study: Study) -> None:
    by_tier = {
        "1": ["euclidean", "astar", "bfs", "oracle"],
        "4": ["euclidean", "astar", "landmarks"],
    }
    assert sorted(path.stem for path in study.folder.iterdir()) == sorted(
        [f"{SET}-problems", f"{SET}-4-features"]
        + [f"{SET}-{tier}-phil-{seed}" for tier in by_tier for seed in (0, 1)]
        + [f"{SET}-{tier}-phil-times" for tier in by_tier]
        + [
            f"{SET}-{tier}-{name}-{what}"
            for tier, names in by_tier.items()
            for name in names
            for what in ("0", "times")
        ]
    )


def test_finished_parts_are_never_made_again(study: Study) -> None:
    before = {path: path.stat().st_mtime_ns for path in study.folder.iterdir()}
    reproduce(study, study.results.parent / "docs", quiet)
    assert {path: path.stat().st_mtime_ns for path in study.folder.iterdir()} == before


def test_a_part_is_what_its_heuristic_does_on_the_published_problems(study: Study) -> None:
    cell = Cell(SET, "4", "phil", 1)
    part = study.part(cell).read()
    heuristic = read_any(study.heuristic(cell))
    assert heuristic.metadata.added_features == TIERS["4"].recipe
    assert heuristic.metadata.training["seed"] == 1
    problems = study.problems(SET).test
    published = study.problems_part(SET).read()["test"]
    assert [(p.start, p.goal) for p in problems] == [(s, g) for _, s, g in published]
    [score] = evaluate(problems, [parse_method(str(study.heuristic(cell)))])
    assert part["test"]["expansions"] == [run.result.expansions for run in score.runs]
    assert len(part["loss"]) == COLUMNS["phil"].quick["iterations"]


def test_unlearned_rivals_get_the_features_of_the_tier(study: Study) -> None:
    first, best = (
        study.part(Cell(SET, tier, "euclidean")).read()["test"]["expansions"] for tier in "14"
    )
    assert np.mean(best) < np.mean(first)


def test_the_table_has_ratios_to_greedy_euclidean_on_the_papers_features(
    document: dict[str, Any], study: Study
) -> None:
    row = document["sets"][SET]
    reference = np.array(study.part(Cell(SET, "1", "euclidean")).read()["test"]["expansions"])
    runs = [study.part(Cell(SET, "4", "phil", k)).read()["test"]["expansions"] for k in (0, 1)]
    phil = row["tiers"]["4"]["methods"]["phil"]
    assert phil["ratio"] == pytest.approx(np.mean(runs) / reference.mean())
    assert phil["ratio_deviation"] == pytest.approx(np.std(phil["ratio_by_run"], ddof=1))
    low, high = phil["ratio_interval"]
    assert low < phil["ratio"] < high
    methods = row["tiers"]["1"]["methods"]
    assert methods["euclidean"]["ratio"] == 1
    assert methods["euclidean"]["ratio_interval"] == [1, 1]
    assert row["limit"] == methods["oracle"]["ratio"] < min(phil["ratio"], 1)
    assert all(summary["milliseconds"] > 0 for summary in methods.values())
    assert all(set(summary["solved"]) == {len(reference)} for summary in methods.values())
    everything = replace(study, sets=tuple(QUICK_SETS), methods=tuple(COLUMNS))
    assert document == json.loads(json.dumps(assemble(everything)))


def test_the_reports_show_every_number(document: dict[str, Any], study: Study) -> None:
    docs = study.results.parent / "docs"
    page = (docs / "table2-quick.md").read_text()
    html = (docs / "table2-quick.html").read_text()
    for section in sections(document):
        assert f"## {section.title}" in page
        for row in section.rows:
            assert "| " + " | ".join(row) + " |" in page
            assert all(f">{cell}<" in html for cell in row[1:])
    for name in ("curves.svg", "losses.svg", "roads.png"):
        assert (docs / f"table2-quick-{name}").stat().st_size > 0
        assert f"table2-quick-{name}" in page
    assert f"| {SET} |" in readme_table(document)


def test_a_road_search_is_shown_on_a_map(document: dict[str, Any], study: Study) -> None:
    docs = study.results.parent / "docs"
    for name in ("phil", "astar"):
        drawn = json.loads((docs / f"table2-quick-roads-{name}.geojson").read_text())
        expanded, path = drawn["features"]
        assert path["geometry"]["type"] == "LineString"
        assert expanded["properties"]["expansions"] >= len(path["properties"]["nodes"])


def test_where_phil_falls_short_is_said(document: dict[str, Any]) -> None:
    row = document["sets"][SET]
    changed = document | {
        "sets": {SET: row | {"target": row["limit"] / 2, "printed": {"phil": 0.001}}}
    }
    [section] = [one for one in sections(changed) if one.title == "Where PHIL falls short"]
    by_tier = {line.split(",")[1].strip(): line for line in section.text}
    assert f"target {row['limit'] / 2:.3f}" in by_tier["tier 4"]
    assert f"shortest path {row['limit']:.3f}" in by_tier["tier 4"]
    assert "the paper prints 0.001, which is below the shortest path" in by_tier["tier 1"]
    elsewhere = changed["sets"][SET] | {"printed_for": "another city"}
    [section] = [
        one
        for one in sections(changed | {"sets": {SET: elsewhere}})
        if one.title == "Where PHIL falls short"
    ]
    assert "paper prints" not in " ".join(section.text)
    assert ratios(changed | {"sets": {SET: elsewhere}}).rows[0][1] == "0.001*"


def test_what_is_most_useful_is_made_first(tmp_path: Path) -> None:
    whole = Study(tuple(SETS), tuple(TIERS), tuple(COLUMNS), 3, None, tmp_path, tmp_path)
    cells = whole.cells()
    assert len(cells) == len(set(cells))
    assert {cell.method for cell in cells[:36]} == {"euclidean", "bfs", "oracle"}
    assert [(cell.tier, cell.method, cell.seed) for cell in cells[36:72]] == [
        (SETS[cell.set].best_tier, "phil", k // 12) for k, cell in enumerate(cells[36:72])
    ]
    assert {cell.set for cell in cells[36:48]} == set(SETS)
    learned = [cell for cell in cells[72:] if COLUMNS[cell.method].learned]
    assert cells[-len(learned) :] == learned
    assert [cell.seed for cell in learned] == sorted(cell.seed for cell in learned)


def test_roads_have_their_degree_and_small_graphs_no_landmarks(tmp_path: Path) -> None:
    whole = Study(tuple(SETS), tuple(TIERS), tuple(COLUMNS), 1, None, tmp_path, tmp_path)
    tiers = {name: {cell.tier for cell in whole.cells() if cell.set == name} for name in SETS}
    assert tiers["rimini"] == {"1", "3", "4"}
    assert tiers["molhiv"] == {"1", "2", "3"}
    assert tiers["ppi"] == tiers["cora"] == {"1", "2", "3", "4"}
    of_landmarks = {cell.tier for cell in whole.cells() if "landmarks" in cell.method}
    assert of_landmarks == {"4"}


@pytest.mark.parametrize("change", [{"sets": ["coral"]}, {"tiers": ["5"]}, {"methods": ["fil"]}])
def test_unknown_names_are_refused(study: Study, change: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="unknown"):
        replace(study, **change)


def test_the_paper_has_a_value_for_every_set_and_column() -> None:
    missing = {
        (row.name, name) for row in SETS.values() for name in COLUMNS if name not in row.printed
    }
    ours = ("landmarks", "astar_landmarks", "oracle")
    assert {(s, m) for s, m in missing if m not in ours} == {("coauthor_physics", "sail")}
    assert all(row.target is not None for row in SETS.values())
