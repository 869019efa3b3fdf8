"""Neural A* (Yonetani et al., ICML 2021): an encoder gives every cell of a map a guidance cost."""

from phil.heuristics.neural_astar.heuristic import NeuralAstarHeuristic
from phil.heuristics.neural_astar.metadata import EncoderSettings, NeuralAstarMetadata

__all__ = ["EncoderSettings", "NeuralAstarHeuristic", "NeuralAstarMetadata"]
