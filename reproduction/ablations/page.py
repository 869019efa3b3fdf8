"""The sections of the report on the ablations."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean
from typing import Any

from phil.view.sections import Section
from reproduction.ablations.figures import LABELS
from reproduction.ablations.parts import COST
from reproduction.ablations.studies import STUDIES, Study
from reproduction.ablations.table import Families, summary_of
from reproduction.ablations.verdicts import MARGINAL

Document = Mapping[str, Any]
TITLE = "Ablations"
NOTHING = "-"
ASTARS = ("astar", "astar_manhattan")
SPLITS = ("train", "validation", "test")


def studies_shown(document: Document) -> list[Study]:
    """The studies of which at least two variants were run: one alone shows nothing."""
    families = document["families"]
    return [
        study
        for study in STUDIES.values()
        if sum(
            any(summary_of(families, family, variant) is not None for family in families)
            for variant in study.variants
        )
        > 1
    ]


def first_sections(document: Document) -> list[Section]:
    """What stands before the studies."""
    return [_maps(document), verdicts(document)]


def last_sections(document: Document) -> list[Section]:
    """What stands behind them."""
    return [_trainings(document)]


def study_section(study: Study, document: Document) -> Section:
    """A study: what the paper concludes, whether it holds here, and all figures."""
    text = [f"The paper: {study.papers}"] if study.papers else ["Not in the paper."]
    text += [study.note] if study.note else []
    text += [
        f"{LABELS[study.unit]}: mean over trainings ± deviation between them."
        + (" In brackets what the paper prints." if study.printed else ""),
        _here(document["claims"][study.name]),
    ]
    header, rows = _by_convolution(study, document) if study.printed else _by(study, document)
    return Section(study.title, text, header, rows)


def verdicts(document: Document) -> Section:
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


def _maps(document: Document) -> Section:
    base = ", ".join(f"`{name}={value}`" for name, value in document["base"].items())
    return Section(
        "Maps and base settings",
        [
            f"Made by `{document['command']}`; all figures are in the JSON file beside. Maps of "
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
                row["maps"]["set"],
                *(
                    f"{row['maps']['solvable'][split]} ({row['maps']['unsolvable'][split]})"
                    for split in SPLITS
                ),
                str(row["maps"]["repeated"]),
                *(f"{value:,.0f}" for value in row["maps"]["expansions"].values()),
                *_limits(row["maps"]["expansions"]),
            ]
            for family, row in document["families"].items()
        ],
    )


def _limits(expansions: Mapping[str, float]) -> list[str]:
    """The least ratio to either A* that there can be."""
    return [f"{expansions['shortest'] / expansions[name]:.3f}" for name in ASTARS]


def _here(claims: list[Mapping[str, Any]]) -> str:
    """The verdicts on a study's claims as a sentence."""
    return "Here: " + "; ".join(f"{claim_text(claim)}: {_said(claim)}" for claim in claims) + "."


def claim_text(claim: Mapping[str, Any]) -> str:
    """A claim, with its family if it is on one alone."""
    families = claim["families"]
    return f"{claim['text']} on {families[0]}" if len(families) == 1 else str(claim["text"])


def _said(claim: Mapping[str, Any]) -> str:
    outcome = str(claim["outcome"])
    if claim["difference"] is None:
        return outcome
    spread = claim["spread"]
    beside = "one training, no spread" if spread is None else f"spread {_percent(spread)}"
    return f"{outcome} ({_percent(claim['difference'], sign=True)}, {beside})"


def _by(study: Study, document: Document) -> tuple[list[str], list[list[str]]]:
    """A row a family and line, a column a point."""
    labels = list(dict.fromkeys(point.label for point in study.points))
    lines = list(dict.fromkeys(point.line for point in study.points))
    families = document["families"]
    rows = []
    for family in families:
        for line in lines:
            at = {point.label: point.variant for point in study.points if point.line == line}
            rows.append(
                [
                    family if len(lines) == 1 else f"{family}, {line}",
                    *(_ratio(summary_of(families, family, at[label]), study) for label in labels),
                ]
            )
    return ["family", *labels], rows + _evaluations(study, families)


def _evaluations(study: Study, families: Families) -> list[list[str]]:
    """What the points of a study cost, where they were counted: a row a family."""
    rows = []
    for family in families:
        found = [summary_of(families, family, point.variant) for point in study.points]
        counts = [(summary or {}).get(COST) for summary in found]
        if any(counts):
            cells = [f"{mean(each):.2f}" if each else NOTHING for each in counts]
            rows.append([f"{family}, evaluations per expansion", *cells])
    return rows


def _by_convolution(study: Study, document: Document) -> tuple[list[str], list[list[str]]]:
    """As the paper's Table 4: a row a point, a column a family."""
    families = document["families"]
    rows = []
    for point in study.points:
        cells = [point.label]
        for family in families:
            mean, deviation = study.printed[point.label][family]
            ours = _ratio(summary_of(families, family, point.variant), study)
            cells.append(f"{ours} ({mean:.3f} ± {deviation:.4f})")
        rows.append(cells)
    return [study.axis, *families], rows


def _ratio(summary: Mapping[str, Any] | None, study: Study) -> str:
    if summary is None:
        return NOTHING
    ratio = summary[study.unit]
    digits = 4 if study.unit == "ratio_to_astar" else 3
    spread = ratio["deviation"]
    beside = "" if spread is None else f" ± {spread:.{digits}f}"
    return f"{ratio['mean']:.3f}{beside}"


def _percent(value: float | None, *, sign: bool = False) -> str:
    if value is None:
        return NOTHING
    return f"{100 * value:{'+' if sign else ''}.1f} %"


def _trainings(document: Document) -> Section:
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
