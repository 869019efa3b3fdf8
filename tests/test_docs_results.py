"""The numbers of docs/results.md and the other pages are those of the committed results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import exp, log
from statistics import mean
from typing import Any

import pytest

from reproduction.everything.claims import JUDGES
from reproduction.speed.summary import summary
from reproduction.table2.page import best_rival
from tests.pages import DOCS, links, made, of_all, results, says
from tests.results_sections import ablations_section, report_section, runtime_section

Document = Mapping[str, Any]
PHIL, ORACLE, GREEDY = "phil", "oracle", "greedy (euclidean)"


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
    says("docs/results.md", f"least of all methods on {of_all(least)} families")
    times = {
        name: exp(
            mean(
                log(methods[name]["expansions"] / methods[PHIL]["expansions"])
                for methods in families.values()
            )
        )
        for name in ("astar", "euclidean", "sail", "phil_paper")
    }
    says(
        "docs/results.md",
        f"A* expands {times['astar']:.1f} times as much, greedy Euclidean search "
        f"{times['euclidean']:.1f} times, SaIL {times['sail']:.1f} times, and the paper's literal "
        f"method, as we read it, {times['phil_paper']:.1f} times",
    )


def test_path_costs_and_spread(families: Document) -> None:
    ratios = [methods[PHIL]["cost_ratio"] for methods in families.values()]
    words = f"{min(ratios):.2f} to {max(ratios):.2f} times the least cost"
    says("docs/results.md", words)
    says("docs/limits.md", words)
    phil = [methods[PHIL] for methods in families.values()]
    spread = max(summary["deviation"] / summary["expansions"] for summary in phil)
    says("docs/limits.md", f"by up to {100 * spread:.0f} % of the mean")
    traps = families["multiple_bugtraps"]
    says(
        "docs/limits.md",
        f"{traps[PHIL]['expansions']:.0f} expansions where a shortest path has "
        f"{traps[ORACLE]['expansions']:.0f}",
    )
    forest = families["forest"]
    says(
        "docs/choose.md",
        f"greedy Euclidean search expands {forest['euclidean']['expansions']:.0f} nodes and PHIL "
        f"{forest[PHIL]['expansions']:.0f}",
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
    says("docs/results.md", f"less than every other method on {of_all(ahead)} sets")
    assert not ahead["proteins"]
    says("docs/results.md", f"below the paper's value on {of_all(printed)} sets")
    cora = sets["cora"]["tiers"]
    says(
        "docs/limits.md",
        f"PHIL expands {cora['4']['methods'][PHIL]['ratio']:.3f} of what greedy Euclidean search "
        f"does on cora, and {cora['1']['methods'][PHIL]['ratio']:.3f} without",
    )


def test_rooms() -> None:
    rooms = results("table3")["rooms"]
    over = [
        f"{100 * (row['methods'][PHIL]['over_shortest']['ratio'] - 1):.1f} % ({room})"
        for room, row in rooms.items()
    ]
    says("docs/results.md", f"PHIL expands {' and '.join(over)} more than a shortest path has")
    least = {
        room: all(
            row["methods"][PHIL]["ratio"] < row["methods"][rival]["ratio"]
            for rival in ("sail", "supervised")
        )
        for room, row in rooms.items()
    }
    says("docs/results.md", f"PHIL expands least of the three in {of_all(least)} rooms")
    checks = {
        name: " and ".join(
            f"{100 * row['checks']['methods'][name]['checks_ratio']:.0f} %"
            for row in rooms.values()
        )
        for name in (PHIL, "phil_alone")
    }
    says("docs/results.md", f"PHIL needs {checks[PHIL]} of A*'s checks")
    says("docs/results.md", f"looks at no neighbours, {checks['phil_alone']}.")
    flights = [row["flights"] for row in rooms.values()]
    says(
        "docs/results.md",
        f"Of {sum(each['flights'] for each in flights)} flights "
        f"{sum(each['touched'] for each in flights)} touched anything",
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
    says("docs/results.md", f"is ahead of greedy Euclidean search on {of_all(ahead)} families")
    says("docs/results.md", f"corner to corner are behind on {of_all(behind)}")
    says("docs/limits.md", f"ahead of greedy Euclidean search on {of_all(ahead)}")


def test_rivals_and_scenarios() -> None:
    sets = results("planning")["sets"]
    percent = [f"{100 * sets[name]['score']['reduction']:.1f} %" for name in sets]
    says(
        "docs/results.md",
        f"expands {percent[0]}, {percent[1]} and {percent[2]} less than A* on "
        f"{' and '.join(', '.join(sets).rsplit(', ', 1))}",
    )
    scenarios = results("scenarios")
    assert scenarios["equal"] == scenarios["searched"]
    says("docs/results.md", f"all {scenarios['searched']:,} lines tried")


def test_speed() -> None:
    parts = results("speed")["parts"]
    found = summary({part: document["results"] for part, document in parts.items()})
    figures = {figure.text: figure.value for figure in found}
    torch = figures[
        "Search with the paper's network: times faster than torch per evaluated node, median family"
    ]
    says("docs/results.md", f"{torch:.0f} times faster than the same in torch")
    networkx = figures["phil A* (octile): times faster than networkx A*, slowest kind of maps"]
    says("docs/results.md", f"{networkx:.0f} times faster than that of networkx")


def test_break_even() -> None:
    families = results("speed")["parts"]["break_even"]["results"]["families"]
    costs = {family: row["break_even_us"] for family, row in families.items()}
    astar = {family: all(cost[n]["A*"] == 0 for n in cost) for family, cost in costs.items()}
    says("docs/choose.md", f"ahead on {of_all(astar)} families even in memory")
    never = {family: cost["n = 8"][GREEDY] is None for family, cost in costs.items()}
    says("docs/choose.md", f"never ahead on {of_all(never)} with")
    forest = costs.pop("forest")["n = 0"][GREEDY]
    most = max(cost["n = 0"][GREEDY] for cost in costs.values())
    says("docs/choose.md", f"from at most {most:.1f} microseconds")
    says("docs/choose.md", f"forest from {forest:.1f}")


@pytest.mark.parametrize(
    ("name", "section"), [("runtime", runtime_section), ("ablations", ablations_section)]
)
def test_a_section_appears_with_its_results(name: str, section: Callable[[Document], str]) -> None:
    if made(name):
        says("docs/results.md", section(results(name)))
    else:
        assert f"{name}.md" not in set(links(DOCS / "results.md"))


def test_the_report_appears_when_it_is_there() -> None:
    if (DOCS / "report.md").exists():
        says(
            "docs/results.md",
            report_section({name: results(name) for name in JUDGES if made(name)}),
        )
    else:
        assert "report.md" not in set(links(DOCS / "results.md"))


def test_values_computed_anew_gain_nothing_that_shows() -> None:
    says("docs/limits.md", "gains nothing beyond the spread of trainings")
    claims = results("ablations")["claims"]["fringe"]
    assert claims
    assert all(claim["outcome"] != "yes" and claim["spread"] is not None for claim in claims)
