"""The sections of the report on the runtime."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from phil.view.sections import Section
from reproduction.numbers import NOTHING
from reproduction.runtime.claims import in_words
from reproduction.runtime.measure import COMPILED, PYTHON
from reproduction.runtime.table import ENGINES, NETWORKS

Document = Mapping[str, Any]
TITLE = "Runtime: milliseconds per expanded node"
MEAN = "mean"
SAID = {COMPILED: "compiled", PYTHON: "called from Python"}


def sections(document: Document) -> list[Section]:
    """All of the report but its picture."""
    return [
        claims(document),
        _by_family(
            document,
            COMPILED,
            "Milliseconds per expanded node, compiled",
            [
                "The whole search runs compiled. BFWS and MHA* have no such loop, here they are "
                "always called from Python: see the next table."
            ],
            lambda cell: f"{cell['milliseconds_per_node']:.3g}",
        ),
        _by_family(
            document,
            PYTHON,
            "Milliseconds per expanded node, called from Python",
            [
                "The same searches and the same compiled heuristics, but the search comes back to "
                "Python once per expansion and calls the heuristic from there, as one that a user "
                "writes. Here all methods pay the same for that, BFWS and MHA* too (MHA* once for "
                "each of its three heuristics)."
            ],
            lambda cell: f"{cell['milliseconds_per_node']:.3g}",
        ),
        *(
            _by_family(
                document,
                engine,
                f"Share of the heuristic, {SAID[engine]}",
                [_SHARE] if engine == COMPILED else [],
                lambda cell: f"{100 * cell['heuristic_share']:.0f} %",
            )
            for engine in ENGINES
        ),
        _made_with(document),
    ]


_SHARE = (
    "Of a search's time, what its replay does not take: the same nodes expanded in the same order, "
    "by values read from a table. What a heuristic prepares before the first expansion is its own "
    "(Neural A*'s network over the whole map, PHIL's look at the goal)."
)


def claims(document: Document) -> Section:
    """The paper's percentages beside ours."""
    titles = document["titles"]
    return Section(
        "Beside the paper",
        [
            f"Made by `{document['command']}`; all figures are in the JSON file beside. A method's "
            "time per node is the seconds (of one core) of all its searches over all nodes that "
            "they expanded, "
            'what a heuristic prepares included; then the mean over the families. "Faster" is 1 '
            '- ours / theirs, "slower" ours / theirs - 1: the paper does not say how it computes '
            "them, nor in what its searches are written. Of every search the least of several "
            "times counts; the methods took turns. BFWS has no compiled loop: against it both are "
            "called from Python in all columns.",
            _verdict(document),
        ],
        [
            "per node",
            "paper",
            *(f"{SAID[engine]}, {titles[name]}" for engine in ENGINES for name in NETWORKS),
        ],
        [
            [
                f"{titles[claim['method']]} against {titles[claim['other']]}",
                in_words(claim["ratio"]),
                *(
                    in_words(claim["ours"][engine][name]["ratio"])
                    for engine in ENGINES
                    for name in NETWORKS
                ),
            ]
            for claim in document["claims"]
        ],
    )


def _verdict(document: Document) -> str:
    """In how many claims the faster one of two is the same as in the paper."""
    titles = document["titles"]
    counted = [
        f"{sum(claim['ours'][engine][name]['agrees'] for claim in document['claims'])} "
        f"({SAID[engine]}, {titles[name]})"
        for engine in ENGINES
        for name in NETWORKS
    ]
    return (
        f"Of {len(document['claims'])} comparisons the same method is faster as in the paper in: "
        + ", ".join(counted)
        + ". Compiled, an expansion costs so little that any network is many times as long as A*'s "
        "straight line; what PHIL saves is expansions. "
        "See docs/speed.md for what an expansion must cost until that pays."
    )


def _by_family(
    document: Document,
    engine: str,
    title: str,
    text: list[str],
    cell: Callable[[Mapping[str, float]], str],
) -> Section:
    titles, families = document["titles"], document["families"]
    names = [
        name for name in titles if all(engine in r["methods"][name] for r in families.values())
    ]
    rows = [
        [family, *(cell(row["methods"][name][engine]) for name in names)]
        for family, row in families.items()
    ]
    means = {
        name: {
            key: sum(row["methods"][name][engine][key] for row in families.values()) / len(families)
            for key in ("milliseconds_per_node", "heuristic_share")
        }
        for name in names
    }
    rows.append([MEAN, *(cell(means[name]) for name in names)])
    return Section(title, text, ["family", *(titles[name] for name in names)], rows)


def _made_with(document: Document) -> Section:
    titles = document["titles"]
    learned = [
        name
        for name in titles
        if any(row["methods"][name]["heuristic"] for row in document["families"].values())
    ]
    return Section(
        "Made with",
        [
            "Which heuristics were timed: those of Table 1 (seed 0); where it has none, the one in "
            "the package, or one of a short training, whose time per node is that of the full one "
            "but for the nodes that an expansion uncovers. The load is that of the machine when "
            "the family was done: 1 if nothing else ran. Neural A*'s products of matrices may use "
            "several cores, of which one is counted: set `OMP_NUM_THREADS=1`."
        ],
        ["family", "maps", "rounds", *(titles[name] for name in learned), "processor", "load"],
        [
            [
                family,
                str(row["maps"]),
                str(row["rounds"]),
                *(row["methods"][name]["heuristic"] or NOTHING for name in learned),
                f"{row['machine']['cpu']}, {row['machine']['cores']} cores",
                NOTHING if row["machine"]["load"] is None else f"{row['machine']['load']:.2f}",
            ]
            for family, row in document["families"].items()
        ],
    )
