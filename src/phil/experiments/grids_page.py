"""The results on the grid families as a Markdown page."""

from __future__ import annotations

from typing import Any

DEPTH_CONTROL = "euclidean - 0.8 depth"
COLUMNS = {
    "phil (best)": "PHIL best",
    "phil (paper)": "PHIL paper",
    "astar": "A*",
    "euclidean": "greedy Euclidean",
    "manhattan": "greedy Manhattan",
    "bfs": "BFS",
    DEPTH_CONTROL: "Euclidean - 0.8 depth",
    "oracle": "shortest path",
}


def markdown(results: dict[str, Any]) -> str:
    """The table as a page."""
    lines = [
        "# Grid families",
        "",
        "Mean expansions (|CLOSE|, start and goal included) over the solvable public test maps; "
        "PHIL: mean over training seeds ± deviation between them. Written by "
        "`make bench-grids`; the figures behind it are in `benchmarks/results/grids.json`. "
        "The last column is what the paper prints for PHIL, in expansions. It does not say the "
        "unit: (a) reads it as a ratio to A*, (b) as (expansions - 200) / 4800, which on "
        "gaps_and_forest would be below the shortest path.",
        "",
        "| family | " + " | ".join(COLUMNS.values()) + " | the paper's PHIL: (a), (b) |",
        "|---" * (len(COLUMNS) + 2) + "|",
    ]
    for family, row in results["families"].items():
        cells = [_cell(row["methods"].get(name)) for name in COLUMNS]
        lines.append(f"| {family} | " + " | ".join(cells) + f" | {_paper(row['paper'])} |")
    lines += [
        "",
        "## Repeated and unsolvable maps",
        "",
        "The public splits repeat maps. The second column counts test maps that are also train or "
        "validation maps; the others give the means on the remaining test maps.",
        "",
        "| family | repeated | no path | PHIL best | PHIL paper | A* | greedy Euclidean |",
        "|---|---|---|---|---|---|---|",
    ]
    for family, row in results["families"].items():
        cells = [
            _number(row["methods"].get(name, {}).get("on_new_maps"))
            for name in ("phil (best)", "phil (paper)", "astar", "euclidean")
        ]
        lines.append(
            f"| {family} | {row['repeated']} of {row['test_maps']} | "
            f"{row['test_maps'] - row['solvable']} | " + " | ".join(cells) + " |"
        )
    lines += [
        "",
        "## Path cost and seconds of training",
        "",
        "| family | cost over optimal: PHIL best | greedy Euclidean | validation, by seed | "
        "test, by seed | training seconds, by seed |",
        "|---|---|---|---|---|---|",
    ]
    for family, row in results["families"].items():
        best = row["methods"].get("phil (best)")
        if best:
            seeds = best["seeds"].values()
            lines.append(
                f"| {family} | {best['cost_ratio']:.3f} | "
                f"{row['methods']['euclidean']['cost_ratio']:.3f} | "
                + " | ".join(
                    ", ".join(_number(seed[key]) for seed in seeds)
                    for key in ("validation", "test", "training_seconds")
                )
                + " |"
            )
    return "\n".join(lines) + "\n"


def _paper(row: dict[str, float]) -> str:
    return f"{row['as_ratio_to_astar']:,.0f}, {row['as_sail_unit']:,.0f}"


def _cell(summary: dict[str, Any] | None) -> str:
    if summary is None:
        return "-"
    spread = summary["deviation"]
    return _number(summary["expansions"]) + (f" ± {spread:,.0f}" if spread is not None else "")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"
