"""Reports: a self-contained HTML file that compares methods."""

from __future__ import annotations

import base64
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

from phil.arguments import FILE, of_type, takes
from phil.evaluation import MethodScore
from phil.files import write_atomic
from phil.graphs import GridGraph
from phil.search import Outcome, Result
from phil.view.curve import LearningCurve, curve_svg
from phil.view.markup import escape
from phil.view.picture import BLOCKED, GRADIENT, PATH, picture, png

ASTAR_NAMES = ("astar", "astar(euclidean)")
NOTHING = "&ndash;"  # shown for a statistic when no problem was solved


@dataclass(frozen=True)
class Shot:
    """One search to show.

    Parameters
    ----------
    method : str
        The name of its method.
    result : Result
        Its result, run with `trace=True`.
    """

    method: str
    result: Result


@dataclass(frozen=True)
class MapView:
    """Searches of several methods on one 2D map, shown side by side.

    Parameters
    ----------
    name : str
        The heading.
    graph : GridGraph
        The map.
    goal : int
        The goal node.
    shots : sequence of Shot
        The searches.
    """

    name: str
    graph: GridGraph
    goal: int
    shots: Sequence[Shot]


@dataclass(frozen=True)
class Report:
    """The content of a report; empty parts are left out.

    Parameters
    ----------
    title, summary : str
        The heading, and the finding in a sentence or two.
    problems : str
        A sentence on the problems that the scores are over.
    scores : sequence of MethodScore
        What `phil.evaluate` returned.
    focus : str, optional
        The method to emphasise.
    maps : sequence of MapView, optional
        Searches to show as pictures.
    curve : LearningCurve, optional
        How training went.
    facts : mapping of str to str, optional
        How to repeat the run: command, seed and the like.
    """

    title: str
    summary: str
    problems: str
    scores: Sequence[MethodScore]
    focus: str = ""
    maps: Sequence[MapView] = ()
    curve: LearningCurve | None = None
    facts: Mapping[str, str] = field(default_factory=dict)


REPORT = of_type("a Report", Report)


@takes(path=FILE, report=REPORT)
def write_report(path: Path, report: Report) -> None:
    """Write a report as a self-contained HTML file.

    Parameters
    ----------
    path : Path
        The file to write.
    report : Report
        The content of the report.
    """
    write_atomic(Path(path), report_html(report).encode())


@takes(report=REPORT)
def report_html(report: Report) -> str:
    """The HTML page of a report.

    Parameters
    ----------
    report : Report
        What the page shows.

    Returns
    -------
    str
        A page that needs no other file.
    """
    caption = (
        f"{report.problems} An expansion takes one node from the queue and looks at its "
        "neighbours; fewer expansions are better. Calls count how often the neighbours of a node "
        "are computed, for expanding or for looking ahead. Statistics are over the solved problems."
    )
    parts = [
        f'<p class="lead">{escape(report.summary)}</p>',
        f'<h2>Methods</h2>\n<p class="quiet">{escape(caption)}</p>',
        _score_table(report.scores, report.focus),
    ]
    if report.maps:
        parts.append("<h2>What each method expanded</h2>\n" + maps_html(report.maps, report.focus))
    if report.curve and report.curve.validations:
        parts.append(_curve(report.curve))
    return page_html(report.title, parts, report.facts)


def page_html(title: str, parts: Sequence[str], facts: Mapping[str, str]) -> str:
    """A page of its own: title, parts, and how to make it again."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_style()}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join([f"<h1>{escape(title)}</h1>", *parts, _facts({**facts, **versions()})])
        + "\n</main>\n</body>\n</html>\n"
    )


def maps_html(maps: Sequence[MapView], focus: str) -> str:
    """Searches on maps, side by side; the method `focus` is emphasised."""
    return "\n".join([legend_html(f"rgb{BLOCKED}"), *(_map(view, focus) for view in maps)])


def versions() -> dict[str, str]:
    """The versions of the installed packages that results depend on."""
    found = {"Python": platform.python_version()}
    for package in ("phil-search", "numpy", "numba", "torch"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def legend_html(obstacle: str) -> str:
    """The legend of a search's colours and marks; `obstacle` is the CSS colour of obstacles."""
    order = ",".join(f"rgb({r:.0f},{g:.0f},{b:.0f})" for r, g, b in GRADIENT)
    marks = (
        ("order", f"background:linear-gradient(90deg,{order})", "first expanded to last"),
        ("path", f"background:rgb{PATH}", "path found"),
        ("start", f"border:.22rem solid rgb{PATH}", "start"),
        ("goal", f"background:rgb{PATH}", "goal"),
        ("blocked", f"background:{obstacle}", "obstacle"),
    )
    spans = (
        f'<span><i class="{mark}" style="{look}"></i>{text}</span>' for mark, look, text in marks
    )
    return f'<div class="legend">{"".join(spans)}</div>'


