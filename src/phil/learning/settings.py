"""Every setting of training, with two presets: the paper's method, and what trains best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from phil.errors import InputError, unknown_name
from phil.heuristics.phil.specification import Convolution


def split_text(value: Any) -> Any:
    """The parts of a text such as `100,50` or `(100, 50)`; what is no text is left as it is."""
    return value.strip("() ").split(",") if isinstance(value, str) else value


Unit = Literal["moves", "cost"]
DeadEnds = Literal["reverse", "leave_out"]
Caution = Annotated[float, Field(ge=0, le=1000)]
Cautions = Annotated[tuple[Caution, ...], BeforeValidator(split_text), Field(min_length=1)]


class TrainingSettings(BaseModel):
    """Algorithm 1 and its extensions; the defaults are the paper's on grids.

    Names in brackets are the paper's. Where the paper is silent, `steps`, `decay` and `clip` are
    what made its method train.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    # The network.
    width: int = Field(128, ge=1, le=4096, description="width of every layer")
    layers: int = Field(3, ge=1, le=16, description="layers of f")
    neighbors: int = Field(8, ge=0, le=1024, description="[n] neighbours seen by the convolution")
    convolution: Convolution = Field("softmax", description="how neighbours are aggregated")
    memory: int = Field(64, ge=1, le=4096, description="[d] dimensions of the memory")
    remember: bool = Field(True, description="carry the memory on during a search")
    walls: bool = Field(False, description="on grids: blocked moves of a cell are an input")

    trail: Literal["no", "yes", "choose"] = Field(
        "no", description="how the search came to a node is an input; or try both ways"
    )

    scaling: Literal["together", "each", "choose"] = Field(
        "each", description="general graphs: features of a group share one scale, or try both ways"
    )
    group_distances: bool = Field(
        False, description="distances of each group of features are inputs"
    )
    goal_first: bool = Field(False, description="the goal's value is 0, all others are above")

    # The oracle.
    unit: Literal["auto", "moves", "cost"] = Field(
        "auto", description="of distances; auto: moves on grids, else path cost"
    )
    dead_ends: DeadEnds = Field(
        "reverse", description="directed graphs: nodes without a path to the goal (see docs)"
    )

    # Roll-outs.
    horizon: int = Field(256, ge=1, description="[T] most steps of a roll-out")
    rollout: int = Field(32, ge=0, description="[t_tau] steps kept of a roll-out; 0 keeps all")
    beta: float = Field(0.7, ge=0, le=1, description="[beta_0] share of the oracle, to the power i")
    handover: float = Field(0.0, ge=0, le=1, description="share of roll-outs: learner, then oracle")
    stop_at_goal: bool = Field(False, description="end a roll-out at the goal")
    memory_start: Literal["rolled", "zero"] = Field(
        "rolled", description="memory at the start of a trajectory: rolled in, or zero"
    )

    # Learning.
    iterations: int = Field(36, ge=1, description="[N] iterations")
    rollouts: int = Field(1, ge=1, description="[m] roll-outs per iteration")
    steps: int = Field(40, ge=1, description="Adam steps per iteration")
    batch: int = Field(32, ge=1, description="trajectories per Adam step")
    nodes: int = Field(20, ge=1, description="nodes per trajectory and step, without a memory")
    learning_rate: float = Field(1e-3, gt=0, description="of Adam")
    decay: Literal["none", "cosine"] = Field("none", description="of the learning rate")
    clip: float = Field(1.0, gt=0, description="largest norm of a gradient")
    underestimates: float = Field(1.0, gt=0, description="weight of values that are too low")
    ranking: float = Field(0.0, ge=0, description="weight of the ranking loss; 0 leaves it out")
    ranking_size: int = Field(64, ge=2, le=4096, description="open nodes ranked together")
    ranking_rate: float = Field(0.12, gt=0, le=1, description="share of steps that are ranked")
    temperature: float = Field(
        2.0, gt=0, description="of the ranking loss, in moves, or in path cost where it is learned"
    )
    average: float = Field(0.0, ge=0, lt=1, description="decay of averaged weights; 0: none")

    # Choosing.
    candidates: int = Field(1, ge=1, le=64, description="networks trained; the best is kept")
    hard: float = Field(
        1.15, ge=1, description="a set is hard if the best expands this times the shortest path"
    )
    hard_candidates: int = Field(0, ge=0, le=64, description="further networks for a hard set")
    caution: Cautions = Field(
        (0.0,),
        description="on grids: tolls of places to avoid, for hard candidates in turn",
    )
    validate_every: int = Field(1, ge=1, description="iterations between two validations")
    validation: int = Field(100, ge=1, description="validation problems used, at most")
    patience: int = Field(0, ge=0, description="validations without gain before stopping; 0: never")


PRESETS: dict[str, dict[str, Any]] = {
    # Searches with this network are slow while it is bad, so not every iteration is validated.
    "paper": {"validate_every": 3, "validation": 40},
    "best": {
        "width": 32,
        "memory": 16,
        "remember": False,
        "walls": True,
        "trail": "choose",
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
        "hard_candidates": 4,
        "caution": (30.0, 10.0, 0.0, 0.0),
        "validate_every": 5,
    },
}


# What is other on graphs that are no grids.
GENERAL: dict[str, dict[str, Any]] = {
    "best": {
        "walls": False,
        "trail": "no",
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
        "hard_candidates": 0,
        "caution": (0.0,),
    },
}

# What is other on 3D maps. Chosen on validation problems of rooms/simple (expansions over shortest
# paths', one training each): as on 2D maps 1.13; with these 1.10 without the trail, 1.06 with it;
# all 6 neighbours instead of 4 1.11, a temperature of 0.5 1.14 without the trail, a width of 128
# 1.04; 2,000 rooms to learn from instead of 600 1.02. 100 validation problems were too few to
# choose by: trainings that had 1.01 to 1.04 on them had 1.02 to 1.09 on 300 others.
VOXELS: dict[str, dict[str, Any]] = {
    "best": {
        "width": 64,
        "trail": "yes",
        "iterations": 400,
        "rollouts": 64,
        "steps": 80,
        "temperature": 1.0,
        "candidates": 1,
        "hard_candidates": 0,
        "caution": (0.0,),
        "validation": 300,
    },
}


def training_settings(
    preset: str,
    changes: Mapping[str, Any] | None = None,
    defaults: Mapping[str, Any] | None = None,
) -> TrainingSettings:
    """The settings of a preset with some of them changed; `defaults` are between the two.

    >>> training_settings("paper", {"width": "64"}).width
    64
    """
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    changes = dict(changes or {})
    for name in changes:
        if name not in TrainingSettings.model_fields:
            raise unknown_name("setting", name, TrainingSettings.model_fields)
    try:
        settings = TrainingSettings.model_validate(PRESETS[preset] | dict(defaults or {}) | changes)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        raise InputError(f"setting {name}={changes.get(name)}: {first['msg']}") from None
    _check(settings)
    return settings


def _check(settings: TrainingSettings) -> None:
    if settings.rollout > settings.horizon:
        raise InputError(
            f"setting rollout={settings.rollout} must not exceed horizon={settings.horizon}"
        )
    if settings.ranking and settings.rollout:
        raise InputError("the ranking loss needs whole roll-outs: set rollout=0 or ranking=0")
