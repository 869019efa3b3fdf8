"""The sections of the report on Table 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from reproduction.experiment import Document
from reproduction.markup import NOTHING, Section, count, short, table_markdown, whole, with_spread
from reproduction.methods import COUNTED
from reproduction.page import Picture
from reproduction.sections import (
    CellWriter,
    MethodTable,
    Summary,
    cell,
    learning_curves,
    ratio_and_printed,
    table,
)
from reproduction.table2.methods import BOTH_ENDS, METHODS, OF_PHIL, WITHOUT_FEATURES
from reproduction.table2.sets import FIRST

TITLE = "Table 2: citations, biology, syntax trees and roads"
PHIL = "phil"
LIMIT = "oracle"


def sections(document: Document) -> list[Section]:
    """All of the page but its pictures."""
    methods = _methods(document)
    return [
        ratios(document),
        _short_of(document),
        methods.section(
            "Ratio to greedy Euclidean",
            "Ratio of mean expansions to those of greedy search by the Euclidean distance of the "
            "paper's features (tier 1), on the same pairs; for learned methods, the mean over "
            "trainings ± their standard deviation. In brackets, in tier 1, what the paper prints "
            "for the same data. A* uses the same distance as its heuristic, which on features is "
            "not admissible; neither is it for bidirectional A*. BFS and Dijkstra, also from both "
            "ends, and the shortest path use no features, and the landmark columns landmarks "
            "alone. BFWS takes the extension of boundaries as novelty.",
            ratio_and_printed,
        ),
        *_printed_for_others(document),
        methods.section(
            "Mean expansions",
            f"Expansions are |CLOSE|, start and goal included. {COUNTED}",
            lambda summary: with_spread(summary["expansions"], summary["deviation"], count),
        ),
        methods.calls(count),
        methods.section(
            "Path cost over the least cost",
            "Mean over the test problems; every edge costs 1.",
            cell("cost_ratio", lambda ratio: f"{ratio:.3f}"),
        ),
        methods.section(
            "Milliseconds per search",
            "Mean over the first 20 test problems, one search after the other on an otherwise idle "
            "machine; features are already computed (see below). BFWS is called from Python once "
            "per expansion.",
            cell("milliseconds", short),
        ),
        _features(document),
        methods.trainings(),
        _problems(document),
    ]


def curves(document: Document) -> Picture:
    """Validations of all trainings, in the first and the best tier of every set."""
    panels = {
        f"{name}, tier {tier}": row["tiers"][tier]["methods"]
        for name, row in document["sets"].items()
        for tier in dict.fromkeys((FIRST, _best_tier(row)))
    }
    return learning_curves("table2", document["titles"], panels)


def ratios(document: Document) -> Section:
    """PHIL in every tier, beside the paper, the shortest path and the best rival."""
    tiers = document["tiers"]
    said = "; ".join(
        f"tier {name}: {tier['title']}" + (f" (`{tier['recipe']}`)" if tier["recipe"] else "")
        for name, tier in tiers.items()
    )
    return table(
        "PHIL",
        f"Made by `{document['command']}`; all numbers and test pairs are in its file of results. "
        "Ratio of mean expansions to those of greedy Euclidean on the paper's features, on the "
        "same pairs: mean over trainings ± standard deviation between them. All methods of a tier "
        f"get the same features: {said}; PHIL, SaIL and SL also see how far a node is from the "
        "goal in each group of features. Every edge costs 1, on roads too. Roads have their degree "
        "in tier 1 already. Small graphs have no tier 4, since distances to 16 nodes would cost as "
        "much as a search there. The "
        "interval (95 %) is that of PHIL in the best tier, by resampling trainings and test pairs. "
        "Bidirectional PHIL searches from both ends, guided by heuristics trained in the same way, "
        "in the best tier. The rival is the best of all other methods that have the features of "
        "that tier or need none.",
        {
            "set": "set",
            "paper": _paper,
            **{f"tier {tier}": partial(_phil_ratio, tier=tier) for tier in tiers},
            "interval": _interval,
            "bidirectional PHIL": _both_ends,
            "best rival": partial(_rival, titles=document["titles"]),
            "shortest path": cell("limit", short),
        },
        _sets(document),
    )


def readme_table(document: Document) -> str:
    """The ratios in few columns."""
    columns: dict[str, CellWriter | str] = {
        "set": "set",
        "paper": _paper,
        "paper's features": partial(_phil_ratio, tier=FIRST),
        "best features": lambda row: _phil_ratio(row, _best_tier(row)),
        "bidirectional": _both_ends,
        "best rival": partial(_rival, titles=document["titles"]),
        "shortest path": cell("limit", short),
    }
    return table_markdown(table("", "", columns, _sets(document)))


def _sets(document: Document) -> Iterator[Summary]:
    return ({"set": name, **row} for name, row in document["sets"].items())


def best_rival(row: Summary, tier: str, *, both_ends: bool = True) -> tuple[str, float] | None:
    """The best method but PHIL of a tier, or of those without features, and its ratio.

    Without `both_ends`, of those that search from the start only, as all in the paper do.
    """
    first = row["tiers"][FIRST]["methods"]
    plain = {name: first[name] for name in WITHOUT_FEATURES if name in first}
    found = {
        name: summary["ratio"]
        for name, summary in (plain | row["tiers"][tier]["methods"]).items()
        if name not in (*OF_PHIL, LIMIT) and (both_ends or not METHODS[name].both_ends)
    }
    return min(found.items(), key=lambda item: item[1]) if found else None


def _phil(row: Summary, tier: str, method: str = PHIL) -> Summary | None:
    found: Summary | None = row["tiers"].get(tier, {}).get("methods", {}).get(method)
    return found


def _phil_ratio(row: Summary, tier: str, method: str = PHIL) -> str:
    phil = _phil(row, tier, method)
    return NOTHING if phil is None else with_spread(phil["ratio"], phil["ratio_deviation"])


def _both_ends(row: Summary) -> str:
    return _phil_ratio(row, _best_tier(row), BOTH_ENDS)


def _interval(row: Summary) -> str:
    phil = _phil(row, _best_tier(row))
    return NOTHING if phil is None else " to ".join(map(short, phil["ratio_interval"]))


def _rival(row: Summary, titles: Mapping[str, str]) -> str:
    rival = best_rival(row, _best_tier(row))
    return NOTHING if rival is None else f"{short(rival[1])} ({titles[rival[0]]})"


def _paper(row: Summary) -> str:
    """What the paper prints for PHIL; with a star where it had other data."""
    printed = row["printed"].get(PHIL)
    return NOTHING if printed is None else f"{printed:.3f}" + ("*" if row["printed_for"] else "")


def _best_tier(row: Summary) -> str:
    return str(list(row["tiers"])[-1])


def _short_of(document: Document) -> Section:
    """Where PHIL does not reach the reference, the paper or a rival."""
    found = []
    for name, row in document["sets"].items():
        for tier, content in row["tiers"].items():
            phil = content["methods"].get(PHIL)
            if phil is None:
                continue
            misses = _misses(row, tier, phil, document["titles"])
            if misses:
                found.append(f"{name}, tier {tier}, PHIL {short(phil['ratio'])}: {misses}.")
    return Section(
        "Where PHIL falls short",
        found or ["Nowhere in what was run: PHIL is below all rivals."],
    )


def _misses(row: Summary, tier: str, phil: Summary, titles: Mapping[str, str]) -> str:
    ratio = phil["ratio"]
    misses = []
    if tier == FIRST and ratio >= 1:
        misses.append("not below greedy Euclidean on the same features")
    printed = row["printed"].get(PHIL)
    if tier == FIRST and printed is not None and not row["printed_for"] and ratio > printed:
        below = ", which is below the shortest path here" if printed < row["limit"] else ""
        misses.append(f"the paper prints {printed:.3f}{below}")
    rival = best_rival(row, tier)
    if rival is not None and rival[1] <= ratio:
        misses.append(f"{titles[rival[0]]} reaches {short(rival[1])}")
    return "; ".join(misses)


def _methods(document: Document) -> MethodTable:
    rows = [
        ([name, tier], content["methods"])
        for name, row in document["sets"].items()
        for tier, content in row["tiers"].items()
        if content["methods"]
    ]
    return MethodTable(["set", "tier"], document["titles"], rows)


def _printed_for_others(document: Document) -> list[Section]:
    rows = [row for row in _sets(document) if row["printed_for"]]
    if not rows:
        return []
    shown = [name for name in METHODS if any(name in row["printed"] for row in rows)]
    found = table(
        "Printed for other data",
        "The paper's data is not available for these sets, so its values (tier 1) cannot be "
        "compared with those above; in the tables they are starred or left out.",
        {
            "set": "set",
            "the paper's data": "printed_for",
            **{METHODS[name].title: _printed(name) for name in shown},
        },
        rows,
    )
    return [found]


def _printed(method: str) -> CellWriter:
    return lambda row: short(row["printed"].get(method))


def _features(document: Document) -> Section:
    return table(
        "What features cost",
        "Seconds to compute the features of a tier for one graph, mean over at most 20 test "
        "graphs. On one graph that is searched many times they are computed once; on families of "
        "graphs, for every new graph.",
        {
            "set": "set",
            "tier": "tier",
            "seconds per graph": cell("seconds", _by_feature),
            "together": cell("seconds", lambda found: short(sum(found.values()))),
        },
        (
            {"set": name, "tier": tier, "seconds": content["feature_seconds"]}
            for name, row in document["sets"].items()
            for tier, content in row["tiers"].items()
            if content["feature_seconds"]
        ),
    )


def _by_feature(seconds: Mapping[str, float]) -> str:
    return ", ".join(f"{feature} {short(found)}" for feature, found in seconds.items())


def _problems(document: Document) -> Section:
    return table(
        "Problems",
        "One draw of start and goal, the same for all methods and seeds; the file of results has "
        "the pairs. Graphs, mean nodes and mean edges are those of the test problems. Single "
        "graphs are the same in training, with other pairs. PHIL also sees the features of edges: "
        "of bonds on molhiv, and on roads their entries in the Laplacian, the modularity and the "
        "Bethe-Hessian matrix.",
        {
            "set": "name",
            "graphs": cell("graphs", whole),
            "nodes": cell("nodes", whole),
            "edges": cell("edges", whole),
            "features": cell("features", lambda names: str(len(names))),
            "train": cell("train", whole),
            "validation": cell("validation", whole),
            "test": lambda row: f"{len(row['test']):,} ({row['solved']:,} with a path)",
        },
        (
            {
                **row["problems"],
                "name": name,
                "solved": row["tiers"][FIRST]["methods"][LIMIT]["solved"][0],
            }
            for name, row in document["sets"].items()
        ),
    )
