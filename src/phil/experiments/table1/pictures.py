"""The pictures of the report on Table 1: learning curves, and what SaIL and PHIL expand."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from PIL import Image, ImageDraw, ImageFont

from phil.experiments.table1.columns import COLUMNS
from phil.experiments.table1.study import Study, method_of
from phil.graphs import GridGraph
from phil.view.picture import picture
from phil.view.report import MapView, Shot

COMPARED = ("sail", "phil")
SHOWN = ("shifting_gaps", "gaps_and_forest", "mazes", "forest")  # as in the paper
PIXELS = 402  # a side of one picture
MARGIN, LINE = 12, 26


def map_views(study: Study) -> list[MapView]:
    """The searches of SaIL and PHIL on the first test map that has a path, of four families."""
    views = []
    families = [family for family in SHOWN if family in study.families] or study.families[:1]
    for family in families:
        methods = [method_of(study, COLUMNS[name], family, 0) for name in COMPARED]
        for problem in study.problems(family).test:
            results = [method.search(problem, trace=True) for method in methods]
            if results[0].solved:
                break
        assert isinstance(problem.graph, GridGraph)
        shots = [
            Shot(COLUMNS[name].title, result)
            for name, result in zip(COMPARED, results, strict=True)
        ]
        views.append(MapView(family, problem.graph, problem.goal, shots))
    return views


def searches_figure(views: Sequence[MapView]) -> Image.Image:
    """All views in one picture, two families side by side."""
    cells = [(view, shot) for view in views for shot in view.shots]
    across = 2 * len(COMPARED)
    rows = -(-len(cells) // across)
    width, height = PIXELS + MARGIN, PIXELS + MARGIN + LINE
    sheet = Image.new("RGB", (across * width + MARGIN, rows * height + MARGIN), "white")
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(16)
    for k, (view, shot) in enumerate(cells):
        x, y = MARGIN + k % across * width, MARGIN + k // across * height
        text = f"{view.name}, {shot.method}: {shot.result.expansions:,} expansions"
        draw.text((x, y), text, fill="black", font=font)
        drawn = picture(view.graph, shot.result, goal=view.goal)
        sheet.paste(drawn.resize((PIXELS, PIXELS)), (x, y + LINE))
    return sheet


def curves_svg(document: Mapping[str, Any]) -> bytes:
    """The best validation so far while training: a panel a family, a line a training."""
    families = document["families"]
    columns = min(4, max(1, len(families)))
    rows = -(-len(families) // columns)
    figure = Figure(figsize=(3.6 * columns, 2.8 * rows + 0.6), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).flat
    learned = [name for name in document["titles"] if COLUMNS[name].learned]
    for panel, (family, row) in zip(panels, families.items(), strict=False):
        for k, name in enumerate(learned):
            for training in row["methods"].get(name, {}).get("trainings", []):
                if training["curve"]:
                    _line(panel, training["curve"], f"C{k}", document["titles"][name])
        panel.set(title=family, yscale="log", xlabel="share of the training", xlim=(0, 1))
    for panel in list(panels)[len(families) :]:
        panel.set_visible(False)
    named = {line.get_label(): line for panel in figure.axes for line in panel.get_lines()}
    if named:
        handles = list(named.values())
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    figure.supylabel("mean expansions on validation maps, best so far")
    stream = io.BytesIO()
    # Without a date and with a fixed salt the same figures give the same file.
    with matplotlib.rc_context({"svg.hashsalt": "table1"}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()


def _line(panel: Any, curve: Sequence[Sequence[float]], color: str, label: str) -> None:
    last = curve[-1][0]
    best = float("inf")
    xs, ys = [], []
    for at, value in curve:
        best = min(best, value)
        xs.append(at / last)
        ys.append(best)
    panel.step(xs, ys, where="post", color=color, label=label, linewidth=1.2, alpha=0.8)
