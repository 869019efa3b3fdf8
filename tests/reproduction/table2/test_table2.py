"""Table 2: every part is made once, and the table shows what the parts hold."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.evaluation import evaluate, parse_method
from phil.heuristics.registry import read_any
from reproduction.experiment import Request
from reproduction.grid import Trial
from reproduction.table2.methods import METHODS
from reproduction.table2.page import best_rival, ratios, readme_table, sections
from reproduction.table2.sets import SETS, TIERS
from reproduction.table2.table import TABLE2
from tests.reproduction.conftest import QuickRun

SET = "roads"
UNLEARNED = {
    "1": [
        *("euclidean", "astar", "bfws", "bfs", "oracle"),
        *("bibfs", "bidijkstra", "biastar", "bidirectional"),
    ],
    "4": [
        *("euclidean", "astar", "bfws", "landmarks", "astar_landmarks"),
        *("biastar", "bidirectional", "bidirectional_landmarks", "biastar_landmarks"),
    ],
}


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, trained: Path) -> QuickRun:
    """Every method on the small roads; then one more seed of PHIL."""
    root = tmp_path_factory.mktemp("table2")
    QuickRun.of(TABLE2, root, heuristics=trained, only={"sets": [SET]})
    only = {"sets": [SET], "methods": ["phil"]}
    return QuickRun.of(TABLE2, root, heuristics=trained, seeds=2, times=False, only=only)


@pytest.fixture(scope="module")
def document(ran: QuickRun) -> dict[str, Any]:
    return dict(ran.document)


@pytest.fixture
def whole(tmp_path: Path) -> list[Trial]:
    """All that the table of the paper is made of."""
    return TABLE2.trials(Request(tmp_path, tmp_path, tmp_path))


def test_every_part_is_there_once(ran: QuickRun) -> None:
    methods = {tier: [*names, "phil", "sail", "supervised"] for tier, names in UNLEARNED.items()}
    methods["1"].append("phil_paper")
    methods["4"].append("phil_both")
    assert sorted(ran.parts) == sorted(
        [f"{SET}-problems", f"{SET}-4-features", f"{SET}-1-phil-1", f"{SET}-4-phil-1"]
        + [
            f"{SET}-{tier}-{name}-{what}"
            for tier, names in methods.items()
            for name in names
            for what in ("0", "times")
        ]
    )
    ran.check_resumed()


def test_a_part_is_what_its_heuristic_does_on_the_published_problems(ran: QuickRun) -> None:
    trial = Trial(f"{SET}-4", "phil", 1)
    part, file = ran.parts[trial.name], TABLE2.heuristic(ran.request, trial)
    heuristic = read_any(file)
    assert heuristic.metadata.added_features == TIERS["4"].recipe
    assert heuristic.metadata.training["seed"] == 1
    problems = TABLE2.problems(ran.request, trial.row).test
    published = ran.parts[f"{SET}-problems"]["test"]
    assert [(p.start, p.goal) for p in problems] == [(s, g) for _, s, g in published]
    [score] = evaluate(problems, [parse_method(str(file))])
    assert part["test"]["expansions"] == [run.result.expansions for run in score.runs]
    assert len(part["loss"]) == METHODS["phil"].quick["iterations"]


def test_unlearned_rivals_get_the_features_of_the_tier(ran: QuickRun) -> None:
    first, best = (ran.parts[f"{SET}-{tier}-euclidean-0"]["test"]["expansions"] for tier in "14")
    assert np.mean(best) < np.mean(first)


def test_the_table_has_ratios_to_greedy_euclidean_on_the_papers_features(
    document: dict[str, Any], ran: QuickRun
) -> None:
    row = document["sets"][SET]
    reference = np.array(ran.parts[f"{SET}-1-euclidean-0"]["test"]["expansions"])
    runs = [ran.parts[f"{SET}-4-phil-{k}"]["test"]["expansions"] for k in (0, 1)]
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


def test_the_page_shows_every_number(document: dict[str, Any], ran: QuickRun) -> None:
    ran.check_page()
    for name in ("curves.svg", "roads.png"):
        assert ran.file(f"-{name}").stat().st_size > 0
        assert f"table2-quick-{name}" in ran.text("md")
    assert f"| {SET} |" in readme_table(document)


def test_a_road_search_is_shown_on_a_map(ran: QuickRun) -> None:
    for name in ("phil", "astar"):
        drawn = json.loads(ran.file(f"-roads-{name}.geojson").read_text())
        expanded, path = drawn["features"]
        assert path["geometry"]["type"] == "LineString"
        assert expanded["properties"]["expansions"] >= len(path["properties"]["nodes"])


def test_where_phil_falls_short_is_said(document: dict[str, Any]) -> None:
    def short_of(row: dict[str, Any]) -> str:
        changed = document | {"sets": {SET: row}}
        [section] = [one for one in sections(changed) if one.title == "Where PHIL falls short"]
        return " ".join(section.text)

    row = document["sets"][SET] | {"printed": {"phil": 0.001}}
    assert "the paper prints 0.001, which is below the shortest path" in short_of(row)
    elsewhere = row | {"printed_for": "another city"}
    assert "paper prints" not in short_of(elsewhere)
    assert ratios(document | {"sets": {SET: elsewhere}}).rows[0][1] == "0.001*"


def test_what_is_most_useful_is_made_first(whole: list[Trial]) -> None:
    assert len(whole) == len(set(whole))
    assert {trial.method for trial in whole[:36]} == {"euclidean", "bfs", "oracle"}
    best = {f"{row.name}-{row.best_tier}" for row in SETS.values()}
    for seed in range(3):
        trials = whole[36 + 12 * seed :][:12]
        assert {trial.row for trial in trials} == best
        assert {(trial.method, trial.seed) for trial in trials} == {("phil", seed)}
    learned = [trial for trial in whole[72:] if METHODS[trial.method].learned]
    assert whole[-len(learned) :] == learned
    assert [trial.seed for trial in learned] == sorted(trial.seed for trial in learned)


def test_phil_from_both_ends_searches_by_what_phil_has_learned(ran: QuickRun) -> None:
    borrowed, own = Trial(f"{SET}-4", "phil_both"), Trial(f"{SET}-4", "phil")
    file = TABLE2.heuristic(ran.request, borrowed)
    assert file == TABLE2.heuristic(ran.request, own)
    problems = TABLE2.problems(ran.request, borrowed.row).test
    [score] = evaluate(problems, [parse_method(f"bidirectional({file})")])
    part = ran.parts[borrowed.name]
    assert part["test"]["expansions"] == [run.result.expansions for run in score.runs]
    # A heuristic is trained by one process only.
    first, second, *_ = TABLE2.stages(replace(ran.request, only={}))
    assert own.name in {part.name for part in first.parts}
    assert borrowed.name in {part.name for part in second.parts}


def test_the_best_rival_is_the_best_of_all_that_are_not_phil(document: dict[str, Any]) -> None:
    row = deepcopy(document["sets"][SET])
    for tier in row["tiers"].values():
        for method in tier["methods"].values():
            method["ratio"] = 0.5
    row["tiers"]["4"]["methods"]["phil_both"]["ratio"] = 0.1
    row["tiers"]["1"]["methods"]["bibfs"]["ratio"] = 0.2
    row["tiers"]["1"]["methods"]["bfs"]["ratio"] = 0.3
    row["tiers"]["1"]["methods"]["sail"]["ratio"] = 0.1
    assert best_rival(row, "4") == ("bibfs", 0.2)
    assert best_rival(row, "4", both_ends=False) == ("bfs", 0.3)


def test_roads_have_their_degree_and_small_graphs_no_landmarks(whole: list[Trial]) -> None:
    rows = {trial.row for trial in whole}
    tiers = {name: {row[-1] for row in rows if row[:-2] == name} for name in SETS}
    assert tiers["rimini"] == {"1", "3", "4"}
    assert tiers["molhiv"] == {"1", "2", "3"}
    assert tiers["ppi"] == tiers["cora"] == {"1", "2", "3", "4"}
    assert {trial.row[-1] for trial in whole if "landmarks" in trial.method} == {"4"}


@pytest.mark.parametrize("only", [{"sets": ["coral"]}, {"tiers": ["5"]}, {"methods": ["fil"]}])
def test_unknown_names_are_refused(ran: QuickRun, only: dict[str, list[str]]) -> None:
    with pytest.raises(InputError, match="unknown"):
        TABLE2.stages(replace(ran.request, only=only))


def test_the_paper_has_a_value_for_every_set_and_column() -> None:
    missing = {
        (row.name, name) for row in SETS.values() for name in METHODS if name not in row.printed
    }
    ours = {"landmarks", "astar_landmarks", "oracle", "phil_paper"}
    ours |= {name for name, method in METHODS.items() if method.both_ends}
    assert {(s, m) for s, m in missing if m not in ours} == {("coauthor_physics", "sail")}


def test_phil_trains_longer_where_an_iteration_takes_little() -> None:
    usual = METHODS["phil"].settings
    for row, method in (("enzymes-3", "phil"), ("proteins-1", "phil"), ("rimini-4", "phil_both")):
        assert TABLE2.spec(Trial(row, method)).settings == {**usual, "iterations": 120}
    assert TABLE2.spec(Trial("cora-4", "phil")).settings == usual
    assert TABLE2.spec(Trial("enzymes-3", "sail")) == METHODS["sail"]
    assert TABLE2.spec(Trial("enzymes-1", "phil_paper")) == METHODS["phil_paper"]
