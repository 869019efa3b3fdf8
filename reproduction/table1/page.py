"""The sections of the report on Table 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from phil.view.sections import Section, table_markdown
from reproduction.table1.columns import COLUMNS

Document = Mapping[str, Any]
Cell = Callable[[Mapping[str, Any]], str]
LEARNED = [column.name for column in COLUMNS.values() if column.learned]
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
    """All of the report but its pictures."""
    return [
        expansions(document),
        _by_method(
            document,
            "As ratio to A*",
            ["Mean expansions over those of A* (Euclidean costs and distances)."],
            lambda summary: f"{summary['ratio_to_astar']:.3f}",
        ),
        _by_method(
            document,
            "In SaIL's unit, beside the paper",
            [
                "(expansions - 200) / 4800, at most 1; in brackets what the paper prints. Its "
                "columns SaIL, SL, CEM, QL, Euclidean, Manhattan and A* are copied from SaIL's "
                "paper and are in this unit. PHIL's own cannot be: gaps_and_forest 0.039 would be "
                "387 expansions, below the shortest path; as a ratio to A*, as in the paper's "
                "appendix D, all its values are possible."
            ],
            _in_sail_unit,
        ),
        _by_method(
            document,
            "Path cost over the least cost",
            ["Mean over the maps that have a path."],
            lambda summary: f"{summary['cost_ratio']:.3f}",
        ),
        _by_method(
            document,
            "Milliseconds a search",
            [
                "Mean over the first 20 test maps, one search after the other while nothing else "
                "ran. MHA* and BFWS are called from Python once per expansion; Neural A* runs its "
                "network over each map first."
            ],
            _milliseconds,
        ),
        _repeated(document),
        _trainings(document),
    ]


def expansions(document: Document) -> Section:
    """Mean expansions: the table itself."""
    return _by_method(
        document,
        "Mean expansions",
        [
            f"Made by `{document['command']}`; all figures are in the JSON file beside. Public "
            "test maps, bottom-left to top-right, 8-connected, corners may be cut, diagonal moves "
            "cost the root of 2. Expansions are |CLOSE|, start and goal included; means are over "
            "the maps that have a path; learned methods: mean over trainings ± deviation between "
            "them. Neural A* is trained on maps scaled down, and searches at full size.",
            _trained(document),
            _against_phil(document),
        ],
        _expansions,
    )


def readme_table(document: Document) -> str:
    """Mean expansions of the methods that the README shows."""
    titles = {name: document["titles"][name] for name in IN_README}
    return table_markdown(_by_method({**document, "titles": titles}, "", [], _expansions))


def _by_method(document: Document, title: str, text: list[str], cell: Cell) -> Section:
    names = [
        name
        for name in document["titles"]
        if any(name in row["methods"] for row in document["families"].values())
    ]
    return Section(
        title,
        text,
        ["family", *(document["titles"][name] for name in names)],
        [
            [family, *(_cell(row["methods"].get(name), cell) for name in names)]
            for family, row in document["families"].items()
        ],
    )


def _cell(summary: Mapping[str, Any] | None, cell: Cell) -> str:
    return "-" if summary is None else cell(summary)


def number(value: float | None) -> str:
    """A count, rounded."""
    return "-" if value is None else f"{value:,.0f}"


def _expansions(summary: Mapping[str, Any]) -> str:
    spread = summary["deviation"]
    return number(summary["expansions"]) + (f" ± {spread:,.0f}" if spread is not None else "")


def _in_sail_unit(summary: Mapping[str, Any]) -> str:
    printed = summary["printed"]
    return f"{summary['in_sail_unit']:.3f}" + (f" ({printed:.3f})" if printed is not None else "")


def _milliseconds(summary: Mapping[str, Any]) -> str:
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
    return f"Trainings by family: {', '.join(found)}."


def _against_phil(document: Document) -> str:
    """Where PHIL is not below every other method, and by how much."""
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
                    f"{number(other['expansions'])}, PHIL {100 * more:.1f} % more"
                )
    return "PHIL expands less than every other method on every family" + (
        f", except: {'; '.join(above)}." if above else "."
    )


def _repeated(document: Document) -> Section:
    names = [name for name in document["titles"] if name != "oracle"]
    rows = []
    for family, row in document["families"].items():
        maps, methods = row["maps"], row["methods"]
        rows.append(
            [
                family,
                f"{len(maps['repeated'])} of {maps['test']}",
                str(methods["astar"]["unreachable"][0]),
                *(number(methods.get(name, {}).get("on_new_maps")) for name in names),
            ]
        )
    return Section(
        "Repeated maps, and maps without a path",
        [
            "The public splits repeat maps: the second column counts test maps that are also train "
            "or validation maps (which ones: in the JSON file), the third those without a path; "
            "then mean expansions on the remaining ones."
        ],
        ["family", "repeated", "no path", *(document["titles"][name] for name in names)],
        rows,
    )


def _trainings(document: Document) -> Section:
    rows = []
    for family, row in document["families"].items():
        for name in LEARNED:
            summary = row["methods"].get(name)
            if summary is not None:
                runs = summary["trainings"]
                rows.append(
                    [
                        family,
                        document["titles"][name],
                        ", ".join(number(run["seconds"]) for run in runs),
                        ", ".join(number(run["validation"]) for run in runs),
                        ", ".join(number(value) for value in summary["by_run"]),
                    ]
                )
    return Section(
        "Trainings",
        [
            "By seed: seconds of one core; mean expansions on the validation maps of what was "
            "kept; mean expansions on the test maps."
        ],
        ["family", "method", "seconds", "validation", "test"],
        rows,
    )
