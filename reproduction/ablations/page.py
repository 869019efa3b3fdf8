"""The page on the ablations."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean
from typing import Any

from matplotlib.figure import Figure

from phil.problems import SPLITS
from reproduction.ablations.judge import MARGINAL
from reproduction.ablations.studies import STUDIES, Study
from reproduction.ablations.variants import Variant
from reproduction.drawing import svg
from reproduction.experiment import Document
from reproduction.markup import Section
from reproduction.numbers import NOTHING
from reproduction.page import Picture

TITLE = "Ablations"
ASTARS = ("astar", "astar_manhattan")
COST = "evaluations_per_expansion"  # of tests that compute values anew
LABELS = {
    "ratio_to_astar": "Expansions over those of A*",
    "ratio_to_shortest": "Expansions over the shortest path's",
}

Families = Mapping[str, Mapping[str, Any]]
Table = tuple[list[str], list[list[str]]]


def parts(document: Document) -> list[Section | Picture]:
    """All there is, each study above its figure."""
    studies = [
        part
        for study in studies_shown(document)
        for part in (study_section(study, document), _figure(study, document["families"]))
    ]
    return [_maps(document), claims(document), *studies, trainings(document)]


def studies_shown(document: Document) -> list[Study]:
    """The studies of which at least two variants were run: one alone shows nothing."""
    families = document["families"]
    return [
        study
        for study in STUDIES.values()
        if sum(
            any(_summary(families, family, variant) is not None for family in families)
            for variant in study.variants
        )
        > 1
    ]


def study_section(study: Study, document: Document) -> Section:
    """A study: what the paper concludes, whether it holds here, and all figures."""
    text = [f"The paper: {study.papers}"] if study.papers else ["Not in the paper."]
    text += [study.note] if study.note else []
    found = "; ".join(
        f"{claim_text(claim)}: {_said(claim)}" for claim in document["claims"][study.name]
    )
    text += [
        f"{LABELS[study.unit]}: mean over trainings ± standard deviation between them."
        + (" In brackets what the paper prints." if study.printed else ""),
        f"Here: {found}.",
    ]
    table = _by_convolution if study.printed else _by_family
    return Section(study.title, text, *table(study, document["families"]))


def claims(document: Document) -> Section:
    """Every claim, and whether the trainings bear it out."""
    return Section(
        "Do the directions agree?",
        [
            "A claim says that some trainings expand less than others, or as much. The difference "
            "is of mean expansions, as ratio to A*, averaged over the trainings of a seed; the "
            "spread is the root of the summed squares of both sides' deviations between seeds. A "
            "difference within the spread decides nothing; those said to be as good are so where "
            f"difference and spread are at most {100 * MARGINAL:.0f} %. Claims of studies that the "
            "paper has are the paper's.",
        ],
        ["study", "claim", "on", "difference", "spread", "holds here"],
        [
            [
                study.title,
                claim["text"],
                ", ".join(claim["families"]) or NOTHING,
                _percent(claim["difference"], sign=True),
                _percent(claim["spread"]),
                claim["outcome"],
            ]
            for study in studies_shown(document)
            for claim in document["claims"][study.name]
        ],
    )


def claim_text(claim: Mapping[str, Any]) -> str:
    """A claim, with its family if it is about one alone."""
    families = claim["families"]
    return f"{claim['text']} on {families[0]}" if len(families) == 1 else str(claim["text"])


def trainings(document: Document) -> Section:
    """What the trainings took, and what they solve."""
    rows = []
    for family, row in document["families"].items():
        found = [each for name, each in row["variants"].items() if each["training"] == name]
        seconds = [each for summary in found for each in summary["seconds"]]
        solved = [count for summary in found for count in summary["solved"]]
        if seconds:
            rows.append(
                [
                    family,
                    str(len(seconds)),
                    f"{sum(seconds) / 3600:.1f}",
                    f"{max(seconds):,.0f}",
                    f"{min(solved)} of {row['maps']['solvable']['test']}",
                ]
            )
    return Section(
        "Trainings",
        [
            "Hours and seconds are of one core. The last column is the fewest test maps that a "
            "training's heuristic solved."
        ],
        ["family", "trainings", "hours", "longest, seconds", "solved"],
        rows,
    )


def _maps(document: Document) -> Section:
    base = ", ".join(f"`{name}={value}`" for name, value in document["base"].items())
    return Section(
        "Maps and base settings",
        [
            f"Made by `{document['command']}`; all numbers are in its file of results. Maps of "
            "201x201 cells are cropped to 200x200 and made 5 times coarser: a cell is free when at "
            "least 13 of its 25 are. 4-connected, bottom-left to top-right; maps without a path "
            "are left out. Expansions are |CLOSE|, start and goal included, on the test maps; what "
            "was chosen was chosen on validation maps.",
            "A* is the paper's, by Euclidean distance (appendix C); no ratio to it can be below "
            "that of the shortest path, in the last columns.",
            f"Base settings, on top of the preset `paper`: {base}.",
        ],
        [
            "family",
            "set",
            *(f"{split} (no path)" for split in SPLITS),
            "repeated in test",
            "A*",
            "A* Manhattan",
            "greedy Euclidean",
            "greedy Manhattan",
            "shortest path",
            "of A*",
            "of A* Manhattan",
        ],
        [
            [
                family,
                maps["set"],
                *(f"{maps['solvable'][split]} ({maps['unsolvable'][split]})" for split in SPLITS),
                str(maps["repeated"]),
                *(f"{value:,.0f}" for value in maps["expansions"].values()),
                *(
                    f"{maps['expansions']['shortest'] / maps['expansions'][name]:.3f}"
                    for name in ASTARS
                ),
            ]
            for family, row in document["families"].items()
            for maps in [row["maps"]]
        ],
    )


def _said(claim: Mapping[str, Any]) -> str:
    outcome = str(claim["outcome"])
    if claim["difference"] is None:
        return outcome
    spread = claim["spread"]
    beside = "one training, no spread" if spread is None else f"spread {_percent(spread)}"
    return f"{outcome} ({_percent(claim['difference'], sign=True)}, {beside})"


def _summary(families: Families, family: str, variant: Variant) -> Mapping[str, Any] | None:
    """What the trainings of a variant on a family came to; None if there was none."""
    found: Mapping[str, Any] | None = families[family]["variants"].get(variant.name)
    return found


def _by_family(study: Study, families: Families) -> Table:
    """A row a family and line, a column a point."""
    labels, lines = _labels(study), _lines(study)
    rows = []
    for family in families:
        for line in lines:
            at = {point.label: point.variant for point in study.points if point.line == line}
            rows.append(
                [
                    family if len(lines) == 1 else f"{family}, {line}",
                    *(_ratio(_summary(families, family, at[label]), study) for label in labels),
                ]
            )
    for family in families:  # what the points cost, where that was counted
        found = [_summary(families, family, point.variant) for point in study.points]
        counts = [(summary or {}).get(COST) for summary in found]
        if any(counts):
            cells = [f"{mean(each):.2f}" if each else NOTHING for each in counts]
            rows.append([f"{family}, evaluations per expansion", *cells])
    return ["family", *labels], rows


def _by_convolution(study: Study, families: Families) -> Table:
    """As the paper's Table 4: a row a point, a column a family."""
    rows = []
    for point in study.points:
        cells = [point.label]
        for family in families:
            value, deviation = study.printed[point.label][family]
            ours = _ratio(_summary(families, family, point.variant), study)
            cells.append(f"{ours} ({value:.3f} ± {deviation:.4f})")
        rows.append(cells)
    return [study.axis, *families], rows


