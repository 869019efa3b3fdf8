"""Iterations of a training run, written for TensorBoard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from phil.errors import InputError

if TYPE_CHECKING:
    from phil.learning import Iteration


class TensorBoard:
    """A folder that TensorBoard reads."""

    def __init__(self, folder: Path) -> None:
        try:
            from tensorboard.summary import Writer
        except ModuleNotFoundError as error:
            raise InputError(
                "--tensorboard needs more: pip install 'phil-search[tensorboard]'"
            ) from error
        folder.mkdir(parents=True, exist_ok=True)
        self._writer: Any = Writer(str(folder))

    def write(self, iteration: Iteration) -> None:
        """Add an iteration's numbers."""
        for name in ("loss", "validation"):
            value = getattr(iteration, name)
            if value is not None:
                self._writer.add_scalar(f"{name}/{iteration.candidate}", value, iteration.steps)
        self._writer.flush()

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()
