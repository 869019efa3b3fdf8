"""The sections of the report on Table 2."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from phil.view.sections import Section, table_markdown
from reproduction.numbers import NOTHING, count, short, with_spread
from reproduction.table2.columns import COLUMNS
from reproduction.table2.sets import FIRST

Document = Mapping[str, Any]
Summary = Mapping[str, Any]
TITLE = "Table 2: citations, biology, syntax trees and roads"
PHIL = "phil"
LIMIT = "oracle"


def sections(document: Document) -> list[Section]:
    """All of the report but its pictures."""
    return [
        ratios(document),
        _short_of(document),
        _by_method(
            document,
            "Ratio to greedy Euclidean",
            [
                "Ratio of mean expansions to those of greedy search by the Euclidean distance of "
                "the paper's features (tier 1), on the same pairs; learned methods: mean over "
                "trainings ± deviation between them. In brackets, in tier 1, what the paper "
                "prints for the same data. A* takes the same distance as its heuristic, which on "
                "features is not admissible; BFS and the shortest path look at no features, and "
                "the landmark columns at landmarks alone. BFWS takes the extension of boundaries "
                "as novelty."
            ],
            _ratio_and_printed,
        ),
        _printed_for_others(document),
        _by_method(
            document,
            "Mean expansions",
            ["Expansions are |CLOSE|, start and goal included."],
            lambda summary, _: _expansions(summary),
        ),
        _by_method(
            document,
            "Path cost over the least cost",
            ["Mean over the test problems. Roads cost their length, all other edges 1."],
            lambda summary, _: f"{summary['cost_ratio']:.3f}",
        ),
        _by_method(
            document,
            "Milliseconds a search",
            [
                "Mean over the first 20 test problems, one search after the other while nothing "
                "else ran; features are there already (see below). BFWS is called from Python once "
                "per expansion."
            ],
            lambda summary, _: short(summary["milliseconds"]),
        ),
        _features(document),
        _trainings(document),
        _problems(document),
    ]


def ratios(document: Document) -> Section:
    """PHIL in every tier, beside the paper, the target, the limit and the best rival."""
    tiers = document["tiers"]
    said = "; ".join(
        f"tier {name}: {tier['title']}" + (f" (`{tier['recipe']}`)" if tier["recipe"] else "")
        for name, tier in tiers.items()
    )
    return Section(
        "PHIL",
        [
            f"Made by `{document['command']}`; all figures are in the JSON file beside, the test "
            "pairs too. Ratio of mean expansions to those of greedy Euclidean on the paper's "
            "features, on the same pairs: mean over trainings ± deviation between them. In "
            f"tiers, every method getting the same features: {said}. Roads have their degree in "
            "tier 1 already. Small graphs have no tier 4, since distances to 16 nodes would cost "
            "as much as a search there. The interval (95 %) is of PHIL in the best tier, by "
            "resampling test pairs. The rival is the best other method in that tier.",
        ],
        [
            "set",
            "paper",
            *(f"tier {tier}" for tier in tiers),
            "interval",
            "at most",
            "met",
            "best rival",
            "shortest path",
        ],
        [_ratio_row(name, row, document) for name, row in document["sets"].items()],
    )


def readme_table(document: Document) -> str:
    """The ratios in few columns."""
    rows = []
    for name, row in document["sets"].items():
        best = _best_tier(row)
        rows.append(
            [
                name,
                _paper(row),
                _ratio(_summary(row, FIRST, PHIL)),
                _ratio(_summary(row, best, PHIL)),
                _rival(row, best, document["titles"]),
                short(row["limit"]),
            ]
        )
    header = ["set", "paper", "paper's features", "best features", "best rival", "shortest path"]
    return table_markdown(Section("", (), header, rows))


def best_rival(row: Summary, tier: str) -> tuple[str, float] | None:
    """The best other method of a tier, and its ratio."""
    found = {
        name: summary["ratio"]
        for name, summary in row["tiers"][tier]["methods"].items()
        if name not in (PHIL, LIMIT)
    }
    return min(found.items(), key=lambda item: item[1]) if found else None


def _ratio_row(name: str, row: Summary, document: Document) -> list[str]:
    best = _best_tier(row)
    phil = _summary(row, best, PHIL)
    return [
        name,
        _paper(row),
        *(_ratio(_summary(row, tier, PHIL)) for tier in document["tiers"]),
        NOTHING if phil is None else " to ".join(short(end) for end in phil["ratio_interval"]),
        short(row["target"]),
        _met(phil, row["target"]),
        _rival(row, best, document["titles"]),
        short(row["limit"]),
    ]


def _rival(row: Summary, tier: str, titles: Mapping[str, str]) -> str:
    rival = best_rival(row, tier)
    return NOTHING if rival is None else f"{short(rival[1])} ({titles[rival[0]]})"


def _met(phil: Summary | None, target: float | None) -> str:
    if phil is None or target is None:
        return NOTHING
    return "yes" if phil["ratio"] <= target else "no"


def _paper(row: Summary) -> str:
    """What the paper prints for PHIL; with a star where its data was other."""
    printed = row["printed"].get(PHIL)
    return NOTHING if printed is None else f"{printed:.3f}" + ("*" if row["printed_for"] else "")


def _best_tier(row: Summary) -> str:
    return str(list(row["tiers"])[-1])


def _summary(row: Summary, tier: str, method: str) -> Summary | None:
    found: Summary | None = row["tiers"].get(tier, {}).get("methods", {}).get(method)
    return found


def _short_of(document: Document) -> Section:
    """Where PHIL misses a target, the reference, the paper or a rival; and by how much."""
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
        found
        or ["Nowhere in what was run: targets are met, and PHIL is below all rivals of its tier."],
    )


def _misses(row: Summary, tier: str, phil: Summary, titles: Mapping[str, str]) -> str:
    ratio = phil["ratio"]
    misses = []
    target = row["target"]
    if tier == _best_tier(row) and target is not None and ratio > target:
        misses.append(f"target {short(target)}, shortest path {short(row['limit'])}")
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


def _by_method(
    document: Document, title: str, text: list[str], cell: Callable[[Summary, float | None], str]
) -> Section:
    """A table of all methods, by set and tier."""
    places = [
        (name, tier, content["methods"], row)
        for name, row in document["sets"].items()
        for tier, content in row["tiers"].items()
        if content["methods"]
    ]
    shown = [
        name for name in document["titles"] if any(name in methods for _, _, methods, _ in places)
    ]
    rows = []
    for name, tier, methods, row in places:
        compared = tier == FIRST and not row["printed_for"]
        rows.append(
            [
                name,
                tier,
                *(
                    cell(methods[method], row["printed"].get(method) if compared else None)
                    if method in methods
                    else NOTHING
                    for method in shown
                ),
            ]
        )
    return Section(title, text, ["set", "tier", *(document["titles"][m] for m in shown)], rows)


def _printed_for_others(document: Document) -> Section:
    rows = {name: row for name, row in document["sets"].items() if row["printed_for"]}
    if not rows:
        return Section("Printed for other data", ["The paper prints nothing for these sets."])
    shown = [name for name in COLUMNS if any(name in row["printed"] for row in rows.values())]
    return Section(
        "Printed for other data",
        [
            "The paper's data was not to be had for these sets, so its values (tier 1) are no "
            "measure for those above; in the tables they are marked by a star or left out."
        ],
        ["set", "the paper's data", *(COLUMNS[name].title for name in shown)],
        [
            [name, row["printed_for"], *(short(row["printed"].get(column)) for column in shown)]
            for name, row in rows.items()
        ],
    )


def _features(document: Document) -> Section:
    rows = [
        [
            name,
            tier,
            ", ".join(f"{item} {short(s)}" for item, s in content["feature_seconds"].items()),
            short(sum(content["feature_seconds"].values())),
        ]
        for name, row in document["sets"].items()
        for tier, content in row["tiers"].items()
        if content["feature_seconds"]
    ]
    return Section(
        "What features cost",
        [
            "Seconds to compute the features of a tier for one graph, mean over at most 20 test "
            "graphs. On one graph that is searched again and again they are computed once; on "
            "families of graphs, for every new graph."
        ],
        ["set", "tier", "seconds a graph", "together"],
        rows,
    )


def _trainings(document: Document) -> Section:
    rows = []
    for name, row in document["sets"].items():
        for tier, content in row["tiers"].items():
            for method, summary in content["methods"].items():
                if "trainings" in summary:
                    runs = summary["trainings"]
                    rows.append(
                        [
                            name,
                            tier,
                            document["titles"][method],
                            ", ".join(short(run["seconds"]) for run in runs),
                            ", ".join(count(run["validation"]) for run in runs),
                            ", ".join(count(value) for value in summary["by_run"]),
                        ]
                    )
    return Section(
        "Trainings",
        [
            "By seed: seconds of one core; mean expansions on the validation problems of what was "
            "kept; mean expansions on the test problems."
        ],
        ["set", "tier", "method", "seconds", "validation", "test"],
        rows,
    )


def _problems(document: Document) -> Section:
    rows = []
    for name, row in document["sets"].items():
        found = row["problems"]
        solved = row["tiers"][FIRST]["methods"][LIMIT]["solved"][0]
        rows.append(
            [
                name,
                f"{found['graphs']:,}",
                f"{found['nodes']:,.0f}",
                f"{found['edges']:,.0f}",
                str(len(found["features"])),
                f"{found['train']:,}",
                f"{found['validation']:,}",
                f"{len(found['test']):,} ({solved:,} with a path)",
            ]
        )
    return Section(
        "Problems",
        [
            "One draw of start and goal, the same for all methods and seeds; which ones: in the "
            "JSON file. Graphs, mean nodes and mean edges are those of the test problems. Single "
            "graphs are the same in training, with other pairs. PHIL also sees the features of "
            "edges: of bonds on molhiv, and on roads their entries in the Laplacian, the "
            "modularity and the Bethe-Hessian matrix."
        ],
        ["set", "graphs", "nodes", "edges", "features", "train", "validation", "test"],
        rows,
    )


def _ratio(summary: Summary | None) -> str:
    if summary is None:
        return NOTHING
    return with_spread(summary["ratio"], summary["ratio_deviation"])


def _ratio_and_printed(summary: Summary, printed: float | None) -> str:
    return _ratio(summary) + (f" ({printed:.3f})" if printed is not None else "")


def _expansions(summary: Summary) -> str:
    return with_spread(summary["expansions"], summary["deviation"], count)
