"""The sections and pictures of the page on Table 1."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from phil.errors import InputError
from phil.view.picture import picture, png
from phil.view.report import MapView, Shot, maps_html
from reproduction.drawing import sheet
from reproduction.experiment import Document, Request
from reproduction.grid import Grid, Trial
from reproduction.markup import Section, short, table_markdown, whole, with_spread
from reproduction.methods import COUNTED
from reproduction.page import Picture
from reproduction.sections import CellWriter, MethodTable, Summary, cell, learning_curves, table
from reproduction.table1.methods import METHODS, OF_PHIL

IN_README = (
    *("phil", "phil_imitation", "phil_paper", "phil_printed"),
    *("sail", "supervised", "cem", "q_learning", "neural_astar"),
    *("bfws", "mha", "euclidean", "astar", "oracle"),
)
TITLE = "Table 1: the grid families"
COMPARED = ("sail", "phil")
SHOWN = ("shifting_gaps", "gaps_and_forest", "mazes", "forest")  # as in the paper
PIXELS = 402  # a side of one picture


def sections(document: Document) -> list[Section]:
    """All of the page but its pictures."""
    methods = _methods(document)
    return [
        expansions(document),
        methods.calls(whole),
        methods.section(
            "In SaIL's unit, beside the paper",
            "(expansions - 200) / 4800, at most 1; in brackets what the paper prints. Its columns "
            "SaIL, SL, CEM, QL, Euclidean, Manhattan and A* are copied from SaIL's paper and are "
            "in this unit. PHIL's own cannot be: 0.039 on gaps_and_forest would be 387 expansions, "
            "fewer than the shortest path has nodes; as ratios to A*, as in the paper's appendix "
            "D, all its values are possible.",
            _in_sail_unit,
        ),
        methods.section(
            "Path cost over the least cost",
            "Mean over the maps that have a path. Of learned methods, these are paths by parents; "
            "those that they return are cheaper, as the page on paths shows.",
            cell("cost_ratio", lambda ratio: f"{ratio:.3f}"),
        ),
        methods.section(
            "Milliseconds per search",
            "Mean over the first 20 test maps, one search after the other on an otherwise idle "
            "machine. MHA* and BFWS are called from Python once per expansion; Neural A* first "
            "runs its network over the whole map.",
            cell("milliseconds", short),
        ),
        _repeated(document),
        methods.trainings(),
    ]


def expansions(document: Document) -> Section:
    """Mean expansions: the table itself."""
    return _methods(document).section(
        "Mean expansions",
        [
            f"Made by `{document['command']}`; all numbers are in its file of results. Public "
            "test maps, bottom-left to top-right, 8-connected, corners may be cut, diagonal moves "
            "cost √2. Expansions are |CLOSE|, start and goal included; means are over the maps "
            "that have a path; for learned methods, the mean over trainings ± their standard "
            "deviation. Neural A* is trained on scaled-down maps and searches at full size. "
            + COUNTED,
            _trained(document),
            _budgets(document),
            _against_phil(document),
        ],
        _expansions,
    )


def readme_table(document: Document) -> str:
    """Mean expansions of the methods that the documentation shows."""
    titles = {name: document["titles"][name] for name in IN_README}
    return table_markdown(_methods({**document, "titles": titles}).section("", "", _expansions))


def curves(document: Document) -> Picture:
    """The learning curves of all trainings."""
    panels = {family: row["methods"] for family, row in document["families"].items()}
    return learning_curves("table1", document["titles"], panels)


def _methods(document: Document) -> MethodTable:
    rows = [([family], row["methods"]) for family, row in document["families"].items()]
    return MethodTable(["family"], document["titles"], rows)


def _expansions(summary: Summary) -> str:
    return with_spread(summary["expansions"], summary["deviation"], whole)


def _in_sail_unit(summary: Summary) -> str:
    printed = summary["printed"]
    return f"{summary['in_sail_unit']:.3f}" + (f" ({printed:.3f})" if printed is not None else "")


def _trained(document: Document) -> str:
    """How many trainings stand behind each learned method."""
    found = []
    for name in (spec.name for spec in METHODS.values() if spec.learned):
        counts = {
            len(row["methods"][name]["trainings"])
            for row in document["families"].values()
            if name in row["methods"]
        }
        if counts:
            few, most = min(counts), max(counts)
            found.append(f"{document['titles'][name]} {few if few == most else f'{few} to {most}'}")
    return f"Trainings per family: {', '.join(found)}."


def _budgets(document: Document) -> str:
    """What a training of each learned method takes."""
    found = []
    for name in (spec.name for spec in METHODS.values() if spec.learned):
        seconds = [
            training["seconds"]
            for row in document["families"].values()
            for training in row["methods"].get(name, {}).get("trainings", ())
        ]
        if seconds:
            found.append(f"{document['titles'][name]} {whole(mean(seconds))}")
    return f"Mean seconds of one core per training: {', '.join(found)}."


def _against_phil(document: Document) -> str:
    """Where PHIL does not expand less than every other method, and by how much."""
    above = [
        f"on {family} {document['titles'][name]} expands {whole(other['expansions'])}, "
        f"PHIL {100 * (phil['expansions'] / other['expansions'] - 1):.1f} % more"
        for family, row in document["families"].items()
        if (phil := row["methods"].get("phil")) is not None
        for name, other in row["methods"].items()
        if name not in (*OF_PHIL, "oracle") and other["expansions"] <= phil["expansions"]
    ]
    return "PHIL expands less than every other method on every family" + (
        f", except: {'; '.join(above)}." if above else "."
    )


def _repeated(document: Document) -> Section:
    def on_new_maps(name: str) -> CellWriter:
        return lambda row: whole(row["methods"].get(name, {}).get("on_new_maps"))

    return table(
        "Repeated maps, and maps without a path",
        "The public splits repeat maps: *repeated* counts the test maps that are also training or "
        "validation maps (the file of results names them), *no path* those without a path. The "
        "other columns show the mean expansions on the remaining maps.",
        {
            "family": "family",
            "repeated": lambda row: f"{len(row['maps']['repeated'])} of {row['maps']['test']}",
            "no path": lambda row: str(row["methods"]["astar"]["unreachable"][0]),
            **{
                title: on_new_maps(name)
                for name, title in document["titles"].items()
                if name != "oracle"
            },
        },
        ({"family": family, **row} for family, row in document["families"].items()),
    )


def searches_picture(table: Grid, request: Request) -> Picture:
    """The searches side by side; drawn where the maps and the trained heuristics are."""
    title, file = "What SaIL and PHIL expand", "searches.png"
    families = [family for family in SHOWN if family in table.rows(request)]
    families = families or [*table.rows(request)[:1]]
    trials = [Trial(family, name) for family in families for name in COMPARED]
    if not all(table.heuristic(request, trial).exists() for trial in trials):
        return Picture(title, file, None)
    try:
        views = [map_view(table, request, family) for family in families]
    except InputError:  # no maps here
        return Picture(title, file, None)
    # On a phone, maps of their own stand below each other.
    view = maps_html(views, table.methods["phil"].title)
    return Picture(title, file, searches_png(views), view)


def map_view(table: Grid, request: Request, family: str, split: str = "test") -> MapView:
    """The searches of SaIL and PHIL on the first map of a family that has a path."""
    solvers = [table.solver(request, Trial(family, name)) for name in COMPARED]
    for problem in table.problems(request, family).split(split):
        results = [solver.search(problem, trace=True) for solver in solvers]
        if results[0].solved:
            break
    assert problem.graph.is_grid
    shots = [
        Shot(table.methods[name].title, result)
        for name, result in zip(COMPARED, results, strict=True)
    ]
    return MapView(family, problem.graph, problem.goal, shots)


def searches_png(views: Sequence[MapView]) -> bytes:
    """All views in one picture, two families side by side."""
    cells = [
        (
            f"{view.name}, {shot.method}: {shot.result.expansions:,} expansions",
            picture(view.graph, shot.result, goal=view.goal).resize((PIXELS, PIXELS)),
        )
        for view in views
        for shot in view.shots
    ]
    return png(sheet(cells, across=2 * len(COMPARED)))
