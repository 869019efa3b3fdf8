"""The page on the ablations."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean
from typing import Any

from matplotlib.figure import Figure

from phil.problems import SPLITS
from reproduction.ablations.said import SAID
from reproduction.ablations.studies import STUDIES, Study, Variant
from reproduction.ablations.ways import FIGURES
from reproduction.drawing import svg
from reproduction.experiment import Document
from reproduction.markup import NOTHING, Section, percent, whole
from reproduction.page import Picture
from reproduction.scores import MARGINAL, MOST_NEEDED
from reproduction.sections import CALLS, CellWriter, cell, table

TITLE = "Ablations"
REFERENCES = {
    "astar": "A*",
    "astar_manhattan": "A* Manhattan",
    "euclidean": "greedy Euclidean",
    "manhattan": "greedy Manhattan",
    "shortest": "shortest path",
}
LABELS = {
    "ratio_to_astar": "Expansions over those of A*",
    "ratio_to_shortest": "Expansions over the shortest path's",
}

Families = Mapping[str, Mapping[str, Any]]


def parts(document: Document) -> list[Section | Picture]:
    """All there is, each study above its figure."""
    studies = [
        part
        for study in studies_shown(document)
        for part in (study_section(study, document), _figure(study, document["families"]))
    ]
    return [_maps(document), claims(document), *studies, counts(document), trainings(document)]


def studies_shown(document: Document) -> list[Study]:
    """The studies with a line of which at least two variants were run: one alone shows nothing."""
    families = document["families"]

    def run(variant: Variant) -> bool:
        return any(_summary(families, family, variant) is not None for family in families)

    return [
        study
        for study in STUDIES.values()
        if any(sum(map(run, line.values())) > 1 for line in study.lines.values())
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
    if study.name in SAID and (said := SAID[study.name](document["families"])):
        text += [said]
    if study.printed:
        return _by_label(study, text, document["families"])
    return _by_family(study, text, document["families"])


def claims(document: Document) -> Section:
    """Every claim, and whether the trainings bear it out."""
    return table(
        "Do the directions agree?",
        "A claim says that some trainings expand less than others, or as much. The difference is "
        "that of mean expansions, as ratio to A*, averaged over the trainings of a seed; the "
        "spread is the root of the summed squares of both sides' deviations between seeds. A claim "
        "is decided by a 95 % interval of the difference over trainings (normal approximation): "
        "one side expands less where it does not hold zero; two are as good where it lies within "
        f"{100 * MARGINAL:.0f} %, and not where it lies beyond. The last column is how many "
        "trainings of each side it would take to decide, if difference and spread stayed as they "
        "are. In studies that the paper has, the claims are the paper's.",
        {
            "study": "study",
            "claim": "text",
            "on": lambda claim: ", ".join(claim["families"]) or NOTHING,
            "difference": lambda claim: percent(claim["difference"], sign=True),
            "spread": lambda claim: percent(claim["spread"]),
            "holds here": "outcome",
            "trainings to decide": cell("needed", needed),
        },
        (
            {"study": study.title, **claim}
            for study in studies_shown(document)
            for claim in document["claims"][study.name]
        ),
    )


def needed(trainings: int | None) -> str:
    """How many trainings of each side would decide a claim; nothing if it is, or cannot be told.

    >>> needed(7), needed(101), needed(None)
    ('7', 'more than 100', '-')
    """
    if trainings is None:
        return NOTHING
    return str(trainings) if trainings <= MOST_NEEDED else f"more than {MOST_NEEDED}"


def claim_text(claim: Mapping[str, Any]) -> str:
    """A claim, with its family if it is about one alone."""
    families = claim["families"]
    return f"{claim['text']} on {families[0]}" if len(families) == 1 else str(claim["text"])


def counts(document: Document) -> Section:
    """Mean expansions and calls of every variant, and of the methods that learn nothing."""
    families = document["families"]
    references = [
        {
            "study": NOTHING,
            "variant": title,
            "found": [_reference(row["maps"], name) for row in families.values()],
        }
        for name, title in REFERENCES.items()
    ]
    variants = [
        {
            "study": study.title,
            "variant": label if len(study.lines) == 1 else f"{line}, {label}",
            "found": [_summary(families, family, each) for family in families],
        }
        for study in studies_shown(document)
        for line, labels in study.lines.items()
        for label, each in labels.items()
    ]

    def mean_of(key: str, number: int) -> CellWriter:
        return lambda row: whole((row["found"][number] or {}).get(key))

    columns = {
        heading: mean_of(key, number)
        for number, family in enumerate(families)
        for heading, key in ((family, "expansions"), (f"{family}, calls", "calls"))
    }
    return table(
        "Mean expansions and calls",
        CALLS,
        {"study": "study", "variant": "variant", **columns},
        [*references, *variants],
    )


def _reference(maps: Mapping[str, Any], name: str) -> dict[str, float | None]:
    return {key: maps.get(key, {}).get(name) for key in ("expansions", "calls")}


def trainings(document: Document) -> Section:
    """What the trainings took, and what they solve."""
    rows = []
    for family, row in document["families"].items():
        found = [each for name, each in row["variants"].items() if each["training"] == name]
        seconds = [each for summary in found for each in summary["seconds"]]
        solved = [count for summary in found for count in summary["solved"]]
        if seconds:
            of = row["maps"]["solvable"]["test"]
            rows.append({"family": family, "seconds": seconds, "solved": f"{min(solved)} of {of}"})
    return table(
        "Trainings",
        "Hours and seconds are of one core. The last column is the fewest test maps that the "
        "heuristic of any training solved.",
        {
            "family": "family",
            "trainings": cell("seconds", lambda seconds: str(len(seconds))),
            "hours": cell("seconds", lambda seconds: f"{sum(seconds) / 3600:.1f}"),
            "longest, seconds": cell("seconds", lambda seconds: whole(max(seconds))),
            "solved": "solved",
        },
        rows,
    )


def _maps(document: Document) -> Section:
    def in_split(split: str) -> CellWriter:
        return lambda maps: f"{maps['solvable'][split]} ({maps['unsolvable'][split]})"

    def expansions(name: str) -> CellWriter:
        return lambda maps: whole(maps["expansions"][name])

    def shortest_over(name: str) -> CellWriter:
        return lambda maps: f"{maps['expansions']['shortest'] / maps['expansions'][name]:.3f}"

    base = ", ".join(f"`{name}={value}`" for name, value in document["base"].items())
    return table(
        "Maps and base settings",
        [
            f"Made by `{document['command']}`; all numbers are in its file of results. Maps of "
            "201x201 cells are cropped to 200x200 and made 5 times coarser: a cell is free when at "
            "least 13 of its 25 are. 4-connected, bottom-left to top-right; maps without a path "
            "are left out. Expansions are |CLOSE|, start and goal included, on the test maps; all "
            "choices were made on validation maps.",
            "A* is the paper's, by Euclidean distance (appendix C), and breaks ties first in, "
            "first out; no ratio to it can be below that of the shortest path, in the last "
            "columns.",
            f"Base settings; all others are the defaults of the paper's presets: {base}.",
        ],
        {
            "family": "family",
            "set": "set",
            **{f"{split} (no path)": in_split(split) for split in SPLITS},
            "repeated in test": "repeated",
            **{title: expansions(name) for name, title in REFERENCES.items()},
            "of A*": shortest_over("astar"),
            "of A* Manhattan": shortest_over("astar_manhattan"),
        },
        (row["maps"] for row in document["families"].values()),
    )


def _said(claim: Mapping[str, Any]) -> str:
    outcome = str(claim["outcome"])
    if claim["difference"] is None:
        return outcome
    spread = claim["spread"]
    beside = "one training, no spread" if spread is None else f"spread {percent(spread)}"
    if claim["needed"] is not None:
        beside += f", {needed(claim['needed'])} trainings would decide"
    return f"{outcome} ({percent(claim['difference'], sign=True)}, {beside})"


def _summary(families: Families, family: str, variant: Variant) -> Mapping[str, Any] | None:
    """What the trainings of a variant on a family came to; None if there was none."""
    found: Mapping[str, Any] | None = families[family]["variants"].get(variant.name)
    return found


def _at(families: Families, family: str, variant: Variant | None) -> Mapping[str, Any] | None:
    return None if variant is None else _summary(families, family, variant)


def _by_family(study: Study, text: list[str], families: Families) -> Section:
    """A row a family and line, a column a label."""
    rows, beneath = [], []
    for family in families:
        for line, variants in study.lines.items():
            found = [_at(families, family, variants.get(label)) for label in study.labels]
            named = family if len(study.lines) == 1 else f"{family}, {line}"
            rows.append([named, *(_ratio(summary, study) for summary in found)])
            for figure, (title, write) in FIGURES.items():  # those that were measured
                measured = [(summary or {}).get(figure) for summary in found]
                if any(each is not None for each in measured):
                    cells = [NOTHING if each is None else write(mean(each)) for each in measured]
                    beneath.append([f"{named}, {title}", *cells])
    rows += beneath
    return Section(study.title, text, ["family", *study.labels], rows)


def _by_label(study: Study, text: list[str], families: Families) -> Section:
    """As the paper's Table 4: a row a label, a column a family."""
    rows = []
    for label, each in zip(study.labels, study.variants, strict=True):
        cells = [label]
        for family in families:
            value, deviation = study.printed[label][family]
            ours = _ratio(_summary(families, family, each), study)
            cells.append(f"{ours} ({value:.3f} ± {deviation:.4f})")
        rows.append(cells)
    return Section(study.title, text, [study.axis, *families], rows)


