"""The ablations: those of the paper's appendix D, and further ones.

A variant is a training: the base settings, what it changes of them, and how it is tested. A study
is a series of variants, with the claims that they can bear out.

The base is the paper's for its ablations (appendix D), and its m = 1 roll-out in each of N = 36
iterations. Three settings that do not train as printed were chosen on validation maps, one training
each: see `OURS`, and the study `as_printed`, which shows what they are worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from reproduction.ablations.fringe import FRINGES
from reproduction.methods import MethodSpec

PRESET = "paper"
PAPERS: Mapping[str, Any] = {
    "width": 128,
    "layers": 3,
    "memory": 64,
    "memory_start": "zero",
    "neighbors": 4,
    "convolution": "softmax",
    "rollout": 16,
    "beta": 0.7,
    "iterations": 36,
    "rollouts": 1,
    "batch": 8,
}
# The paper: a learning rate of 0.01, up to 20 steps of roll-in, roll-outs beyond the goal. At 0.002
# the base trains as well, but variants do not, so that the rate would be what is studied: on the
# validation maps of gaps_and_forest GAT, max, sum, d = 1 and d = 16 expand 772, 1020, 997, 1065 and
# 802 nodes at 0.002, but 132, 138, 137, 214 and 143 at 0.0005 (one training each).
OURS: Mapping[str, Any] = {"learning_rate": 5e-4, "horizon": 400, "stop_at_goal": True}
# What appendix D does not say, written out so that the base is the same under every reading of the
# paper that a preset stands for.
UNSAID: Mapping[str, Any] = {
    "remember": True,
    "handover": 0.0,
    "steps": 40,
    "decay": "none",
    "clip": 1.0,
    "underestimates": 1.0,
    "average": 0.0,
    "validate_every": 3,
    "validation": 40,
    "patience": 0,
}
BASE: Mapping[str, Any] = {**PAPERS, **OURS, **UNSAID}
# In quick runs: a network and a training that take a second.
QUICK: Mapping[str, Any] = {
    "width": 16,
    "memory": 32,  # as much as any variant carries on
    "horizon": 100,
    "iterations": 2,
    "steps": 3,
    "validate_every": 1,
}


@dataclass(frozen=True)
class Variant:
    """How it differs from the base; two of the same name are one training, tested in one way."""

    changes: tuple[tuple[str, Any], ...] = ()
    maps: int | None = None  # training maps; None: all there are
    way: str | None = None  # of testing it, one of `WAYS`; None: greedy search

    @property
    def name(self) -> str:
        """Of its parts.

        >>> variant(maps=5, rollout=8).name, variant().name
        ('rollout-8-maps-5', 'base')
        """
        words = [f"{name}-{value}" for name, value in self.changes]
        words += [] if self.maps is None else [f"maps-{self.maps}"]
        words += [] if self.way is None else [self.way]
        return "-".join(words) or "base"

    @property
    def training(self) -> Variant:
        """The variant that the heuristic is trained for: itself, apart from how it is tested."""
        return replace(self, way=None)

    @property
    def spec(self) -> MethodSpec:
        """How it is trained."""
        changes = dict(self.changes)
        return MethodSpec(
            self.name,
            "PHIL",
            method="phil",
            preset=PRESET,
            settings={**BASE, **changes},
            quick={**BASE, **QUICK, **changes},
        )


def variant(maps: int | None = None, way: str | None = None, **changes: Any) -> Variant:
    """A variant by its settings; those of the base are no change.

    >>> variant(rollout=16) == variant()
    True
    """
    kept = sorted((name, value) for name, value in changes.items() if BASE.get(name) != value)
    return Variant(tuple(kept), maps, way)


HARD = "gaps_and_forest"
EASY = ("forest", "alternating_gaps")
FAMILIES = (HARD, *EASY)
Unit = Literal["ratio_to_shortest", "ratio_to_astar"]


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
    """A series of trainings that differ in one thing: lines of variants along an axis."""

    name: str
    title: str
    axis: str
    lines: Mapping[str, Mapping[str, Variant]]  # by label; the first line has all labels
    claims: Sequence[Claim]
    papers: str = ""  # what the paper concludes; empty where it has no such study
    papers_families: tuple[str, ...] = FAMILIES
    note: str = ""
    unit: Unit = "ratio_to_shortest"
    # In the paper: mean and deviation of the ratio to A*, by label and family.
    printed: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)

    @property
    def labels(self) -> list[str]:
        """The places on the axis."""
        return [*next(iter(self.lines.values()))]

    @property
    def variants(self) -> tuple[Variant, ...]:
        """All its trainings, each once."""
        return tuple(dict.fromkeys(each for line in self.lines.values() for each in line.values()))


def _claim(text: str, fewer: Variant, more: Variant, *families: str, alike: bool = False) -> Claim:
    return Claim(text, (fewer,), (more,), families or FAMILIES, alike)


def _per_family(*claims: Claim) -> list[Claim]:
    """The claims on every family alone: pooled, the hard one would decide them all."""
    return [replace(claim, families=(family,)) for family in FAMILIES for claim in claims]


def _by_setting(setting: str, *values: Any) -> dict[str, Variant]:
    """Variants that differ in one setting, labelled by its value."""
    return {str(value): variant(**{setting: value}) for value in values}


# No backpropagation through time still learns from one expansion.
TIMES = {"0": 1, "8": 8, "16": 16, "32": 32, "64": 64}
ZEROED, ROLLED_IN = (
    {label: variant(memory_start=start, rollout=time) for label, time in TIMES.items()}
    for start in ("zero", "rolled")
)
_MEMORY_START = Study(
    "memory_start",
    "Memory at the start of a trajectory",
    "t_tau: steps of backpropagation through time",
    {"zeroed": ZEROED, "rolled in": ROLLED_IN},
    [
        _claim("zeroed: 16 steps expand less than 0", ZEROED["16"], ZEROED["0"], HARD),
        _claim("rolled in: 16 steps expand less than 0", ROLLED_IN["16"], ROLLED_IN["0"], HARD),
        _claim("0 steps: rolled in expands less than zeroed", ROLLED_IN["0"], ZEROED["0"], HARD),
        _claim("zeroed: 64 steps are as good as 16", ZEROED["64"], ZEROED["16"], HARD, alike=True),
        _claim("64 steps: zeroed expands less than rolled in", ZEROED["64"], ROLLED_IN["64"], HARD),
    ],
    papers="On gaps_and_forest both gain from more steps up to about 16; with few steps a "
    "rolled-in memory is better, by about 3 % at 0; beyond 16 the zeroed one stays as good, while "
    "the rolled-in one gets worse. The paper ran this on gaps_and_forest alone.",
    papers_families=(HARD,),
    note="t_tau = 0 is no backpropagation through time: a trajectory is one expansion, whose "
    "values are learned from the memory before it (`rollout=1`).",
)

CONVOLUTIONS = {
    "GAT": "gat",
    "MPNN max": "max",
    "MPNN sum": "sum",
    "DeeperGCN softmax": "softmax",
    "DeeperGCN power": "power",
}
BY_CONVOLUTION = {title: variant(convolution=name) for title, name in CONVOLUTIONS.items()}
_PRINTED_FAMILIES = ("alternating_gaps", "forest", HARD)
_PRINTED = {
    "GAT": ((0.077, 0.0110), (0.065, 0.0013), (0.154, 0.0112)),
    "MPNN max": ((0.071, 0.0834), (0.064, 0.0004), (0.158, 0.0143)),
    "MPNN sum": ((0.095, 0.0487), (0.07, 0.0085), (0.187, 0.0135)),
    "DeeperGCN softmax": ((0.069, 0.0008), (0.064, 0.0030), (0.164, 0.0113)),
    "DeeperGCN power": ((0.076, 0.0027), (0.07, 0.0101), (0.19, 0.0037)),
}
_CONVOLUTION = Study(
    "convolution",
    "Convolution (Table 4)",
    "convolution",
    {"PHIL": BY_CONVOLUTION},
    [
        Claim(
            "maximising ones (MPNN max, DeeperGCN softmax) expand less than MPNN sum and DeeperGCN "
            "power",
            (BY_CONVOLUTION["MPNN max"], BY_CONVOLUTION["DeeperGCN softmax"]),
            (BY_CONVOLUTION["MPNN sum"], BY_CONVOLUTION["DeeperGCN power"]),
        ),
        *(
            _claim(f"GAT expands less than {title}", BY_CONVOLUTION["GAT"], each, HARD)
            for title, each in BY_CONVOLUTION.items()
            if title != "GAT"
        ),
    ],
    papers="Aggregation by a maximum (MPNN max, DeeperGCN softmax) expands 1.57 % less than MPNN "
    "sum and DeeperGCN power on average (by its table 1.6 points of the ratio to A*, "
    "or 14 %); on gaps_and_forest attention (GAT) is best.",
    unit="ratio_to_astar",
    printed={
        title: dict(zip(_PRINTED_FAMILIES, values, strict=True))
        for title, values in _PRINTED.items()
    },
)

NEIGHBORS = _by_setting("neighbors", 0, 1, 2, 4)
_NEIGHBOURHOOD = Study(
    "neighbourhood",
    "Neighbourhood",
    "n: neighbours of a node that the convolution sees",
    {"PHIL": NEIGHBORS},
    _per_family(
        _claim("n = 2 expands less than n = 0", NEIGHBORS["2"], NEIGHBORS["0"]),
        _claim("n = 4 is as good as n = 2", NEIGHBORS["4"], NEIGHBORS["2"], alike=True),
    ),
    papers="On all three sets PHIL improves with n up to 2, then it stays as good.",
)

SIZES = _by_setting("memory", 1, 16, 32, 64, 128, 256)
_MEMORY_SIZE = Study(
    "memory_size",
    "Size of the memory",
    "d: numbers in the memory",
    {"PHIL": SIZES},
    [
        _claim("d = 32 expands less than d = 1", SIZES["32"], SIZES["1"], HARD),
        _claim("d = 32 expands less than d = 256", SIZES["32"], SIZES["256"], HARD),
        *(
            _claim("d = 32 is as good as d = 1", SIZES["32"], SIZES["1"], family, alike=True)
            for family in EASY
        ),
    ],
    papers="On gaps_and_forest PHIL improves up to d = 32, by about 40 % over d = 1, and gets "
    "worse beyond; on the two simpler sets the differences are marginal.",
    note="d is also the width into which a node's embedding is squeezed before its value is read, "
    "so d = 1 is a narrow network, and not only a small memory; the next study tells them apart.",
)

CARRIED = {**_by_setting("carried", 1, 16, 32), "64": variant()}
_MEMORY_CARRIED = Study(
    "memory_carried",
    "Size of the memory, with a read-out of 64",
    "numbers of the memory that are carried to the next expansion",
    {"PHIL": CARRIED},
    [
        _claim("32 numbers expand less than 1", CARRIED["32"], CARRIED["1"], HARD),
        *(
            _claim("32 numbers are as good as 1", CARRIED["32"], CARRIED["1"], family, alike=True)
            for family in EASY
        ),
    ],
    note="Values are read from 64 numbers, as in the base, but only the first of them are carried "
    "to the next expansion (`carried`).",
)

_NO_MEMORY = Study(
    "no_memory",
    "No memory at all",
    "memory",
    {"PHIL": {"with": variant(), "without": variant(remember=False)}},
    _per_family(
        _claim("with a memory PHIL expands less than without", variant(), variant(remember=False))
    ),
    note="Without it, the memory is zero before every expansion, in training and in the search. "
    "The paper holds that memory helps, but never takes it away.",
)

LOSSES: dict[str, dict[str, Any]] = {
    "value": {"rollout": 0, "ranking": 0.0},
    "value and ranking": {"rollout": 0, "ranking": 1.0},
}
BY_LOSS = {
    "with memory": {title: variant(**loss) for title, loss in LOSSES.items()},
    "without memory": {title: variant(**loss, remember=False) for title, loss in LOSSES.items()},
}
_LOSS = Study(
    "loss",
    "Loss",
    "loss",
    BY_LOSS,
    _per_family(
        *(
            _claim(
                f"{line}: ranking expands less than values alone",
                losses["value and ranking"],
                losses["value"],
            )
            for line, losses in BY_LOSS.items()
        )
    ),
    note="The paper learns values alone. The ranking loss is over the open nodes, so whole "
    "roll-outs are kept here (`rollout=0`, windows of 32 steps), for the loss of values too.",
)

SHARES = _by_setting("beta", 0.0, 0.3, 0.7, 0.9, 1.0)
_ORACLE_SHARE = Study(
    "oracle_share",
    "Share of the oracle",
    "beta_0: share of the oracle in roll-outs, to the power of the iteration",
    {"PHIL": SHARES},
    _per_family(
        _claim("a mixture (0.7) expands less than no oracle (0)", SHARES["0.7"], SHARES["0.0"]),
        _claim(
            "a mixture (0.7) expands less than the oracle alone (1)", SHARES["0.7"], SHARES["1.0"]
        ),
    ),
    note="0 rolls out by the learner alone, 1 by the oracle alone after the roll-in, which is "
    "always the learner's.",
)

MAPS_ROLLOUTS = 16  # an iteration: with the paper's one, at most 36 maps would be seen
BY_MAPS = {
    "all" if count is None else str(count): variant(count, rollouts=MAPS_ROLLOUTS)
    for count in (5, 20, 60, 200, None)
}
_MAPS = Study(
    "maps",
    "Number of training maps",
    "training maps",
    {"PHIL": BY_MAPS},
    _per_family(
        _claim("all maps expand less than 5", BY_MAPS["all"], BY_MAPS["5"]),
        _claim("60 maps are as good as all", BY_MAPS["60"], BY_MAPS["all"], alike=True),
    ),
    note=f"With {MAPS_ROLLOUTS} roll-outs an iteration, so that there are as many as maps. *All* "
    "are those of the 600 that have a path; alternating_gaps has few different ones.",
)

BY_FRINGE = {str(fringe): variant(way=f"fringe-{fringe}") for fringe in FRINGES}
_FRINGE = Study(
    "fringe",
    "Values of OPEN computed anew",
    "values of OPEN",
    {"PHIL": BY_FRINGE},
    _per_family(
        *(
            _claim(f"{anew}, they expand less than frozen", BY_FRINGE[way], BY_FRINGE["frozen"])
            for anew, way in (("computed anew lazily", "lazy"), ("all computed anew", "all"))
        )
    ),
    note="Appendix A names it as a limit that a node keeps the value it got when it was "
    "discovered (frozen), though the memory moves on. Here the base heuristics, trained once, "
    "search in three ways. Lazy: the first node of OPEN gets its value from the current memory, "
    "and goes back if another one then precedes it. All: so do all nodes of OPEN after every "
    "expansion, those just discovered included. Of the search, the base reads nothing but the "
    "memory, so nothing else in "
    "a value can be out of date. Evaluations are nodes sent through the network.",
)

MEMORIES: dict[str, dict[str, Any]] = {"with memory": {}, "without memory": {"remember": False}}
BY_ORDER = {
    line: {
        "fixed": variant(way="order-fixed", **changes),
        "random": variant(way="order-random", **changes),
        "whole moves, fixed": variant(way="order-whole", **changes),
        "whole moves, random": variant(way="order-whole-random", **changes),
    }
    for line, changes in MEMORIES.items()
}
_ORDER = Study(
    "order",
    "Order of expansions",
    "order",
    BY_ORDER,
    _per_family(
        *(
            _claim(
                f"{line}, whole moves: random orders are as good as the fixed one",
                orders["whole moves, random"],
                orders["whole moves, fixed"],
                alike=True,
            )
            for line, orders in BY_ORDER.items()
        )
    ),
    note="Appendix A names it as a limit that the memory depends on the order in which nodes are "
    "expanded. Here the heuristics, trained once, search every map in 5 random orders: V_new is "
    "permuted before it is scored and inserted, and equal keys are broken at random. Since values "
    "are hardly ever equal, the same is done with values rounded to whole moves, as distances are "
    "whole here. Deviations between orders are those of a map's expansions, as share of their "
    "mean, averaged over maps.",
)

WEIGHTS = (0.1, 0.3, 1.0, 3.0, 10.0)
BY_WEIGHT, ASTAR_BY_WEIGHT = (
    {f"{weight:g}": variant(way=way, underestimates=weight) for weight in WEIGHTS}
    for way in (None, "astar")
)
_OVERESTIMATES = Study(
    "overestimates",
    "Loss that discourages overestimates",
    "weight of underestimates in the loss",
    {"greedy": BY_WEIGHT, "A*": ASTAR_BY_WEIGHT},
    _per_family(
        _claim("greedy: 0.1 is as good as 1", BY_WEIGHT["0.1"], BY_WEIGHT["1"], alike=True),
        _claim("greedy: 10 expands less than 1", BY_WEIGHT["10"], BY_WEIGHT["1"]),
        _claim("A*: 1 expands less than 0.1", ASTAR_BY_WEIGHT["1"], ASTAR_BY_WEIGHT["0.1"]),
    ),
    note="Appendix A suggests losses that discourage overestimates, so that A* finds better paths. "
    "Below 1, an overestimate costs more than an underestimate (`underestimates` is the weight). "
    "Values are then expectiles of the distance, and so contain their uncertainty, which appendix "
    "A suggests for OPEN: the less the features tell, the lower a value is below 1, and the higher "
    "above 1. "
    "A* has the key g + h, with the learned value for h; a node that it expands again counts "
    "again. The share of values above the exact distance is of all nodes that it evaluates.",
)

PRINTED_RATE: dict[str, Any] = {"learning_rate": 0.01}
PRINTED_ROLL_IN: dict[str, Any] = {"horizon": 36, "stop_at_goal": False}  # 20 steps, and t_tau
_PRINTED_BOTH = variant(**PRINTED_RATE, **PRINTED_ROLL_IN)
_AS_PRINTED = Study(
    "as_printed",
    "Settings as printed",
    "settings",
    {
        "PHIL": {
            "base": variant(),
            "learning rate 0.002": variant(learning_rate=2e-3),
            "learning rate 0.01": variant(**PRINTED_RATE),
            "20 steps of roll-in": variant(**PRINTED_ROLL_IN),
            "both": _PRINTED_BOTH,
        }
    },
    _per_family(_claim("the base expands less than both as printed", variant(), _PRINTED_BOTH)),
    note="The paper prints a learning rate of 0.01 and up to 20 steps of roll-in, and continues "
    "after the goal; the base has 0.0005, rolls in for up to 400 - t_tau steps, and ends there.",
)

STUDIES = {
    study.name: study
    for study in (
        _MEMORY_START,
        _CONVOLUTION,
        _NEIGHBOURHOOD,
        _MEMORY_SIZE,
        _MEMORY_CARRIED,
        _NO_MEMORY,
        _LOSS,
        _ORACLE_SHARE,
        _MAPS,
        _FRINGE,
        _ORDER,
        _OVERESTIMATES,
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
