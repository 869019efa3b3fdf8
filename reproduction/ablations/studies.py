"""The ablations: those of the paper's appendix D, and those that its readers ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from reproduction.ablations.fringe import FRINGES
from reproduction.ablations.variants import Variant, variant

HARD = "gaps_and_forest"
EASY = ("forest", "alternating_gaps")
FAMILIES = (HARD, *EASY)
Unit = Literal["ratio_to_shortest", "ratio_to_astar"]


@dataclass(frozen=True)
class Point:
    """One place on a study's axis, in one of its lines."""

    label: str
    variant: Variant
    line: str = "PHIL"


@dataclass(frozen=True)
class Claim:
    """Some variants expand less than others; or as much, if they are `alike`."""

    text: str
    fewer: tuple[Variant, ...]
    more: tuple[Variant, ...]
    families: tuple[str, ...] = FAMILIES
    alike: bool = False


@dataclass(frozen=True)
class Study:
    """A series of trainings that differ in one thing."""

    name: str
    title: str
    axis: str
    points: Sequence[Point]
    claims: Sequence[Claim]
    papers: str = ""  # what the paper concludes; empty where it has no such study
    papers_families: tuple[str, ...] = FAMILIES
    note: str = ""
    unit: Unit = "ratio_to_shortest"
    # In the paper: mean and deviation of the ratio to A*, by label and family.
    printed: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)

    @property
    def variants(self) -> tuple[Variant, ...]:
        """All its trainings, each once."""
        return tuple(dict.fromkeys(point.variant for point in self.points))


def _claim(text: str, fewer: Variant, more: Variant, *families: str, alike: bool = False) -> Claim:
    return Claim(text, (fewer,), (more,), families or FAMILIES, alike)


def _per_family(*claims: Claim) -> list[Claim]:
    """The claims on every family alone: pooled, the hard one would decide them all."""
    return [replace(claim, families=(family,)) for family in FAMILIES for claim in claims]


def _start(start: str, time: str) -> Variant:
    return variant(memory_start=start, rollout=TIMES[time])


# No backpropagation through time still learns from one expansion.
TIMES = {"0": 1, "8": 8, "16": 16, "32": 32, "64": 64}
_MEMORY_START = Study(
    "memory_start",
    "Memory at the start of a trajectory",
    "t_tau: steps of backpropagation through time",
    [
        Point(time, _start(start, time), title)
        for start, title in (("zero", "zeroed"), ("rolled", "rolled in"))
        for time in TIMES
    ],
    [
        _claim(
            "zeroed: 16 steps expand less than 0", _start("zero", "16"), _start("zero", "0"), HARD
        ),
        _claim(
            "rolled in: 16 steps expand less than 0",
            _start("rolled", "16"),
            _start("rolled", "0"),
            HARD,
        ),
        _claim(
            "0 steps: rolled in expands less than zeroed",
            _start("rolled", "0"),
            _start("zero", "0"),
            HARD,
        ),
        _claim(
            "zeroed: 64 steps are as good as 16",
            _start("zero", "64"),
            _start("zero", "16"),
            HARD,
            alike=True,
        ),
        _claim(
            "64 steps: zeroed expands less than rolled in",
            _start("zero", "64"),
            _start("rolled", "64"),
            HARD,
        ),
    ],
    papers="On gaps_and_forest both gain from more steps up to about 16; with few steps a "
    "rolled-in memory is better, by about 3 % at 0; beyond 16 the zeroed one stays as good, while "
    "the rolled-in one gets worse. The paper ran this on gaps_and_forest alone.",
    papers_families=(HARD,),
    note="t_tau = 0 is no backpropagation through time: a trajectory is one expansion, whose "
    "values are learned from the memory before it (`rollout=1`).",
)


def _convolutions(*names: str) -> tuple[Variant, ...]:
    return tuple(variant(convolution=name) for name in names)


def _printed(*values: tuple[float, float]) -> dict[str, tuple[float, float]]:
    return dict(zip(("alternating_gaps", "forest", HARD), values, strict=True))