def count_text(result: Result) -> str:
    """The expansions and calls of a search, and its outcome if it was not solved."""
    ended = "" if result.solved else f" ({result.outcome})"
    return f"{result.expansions:,} expansions, {result.calls:,} calls{ended}"


def _map(view: MapView, focus: str) -> str:
    figures = "\n".join(_figure(view, shot, shot.method == focus) for shot in view.shots)
    return (
        f'<section><h3>{escape(view.name)}</h3>\n<div class="shots">\n{figures}\n</div></section>'
    )


def _figure(view: MapView, shot: Shot, focus: bool) -> str:
    image = picture(view.graph, shot.result, goal=view.goal)
    source = "data:image/png;base64," + base64.b64encode(png(image)).decode()
    count = count_text(shot.result)
    alt = escape(f"{shot.method} on {view.name}: {count}")
    kind = "focus" if focus else "plain"
    return (
        f'<figure class="{kind}">'
        f'<img src="{source}" width="{image.width}" height="{image.height}" alt="{alt}">'
        f"<figcaption><b>{escape(shot.method)}</b><span>{count}</span></figcaption></figure>"
    )


def _curve(curve: LearningCurve) -> str:
    return (
        '<section class="whole"><h2>Learning</h2>\n<p class="quiet">Mean expansions on the '
        "validation problems at each validation (dots), the best so far (line) and "
        f"{escape(curve.classical_name)} on the same problems (dashed).</p>\n{curve_svg(curve)}"
        "</section>"
    )


def _facts(facts: Mapping[str, str]) -> str:
    rows = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in facts.items()
    )
    return f'<section class="whole"><h2>How this was made</h2>\n<dl>{rows}</dl></section>'


def _style() -> str:
    return (files("phil.view") / "report.css").read_text(encoding="utf-8")


def _score_table(scores: Sequence[MethodScore], focus: str) -> str:
    """The scores of each method, with a bar; the row of the method `focus` is emphasised."""
    means = {score.method: score.expansions.mean for score in scores}
    astar = next((means[name] for name in ASTAR_NAMES if means.get(name)), None)
    longest = max((mean for mean in means.values() if mean), default=1.0)
    limited = any(score.count(Outcome.LIMIT) for score in scores)
    heads = ["method", "expansions, mean", "", "median", "95th percentile"]
    heads += ["of A*"] if astar else []
    heads += ["calls, mean", "solved", "unreachable"]
    heads += ["limit reached"] if limited else []
    heads += ["path cost / least", "milliseconds"]
    rows = [_score_row(score, longest, astar, limited, score.method == focus) for score in scores]
    return "\n".join(
        [
            '<div class="scroll"><table><thead><tr>',
            "".join(f'<th scope="col">{head}</th>' for head in heads),
            "</tr></thead><tbody>",
            *rows,
            "</tbody></table></div>",
        ]
    )


def _score_row(
    score: MethodScore, longest: float, astar: float | None, limited: bool, focus: bool
) -> str:
    expansions = score.expansions
    width = 100 * (expansions.mean or 0) / longest
    cells = [_number(expansions.median), _number(expansions.p95)]
    if astar:
        cells.append(NOTHING if expansions.mean is None else f"{expansions.mean / astar:.1%}")
    cells.append(_number(score.calls.mean))
    cells.append(f"{score.count(Outcome.SOLVED)} of {score.problems}")
    cells.append(str(score.count(Outcome.UNREACHABLE)))
    if limited:
        cells.append(str(score.count(Outcome.LIMIT)))
    ratio = score.cost_ratio.mean
    cells.append(NOTHING if ratio is None else f"{ratio:.3f}")
    cells.append(_number(score.milliseconds.mean))
    kind = "focus" if focus else "plain"
    return (
        f'<tr class="{kind}"><th scope="row">{escape(score.method)}</th>'
        f"<td>{_number(expansions.mean)}</td>"
        f'<td class="bar"><i style="width:{width:.2f}%"></i></td>'
        + "".join(f"<td>{cell}</td>" for cell in cells)
        + "</tr>"
    )


def _number(value: float | None) -> str:
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}"
