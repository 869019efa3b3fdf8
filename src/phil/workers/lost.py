"""Workers that died in the middle of their work."""

from __future__ import annotations


class WorkerLost(Exception):
    """A worker died, or the machine it ran on; its work can be done elsewhere."""


class WorkerLostWarning(UserWarning):
    """A worker was lost, and its work is done again."""
