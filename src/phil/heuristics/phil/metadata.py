"""What the file of a heuristic learned by PHIL says about it."""

from __future__ import annotations

from pydantic import model_validator

from phil.heuristics.file import Metadata
from phil.heuristics.phil.scaling import Scaling
from phil.heuristics.phil.settings import NetworkSettings


class PhilMetadata(Metadata):
    """The network, and how its inputs are scaled."""

    network: NetworkSettings
    scaling: Scaling

    @model_validator(mode="after")
    def _fits(self) -> PhilMetadata:
        features = self.network.features
        if features != len(self.feature_names) or not self.scaling.fits(features):
            raise ValueError(
                f"{len(self.feature_names)} feature names and a scaling of "
                f"{len(self.scaling.centre)} features, but the network takes {features}"
            )
        edges = self.scaling.edge_spread
        if edges and len(edges) != self.network.edge_features:
            raise ValueError(
                f"a scaling of {len(edges)} edge features, but the network takes "
                f"{self.network.edge_features}"
            )
        return self
