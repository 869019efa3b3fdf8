"""Training heuristics: roll out searches, ask the oracle, fit a network. Requires torch."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from phil.errors import InputError
from phil.learning.registry import METHODS

if TYPE_CHECKING:
    from phil.learning.progress import Iteration
    from phil.learning.settings import TrainingSettings, training_settings
    from phil.learning.training import short_training, train
    from phil.learning.tuning import tune

__all__ = [
    "METHODS",
    "Iteration",
    "TrainingSettings",
    "short_training",
    "train",
    "training_settings",
    "tune",
]

_HOME = {
    "Iteration": "phil.learning.progress",
    "TrainingSettings": "phil.learning.settings",
    "short_training": "phil.learning.training",
    "train": "phil.learning.training",
    "training_settings": "phil.learning.settings",
    "tune": "phil.learning.tuning",
}


def __getattr__(name: str) -> Any:
    # Imported on demand, so that the methods can be listed without torch.
    if name not in _HOME:
        raise AttributeError(f"module 'phil.learning' has no attribute '{name}'")
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise InputError(
            "training needs torch: pip install 'phil-search[train]'; for a CPU-only torch add "
            "--extra-index-url with PyTorch's CPU wheel index (see README.md)"
        ) from error
    return getattr(import_module(_HOME[name]), name)
