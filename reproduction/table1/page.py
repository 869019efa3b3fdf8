"""The sections of the page on Table 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reproduction.experiment import Document
from reproduction.markup import Section, table_markdown
from reproduction.numbers import whole, with_spread
from reproduction.page import Picture
from reproduction.sections import Row, Summary, by_method, learning_curves, trainings
from reproduction.table1.methods import METHODS

LEARNED = [spec.name for spec in METHODS.values() if spec.learned]
IN_README = (
    "phil",
    "sail",
    "supervised",
    "cem",
    "q_learning",
    "neural_astar",
    "bfws",
    "mha",
    "euclidean",
    "astar",
    "oracle",
)
TITLE = "Table 1: the grid families"


def sections(document: Document) -> list[Section]:
    """All of the page but its pictures."""
    return [
        expansions(document),
        _methods(
            document,
            "As ratio to A*",
            "Mean expansions over those of A* (Euclidean costs and distances).",
            lambda summary: f"{summary['ratio_to_astar']:.3f}",
        ),
        _methods(
            document,
            "In SaIL's unit, beside the paper",
            "(expansions - 200) / 4800, at most 1; in brackets what the paper prints. Its columns "
            "SaIL, SL, CEM, QL, Euclidean, Manhattan and A* are copied from SaIL's paper and are "
            "in this unit. PHIL's own cannot be: 0.039 on gaps_and_forest would be 387 expansions, "
            "fewer than the shortest path has nodes; as ratios to A*, as in the paper's appendix "
            "D, all its values are possible.",
            _in_sail_unit,
        ),
        _methods(
            document,
            "Path cost over the least cost",
            "Mean over the maps that have a path.",
            lambda summary: f"{summary['cost_ratio']:.3f}",
        ),
        _methods(
            document,
            "Milliseconds per search",
            "Mean over the first 20 test maps, one search after the other on an otherwise idle "
            "machine. MHA* and BFWS are called from Python once per expansion; Neural A* runs its "
            "network over each map first.",
            _milliseconds,
        ),
        _repeated(document),
        trainings(["family"], document["titles"], _rows(document), whole, whole),
    ]


def expansions(document: Document) -> Section:
    """Mean expansions: the table itself."""
    return _methods(
        document,
        "Mean expansions",
        [
            f"Made by `{document['command']}`; all numbers are in its file of results. Public "
            "test maps, bottom-left to top-right, 8-connected, corners may be cut, diagonal moves "
            "cost √2. Expansions are |CLOSE|, start and goal included; means are over the maps "
            "that have a path; learned methods: mean over trainings ± standard deviation between "
            "them. Neural A* is trained on scaled-down maps and searches at full size.",
            _trained(document),
            _against_phil(document),
        ],
        _expansions,
    )


def readme_table(document: Document) -> str:
    """Mean expansions of the methods that the README shows."""
    titles = {name: document["titles"][name] for name in IN_README}
    return table_markdown(_methods({**document, "titles": titles}, "", [], _expansions))


def curves(document: Document) -> Picture:
    """The learning curves of all trainings."""
    titles = {name: document["titles"][name] for name in LEARNED}
    panels = {family: row["methods"] for family, row in document["families"].items()}
    return learning_curves("table1", titles, panels, "validation maps")


def _rows(document: Document) -> list[Row]:
    return [([family], row["methods"]) for family, row in document["families"].items()]


def _methods(
    document: Document, title: str, text: str | Sequence[str], cell: Callable[[Summary], str]
) -> Section:
    said = [text] if isinstance(text, str) else text
    return by_method(title, said, ["family"], document["titles"], _rows(document), cell)


def _expansions(summary: Summary) -> str:
    return with_spread(summary["expansions"], summary["deviation"], whole)


def _in_sail_unit(summary: Summary) -> str:
    printed = summary["printed"]
    return f"{summary['in_sail_unit']:.3f}" + (f" ({printed:.3f})" if printed is not None else "")


def _milliseconds(summary: Summary) -> str:
    value = summary["milliseconds"]
    return "-" if value is None else f"{value:.2f}"


def _trained(document: Document) -> str:
    """How many trainings stand behind each learned method."""
    found = []
    for name in LEARNED:
        counts = {
            len(row["methods"][name]["trainings"])
            for row in document["families"].values()
            if name in row["methods"]
        }
        if counts:
            few, most = min(counts), max(counts)
            found.append(f"{document['titles'][name]} {few if few == most else f'{few} to {most}'}")
    return f"Trainings per family: {', '.join(found)}."


def _against_phil(document: Document) -> str:
    """Where PHIL does not expand less than every other method, and by how much."""
    above = []
    for family, row in document["families"].items():
        phil = row["methods"].get("phil")
        if phil is None:
            continue
        for name, other in row["methods"].items():
            if name not in ("phil", "oracle") and other["expansions"] <= phil["expansions"]:
                more = phil["expansions"] / other["expansions"] - 1
                above.append(
                    f"on {family} {document['titles'][name]} expands "
                    f"{whole(other['expansions'])}, PHIL {100 * more:.1f} % more"
                )
    return "PHIL expands less than every other method on every family" + (
        f", except: {'; '.join(above)}." if above else "."
    )


def _repeated(document: Document) -> Section:
    names = [name for name in document["titles"] if name != "oracle"]
    return Section(
        "Repeated maps, and maps without a path",
        [
            "The public splits repeat maps: the second column counts test maps that are also "
            "training or validation maps (the file of results names them), the third those "
            "without a path; then mean expansions on the remaining ones."
        ],
        ["family", "repeated", "no path", *(document["titles"][name] for name in names)],
        [
            [
                family,
                f"{len(row['maps']['repeated'])} of {row['maps']['test']}",
                str(row["methods"]["astar"]["unreachable"][0]),
                *(whole(row["methods"].get(name, {}).get("on_new_maps")) for name in names),
            ]
            for family, row in document["families"].items()
        ],
    )