def _ratio(summary: Mapping[str, Any] | None, study: Study) -> str:
    if summary is None:
        return NOTHING
    ratio = summary[study.unit]
    digits = 4 if study.unit == "ratio_to_astar" else 3
    spread = ratio["deviation"]
    return f"{ratio['mean']:.3f}" + ("" if spread is None else f" ± {spread:.{digits}f}")


def _figure(study: Study, families: Families) -> Picture:
    """A panel a family, deviations between trainings as error bars."""
    figure = Figure(figsize=(3.8 * len(families), 3.3), layout="constrained")
    panels = figure.subplots(1, len(families), squeeze=False)[0]
    for panel, family in zip(panels, families, strict=True):
        _draw(panel, study, families, family)
    figure.supxlabel(study.axis, fontsize="medium")
    panels[0].set_ylabel(LABELS[study.unit])
    if len(study.lines) > 1:
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    return Picture(study.title, f"{study.name}.svg", svg(figure, "ablations"), heading=False)


def _draw(panel: Any, study: Study, families: Families, family: str) -> None:
    labels = study.labels
    for number, (line, variants) in enumerate(study.lines.items()):
        found = [
            (labels.index(label), summary[study.unit])
            for label, each in variants.items()
            if (summary := _summary(families, family, each)) is not None
        ]
        panel.errorbar(
            # Side by side, so that no error bar hides another.
            [at + 0.08 * (number - (len(study.lines) - 1) / 2) for at, _ in found],
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
