"""The numbers in README and on the pages are those of the committed results; words are free."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from math import exp, log
from statistics import mean
from typing import Any

import pytest

from reproduction.everything.claims import JUDGES, verdicts
from reproduction.everything.claims.verdicts import Outcome
from reproduction.intervals import mean_interval
from reproduction.speed.summary import summary
from reproduction.table1 import page as table1
from reproduction.table1.methods import OF_PHIL
from reproduction.table2 import page as table2
from reproduction.table3 import page as table3
from tests.pages import DOCS, ROOT, of_all, results, rows, section

Document = Mapping[str, Any]
PHIL, BOTH_ENDS, ORACLE, GREEDY = "phil", "phil_both", "oracle", "greedy (euclidean)"
OUTCOMES: tuple[Outcome, ...] = ("better", "reproduced", "undecided", "not reproduced")
UNRANKED = (*OF_PHIL, ORACLE)
RESULTS, LIMITS, CHOOSE, LEARNED, README = (
    *(DOCS / f"{name}.md" for name in ("results", "limits", "choose", "learned")),
    ROOT / "README.md",
)


def contains(text: str, *numbers: str) -> None:
    """Fail if a text does not show all these numbers."""
    shown = re.sub(r"\s+", " ", text)
    for number in numbers:
        assert re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)", shown), number


@pytest.fixture(scope="module")
def families() -> Document:
    found: Document = results("table1")["families"]
    return {family: row["methods"] for family, row in found.items()}


def test_the_small_table_of_readme(families: Document) -> None:
    titles = results("table1")["titles"]
    shown = rows(
        README, "| family | PHIL (95 %) | best rival | greedy Euclidean | A* | shortest path |"
    )
    expected = []
    for family, methods in families.items():
        counts = {name: method["expansions"] for name, method in methods.items()}
        rival = min((name for name in counts if name not in UNRANKED), key=counts.__getitem__)
        cells = (counts[name] for name in (PHIL, rival, "euclidean", "astar", ORACLE))
        texts = [f"{cell:,.0f}" for cell in cells]
        low, high = mean_interval(methods[PHIL]["by_problem"])
        expected.append(
            [
                family,
                f"{texts[0]} ({low:,.0f} to {high:,.0f})",
                f"{texts[1]} ({titles[rival]})",
                *texts[2:],
            ]
        )
    assert shown == expected
    contains(section(README, "Results"), str(len(titles) - len(UNRANKED)))


@pytest.mark.parametrize("table", [table1, table2, table3])
def test_the_tables_of_results(table: Any) -> None:
    name = table.__name__.split(".")[1]
    assert table.readme_table(results(name)) in RESULTS.read_text()


def test_the_verdicts_are_counted() -> None:
    counted = Counter(
        verdict.outcome for verdict in verdicts({name: results(name) for name in JUDGES})
    )
    numbers = (counted.total(), *(counted[outcome] for outcome in OUTCOMES))
    contains(section(README, "Limits"), *map(str, numbers))
    contains(section(RESULTS, "The paper's claims"), *map(str, numbers))


def test_maps(families: Document) -> None:
    least = {
        family: all(
            methods[PHIL]["expansions"] < other["expansions"]
            for name, other in methods.items()
            if name not in UNRANKED
        )
        for family, methods in families.items()
    }
    times = (
        exp(
            mean(
                log(methods[name]["expansions"] / methods[PHIL]["expansions"])
                for methods in families.values()
            )
        )
        for name in ("astar", "euclidean", "sail", "phil_printed")
    )
    paths = results("paths")["methods"][PHIL]
    ratios = {name: row["cost"] for name, row in paths.items()}
    published = ratios.pop("maps/movingai")
    costs = f"{min(ratios.values()):.2f} to {max(ratios.values()):.2f}"
    contains(section(RESULTS, "Maps (Table 1)"), of_all(least), *(f"{x:.1f}" for x in times), costs)
    contains(section(LIMITS, "Paths are not optimal"), costs, f"{published:.2f}")
    phil = [methods[PHIL] for methods in families.values()]
    spread = max(
        summary["deviation"] / summary["expansions"] for summary in phil if summary["deviation"]
    )
    contains(section(LIMITS, "Beyond the paper"), f"{100 * spread:.0f} %")
    traps, forest = families["multiple_bugtraps"], families["forest"]
    contains(
        section(LIMITS, "A value is computed only once"),
        *(f"{traps[name]['expansions']:.0f}" for name in (PHIL, ORACLE)),
    )
    contains(
        section(CHOOSE, "When a classical search is better"),
        *(f"{forest[name]['expansions']:.0f}" for name in ("euclidean", PHIL)),
    )


def test_what_was_learned(families: Document) -> None:
    def times(name: str, other: str = PHIL) -> float:
        """How many times as many nodes one method expands as another: geometric mean."""
        counts = ([row[each]["expansions"] for each in (name, other)] for row in families.values())
        return exp(mean(log(one / two) for one, two in counts))

    text = LEARNED.read_text()
    assert len(text.split()) <= 800
    counted = Counter(
        verdict.outcome for verdict in verdicts({name: results(name) for name in JUDGES})
    )
    hard = families["gaps_and_forest"]
    trainings = [each for row in families.values() for each in row["phil_imitation"]["trainings"]]
    calls = max(row[PHIL]["calls"] / row[PHIL]["expansions"] for row in families.values())
    of_sail = hard[PHIL]["in_sail_unit"] / hard["sail"]["in_sail_unit"]
    contains(text, str(counted.total()), *(str(counted[outcome]) for outcome in OUTCOMES))
    contains(
        text,
        *(f"{times(name):.1f}" for name in ("phil_printed", "phil_paper", "cem")),
        f"{hard['phil_printed']['expansions'] / hard[PHIL]['expansions']:.0f} times",
        f"{100 * (1 - of_sail):.0f} %",
        f"{hard['sail']['expansions']:.0f}",
        f"{families['forest']['phil_paper']['expansions']:.0f}",
        f"{mean(each['seconds'] for each in trainings):.0f} seconds",
        f"{100 * (calls - 1):.0f} %",
        f"{100 * (1 - times(PHIL, 'phil_imitation')):.0f} %",
    )


def test_general_graphs() -> None:
    sets = results("table2")["sets"]
    ahead, both_ends, printed = {}, {}, {}
    for name, row in sets.items():
        first, *_, last = row["tiers"]
        methods = row["tiers"][last]["methods"]
        rival = table2.best_rival(row, last)
        assert rival is not None
        ahead[name] = methods[PHIL]["ratio"] < rival[1]
        if BOTH_ENDS in methods:
            both_ends[name] = methods[BOTH_ENDS]["ratio"] < rival[1]
        if not row["printed_for"]:
            own = row["tiers"][first]["methods"][PHIL]["ratio"]
            printed[name] = own < row["printed"][PHIL]
    behind = [name for name in both_ends if not both_ends[name]]
    assert behind == ["proteins", "new_york_city"]  # as the pages say
    literal = next(
        verdict.ours
        for verdict in verdicts({"table2": results("table2")})
        if verdict.claim.startswith("the paper's method reaches")
    )
    contains(
        section(RESULTS, "General graphs (Table 2)"),
        *map(of_all, (ahead, both_ends, printed)),
        literal,
    )
    contains(section(LEARNED, "Which do not, or cannot be told"), literal)
    cora = sets["cora"]["tiers"]
    contains(
        section(LIMITS, "Nodes with equal features look alike"),
        *(f"{cora[tier]['methods'][PHIL]['ratio']:.3f}" for tier in ("4", "1")),
    )


def test_rooms() -> None:
    rooms = results("table3")["rooms"].values()
    over = (f"{100 * (row['methods'][PHIL]['over_shortest']['ratio'] - 1):.1f} %" for row in rooms)
    least = [
        all(
            row["methods"][PHIL]["ratio"] < row["methods"][rival]["ratio"]
            for rival in ("sail", "supervised")
        )
        for row in rooms
    ]
    behind = [
        row["methods"]["supervised"]["ratio"] < row["methods"][PHIL]["ratio"] for row in rooms
    ]
    contains(section(LIMITS, "Beyond the paper"), f"{sum(behind)} of {len(behind)}")
    checks = (
        f"{100 * row['checks']['methods'][name]['checks_ratio']:.0f} %"
        for row in rooms
        for name in (PHIL, "phil_alone")
    )
    flown = [row["flights"] for row in rooms]
    flights = (str(sum(each[what] for each in flown)) for what in ("flights", "touched"))
    contains(
        section(RESULTS, "Drones in rooms (Table 3)"),
        *over,
        f"{sum(least)} of {len(least)}",
        *checks,
        *flights,
    )


def test_transfer() -> None:
    document = results("transfer")
    families = document["families"]

    def cells(row: str, condition: str, family: str) -> list[int]:
        counts: list[int] = document["rows"][row][condition][family]["expansions"]
        return counts

    average = {
        row: {family: mean(cells(row, "random", family)) for family in families}
        for row in document["rows"]
    }
    greedy = average["euclidean"]
    ahead = {family: average["all, random pairs"][family] < greedy[family] for family in families}
    behind = {
        family: all(average[row][family] > greedy[family] for row in families)
        for family in families
    }
    elsewhere = [
        of_all(
            {
                f"{row}, {family}": mean(cells(row, condition, family))
                < mean(cells("euclidean", condition, family))
                for row in families
                for family in families
                if row != family
            }
        )
        for condition in ("corners", "large")
    ]
    contains(section(RESULTS, "Transfer"), of_all(ahead), of_all(behind), *elsewhere)
    contains(section(LIMITS, "Beyond the paper"), of_all(ahead), of_all(behind), elsewhere[0])


def test_one_map() -> None:
    overall = results("one-map")["overall"]
    figures = [f"{overall[key]:.3f}" for key in ("ratio", "floor", "cost_ratio")]
    rival = f"{overall['rival_cost_ratio']:.3f}"
    contains(section(RESULTS, "One map"), *figures, rival, f"{overall['time']:.2f} times as long")


def test_implicit_graphs() -> None:
    for row in results("domain")["games"].values():
        methods = (row["methods"]["PHIL"], row["methods"][row["rival"]])
        figures = [f"{method['calls']:,.0f}" for method in methods]
        contains(section(RESULTS, "Implicit graphs"), f"{row['ratio']:.3f}", *figures)


def test_baselines_and_scenarios() -> None:
    sets = results("planning")["sets"]
    contains(
        section(RESULTS, "Baselines"),
        *(f"{100 * row['score']['reduction']:.1f} %" for row in sets.values()),
    )
    scenarios = results("scenarios")
    assert scenarios["equal"] == scenarios["searched"]
    contains(section(RESULTS, "Correctness"), f"{scenarios['searched']:,}")


def test_ablations_and_runtime() -> None:
    document = results("ablations")
    trainings = sum(
        len(variant["seeds"])
        for family in document["families"].values()
        for name, variant in family["variants"].items()
        if variant["training"] == name  # the others are further tests of the same heuristics
    )
    contains(section(RESULTS, "Ablations (appendix D)"), str(trainings))
    fringe = document["claims"]["fringe"]  # re-evaluation gains nothing beyond the spread
    assert fringe
    assert all(claim["outcome"] != "yes" and claim["spread"] is not None for claim in fringe)
    runtime = results("runtime")
    means = {**runtime["mean"]["python"], **runtime["mean"]["compiled"]}
    contains(
        section(RESULTS, "Time per node (appendix G)"),
        *(f"{1000 * means[name]:.2g}" for name in runtime["titles"]),
    )


def test_speed_and_break_even() -> None:
    parts = results("speed")["parts"]
    figures = {figure.text: figure.value for figure in summary(parts)}
    torch = figures[
        "Search with the paper's network: times faster than torch per evaluated node, median family"
    ]
    networkx = figures["phil A* (octile): times faster than networkx A*, slowest kind of maps"]
    contains(section(RESULTS, "Speed"), f"{torch:.0f}", f"{networkx:.0f}")
    families = parts["break_even"]["families"]
    costs = {family: row["break_even_us"] for family, row in families.items()}
    astar = {family: all(cost[n]["A*"] == 0 for n in cost) for family, cost in costs.items()}
    never = {family: cost["n = 8"][GREEDY] is None for family, cost in costs.items()}
    forest = costs.pop("forest")["n = 0"][GREEDY]
    most = max(cost["n = 0"][GREEDY] for cost in costs.values())
    contains(
        section(CHOOSE, "The break-even cost"),
        of_all(astar),
        of_all(never),
        f"{most:.1f}",
        f"{forest:.1f}",
    )
