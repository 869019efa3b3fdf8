"""The settings of PHIL, with their presets: what trains best, and two readings of the paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from phil.arguments import MAPPING, NOTHING, TEXT, takes
from phil.errors import InputError, unknown_name
from phil.heuristics.phil.specification import Convolution
from phil.heuristics.scaling import Lengths
from phil.learning.objective import Measure, Objective, canonical_search

M = TypeVar("M", bound=BaseModel)


def split_text(value: Any) -> Any:
    """Split a text such as `100,50` or `(100, 50)`; any other value is returned unchanged."""
    return value.strip("() ").split(",") if isinstance(value, str) else value


Unit = Literal["moves", "mixed", "cost"]
DeadEnds = Literal["reverse", "leave_out"]
Caution = Annotated[float, Field(ge=0, le=1000)]
Cautions = Annotated[tuple[Caution, ...], BeforeValidator(split_text), Field(min_length=1)]
Size = Annotated[float, Field(gt=0, le=1)]
Sizes = Annotated[tuple[Size, ...], BeforeValidator(split_text), Field(min_length=1, max_length=8)]


class TrainingSettings(BaseModel):
    """The settings of PHIL: Algorithm 1 and its extensions. Defaults are the paper's on grids.

    Names in brackets are the paper's. The paper does not specify `steps`, `decay` and `clip`; their
    values were chosen so that its method trains.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    # What it is trained for.
    search: Annotated[str, AfterValidator(canonical_search)] = Field(
        "greedy",
        description="search that the heuristic will guide: greedy, astar, wastar(2), bounded(1.5)",
    )
    mean: Literal["arithmetic", "geometric"] = Field(
        "arithmetic",
        description="mean of the costs in validation; geometric: maps of all sizes count alike",
    )
    objective: Measure = Field(
        "expansions",
        description="cost that validation and tuning minimise: expansions, calls, which count "
        "every computation of a node's neighbours, or calls+cost: calls and the path's cost",
    )

    # The network.
    width: int = Field(128, ge=1, le=4096, description="width of every layer")
    layers: int = Field(3, ge=1, le=16, description="layers of f")
    neighbors: int = Field(8, ge=0, le=1024, description="[n] neighbours seen by the convolution")
    convolution: Convolution = Field("softmax", description="aggregation of the neighbours")
    memory: int = Field(64, ge=1, le=4096, description="[d] dimensions of the memory")
    remember: bool = Field(True, description="carry the memory through a search")
    carried: int = Field(
        0,
        ge=0,
        le=4096,
        description="numbers of the memory carried to the next expansion; 0: all [d] of them",
    )
    walls: bool = Field(False, description="grids: the blocked moves of a cell are an input")
    trail: Literal["no", "yes", "choose"] = Field(
        "no", description="the search's way to a node is an input; choose: try both"
    )
    frame: Literal["map", "goal", "choose"] = Field(
        "map",
        description="grids: coordinates are relative to the map, or to the goal with the axes "
        "turned to the start; choose: try both",
    )
    lengths: Lengths | Literal["both"] = Field(
        "cells",
        description="unit in the frame of the goal: cells, or the start's distance; both: that "
        "distance, and values have a part in cells",
    )
    known: int = Field(
        0, ge=0, le=8, description="grids: what the search knows of cells this near is an input"
    )
    lazy: bool = Field(
        False,
        description="with known, without memory: evaluate the best node again with its neighbours",
    )
    scaling: Literal["together", "each", "choose"] = Field(
        "each",
        description="general graphs: scale a group's features together or each; choose: try both",
    )
    group_distances: bool = Field(
        False, description="the distance to the goal in each group of features is an input"
    )
    goal_first: bool = Field(False, description="the goal's value is 0, all others are greater")

    # The oracle.
    unit: Unit | Literal["auto"] = Field(
        "auto",
        description="unit of distances: moves, path cost, or mixed, the mean of both; auto: path "
        "cost on weighted graphs, else moves",
    )
    dead_ends: DeadEnds = Field(
        "reverse",
        description="directed graphs: nodes that cannot reach the goal get their distance with "
        "reversed edges added, or are left out",
    )

    # Roll-outs.
    horizon: int = Field(256, ge=1, description="[T] maximum steps of a roll-out")
    rollout: int = Field(32, ge=0, description="[t_tau] recorded steps of a roll-out; 0: all")
    beta: float = Field(
        0.7,
        ge=0,
        le=1,
        description="[beta_0] in iteration i, the share of oracle steps is beta_0^i",
    )
    handover: float = Field(
        0.0, ge=0, le=1, description="share of roll-outs that the network starts, the oracle ends"
    )
    stop_at_goal: bool = Field(False, description="end a roll-out at the goal")
    memory_start: Literal["rolled", "zero"] = Field(
        "rolled", description="memory where recording starts: as after the roll-in, or zero"
    )

    # Learning.
    iterations: int = Field(36, ge=1, description="[N] iterations")
    rollouts: int = Field(1, ge=1, description="[m] roll-outs per iteration")
    steps: int = Field(40, ge=1, description="Adam steps per iteration")
    batch: int = Field(32, ge=1, description="roll-outs per Adam step")
    nodes: int = Field(20, ge=1, description="without memory: nodes per roll-out and Adam step")
    learning_rate: float = Field(1e-3, gt=0, description="learning rate of Adam")
    decay: Literal["none", "cosine"] = Field("none", description="decay of the learning rate")
    clip: float = Field(1.0, gt=0, description="maximum gradient norm")
    underestimates: float = Field(
        1.0,
        gt=0,
        description="weight of underestimates in the loss; below 1, overestimates count more",
    )
    ranking: float = Field(0.0, ge=0, description="weight of the ranking loss; 0: none")
    ranking_size: int = Field(64, ge=2, le=4096, description="open nodes ranked together")
    ranking_rate: float = Field(
        0.12, gt=0, le=1, description="share of steps whose open nodes are ranked"
    )
    temperature: float = Field(
        2.0, gt=0, description="temperature of the ranking loss, in the unit of distances"
    )
    average: float = Field(
        0.0, ge=0, lt=1, description="decay of the moving average of the weights; 0: no average"
    )

    # Validation.
    candidates: int = Field(1, ge=1, le=64, description="networks trained; the best is kept")
    plain: int = Field(
        0,
        ge=0,
        le=64,
        description="maps: further first networks, which read a node alone in the frame of the map",
    )
    hard: float = Field(
        1.15,
        ge=1,
        description="a set is hard if the best network expands this many times the shortest path",
    )
    hard_candidates: int = Field(0, ge=0, le=64, description="further networks on a hard set")
    caution: Cautions = Field(
        (0.0,),
        description="2D maps: the further networks' tolls where searches waste expansions, in turn",
    )
    validate_every: int = Field(1, ge=1, description="iterations from one validation to the next")
    validation: int = Field(100, ge=1, description="maximum number of validation problems used")
    patience: int = Field(
        0, ge=0, description="stop after this many validations without improvement; 0: never"
    )

    # Rounds of training on a domain, which Algorithm 1 runs through once in each.
    rounds: int = Field(16, ge=1, description="domains: rounds of solving problems and learning")
    explore: int = Field(
        20_000, ge=0, description="domains: nodes explored backwards from the goals, in all"
    )
    attempts: int = Field(200, ge=1, description="domains: problems to solve in a round")
    attempt_limit: int = Field(
        3_000, ge=1, description="domains: expansions after which a search is given up"
    )

    # Tuning of the best network by evolution strategies.
    tune: int = Field(0, ge=0, description="generations of tuning after imitation; 0: none")
    tune_seconds: float = Field(
        0.0,
        ge=0,
        description="stop tuning after this time, which makes the result depend on the machine; "
        "0: never",
    )
    tune_samples: int = Field(
        32, ge=1, le=4096, description="pairs of opposite changes tried in a generation"
    )
    tune_problems: int = Field(16, ge=1, description="training problems they are tried on")
    tune_limit: int = Field(
        0, ge=0, description="expansions above which a problem is not used for tuning; 0: none"
    )
    tune_sizes: Sizes = Field(
        (0.1, 0.02),
        description="sizes of the changes, relative to a tensor's weights; of several, each is "
        "tried for some generations, and validation chooses",
    )

    @property
    def cost(self) -> Objective:
        """What training minimises."""
        return Objective(self.search, self.objective, self.mean == "geometric")


