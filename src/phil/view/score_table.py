"""The table of methods in a report: what each cost, with a bar for the eye."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from phil.evaluation import MethodScore
from phil.search import Outcome

ASTAR_NAMES = ("astar", "astar(euclidean)")
NOTHING = "&ndash;"  # a statistic of no solved problem


def score_table(scores: Sequence[MethodScore], focus: str) -> str:
    """The HTML of the table; the row of the method `focus` stands out."""
    means = {score.method: score.expansions.mean for score in scores}
    astar = next((means[name] for name in ASTAR_NAMES if means.get(name)), None)
    longest = max((mean for mean in means.values() if mean), default=1.0)
    limited = any(score.count(Outcome.LIMIT) for score in scores)
    heads = ["method", "expansions, mean", "", "median", "95th percentile"]
    heads += ["of A*"] if astar else []
    heads += ["solved", "unreachable"]
    heads += ["limit reached"] if limited else []
    heads += ["path cost / least", "milliseconds"]
    rows = [_row(score, longest, astar, limited, score.method == focus) for score in scores]
    return "\n".join(
        [
            '<div class="scroll"><table><thead><tr>',
            "".join(f'<th scope="col">{head}</th>' for head in heads),
            "</tr></thead><tbody>",
            *rows,
            "</tbody></table></div>",
        ]
    )


def _row(
    score: MethodScore, longest: float, astar: float | None, limited: bool, focus: bool
) -> str:
    expansions = score.expansions
    width = 100 * (expansions.mean or 0) / longest
    cells = [_number(expansions.median), _number(expansions.p95)]
    if astar:
        cells.append(NOTHING if expansions.mean is None else f"{expansions.mean / astar:.1%}")
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
