"""The numbers of docs/results.md and the other pages are those of the committed results."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import exp, log
from statistics import mean
from typing import Any

import pytest

from phil.experiments.table2.page import best_rival
from tests.pages import DOCS, ROOT

Document = Mapping[str, Any]
PHIL, ORACLE, GREEDY = "phil", "oracle", "greedy (euclidean)"


def results(name: str) -> Any:
    """A committed result."""
    return json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text())


def said(page: str) -> str:
    """The text of a page, on one line."""
    return re.sub(r"\s+", " ", (DOCS / page).read_text())


def of_all(words: Mapping[str, bool]) -> str:
    """How many of how many."""
    return f"{sum(words.values())} of {len(words)}"


@pytest.fixture(scope="module")
def families() -> Document:
    found: Document = results("table1")["families"]
    return {family: row["methods"] for family, row in found.items()}


def test_maps(families: Document) -> None:
    least = {
        family: all(
            methods[PHIL]["expansions"] < other["expansions"]
            for name, other in methods.items()
            if name not in (PHIL, ORACLE)
        )
        for family, methods in families.items()
    }
    assert f"least of all methods on {of_all(least)} families" in said("results.md")
    times = {
        name: exp(
            mean(
                log(methods[name]["expansions"] / methods[PHIL]["expansions"])
                for methods in families.values()
            )
        )
        for name in ("astar", "euclidean", "sail", "phil_paper")
    }
    assert (
        f"A* expands {times['astar']:.1f} times as much, greedy Euclidean search "
        f"{times['euclidean']:.1f} times, SaIL {times['sail']:.1f} times, and the paper's literal "
        f"method, as we read it, {times['phil_paper']:.1f} times" in said("results.md")
    )


def test_path_costs_and_spread(families: Document) -> None:
    ratios = [methods[PHIL]["cost_ratio"] for methods in families.values()]
    words = f"{min(ratios):.2f} to {max(ratios):.2f} times the least cost"
    assert words in said("results.md")
    assert words in said("limits.md")
    phil = [methods[PHIL] for methods in families.values()]
    spread = max(summary["deviation"] / summary["expansions"] for summary in phil)
    assert f"by up to {100 * spread:.0f} % of the mean" in said("limits.md")
    traps = families["multiple_bugtraps"]
    assert (
        f"{traps[PHIL]['expansions']:.0f} expansions where a shortest path has "
        f"{traps[ORACLE]['expansions']:.0f}" in said("limits.md")
    )
    forest = families["forest"]
    assert (
        f"greedy Euclidean search expands {forest['euclidean']['expansions']:.0f} nodes and PHIL "
        f"{forest[PHIL]['expansions']:.0f}" in said("choose.md")
    )


def test_any_graph() -> None:
    sets = results("table2")["sets"]
    ahead, printed = {}, {}
    for name, row in sets.items():
        first, *_, last = row["tiers"]
        rival = best_rival(row, last)
        assert rival
        ahead[name] = row["tiers"][last]["methods"][PHIL]["ratio"] < rival[1]
        if not row["printed_for"]:
            own = row["tiers"][first]["methods"][PHIL]["ratio"]
            printed[name] = own < row["printed"][PHIL]
    assert f"less than every other method on {of_all(ahead)} sets" in said("results.md")
    assert not ahead["proteins"]
    assert f"below the paper's value on {of_all(printed)} sets" in said("results.md")
    cora = sets["cora"]["tiers"]
    assert (
        f"PHIL expands {cora['4']['methods'][PHIL]['ratio']:.3f} of what greedy Euclidean search "
        f"does on cora, and {cora['1']['methods'][PHIL]['ratio']:.3f} without" in said("limits.md")
    )


def test_transfer() -> None:
    document = results("transfer")
    families = document["families"]
    average = {
        row: {family: mean(cells["random"][family]["expansions"]) for family in families}
        for row, cells in document["rows"].items()
    }
    greedy = average["euclidean"]
    ahead = {family: average["all, random pairs"][family] < greedy[family] for family in families}
    behind = {
        family: all(average[row][family] > greedy[family] for row in families)
        for family in families
    }
    assert f"is ahead of greedy Euclidean search on {of_all(ahead)} families" in said("results.md")
    assert f"corner to corner are behind on {of_all(behind)}" in said("results.md")
    assert f"ahead of greedy Euclidean search on {of_all(ahead)}" in said("limits.md")


def test_rivals_and_scenarios() -> None:
    sets = results("planning")["sets"]
    percent = [f"{100 * sets[name]['score']['reduction']:.1f} %" for name in sets]
    assert (
        f"expands {percent[0]}, {percent[1]} and {percent[2]} less than A* on "
        f"{' and '.join(', '.join(sets).rsplit(', ', 1))}" in said("results.md")
    )
    scenarios = results("scenarios")
    assert scenarios["equal"] == scenarios["searched"]
    assert f"all {scenarios['searched']:,} lines tried" in said("results.md")


def test_speed() -> None:
    document = results("speed")
    met = {target["text"]: target["verdict"].startswith("met") for target in document["targets"]}
    figures = {target["text"]: target["figure"] for target in document["targets"]}
    assert f"{of_all(met)} targets are met" in said("results.md")
    torch = figures["PHIL search of the `paper` network, the same: median family"]
    assert f"{torch:.0f} times faster than the same in torch" in said("results.md")
    networkx = figures["phil A* (octile), times faster than networkx A*: worst kind of maps"]
    assert f"{networkx:.0f} times faster than that of networkx" in said("results.md")


def test_break_even() -> None:
    families = results("speed")["parts"]["break_even"]["results"]["families"]
    costs = {family: row["break_even_us"] for family, row in families.items()}
    astar = {family: all(cost[n]["A*"] == 0 for n in cost) for family, cost in costs.items()}
    assert f"ahead on {of_all(astar)} families even in memory" in said("choose.md")
    never = {family: cost["n = 8"][GREEDY] is None for family, cost in costs.items()}
    assert f"never ahead on {of_all(never)} with" in said("choose.md")
    forest = costs.pop("forest")["n = 0"][GREEDY]
    most = max(cost["n = 0"][GREEDY] for cost in costs.values())
    assert f"from at most {most:.1f} microseconds" in said("choose.md")
    assert f"forest from {forest:.1f}" in said("choose.md")