CONVOLUTIONS = {
    "GAT": "gat",
    "MPNN max": "max",
    "MPNN sum": "sum",
    "DeeperGCN softmax": "softmax",
    "DeeperGCN power": "power",
}
_CONVOLUTION = Study(
    "convolution",
    "Convolution (Table 4)",
    "convolution",
    [Point(title, variant(convolution=name)) for title, name in CONVOLUTIONS.items()],
    [
        Claim(
            "maximising ones (MPNN max, DeeperGCN softmax) expand less than MPNN sum and DeeperGCN "
            "power",
            _convolutions("max", "softmax"),
            _convolutions("sum", "power"),
        ),
        *(
            Claim(
                f"GAT expands less than {title}",
                _convolutions("gat"),
                _convolutions(name),
                (HARD,),
            )
            for title, name in CONVOLUTIONS.items()
            if name != "gat"
        ),
    ],
    papers="Aggregation by a maximum (MPNN max, DeeperGCN softmax) expands 1.57 % less than MPNN "
    "sum and DeeperGCN power on average (by its table 1.6 points of the ratio to A*, "
    "or 14 %); on gaps_and_forest attention (GAT) is best.",
    unit="ratio_to_astar",
    printed={
        "GAT": _printed((0.077, 0.0110), (0.065, 0.0013), (0.154, 0.0112)),
        "MPNN max": _printed((0.071, 0.0834), (0.064, 0.0004), (0.158, 0.0143)),
        "MPNN sum": _printed((0.095, 0.0487), (0.07, 0.0085), (0.187, 0.0135)),
        "DeeperGCN softmax": _printed((0.069, 0.0008), (0.064, 0.0030), (0.164, 0.0113)),
        "DeeperGCN power": _printed((0.076, 0.0027), (0.07, 0.0101), (0.19, 0.0037)),
    },
)

_NEIGHBOURHOOD = Study(
    "neighbourhood",
    "Neighbourhood",
    "n: neighbours of a node that the convolution sees",
    [Point(str(count), variant(neighbors=count)) for count in (0, 1, 2, 4)],
    _per_family(
        _claim("n = 2 expands less than n = 0", variant(neighbors=2), variant(neighbors=0)),
        _claim("n = 4 is as good as n = 2", variant(neighbors=4), variant(neighbors=2), alike=True),
    ),
    papers="On all three sets PHIL improves with n up to 2, then it stays as good.",
)

_MEMORY_SIZE = Study(
    "memory_size",
    "Size of the memory",
    "d: numbers in the memory",
    [Point(str(size), variant(memory=size)) for size in (1, 16, 32, 64, 128, 256)],
    [
        _claim("d = 32 expands less than d = 1", variant(memory=32), variant(memory=1), HARD),
        _claim("d = 32 expands less than d = 256", variant(memory=32), variant(memory=256), HARD),
        *(
            _claim(
                "d = 32 is as good as d = 1",
                variant(memory=32),
                variant(memory=1),
                family,
                alike=True,
            )
            for family in EASY
        ),
    ],
    papers="On gaps_and_forest PHIL improves up to d = 32, by about 40 % over d = 1, and gets "
    "worse beyond; on the two simpler sets the differences are marginal.",
    note="d is also what a node's embedding is squeezed into before its value is read, so that "
    "d = 1 is a narrow network, and not only a small memory.",
)

_NO_MEMORY = Study(
    "no_memory",
    "No memory at all",
    "memory",
    [Point("with", variant()), Point("without", variant(remember=False))],
    _per_family(
        _claim("with a memory PHIL expands less than without", variant(), variant(remember=False))
    ),
    note="Without, the memory is zero before every expansion, in training and in the search. The "
    "paper holds that memory helps, but never takes it away.",
)


def _loss(ranking: float, *, remember: bool) -> Variant:
    changes: dict[str, Any] = {"rollout": 0, "ranking": ranking}
    return variant(**changes) if remember else variant(**changes, remember=False)


_LOSS = Study(
    "loss",
    "Loss",
    "loss",
    [
        Point(title, _loss(ranking, remember=remember), line)
        for line, remember in (("with memory", True), ("without memory", False))
        for title, ranking in (("value", 0.0), ("value and ranking", 1.0))
    ],
    [
        _claim(
            f"{line} memory: ranking expands less than values alone",
            _loss(1.0, remember=remember),
            _loss(0.0, remember=remember),
            HARD,
        )
        for line, remember in (("with", True), ("without", False))
    ],
    note="The paper learns values alone. The ranking loss is over the open nodes, so whole "
    "roll-outs are kept here (`rollout=0`, windows of 32 steps), for the loss of values too.",
)

