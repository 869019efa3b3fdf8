"""The paper's ablations (appendix D) and those that its readers ask for, on coarse maps."""

from phil.experiments.ablations.command import reproduce
from phil.experiments.ablations.page import verdicts
from phil.experiments.ablations.parts import Ablations
from phil.experiments.ablations.studies import (
    FAMILIES,
    QUICK_FAMILIES,
    QUICK_STUDIES,
    STUDIES,
)

__all__ = [
    "FAMILIES",
    "QUICK_FAMILIES",
    "QUICK_STUDIES",
    "STUDIES",
    "Ablations",
    "reproduce",
    "verdicts",
]
