"""README's tables and sentences are the committed results, to the letter; results.md's tables too.

What stands for a number in a sentence is computed here from the JSON files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from statistics import mean
from typing import Any

import pytest

from reproduction.everything.claims import JUDGES, verdicts
from reproduction.table1 import page as table1
from reproduction.table2 import page as table2
from reproduction.table3 import page as table3
from tests.pages import ROOT, results, says

README = "README.md"
ROWS = {"table1": "families", "table2": "sets", "table3": "rooms"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


@pytest.mark.parametrize("page", [README, "docs/results.md"])
@pytest.mark.parametrize(
    ("name", "readme_table"),
    [
        ("table1", table1.readme_table),
        ("table2", table2.readme_table),
        ("table3", table3.readme_table),
    ],
)
def test_the_table_is_that_of_the_committed_results(
    page: str, name: str, readme_table: Callable[[Mapping[str, Any]], str]
) -> None:
    table = readme_table(results(name))
    assert len(table.splitlines()) == 2 + len(results(name)[ROWS[name]])
    assert table in (ROOT / page).read_text(), f"{page} must have:\n{table}"


def test_the_verdicts_are_counted() -> None:
    documents = {name: results(name) for name in JUDGES}
    counted = Counter(verdict.outcome for verdict in verdicts(documents))
    says(
        README,
        f"judges the paper's claims: of {counted.total()}, {counted['better']} come out better, "
        f"{counted['reproduced']} the same, and {counted['not reproduced']} are not reproduced.",
    )


def test_maps() -> None:
    families = {name: row["methods"] for name, row in results("table1")["families"].items()}
    ahead = {  # who expands less than PHIL, and by how many per cent
        family: {
            name: 100 * (1 - other["expansions"] / methods["phil"]["expansions"])
            for name, other in methods.items()
            if name not in ("phil", "oracle")
            and other["expansions"] < methods["phil"]["expansions"]
        }
        for family, methods in families.items()
    }
    by_cem = {family: others.pop("cem") for family, others in ahead.items() if "cem" in others}
    says(
        README,
        f"On {' and '.join(by_cem)} CEM expands "
        f"{' and '.join(f'{percent:.1f}' for percent in by_cem.values())} % less than PHIL",
    )
    depth = ahead["forest"].pop("depth")
    says(
        README,
        "on forest greedy search by Euclidean distance less 0.8 x depth, which learns nothing, "
        f"{depth:.0f} % less; else PHIL expands least",
    )
    assert not any(ahead.values()), "what README says of others is no longer all"
    traps = [family for family in families if "trap" in family]
    dearest = max(families[f][name]["cost_ratio"] for f in traps for name in ("phil", "cem"))
    says(README, f"(up to {dearest:.1f} times the least cost)")


def test_transfer() -> None:
    document = results("transfer")
    families = document["families"]
    average: dict[tuple[str, str, str], float] = {
        (row, where, family): mean(cells[where][family]["expansions"])
        for row, cells in document["rows"].items()
        for where in ("corners", "large", "random")
        for family in families
    }

    def ahead(row: str, where: str, family: str) -> bool:
        return average[row, where, family] < average["euclidean", where, family]

    elsewhere = [ahead(row, "corners", f) for row in families for f in families if row != f]
    says(
        README,
        "on other families it is worse than greedy Euclidean search in "
        f"{elsewhere.count(False)} of {len(elsewhere)} cases",
    )
    says(README, "on maps of twice the side it stays ahead of it on its own family")  # on all
    assert all(ahead(family, "large", family) for family in families)
    at_random = sum(ahead("all, random pairs", "random", family) for family in families)
    says(
        README,
        f"is ahead of greedy Euclidean search there on {NUMBERS[at_random]} of "
        f"{NUMBERS[len(families)]}",
    )


def test_any_graph() -> None:
    sets = results("table2")["sets"]
    more = {
        name: [tier for tier in row["tiers"] if _phil(row, tier) > 1] for name, row in sets.items()
    }
    says(README, "On proteins greedy Euclidean search is nearly perfect and PHIL expands more with")
    assert more["proteins"][-1:] == list(sets["proteins"]["tiers"])[-1:]
    says(README, "on rimini it does with the paper's features alone")
    assert more["rimini"] == list(sets["rimini"]["tiers"])[:1]


def _phil(row: Mapping[str, Any], tier: str) -> float:
    """PHIL's ratio with a tier of features; 0 where it was not trained with them."""
    return float(row["tiers"][tier]["methods"].get("phil", {"ratio": 0})["ratio"])


def test_rooms() -> None:
    rooms = results("table3")["rooms"]
    simple = rooms["simple"]["methods"]
    percent = 100 * (1 - simple["supervised"]["expansions"] / simple["phil"]["expansions"])
    says(README, f"in the simple room SL expands {percent:.0f} % less than PHIL")
    checks = [row["checks"]["methods"] for row in rooms.values()]
    says(
        README,
        f"PHIL needs {_of_astar(checks, 'checks', 'phil')} of A*'s checks and "
        f"{_of_astar(checks, 'milliseconds', 'phil')} of its time; with n = 0, or by greedy "
        f"Euclidean search, {_of_astar(checks, 'checks', 'phil_alone', 'euclidean')} and "
        f"{_of_astar(checks, 'milliseconds', 'phil_alone', 'euclidean')}.",
    )


def _of_astar(rooms: list[Mapping[str, Any]], what: str, *methods: str) -> str:
    """From the least to the largest share of A*'s, over rooms and methods."""
    shares = [round(100 * room[name][f"{what}_ratio"]) for room in rooms for name in methods]
    least, most = min(shares), max(shares)
    return f"{least} %" if least == most else f"{least} to {most} %"
