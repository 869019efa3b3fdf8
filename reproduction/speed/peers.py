"""The part `peers`: build and query times of every library on every map, and their paths' costs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from statistics import median
from typing import Any

from phil.evaluation.timing import interleaved
from reproduction.record import version_of
from reproduction.speed.common import Scale, medians, ratio
from reproduction.speed.libraries import ASTAR, PEERS, Built, Peer
from reproduction.speed.queries import RULES, Query, path_cost, queries

BUDGET = 2.0  # seconds for one library on one map
EXACT = 1e-4  # tcod's whole-number costs are that near to the square root of 2


def measure(scale: Scale) -> dict[str, Any]:
    """All libraries that are installed, on all maps that are found."""
    usable, skipped = _usable()
    asked = [_ask(query, usable, scale) for query in queries(scale)]
    return {
        "reference": ASTAR,
        "rules": {rule.name: rule.text for rule in RULES.values()},
        "libraries": {
            peer.name: {
                "package": peer.package,
                "version": version_of(peer.package),
                "heuristic": peer.heuristic,
                "optimal": peer.optimal,
                "note": peer.note,
            }
            for peer in usable
        },
        "skipped": skipped,
        "kinds": _by_kind(asked),
        "queries": asked,
    }


def _usable() -> tuple[list[Peer], dict[str, str]]:
    """The libraries that are installed, imported; and why the others are left out."""
    usable, skipped = [], {}
    for peer in PEERS:
        try:
            import_module(peer.module)
            usable.append(peer)
        except ImportError as error:
            skipped[peer.name] = f"not installed: {error}"
    return usable, skipped


def _ask(query: Query, peers: Sequence[Peer], scale: Scale) -> dict[str, Any]:
    able = [peer for peer in peers if query.rule in peer.rules]
    asked = [peer for peer in able if query.free.size <= (peer.most_cells or query.free.size)]
    built: dict[str, Built] = {}

    def build(peer: Peer) -> None:
        built[peer.name] = peer.build(query)

    building = interleaved(
        {peer.name: partial(build, peer) for peer in asked}, scale.pick(3, 1), budget=BUDGET / 4
    )
    # The first answers load what is loaded once, and are those whose paths are checked.
    costs = {name: path_cost(query, one.cells(one.ask())) for name, one in built.items()}
    seconds = interleaved(
        {name: one.ask for name, one in built.items()},
        scale.pick(9, 2),
        before={name: one.forget for name, one in built.items() if one.forget},
        budget=BUDGET,
    )
    return {
        "kind": query.kind,
        "rule": query.rule.name,
        "map": query.name,
        "shape": query.shape,
        "start": query.start,
        "goal": query.goal,
        "cost": costs[ASTAR],
        "too_large": [peer.name for peer in able if peer not in asked],
        "methods": {
            peer.name: {
                "build_us": 1e6 * median(building[peer.name]),
                "query_us": 1e6 * median(seconds[peer.name]),
                "rounds": len(seconds[peer.name]),
                "times_reference": ratio(seconds[peer.name], seconds[ASTAR]),
                "cost_ratio": costs[peer.name] / costs[ASTAR],
                "agrees": not peer.optimal or abs(costs[peer.name] / costs[ASTAR] - 1) <= EXACT,
            }
            for peer in asked
        },
    }


def _by_kind(asked: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Medians over the maps of each kind and rule."""
    groups: defaultdict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for answer in asked:
        groups[answer["kind"], answer["rule"]].append(answer["methods"])
    return [
        {
            "kind": kind,
            "rule": rule,
            "maps": len(methods),
            "methods": {name: _summary([one[name] for one in methods]) for name in methods[0]},
        }
        for (kind, rule), methods in groups.items()
    ]


def _summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    figures = ("build_us", "query_us", "times_reference", "cost_ratio")
    return {**medians(rows, figures), "agrees": all(row["agrees"] for row in rows)}
