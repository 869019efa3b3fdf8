"""Computed node features: degrees, neighbourhoods, landmarks and more."""

from phil.graphs.features.add import FeatureCost, add_features, feature_costs
from phil.graphs.features.registry import canonical, parse_recipe

__all__ = ["FeatureCost", "add_features", "canonical", "feature_costs", "parse_recipe"]