_ORACLE_SHARE = Study(
    "oracle_share",
    "Share of the oracle",
    "beta_0: share of the oracle in roll-outs, to the power of the iteration",
    [Point(str(share), variant(beta=share)) for share in (0.0, 0.3, 0.7, 0.9, 1.0)],
    _per_family(
        _claim(
            "a mixture (0.7) expands less than no oracle (0)", variant(beta=0.7), variant(beta=0.0)
        ),
        _claim(
            "a mixture (0.7) expands less than the oracle alone (1)",
            variant(beta=0.7),
            variant(beta=1.0),
        ),
    ),
    note="0 rolls out by the learner alone, 1 by the oracle alone after the roll-in, which is "
    "always the learner's.",
)

MAPS_ROLLOUTS = 16  # an iteration: with the paper's one, at most 36 maps would be seen


def _maps(count: int | None) -> Variant:
    return variant(count, rollouts=MAPS_ROLLOUTS)


_MAPS = Study(
    "maps",
    "Number of training maps",
    "training maps",
    [
        Point("all" if count is None else str(count), _maps(count))
        for count in (5, 20, 60, 200, None)
    ],
    _per_family(
        _claim("all maps expand less than 5", _maps(None), _maps(5)),
        _claim("60 maps are as good as all", _maps(60), _maps(None), alike=True),
    ),
    note=f"With {MAPS_ROLLOUTS} roll-outs an iteration, so that there are as many as maps. All "
    "are those of the 600 that have a path; alternating_gaps has few different ones.",
)

_FRINGE = Study(
    "fringe",
    "Values of OPEN computed anew",
    "values of OPEN",
    [Point(way, variant(fringe=way)) for way in FRINGES],
    _per_family(
        _claim(
            "computed anew lazily, they expand less than frozen",
            variant(fringe="lazy"),
            variant(fringe="frozen"),
        ),
        _claim(
            "all computed anew, they expand less than frozen",
            variant(fringe="all"),
            variant(fringe="frozen"),
        ),
    ),
    note="Appendix A names it as a limit that a node keeps the value it got when it was uncovered "
    "(frozen), though the memory moves on. Here the base heuristics, trained once, search in three "
    "ways. Lazy: the first node of OPEN gets its value by the memory of now, and goes back if "
    "another one is before it then. All: so do all nodes of OPEN after every expansion, those just "
    "uncovered included. Of the search the base reads nothing but the memory, so that nothing else "
    "of a value can be out of date. Evaluations are nodes sent through the network.",
)

PRINTED_RATE: dict[str, Any] = {"learning_rate": 0.01}
PRINTED_ROLL_IN: dict[str, Any] = {"horizon": 36, "stop_at_goal": False}  # 20 steps, and t_tau
_PRINTED_BOTH = variant(**PRINTED_RATE, **PRINTED_ROLL_IN)
_AS_PRINTED = Study(
    "as_printed",
    "Settings as printed",
    "settings",
    [
        Point("base", variant()),
        Point("learning rate 0.002", variant(learning_rate=2e-3)),
        Point("learning rate 0.01", variant(**PRINTED_RATE)),
        Point("20 steps of roll-in", variant(**PRINTED_ROLL_IN)),
        Point("both", _PRINTED_BOTH),
    ],
    _per_family(_claim("the base expands less than both as printed", variant(), _PRINTED_BOTH)),
    note="The paper prints a learning rate of 0.01 and up to 20 steps of roll-in, and goes on "
    "after the goal; the base has 0.0005, rolls in for up to 400 - t_tau steps, and ends there.",
)

STUDIES = {
    study.name: study
    for study in (
        _MEMORY_START,
        _CONVOLUTION,
        _NEIGHBOURHOOD,
        _MEMORY_SIZE,
        _NO_MEMORY,
        _LOSS,
        _ORACLE_SHARE,
        _MAPS,
        _FRINGE,
        _AS_PRINTED,
    )
}
QUICK_FAMILIES = ("alternating_gaps",)
QUICK_STUDIES = ("convolution", "neighbourhood", "fringe")


def variants_of(studies: Sequence[str]) -> dict[str, Variant]:
    """The variants of some studies by name, each once, and the trainings that they take."""
    found = [each for name in studies for each in STUDIES[name].variants]
    return {each.name: each for each in (*(each.training for each in found), *found)}


def urgency(variant: Variant, family: str) -> int:
    """What is run first: what the paper has; ours on the hard family; ours; the paper's else."""
    having = [study for study in STUDIES.values() if variant in study.variants]
    if any(study.papers and family in study.papers_families for study in having):
        return 0
    if all(study.papers for study in having):
        return 3
    return 1 if family == HARD else 2