def _labels(study: Study) -> list[str]:
    return list(dict.fromkeys(point.label for point in study.points))


def _lines(study: Study) -> list[str]:
    return list(dict.fromkeys(point.line for point in study.points))


def _ratio(summary: Mapping[str, Any] | None, study: Study) -> str:
    if summary is None:
        return NOTHING
    ratio = summary[study.unit]
    digits = 4 if study.unit == "ratio_to_astar" else 3
    spread = ratio["deviation"]
    return f"{ratio['mean']:.3f}" + ("" if spread is None else f" ± {spread:.{digits}f}")


def _percent(value: float | None, *, sign: bool = False) -> str:
    if value is None:
        return NOTHING
    return f"{100 * value:{'+' if sign else ''}.1f} %"


def _figure(study: Study, families: Families) -> Picture:
    """A panel a family, deviations between trainings as error bars."""
    figure = Figure(figsize=(3.8 * len(families), 3.3), layout="constrained")
    panels = figure.subplots(1, len(families), squeeze=False)[0]
    for panel, family in zip(panels, families, strict=True):
        _draw(panel, study, families, family)
    figure.supxlabel(study.axis, fontsize="medium")
    panels[0].set_ylabel(LABELS[study.unit])
    if len(_lines(study)) > 1:
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    return Picture(study.title, f"{study.name}.svg", svg(figure, "ablations"), heading=False)


def _draw(panel: Any, study: Study, families: Families, family: str) -> None:
    labels, lines = _labels(study), _lines(study)
    for number, line in enumerate(lines):
        found = [
            (labels.index(point.label), summary[study.unit])
            for point in study.points
            if point.line == line
            and (summary := _summary(families, family, point.variant)) is not None
        ]
        panel.errorbar(
            # Side by side, so that no error bar hides another.
            [at + 0.08 * (number - (len(lines) - 1) / 2) for at, _ in found],
            [ratio["mean"] for _, ratio in found],
            yerr=[ratio["deviation"] or 0.0 for _, ratio in found],
            label=line,
            marker="o",
            markersize=4,
            capsize=3,
            linewidth=1.3,
        )
    turned = max(map(len, labels)) > 5
    panel.set_xticks(range(len(labels)), labels, rotation=20 if turned else 0)
    if turned:
        panel.tick_params(axis="x", labelsize="small")
    panel.set(title=family)
    panel.grid(axis="y", alpha=0.3)