PRESETS: dict[str, dict[str, Any]] = {
    # The settings of the paper to the letter.
    "paper-printed": {"validation": 70},
    # Its method, with roll-outs that reach the goal.
    "paper": {
        "validation": 70,
        "horizon": 10_000,
        "stop_at_goal": True,
        "learning_rate": 5e-4,
    },
    "best": {
        "width": 32,
        "memory": 32,
        "remember": False,
        "neighbors": 0,
        "trail": "yes",
        "frame": "choose",
        "lengths": "distance",
        "known": 2,
        "lazy": True,
        "objective": "calls",
        "horizon": 4000,
        "rollout": 0,
        "beta": 0.6,
        "handover": 0.3,
        "stop_at_goal": True,
        "iterations": 40,
        "rollouts": 16,
        "steps": 20,
        "batch": 24,
        "learning_rate": 2e-3,
        "decay": "cosine",
        "ranking": 5.0,
        "average": 0.995,
        "candidates": 2,
        "plain": 1,
        "hard_candidates": 2,
        "caution": (30.0, 10.0),
        "validate_every": 5,
        "tune": 100,
    },
}


# The presets' changes on general graphs; the paper's are in its section 5.2.
_PAPER_ON_GRAPHS: dict[str, Any] = {"layers": 4, "iterations": 60}
ON_GRAPHS: dict[str, dict[str, Any]] = {
    "paper-printed": _PAPER_ON_GRAPHS,
    "paper": _PAPER_ON_GRAPHS,
    "best": {
        "memory": 16,
        "trail": "no",
        "frame": "map",
        "known": 0,
        "lazy": False,
        "objective": "expansions",
        "scaling": "choose",
        "group_distances": True,
        "goal_first": True,
        "rollouts": 64,
        "steps": 40,
        "ranking": 1.0,
        "ranking_size": 32,
        "nodes": 16,
        "batch": 16,
        "candidates": 2,
        "plain": 0,
        "hard_candidates": 0,
        "caution": (0.0,),
        "tune": 0,
    },
}

