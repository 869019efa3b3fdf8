"""A multi-layer perceptron on what a search knows about a node: SaIL and its relatives."""

from phil.heuristics.mlp.heuristic import MlpHeuristic
from phil.heuristics.mlp.specification import Inputs, MlpMetadata, MlpMethod

__all__ = ["Inputs", "MlpHeuristic", "MlpMetadata", "MlpMethod"]
