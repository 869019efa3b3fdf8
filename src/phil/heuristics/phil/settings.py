"""The shape of a PHIL network."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Convolution = Literal["softmax", "power", "gat", "max", "sum"]
CONVOLUTIONS: tuple[Convolution, ...] = ("softmax", "power", "gat", "max", "sum")


class NetworkSettings(BaseModel):
    """Every size and choice of Algorithm 2; the defaults are the paper's on grids."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    features: int = Field(2, ge=1, description="numbers per node")
    edge_features: int = Field(2, ge=0, description="numbers per edge")
    width: int = Field(128, ge=1, le=4096, description="width of every layer")
    layers: int = Field(3, ge=1, le=16, description="layers of f, the embedding of a node")
    neighbors: int = Field(8, ge=0, le=1024, description="n: neighbours seen by the convolution")
    convolution: Convolution = Field("softmax", description="how neighbours are aggregated")
    memory: int = Field(64, ge=1, le=4096, description="d: dimensions of the memory")
    remember: bool = Field(True, description="carry the memory on; else it starts at 0 each time")
    walls: int = Field(0, ge=0, le=8, description="moves of a grid whose absence is an input")
    trail: bool = Field(False, description="how the search came to a node is an input")
    groups: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        (), description="sizes of groups of features, whose distances are inputs apart"
    )
    goal_first: bool = Field(False, description="the goal's value is 0, all others are above")
    sample_seed: int = Field(
        0, ge=0, lt=2**63, description="which neighbours are taken where there are more"
    )

    @model_validator(mode="after")
    def _groups_are_whole(self) -> NetworkSettings:
        if self.groups and sum(self.groups) != self.features:
            raise ValueError(
                f"groups of {sum(self.groups)} features, but there are {self.features}"
            )
        return self

    @property
    def distances(self) -> int:
        """Distances of a node to the goal that f reads: the paper's two, or three per group."""
        return 3 * len(self.groups) if self.groups else 2

    @property
    def trail_size(self) -> int:
        """Numbers that say how the search came to a node: depth, last step, trend of the steps."""
        return 1 + 2 * self.features if self.trail else 0
