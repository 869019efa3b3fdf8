"""Neural A* (Yonetani et al., ICML 2021): an encoder gives every cell of a map a guidance cost."""

from phil.heuristics.neural_astar.encoder import EncoderSettings
from phil.heuristics.neural_astar.heuristic import NeuralAstarHeuristic, NeuralAstarMetadata

__all__ = ["EncoderSettings", "NeuralAstarHeuristic", "NeuralAstarMetadata"]
