"""Learning a heuristic: roll searches out, ask the oracle, train. Needs torch."""

from phil.errors import InputError

try:
    import torch as _torch  # noqa: F401
except ImportError as error:
    raise InputError(
        "training needs torch: pip install 'phil-search[train]'; for a CPU-only torch add "
        "--extra-index-url with PyTorch's CPU wheel index (see README.md)"
    ) from error

from phil.learning.methods import METHODS, train
from phil.learning.progress import Iteration
from phil.learning.settings import TrainingSettings, training_settings

__all__ = ["METHODS", "Iteration", "TrainingSettings", "train", "training_settings"]
