"""The rows of Table 2: sets of graphs, and the tiers of features they are searched with.

A tier adds features to those that the paper names, and every method gets the same ones. The roads'
own features include the degree, so tier 2 would be tier 1. Landmarks are for graphs that are
searched again and again; on molecules, proteins and syntax trees of a few dozen nodes, distances
to 16 nodes would cost as much as the search, so they have no tier 4. Every edge costs 1, on roads
too: what counts here is expansions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Tier:
    """Features added to a set's own."""

    name: str
    title: str
    recipe: str


TIERS = {
    tier.name: tier
    for tier in (
        Tier("1", "the paper's features", ""),
        Tier("2", "+ degree", "degree"),
        Tier("3", "+ neighbourhood", "degree,neighbourhood"),
        Tier("4", "+ landmarks", "degree,neighbourhood,landmarks:16"),
    )
}
FIRST = "1"


@dataclass(frozen=True)
class TableSet:
    """A row of the table."""

    name: str
    opened: str  # the name that `phil.problems.open_set` knows
    tiers: tuple[str, ...]
    printed: Mapping[str, float] = field(default_factory=dict)  # in the paper, by column
    other: str = ""  # what the paper's data was, where it is not this

    @property
    def trains_fast(self) -> bool:
        """Whether an iteration of PHIL takes little: nodes have few neighbours."""
        return self.tiers in (SMALL_GRAPHS, ROADS)

    @property
    def best_tier(self) -> str:
        """The one with the most features."""
        return self.tiers[-1]


ALL = ("1", "2", "3", "4")
SMALL_GRAPHS = ("1", "2", "3")
ROADS = ("1", "3", "4")
PRINTED = ("supervised", "astar", "euclidean", "bfs", "sail", "bfws", "phil")


def _row(
    opened: str, tiers: tuple[str, ...], *printed: float | None, other: str = "", name: str = ""
) -> TableSet:
    values = dict(zip(PRINTED, printed, strict=True))
    known = {method: value for method, value in values.items() if value is not None}
    return TableSet(name or opened.rpartition("/")[2], opened, tiers, known, other)


_NO_LABELS = "PPI with label features, which are not in the data here"
_OSMNX = "New York as OSMnx gave it; here the city comes from DIMACS"
_MODENA = "Modena, another city, of nearly this size"
_CODE2 = "OGBG-Code2, for which these functions are a substitute"
# fmt: off
_ROWS = (
    _row("citations/cora", ALL, 2.201, 2.067, 1.0, 4.001, 0.669, 1.378, 0.475),
    _row("citations/citeseer", ALL, 1.636, 1.487, 1.0, 2.190, 1.062, 0.951, 0.599),
    _row("citations/pubmed", ALL, 2.157, 2.983, 1.0, 3.853, 1.196, 1.0, 0.745),
    _row("citations/coauthor_cs", ALL, 1.571, 1.069, 1.0, 2.820, 1.941, 1.026, 0.835),
    _row("citations/coauthor_physics", ALL, 4.076, 1.081, 1.0, 4.523, None, 1.012, 0.964),
    _row("biology/ppi", ALL, 0.772, 0.831, 1.0, 5.618, 1.746, 3.941, 0.658, other=_NO_LABELS),
    _row("biology/enzymes", SMALL_GRAPHS, 1.073, 1.007, 1.0, 1.358, 1.036, 0.992, 0.757),
    _row("biology/proteins", SMALL_GRAPHS, 0.995, 0.997, 1.0, 2.645, 0.891, 0.966, 0.831),
    _row("biology/molhiv", SMALL_GRAPHS, 1.086, 1.065, 1.0, 1.267, 1.104, 1.146, 1.016),
    _row("roads/new_york_city", ROADS, 39.424, 36.529, 1.0, 63.352, 1.583, 1.013, 0.962,
         other=_OSMNX),
    _row("roads/rimini", ROADS, 2.904, 3.085, 1.0, 3.493, 1.182, 0.997, 0.489, other=_MODENA),
    _row("syntax_trees/python", SMALL_GRAPHS, 1.196, 1.013, 1.0, 1.267, 1.029, 0.817, 1.219,
         other=_CODE2, name="syntax_trees"),
)
# fmt: on
SETS = {row.name: row for row in _ROWS}

# Small generated graphs of three kinds, for `--quick`.
QUICK_SETS = {
    row.name: row
    for row in (
        TableSet("network", "quick/network", ("1", "4")),
        TableSet("molecules", "quick/molecules", ("1", "3")),
        TableSet("roads", "quick/roads", ("1", "4")),
    )
}
