"""Neural A* (Yonetani et al., ICML 2021): an encoder predicts a guidance cost for every cell."""

from phil.heuristics.neural_astar.encoder import EncoderSettings
from phil.heuristics.neural_astar.heuristic import NeuralAstarHeuristic, NeuralAstarMetadata

__all__ = ["EncoderSettings", "NeuralAstarHeuristic", "NeuralAstarMetadata"]