# The presets' changes on maps with added features. The network is small and looks at no neighbours,
# so that a query takes little longer than one with the landmarks themselves.
ON_MAPS_WITH_FEATURES: dict[str, dict[str, Any]] = {
    "best": {
        **ON_GRAPHS["best"],
        "width": 16,
        "memory": 8,
        "layers": 2,
        "neighbors": 0,
    },
}

# The presets' changes on 3D maps, chosen on validation problems of rooms/simple. Ratio of
# expansions to the shortest paths', one training run each: 1.13 with the values for 2D maps; with
# these 1.10 without the trail, 1.06 with it; 1.11 with all 6 neighbours instead of 4; 1.14 with a
# temperature of 0.5 without the trail; 1.04 with a width of 128; 1.02 with 2,000 rooms instead of
# 600. 100 validation problems were too few: runs with 1.01 to 1.04 on them had 1.02 to 1.09 on
# 300.
ON_3D_MAPS: dict[str, dict[str, Any]] = {
    "best": {
        "width": 64,
        "frame": "goal",
        "known": 1,
        "iterations": 400,
        "rollouts": 64,
        "steps": 80,
        "temperature": 1.0,
        "candidates": 1,
        "plain": 0,
        "hard_candidates": 0,
        "caution": (0.0,),
        "validation": 300,
    },
}


# The changes of `best` on domains. Networks look at no neighbours: that would take calls, and
# training knows only some of them.
ON_DOMAINS: dict[str, Any] = {
    **ON_GRAPHS["best"],
    "neighbors": 0,
    "objective": "calls",
    "scaling": "each",
    "unit": "cost",
    "horizon": 2000,
    "width": 64,
    "iterations": 20,
    "candidates": 1,
    "validate_every": 10,
    "validation": 60,
}


# What `best` changes where the problems are not on sets of 2D maps.
BEST_ELSEWHERE: dict[str, dict[str, Any]] = {
    "graphs": ON_GRAPHS["best"],
    "3D maps": ON_3D_MAPS["best"],
    "maps with features": ON_MAPS_WITH_FEATURES["best"],
    "domains": ON_DOMAINS,
}


@takes(preset=TEXT, changes=MAPPING | NOTHING, defaults=MAPPING | NOTHING)
def training_settings(
    preset: str,
    changes: Mapping[str, Any] | None = None,
    defaults: Mapping[str, Any] | None = None,
) -> TrainingSettings:
    """The settings of a preset, with changes.

    Parameters
    ----------
    preset : str
        "best", "paper" or "paper-printed".
    changes : mapping, optional
        Settings to change, by name; values may be strings, as on the command line.
    defaults : mapping, optional
        Settings that override the preset, but not the changes.

    Returns
    -------
    TrainingSettings

    Raises
    ------
    InputError
        If a name is unknown, a value is out of range, or two settings contradict each other.

    Examples
    --------
    >>> training_settings("paper", {"width": "64"}).width
    64
    """
    changes = dict(changes or {})
    check_names(preset, changes)
    check_names(preset, defaults or {})
    settings = validated(TrainingSettings, PRESETS[preset] | dict(defaults or {}) | changes)
    if settings.rollout > settings.horizon:
        raise InputError(
            f"setting rollout={settings.rollout} must not exceed horizon={settings.horizon}; "
            "lower rollout or raise horizon"
        )
    if settings.carried > settings.memory:
        raise InputError(
            f"setting carried={settings.carried} must not exceed memory={settings.memory}; "
            "lower carried or raise memory"
        )
    if settings.ranking and settings.rollout:
        raise InputError("the ranking loss needs complete roll-outs: set rollout=0 or ranking=0")
    return settings


def check_names(preset: str, changes: Mapping[str, Any]) -> None:
    """Refuse unknown names before anything is computed."""
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    for name in changes:
        if name not in TrainingSettings.model_fields:
            raise unknown_name("setting", name, TrainingSettings.model_fields)


def validated(kind: type[M], values: Mapping[str, Any]) -> M:
    """Validate settings; the error names the wrong one and describes it."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        raise InputError(
            f"setting {name}={values.get(name)}: {first['msg']} "
            f"({name}: {kind.model_fields[name].description})"
        ) from None
