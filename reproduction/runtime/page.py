"""The page on the runtime."""

from __future__ import annotations

from statistics import mean

from matplotlib.figure import Figure

from reproduction.drawing import svg
from reproduction.experiment import Document
from reproduction.markup import NOTHING, Section
from reproduction.page import Picture
from reproduction.runtime.timing import COMPILED, ENGINES, PYTHON
from reproduction.sections import CellWriter, MethodTable, table

TITLE = "Runtime: milliseconds per expanded node"
SAID = {COMPILED: "compiled", PYTHON: "called from Python"}
CALLED = (
    "The same searches and the same compiled heuristics, but the search returns to Python once per "
    "expansion and calls the heuristic from there, as it does with one that a user writes. All "
    "methods pay the same for that, MHA* once for each of its three heuristics."
)
SHARE = (
    "The share of a search's time that its replay does not take: the same nodes expanded in the "
    "same order, by values read from a table. What a heuristic prepares before the first expansion "
    "counts as its own (Neural A*'s network over the whole map, PHIL's look at the goal)."
)
MUCH = 2.0  # times as long: from there on in times, not in per cent
WIDTH = 0.8  # of the bars of a family, together


def sections(document: Document) -> list[Section]:
    """All of the page but its chart."""
    text = {COMPILED: "The whole search runs compiled.", PYTHON: CALLED}
    lacking = uncompiled(document)
    if lacking:
        text[COMPILED] += (
            f" {lacking} have no such loop and are always called from Python: see the next table."
        )
    times = [
        _by_family(document, engine).section(
            f"Milliseconds per expanded node, {SAID[engine]}",
            text[engine],
            lambda found: f"{found['milliseconds_per_node']:.3g}",
        )
        for engine in ENGINES
    ]
    shares = [
        _by_family(document, engine).section(
            f"Share of the heuristic, {SAID[engine]}",
            [SHARE] if engine == COMPILED else [],
            lambda found: f"{100 * found['heuristic_share']:.0f} %",
        )
        for engine in ENGINES
    ]
    return [claims(document), *times, *shares, _made_with(document)]


def claims(document: Document) -> Section:
    """The paper's percentages beside ours."""
    titles = document["titles"]
    networks = [*document["claims"][0]["ours"][COMPILED]]
    columns = [(engine, name) for engine in ENGINES for name in networks]
    counted = ", ".join(
        f"{sum(claim['ours'][engine][name]['agrees'] for claim in document['claims'])} "
        f"({SAID[engine]}, {titles[name]})"
        for engine, name in columns
    )
    return Section(
        "Beside the paper",
        [
            f"Made by `{document['command']}`; all numbers are in its file of results. A method's "
            "time per node is the time (of one core) of all its searches, preparation included, "
            "divided by the number of nodes that they expanded; then the mean over the families. "
            '"Faster" is 1 - ours / theirs, "slower" ours / theirs - 1: the paper does not say how '
            "it computes them, nor in what its searches are written. The methods took turns, and "
            "the shortest of several times of each search counts. Against a method without a "
            "compiled loop, both are called from Python.",
            f"Of {len(document['claims'])} comparisons the same method is faster as in the paper "
            f"in: {counted}. Compiled, an expansion costs so little that any network takes many "
            "times as long as A*'s straight line; what PHIL saves is expansions. See docs/speed.md "
            "for what an expansion must cost before that pays.",
        ],
        ["per node", "paper", *(f"{SAID[engine]}, {titles[name]}" for engine, name in columns)],
        [
            [
                f"{titles[claim['method']]} against {titles[claim['other']]}",
                in_words(claim["ratio"]),
                *(in_words(claim["ours"][engine][name]["ratio"]) for engine, name in columns),
            ]
            for claim in document["claims"]
        ],
    )


def uncompiled(document: Document) -> str:
    """The methods that were called from Python only."""
    families = document["families"].values()
    return " and ".join(
        title
        for name, title in document["titles"].items()
        if not all(COMPILED in family["methods"][name] for family in families)
    )


def in_words(ratio: float) -> str:
    """A ratio of times as the paper puts it.

    >>> in_words(0.421), in_words(1.347), in_words(31.2)
    ('57.9 % faster', '34.7 % slower', '31.2 times as long')
    """
    if ratio >= MUCH:
        return f"{ratio:.1f} times as long"
    return f"{100 * abs(1 - ratio):.1f} % {'faster' if ratio < 1 else 'slower'}"


def _by_family(document: Document, engine: str) -> MethodTable:
    """All methods that run on an engine, by family, and their means."""
    families = {family: row["methods"] for family, row in document["families"].items()}
    names = [
        name
        for name in document["titles"]
        if all(engine in methods[name] for methods in families.values())
    ]
    rows = {
        family: {name: methods[name][engine] for name in names}
        for family, methods in families.items()
    }
    means = {
        name: {
            key: mean(methods[name][key] for methods in rows.values())
            for key in ("milliseconds_per_node", "heuristic_share")
        }
        for name in names
    }
    named = [([family], methods) for family, methods in rows.items()]
    return MethodTable(["family"], document["titles"], [*named, (["mean"], means)])


def _made_with(document: Document) -> Section:
    def heuristic(name: str) -> CellWriter:
        return lambda row: row["methods"][name]["heuristic"] or NOTHING

    families = document["families"]
    learned = [
        name
        for name in document["titles"]
        if any(row["methods"][name]["heuristic"] for row in families.values())
    ]
    return table(
        "Made with",
        "Which heuristics were timed: those of Table 1 (seed 0); where it has none, the one in "
        "the package, or one from a short training, whose time per node is that of the full one "
        "but for the nodes that an expansion discovers. The load is that of the machine when "
        "the family was done: 1 if nothing else ran. Neural A*'s matrix products may use several "
        "cores, of which one is counted: set `OMP_NUM_THREADS=1`.",
        {
            "family": "family",
            "maps": "maps",
            "rounds": "rounds",
            **{document["titles"][name]: heuristic(name) for name in learned},
            "processor": lambda row: f"{row['machine']['cpu']}, {row['machine']['cores']} cores",
            "load": lambda row: str(row["machine"]["load"] or NOTHING),
        },
        families.values(),
    )


def chart(document: Document) -> Picture:
    """A panel an engine, a group of bars a family, a colour a method."""
    families, titles = document["families"], document["titles"]
    figure = Figure(figsize=(11, 7), layout="constrained")
    heads = dict(SAID)
    lacking = uncompiled(document)
    if lacking:
        heads[COMPILED] += f" ({lacking}: {SAID[PYTHON]})"
    panels = figure.subplots(len(heads), 1, sharex=True, sharey=True)
    for panel, (engine, head) in zip(panels, heads.items(), strict=True):
        for place, (name, title) in enumerate(titles.items()):
            methods = [row["methods"][name] for row in families.values()]
            shift = (place - (len(titles) - 1) / 2) * WIDTH / len(titles)
            panel.bar(
                [number + shift for number in range(len(families))],
                [each.get(engine, each[PYTHON])["milliseconds_per_node"] for each in methods],
                WIDTH / len(titles),
                color=f"C{place}",
                label=title,
            )
        panel.set(title=head, yscale="log", ylabel="milliseconds per node")
        panel.set_xticks(range(len(families)), list(families))
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(titles))
    return Picture("Milliseconds per expanded node", "chart.svg", svg(figure, "runtime"))
