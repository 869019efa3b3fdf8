"""The figures of the paper, drawn from what searches and trainings really do."""

from phil.experiments.figures.command import reproduce
from phil.experiments.figures.sources import Sources

__all__ = ["Sources", "reproduce"]
